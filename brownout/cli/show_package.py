"""`brownout show people|timeline|tools|why`: what a package holds, read without living any of it."""

import inspect
from collections.abc import Iterator
from pathlib import Path

import apsw

from brownout.api import open_package, open_world
from brownout.cli.output import console, print_json, table
from brownout.core.errors import UsageError
from brownout.core.instants import clock_text, duration_text
from brownout.core.session_tools import SESSION_TOOLS
from brownout.core.values import Json, JsonObject
from worlds.package.package_records import ToolSchema

__all__ = ["arguments_of", "people", "timeline", "tools", "why"]


def people(package: str, as_json: bool) -> None:
    """Everybody in the world."""
    with open_world(package) as world:
        found: list[Json] = [
            {
                "person": n,
                "name": p.account.name,
                "role": p.account.role,
                "kind": p.account.kind,
                "email": p.account.email,
            }
            for n, p in world.setting.people.items()
        ]
    if as_json:
        print_json({"people": found})
        return
    shown = table("person", "name", "role", "kind", "mail", whole=("person", "kind"))
    for person in found:
        assert isinstance(person, dict)
        shown.add_row(*(str(value) for value in person.values()))
    console.print(shown)


def timeline(package: str, as_json: bool) -> None:
    """Beats, outages and tasks in the order of their times."""
    opened = open_package(package)
    rows = _truth(opened.truth, "SELECT name, at_us, kind, details FROM truth_calendar ORDER BY at_us, id")
    if as_json:
        listed: list[Json] = [
            {"name": str(n).removeprefix(f"{k}:"), "at": int(str(at)), "kind": str(k)} for n, at, k, _ in rows
        ]
        print_json({"timeline": listed})
        return
    shown = table("when", "kind", "name", whole=("when", "name"))
    colours = {"outage": "red", "task": "cyan", "beat": "magenta"}
    for name, at, kind, _ in rows:
        colour = colours.get(str(kind), "white")
        shown.add_row(
            clock_text(int(str(at)), opened.manifest.zone), f"[{colour}]{kind}[/]", str(name).removeprefix(f"{kind}:")
        )
    for outage in opened.outages:
        console.print(f"[red]{outage.name}[/]: {outage.target} {outage.mode} for {duration_text(outage.lasts)}")
    console.print(shown)


def tools(package: str, app: str, as_json: bool) -> None:
    """The operations of the products in use, with their arguments: what agents call and solutions are written with."""
    opened = open_package(package)
    if app and app not in opened.manifest.apps:
        listed_apps = ", ".join(opened.manifest.apps)
        raise UsageError(f"{opened.manifest.world} has no app {app!r}; it has: {listed_apps}")
    schemas = [schema for name in ([app] if app else opened.manifest.apps) for schema in opened.tools(name)]
    if not app:
        schemas += [
            ToolSchema(name=name, description=inspect.cleandoc(model.__doc__ or ""), input_schema=schema)
            for name, (model, schema) in SESSION_TOOLS.items()
        ]
    if as_json:
        print_json({"tools": [schema.model_dump() for schema in schemas]})
        return
    for schema in schemas:
        console.print(f"[bold]{schema.name}[/]")
        console.print(f"  {schema.description}", markup=False)
        for name, text in arguments_of(schema.input_schema):
            console.print(f"    [cyan]{name}[/]  {text.replace('[', chr(92) + '[')}")
        console.print()


def arguments_of(schema: JsonObject) -> Iterator[tuple[str, str]]:
    """Each argument of a tool: its name; its type, whether it must be given, its default and what it is."""
    properties, required = schema.get("properties"), schema.get("required")
    for name, field in properties.items() if isinstance(properties, dict) else ():
        assert isinstance(field, dict)
        is_required = isinstance(required, list) and name in required
        default = f"default {field['default']!r}" if "default" in field else "optional"
        words = [_type(field), "required" if is_required else default]
        yield name, f"{', '.join(words)}. {field.get('description', '')}".strip()


def _type(field: JsonObject) -> str:
    if isinstance(options := field.get("enum"), list):
        return " | ".join(map(str, options))
    if isinstance(parts := field.get("anyOf"), list):
        return " | ".join(_type(part) for part in parts if isinstance(part, dict))
    items = field.get("items")
    inner = f" of {_type(items)}" if isinstance(items, dict) else ""
    return f"{field.get('type', 'object')}{inner}"


def why(package: str, artefact: str, as_json: bool) -> None:
    """Where an artefact came from: the event that made it, its cause, and the facts it states.

    It covers what people and services made from the calendar's first day to the first task's start: messages, mails,
    tickets, pages, commits, alerts. What an agent did is in its run; see `brownout replay`.
    """
    opened = open_package(package)
    query = (
        "SELECT e.at_us, e.key, e.who, e.act, e.app, e.path, group_concat(p.fact, ', ') FROM truth_event e "
        "LEFT JOIN truth_provenance p ON p.event = e.id WHERE instr(e.path, ?) GROUP BY e.id ORDER BY e.at_us, e.id"
    )
    rows = _truth(opened.truth, query, (artefact,))
    if not rows:
        raise UsageError(f"nothing before the first task's start is called {artefact!r}; see `brownout show timeline`")
    if as_json:
        names = ("at", "cause", "who", "act", "app", "path", "facts")
        listed: list[Json] = [
            dict(zip(names, (str(v) if v is not None else "" for v in row), strict=True)) for row in rows
        ]
        print_json({"events": listed})
        return
    shown = table("when", "cause", "who", "did", "made", "facts")
    for at, key, who, act, app, path, facts in rows:
        shown.add_row(
            clock_text(int(str(at)), opened.manifest.zone),
            str(key),
            str(who),
            f"{act} ({app})",
            str(path),
            str(facts or ""),
        )
    console.print(shown)


def _truth(path: Path, query: str, parameters: tuple[str, ...] = ()) -> list[tuple[object, ...]]:
    connection = apsw.Connection(str(path), apsw.SQLITE_OPEN_READONLY)
    try:
        return [tuple(row) for row in connection.execute(query, parameters)]
    finally:
        connection.close()
