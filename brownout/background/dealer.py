"""Deals without replacement: each day gets its own part of every deck, as large as the day is busy.

A deck's cards are numbered; the world's seed permutes them, and the calendar cuts the permutation. So nothing has to be
remembered between days, and what is dealt on one changes nothing on another.
"""

from collections import defaultdict
from collections.abc import Callable
from functools import cache
from typing import Final

from brownout.background.integer_math import mixed
from brownout.core.seeds import Stream

__all__ = ["WEEKDAYS", "Dealer", "monday_of", "permuted"]

WEEKDAYS: Final = (98, 106, 110, 108, 80, 22, 22)
"""Percent of an ordinary day that people talk on each, from Monday; working values without a source."""


def permuted(index: int, size: int, key: int) -> int:
    """Where `index` of `size` goes in the permutation of that key: a Feistel network, walked until it is in range."""
    half = max((size - 1).bit_length() + 1 >> 1, 1)
    mask = (1 << half) - 1
    while True:
        left, right = index >> half, index & mask
        for turn in range(4):
            left, right = right, left ^ (mixed(key + turn, right) & mask)
        index = left << half | right
        if index < size:
            return index


def monday_of(day: int) -> int:
    """The Monday on or before a day, both counted from 1970-01-01, a Thursday."""
    return day - (day + 3) % 7


@cache
def _until(day: int) -> int:
    """How busy all days before that one are together, counted from 1970-01-01, a Thursday."""
    weeks, rest = divmod(day + 3, 7)
    return weeks * sum(WEEKDAYS) + sum(WEEKDAYS[:rest])


class Dealer:
    """What one day is dealt, or several.

    Args:
        day, first, last: the day, the calendar's first, and the one after its last, counted from 1970-01-01.
        days: how many it is, from `day` on; those outside the calendar are dealt nothing.
    """

    def __init__(self, seed: int, day: int, first: int, last: int, *, days: int = 1) -> None:
        self._seed = seed
        begin, end = max(day, first), min(day + days, last)
        self._low, self._high = (_until(begin) - _until(first), _until(end) - _until(first)) if begin < end else (0, 0)
        self._whole = max(_until(last) - _until(first), 1)
        self._taken: dict[str, set[int]] = defaultdict(set)

    def part(self, size: int) -> range:
        """The places of a deck of that size which this day has, over the calendar."""
        return range(size * self._low // self._whole, size * self._high // self._whole)

    def take(self, deck: str, size: int, wish: int, fits: Callable[[int], bool]) -> int | None:
        """A place of the deck that the day has, was not dealt yet and fits; None where there is none.

        Args:
            wish: bits of whoever asks: where in the day's part to look first, so that others' asking changes little.
        """
        part, taken = self.part(size), self._taken[deck]
        for step in range(len(part)):
            place = part[(wish + step) % len(part)]
            if place not in taken and fits(place):
                taken.add(place)
                return place
        return None

    def key(self, deck: str) -> int:
        """The deck's own bits in this world."""
        return _deck_bits(self._seed, deck)


@cache
def _deck_bits(seed: int, deck: str) -> int:
    return Stream(seed, "deck", deck).bits()
