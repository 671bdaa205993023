"""Alerts, the notes on them, pages, and the stretches of time in which nobody is paged."""

from sqlalchemy import bindparam, select

from brownout.core.apps import Call
from brownout.core.instants import Instant
from brownout.core.rows import Row
from brownout.store import compile_query
from tools.ops import tables
from tools.ops.paths import alert_path, page_path
from tools.ops.records.known_rows import row
from tools.ops.records.services import service_of, user_of

__all__ = [
    "acknowledge",
    "add_note",
    "end_silence",
    "escalate",
    "is_silenced",
    "open_alert",
    "open_alerts",
    "page",
    "resolve",
    "silence",
]

_alert, _note, _page, _silence = tables.alert, tables.note, tables.page, tables.silence

_OPEN = compile_query(
    select(_alert).where(_alert.c.service == bindparam("service"), _alert.c.status != "resolved").order_by(_alert.c.id)
)
_SILENCED = compile_query(
    select(_silence.c.id).where(
        _silence.c.service == bindparam("service"),
        _silence.c.start_us <= bindparam("now"),
        _silence.c.end_us > bindparam("now"),
    )
)


def open_alerts(call: Call, service: Row) -> list[Row]:
    """The alerts of a service that are not resolved, oldest first."""
    return call.rows.all(_OPEN, service=service.number("id"))


def open_alert(
    call: Call, service: Row, *, rule: str, summary: str, details: str, severity: str, whom: tuple[str, ...]
) -> Row:
    """Open an alert and page those it goes to, the first of whom it is assigned to.

    While an alert of the same rule is open that one is meant, and nobody is paged again; nor in a silence.
    """
    for known in open_alerts(call, service):
        if known["rule"] == rule:
            return known
    name = service.text("name")
    key = call.rows.insert(
        _alert,
        service=service.number("id"),
        rule=rule,
        summary=summary,
        details=details,
        severity=severity,
        status="triggered",
        assigned=whom[0] if whom else "",
        at_us=call.now,
    )
    for person in () if is_silenced(call, service) else whom:
        call.reach(person, "page", alert_path(name, key), f"[{severity}] {summary}")
    return row(call, _alert, key)


def acknowledge(call: Call, alert: Row, *, who: str) -> Row:
    """Say that somebody is on it; the first who said so stays the one."""
    if alert["status"] == "triggered":
        call.rows.update(
            _alert, alert.number("id"), status="acknowledged", acknowledged_by=who, acknowledged_us=call.now
        )
    return row(call, _alert, alert.number("id"))


def resolve(call: Call, alert: Row, *, who: str) -> Row:
    """Close an alert; one that is resolved stays as it was."""
    if alert["status"] != "resolved":
        call.rows.update(_alert, alert.number("id"), status="resolved", resolved_by=who, resolved_us=call.now)
    return row(call, _alert, alert.number("id"))


def add_note(call: Call, alert: Row, *, who: str, text: str) -> Row:
    """Write a note on an alert and tell those who work on it."""
    key = call.rows.insert(_note, alert=alert.number("id"), who=who, text=text, at_us=call.now)
    path = alert_path(service_of(call, alert).text("name"), alert.number("id"))
    line = f"{_name(call, who)} on alert {alert.number('id')}: {text}"
    for person in sorted({alert.text("assigned"), alert.text("acknowledged_by")} - {"", who}):
        call.reach(person, "message", path, line)
    return row(call, _note, key)


def escalate(call: Call, alert: Row, *, who: str, whom: str, text: str) -> Row:
    """Give an alert to somebody else and page them; it is nobody's until they acknowledge it."""
    key = alert.number("id")
    call.rows.update(_alert, key, assigned=whom, status="triggered", acknowledged_by="", acknowledged_us=None)
    page(call, who=who, whom=whom, text=text or alert.text("summary"), urgency="high", alert=alert)
    return row(call, _alert, key)


def is_silenced(call: Call, service: Row) -> bool:
    """Whether nobody is to be paged for a service now."""
    return call.rows.scalar(_SILENCED, service=service.number("id"), now=call.now) is not None


def silence(call: Call, service: Row, *, start: Instant, end: Instant, reason: str, who: str) -> Row:
    """Let nobody be paged for a service in a stretch of time; its alerts are kept."""
    key = call.rows.insert(
        _silence, service=service.number("id"), start_us=start, end_us=end, reason=reason, who=who, at_us=call.now
    )
    return row(call, _silence, key)


def end_silence(call: Call, found: Row) -> Row:
    """End a silence now; one that has not begun never does."""
    key = found.number("id")
    call.rows.update(_silence, key, end_us=max(call.now, found.number("start_us")))
    return row(call, _silence, key)


def page(call: Call, *, who: str, whom: str, text: str, urgency: str, alert: Row | None) -> Row:
    """Page somebody."""
    about = alert.number("id") if alert else None
    key = call.rows.insert(_page, who=who, whom=whom, text=text, urgency=urgency, at_us=call.now, alert=about)
    call.reach(whom, "page", page_path(whom, key), f"{_name(call, who)}: {text}")
    return row(call, _page, key)


def _name(call: Call, person: str) -> str:
    found = user_of(call, person)
    return found.text("name") if found else person
