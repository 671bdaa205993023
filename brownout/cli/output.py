"""What the commands print: people read stderr, programs read one document on stdout.

What a terminal cannot show is spelt with what it can, and no command ends for that.
"""

import codecs
import os
import sys
from collections.abc import Collection
from io import TextIOWrapper
from typing import TYPE_CHECKING, Final
from unicodedata import combining, normalize

import orjson
from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from brownout.core.values import Json, JsonObject

__all__ = [
    "complain",
    "console",
    "counted",
    "errors",
    "give_up_stdout",
    "make_printable",
    "print_json",
    "show_ledger",
    "show_left_out",
    "show_models",
    "table",
]

console = Console(stderr=False, highlight=False)
errors = Console(stderr=True, highlight=False)

_SPELLING: Final = "brownout.spelt"
_SPELT: Final = str.maketrans("✓✗–—…·“”‘’→ß", "+x--~-\"\"''>s")
"""One character for one, so that columns stay where they are."""


def print_json(document: "JsonObject") -> None:
    """Print one JSON document on stdout."""
    try:
        text = orjson.dumps(document, option=orjson.OPT_INDENT_2)
    except TypeError:  # bytes of the command line that are no UTF-8
        text = orjson.dumps(_readable(document), option=orjson.OPT_INDENT_2)
    sys.stdout.buffer.write(text + b"\n")
    sys.stdout.buffer.flush()


def _readable(value: "Json") -> "Json":
    """The value with a question mark for each half of a character."""
    match value:
        case str():
            return value.encode("utf-8", "replace").decode()
        case list():
            return [_readable(one) for one in value]
        case dict():
            return {str(_readable(name)): _readable(one) for name, one in value.items()}
        case _:
            return value


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


def show_ledger(ledger: "Json") -> None:
    """Print what a reward was made of."""
    shown = table("", "criterion", "points", "why", whole=("criterion", "points"))
    for line in _rows(ledger):
        points = "gate" if line["gate"] else f"{line['counted']}/{line['worth']}"
        mark, why = "[green]✓[/]" if line["passed"] else "[red]✗[/]", str(line["reason"])
        if line.get("penalty") and line["passed"]:
            mark = "[red]✗[/]"
        elif line.get("penalty"):
            mark, points, why = "[dim]–[/]", "0", "does not apply, nothing lost"
        shown.add_row(mark, str(line["criterion"]), points, escape(why))
        for one in _rows(line.get("lines")):
            met = "[green]✓[/]" if one["passed"] else "[red]✗[/]"
            shown.add_row("", f"  {met} {one['line']}", f"{one['earned']}/{one['worth']}", escape(_why(one)))
    console.print(shown)


def show_left_out(left_out: "Json") -> None:
    """Print what is no part of a reward, and what can be done about it."""
    rows = _rows(left_out)
    for one in rows:
        console.print(f"[yellow]left out[/] {one['criterion']} ({one['worth']} points): {escape(str(one['why']))}")
    if any(one["because"] == "unread" for one in rows):
        complain("the reward is incomplete; name a model with --judge-model, or use --strict to have no reward instead")


def show_models(models: "Json") -> None:
    """Print whose answers a reward rests on, and what they took."""
    for one in _rows(models):
        whom = {"model": "asked", "recorded": "recorded", "hand": "by hand"}[str(one["by"])]
        took = ""
        if one["input_tokens"] is not None:
            took = f", {one['input_tokens']} + {one['output_tokens']} tokens"
            took += "" if one["cost_usd"] is None else f", ${one['cost_usd']:.4f}"
        text = f"{one['prompt']} · {one['model']}, {whom}: {counted(int(str(one['answers'])), 'answer')}{took}"
        console.print(f"[dim]{escape(text)}[/]")


def _why(line: "JsonObject") -> str:
    """What is said of one line of a criterion, with its words in the text and how far several verdicts agree."""
    verdicts = line["verdicts"] if isinstance(line["verdicts"], list) else []
    agreed = f" ({verdicts.count(line['passed'])} of {len(verdicts)} verdicts)" if len(verdicts) > 1 else ""
    quote = f" “{line['quote']}”" if line["quote"] else ""
    return f"{line['reason']}{agreed}{quote}"


def _rows(rows: "Json") -> "list[JsonObject]":
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def make_printable() -> None:
    """Have the standard streams spell what their encoding lacks, and read what theirs cannot."""
    codecs.register_error(_SPELLING, _spell)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=_SPELLING)
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def give_up_stdout() -> None:
    """Write what is left to nowhere where stdout takes no more (a full disk), so that it is not complained of again."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _spell(error: UnicodeError) -> tuple[str, int]:
    """What stands for characters that an encoding lacks, in ASCII, and where to go on."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_ascii, error.object[error.start : error.end])), error.end


def _ascii(character: str) -> str:
    spelt = "".join(one for one in normalize("NFKD", character.translate(_SPELT)) if not combining(one))
    return spelt if spelt and spelt.isascii() else "?"
