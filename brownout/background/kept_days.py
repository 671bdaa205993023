"""Days that a package keeps as they are, so that a session that lives one neither opens what all days are drawn from nor draws."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import cached_property
from typing import Any, Final

import orjson

from brownout.background.desk_hours import day_of
from brownout.background.timeline import Item, PlacedItems, Timeline
from brownout.core.apps import Intent
from brownout.core.instants import Instant

__all__ = ["KeptDays", "days_between", "packed", "unpacked"]

_MOST_OPEN: Final = 24
_OF_INTENT: Final = tuple(part.name for part in fields(Intent))


def days_between(since: Instant, until: Instant, zone: str) -> range:
    """The numbers of the days of a stretch of time, both ends included."""
    return range(day_of(since, zone), day_of(until, zone) + 1)


def packed(items: Sequence[Item]) -> bytes:
    """Items as lines of JSON: a list of their fields each, the intent's in the place of the intent."""
    return b"".join(
        orjson.dumps(_values(item), option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE) for item in items
    )


def unpacked(lines: bytes) -> list[Item]:
    """The items of such lines."""
    return [_item(orjson.loads(line)) for line in lines.splitlines()]


def _values(item: Item) -> list[object]:
    intent = item.intent
    doing = [getattr(intent, name) for name in _OF_INTENT]
    return [item.at, item.order, doing, item.needs, item.is_named, item.is_heard]


def _item(values: list[Any]) -> Item:
    at, order, doing, needs, is_named, is_heard = values
    given = dict(zip(_OF_INTENT, doing, strict=True))
    given["to"], given["facts"] = tuple(given["to"]), tuple(given["facts"])
    return Item(at, order, Intent(**given), needs, is_named, is_heard)


class KeptDays(Timeline):
    """The days of a package: those that it keeps, and any other as it is drawn."""

    def __init__(
        self,
        calendar: tuple[Instant, Instant],
        zone: str,
        kept: Callable[[int], bytes | None],
        drawn: Callable[[], Timeline],
    ) -> None:
        """Begin.

        Args:
            kept: the lines of a day that is kept; None for one that is not.
            drawn: makes whoever draws the others; called at most once.
        """
        super().__init__(calendar, zone)
        self._kept, self._make = kept, drawn
        self._beside: Callable[[int], bytes | None] = lambda day: None
        self._keep: Callable[[int, bytes], None] | None = None
        self._open: dict[int, PlacedItems] = {}

    def look_in(self, beside: Callable[[int], bytes | None], keep: Callable[[int, bytes], None] | None) -> None:
        """Take days that the package does not keep from another place, so that they are drawn once.

        Args:
            beside: the lines of a day there; None for one that is not there.
            keep: puts a day there that had to be drawn; None where nothing is to be put there.
        """
        self._beside, self._keep = beside, keep

    @cached_property
    def _drawn(self) -> Timeline:
        return self._make()

    def _day(self, day: int) -> PlacedItems:
        found = self._open.get(day)
        if found is None:
            lines = self._kept(day)
            if lines is None:
                lines = self._beside(day)
            found = self._open[day] = PlacedItems.of(unpacked(lines) if lines is not None else self._drawn_on(day))
            if len(self._open) > _MOST_OPEN:
                self._open.pop(next(iter(self._open)), None)
        return found

    def _drawn_on(self, day: int) -> Sequence[Item]:
        """A day as it is drawn, kept for the next time."""
        items = self._drawn.on(day)
        if self._keep is not None:
            self._keep(day, packed(items))
        return items
