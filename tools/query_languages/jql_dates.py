"""Dates in JQL: written out, relative to now, or given by a function.

Sources: Atlassian's "JQL functions" page; Jira Server's `TestRelativeDates` and `TestJqlParsing`. A date value is
case-insensitive (`-7D`) and `M` is minutes there; a function's argument is case-sensitive and `M` is months, as
kmoneil/jr measured against Cloud. All dates are single moments: `created > "2026-03-01"` includes that day, and a due
date is the midnight that its day begins with.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from brownout.core.calendar_days import clamped, moved, wall
from brownout.core.instants import DAY, HOUR, MINUTE, Instant, local
from tools.query_languages.ast import Function, TimeSpan
from tools.query_languages.numeric_dates import read_day

__all__ = ["DATE_FUNCTIONS", "Clock", "WeekStart", "date", "date_function", "function_problem"]

WeekStart: TypeAlias = Literal["sunday", "monday"]

_UNITS = {"m": MINUTE, "h": HOUR, "d": DAY, "w": 7 * DAY}
_UNIT = r"([0-9]{1,9})(m|minutes?|h|hours?|d|days?|w|weeks?)"
_COMPONENT = re.compile(_UNIT, re.IGNORECASE)
_RELATIVE = re.compile(rf"[-+]?{_UNIT}(?:[ ,]+{_UNIT})*", re.IGNORECASE)
_ABSOLUTE = re.compile(r"([0-9]{4}[-/][0-9]{1,2}[-/][0-9]{1,2})(?: +([0-9]{1,2}):([0-9]{2}))?")
_INCREMENT = re.compile(r"([-+]?)([0-9]{1,9})([yMwdhm]?)")
_SECONDS = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60}
_MONTHS = {"y": 12, "M": 1}

DATE_FUNCTIONS = {
    name.lower(): name
    for name in (
        "now", "startOfDay", "startOfWeek", "startOfMonth", "startOfYear",
        "endOfDay", "endOfWeek", "endOfMonth", "endOfYear",
    )
}  # fmt: skip
"""Functions that the calendar answers, by their name in lower case."""


@dataclass(frozen=True, slots=True)
class Clock:
    """When and where a query is asked."""

    now: Instant
    zone: str
    week_starts: WeekStart


def date(text: str, clock: Clock) -> TimeSpan | None:
    """The moment that a value such as `-7d`, `4w 2d`, `2026-03-01` or `2026/03/01 10:00` names, None if none."""
    if _RELATIVE.fullmatch(text):
        total = sum(int(count) * _UNITS[unit[0].lower()] for count, unit in _COMPONENT.findall(text))
        return _at(clamped(clock.now - total if text.startswith("-") else clock.now + total), text)
    found = _ABSOLUTE.fullmatch(text)
    day = read_day(found[1], clock.zone) if found else None
    if found is None or day is None:
        return None
    hours, minutes = int(found[2] or 0), int(found[3] or 0)
    if hours > 23 or minutes > 59:
        return None
    midnight = local(day.start + DAY // 2, clock.zone).replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    return _at(wall(midnight + timedelta(hours=hours, minutes=minutes), clock.zone), text)


def _at(moment: Instant, source: str | Function) -> TimeSpan:
    return TimeSpan(moment, moment + 1, source)


def date_function(call: Function, clock: Clock) -> TimeSpan | None:
    """The moment that a call such as `startOfDay(-1d)` names, None if it is not one of `DATE_FUNCTIONS` or wrong."""
    name = call.name.lower()
    if name not in DATE_FUNCTIONS or function_problem(call):
        return None
    if name == "now":
        return _at(clock.now, call)
    edge, unit = name.split("of")
    moment = _edge(clock, edge, unit)
    if call.arguments:
        moment = _incremented(moment, call.arguments[0], unit, clock.zone)
    return _at(moment, call)


def _edge(clock: Clock, edge: str, unit: str) -> Instant:
    """Where the current day, week, month or year starts, or its last millisecond."""
    first = local(clock.now, clock.zone).replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    if unit == "week":
        first -= timedelta(days=(first.weekday() + (clock.week_starts == "sunday")) % 7)
    elif unit == "month":
        first = first.replace(day=1)
    elif unit == "year":
        first = first.replace(month=1, day=1)
    return wall(first if edge == "start" else _next(first, unit) - timedelta(milliseconds=1), clock.zone)


def _next(first: datetime, unit: str) -> datetime:
    if unit == "year":
        return first.replace(year=first.year + 1)
    if unit == "month":
        return first.replace(year=first.year + first.month // 12, month=first.month % 12 + 1)
    return first + timedelta(days=7 if unit == "week" else 1)


def _incremented(moment: Instant, argument: str, unit: str, zone: str) -> Instant:
    """The edge moved by an increment whose unit, if left out, is the function's own."""
    found = _INCREMENT.fullmatch(argument)
    if found is None:
        return moment
    count = int(found[2]) * (-1 if found[1] == "-" else 1)
    step = found[3] or {"day": "d", "week": "w", "month": "M", "year": "y"}[unit]
    if step in _MONTHS:
        return moved(moment, zone, months=count * _MONTHS[step])
    return moved(moment, zone, seconds=count * _SECONDS[step])


def function_problem(call: Function) -> str:
    """What Jira says is wrong with a date function's arguments, empty if nothing is."""
    count = len(call.arguments)
    if call.name.lower() == "now":
        return f"Function '{call.name}' expected '0' arguments but received '{count}'." if count else ""
    if count > 1:
        return f"Function '{call.name}' expected between '0' and '1' arguments but received '{count}'."
    if count and not _INCREMENT.fullmatch(call.arguments[0]):
        return f"Duration for function '{call.name}' should have the format (+/-)n(yMwdm), e.g -1M for 1 month earlier."
    return ""
