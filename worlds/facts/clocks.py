"""Times of day in a text, and how it stands to each: asserted, denied, only shown."""

import re
from dataclasses import dataclass
from typing import Final

from worlds.facts.patterns import Found
from worlds.facts.reading import read
from worlds.facts.stance import Mention, mention_of

__all__ = ["Clock", "clocks"]

_TIME: Final = re.compile(r"(\d{1,2}):(\d{2})(?::\d{2})?")
_ZONES: Final = frozenset({"utc", "gmt", "z"})


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day that a text mentions.

    Attributes:
        minute: of the day.
        is_utc: it says so; else it is local.
    """

    minute: int
    is_utc: bool
    mention: Mention


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
                found.append(Clock(minute, bool(zone) and zone[0] in _ZONES, mention))
    return found


def _minute(hour: int, minute: int, half: str) -> int | None:
    if minute > 59 or hour > 24 or (half and not 1 <= hour <= 12):
        return None
    return (hour % 12 + (12 if half == "pm" else 0) if half else hour % 24) * 60 + minute
