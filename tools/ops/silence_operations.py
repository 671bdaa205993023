"""Silences and maintenance windows: when nobody is paged for a service. Alerts are kept all the same."""

from typing import Annotated

from pydantic import Field
from sqlalchemy import Integer, bindparam, select

from brownout.core.apps import Call
from brownout.core.instants import DAY, MINUTE, Instant, iso
from brownout.core.operations import Operations
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject
from brownout.store import compile_query
from tools.ops import records, tables
from tools.ops.errors import invalid, not_found
from tools.ops.operation_arguments import Key, Moment, Service, me, moment, service_called

__all__ = ["operations"]

operations = Operations("ops")

_silence, _service = tables.silence, tables.service
_SILENCES = compile_query(
    select(_silence, _service.c.name)
    .join(_service, _service.c.id == _silence.c.service)
    .where(_silence.c.end_us > bindparam("since", type_=Integer))
    .order_by(_silence.c.start_us, _silence.c.id)
)
_PLANNED_AHEAD = 92 * DAY
_LONGEST = 14 * DAY


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
    if start - call.now > _PLANNED_AHEAD or end - start > _LONGEST:
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
