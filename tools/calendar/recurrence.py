"""Series: a part of RFC 5545's recurrence rules, expanded on the wall clock.

`FREQ=DAILY|WEEKLY|MONTHLY` with INTERVAL, COUNT or UNTIL, BYDAY (with ordinals in a month) and BYMONTHDAY. A series
keeps its time of day in its own zone, so a change of clock between two of its days moves the instants, not the hour.
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal, TypeAlias

from brownout.core.calendar_days import LATEST, day_of, wall
from brownout.core.instants import Instant, local

__all__ = ["InvalidRule", "Rule", "expand", "parse_rule"]

Frequency: TypeAlias = Literal["DAILY", "WEEKLY", "MONTHLY"]

_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_DAY = re.compile(r"([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU)")
_UNTIL = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})(?:T([0-9]{2})([0-9]{2})([0-9]{2})Z?)?")
_FREQUENCIES: dict[str, Frequency] = {"DAILY": "DAILY", "WEEKLY": "WEEKLY", "MONTHLY": "MONTHLY"}
_LONGEST = 730
"""Occurrences that a series with COUNT may have, as Google Calendar has it."""


class InvalidRule(ValueError):
    """A rule that cannot be read, or is of a kind that calendars here do not keep."""


@dataclass(frozen=True, slots=True)
class Rule:
    """When a series takes place.

    Attributes:
        until: the last instant at which it may begin, None where it goes on.
        days: days of the week, 0 for Monday, each with its ordinal in the month (0 for every one).
    """

    frequency: Frequency
    interval: int = 1
    count: int | None = None
    until: Instant | None = None
    days: tuple[tuple[int, int], ...] = ()
    month_days: tuple[int, ...] = ()


def parse_rule(text: str, zone: str) -> Rule:
    """The rule written `RRULE:FREQ=WEEKLY;BYDAY=MO,WE`, with or without its first word.

    Raises:
        InvalidRule: it is none.
    """
    given: dict[str, str] = {}
    for part in text.strip().upper().removeprefix("RRULE:").split(";"):
        name, equals, value = part.partition("=")
        if not equals or name in given:
            raise InvalidRule(text)
        given[name] = value
    frequency = _FREQUENCIES.get(given.pop("FREQ", ""))
    if frequency is None or ("COUNT" in given and "UNTIL" in given):
        raise InvalidRule(text)
    interval, count = _number(given.pop("INTERVAL", "1"), 1, 400), given.pop("COUNT", "")
    until, days = given.pop("UNTIL", ""), given.pop("BYDAY", "")
    month_days = given.pop("BYMONTHDAY", "")
    if given.pop("WKST", "MO") != "MO" or given or (month_days and frequency != "MONTHLY"):
        raise InvalidRule(text)
    return Rule(
        frequency,
        interval,
        _number(count, 1, _LONGEST) if count else None,
        _until(until, zone) if until else None,
        tuple(_day(day, frequency) for day in days.split(",")) if days else (),
        tuple(_number(day, -31, 31) for day in month_days.split(",")) if month_days else (),
    )


def _number(text: str, low: int, high: int) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,3}", text) or not low <= int(text) <= high or int(text) == 0:
        raise InvalidRule(text)
    return int(text)


def _day(text: str, frequency: Frequency) -> tuple[int, int]:
    found = _DAY.fullmatch(text)
    if found is None or (found[1] and frequency != "MONTHLY"):
        raise InvalidRule(text)
    return _DAYS.index(found[2]), int(found[1] or 0)


def _until(text: str, zone: str) -> Instant:
    """A day reaches to its end in the series' zone; a time is UTC."""
    found = _UNTIL.fullmatch(text)
    if found is None:
        raise InvalidRule(text)
    year, month, day = int(found[1]), int(found[2]), int(found[3])
    if found[4] is None:
        stretch = day_of(year, month, day, zone)
        if stretch is None:
            raise InvalidRule(text)
        return stretch.end - 1
    try:
        at = datetime(year, month, day, int(found[4]), int(found[5]), int(found[6]))  # noqa: DTZ001 - UTC by `wall`
    except ValueError:
        raise InvalidRule(text) from None
    return wall(at, "UTC")


def expand(rule: Rule, start: Instant, zone: str, *, since: Instant, until: Instant) -> Iterator[Instant]:
    """The instants at which a series begins, from `since` to before `until`."""
    first = local(start, zone).replace(tzinfo=None)
    skipped = 0 if rule.count is not None else _periods_before(rule, first, local(since, zone).replace(tzinfo=None))
    count = 0
    for day in _days(rule, first.date(), skipped):
        if day < first.date():
            continue
        at = wall(datetime.combine(day, first.time()), zone)
        count += 1
        if at >= min(until, LATEST) or (rule.until is not None and at > rule.until):
            return
        if at >= since:
            yield at
        if rule.count is not None and count >= rule.count:
            return


def _periods_before(rule: Rule, first: datetime, since: datetime) -> int:
    """How many periods surely lie before a moment and need not be gone through."""
    length = {"DAILY": 1, "WEEKLY": 7, "MONTHLY": 31}[rule.frequency] * rule.interval
    return max(0, (since - first).days // length - 1)


def _days(rule: Rule, first: date, skipped: int) -> Iterator[date]:
    """The days of a series, in their order, from the period that its first day is in."""
    number = skipped
    while True:
        try:
            yield from _period(rule, first, number * rule.interval)
        except (OverflowError, ValueError):
            return  # the calendar ends
        number += 1


def _period(rule: Rule, first: date, steps: int) -> list[date]:
    """The days in the period so many days, weeks or months after the first one's."""
    if rule.frequency == "DAILY":
        day = first + timedelta(days=steps)
        return [day] if not rule.days or (day.weekday(), 0) in rule.days else []
    if rule.frequency == "WEEKLY":
        monday = first - timedelta(days=first.weekday()) + timedelta(weeks=steps)
        return [monday + timedelta(days=day) for day, _ in sorted(rule.days or [(first.weekday(), 0)])]
    years, month = divmod(first.month - 1 + steps, 12)
    year = first.year + years
    days = [date(year, month + 1, day) for day in range(1, monthrange(year, month + 1)[1] + 1)]
    return [day for day in days if _is_in_month(rule, first, day, len(days))]


def _is_in_month(rule: Rule, first: date, day: date, length: int) -> bool:
    if not rule.days and not rule.month_days:
        return day.day == first.day
    if rule.month_days and day.day not in rule.month_days and day.day - length - 1 not in rule.month_days:
        return False
    nth, nth_last = (day.day - 1) // 7 + 1, -((length - day.day) // 7 + 1)
    return not rule.days or any(day.weekday() == weekday and n in (0, nth, nth_last) for weekday, n in rule.days)
