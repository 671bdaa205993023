"""Who is on call when: by the schedule that covers a service, overrides first, else the person its catalogue entry names."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import orjson
from sqlalchemy import bindparam, select

from brownout.core.instants import Instant, local
from brownout.core.rows import Row, Rows
from brownout.store import compile_query
from tools.ops import tables
from tools.search.dates import wall

__all__ = ["Shift", "next_after", "on_call_for", "rotation_of", "schedule_for", "schedules", "shifts"]

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


def schedule_for(rows: Rows, service: str) -> Row | None:
    """The schedule that covers a service."""
    return next((row for row in schedules(rows) if service in orjson.loads(row.text("covers"))), None)


def rotation_of(schedule: Row) -> list[str]:
    """Who takes turns, in their order."""
    return [str(name) for name in orjson.loads(schedule.text("rotation"))]


def on_call_for(rows: Rows, service: Row, at: Instant) -> str:
    """Who is on call for a service at a moment, empty for nobody."""
    schedule = schedule_for(rows, service.text("name"))
    if schedule is None:
        return service.text("on_call")
    found = shifts(rows, schedule, at, at + 1)
    return found[0].person if found else ""


def next_after(rows: Rows, service: Row, at: Instant, person: str) -> str:
    """Whose turn comes after somebody's, empty where there is nobody else."""
    schedule = schedule_for(rows, service.text("name"))
    turns = rotation_of(schedule) if schedule else []
    now = on_call_for(rows, service, at)
    place = turns.index(person) if person in turns else turns.index(now) if now in turns else -1
    others = [name for name in (*turns[place + 1 :], *turns[: place + 1]) if name != person]
    return others[0] if others else (now if now != person else "")


def shifts(rows: Rows, schedule: Row, since: Instant, until: Instant) -> list[Shift]:
    """Who is on call from `since` to before `until`, overrides laid over the rotation, the latest made on top."""
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
    length = timedelta(microseconds=schedule.number("every_us"))
    number = max(0, (_wall(since, zone) - first) // length - 1)
    found: list[Shift] = []
    while (start := wall(first + number * length, zone)) < until:
        end = wall(first + (number + 1) * length, zone)
        if end > since:
            found.append(Shift(people[number % len(people)], max(start, since), min(end, until)))
        number += 1
    return found


def _wall(at: Instant, zone: str) -> datetime:
    return local(at, zone).replace(tzinfo=None)
