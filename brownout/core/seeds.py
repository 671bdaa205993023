"""Keyed random streams: every draw is a pure function of a seed and a path of names.

There is no shared generator to advance, so adding one person or one ticket leaves every other draw as it
was. Integers only: floating-point `log` and `exp` differ between processors.
"""

from bisect import bisect_right
from collections.abc import Sequence
from hashlib import blake2b
from itertools import accumulate
from typing import Final, TypeVar

__all__ = ["Stream", "rendezvous"]

T = TypeVar("T")
_MASK: Final = (1 << 64) - 1


def _key(*path: str | int) -> int:
    text = "\x1f".join(str(part) for part in path)
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


def _mix(value: int) -> int:
    """splitmix64's output function (Steele, Lea and Flood 2014)."""
    value = (value + 0x9E3779B97F4A7C15) & _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


class Stream:
    """A sequence of draws named by a path; the same path always gives the same sequence."""

    __slots__ = ("_key", "_lane")

    def __init__(self, *path: str | int) -> None:
        self._key = _key(*path)
        self._lane = 0

    def child(self, *path: str | int) -> "Stream":
        """The independent stream at `path` below this one; it does not advance this one."""
        return Stream(self._key, *path)

    def bits(self) -> int:
        """The next 64 random bits."""
        self._lane += 1
        return _mix((self._key + self._lane * 0x9E3779B97F4A7C15) & _MASK)

    def below(self, limit: int) -> int:
        """The next integer in `[0, limit)`."""
        return (self.bits() * limit) >> 64

    def between(self, low: int, high: int) -> int:
        """The next integer in `[low, high]`."""
        return low + self.below(high - low + 1)

    def chance(self, percent: int) -> bool:
        """True in `percent` of a hundred draws."""
        return self.below(100) < percent

    def choice(self, items: Sequence[T]) -> T:
        """One item, each as likely as the next."""
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[T], weights: Sequence[int]) -> T:
        """One item, as likely as its integer weight says."""
        edges = list(accumulate(weights))
        return items[bisect_right(edges, self.below(edges[-1]))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """A new list of the items in random order."""
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
            result[last], result[other] = result[other], result[last]
        return result

    def quantile(self, table: Sequence[int]) -> int:
        """A draw from the distribution whose evenly spaced quantiles are `table`, interpolated in integers."""
        position = self.below((len(table) - 1) << 16)
        index, rest = position >> 16, position & 0xFFFF
        return table[index] + (((table[index + 1] - table[index]) * rest) >> 16)

    def hex(self, digits: int) -> str:
        """The next `digits` hexadecimal digits."""
        text = ""
        while len(text) < digits:
            text += f"{self.bits():016x}"
        return text[:digits]


def rendezvous(item: str, candidates: Sequence[str], *path: str | int) -> str:
    """The candidate that `item` belongs to; adding a candidate moves only the items that go to it.

    Highest random weight (Thaler and Ravishankar 1996), all candidates weighing the same.
    """
    return max(candidates, key=lambda candidate: (_key(*path, candidate, item), candidate))
