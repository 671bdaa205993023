"""When somebody is at work: their hours, their days off, the time they belong to the company."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache

from brownout.core.instants import DAY, Instant, from_datetime, local
from worlds.expressions import ExpressionError, parse_hours, parse_moment
from worlds.spec.models import Away, Person

__all__ = ["Attendance", "attendance_of", "days_off"]

_LOOKED_BACK = 100
"""Days among which somebody's last one at work is looked for."""


@dataclass(frozen=True, slots=True)
class Attendance:
    """Somebody's working time.

    Attributes:
        hours: minutes after local midnight, from and until; None for those who never sleep.
        away: stretches of time in which they are not there, each with its end excluded.
    """

    zone: str
    hours: tuple[int, int] | None
    away: tuple[tuple[Instant, Instant], ...] = ()
    joins: Instant | None = None
    leaves: Instant | None = None

    def is_away(self, at: Instant) -> bool:
        """Whether it is a day off, or they do not belong to the company then."""
        if (self.joins is not None and at < self.joins) or (self.leaves is not None and at >= self.leaves):
            return True
        return any(since <= at < until for since, until in self.away)

    def is_working(self, at: Instant) -> bool:
        """Whether they are at work."""
        if self.is_away(at):
            return False
        if self.hours is None:
            return True
        here = local(at, self.zone)
        low, high = self.hours
        return here.weekday() < 5 and low <= here.hour * 60 + here.minute < high

    def next_working(self, at: Instant) -> Instant | None:
        """The first moment from then on at which they are at work; None where they have left by then."""
        while self.leaves is None or at < self.leaves:
            if self.is_working(at):
                return at
            at = self._later(at)
        return None

    def last_closing(self, at: Instant) -> Instant | None:
        """When the last day that they worked to the end of their hours had ended, up to then; None where none has for months."""
        if self.hours is None:
            return None if self.is_away(at) else at
        midnight = local(at, self.zone).replace(hour=0, minute=0, second=0, microsecond=0)
        closings = (
            from_datetime(midnight + timedelta(days=-back, minutes=self.hours[1])) for back in range(_LOOKED_BACK)
        )
        return next((one for one in closings if one <= at and self.is_working(one - 1)), None)

    def _later(self, at: Instant) -> Instant:
        """A later moment, with no work before it."""
        if self.joins is not None and at < self.joins:
            return self.joins
        ends = [until for since, until in self.away if since <= at < until]
        if ends:
            return max(ends)
        here = local(at, self.zone)
        opening = (self.hours or (0, 1440))[0]
        day = here.replace(hour=opening // 60, minute=opening % 60, second=0, microsecond=0)
        while day <= here or day.weekday() >= 5:
            day += timedelta(days=1)
        return from_datetime(day)


def attendance_of(person: Person, zone: str) -> Attendance:
    """The working time of a person in a world of that zone.

    Raises:
        ExpressionError: a time is not in the grammar.
    """
    return _attendance(person.zone or zone, person.hours, tuple(person.away), person.joins, person.leaves)


@lru_cache(maxsize=1024)
def _attendance(
    zone: str, hours: str, away: tuple[str | Away, ...], joins: str | None, leaves: str | None
) -> Attendance:
    """Kept, as the generators ask for everybody's once a conversation."""
    span = parse_hours(hours)
    first, last = (_instant(text, zone) if text else None for text in (joins, leaves))
    return Attendance(zone, (span.low, span.high), days_off(away, zone), first, last)


def days_off(away: Iterable[str | Away], zone: str) -> tuple[tuple[Instant, Instant], ...]:
    """Stretches of time as authors write them: a day, or `from` one moment `until` another, which is excluded.

    Raises:
        ExpressionError: not a date, or an end that is not after its beginning.
    """
    found = []
    for entry in away:
        if isinstance(entry, str):
            since = _instant(entry, zone)
            day = local(since + DAY + DAY // 8, zone).replace(hour=0, minute=0, second=0, microsecond=0)
            found.append((since, from_datetime(day)))
            continue
        since, until = _instant(entry.start, zone), _instant(entry.until, zone)
        if until <= since:
            raise ExpressionError(f"until {entry.until} is not after from {entry.start}")
        found.append((since, until))
    return tuple(found)


def _instant(text: str, zone: str) -> Instant:
    found = parse_moment(text, zone)
    if not isinstance(found, int):
        raise ExpressionError(f"expected a date such as 2026-03-16, found {text!r}")
    return found
