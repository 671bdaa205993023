"""The times that a conversation names: each is drawn once, and what is said of it comes before it, unless it says that it is over."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from brownout.background.desk_hours import day_of, day_of_date, day_start
from brownout.background.said_times import TIME_SLOTS, SaidAt
from brownout.core.instants import DAY, HOUR, MINUTE, Instant
from brownout.core.seeds import Stream

__all__ = ["NamedTimes"]

_BY_NAME: Final = re.compile(r"\{weekday_ahead\}")
_TRIES: Final = 12
_COMES: Final = 12 * HOUR
"""When a day has come that was announced: what belongs before it is said and done until noon, or at least on that day."""


@dataclass(slots=True)
class NamedTimes:
    """What the slots for times of a conversation stand for, by when it is said.

    A Wednesday that is `tomorrow` in a ticket is `today` in a comment of the morning after, and `yesterday` in what is said of it
    when it is over. `{day_ahead}` and `{weekday_ahead}` are the same day, as are `{day_past}` and `{weekday_past}`.
    """

    zone: str
    _days: dict[str, date] = field(default_factory=dict)
    _said: dict[tuple[str, int], str] = field(default_factory=dict)
    _comes: dict[str, Instant] = field(default_factory=dict)

    def copy(self) -> "NamedTimes":
        """The same times, for another conversation that may name more."""
        return NamedTimes(self.zone, {**self._days}, {**self._said}, {**self._comes})

    def named(self, slot: str, at: Instant, stream: Stream, suits: Callable[[str], bool] = lambda _: True) -> str:
        """What a slot stands for that is said at a moment; empty for a slot of no time, and where nothing that is drawn suits."""
        if slot not in TIME_SLOTS:
            return ""
        is_day = "day_" in slot
        key = (slot, day_of(at, self.zone) if is_day else 0)
        if key not in self._said:
            draw = self._called if is_day else self._drawn
            found = next((one for one in (draw(slot, at, stream, suits) for _ in range(_TRIES)) if suits(one)), "")
            if not found:
                return ""
            self._said[key] = found
        return self._said[key]

    def until(self, text: str, at: Instant) -> Instant | None:
        """Before when something is said or done that does not say that it is later; None where nothing is announced any more.

        Args:
            text: what is said, with its slots; nobody says `on Friday` on a Friday.
            at: what has come by then is no limit.
        """
        by_name = _BY_NAME.search(text) is not None
        comes = [
            one
            for slot, start in self._comes.items()
            for one in ((start + _COMES, start + DAY) if slot == "ahead" else (start,))
        ]
        if by_name and "ahead" in self._comes:
            comes.append(self._comes["ahead"])
        return min((one for one in comes if one > at), default=None)

    def over(self, slot: str) -> Instant | None:
        """When what a slot stands for is over, a day at its end; None where nobody has named it."""
        start = self._comes.get("ahead" if "day_" in slot else slot)
        return start + DAY if start is not None and "day_" in slot else start

    def _drawn(self, slot: str, at: Instant, stream: Stream, suits: Callable[[str], bool]) -> str:
        drawn = SaidAt(at, self.zone).drawn(slot, stream)
        if slot == "clock_ahead" and suits(drawn):
            hours, _, minutes = drawn.partition(":")
            self._comes[slot] = day_start(day_of(at, self.zone), self.zone) + int(hours) * HOUR + int(minutes) * MINUTE
        return drawn

    def _called(self, slot: str, at: Instant, stream: Stream, suits: Callable[[str], bool]) -> str:
        """A day that was named before as it is called now, else one that is drawn."""
        said, when = SaidAt(at, self.zone), slot.partition("_")[2]
        known = self._days.get(when)
        if known is not None:
            name = said.called(known, by_name=slot.startswith("weekday"))
            return name if suits(name) else f"{known:%A}"
        day = said.day(stream, has_been=when == "past")
        name = said.drawn_name(day, slot, stream)
        if suits(name):
            self._days[when] = day
            if when == "ahead":
                self._comes[when] = day_start(day_of_date(day), self.zone)
        return name
