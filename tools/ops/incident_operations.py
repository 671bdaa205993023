"""Our own incidents: the record of what is broken, what was done about it, and when people hear of it next."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Literal

import orjson
from pydantic import Field
from sqlalchemy import bindparam, exists, func, literal, select

from brownout.core.apps import Call
from brownout.core.operations import Operations
from brownout.core.values import Json
from brownout.store import any_of, compile_query
from tools.ops import records, serializers, tables
from tools.ops.errors import invalid, not_found
from tools.ops.operation_arguments import (
    Cursor,
    IncidentId,
    Limit,
    alert_numbered,
    before,
    incident_numbered,
    me,
    moment,
    need_target,
    page_of,
    service_called,
    unknown,
    user_called,
    user_named,
)
from tools.ops.records import Incident

__all__ = ["operations"]

operations = Operations("ops")

Status = Literal["investigating", "identified", "monitoring", "resolved"]
Severity = Literal["minor", "major", "critical"]
Title = Annotated[str, Field(min_length=1, max_length=200)]
Services = Annotated[list[str], Field(min_length=1, max_length=50)]
Message = Annotated[str, Field(max_length=10_000)]
People = Annotated[list[str], Field(max_length=50)]
Subscribers = Annotated[list[str], Field(description="Users and teams.", max_length=50)]
Ticket = Annotated[str, Field(max_length=40, pattern=r"^[A-Z][A-Z0-9_]*-[1-9][0-9]*$")]
Tickets = Annotated[list[Ticket], Field(description="e.g. OPS-12", max_length=50)]
Alerts = Annotated[list[int], Field(max_length=100)]
When = Annotated[str, Field(description="ISO 8601; UTC without an offset.", max_length=40)]

_incident = tables.incident
_service_of = func.json_each(_incident.c.services).table_valued("value", name="affected")
_INCIDENTS = compile_query(
    select(_incident)
    .where(
        any_of(_incident.c.status, "statuses"),
        (bindparam("service") == "")
        | exists(select(literal(1)).select_from(_service_of).where(_service_of.c.value == bindparam("service"))),
        _incident.c.id < bindparam("before"),
    )
    .order_by(_incident.c.id.desc())
    .limit(bindparam("most"))
)
_STATUSES = {"open": records.STATUSES[:-1], "all": records.STATUSES}


@operations.read
def list_incidents(
    call: Call,
    status: Annotated[Status | Literal["open", "all"], Field(description="open is any but resolved.")] = "open",
    service: str = "",
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List our incidents, newest first. Those of vendors: ops_list_vendor_status."""
    found = call.rows.all(
        _INCIDENTS,
        statuses=orjson.dumps(_STATUSES.get(status, (status,))).decode(),
        service=service_called(call, service).text("name") if service else "",
        before=before("incident", cursor),
        most=limit + 1,
    )
    shown: list[Json] = [serializers.incident_json(call, row, whole=False) for row in found[:limit]]
    return page_of({"incidents": shown}, "incident", found, limit)


@operations.read
def get_incident(call: Call, incident: IncidentId) -> Json:
    """Get one of our incidents with its alerts and its timeline, newest first."""
    return serializers.incident_json(call, incident_numbered(call, incident), whole=True)


@operations.write(addition=True)
def open_incident(
    call: Call,
    title: Title,
    severity: Severity,
    services: Services,
    message: Message = "",
    status: Status = "investigating",
    started_at: Annotated[When, Field(description="ISO 8601; empty for now.")] = "",
    next_update_at: Annotated[When, Field(description="ISO 8601; empty for none.")] = "",
    commander: Annotated[str, Field(description="Empty for you.", max_length=200)] = "",
    responders: People = [],  # noqa: B006 (a schema's default, never changed)
    subscribers: Subscribers = [],  # noqa: B006 (a schema's default, never changed)
    tickets: Tickets = [],  # noqa: B006 (a schema's default, never changed)
    alerts: Alerts = [],  # noqa: B006 (a schema's default, never changed)
) -> Json:
    """Open an incident. Those who work on it and its subscribers are told; nobody outside sees it."""
    who = me(call).text("person")
    started = moment("started_at", started_at) if started_at else call.now
    if started > call.now:
        raise invalid("'started_at' must not be in the future.")
    new = Incident(
        title=title,
        severity=severity,
        status=status,
        services=_services(call, services),
        started=started,
        next_update=_promise(call, next_update_at, status),
        commander=_user(call, commander) if commander else who,
        responders=_users(call, responders),
        subscribers=_subscribers(call, subscribers),
        tickets=tuple(dict.fromkeys(tickets)),
    )
    linked = [alert_numbered(call, number) for number in alerts]
    return serializers.incident_json(
        call, records.open_incident(call, new, who=who, message=message.strip(), alerts=linked), whole=True
    )


@operations.write()
def update_incident(
    call: Call,
    incident: IncidentId,
    message: Message = "",
    status: Status | None = None,
    title: Title | None = None,
    severity: Severity | None = None,
    services: Services | None = None,
    mitigation: Annotated[str | None, Field(max_length=10_000)] = None,
    runs_on: Annotated[
        list[Annotated[str, Field(max_length=300)]],
        Field(description="e.g. checkout.database=dbhost/region-2", max_length=50),
    ] = [],  # noqa: B006 (a schema's default, never changed)
    next_update_at: Annotated[When | None, Field(description="ISO 8601; empty takes it back.")] = None,
    commander: Annotated[str | None, Field(min_length=1, max_length=200)] = None,
    responders: People | None = None,
    subscribers: Subscribers | None = None,
    tickets: Tickets | None = None,
    alerts: Alerts = [],  # noqa: B006 (a schema's default, never changed)
) -> Json:
    """Post an update on an incident and change its record; what is not given stays, a given list replaces.

    Those who work on it and its subscribers are told. A resolved incident promises no next update.
    """
    found, who = incident_numbered(call, incident), me(call).text("person")
    old = records.incident_of(call, found)
    new = replace(old, status=status or old.status, title=title or old.title, severity=severity or old.severity)
    if services is not None:
        new = replace(new, services=_services(call, services))
    if mitigation is not None:
        new = replace(new, mitigation=mitigation.strip())
    if runs_on:
        new = replace(new, runs_on={**old.runs_on, **dict(need_target(call, text) for text in runs_on)})
    if next_update_at is not None:
        new = replace(new, next_update=_promise(call, next_update_at, new.status))
    if commander is not None:
        new = replace(new, commander=_user(call, commander))
    if responders is not None:
        new = replace(new, responders=_users(call, responders))
    if subscribers is not None:
        new = replace(new, subscribers=_subscribers(call, subscribers))
    if tickets is not None:
        new = replace(new, tickets=tuple(dict.fromkeys(tickets)))
    linked = [alert_numbered(call, number) for number in alerts]
    is_linked = all(alert["incident"] == found["id"] for alert in linked)
    if new == old and is_linked and not message.strip():
        raise invalid("Nothing of the incident would change; expected a message or a field that is another one.")
    made = records.update_incident(call, found, new, who=who, message=message.strip(), alerts=linked)
    return serializers.incident_json(call, made, whole=True)


def _promise(call: Call, text: str, status: str) -> int | None:
    if not text.strip():
        return None
    if status == "resolved":
        raise invalid("A resolved incident has no next update; leave 'next_update_at' out.")
    due = moment("next_update_at", text)
    if due <= call.now:
        raise invalid(f"'next_update_at' is '{text}'; expected a time to come.")
    return due


def _services(call: Call, names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(service_called(call, name).text("name") for name in names))


def _user(call: Call, name: str) -> str:
    return user_called(call, name).text("person")


def _users(call: Call, names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_user(call, name) for name in names))


def _subscribers(call: Call, names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_subscriber(call, name) for name in names))


def _subscriber(call: Call, name: str) -> str:
    """A team by its name, `#` or the company's domain beside it or not; else a user."""
    team = name.strip().lower().lstrip("#@").partition("@")[0]
    user = user_named(call, name)
    if user is not None:
        return user.text("person")
    if records.members_of(call, team):
        return team
    raise not_found(unknown("team", name, list(records.team_names(call))))
