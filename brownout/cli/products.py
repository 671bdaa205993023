"""`brownout show`: pages, customers and calendars at a moment, and what is true then."""

import orjson
from rich.markup import escape
from sqlalchemy import select

from brownout.cli.output import console, print_json, table
from brownout.cli.show_context import Look, items_in, looking, text_in
from brownout.core.instants import local
from brownout.core.values import Json, JsonObject
from brownout.store import compile_query
from worlds.package.engine_tables import fact as _fact

__all__ = ["calendar", "customers", "docs", "facts"]

_MOST = 100
_FACTS = compile_query(select(_fact).order_by(_fact.c.slot, _fact.c.since_us, _fact.c.id))


def docs(package: str, page: str, at: str, viewer: str, as_json: bool) -> None:
    """Pages as they were at a moment, the last changed first; a page by its title, whole."""
    with looking(package, at, viewer) as look:
        if not page:
            found = items_in(look.ask("docs_list_pages", limit=_MOST), "results")
        else:
            hits = items_in(look.ask("docs_search", query=page), "results")
            found = [content for hit in hits if isinstance(content := hit.get("content"), dict)]
        named = [one for one in found if text_in(one, "title").casefold() == page.casefold()]
        whole = (
            look.ask("docs_get_page", page=text_in((named or found)[0], "id"))
            if named or (page and len(found) == 1)
            else None
        )
        if as_json:
            print_json(whole or {"pages": [*found]})
            return
        if whole is not None:
            console.print(f"[bold]{escape(text_in(whole, 'title'))}[/]")
            console.print(text_in(whole, "body", "value") or text_in(whole, "body"), markup=False)
            return
        shown = table("changed", "space", "page", "by", whole=("changed", "space"))
        for one in found:
            changed, by = text_in(one, "version", "createdAt"), text_in(one, "version", "authorName")
            shown.add_row(look.clock(changed), text_in(one, "spaceKey"), escape(text_in(one, "title")), escape(by))
    console.print(shown)


def customers(package: str, query: str, at: str, viewer: str, as_json: bool) -> None:
    """The customers in the register as they were at a moment."""
    with looking(package, at, viewer) as look:
        answer = look.ask("customers_search_accounts", query=query, limit=_MOST)
    if as_json:
        print_json(answer)
        return
    shown = table("customer", "name", "plan", "owner", "health", "renewal", "tags", whole=("customer", "renewal"))
    for one in items_in(answer, "results"):
        tags = one.get("tags")
        cells = [text_in(one, name) for name in ("short_name", "name", "plan", "owner", "health", "renewal")]
        shown.add_row(*map(escape, [*cells, ", ".join(map(str, tags)) if isinstance(tags, list) else ""]))
    console.print(shown)


def calendar(package: str, whose: str, at: str, viewer: str, as_json: bool) -> None:
    """Somebody's events from a moment on, the next first."""
    with looking(package, at, viewer) as look:
        since = look.moment.isoformat(timespec="minutes")
        answer = look.ask("calendar_list_events", calendar=whose, time_min=since, max_results=_MOST)
        if as_json:
            print_json(answer)
            return
        shown = table("when", "event", "where", "organizer", whole=("when",))
        for one in items_in(answer, "items"):
            start = text_in(one, "start", "dateTime")
            when = look.clock(start) if start else text_in(one, "start", "date")
            names = (("summary",), ("location",), ("organizer", "displayName"))
            shown.add_row(when, *(escape(text_in(one, *path)) for path in names))
    console.print(f"[bold]{escape(text_in(answer, 'summary'))}[/]")
    console.print(shown)


def facts(package: str, slot: str, at: str, as_json: bool) -> None:
    """What is true at a moment, what was and what will be: every fact with its slot, value and window."""
    with looking(package, at, "") as look:
        found: list[JsonObject] = []
        for row in look.preview.rows.all(_FACTS):
            if slot not in row.text("slot") and slot not in row.text("fact"):
                continue
            since, until = row["since_us"], row["until_us"]
            again = row["again_us"]
            has_begun = since is None or (isinstance(since, int) and since <= look.now)
            is_again = isinstance(again, int) and again <= look.now
            holds = is_again or (has_begun and not (isinstance(until, int) and until <= look.now))
            says = orjson.loads(row.text("words")).get("says", [])
            shown: dict[str, Json] = {name: row.text(name) for name in ("slot", "fact", "value")}
            found.append(
                {
                    **shown,
                    "since": _moment(look, since),
                    "until": _moment(look, until),
                    "again": _moment(look, again),
                    "holds": holds,
                    "says": says,
                }
            )
    if as_json:
        print_json({"facts": [*found]})
        return
    listed = table("", "slot", "fact", "value", "since", "until", "again", whole=("fact", "since", "until", "again"))
    for one in found:
        cells = (escape(str(one[name])) for name in ("slot", "fact", "value", "since", "until", "again"))
        listed.add_row("[green]✓[/]" if one["holds"] else "", *cells)
    console.print(listed)


def _moment(look: Look, at: object) -> str:
    return f"{local(at, look.world.setting.zone):%Y-%m-%d %H:%M}" if isinstance(at, int) else ""
