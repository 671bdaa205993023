"""Looking across services: what hangs on what, and the logs of several at once."""

from typing import Annotated

from pydantic import Field
from sqlalchemy import bindparam, select

from brownout.core.apps import Call
from brownout.core.instants import HOUR, iso
from brownout.core.operations import Operations
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject
from brownout.store import compile_query
from tools.ops import serializers, tables
from tools.ops.operation_arguments import Minutes, Moment, Service, service_called, window

__all__ = ["operations"]

operations = Operations("ops")

_service, _need = tables.service, tables.need
_NEEDS = compile_query(select(_need).where(_need.c.service == bindparam("service")).order_by(_need.c.id))
_NEEDED_BY = compile_query(
    select(_service.c.id, _service.c.name, _need.c.name.label("resource"))
    .join(_need, _need.c.service == _service.c.id)
    .where(_need.c.target == bindparam("target"))
    .order_by(_service.c.name, _need.c.id)
)
_SERVICES = compile_query(select(_service).order_by(_service.c.name))
_LONGEST_LOG = 6 * HOUR


@operations.read
def get_dependencies(call: Call, service: Service) -> Json:
    """See what a service depends on now, down to the vendors, and what depends on it, and how our services are."""
    row = service_called(call, service)
    name = row.text("name")
    return {"service": name, "depends_on": _below(call, row, (name,)), "used_by": _above(call, name, (name,))}


@operations.read
def search_logs(
    call: Call,
    contains: Annotated[str, Field(description="In any case.", min_length=1, max_length=500)],
    services: Annotated[list[str], Field(max_length=50)] = [],  # noqa: B006 (a schema's default, never changed)
    minutes: Minutes = 30,
    since: Moment = "",
    until: Moment = "",
    limit: Annotated[int, Field(description="The newest are kept.", ge=1, le=500)] = 50,
) -> Json:
    """Search the logs of several services at once, oldest line first. At most six hours."""
    rows = [service_called(call, name) for name in dict.fromkeys(services)] or call.rows.all(_SERVICES)
    span = window(call, minutes, since, until, longest=_LONGEST_LOG)
    found = [
        (line.at, row.text("name"), line)
        for row in rows
        for line in call.systems.logs(row.text("name"), span.since, span.until, limit=limit + 1, contains=contains)
    ]
    found.sort(key=lambda each: each[:2])
    lines: list[Json] = [
        {"at": iso(line.at), "service": name, "level": line.level, "message": line.text}
        for _, name, line in found[-limit:]
    ]
    return {"lines": lines, "older_left_out": len(found) > limit}


def _below(call: Call, row: Row, path: tuple[str, ...]) -> list[Json]:
    found: list[Json] = []
    for need in call.rows.all(_NEEDS, service=row.number("id")):
        target = need.text("target")
        shown: JsonObject = {"resource": need.text("name"), "served_by": target}
        service = None if target in path else _service_named(call, target)
        if service is not None:
            shown["status"] = serializers.health_json(call.systems.health(target))["status"]
            shown["depends_on"] = _below(call, service, (*path, target))
        found.append(shown)
    return found


def _above(call: Call, name: str, path: tuple[str, ...]) -> list[Json]:
    found: list[Json] = []
    for row in call.rows.all(_NEEDED_BY, target=name):
        user = row.text("name")
        if user not in path:
            status = serializers.health_json(call.systems.health(user))["status"]
            shown: JsonObject = {"service": user, "resource": row.text("resource"), "status": status}
            found.append({**shown, "used_by": _above(call, user, (*path, user))})
    return found


def _service_named(call: Call, name: str) -> Row | None:
    return next((row for row in call.rows.all(_SERVICES) if row["name"] == name), None)
