"""The one small grammar of authors' times, durations, amounts and selectors.

duration  = { number unit }                     unit = "d" | "h" | "m" | "s"         4h30m
moment    = date [ " " hours ":" minutes ]                                           2026-04-14 10:12
          | anchor [ ("+" | "-") duration ]                                          rds-brownout + 31m
anchor    = name [ "." ("from" | "until") ]
condition = name "." word [ "for" duration ]                                         bookings.down for 20m
amount    = number [ "%" | "x" ] | duration | number ".." number
selector  = app ":" thing [ "." field ]                                              ops:bookings.database

A number is at most `LARGEST`, a duration at most a hundred years.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Final, Literal

from brownout.core.instants import DAY, HOUR, MINUTE, SECOND, Duration, Instant, from_datetime, zone

__all__ = [
    "LARGEST",
    "Anchor",
    "Condition",
    "ExpressionError",
    "Moment",
    "Selector",
    "Span",
    "parse_condition",
    "parse_duration",
    "parse_hours",
    "parse_moment",
    "parse_percent",
    "parse_selector",
    "parse_span",
    "parse_whole",
]

LARGEST: Final = 2**53 - 1
"""The largest whole number that an author can write: what every reader of JSON has exactly, and the store holds."""

_LONGEST: Final = 36_525 * DAY
_UNITS = {"d": DAY, "h": HOUR, "m": MINUTE, "s": SECOND}
_NAME = r"[A-Za-z][A-Za-z0-9_-]*"
_DURATION = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?")
_ABSOLUTE = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{1,2}):(\d{2}))?")
_ANCHORED = re.compile(rf"({_NAME})(?:\.(from|until))?(?:\s*([+-])\s*(\S+))?")
_CONDITION = re.compile(rf"({_NAME})\.({_NAME})(?:\s+for\s+(\S+))?")
_SELECTOR = re.compile(rf"({_NAME}):(.+?)(?:\.([a-z_]+))?")
_SPAN = re.compile(r"(\d+)\s*\.\.\s*(\d+)")
_HOURS = re.compile(r"(\d{1,2}):(\d{2})\s*-\s*(\d{1,2}):(\d{2})")


class ExpressionError(ValueError):
    """A text that is not in the grammar; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A moment relative to a named thing (an outage, a beat, a task's start)."""

    name: str
    edge: Literal["from", "until"]
    offset: Duration


Moment = Instant | Anchor


@dataclass(frozen=True, slots=True)
class Condition:
    """A thing being in a state, for a while."""

    name: str
    state: str
    lasting: Duration


@dataclass(frozen=True, slots=True)
class Selector:
    """Something in an app, and one of its fields where one is meant."""

    app: str
    thing: str
    field: str


@dataclass(frozen=True, slots=True)
class Span:
    """From `low` to `high`, both included."""

    low: int
    high: int


def parse_duration(text: str) -> Duration:
    """Microseconds of `4h30m`, `90s`, `2d`.

    Raises:
        ExpressionError: not a duration.
    """
    found = _DURATION.fullmatch(text.strip())
    if not text.strip() or found is None or not any(found.groups()):
        raise ExpressionError(f"expected a duration such as 30s, 8m or 4h30m, found {text!r}")
    span = sum(parse_whole(count) * unit for count, unit in zip(found.groups(), _UNITS.values(), strict=True) if count)
    if span > _LONGEST:
        raise ExpressionError(f"expected a duration of at most a hundred years, {_LONGEST // DAY}d, found {text!r}")
    return span


@lru_cache(maxsize=8192)
def parse_moment(text: str, zone_name: str) -> Moment:
    """An instant, or an anchor to be resolved once the named thing has a time.

    Raises:
        ExpressionError: neither `2026-04-14 10:12` nor `name + 8m`, or a day that does not exist.
    """
    text = text.strip()
    absolute = _ABSOLUTE.fullmatch(text)
    if absolute:
        year, month, day, hour, minute = (int(part or 0) for part in absolute.groups())
        try:
            return from_datetime(datetime(year, month, day, hour, minute, tzinfo=zone(zone_name)))
        except ValueError as error:
            raise ExpressionError(f"{text!r} is not a moment: {error}") from error
    anchored = _ANCHORED.fullmatch(text)
    if anchored is None:
        raise ExpressionError(f"expected a time such as 2026-04-14 10:12 or rds-brownout + 8m, found {text!r}")
    name, edge, sign, offset = anchored.groups()
    span = parse_duration(offset) if offset else 0
    return Anchor(name, "until" if edge == "until" else "from", -span if sign == "-" else span)


def parse_condition(text: str) -> Condition:
    """`bookings.down for 20m`.

    Raises:
        ExpressionError: not a condition.
    """
    found = _CONDITION.fullmatch(text.strip())
    if found is None:
        raise ExpressionError(f"expected a condition such as bookings.down for 20m, found {text!r}")
    name, state, lasting = found.groups()
    return Condition(name, state, parse_duration(lasting) if lasting else 0)


def parse_selector(text: str) -> Selector:
    """`jira:BOX-41.status` or `docs:Postmortem*`.

    Raises:
        ExpressionError: no app is named.
    """
    found = _SELECTOR.fullmatch(text.strip())
    if found is None:
        raise ExpressionError(f"expected app:thing or app:thing.field, found {text!r}")
    app, thing, field = found.groups()
    return Selector(app, thing, field or "")


def parse_whole(text: str) -> int:
    """`402`, in digits.

    Raises:
        ExpressionError: more than any number of the format can be.
    """
    if len(text) > len(str(LARGEST)) or int(text) > LARGEST:
        raise ExpressionError(f"expected at most {LARGEST}, found {text}")
    return int(text)


def parse_percent(text: str | int) -> int:
    """`60%` as 60.

    Raises:
        ExpressionError: not a whole percentage from 0 to 100.
    """
    found = re.fullmatch(r"(\d{1,3})\s*%?", str(text).strip())
    if found is None or int(found.group(1)) > 100:
        raise ExpressionError(f"expected a share such as 60%, found {text!r}")
    return int(found.group(1))


def parse_span(text: str) -> Span:
    """`3..8`.

    Raises:
        ExpressionError: not two whole numbers in order.
    """
    found = _SPAN.fullmatch(text.strip())
    span = Span(*map(parse_whole, found.groups())) if found is not None else None
    if span is None or span.low > span.high:
        raise ExpressionError(f"expected a span such as 3..8, found {text!r}")
    return span


def parse_hours(text: str) -> Span:
    """`09:00-17:30` as minutes after midnight.

    Raises:
        ExpressionError: not two times of day in order.
    """
    found = _HOURS.fullmatch(text.strip())
    if found is None:
        raise ExpressionError(f"expected hours such as 09:00-17:30, found {text!r}")
    first, first_minute, last, last_minute = (int(part) for part in found.groups())
    span = Span(first * 60 + first_minute, last * 60 + last_minute)
    if span.low >= span.high or span.high > 24 * 60 or first_minute > 59 or last_minute > 59:
        raise ExpressionError(f"expected hours such as 09:00-17:30, found {text!r}")
    return span
