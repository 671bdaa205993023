"""What the commands print: people read stderr, programs read one document on stdout."""

import sys

import orjson
from rich.console import Console
from rich.table import Table

from brownout.core.values import Json, JsonObject

__all__ = ["complain", "console", "errors", "print_json", "show_ledger", "table"]

console = Console(stderr=False, highlight=False)
errors = Console(stderr=True, highlight=False)


def print_json(document: JsonObject) -> None:
    """Print one JSON document on stdout."""
    sys.stdout.buffer.write(orjson.dumps(document, option=orjson.OPT_INDENT_2) + b"\n")
    sys.stdout.buffer.flush()


def complain(message: str) -> None:
    """Say what went wrong, on stderr."""
    errors.print(f"brownout: {message}", style="red", markup=False, soft_wrap=True)


def table(*columns: str) -> Table:
    """An empty table in the house style."""
    made = Table(box=None, pad_edge=False, header_style="dim")
    for column in columns:
        made.add_column(column, overflow="fold")
    return made


def show_ledger(ledger: Json) -> None:
    """Print what a reward was made of."""
    shown = table("", "criterion", "points", "why")
    for line in ledger if isinstance(ledger, list) else ():
        assert isinstance(line, dict)
        mark = "[green]✓[/]" if line["passed"] else "[red]✗[/]"
        points = "gate" if line["gate"] else f"{line['counted']}/{line['worth']}"
        shown.add_row(mark, str(line["criterion"]), points, str(line["reason"]).replace("[", r"\["))
    console.print(shown)
