"""Who is on call: schedules, and overrides of their shifts."""

from typing import Annotated

import orjson
from pydantic import Field

from brownout.core.apps import Call
from brownout.core.instants import DAY, duration_text, iso
from brownout.core.operations import Operations
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject
from tools.ops import records, rota, tables
from tools.ops.errors import invalid, not_found
from tools.ops.operation_arguments import (
    Key,
    Moment,
    me,
    moment,
    unknown,
    user_called,
)

__all__ = ["operations"]

operations = Operations("ops")

_SCHEDULE_LONGEST = 92 * DAY

Schedule = Annotated[str, Field(min_length=1, max_length=100)]
Person = Annotated[str, Field(description="Short name, address or name.", min_length=1)]


@operations.read
def list_schedules(call: Call) -> Json:
    """List the on-call schedules: the services that each covers, who takes turns, who is on call now.

    Of several that cover a service the last listed goes first; where it has nobody, the one before.
    """
    return {"schedules": [_schedule_json(call, row) for row in _standing(call)]}


@operations.read
def get_schedule(
    call: Call,
    schedule: Schedule,
    since: Moment = "",
    days: Annotated[int, Field(ge=1, le=92)] = 14,
) -> Json:
    """See who is on call when: shifts in their order, with the overrides in them; from now on unless told otherwise."""
    found = _schedule_called(call, schedule)
    start = moment("since", since) if since else call.now
    shown: list[Json] = [
        {
            "user": shift.person,
            "from": iso(shift.start),
            "until": iso(shift.end),
            "override": shift.override,
        }
        for shift in rota.shifts(call.rows, found, start, start + days * DAY)
    ]
    return {**_schedule_json(call, found), "shifts": shown}


@operations.write()
def create_override(call: Call, schedule: Schedule, person: Person, since: Moment, until: Moment) -> Json:
    """Let somebody stand in on a schedule for a while, whoever's turn it is. They are told."""
    found, user = _schedule_called(call, schedule), user_called(call, person)
    start, end = moment("since", since), moment("until", until)
    if not start < end or end <= call.now:
        raise invalid("'since' must be before 'until', and 'until' in the future.")
    if end - start > _SCHEDULE_LONGEST:
        raise invalid("An override lasts 92 days at most.")
    who = me(call).text("person")
    made = records.add_override(call, found, user.text("person"), start=start, end=end, who=who)
    return _override_json(found, made)


@operations.write()
def delete_override(call: Call, override: Annotated[Key, Field(description="Id from ops_get_schedule.")]) -> Json:
    """Take back an override; the schedule holds again."""
    me(call)
    found = call.rows.get(tables.override, override)
    if found is None:
        raise not_found(f"There is no override {override}.")
    records.remove_override(call, found)
    return {"deleted": override}


def _schedule_called(call: Call, name: str) -> Row:
    found = rota.schedule_named(call.rows, name)
    if found is None:
        raise not_found(unknown("schedule", name, [row.text("name") for row in _standing(call)]))
    return found


def _standing(call: Call) -> list[Row]:
    """The schedules that have not ended."""
    ends = [(row, row["end_us"]) for row in rota.schedules(call.rows)]
    return [row for row, end in ends if not isinstance(end, int) or end > call.now]


def _schedule_json(call: Call, row: Row) -> JsonObject:
    now, end = rota.shifts(call.rows, row, call.now, call.now + 1), row["end_us"]
    return {
        "name": row.text("name"),
        "covers": orjson.loads(row.text("covers")),
        "rotation": orjson.loads(row.text("rotation")),
        "time_zone": row.text("zone"),
        "from": iso(row.number("start_us")),
        "until": iso(end) if isinstance(end, int) else None,
        "turn": duration_text(row.number("every_us")),
        "shift": duration_text(row.number("lasts_us")),
        "on_call": now[0].person if now else None,
    }


def _override_json(schedule: Row, row: Row) -> JsonObject:
    return {
        "id": row.number("id"),
        "schedule": schedule.text("name"),
        "user": row.text("person"),
        "from": iso(row.number("start_us")),
        "until": iso(row.number("end_us")),
        "by": row.text("who"),
    }
