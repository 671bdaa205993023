"""World time: integer microseconds since 1970-01-01 UTC, and its spellings.

Microseconds because vendors' ids carry them (a Slack `ts` has six decimals). Time zones come from the
tzdata package, never from the system, so that a world means the same everywhere.
"""

from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from importlib.resources import files
from typing import TypeAlias
from zoneinfo import ZoneInfo

__all__ = [
    "DAY",
    "HOUR",
    "MINUTE",
    "SECOND",
    "Duration",
    "Instant",
    "clock_text",
    "day_text",
    "duration_text",
    "from_datetime",
    "iso",
    "local",
    "to_datetime",
    "zone",
]

Instant: TypeAlias = int
"""Microseconds since the epoch, UTC."""
Duration: TypeAlias = int
"""Microseconds."""

SECOND: Duration = 1_000_000
MINUTE: Duration = 60 * SECOND
HOUR: Duration = 60 * MINUTE
DAY: Duration = 24 * HOUR

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@cache
def zone(name: str) -> tzinfo:
    """The time zone called `name` in the tz database.

    Raises:
        KeyError: no such zone.
    """
    if name == "UTC":
        return UTC
    place = files("tzdata").joinpath("zoneinfo", *name.split("/"))
    try:
        if not name or name.startswith(("/", ".")) or ".." in name or not place.is_file():
            raise KeyError(name)
        with place.open("rb") as stream:
            return ZoneInfo.from_file(stream, key=name)
    except (OSError, ValueError) as error:  # a table beside the zones, or a name that no file can have
        raise KeyError(name) from error


def from_datetime(moment: datetime) -> Instant:
    """The instant of an aware datetime."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def to_datetime(at: Instant) -> datetime:
    """The UTC datetime of an instant."""
    return _EPOCH + timedelta(microseconds=at)


def local(at: Instant, zone_name: str) -> datetime:
    """The wall-clock datetime of an instant in a zone."""
    return to_datetime(at).astimezone(zone(zone_name))


def iso(at: Instant) -> str:
    """RFC 3339 in UTC to the second, as vendors' APIs print it: `2026-04-14T10:12:00Z`."""
    return to_datetime(at).strftime("%Y-%m-%dT%H:%M:%SZ")


def clock_text(at: Instant, zone_name: str) -> str:
    """A moment for people: `Tue 14 Apr 2026 10:12 CEST`."""
    return local(at, zone_name).strftime("%a %d %b %Y %H:%M %Z")


def day_text(at: Instant, zone_name: str) -> str:
    """A day as authors write it: `2026-04-14`."""
    return local(at, zone_name).strftime("%Y-%m-%d")


def duration_text(span: Duration) -> str:
    """A duration as authors write it: `4h30m`, `90s`, `0s`."""
    seconds, rest = divmod(span, SECOND)
    if rest:
        return f"{span / SECOND:g}s"
    days, seconds = divmod(seconds, 86_400)
    hours, seconds = divmod(seconds, 3_600)
    minutes, seconds = divmod(seconds, 60)
    parts = [f"{n}{unit}" for n, unit in ((days, "d"), (hours, "h"), (minutes, "m"), (seconds, "s")) if n]
    return "".join(parts) or "0s"
