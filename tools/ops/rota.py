"""Who is on call when: by the schedules that cover a service, overrides first, else the person its catalogue entry names.

Of several schedules that cover a service the one made last goes first; where it has nobody, the one before says.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import orjson
from sqlalchemy import bindparam, select

from brownout.core.calendar_days import wall
from brownout.core.instants import Instant, local
from brownout.core.rows import Row, Rows
from brownout.store import compile_query
from tools.ops import tables

__all__ = ["Shift", "next_after", "on_call_for", "rotation_of", "schedule_named", "schedules", "shifts"]

_schedule, _override = tables.schedule, tables.override
_SCHEDULES = compile_query(select(_schedule).order_by(_schedule.c.id))
_OVERRIDES = compile_query(
    select(_override)
    .where(
        _override.c.schedule == bindparam("schedule"),
        _override.c.start_us < bindparam("until"),
        _override.c.end_us > bindparam("since"),
    )
    .order_by(_override.c.id.desc())
)


@dataclass(frozen=True, slots=True)
class Shift:
    """Somebody being on call for a while; `override` is the key of what puts them there, None for the rotation."""

    person: str
    start: Instant
    end: Instant
    override: int | None = None


def schedules(rows: Rows) -> list[Row]:
    """Every schedule, in the order they were made."""
    return rows.all(_SCHEDULES)


def schedule_named(rows: Rows, name: str) -> Row | None:
    """The schedule of that name, however it is written."""
    return next((row for row in schedules(rows) if row.text("name").lower() == name.strip().lower()), None)


def rotation_of(schedule: Row) -> list[str]:
    """Who takes turns, in their order."""
    return [str(name) for name in orjson.loads(schedule.text("rotation"))]


def on_call_for(rows: Rows, service: Row, at: Instant) -> str:
    """Who is on call for a service at a moment, empty for nobody."""
    return next((person for _, person in _on_call(rows, service, at)), service.text("on_call"))


def _on_call(rows: Rows, service: Row, at: Instant) -> Iterator[tuple[Row, str]]:
    """The schedules that have somebody for a service at a moment, each with whom; the one that goes first before others."""
    for schedule in reversed(schedules(rows)):
        if service["name"] in orjson.loads(schedule.text("covers")):
            found = shifts(rows, schedule, at, at + 1)
            if found:
                yield schedule, found[0].person


def next_after(rows: Rows, service: Row, at: Instant, person: str) -> str:
    """Whose turn comes after somebody's, empty where there is nobody else."""
    now = on_call_for(rows, service, at)
    for schedule, holder in _on_call(rows, service, at):
        turns = rotation_of(schedule)
        before = next((name for name in (person, now) if name in turns), "")
        after = turns.index(before) + 1 if before else 0
        others = [name for name in (*turns[after:], *turns[:after]) if name != person]
        if before == "" and holder != person:
            return holder
        if others:
            return others[0]
    return now if now != person else ""


def shifts(rows: Rows, schedule: Row, since: Instant, until: Instant) -> list[Shift]:
    """Who is on call from `since` to before `until`, overrides laid over the rotation, the latest made on top."""
    ends = schedule["end_us"]
    until = min(until, ends) if isinstance(ends, int) else until
    found = _turns(schedule, since, until)
    for row in reversed(rows.all(_OVERRIDES, schedule=schedule.number("id"), since=since, until=until)):
        start, end = max(row.number("start_us"), since), min(row.number("end_us"), until)
        stand_in = Shift(row.text("person"), start, end, row.number("id"))
        found = sorted([*_around(found, start, end), stand_in], key=lambda shift: shift.start)
    return found


def _around(found: Sequence[Shift], start: Instant, end: Instant) -> list[Shift]:
    """The shifts without what lies between two moments."""
    left = []
    for shift in found:
        for first, last in ((shift.start, min(shift.end, start)), (max(shift.start, end), shift.end)):
            if first < last:
                left.append(Shift(shift.person, first, last, shift.override))
    return left


def _turns(schedule: Row, since: Instant, until: Instant) -> list[Shift]:
    """The rotation's own shifts; they change hands at the same time of day, also when clocks change."""
    people, zone = rotation_of(schedule), schedule.text("zone")
    first = _wall(schedule.number("start_us"), zone)
    length, lasts = (timedelta(microseconds=schedule.number(name)) for name in ("every_us", "lasts_us"))
    number = max(0, (_wall(since, zone) - first) // length - 1)
    found: list[Shift] = []
    while (start := wall(first + number * length, zone)) < until:
        end = wall(first + number * length + lasts, zone)
        if end > since:
            found.append(Shift(people[number % len(people)], max(start, since), min(end, until)))
        number += 1
    return found


def _wall(at: Instant, zone: str) -> datetime:
    return local(at, zone).replace(tzinfo=None)
