"""Times of day in a text, and how it stands to each: asserted, denied, only shown."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from worlds.facts.patterns import Found
from worlds.facts.reading import read
from worlds.facts.stance import Mention, mention_of

__all__ = ["Clock", "clocks"]

_TIME: Final = re.compile(r"(\d{1,2}):(\d{2})(?::\d{2})?")
_BEGINS: Final = frozenset(
    {
        "from",
        "since",
        "between",
        "begins",
        "began",
        "beginning",
        "begin",
        "starts",
        "started",
        "starting",
        "start",
        "onset",
    }
)
_ENDS: Final = frozenset(
    {
        "until",
        "till",
        "to",
        "ends",
        "ended",
        "ending",
        "end",
        "over",
        "lasted",
        "recovered",
        "recovery",
        "resolved",
        "restored",
    }
)
_TO: Final = frozenset({"-", "—", "to", "until", "till"})
_FILLERS: Final = frozenset({"at", "was", "is", "about", "around", "roughly", "approximately", "by", ":", "the"})
_ZONES: Final = frozenset({"utc", "gmt", "z"})


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day that a text mentions.

    Attributes:
        minute: of the day.
        is_utc: it says so; else it is local.
        edge: what it is said to be: the beginning of something (`since 10:12`), its end (`until 10:41`), or neither.
    """

    minute: int
    is_utc: bool
    mention: Mention
    edge: Literal["from", "until", ""] = ""


def clocks(text: str) -> list[Clock]:
    """Every time of day, in the order of the text."""
    sentences = read(text)
    found = []
    for at, sentence in enumerate(sentences):
        for place, token in enumerate(sentence.tokens):
            time = _TIME.fullmatch(token)
            if time is None:
                continue
            after = sentence.tokens[place + 1 : place + 3]
            half = after[0] if after and after[0] in ("am", "pm") else ""
            minute = _minute(int(time[1]), int(time[2]), half)
            if minute is not None:
                zone = after[1:2] if half else after[:1]
                mention = mention_of(sentences, at, Found(place, place + 1, frozenset({place})), token)
                found.append(Clock(minute, bool(zone) and zone[0] in _ZONES, mention, _edge(sentence.tokens, place)))
    return found


def _edge(tokens: Sequence[str], place: int) -> Literal["from", "until", ""]:
    """What the words around a time make of it: `since 10:12`, `began at about 10:12`, `10:12 to 10:41`."""
    words = [token for token in tokens[max(0, place - 4) : place] if token not in _FILLERS]
    last = words[-1] if words else ""
    if last in _BEGINS or _is_range(tokens[place + 1 : place + 3]):
        return "from"
    return "until" if last in _ENDS or _is_range(tokens[max(0, place - 2) : place][::-1]) else ""


def _is_range(beside: Sequence[str]) -> bool:
    """Whether a dash or a `to` stands between a time and another one."""
    return len(beside) == 2 and beside[0] in _TO and _TIME.fullmatch(beside[1]) is not None


def _minute(hour: int, minute: int, half: str) -> int | None:
    if minute > 59 or hour > 24 or (half and not 1 <= hour <= 12):
        return None
    return (hour % 12 + (12 if half == "pm" else 0) if half else hour % 24) * 60 + minute
