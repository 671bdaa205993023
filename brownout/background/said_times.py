"""Times and days that a text names, drawn by when it is said: the packs say which are still to come and which have been."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from brownout.core.instants import Instant, local
from brownout.core.seeds import Stream

__all__ = ["MONTHS", "TIME_SLOTS", "UNMARKED", "SaidAt"]

MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip
UNMARKED: Final = {
    "clock": ("clock_ahead", "clock_past", "clock_any"),
    "day": ("day_ahead", "day_past", "weekday_ahead", "weekday_past"),
    "weekday": ("weekday_ahead", "weekday_past"),
    "month": ("month_ahead", "month_past", "month_any"),
}
"""By what a slot names the slots that say when: later today, earlier today, on another day; after today (`tomorrow`), before it
(`yesterday`), the same by the weekday's name alone; one of the next months, of the last, of those around."""
TIME_SLOTS: Final = frozenset(slot for slots in UNMARKED.values() for slot in slots)
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
_AROUND_TODAY: Final = ("yesterday", "today", "tomorrow")
_EARLIEST, _LATEST, _SOON = 8 * 60, 17 * 60 + 30, 20
"""Minutes of the day between which a time is one of the working day, and how soon something is announced at least."""
_NEAR: Final = 6
"""How many days ahead or back a weekday may be without saying which week."""
_MONTHS_OFF: Final = {"ahead": (1, 3), "past": (-3, -1), "any": (-2, 2)}


@dataclass(frozen=True, slots=True)
class SaidAt:
    """When something is said, in the zone of whoever says it."""

    at: Instant
    zone: str

    def drawn(self, slot: str, stream: Stream) -> str:
        """What a slot stands for that names a time: `{clock_ahead}` said at 14:00 is 15:25; empty for other slots."""
        if slot not in TIME_SLOTS:
            return ""
        kind, _, when = slot.partition("_")
        if kind == "clock":
            return self._clock(when, stream)
        if kind == "month":
            return MONTHS[(self._now.month - 1 + stream.between(*_MONTHS_OFF[when])) % len(MONTHS)]
        return self._day(slot, stream)

    def clocks(self, number: int, stream: Stream) -> Sequence[str]:
        """So many times of the hours before, in order, as a log has them."""
        now = _minutes(self._now)
        first = max(now - stream.between(40, 240), 0)
        drawn = sorted(stream.between(first, max(now - 1, first)) for _ in range(number))
        return [_shown(one) for one in drawn]

    @property
    def _now(self) -> datetime:
        return local(self.at, self.zone)

    def _clock(self, when: str, stream: Stream) -> str:
        now = _minutes(self._now)
        low, high = _EARLIEST, _LATEST
        if when == "past":
            low, high = min(_EARLIEST - 60, now - 60), now - 2
        elif when == "ahead":
            low, high = now + _SOON, max(_LATEST, now + 90)
        low, high = max(low, 0), min(high, 24 * 60 - 5)
        if low >= high:  # nothing of that is left of the day
            low, high = _EARLIEST, _LATEST
        return _shown(5 * stream.between(-(-low // 5), max(high // 5, -(-low // 5))))

    def day(self, stream: Stream, *, has_been: bool) -> date:
        """A working day after today or before it that its name alone tells from others, rather a near one."""
        days = [self._now.date() + timedelta(days=-one if has_been else one) for one in range(1, _NEAR)]
        working = [one for one in days if one.weekday() < len(_DAYS)]
        return working[min(stream.below(len(working)), stream.below(len(working)))]

    def called(self, day: date, *, by_name: bool) -> str:
        """What a day is called: `tomorrow`, `today`, `yesterday`, else `Friday`; `9 March` where that could be another week's."""
        away = (day - self._now.date()).days
        if abs(away) > _NEAR:
            return f"{day.day} {MONTHS[day.month - 1]}"
        if abs(away) < len(_AROUND_TODAY) - 1 and not by_name:
            return _AROUND_TODAY[away + 1]
        return f"{day:%A}"

    def drawn_name(self, day: date, slot: str, stream: Stream) -> str:
        """What somebody calls a day for a slot: the next one mostly `tomorrow`, by its name after `on`."""
        is_next = abs((day - self._now.date()).days) == 1
        return self.called(day, by_name=slot.startswith("weekday") or not is_next or not stream.chance(60))

    def _day(self, slot: str, stream: Stream) -> str:
        return self.drawn_name(self.day(stream, has_been=slot.endswith("past")), slot, stream)


def _minutes(at: datetime) -> int:
    return at.hour * 60 + at.minute


def _shown(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02d}"
