"""Schedules of who is on call, and whoever stands in for somebody."""

from dataclasses import dataclass

import orjson

from brownout.core.apps import Call
from brownout.core.instants import Duration, Instant
from brownout.core.rows import Row, Value
from tools.ops import tables
from tools.ops.paths import schedule_path
from tools.ops.records.known_rows import row

__all__ = ["Turns", "add_override", "add_schedule", "end_schedule", "remove_override"]


@dataclass(frozen=True, slots=True)
class Turns:
    """How people take turns for the services that a schedule covers.

    Attributes:
        start: the first turn's beginning.
        every: from one turn's beginning to the next one's.
        lasts: how much of a turn somebody is on call.
        end: when the schedule ends, None where it goes on.
    """

    covers: tuple[str, ...]
    rotation: tuple[str, ...]
    start: Instant
    every: Duration
    lasts: Duration
    zone: str
    end: Instant | None = None

    def columns(self) -> dict[str, Value]:
        """The turns as a schedule's row has them."""
        return {
            "covers": orjson.dumps(self.covers).decode(),
            "rotation": orjson.dumps(self.rotation).decode(),
            "start_us": self.start,
            "every_us": self.every,
            "lasts_us": self.lasts,
            "end_us": self.end,
            "zone": self.zone,
        }


def add_schedule(call: Call, name: str, turns: Turns) -> Row:
    """Make a schedule by which people take turns."""
    return row(call, tables.schedule, call.rows.insert(tables.schedule, name=name, **turns.columns()))


def end_schedule(call: Call, schedule: Row, end: Instant) -> None:
    """Let a schedule end then, unless it ends before."""
    ends = schedule["end_us"]
    if not isinstance(ends, int) or ends > end:
        call.rows.update(tables.schedule, schedule.number("id"), end_us=end)


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
        call.reach(person, "assigned", schedule_path(schedule.text("name")), text)
    return row(call, tables.override, key)


def remove_override(call: Call, override: Row) -> None:
    """Let the schedule hold again."""
    call.rows.delete(tables.override, override.number("id"))
