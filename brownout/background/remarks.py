"""Remarks that many could make on anything: each person makes a long one once in a world.

The seed deals every such text to each person for one week of the calendar, so no week has to know of another.
"""

from collections.abc import Sequence
from typing import Final

from brownout.background.integer_math import mixed
from brownout.core.seeds import Stream

__all__ = ["Remarks", "WeekOfRemarks"]

_SHORT: Final = 5
"""Words of a text that anybody says again and again."""
_A_SLOT: Final = 4
"""Words that a slot is filled with, beside the one that it stands as."""


class Remarks:
    """Who may say what in which week.

    Args:
        first, last: the calendar's first day, and the one after its last, counted from 1970-01-01.
    """

    def __init__(self, seed: int, first: int, last: int) -> None:
        self._seed, self._first = seed, first
        self._weeks = max((last - first + 6) // 7, 1)
        self._people: dict[str, int] = {}
        self._texts: dict[str, int] = {}

    def of_week(self, day: int) -> "WeekOfRemarks":
        """What is left to be said in the week that begins on a day."""
        return WeekOfRemarks(self, (day - self._first) // 7 % self._weeks)

    def week(self, who: str, text: str) -> int:
        """The week in which somebody may say a text."""
        if who not in self._people:
            self._people[who] = Stream(self._seed, "remarks", who).bits()
        if text not in self._texts:
            self._texts[text] = Stream("remark", text).bits()
        return mixed(self._people[who], self._texts[text]) % self._weeks


class WeekOfRemarks:
    """What people may say in a week; what is said is gone."""

    def __init__(self, remarks: Remarks, week: int | None) -> None:
        self._remarks, self._week = remarks, week
        self._said: set[tuple[str, str]] = set()

    def left(self, who: str, texts: Sequence[str]) -> list[str]:
        """Those of the texts that somebody may say: short ones, and what the week has for them."""
        return [
            one
            for one in texts
            if len(one.split()) + _A_SLOT * one.count("{") <= _SHORT
            or ((who, one) not in self._said and self._remarks.week(who, one) == self._week)
        ]

    def say(self, who: str, text: str) -> None:
        """It is said, so they say it no more."""
        self._said.add((who, text))
