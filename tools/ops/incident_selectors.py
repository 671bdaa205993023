"""Names for our own incidents: `ops:incident/3`, `ops:incident/3.update/1`, `ops:incident/3.mitigation/checkout/database`.

A rubric names an incident by its number, by its title or by a service that it affects, in any case: `incident/checkout*`.
"""

from collections.abc import Iterator

import orjson
from sqlalchemy import bindparam, select

from brownout.core.apps import Cell, Thing
from brownout.core.instants import iso
from brownout.core.rows import Row, Rows
from brownout.core.values import Json, JsonObject
from brownout.core.wildcards import fits
from brownout.store import compile_query
from tools.ops import tables
from tools.ops.paths import incident_path

__all__ = ["FIELDS", "UPDATE_FIELDS", "find", "path_of"]

_incident, _update, _mitigation, _alert = tables.incident, tables.incident_update, tables.mitigation, tables.alert
_INCIDENTS = compile_query(select(_incident).order_by(_incident.c.id))
_UPDATES = compile_query(select(_update).where(_update.c.incident == bindparam("incident")).order_by(_update.c.number))
_MITIGATIONS = compile_query(
    select(_mitigation).where(_mitigation.c.incident == bindparam("incident")).order_by(_mitigation.c.id)
)
_ALERTS = compile_query(select(_alert.c.id).where(_alert.c.incident == bindparam("incident")).order_by(_alert.c.id))

_COLUMNS = {
    "title": "title",
    "severity": "severity",
    "status": "status",
    "services": "services",
    "mitigation": "mitigation",
    "next_update": "next_update_us",
    "has_next_update": "next_update_us",
    "commander": "commander",
    "responders": "responders",
    "subscribers": "subscribers",
    "tickets": "tickets",
    "opened_by": "who",
    "started_at": "started_us",
    "opened_at": "opened_us",
    "resolved_at": "resolved_us",
}
"""The field of a thing -> the column that it is."""
_LISTS = ("services", "responders", "subscribers", "tickets")
FIELDS = (*_COLUMNS, "updates", "alerts")
UPDATE_FIELDS = (
    "who",
    "at",
    "status",
    "services",
    "message",
    "mitigation",
    "runs_on",
    "sent_to",
    "next_update",
    "has_next_update",
)


def path_of(table: str, row: Row) -> str:
    """The path of an incident, of an update or of what is said to run on what."""
    if table == "ops_incident":
        return incident_path(row.number("id"))
    place = incident_path(row.number("incident"))
    if table == "ops_incident_update":
        return f"{place}.update/{row.number('number')}"
    return f"{place}.mitigation/{row.text('service')}/{row.text('need')}"


def find(rows: Rows, pattern: str) -> list[Thing]:
    """The incidents that a pattern names, or the updates or mitigations of these: `incident/checkout*.update/1`."""
    for word, things in ((".update/", _updates), (".mitigation/", _mitigations)):
        whole, is_part, rest = pattern.partition(word)
        if is_part:
            found = (thing for row in _named(rows, whole) for thing in things(rows, row))
            return [thing for thing in found if fits(thing.path.partition(word)[2], rest)]
    return [_thing(rows, row) for row in _named(rows, pattern)]


def _named(rows: Rows, pattern: str) -> list[Row]:
    name = pattern.removeprefix("incident/").lower()
    return [row for row in rows.all(_INCIDENTS) if _is_called(row, name)]


def _is_called(row: Row, name: str) -> bool:
    if name.isdecimal():
        return str(row.number("id")) == name
    called = [str(row.number("id")), row.text("title"), *orjson.loads(row.text("services"))]
    return any(fits(each.lower(), name) for each in called)


def _thing(rows: Rows, row: Row) -> Thing:
    """An incident; what a need is said to run on is a field by the need's name, a list where services differ in it."""
    key = row.number("id")
    fields, parts = _needs(rows, key)
    fields |= {name: _value(row, name, column) for name, column in _COLUMNS.items()}
    parts |= {name: (("ops_incident", key, column),) for name, column in _COLUMNS.items()}
    updates = rows.all(_UPDATES, incident=key)
    alerts = rows.all(_ALERTS, incident=key)
    fields["updates"] = len(updates)
    parts["updates"] = tuple(("ops_incident_update", found.number("id")) for found in updates)
    fields["alerts"] = [found.number("id") for found in alerts]
    parts["alerts"] = tuple(("ops_alert", found.number("id"), "incident") for found in alerts)
    own = ("ops_incident", key)
    return Thing(incident_path(key), fields, (own, *(("ops_incident_update", u.number("id")) for u in updates)), parts)


def _needs(rows: Rows, incident: int) -> tuple[JsonObject, dict[str, tuple[Cell, ...]]]:
    """What each need is said to run on, and the rows that say so."""
    targets: dict[str, list[Json]] = {}
    parts: dict[str, tuple[Cell, ...]] = {}
    for found in rows.all(_MITIGATIONS, incident=incident):
        need, target = found.text("need"), found.text("target")
        listed = targets.setdefault(need, [])
        if target not in listed:
            listed.append(target)
        parts[need] = (*parts.get(need, ()), ("ops_mitigation", found.number("id")))
    return {need: listed[0] if len(listed) == 1 else listed for need, listed in targets.items()}, parts


def _value(row: Row, name: str, column: str) -> Json:
    value = row[column]
    if name == "has_next_update":
        return value is not None
    if column.endswith("_us"):
        return iso(value) if isinstance(value, int) else ""
    if name in _LISTS:
        listed: list[Json] = orjson.loads(row.text(column))
        return listed
    return row.text(column)


def _updates(rows: Rows, incident: Row) -> Iterator[Thing]:
    """What the record said after each update, which is never written again."""
    for row in rows.all(_UPDATES, incident=incident.number("id")):
        due = row["next_update_us"]
        fields: JsonObject = {
            "who": row.text("who"),
            "at": iso(row.number("at_us")),
            "status": row.text("status"),
            "services": orjson.loads(row.text("services")),
            "message": row.text("message"),
            "mitigation": row.text("mitigation"),
            "runs_on": orjson.loads(row.text("runs_on")),
            "sent_to": orjson.loads(row.text("sent_to")),
            "next_update": iso(due) if isinstance(due, int) else "",
            "has_next_update": due is not None,
        }
        yield Thing(path_of("ops_incident_update", row), fields, (("ops_incident_update", row.number("id")),))


def _mitigations(rows: Rows, incident: Row) -> Iterator[Thing]:
    for row in rows.all(_MITIGATIONS, incident=incident.number("id")):
        fields: JsonObject = {name: row.text(name) for name in ("service", "need", "target")}
        yield Thing(path_of("ops_mitigation", row), fields, (("ops_mitigation", row.number("id")),))
