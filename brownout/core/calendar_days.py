"""Days, months and years of a person's calendar as stretches of world time.

Everything is exact in the person's zone, changes of clock included, and nothing overflows: what lies outside the
years 1 to 9998 is no date, and a shift that would leave them stops at `EARLIEST` or `LATEST`.
"""

from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from brownout.core.instants import SECOND, Instant, from_datetime, local, zone

__all__ = ["EARLIEST", "LATEST", "Stretch", "clamped", "day_of", "month_of", "moved", "wall", "year_of"]

EARLIEST: Instant = from_datetime(datetime(1, 1, 2, tzinfo=UTC))
LATEST: Instant = from_datetime(datetime(9998, 12, 30, tzinfo=UTC))


@dataclass(frozen=True, slots=True)
class Stretch:
    """From `start` to before `end`."""

    start: Instant
    end: Instant


def clamped(at: Instant) -> Instant:
    """The instant, moved into the years that can be shown."""
    return min(max(at, EARLIEST), LATEST)


def wall(moment: datetime, zone_name: str) -> Instant:
    """The instant at which clocks in the zone show `moment` (naive); the first of two in autumn."""
    return from_datetime(moment.replace(tzinfo=zone(zone_name), fold=0))


def day_of(year: int, month: int, day: int, zone_name: str) -> Stretch | None:
    """A day of the calendar, None if there is no such day."""
    if not (1 <= year <= 9998 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]):
        return None
    start = datetime(year, month, day)  # noqa: DTZ001 - a calendar day, given its zone by `wall`
    return Stretch(wall(start, zone_name), wall(start + timedelta(days=1), zone_name))


def month_of(year: int, month: int, zone_name: str) -> Stretch | None:
    """A month of the calendar, None if there is no such month."""
    first = day_of(year, month, 1, zone_name)
    if first is None:
        return None
    last = day_of(year, month, monthrange(year, month)[1], zone_name)
    return None if last is None else Stretch(first.start, last.end)


def year_of(year: int, zone_name: str) -> Stretch | None:
    """A year of the calendar, None if it is out of reach."""
    first, last = month_of(year, 1, zone_name), month_of(year, 12, zone_name)
    return None if first is None or last is None else Stretch(first.start, last.end)


def moved(at: Instant, zone_name: str, *, months: int = 0, seconds: int = 0) -> Instant:
    """The instant after months by the calendar and seconds by the clock on the wall; the 31st becomes a month's last.

    A day later is the same time of day, though a change of clock lie between.
    """
    here = local(clamped(at), zone_name).replace(tzinfo=None)
    years, month = divmod(here.year * 12 + here.month - 1 + months, 12)
    if not 1 <= years <= 9998:
        return EARLIEST if years < 1 else LATEST
    there = here.replace(year=years, month=month + 1, day=min(here.day, monthrange(years, month + 1)[1]))
    span = seconds * SECOND
    rough = from_datetime(there.replace(tzinfo=UTC)) + span
    if not EARLIEST < rough < LATEST:
        return clamped(rough)
    return wall(there + timedelta(seconds=seconds), zone_name)
