"""`brownout list`: the worlds that are shipped."""

from typing import TYPE_CHECKING

from brownout.cli.arguments import AsJson
from brownout.cli.output import console, print_json, table
from worlds.shipped_worlds import shipped_worlds, summary_of

if TYPE_CHECKING:
    from brownout.core.values import Json

__all__ = ["list_worlds"]


def list_worlds(as_json: AsJson = False) -> None:
    """List the worlds that are shipped."""
    found: list[Json] = []
    shown = table("world", "title", "people", "tasks", whole=("world",))
    for name, path in shipped_worlds().items():
        line = summary_of(path)
        found.append({"world": name, "title": line.title, "people": line.people, "tasks": [*line.tasks]})
        shown.add_row(name, line.title, str(line.people), ", ".join(line.tasks))
    if as_json:
        print_json({"worlds": found})
    else:
        console.print(shown)
