"""Responding when something breaks: alerts, notes on them, handing one on, and paging people."""

from typing import Annotated, Literal

import orjson
from pydantic import Field
from sqlalchemy import Integer, bindparam, select

from brownout.core.apps import Call
from brownout.core.operations import Operations
from brownout.core.rows import Row
from brownout.core.values import Json
from brownout.store import any_of, compile_query
from tools.ops import records, rota, serializers, tables
from tools.ops.errors import OpsError, invalid
from tools.ops.operation_arguments import (
    AlertId,
    Cursor,
    Limit,
    alert_numbered,
    before,
    me,
    page_of,
    service_called,
    user_called,
)

__all__ = ["operations"]

operations = Operations("ops")

Status = Literal["open", "triggered", "acknowledged", "resolved", "all"]

_STATUSES: dict[str, tuple[str, ...]] = {
    "open": ("triggered", "acknowledged"),
    "all": ("triggered", "acknowledged", "resolved"),
}
_alert, _page = tables.alert, tables.page
_service_wanted = bindparam("service", type_=Integer)
_ALERTS = compile_query(
    select(_alert)
    .where(
        (_service_wanted == 0) | (_alert.c.service == _service_wanted),
        any_of(_alert.c.status, "statuses"),
        _alert.c.id < bindparam("before"),
    )
    .order_by(_alert.c.id.desc())
    .limit(bindparam("most"))
)
_PAGES = compile_query(
    select(_page)
    .where((bindparam("whom") == "") | (_page.c.whom == bindparam("whom")), _page.c.id < bindparam("before"))
    .order_by(_page.c.id.desc())
    .limit(bindparam("most"))
)


@operations.read
def list_alerts(
    call: Call,
    status: Annotated[Status, Field(description="open is triggered or acknowledged.")] = "open",
    service: str = "",
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List alerts, newest first."""
    found = call.rows.all(
        _ALERTS,
        service=service_called(call, service).number("id") if service else 0,
        statuses=orjson.dumps(_STATUSES.get(status, (status,))).decode(),
        before=before("alert", cursor),
        most=limit + 1,
    )
    shown: list[Json] = [serializers.alert_json(call, row, whole=False) for row in found[:limit]]
    return page_of({"alerts": shown}, "alert", found, limit)


@operations.read
def get_alert(call: Call, alert: AlertId) -> Json:
    """Get an alert with its rule, its notes and the pages sent about it."""
    return serializers.alert_json(call, alert_numbered(call, alert), whole=True)


@operations.write(addition=True)
def acknowledge_alert(call: Call, alert: AlertId) -> Json:
    """Acknowledge an alert: you work on it. One that somebody acknowledged stays theirs."""
    found = _unresolved(call, alert)
    return serializers.alert_json(call, records.acknowledge(call, found, who=me(call).text("person")), whole=False)


@operations.write()
def resolve_alert(
    call: Call,
    alert: AlertId,
    note: Annotated[str, Field(description="What resolved it.", max_length=25_000)] = "",
) -> Json:
    """Resolve an alert. It ends the alert, not what made it fire."""
    found, who = _unresolved(call, alert), me(call).text("person")
    if note.strip():
        records.add_note(call, found, who=who, text=note)
    return serializers.alert_json(call, records.resolve(call, found, who=who), whole=False)


@operations.write(addition=True)
def add_alert_note(call: Call, alert: AlertId, text: Annotated[str, Field(min_length=1, max_length=25_000)]) -> Json:
    """Write a note on an alert."""
    return serializers.note_json(
        records.add_note(call, alert_numbered(call, alert), who=me(call).text("person"), text=text)
    )


@operations.write()
def escalate_alert(
    call: Call,
    alert: AlertId,
    to: Annotated[str, Field(description="Short name, address or name; empty for who is next.")] = "",
    text: Annotated[str, Field(description="Empty for the alert's words.", max_length=1_024)] = "",
) -> Json:
    """Hand an alert on to somebody, who is paged."""
    found, who = _unresolved(call, alert), me(call).text("person")
    service = records.service_of(call, found)
    if to.strip():
        whom = user_called(call, to).text("person")
    else:
        whom = rota.next_after(call.rows, service, call.now, found.text("assigned"))
    if not whom or whom == found["assigned"]:
        raise invalid(f"There is nobody else to hand alert {alert} on to; name somebody.")
    return serializers.alert_json(call, records.escalate(call, found, who=who, whom=whom, text=text), whole=True)


@operations.write(addition=True)
def page_person(
    call: Call,
    person: Annotated[str, Field(description="Short name, address or name.", min_length=1)],
    text: Annotated[str, Field(min_length=1, max_length=1_024)],
    urgency: Annotated[Literal["high", "low"], Field(description="high rings at any hour.")] = "high",
    alert: AlertId | None = None,
) -> Json:
    """Page somebody. Who is on call: ops_get_on_call."""
    sender, receiver = me(call), user_called(call, person)
    if sender["id"] == receiver["id"]:
        raise invalid("You cannot page yourself.")
    about = alert_numbered(call, alert) if alert is not None else None
    sent = records.page(
        call, who=sender.text("person"), whom=receiver.text("person"), text=text, urgency=urgency, alert=about
    )
    return serializers.page_json(sent)


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


def _unresolved(call: Call, alert: int) -> Row:
    found = alert_numbered(call, alert)
    if found["status"] == "resolved":
        raise OpsError(400, 1001, "Incident Already Resolved", f"Alert {alert} is resolved.")
    return found
