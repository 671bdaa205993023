"""How incidents come to be without an agent: people open them and post updates, alerts open them where a world says so."""

from collections.abc import Iterable
from dataclasses import replace
from typing import cast

from brownout.core.apps import Call, Intent
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject
from tools.ops import records, tables
from tools.ops.paths import incident_path
from tools.ops.records import Incident
from tools.ops.rota import on_call_for

__all__ = ["open_for", "write_incident"]

_SEVERITIES = {"critical": "critical", "high": "major"}
_LISTS = ("responders", "subscribers", "tickets")


def write_incident(call: Call, intent: Intent) -> str:
    """Open an incident, or go on with the one that another entry opened.

    Raises:
        LookupError: it names a service, a person, a need or an incident that there is not.
    """
    given = cast(JsonObject, intent.details["incident"])
    services = _services(call, intent, given)
    found = _known(call, intent, str(given["of"])) if "of" in given else None
    if found is None:
        started = Incident(
            title=str(given["title"]),
            severity=str(given.get("severity", "major")),
            status="investigating",
            services=services,
            started=call.now,
            commander=intent.who,
        )
        new = _changed(call, intent, started, given)
        made = records.open_incident(call, new, who=intent.who, message=intent.text)
    else:
        old = records.incident_of(call, found)
        new = _changed(call, intent, replace(old, services=services or old.services), given)
        made = records.update_incident(call, found, new, who=intent.who, message=intent.text)
    return incident_path(made.number("id"))


def open_for(call: Call, service: Row, alert: Row) -> None:
    """Link an alert to the incident that its service has, or open one, where the world lets its alerts do so."""
    subscribers = records.rule_for(call, alert.text("severity"))
    if subscribers is None or alert["incident"] is not None:
        return
    name = service.text("name")
    known = records.incidents_about(call, name)
    if known:
        records.link_alerts(call, known[0], [alert])
        return
    new = Incident(
        title=alert.text("summary"),
        severity=_SEVERITIES.get(alert.text("severity"), "minor"),
        status="investigating",
        services=(name,),
        started=call.now,
        commander=on_call_for(call.rows, service, call.now),
        subscribers=subscribers,
    )
    records.open_incident(call, new, who=call.actor.person, message=alert.text("details"), alerts=[alert])


def _changed(call: Call, intent: Intent, record: Incident, given: JsonObject) -> Incident:
    """The record with what an entry says of it."""
    words = {name: str(given[name]) for name in ("title", "severity", "status", "mitigation") if name in given}
    lists = {name: tuple(str(each) for each in _list(given[name])) for name in _LISTS if name in given}
    for name in lists.get("subscribers", ()):
        if not records.members_of(call, name):
            _person(call, intent, name)
    for name in lists.get("responders", ()):
        _person(call, intent, name)
    due = given.get("next_update")
    return replace(
        record,
        **words,  # type: ignore[arg-type]
        **lists,  # type: ignore[arg-type]
        commander=_person(call, intent, given.get("commander")) or record.commander,
        runs_on={**record.runs_on, **dict(_runs_on(call, intent, given))},
        next_update=call.now + due if isinstance(due, int) else record.next_update,
    )


def _services(call: Call, intent: Intent, given: JsonObject) -> tuple[str, ...]:
    names = tuple(str(name) for name in _list(given.get("services")))
    for name in names:
        if records.service_named(call, name) is None:
            raise LookupError(f"{intent.key}: there is no service {name!r}")
    return names


def _runs_on(call: Call, intent: Intent, given: JsonObject) -> Iterable[tuple[records.Need, str]]:
    said = given.get("runs_on")
    for name, target in said.items() if isinstance(said, dict) else ():
        service_name, _, need_name = name.rpartition(".")
        service = records.service_named(call, service_name)
        need = records.need_of(call, service, need_name) if service is not None else None
        if need is None or target not in records.options_of(need):
            raise LookupError(f"{intent.key}: {name!r} is no need of a service that could run on {target!r}")
        yield (service_name, need_name), str(target)


def _person(call: Call, intent: Intent, name: Json) -> str:
    if name and records.user_of(call, str(name)) is None:
        raise LookupError(f"{intent.key}: {name} has no account here")
    return str(name or "")


def _known(call: Call, intent: Intent, name: str) -> Row:
    line = intent.key.partition("/")[0]
    path = call.bound(name) or call.bound(f"{line}/{name}") or ""
    number = path.removeprefix("ops:incident/")
    found = call.rows.get(tables.incident, int(number)) if number != path and number.isdecimal() else None
    if found is None:
        raise LookupError(f"{intent.key}: no incident stands for {name!r}")
    return found


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
