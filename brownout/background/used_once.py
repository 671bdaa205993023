"""Texts that are used once in a world, dealt to its weeks: what a week leaves is there for those after it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Generic, TypeVar

from brownout.background.dealer import Dealer, permuted
from brownout.core.seeds import Stream

__all__ = ["Spent", "UsedOnce", "WeekOfTexts"]

T = TypeVar("T")
_AHEAD: Final = 35
"""Percent that the first week may have already: nobody knows which of the rest somebody will find a use for."""
_SHORT: Final = 5
"""Words of a text that is said again and again."""


class UsedOnce(Generic[T]):
    """All that there is, by area, in the order in which a world's seed deals it.

    Args:
        what: its name among what the seed deals.
    """

    def __init__(self, seed: int, what: str, texts: Mapping[str, Sequence[T]]) -> None:
        self._by_area: dict[str, tuple[T, ...]] = {}
        for area, found in texts.items():
            key = Stream(seed, what, area).bits()
            self._by_area[area] = tuple(found[permuted(place, len(found), key)] for place in range(len(found)))
        self._taken: dict[int, set[tuple[str, int]]] = {}

    def of_week(self, monday: int, dealer: Dealer) -> "WeekOfTexts[T]":
        """What a week has: its own part, and what the weeks before it left, which were asked for before it."""
        gone = set[tuple[str, int]]().union(*(taken for week, taken in self._taken.items() if week < monday))
        taken = self._taken[monday] = set()
        left = {
            area: {place: found[place] for place in range(_until(dealer, len(found))) if (area, place) not in gone}
            for area, found in self._by_area.items()
        }
        return WeekOfTexts(left, taken)


def _until(dealer: Dealer, size: int) -> int:
    """How many of so many a week may have come to."""
    ahead = size * _AHEAD // 100
    return ahead + dealer.part(size - ahead).stop


class WeekOfTexts(Generic[T]):
    """What a week has; what is taken is gone, for the weeks after it too."""

    def __init__(self, left: dict[str, dict[int, T]], taken: set[tuple[str, int]]) -> None:
        self._left, self._taken = left, taken

    def take(self, area: str, wish: int, fits: Callable[[T], bool]) -> T | None:
        """One of an area that fits, None where none is left.

        Args:
            wish: bits of whoever asks: where to look first.
        """
        left = self._left.get(area, {})
        places = [*left]
        for step in range(len(places)):
            place = places[(wish + step) % len(places)]
            if fits(left[place]):
                self._taken.add((area, place))
                return left.pop(place)
        return None


class Spent:
    """What was said in a week, with all weeks before it: what nobody says again. Texts of up to five words are said at any time."""

    def __init__(self, before: Sequence["Spent"]) -> None:
        self._before, self._own = before, set[str]()

    def has(self, *texts: str) -> bool:
        """Whether one of them was said."""
        return any(text in week._own for week in (*self._before, self) for text in texts)

    def spend(self, *texts: str) -> None:
        """They are said."""
        self._own.update(text for text in texts if len(text.split()) > _SHORT)
