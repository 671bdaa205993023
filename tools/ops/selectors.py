"""What the ops rows are called (`path_of`), and the things that a selector's pattern names (`find`)."""

from collections.abc import Callable, Iterator
from itertools import chain

from sqlalchemy import bindparam, select

from brownout.core.apps import Thing
from brownout.core.rows import Query, Row, Rows
from brownout.core.values import JsonObject
from brownout.core.wildcards import fits
from brownout.store import compile_query
from tools.ops import incident_selectors, status_page_selectors, tables
from tools.ops.paths import (
    alert_path,
    change_path,
    page_path,
    schedule_path,
    service_path,
    standby_path,
    user_path,
    vendor_incident_path,
    vendor_path,
)
from tools.ops.records import options_of

__all__ = ["find", "path_of"]

_service, _need, _flag = tables.service, tables.need, tables.flag
_SERVICES = compile_query(select(_service).order_by(_service.c.name))
_NEEDS_OF = compile_query(select(_need).where(_need.c.service == bindparam("service")).order_by(_need.c.id))
_FLAGS_OF = compile_query(select(_flag).where(_flag.c.service == bindparam("service")).order_by(_flag.c.id))
_OF_SERVICE = ("ops_need", "ops_flag", "ops_release", "ops_deploy", "ops_alert", "ops_silence")


_OWNED = {"ops_note": (tables.alert, "alert"), "ops_vendor_update": (tables.vendor_incident, "incident")}


def path_of(rows: Rows, table: str, row: Row) -> str:
    """`ops:boxoffice.failover/database`, `ops:boxoffice.alert/3.note/7`, `ops:vendor/slack.incident/2.update/5`.

    A service's own row changes by deploys only, so it is `ops:boxoffice.deploy`.
    """
    if table in _OF_SERVICE:
        service = rows.get(_service, row.number("service"))
        return _path_in(service.text("name") if service else "gone", table, row)
    match table:
        case "ops_user":
            return user_path(row.text("person"))
        case "ops_service":
            return change_path(row.text("name"), "deploy")
        case "ops_page":
            return page_path(row.text("whom"), row.number("id"))
        case "ops_standby":
            return standby_path(row.text("target"))
        case "ops_schedule":
            return schedule_path(row.text("name"))
        case "ops_override":
            schedule = rows.get(tables.schedule, row.number("schedule"))
            return f"{schedule_path(schedule.text('name') if schedule else 'gone')}.override/{row.number('id')}"
        case "ops_vendor":
            return vendor_path(row.text("name"))
        case "ops_vendor_incident":
            vendor = rows.get(tables.vendor, row.number("vendor"))
            return vendor_incident_path(vendor.text("name") if vendor else "gone", row.number("id"))
        case "ops_incident" | "ops_incident_update" | "ops_mitigation":
            return incident_selectors.path_of(table, row)
        case "ops_component" | "ops_post" | "ops_post_update":
            return status_page_selectors.path_of(table, row)
        case "ops_team" | "ops_visitor" | "ops_incident_rule":
            return f"ops:{table.removeprefix('ops_').replace('_', '-')}/{row.number('id')}"
    owner, word = _OWNED[table]
    parent = rows.get(owner, row.number(word))
    place = path_of(rows, owner.name, parent) if parent else "ops:gone"
    return f"{place}.{table.rpartition('_')[2]}/{row.number('id')}"


def _path_in(service: str, table: str, row: Row) -> str:
    match table:
        case "ops_need":
            return change_path(service, "failover", row.text("name"))
        case "ops_flag":
            return change_path(service, "flag", row.text("name"))
        case "ops_release":
            return change_path(service, "deploy", f"release-{row.text('version')}")
        case "ops_deploy":
            return change_path(service, row.text("kind"), row.number("id"))
        case "ops_silence":
            return change_path(service, "silence", row.number("id"))
    return alert_path(service, row.number("id"))


# -- things -------------------------------------------------------------------------------------------------


def find(rows: Rows, pattern: str) -> list[Thing]:
    """The things a pattern names: services by name, our incidents also by title or service, all else by path.

    `boxoffice`, `incident/boxoffice*`, `boxoffice.alert/*`, `status-page.component/boxoffice`, `vendor/slack`.
    """
    if pattern.startswith("incident/"):
        return incident_selectors.find(rows, pattern)
    if pattern.startswith("status-page"):
        found = status_page_selectors.find(rows)
    elif pattern.startswith("vendor/") or ".incident/" in pattern:
        found = _vendors(rows) if ".incident/" not in pattern else _listed(rows, "ops_vendor_incident")
    elif "/" in pattern:
        word = pattern.rpartition("/")[0].rpartition(".")[2]
        found = (thing for table in _TABLES_OF.get(word, ()) for thing in _listed(rows, table))
    else:
        found = (_service_thing(rows, row) for row in rows.all(_SERVICES))
    return [thing for thing in found if fits(thing.path.removeprefix("ops:"), pattern)]


def _service_thing(rows: Rows, row: Row) -> Thing:
    """A service: each need and flag by name, and its own columns."""
    key = row.number("id")
    fields: JsonObject = {name: row.text(name) for name in ("version", "commit", "on_call", "team", "repo")}
    parts = dict.fromkeys(fields, (("ops_service", key),))
    for need in rows.all(_NEEDS_OF, service=key):
        fields[need.text("name")] = need.text("target")
        parts[need.text("name")] = (("ops_need", need.number("id")),)
    for flag in rows.all(_FLAGS_OF, service=key):
        name = f"flag_{flag.text('name')}"
        fields[name] = bool(flag["is_on"])
        parts[name] = (("ops_flag", flag.number("id")),)
    return Thing(service_path(row.text("name")), fields, tuple(dict.fromkeys(chain(*parts.values()))), parts)


def _vendors(rows: Rows) -> Iterator[Thing]:
    for row in rows.all(_ALL["ops_vendor"]):
        path = vendor_path(row.text("name"))
        yield Thing(path, {"name": row.text("name")}, (("ops_vendor", row.number("id")),))


def _listed(rows: Rows, table: str) -> Iterator[Thing]:
    """Every row of a table as a thing of its own."""
    for row in rows.all(_ALL[table]):
        yield Thing(path_of(rows, table, row), _FIELDS[table](row), ((table, row.number("id")),))


def _columns(*names: str) -> Callable[[Row], JsonObject]:
    return lambda row: {name: row.text(name) for name in names}


_ALL: dict[str, Query] = {
    name: compile_query(select(table).order_by(table.c.id)) for name, table in tables.metadata.tables.items()
}
_FIELDS: dict[str, Callable[[Row], JsonObject]] = {
    "ops_need": lambda row: {"target": row.text("target"), "options": [*options_of(row)]},
    "ops_flag": lambda row: {"is_on": bool(row["is_on"])},
    "ops_release": _columns("version", "commit", "who", "note"),
    "ops_deploy": _columns("kind", "version", "from_version", "subject", "old", "new", "who", "note"),
    "ops_alert": lambda row: {
        **_columns("rule", "summary", "severity", "status", "assigned", "acknowledged_by", "resolved_by")(row),
        "incident": row["incident"],  # type: ignore[dict-item]
    },
    "ops_page": _columns("who", "whom", "text", "urgency"),
    "ops_vendor_incident": _columns("title", "impact", "status"),
    "ops_override": _columns("person", "who"),
    "ops_silence": _columns("reason", "who"),
}
_TABLES_OF: dict[str, tuple[str, ...]] = {
    "alert": ("ops_alert",),
    "deploy": ("ops_deploy", "ops_release"),
    "failover": ("ops_need", "ops_deploy"),
    "flag": ("ops_flag", "ops_deploy"),
    "page": ("ops_page",),
    "override": ("ops_override",),
    "restart": ("ops_deploy",),
    "silence": ("ops_silence",),
}
