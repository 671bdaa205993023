"""Deals pairs without replacement: a day gets its own slice of a permutation that the world's seed determines."""

from collections import defaultdict
from typing import Final

from brownout.background.numbers import mixed
from brownout.core.seeds import Stream

__all__ = ["Dealer", "permuted"]

_WINDOW: Final = 32
"""What a day is dealt from at least; where its own slice is smaller, the days beside it are dealt from it too."""


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


class Dealer:
    """What one day is dealt.

    Args:
        day: counted from the first of the calendar.
        days: how many the calendar has.
    """

    def __init__(self, seed: int, day: int, days: int) -> None:
        self._seed, self._day, self._days = seed, day, max(days, 1)
        self._dealt: dict[str, int] = defaultdict(int)
        self._taken: dict[str, set[int]] = defaultdict(set)

    def pair(self, deck: str, size: int, wish: int) -> int:
        """A pair of a deck of `size` that this day was not dealt before, as long as there is one.

        Args:
            wish: bits of whoever asks: where in the day's slice to look first, so that others' asking changes little.
        """
        taken = self._taken[deck]
        slice_size = size // self._days
        first, window = self._day * (slice_size or 1), max(slice_size, min(size, _WINDOW))
        place = (first + wish % window) % size
        if len(taken) < size:
            while place in taken:
                place = (place + 1) % size
        taken.add(place)
        return permuted(place, size, Stream(self._seed, "deck", deck).bits())

    def single(self, deck: str, size: int) -> int | None:
        """The next of a deck whose cards are used once in a world; None where the day has had its share."""
        first, last = self._day * size // self._days, (self._day + 1) * size // self._days
        number = first + self._dealt[deck]
        if not 0 <= self._day < self._days or number >= last:
            return None
        self._dealt[deck] += 1
        return permuted(number, size, Stream(self._seed, "deck", deck).bits())
