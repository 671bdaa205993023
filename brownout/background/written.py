"""Texts that are written whole, conversations, tickets and mails alike: who says what in which order, with alternatives to draw."""

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from brownout.core.seeds import Stream

__all__ = ["ALTERNATIVES", "Turn", "drawn_slot", "speakers", "turns_of", "varied"]

ALTERNATIVES: Final = re.compile(r"\[([^\[\]]*\|[^\[\]]*)\]")
"""`[one way|another]`: one of them is drawn."""
_NUMBERS: Final = (2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 14, 17, 19, 23, 26, 31, 37, 44, 58, 73)
_MINUTES: Final = (5, 10, 15, 20, 30, 40, 45)
_LETTERS: Final = "bcdfghjkmnpqrstvwxyz2346789"
_TURN: Final = re.compile(r"([A-Z])(\??): (.*\S)\s*")


@dataclass(frozen=True, slots=True)
class Turn:
    """What one of them says: `A: text` in the pack, or `A?: text` where it may be left out."""

    who: str
    text: str
    is_aside: bool = False


def turns_of(script: str, *, with_asides: bool = False) -> tuple[Turn, ...]:
    """The turns of a script: `A: one`, `B: another`, and lines that begin with two spaces and go on with the one above.

    Args:
        with_asides: some may be left out, `C?: perhaps`.

    Raises:
        ValueError: a line that neither begins a turn nor goes on with one, or one that may be left out where none may.
    """
    found: list[Turn] = []
    for line in script.rstrip("\n").split("\n") if script.strip() else ():
        begun = _TURN.fullmatch(line)
        if begun and (with_asides or not begun[2]):
            found.append(Turn(begun[1], begun[3], bool(begun[2])))
        elif found and (line.startswith("  ") or not line.strip()):
            found[-1] = replace(found[-1], text=f"{found[-1].text}\n{line[2:].rstrip()}")
        else:
            raise ValueError(f"expected `A: text`, or two spaces before a line that goes on, found {line!r}")
    return tuple(replace(one, text=one.text.strip()) for one in found)


@cache
def speakers(script: str) -> frozenset[str]:
    """The letters of those who speak in a script: `A: one`, `B: another` gives A and B."""
    return frozenset(turn.who for turn in turns_of(script))


def varied(text: str, stream: Stream) -> str:
    """The text with one of each of its alternatives: `[can you|could you] look` becomes `could you look`."""
    return ALTERNATIVES.sub(lambda found: stream.choice(found[1].split("|")), text)


def drawn_slot(slot: str, stream: Stream) -> str:
    """What a slot for a number is filled with: `{minutes}` with 45; empty for other slots. Times are drawn by `said_times`."""
    if slot == "n":
        return str(stream.choice(_NUMBERS))
    if slot == "minutes":
        return str(stream.choice(_MINUTES))
    if slot == "id":
        return "".join(stream.choice(_LETTERS) for _ in range(7))
    return ""
