"""When somebody sits at their desk on a day: hours with their jitter, lunch, some evenings, a few weekends, never when away."""

from bisect import bisect_right
from collections.abc import Sequence
from datetime import date, timedelta
from functools import cache
from typing import Final

from brownout.background.integer_math import ONE, at_rank
from brownout.background.life_sources import Colleague
from brownout.core.instants import DAY, MINUTE, SECOND, Instant, local
from brownout.core.seeds import Stream

__all__ = ["Desk", "date_of", "day_of", "day_of_date", "day_start"]

_EVENINGS: Final = (2, 5, 9, 15, 24, 38, 70)
_WEEKENDS: Final = (2, 4, 7, 11, 17, 24, 35)
"""Percent of days, quantiles over people; working values without a source."""
_FROM_HOME: Final = 50
"""Percent of what somebody would say while they are not at their desk that they say by phone: a working value without a source."""
_AWAKE: Final = (7 * 60, 22 * 60 + 30)
"""Minutes after local midnight."""
_EPOCH: Final = date(1970, 1, 1)
_GIVES_UP: Final = 21
"""Days: who is away for longer does not come back to what was said."""


@cache
def _offset(zone: str, day: int) -> int:
    """How far a zone is ahead of UTC at noon of a day."""
    noon = local(day * DAY + DAY // 2, zone).utcoffset()
    assert noon is not None
    return round(noon.total_seconds()) * SECOND


def day_of(at: Instant, zone: str) -> int:
    """The number of the local day, counted from 1970-01-01."""
    return (at + _offset(zone, at // DAY)) // DAY


def day_start(day: int, zone: str) -> Instant:
    """When a local day begins."""
    return day * DAY - _offset(zone, day)


def date_of(day: int) -> date:
    """The date of a local day by its number: 20,454 is 2026-01-01."""
    return _EPOCH + timedelta(days=day)


def day_of_date(day: date) -> int:
    """The number of a date's day, counted from 1970-01-01."""
    return (day - _EPOCH).days


class Desk:
    """One person's presence."""

    def __init__(self, seed: int, person: Colleague) -> None:
        self._seed, self._person = seed, person
        habits = Stream(seed, "habits", person.name)
        self._evenings = at_rank(_EVENINGS, habits.below(1 << 16))
        self._weekends = at_rank(_WEEKENDS, habits.below(1 << 16))
        self._early = habits.between(-20, 25)
        self._lunch = habits.between(-25, 55)
        self._days: dict[int, tuple[tuple[Instant, Instant], ...]] = {}

    def spans(self, day: int) -> tuple[tuple[Instant, Instant], ...]:
        """The stretches of a local day that they are there, in order."""
        found = self._days.get(day)
        if found is None:
            if len(self._days) > 60:
                self._days.clear()
            zero = day_start(day, self._person.zone)
            drawn = [(zero + since * MINUTE, zero + until * MINUTE) for since, until in self._drawn(day)]
            found = self._days[day] = tuple(self._present(drawn))
        return found

    def is_there(self, at: Instant) -> bool:
        """Whether they sit at their desk."""
        spans = self.spans(day_of(at, self._person.zone))
        place = bisect_right(spans, (at, 1 << 62)) - 1
        return place >= 0 and spans[place][0] <= at < spans[place][1]

    def moment(self, day: int, stream: Stream) -> Instant | None:
        """Some moment of that day at their desk, None where there is none."""
        spans = self.spans(day)
        whole = sum(until - since for since, until in spans)
        if not whole:
            return None
        at = stream.below(whole)
        for since, until in spans:
            if at < until - since:
                return since + at
            at -= until - since
        return None

    def back(self, at: Instant, stream: Stream) -> Instant | None:
        """The moment itself, or some minutes into the next time they are there; None where that is too late."""
        if self.is_there(at):
            return at
        today = day_of(at, self._person.zone)
        for day in range(today, today + _GIVES_UP):
            for since, until in self.spans(day):
                if since > at:
                    return min(since + stream.between(MINUTE, 40 * MINUTE), until - SECOND)
        return None

    def answers(self, at: Instant, stream: Stream) -> Instant | None:
        """When they say what they would say at a moment: then, from home if it is no hour to sleep, or when they are back."""
        return at if stream.chance(_FROM_HOME) and self.is_awake(at) else self.back(at, stream)

    def is_awake(self, at: Instant) -> bool:
        """Whether it is an hour of a workday at which they would look at their phone."""
        day = day_of(at, self._person.zone)
        zero = day_start(day, self._person.zone)
        awake = self._present([(zero + _AWAKE[0] * MINUTE, zero + _AWAKE[1] * MINUTE)])
        return (day + 3) % 7 < 5 and any(since <= at < until for since, until in awake)

    def later(self, at: Instant, table: Sequence[int], stream: Stream) -> Instant | None:
        """When they get to something that waits since a moment, some minutes as the table of quantiles says; None where that is too late."""
        there = self.back(at + at_rank(table, stream.below(ONE)) * MINUTE + stream.below(MINUTE), stream)
        return max(there, at + SECOND) if there is not None else None

    def _drawn(self, day: int) -> list[tuple[int, int]]:
        """Stretches in minutes after local midnight, absences not looked at."""
        stream = Stream(self._seed, "desk", self._person.name, day)
        low, high = self._person.hours
        if (day + 3) % 7 >= 5:
            if not stream.chance(self._weekends):
                return []
            start = stream.between(9 * 60, 20 * 60)
            return [(start, start + stream.between(20, 150))]
        start = max(low + self._early + stream.between(-15, 20), 0)
        end = min(high + stream.between(-35, 50), 24 * 60 - 1)
        noon = 12 * 60 + 5 + self._lunch + stream.between(-15, 15)
        fed = noon + stream.between(25, 62)
        spans = [(start, end)]
        if start + 60 < noon and fed + 60 < end:
            spans = [(start, noon), (fed, end)]
        if stream.chance(self._evenings):
            again = max(end + stream.between(45, 150), 19 * 60)
            if again < 23 * 60:
                spans.append((again, min(again + stream.between(10, 95), 24 * 60 - 1)))
        return spans

    def _present(self, spans: list[tuple[Instant, Instant]]) -> list[tuple[Instant, Instant]]:
        """Stretches without the time in which the person is away, or not with the company."""
        person = self._person
        gone = [*person.away]
        if person.joins is not None:
            gone.append((-(1 << 62), person.joins))
        if person.leaves is not None:
            gone.append((person.leaves, 1 << 62))
        for since, until in gone:
            left = [part for low, high in spans for part in ((low, min(high, since)), (max(low, until), high))]
            spans = [(low, high) for low, high in left if high - low > MINUTE]
        return spans
