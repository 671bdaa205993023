"""Schedules of who is on call, and whoever stands in for somebody."""

from collections.abc import Sequence

import orjson

from brownout.core.apps import Call
from brownout.core.instants import Duration, Instant
from brownout.core.rows import Row
from tools.ops import tables
from tools.ops.records.rows import row

__all__ = ["add_override", "add_schedule", "remove_override"]


def add_schedule(
    call: Call, name: str, *, covers: Sequence[str], rotation: Sequence[str], start: Instant, every: Duration, zone: str
) -> Row:
    """Make a schedule by which people take turns for the services that it covers."""
    key = call.rows.insert(
        tables.schedule,
        name=name,
        covers=orjson.dumps(list(covers)).decode(),
        rotation=orjson.dumps(list(rotation)).decode(),
        start_us=start,
        every_us=every,
        zone=zone,
    )
    return row(call, tables.schedule, key)


def add_override(call: Call, schedule: Row, person: str, *, start: Instant, end: Instant, who: str) -> Row:
    """Let somebody stand in for whoever it would be, and tell them."""
    key = call.rows.insert(
        tables.override,
        schedule=schedule.number("id"),
        person=person,
        start_us=start,
        end_us=end,
        who=who,
        at_us=call.now,
    )
    if person != who:
        text = f"{call.actor.name} put you on call for {schedule.text('name')}"
        call.reach(person, "assigned", f"ops:schedule/{schedule.text('name')}", text)
    return row(call, tables.override, key)


def remove_override(call: Call, override: Row) -> None:
    """Let the schedule hold again."""
    call.rows.delete(tables.override, override.number("id"))
