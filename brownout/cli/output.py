"""What the commands print: people read stderr, programs read one document on stdout."""

import sys
from collections.abc import Collection

import orjson
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from brownout.core.values import Json, JsonObject

__all__ = ["complain", "console", "counted", "errors", "print_json", "reward_text", "show_ledger", "table"]

console = Console(stderr=False, highlight=False)
errors = Console(stderr=True, highlight=False)


def print_json(document: JsonObject) -> None:
    """Print one JSON document on stdout."""
    sys.stdout.buffer.write(orjson.dumps(document, option=orjson.OPT_INDENT_2) + b"\n")
    sys.stdout.buffer.flush()


def complain(message: str) -> None:
    """Say what went wrong, on stderr."""
    errors.print(f"brownout: {message}", style="red", markup=False, soft_wrap=True)


def table(*columns: str, whole: Collection[str] = ()) -> Table:
    """An empty table in the house style.

    Args:
        whole: columns that are never broken: what stands in them is copied and typed.
    """
    made = Table(box=None, pad_edge=False, header_style="dim")
    for column in columns:
        made.add_column(column, overflow="fold", no_wrap=column in whole)
    return made


def counted(number: int, noun: str, more: str = "") -> str:
    """A number of things: `1 step`, `2 steps`; `more` is the plural where it is not the noun with an s."""
    return f"{number:,} {noun if number == 1 else more or noun + 's'}"


def reward_text(reward: float | None) -> str:
    """A reward as every command prints it."""
    return "null" if reward is None else f"{reward:.3f}"


def show_ledger(ledger: Json) -> None:
    """Print what a reward was made of."""
    shown = table("", "criterion", "points", "why", whole=("criterion", "points"))
    for line in ledger if isinstance(ledger, list) else ():
        assert isinstance(line, dict)
        points = "gate" if line["gate"] else f"{line['counted']}/{line['worth']}"
        mark, why = "[green]✓[/]" if line["passed"] else "[red]✗[/]", str(line["reason"])
        if line.get("penalty") and line["passed"]:
            mark = "[red]✗[/]"
        elif line.get("penalty"):
            mark, points, why = "[dim]–[/]", "0", "does not apply, nothing lost"
        shown.add_row(mark, str(line["criterion"]), points, escape(why))
    console.print(shown)
