"""Rows as the ops products' JSON. Times are UTC; people are their short names."""

from collections.abc import Mapping

import orjson
from sqlalchemy import bindparam, func, select

from brownout.core.apps import Call, Health
from brownout.core.instants import iso
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject
from brownout.store import compile_query
from tools.ops import records, tables
from tools.ops.rota import on_call_for

__all__ = [
    "alert_json",
    "change_json",
    "component_json",
    "health_json",
    "incident_json",
    "note_json",
    "page_json",
    "post_json",
    "release_json",
    "service_json",
    "user_json",
    "vendor_incident_json",
]

_need, _flag, _note, _page, _update = tables.need, tables.flag, tables.note, tables.page, tables.vendor_update
_NEEDS = compile_query(select(_need).where(_need.c.service == bindparam("service")).order_by(_need.c.id))
_FLAGS = compile_query(select(_flag).where(_flag.c.service == bindparam("service")).order_by(_flag.c.id))
_USED_BY = compile_query(
    select(tables.service.c.name)
    .distinct()
    .join(_need, _need.c.service == tables.service.c.id)
    .where(_need.c.target == bindparam("name"))
    .order_by(tables.service.c.name)
)
_OPEN = compile_query(
    select(func.count())
    .select_from(tables.alert)
    .where(tables.alert.c.service == bindparam("service"), tables.alert.c.status != "resolved")
)
_NOTES = compile_query(select(_note).where(_note.c.alert == bindparam("alert")).order_by(_note.c.id))
_PAGES = compile_query(select(_page).where(_page.c.alert == bindparam("alert")).order_by(_page.c.id))
_UPDATES = compile_query(
    select(_update).where(_update.c.incident == bindparam("incident")).order_by(_update.c.id.desc())
)
_INCIDENT_UPDATES = compile_query(
    select(tables.incident_update)
    .where(tables.incident_update.c.incident == bindparam("incident"))
    .order_by(tables.incident_update.c.number.desc())
)
_INCIDENT_ALERTS = compile_query(
    select(tables.alert.c.id, tables.alert.c.summary, tables.alert.c.status)
    .where(tables.alert.c.incident == bindparam("incident"))
    .order_by(tables.alert.c.id)
)
_POST_UPDATES = compile_query(
    select(tables.post_update)
    .where(tables.post_update.c.post == bindparam("post"))
    .order_by(tables.post_update.c.id.desc())
)
_MOMENTS = ("started_at", "next_update_at")
_HEALTH_WORDS = {"ok": "healthy", "slow": "degraded", "errors": "degraded", "down": "down"}


def health_json(health: Health) -> JsonObject:
    """What monitoring sees of a service. It measures; it does not know why."""
    return {
        "status": _HEALTH_WORDS[health.state],
        "since": iso(health.since) if health.since else None,
        "error_rate": health.error_percent,
        "latency_ms": health.latency_ms,
        "load_percent": health.load_percent,
    }


def service_json(call: Call, row: Row, *, whole: bool) -> JsonObject:
    """A service; the whole one has its dependencies, flags and health too."""
    key, name = row.number("id"), row.text("name")
    health = call.systems.health(name)
    shown: JsonObject = {
        "name": name,
        "description": row.text("says"),
        "team": row.text("team"),
        "on_call": on_call_for(call.rows, row, call.now) or None,
        "repository": row.text("repo") or None,
        "version": row.text("version"),
        "open_alerts": call.rows.scalar(_OPEN, service=key),  # type: ignore[dict-item]
    }
    if not whole:
        return {**shown, "status": _HEALTH_WORDS[health.state]}
    return {
        **shown,
        "commit": row.text("commit") or None,
        "dependencies": [_need_json(need) for need in call.rows.all(_NEEDS, service=key)],
        "used_by": [found.text("name") for found in call.rows.all(_USED_BY, name=name)],
        "flags": {flag.text("name"): bool(flag["is_on"]) for flag in call.rows.all(_FLAGS, service=key)},
        "health": health_json(health),
    }


def _need_json(row: Row) -> JsonObject:
    others: list[Json] = [option for option in records.options_of(row) if option != row["target"]]
    return {"resource": row.text("name"), "served_by": row.text("target"), "can_fail_over_to": others}


def release_json(row: Row) -> JsonObject:
    """A version that can be deployed."""
    return {
        "version": row.text("version"),
        "commit": row.text("commit") or None,
        "released_at": iso(row.number("at_us")),
        "released_by": row.text("who") or None,
        "note": row.text("note"),
    }


def change_json(row: Row, service: str) -> JsonObject:
    """A line of a service's history."""
    shown: JsonObject = {
        "id": row.number("id"),
        "service": service,
        "kind": row.text("kind"),
        "version": row.text("version"),
        "previous_version": row.text("from_version"),
        "at": iso(row.number("at_us")),
        "by": row.text("who"),
        "status": row.text("status"),
        "note": row.text("note"),
    }
    if row["subject"]:
        shown["change"] = {"what": row.text("subject"), "from": row.text("old"), "to": row.text("new")}
    return shown


def alert_json(call: Call, row: Row, *, whole: bool) -> JsonObject:
    """An alert; the whole one has its details, notes and pages too."""
    shown: JsonObject = {
        "id": row.number("id"),
        "service": records.service_of(call, row).text("name"),
        "summary": row.text("summary"),
        "severity": row.text("severity"),
        "status": row.text("status"),
        "assigned_to": row.text("assigned") or None,
        "incident": row["incident"],  # type: ignore[dict-item]
        "triggered_at": iso(row.number("at_us")),
        "acknowledged_by": row.text("acknowledged_by") or None,
        "acknowledged_at": _when(row, "acknowledged_us"),
        "resolved_by": row.text("resolved_by") or None,
        "resolved_at": _when(row, "resolved_us"),
    }
    if not whole:
        return shown
    key = row.number("id")
    return {
        **shown,
        "rule": row.text("rule"),
        "details": row.text("details"),
        "notes": [note_json(found) for found in call.rows.all(_NOTES, alert=key)],
        "pages": [page_json(found) for found in call.rows.all(_PAGES, alert=key)],
    }


def note_json(row: Row) -> JsonObject:
    """A note on an alert."""
    return {"id": row.number("id"), "by": row.text("who"), "at": iso(row.number("at_us")), "text": row.text("text")}


def page_json(row: Row) -> JsonObject:
    """A page that somebody sent."""
    return {
        "id": row.number("id"),
        "from": row.text("who"),
        "to": row.text("whom"),
        "urgency": row.text("urgency"),
        "at": iso(row.number("at_us")),
        "text": row.text("text"),
        "alert": row["alert"],  # type: ignore[dict-item]
    }


def user_json(row: Row) -> JsonObject:
    """Somebody who can be paged."""
    return {"user": row.text("person"), "name": row.text("name"), "role": row.text("role"), "email": row.text("email")}


def vendor_incident_json(call: Call, row: Row, *, whole: bool) -> JsonObject:
    """An incident on a vendor's status page; the whole one has its updates, newest first."""
    vendor = call.rows.get(tables.vendor, row.number("vendor"))
    shown: JsonObject = {
        "id": row.number("id"),
        "vendor": vendor.text("name") if vendor else "",
        "name": row.text("title"),
        "impact": row.text("impact"),
        "status": row.text("status"),
        "started_at": iso(row.number("started_us")),
        "resolved_at": _when(row, "resolved_us"),
    }
    if not whole:
        return shown
    updates: list[Json] = [
        {"status": found.text("status"), "at": iso(found.number("at_us")), "body": found.text("body")}
        for found in call.rows.all(_UPDATES, incident=row.number("id"))
    ]
    return {**shown, "updates": updates}


def incident_json(call: Call, row: Row, *, whole: bool) -> JsonObject:
    """One of our incidents; the whole one has its alerts and its timeline, newest first."""
    key = row.number("id")
    shown: JsonObject = {
        "id": key,
        "title": row.text("title"),
        "severity": row.text("severity"),
        "status": row.text("status"),
        "services": orjson.loads(row.text("services")),
        "mitigation": row.text("mitigation") or None,
        "runs_on": _runs_on_json(records.runs_on_of(call, row)),
        "next_update_at": _when(row, "next_update_us"),
        "commander": row.text("commander") or None,
        "responders": orjson.loads(row.text("responders")),
        "subscribers": orjson.loads(row.text("subscribers")),
        "tickets": orjson.loads(row.text("tickets")),
        "started_at": iso(row.number("started_us")),
        "opened_at": iso(row.number("opened_us")),
        "opened_by": row.text("who"),
        "resolved_at": _when(row, "resolved_us"),
    }
    if not whole:
        return shown
    alerts: list[Json] = [
        {"id": found.number("id"), "summary": found.text("summary"), "status": found.text("status")}
        for found in call.rows.all(_INCIDENT_ALERTS, incident=key)
    ]
    updates = [_update_json(found) for found in call.rows.all(_INCIDENT_UPDATES, incident=key)]
    return {**shown, "alerts": alerts, "updates": [*updates]}


def _runs_on_json(runs_on: Mapping[tuple[str, str], str]) -> list[Json]:
    return [{"service": service, "need": need, "target": target} for (service, need), target in runs_on.items()]


def _update_json(row: Row) -> JsonObject:
    """A line of an incident's timeline."""
    changed: JsonObject = {
        name: {"from": _moment(name, old), "to": _moment(name, new)}
        for name, (old, new) in orjson.loads(row.text("changed")).items()
    }
    return {
        "number": row.number("number"),
        "at": iso(row.number("at_us")),
        "by": row.text("who"),
        "status": row.text("status"),
        "message": row.text("message"),
        "changed": changed,
        "sent_to": orjson.loads(row.text("sent_to")),
    }


def _moment(name: str, value: Json) -> Json:
    return iso(value) if name in _MOMENTS and isinstance(value, int) else value


def component_json(row: Row) -> JsonObject:
    """A component of our status page."""
    return {
        "service": row.text("service"),
        "status": row.text("status"),
        "updated_at": iso(row.number("updated_us")),
    }


def post_json(call: Call, row: Row) -> JsonObject:
    """A post on our status page with everything that was published in it, newest first."""
    updates: list[Json] = [
        {
            "status": found.text("status"),
            "body": found.text("body"),
            "by": found.text("who"),
            "at": iso(found.number("at_us")),
        }
        for found in call.rows.all(_POST_UPDATES, post=row.number("id"))
    ]
    return {
        "id": row.number("id"),
        "title": row.text("title"),
        "impact": row.text("impact"),
        "status": row.text("status"),
        "services": orjson.loads(row.text("services")),
        "incident": row["incident"],
        "created_at": iso(row.number("created_us")),
        "resolved_at": _when(row, "resolved_us"),
        "updates": updates,
    }


def _when(row: Row, column: str) -> Json:
    return iso(row.number(column)) if row[column] is not None else None
