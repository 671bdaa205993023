"""`brownout show chat|mail|issues|code|docs|customers|calendar|status`: what a company's products show at a moment."""

import re

from rich.markup import escape
from rich.padding import Padding

from brownout.cli.output import console, print_json, table
from brownout.cli.show_context import Look, items_in, looking, text_in
from brownout.core.errors import UsageError
from brownout.core.instants import SECOND, duration_text
from brownout.core.values import JsonObject

__all__ = ["calendar", "chat", "code", "customers", "docs", "issues", "mail", "status"]

_MOST = 50
_MOST_SAID = 200
_MOST_LISTED = 100
_THREAD_INDENT = 4
_ADDRESS = re.compile(r" <[^<>]*>")
"""The address behind a name in a mail's header."""
_COLOURS = {"healthy": "green", "operational": "green", "degraded": "yellow", "minor": "yellow", "merged": "magenta"}


def chat(package: str, channel: str, at: str, viewer: str, as_json: bool) -> None:
    """A channel as it was at a moment, with its threads; the newest messages where there are very many."""
    with looking(package, at, viewer) as look:
        if not channel.startswith("@"):
            _need_channel(look, channel)
        answer = look.ask("slack_read_channel", channel=channel, limit=_MOST_SAID)
        for message in items_in(answer, "messages"):
            if text_in(message, "reply_count"):
                thread = look.pages("slack_read_thread", "messages", channel=channel, ts=text_in(message, "ts"))
                message["replies"] = [*thread[1:]]
        if as_json:
            print_json(answer)
            return
        if answer.get("has_more"):
            console.print(f"[dim]the newest {_MOST_SAID} messages[/]")
        for message in reversed(items_in(answer, "messages")):
            for said in (message, *items_in(message, "replies")):
                _show_message(look, said, is_reply=said is not message)


def docs(package: str, page: str, at: str, viewer: str, as_json: bool) -> None:
    """Pages as they were at a moment, the last changed first; a page by its title, whole."""
    with looking(package, at, viewer) as look:
        if not page:
            found = items_in(look.ask("docs_list_pages", limit=_MOST_LISTED), "results")
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
        answer = look.ask("customers_search_accounts", query=query, limit=_MOST_LISTED)
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
        answer = look.ask("calendar_list_events", calendar=whose, time_min=since, max_results=_MOST_LISTED)
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


def _need_channel(look: Look, channel: str) -> None:
    known = look.pages("slack_list_channels", "channels", limit=200)
    names = [f"#{text_in(one, 'name')}" for one in known]
    if f"#{channel.removeprefix('#')}" not in names and channel not in [text_in(one, "id") for one in known]:
        world = look.world.setting.world
        raise UsageError(f"{world} has no channel {channel!r}; it has: {', '.join(sorted(names)) or 'none'}")


def _show_message(look: Look, message: JsonObject, *, is_reply: bool) -> None:
    seconds, _, micros = text_in(message, "ts").partition(".")
    who, text = escape(text_in(message, "username")), escape(text_in(message, "text"))
    clock = f"[dim]{look.clock(int(seconds) * SECOND + int(micros or 0))}[/]"
    console.print(Padding(f"{clock}  [bold]{who}[/]  {text}", (0, 0, 0, _THREAD_INDENT if is_reply else 0)))


def mail(package: str, query: str, at: str, viewer: str, as_json: bool) -> None:
    """Somebody's mail as it was at a moment, newest first."""
    with looking(package, at, viewer) as look:
        answer = look.ask("gmail_search", q=query, max_results=_MOST)
        if as_json:
            print_json(answer)
            return
        shown = table("when", "from", "to", "subject", whole=("when",))
        for message in items_in(answer, "messages"):
            payload = message["payload"]
            headers = items_in(payload, "headers") if isinstance(payload, dict) else []
            named = {text_in(header, "name"): text_in(header, "value") for header in headers}
            when = look.clock(int(text_in(message, "internalDate")) * 1000)
            people = (_ADDRESS.sub("", named.get(name, "")) for name in ("From", "To"))
            shown.add_row(when, *(escape(text) for text in (*people, named.get("Subject", ""))))
    console.print(shown)


def issues(package: str, jql: str, at: str, viewer: str, as_json: bool) -> None:
    """Issues as they were at a moment."""
    with looking(package, at, viewer) as look:
        answer = look.ask("jira_search_issues", jql=jql, max_results=100)
    if as_json:
        print_json(answer)
        return
    shown = table("key", "status", "summary", whole=("key", "status"))
    for issue in items_in(answer, "issues"):
        names = (("key",), ("fields", "status", "name"), ("fields", "summary"))
        shown.add_row(*(escape(text_in(issue, *path)) for path in names))
    console.print(shown)


def code(package: str, repository: str, at: str, viewer: str, as_json: bool) -> None:
    """A repository as it was at a moment: its newest commits and pull requests."""
    with looking(package, at, viewer) as look:
        known = items_in(look.ask("github_list_repositories", per_page=100), "repositories")
        wanted = [one for one in known if repository in ("", text_in(one, "name"), text_in(one, "full_name"))]
        if not wanted:
            names = ", ".join(text_in(one, "full_name") for one in known) or "none"
            raise UsageError(f"{look.world.setting.world} has no repository {repository!r}; it has: {names}")
        name = text_in(wanted[0], "full_name")
        commits = items_in(look.ask("github_list_commits", repo=name, per_page=_MOST), "commits")
        pulls = items_in(look.ask("github_list_pulls", repo=name, state="all", per_page=_MOST), "pulls")
        if as_json:
            print_json({"repository": wanted[0], "commits": [*commits], "pulls": [*pulls]})
            return
        _show_code(look, name, commits, pulls)


def _show_code(look: Look, name: str, commits: list[JsonObject], pulls: list[JsonObject]) -> None:
    console.print(f"[bold]{escape(name)}[/]")
    shown = table("when", "commit", "who", "message", whole=("commit",))
    for commit in commits:
        author, message = text_in(commit, "commit", "author", "name"), text_in(commit, "commit", "message")
        when = look.clock(text_in(commit, "commit", "committer", "date"))
        shown.add_row(when, text_in(commit, "sha")[:7], escape(author), escape(message.partition("\n")[0]))
    console.print(shown)
    shown = table("when", "pull", "state", "who", "title", whole=("pull", "state"))
    for pull in pulls:
        state = "merged" if pull.get("merged_at") else text_in(pull, "state")
        who, title = escape(text_in(pull, "user", "login")), escape(text_in(pull, "title"))
        shown.add_row(
            look.clock(text_in(pull, "updated_at")), f"#{text_in(pull, 'number')}", _coloured(state), who, title
        )
    if pulls:
        console.print(shown)


def status(package: str, at: str, viewer: str, as_json: bool) -> None:
    """How everything was at a moment: services, vendors' status pages, open alerts, and what was really broken."""
    with looking(package, at, viewer) as look:
        services = items_in(look.ask("ops_list_services"), "services")
        vendors = items_in(look.ask("ops_list_vendor_status"), "vendors")
        alerts = items_in(look.ask("ops_list_alerts", limit=_MOST), "alerts")
        outages = _outages(look)
        if as_json:
            lists: dict[str, list[JsonObject]] = {
                "services": services, "vendors": vendors, "alerts": alerts, "outages": outages
            }  # fmt: skip
            print_json({name: [*listed] for name, listed in lists.items()})
            return
        for outage in outages:
            since, lasts = look.clock(int(text_in(outage, "since"))), duration_text(int(text_in(outage, "lasts")))
            console.print(f"[red]{outage['name']}[/]: {outage['on']} {outage['mode']} since {since} for {lasts}")
        _show_status(look, services, vendors, alerts)


def _outages(look: Look) -> list[JsonObject]:
    """What is broken at the moment that is shown, whoever knows of it; times in microseconds, as in a trajectory."""
    known = {outage.name: outage for outage in look.world.package.outages}
    return [
        {"name": name, "on": known[name].target, "mode": known[name].mode, "since": since, "lasts": known[name].lasts}
        for name, since in look.preview.active_outages().items()
    ]


def _show_status(look: Look, services: list[JsonObject], vendors: list[JsonObject], alerts: list[JsonObject]) -> None:
    shown = table("", "what", "status", "says")
    for service in services:
        says = f"version {text_in(service, 'version')}, {text_in(service, 'on_call') or 'nobody'} is on call"
        shown.add_row("service", escape(text_in(service, "name")), _coloured(text_in(service, "status")), escape(says))
    for vendor in vendors:
        indicator, says = text_in(vendor, "status", "indicator"), text_in(vendor, "status", "description")
        word = "operational" if indicator == "none" else indicator
        shown.add_row("vendor", escape(text_in(vendor, "vendor")), _coloured(word), escape(says))
    for alert in alerts:
        says = f"{text_in(alert, 'summary')}, since {look.clock(text_in(alert, 'triggered_at'))}"
        shown.add_row("alert", escape(text_in(alert, "service")), _coloured(text_in(alert, "status")), escape(says))
    console.print(shown)


def _coloured(word: str) -> str:
    return f"[{_COLOURS.get(word, 'red' if word not in ('open', 'closed') else 'default')}]{word}[/]"
