"""Looking at the services: the catalogue, who is on call, metrics, logs, and the vendors' status pages."""

from typing import Annotated, Literal

from pydantic import Field
from sqlalchemy import Integer, bindparam, select

from brownout.core.apps import Call
from brownout.core.instants import DAY, HOUR, MINUTE, iso
from brownout.core.operations import Operations
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject
from brownout.store import compile_query
from tools.ops import records, serializers, tables
from tools.ops.errors import invalid, not_found
from tools.ops.operation_arguments import Minutes, Moment, Service, service_called, unknown, window
from tools.ops.rota import on_call_for

__all__ = ["operations"]

operations = Operations("ops")

Metric = Literal["requests", "error_rate", "latency_p50", "latency_p95", "cpu", "connections", "outbound_calls"]

_UNITS: dict[str, str] = {
    "requests": "per second",
    "error_rate": "percent",
    "latency_p50": "ms",
    "latency_p95": "ms",
    "cpu": "percent",
    "connections": "count",
    "outbound_calls": "per second",
}
_MOST_POINTS = 500
_LONGEST_METRIC = 31 * DAY
_LONGEST_LOG = 24 * HOUR
_SHOWN_AFTER_RESOLVED = 7 * DAY
_INDICATORS = {
    "none": "All Systems Operational",
    "minor": "Minor Service Outage",
    "major": "Partial System Outage",
    "critical": "Major Service Outage",
}

_service, _vendor, _incident = tables.service, tables.vendor, tables.vendor_incident
_SERVICES = compile_query(select(_service).order_by(_service.c.name))
_VENDORS = compile_query(select(_vendor).order_by(_vendor.c.name))
_RECENT = compile_query(
    select(_incident, _vendor.c.name)
    .join(_vendor, _vendor.c.id == _incident.c.vendor)
    .where((_incident.c.status != "resolved") | (_incident.c.resolved_us >= bindparam("since", type_=Integer)))
    .order_by(_incident.c.id.desc())
)


@operations.read
def list_services(call: Call) -> Json:
    """List the services: what each is for, who owns it, what it runs, how it is."""
    return {"services": [serializers.service_json(call, row, whole=False) for row in call.rows.all(_SERVICES)]}


@operations.read
def get_service(call: Call, service: Service) -> Json:
    """Get a service: version, commit, dependencies and what each can fail over to, flags, health as monitoring measures it."""
    return serializers.service_json(call, service_called(call, service), whole=True)


@operations.read
def get_on_call(call: Call, service: str = "") -> Json:
    """See who is on call, for one service or for all."""
    rows = [service_called(call, service)] if service else call.rows.all(_SERVICES)
    listed: list[Json] = []
    for row in rows:
        user = records.user_of(call, on_call_for(call.rows, row, call.now))
        listed.append({"service": row.text("name"), "on_call": serializers.user_json(user) if user else None})
    return {"oncalls": listed}


@operations.read
def get_metrics(
    call: Call,
    service: Service,
    metric: Metric,
    minutes: Minutes = 60,
    since: Moment = "",
    until: Moment = "",
    step_minutes: Annotated[int, Field(ge=1, le=1_440)] = 1,
) -> Json:
    """Query a metric of a service as a time series.

    requests (a second), error_rate (percent of requests), latency_p50 and latency_p95 (ms), cpu (percent),
    connections (open, to its database), outbound_calls (a second, to what it needs, retries included).
    """
    name = service_called(call, service).text("name")
    span = window(call, minutes, since, until, longest=_LONGEST_METRIC)
    step = step_minutes * MINUTE
    if (span.until - span.since) // step > _MOST_POINTS:
        fits = -(-(span.until - span.since) // (_MOST_POINTS * MINUTE))
        raise invalid(f"That is more than {_MOST_POINTS} points; use step_minutes {fits} or more.")
    points = call.systems.metric(name, metric, span.since, span.until, step)
    return {
        "service": name,
        "metric": metric,
        "unit": _UNITS[metric],
        "step_minutes": step_minutes,
        "points": [{"at": iso(at), "value": value} for at, value in points],
    }


@operations.read
def get_logs(
    call: Call,
    service: Service,
    minutes: Minutes = 30,
    since: Moment = "",
    until: Moment = "",
    contains: Annotated[str, Field(description="In any case.")] = "",
    limit: Annotated[int, Field(description="The newest are kept.", ge=1, le=500)] = 50,
) -> Json:
    """Search a service's log, oldest line first."""
    name = service_called(call, service).text("name")
    span = window(call, minutes, since, until, longest=_LONGEST_LOG)
    lines = call.systems.logs(name, span.since, span.until, limit=limit + 1, contains=contains)
    return {
        "service": name,
        "lines": [{"at": iso(line.at), "level": line.level, "message": line.text} for line in lines[-limit:]],
        "older_left_out": len(lines) > limit,
    }


@operations.read
def list_vendor_status(call: Call, vendor: Annotated[str, Field(description="e.g. slack")] = "") -> Json:
    """Read what the vendors we depend on have posted on their status pages so far, which may be later than the trouble."""
    vendors = [row.text("name") for row in call.rows.all(_VENDORS)]
    asked = vendor.strip().rstrip("/")
    shown = [name for name in vendors if not asked or _is_part(name, asked)]
    if not shown:
        raise not_found(unknown("vendor", vendor, vendors))
    recent = call.rows.all(_RECENT, since=call.now - _SHOWN_AFTER_RESOLVED)
    return {"vendors": [_status_json(call, name, recent) for name in shown]}


@operations.read
def get_vendor_incident(
    call: Call, incident: Annotated[int, Field(description="Id from ops_list_vendor_status.", ge=1, le=1 << 53)]
) -> Json:
    """Read an incident on a vendor's status page with all that was posted, newest first."""
    found = call.rows.get(_incident, incident)
    if found is None:
        raise not_found(f"There is no vendor incident {incident}.")
    return serializers.vendor_incident_json(call, found, whole=True)


def _is_part(name: str, whole: str) -> bool:
    """Whether one is the other or a part of it: `aws-rds/eu-west-1` of `aws-rds`."""
    return name == whole or name.startswith(f"{whole}/")


def _status_json(call: Call, vendor: str, recent: list[Row]) -> JsonObject:
    """A status page; what a vendor says of the whole holds for its parts."""
    own = [row for row in recent if _is_part(vendor, row.text("name"))]
    worst = max(
        (records.IMPACTS.index(row.text("impact")) for row in own if row["status"] != "resolved"),
        default=0,
    )
    indicator = records.IMPACTS[worst]
    return {
        "vendor": vendor,
        "status": {"indicator": indicator, "description": _INDICATORS[indicator]},
        "incidents": [serializers.vendor_incident_json(call, row, whole=False) for row in own],
    }
