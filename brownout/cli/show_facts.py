"""`brownout show facts|drawn`: what is true at a moment, and what a seed draws for the slots of a world."""

import orjson
from rich.markup import escape
from sqlalchemy import select

from brownout.catalog import find_spec
from brownout.cli.output import console, print_json, table
from brownout.cli.show_context import Look, looking
from brownout.core.instants import local
from brownout.core.values import Json, JsonObject
from brownout.store import compile_query
from worlds.package.engine_tables import fact as _fact
from worlds.spec import read_world

__all__ = ["drawn", "facts"]

_FACTS = compile_query(select(_fact).order_by(_fact.c.slot, _fact.c.since_us, _fact.c.id))


def drawn(world: str, seed: int | None, as_json: bool) -> None:
    """The drawn slots of a world with their values for a seed, and how each reads in its forms."""
    spec = read_world(find_spec(world), seed)
    used = spec.world.generation.seed
    if as_json:
        listed: list[Json] = [
            {"slot": name, "kind": value.kind, "value": value.text, "forms": dict(value.forms)}
            for name, value in spec.drawn.items()
        ]
        print_json({"world": spec.world.world, "seed": used, "drawn": listed})
        return
    if not spec.drawn:
        console.print(f"{escape(spec.world.title)}: nothing is drawn")
        return
    shown = table("slot", "kind", "value", "forms", whole=("slot", "value"))
    for name in spec.drawing.slots:
        value = spec.drawn[name]
        forms = " · ".join(f"{form}: {text}" for form, text in value.forms.items())
        shown.add_row(name, value.kind, escape(value.text), escape(forms))
    console.print(f"seed {used}")
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
