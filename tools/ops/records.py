"""The only writer of the ops tables, for operations, for the people of the world and for what watches its services."""

from collections.abc import Iterable
from typing import Literal, TypeAlias

import orjson
from sqlalchemy import Table, bindparam, select

from brownout.core.apps import Call
from brownout.core.calls import Account
from brownout.core.instants import Instant
from brownout.core.rows import Row
from brownout.store import compile_query
from tools.ops import tables
from tools.ops.paths import alert_path, page_path

__all__ = [
    "IMPACTS",
    "STATUSES",
    "acknowledge",
    "add_flag",
    "add_need",
    "add_note",
    "add_release",
    "add_service",
    "add_user",
    "add_vendor",
    "deploy",
    "fail_over",
    "flag_of",
    "need_of",
    "open_alert",
    "open_alerts",
    "options_of",
    "page",
    "post_update",
    "release_of",
    "resolve",
    "restart",
    "service_named",
    "service_of",
    "set_flag",
    "start_incident",
    "unresolved_incident",
    "user_of",
    "vendor_named",
]

DeployKind: TypeAlias = Literal["deploy", "rollback"]

IMPACTS = ("none", "minor", "major", "critical")
STATUSES = ("investigating", "identified", "monitoring", "resolved")
"""The words of Statuspage, where most vendors keep their status."""

_user, _service, _need, _flag, _release = tables.user, tables.service, tables.need, tables.flag, tables.release
_deploy, _alert, _note, _page = tables.deploy, tables.alert, tables.note, tables.page
_vendor, _incident, _update = tables.vendor, tables.incident, tables.update

_USER = compile_query(select(_user).where(_user.c.person == bindparam("person")))
_SERVICE = compile_query(select(_service).where(_service.c.name == bindparam("name")))
_NEED = compile_query(select(_need).where(_need.c.service == bindparam("service"), _need.c.name == bindparam("name")))
_FLAG = compile_query(select(_flag).where(_flag.c.service == bindparam("service"), _flag.c.name == bindparam("name")))
_RELEASE = compile_query(
    select(_release).where(_release.c.service == bindparam("service"), _release.c.version == bindparam("version"))
)
_OPEN = compile_query(
    select(_alert).where(_alert.c.service == bindparam("service"), _alert.c.status != "resolved").order_by(_alert.c.id)
)
_VENDOR = compile_query(select(_vendor).where(_vendor.c.name == bindparam("name")))
_UNRESOLVED = compile_query(
    select(_incident)
    .where(_incident.c.vendor == bindparam("vendor"), _incident.c.status != "resolved")
    .order_by(_incident.c.id.desc())
    .limit(1)
)


# -- people and services ------------------------------------------------------------------------------------


def add_user(call: Call, account: Account) -> int:
    """Make somebody's account."""
    return call.rows.insert(_user, person=account.person, name=account.name, email=account.email, role=account.role)


def user_of(call: Call, person: str) -> Row | None:
    """The account of somebody in the world, None for those who have none."""
    return call.rows.one(_USER, person=person)


def add_service(
    call: Call,
    name: str,
    *,
    says: str,
    team: str,
    on_call: str,
    repo: str,
    version: str,
    commit: str,
    released: Instant | None = None,
) -> Row:
    """Put a service into the catalogue, running the release it is set up with, which was made then or now."""
    key = call.rows.insert(
        _service, name=name, says=says, team=team, on_call=on_call, repo=repo, version=version, commit=commit
    )
    made = _row(call, _service, key)
    add_release(call, made, version, commit, who="", note="", at=released)
    return made


def service_named(call: Call, name: str) -> Row | None:
    return call.rows.one(_SERVICE, name=name)


def service_of(call: Call, owned: Row) -> Row:
    """The service that a need, flag, release, deploy or alert belongs to."""
    return _row(call, _service, owned.number("service"))


def add_need(call: Call, service: Row, name: str, target: str, options: Iterable[str]) -> int:
    """Say what a service depends on, and all that it could depend on; what serves it now is one of these."""
    listed = list(dict.fromkeys((target, *options)))
    return call.rows.insert(
        _need, service=service.number("id"), name=name, target=target, options=orjson.dumps(listed).decode()
    )


def need_of(call: Call, service: Row, name: str) -> Row | None:
    return call.rows.one(_NEED, service=service.number("id"), name=name)


def options_of(need: Row) -> list[str]:
    """What could serve a need, what serves it now included."""
    return [str(option) for option in orjson.loads(need.text("options"))]


def add_flag(call: Call, service: Row, name: str, *, is_on: bool) -> int:
    return call.rows.insert(_flag, service=service.number("id"), name=name, is_on=int(is_on))


def flag_of(call: Call, service: Row, name: str) -> Row | None:
    return call.rows.one(_FLAG, service=service.number("id"), name=name)


# -- changes to what runs -----------------------------------------------------------------------------------


def add_release(
    call: Call, service: Row, version: str, commit: str, *, who: str, note: str, at: Instant | None = None
) -> Row:
    """Make a version that can be deployed."""
    at = call.now if at is None else at
    key = call.rows.insert(
        _release, service=service.number("id"), version=version, commit=commit, at_us=at, who=who, note=note
    )
    return _row(call, _release, key)


def release_of(call: Call, service: Row, version: str) -> Row | None:
    return call.rows.one(_RELEASE, service=service.number("id"), version=version)


def deploy(call: Call, service: Row, release: Row, *, kind: DeployKind, who: str, note: str) -> Row:
    """Let a service run a release, newer or older than the one that runs."""
    version = release.text("version")
    call.rows.update(_service, service.number("id"), version=version, commit=release.text("commit"))
    return _changed(call, service, kind, version=version, who=who, note=note)


def fail_over(call: Call, service: Row, need: Row, target: str, *, who: str, note: str) -> Row:
    """Let something else serve a need."""
    call.rows.update(_need, need.number("id"), target=target)
    name, old = need.text("name"), need.text("target")
    return _changed(call, service, "failover", subject=name, old=old, new=target, who=who, note=note)


def set_flag(call: Call, service: Row, flag: Row, *, is_on: bool, who: str, note: str) -> Row:
    """Turn a feature flag on or off."""
    call.rows.update(_flag, flag.number("id"), is_on=int(is_on))
    old, new = ("on" if flag["is_on"] else "off"), ("on" if is_on else "off")
    return _changed(call, service, "flag", subject=flag.text("name"), old=old, new=new, who=who, note=note)


def restart(call: Call, service: Row, *, who: str, note: str) -> Row:
    """Restart a service as it is."""
    return _changed(call, service, "restart", who=who, note=note)


def _changed(
    call: Call,
    service: Row,
    kind: str,
    *,
    version: str = "",
    subject: str = "",
    old: str = "",
    new: str = "",
    who: str,
    note: str,
) -> Row:
    """The line that a change leaves in the service's history."""
    before = service.text("version")
    key = call.rows.insert(
        _deploy,
        service=service.number("id"),
        kind=kind,
        version=version or before,
        from_version=before,
        subject=subject,
        old=old,
        new=new,
        at_us=call.now,
        who=who,
        note=note,
    )
    return _row(call, _deploy, key)


# -- alerts and pages ---------------------------------------------------------------------------------------


def open_alerts(call: Call, service: Row) -> list[Row]:
    """The alerts of a service that are not resolved, oldest first."""
    return call.rows.all(_OPEN, service=service.number("id"))


def open_alert(
    call: Call, service: Row, *, rule: str, summary: str, details: str, severity: str, whom: tuple[str, ...]
) -> Row:
    """Open an alert and page those it goes to, the first of whom it is assigned to.

    While an alert of the same rule is open that one is meant, and nobody is paged again.
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
    for person in whom:
        call.reach(person, "page", alert_path(name, key), f"[{severity}] {summary}")
    return _row(call, _alert, key)


def acknowledge(call: Call, alert: Row, *, who: str) -> Row:
    """Say that somebody is on it; the first who said so stays the one."""
    if alert["status"] == "triggered":
        call.rows.update(
            _alert, alert.number("id"), status="acknowledged", acknowledged_by=who, acknowledged_us=call.now
        )
    return _row(call, _alert, alert.number("id"))


def resolve(call: Call, alert: Row, *, who: str) -> Row:
    """Close an alert; one that is resolved stays as it was."""
    if alert["status"] != "resolved":
        call.rows.update(_alert, alert.number("id"), status="resolved", resolved_by=who, resolved_us=call.now)
    return _row(call, _alert, alert.number("id"))


def add_note(call: Call, alert: Row, *, who: str, text: str) -> Row:
    """Write a note on an alert and tell those who work on it."""
    key = call.rows.insert(_note, alert=alert.number("id"), who=who, text=text, at_us=call.now)
    path = alert_path(service_of(call, alert).text("name"), alert.number("id"))
    line = f"{_name(call, who)} on alert {alert.number('id')}: {text}"
    for person in sorted({alert.text("assigned"), alert.text("acknowledged_by")} - {"", who}):
        call.reach(person, "message", path, line)
    return _row(call, _note, key)


def page(call: Call, *, who: str, whom: str, text: str, urgency: str, alert: Row | None) -> Row:
    """Page somebody."""
    about = alert.number("id") if alert else None
    key = call.rows.insert(_page, who=who, whom=whom, text=text, urgency=urgency, at_us=call.now, alert=about)
    call.reach(whom, "page", page_path(whom, key), f"{_name(call, who)}: {text}")
    return _row(call, _page, key)


# -- vendors' status pages ----------------------------------------------------------------------------------


def vendor_named(call: Call, name: str) -> Row | None:
    return call.rows.one(_VENDOR, name=name)


def add_vendor(call: Call, name: str) -> Row:
    """Follow a vendor's status page; harmless where it is followed already."""
    return vendor_named(call, name) or _row(call, _vendor, call.rows.insert(_vendor, name=name))


def unresolved_incident(call: Call, vendor: Row) -> Row | None:
    """The newest incident that a vendor has not resolved."""
    return call.rows.one(_UNRESOLVED, vendor=vendor.number("id"))


def start_incident(call: Call, vendor: Row, *, title: str, impact: str) -> Row:
    """Let a vendor say that something is wrong; what it says follows as its first update."""
    key = call.rows.insert(
        _incident,
        vendor=vendor.number("id"),
        title=title,
        impact=impact,
        status="investigating",
        started_us=call.now,
    )
    return _row(call, _incident, key)


def post_update(call: Call, incident: Row, *, status: str, impact: str, body: str) -> Row:
    """Let a vendor say how an incident goes on; `resolved` ends it."""
    key = incident.number("id")
    call.rows.insert(_update, incident=key, status=status, body=body, at_us=call.now)
    resolved = call.now if status == "resolved" else None
    call.rows.update(_incident, key, status=status, impact=impact, resolved_us=resolved)
    return _row(call, _incident, key)


def _row(call: Call, table: Table, key: int) -> Row:
    found = call.rows.get(table, key)
    assert found is not None, (str(table.name), key)
    return found


def _name(call: Call, person: str) -> str:
    found = user_of(call, person)
    return found.text("name") if found else person
