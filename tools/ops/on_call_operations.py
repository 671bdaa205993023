"""Who is on call: schedules, overrides, handing an alert on, who was paged; and silences, in which nobody is."""

from typing import Annotated

import orjson
from pydantic import Field
from sqlalchemy import Integer, bindparam, select

from brownout.core.apps import Call
from brownout.core.instants import DAY, MINUTE, Instant, duration_text, iso
from brownout.core.operations import Operations
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject
from brownout.store import compile_query
from tools.ops import records, rota, serializers, tables
from tools.ops.errors import OpsError, invalid, not_found
from tools.ops.operation_arguments import (
    AlertId,
    Cursor,
    Limit,
    Moment,
    Service,
    alert_numbered,
    before,
    me,
    moment,
    page_of,
    service_called,
    unknown,
    user_called,
)

__all__ = ["operations"]

operations = Operations("ops")

_page, _silence, _service = tables.page, tables.silence, tables.service
_PAGES = compile_query(
    select(_page)
    .where((bindparam("whom") == "") | (_page.c.whom == bindparam("whom")), _page.c.id < bindparam("before"))
    .order_by(_page.c.id.desc())
    .limit(bindparam("most"))
)
_SILENCES = compile_query(
    select(_silence, _service.c.name)
    .join(_service, _service.c.id == _silence.c.service)
    .where(_silence.c.end_us > bindparam("since", type_=Integer))
    .order_by(_silence.c.start_us, _silence.c.id)
)
_SCHEDULE_LONGEST = 92 * DAY
_SILENCE_LONGEST = 14 * DAY

Schedule = Annotated[str, Field(min_length=1, max_length=100)]
Key = Annotated[int, Field(ge=1, le=(1 << 53) - 1)]
Person = Annotated[str, Field(description="Short name, address or name.", min_length=1)]


# -- schedules ----------------------------------------------------------------------------------------------


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


# -- handing on ---------------------------------------------------------------------------------------------


@operations.write()
def escalate_alert(
    call: Call,
    alert: AlertId,
    to: Annotated[str, Field(description="Short name, address or name; empty for who is next.")] = "",
    text: Annotated[str, Field(description="Empty for the alert's words.", max_length=1_024)] = "",
) -> Json:
    """Hand an alert on to somebody, who is paged."""
    found, who = alert_numbered(call, alert), me(call).text("person")
    if found["status"] == "resolved":
        raise OpsError(400, 1001, "Incident Already Resolved", f"Alert {alert} is resolved.")
    service = records.service_of(call, found)
    if to.strip():
        whom = user_called(call, to).text("person")
    else:
        whom = rota.next_after(call.rows, service, call.now, found.text("assigned"))
    if not whom or whom == found["assigned"]:
        raise invalid(f"There is nobody else to hand alert {alert} on to; name somebody.")
    return serializers.alert_json(call, records.escalate(call, found, who=who, whom=whom, text=text), whole=True)


@operations.read
def list_pages(
    call: Call,
    person: Annotated[str, Field(description="Who was paged.")] = "",
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List the pages that people sent, newest first."""
    whom = user_called(call, person).text("person") if person.strip() else ""
    found = call.rows.all(_PAGES, whom=whom, before=before("page", cursor), most=limit + 1)
    return page_of({"pages": [serializers.page_json(row) for row in found[:limit]]}, "page", found, limit)


# -- silences -----------------------------------------------------------------------------------------------


@operations.read
def list_silences(call: Call, past: bool = False) -> Json:
    """List silences and maintenance windows: when nobody is paged for a service, and why."""
    rows = call.rows.all(_SILENCES, since=-1 if past else call.now)
    return {"silences": [_silence_json(call, row, row.text("name")) for row in rows]}


@operations.write()
def create_silence(
    call: Call,
    service: Service,
    reason: Annotated[str, Field(description="Why.", min_length=1, max_length=2_000)],
    minutes: Annotated[int, Field(ge=1, le=20_160)] = 60,
    since: Moment = "",
) -> Json:
    """Let nobody be paged for a service for a while, from now on or as a maintenance window later. Alerts are kept."""
    found, who = service_called(call, service), me(call).text("person")
    start = max(moment("since", since), call.now) if since else call.now
    end = start + minutes * MINUTE
    if start - call.now > _SCHEDULE_LONGEST or end - start > _SILENCE_LONGEST:
        raise invalid("A silence begins within 92 days and lasts 14 days at most.")
    made = records.silence(call, found, start=start, end=end, reason=reason, who=who)
    return _silence_json(call, made, found.text("name"))


@operations.write()
def end_silence(call: Call, silence: Annotated[Key, Field(description="Id from ops_list_silences.")]) -> Json:
    """End a silence now."""
    me(call)
    found = call.rows.get(_silence, silence)
    if found is None:
        raise not_found(f"There is no silence {silence}.")
    if found.number("end_us") <= call.now:
        raise invalid(f"Silence {silence} is over.")
    return _silence_json(call, records.end_silence(call, found), records.service_of(call, found).text("name"))


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


def _silence_json(call: Call, row: Row, service: str) -> JsonObject:
    start, end = row.number("start_us"), row.number("end_us")
    return {
        "id": row.number("id"),
        "service": service,
        "from": iso(start),
        "until": iso(end),
        "status": _status(call.now, start, end),
        "reason": row.text("reason"),
        "by": row.text("who"),
    }


def _status(now: Instant, start: Instant, end: Instant) -> str:
    return "over" if end <= now else "active" if start <= now else "planned"
