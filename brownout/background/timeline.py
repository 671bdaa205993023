"""Items of everyday life in one total order, by day. A cursor into it is all that a session has to remember."""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

from brownout.background.desk_hours import day_of, day_start
from brownout.core.apps import Intent
from brownout.core.instants import Instant

__all__ = ["Cursor", "Item", "PlacedItems", "Timeline", "place_of"]

_NEVER: Final = 1 << 62


class Cursor(NamedTuple):
    """A place in the order of items: those at or before it have come."""

    at: Instant
    order: int


@dataclass(frozen=True, slots=True)
class Item:
    """Something that somebody does of themselves.

    Attributes:
        order: among those of the same moment.
        needs: the key of the item without which there is nothing to do; empty where it begins something.
        is_named: others need it.
        is_heard: another product takes in what is said with it, so it is always lived.
    """

    at: Instant
    order: int
    intent: Intent
    needs: str = ""
    is_named: bool = False
    is_heard: bool = False

    @property
    def cursor(self) -> Cursor:
        """The place right after it."""
        return Cursor(self.at, self.order)


def place_of(item: Item) -> Cursor:
    """Where an item stands in the order."""
    return Cursor(item.at, item.order)


class PlacedItems(NamedTuple):
    """The items of a day in their order, and the place of each."""

    places: Sequence[Cursor]
    items: Sequence[Item]

    @classmethod
    def of(cls, items: Sequence[Item]) -> Self:
        """Items that are in their order already."""
        return cls([place_of(item) for item in items], items)


class Timeline(ABC):
    """The items of a calendar, whoever knows what happens on a day."""

    def __init__(self, calendar: tuple[Instant, Instant], zone: str) -> None:
        """Begin.

        Args:
            calendar: first and last instant.
            zone: a day is one of this zone.
        """
        self._begins, self._zone = calendar[0], zone
        self._first, self._last = (day_of(at, zone) for at in calendar)

    def stretch(self, cursor: Cursor | None, until: Instant) -> tuple[list[Item], Instant]:
        """The items after a place up to a moment that is included, in their order, and a moment before which no other comes."""
        cursor = cursor or Cursor(self._begins, -1)
        found: list[Item] = []
        day = max(day_of(cursor.at, self._zone), self._first)
        while day < self._last:
            begins = day_start(day, self._zone)
            if begins > until:
                return found, begins
            places, items = self._day(day)
            place = end = bisect_right(places, cursor)
            while end < len(places) and places[end].at <= until:  # mostly one or two, and a bisection asks more often
                end += 1
            found += items[place:end]
            if end < len(items):
                return found, items[end].at
            day += 1
        return found, _NEVER

    def between(self, cursor: Cursor | None, until: Instant) -> Iterator[Item]:
        """The items after a place, up to a moment that is included, in their order."""
        cursor = cursor or Cursor(self._begins, -1)
        day = max(day_of(cursor.at, self._zone), self._first)
        while day < self._last and day_start(day, self._zone) <= until:
            places, items = self._day(day)
            place = bisect_right(places, cursor)
            while place < len(items) and items[place].at <= until:
                yield items[place]
                place += 1
            day += 1

    def on(self, day: int) -> Sequence[Item]:
        """What happens on a day of the calendar, by its number (counted from 1970-01-01)."""
        return self._day(day).items if self._first <= day < self._last else ()

    @abstractmethod
    def _day(self, day: int) -> PlacedItems:
        """What happens on a day."""
