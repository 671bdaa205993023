"""Our own incidents: their record, what it is said that runs on what, and the updates that people were sent."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import orjson
from sqlalchemy import bindparam, func, select

from brownout.core.apps import Call
from brownout.core.instants import Instant
from brownout.core.rows import Row, Value
from brownout.store import compile_query
from tools.ops import tables
from tools.ops.paths import incident_path
from tools.ops.records.known_rows import row
from tools.ops.records.services import user_of

__all__ = [
    "Incident",
    "Need",
    "add_incident_rule",
    "add_team",
    "incident_of",
    "incidents_about",
    "link_alerts",
    "members_of",
    "open_incident",
    "rule_for",
    "runs_on_of",
    "team_names",
    "update_incident",
]

_incident, _update, _mitigation = tables.incident, tables.incident_update, tables.mitigation

_MITIGATIONS = compile_query(
    select(_mitigation).where(_mitigation.c.incident == bindparam("incident")).order_by(_mitigation.c.id)
)
_COUNT = compile_query(select(func.count()).select_from(_update).where(_update.c.incident == bindparam("incident")))
_OPEN = compile_query(select(_incident).where(_incident.c.status != "resolved").order_by(_incident.c.id.desc()))
_MEMBERS = compile_query(
    select(tables.team.c.person).where(tables.team.c.name == bindparam("name")).order_by(tables.team.c.id)
)
_TEAMS = compile_query(select(tables.team.c.name).distinct().order_by(tables.team.c.name))
_RULE = compile_query(select(tables.incident_rule).where(tables.incident_rule.c.severity == bindparam("severity")))

Need = tuple[str, str]
"""A service and what it needs: `("checkout", "database")`."""


@dataclass(frozen=True, slots=True)
class Incident:
    """What the record of an incident says.

    Attributes:
        services: those that it affects.
        mitigation: what was done about it, in words.
        runs_on: what it is said to have come to run on: service and need -> target.
        next_update: when the next update is promised for; None for no promise.
        subscribers: people and teams who are sent every update, beside those who work on it.
        tickets: keys of issues.
        started: when the trouble began.
    """

    title: str
    severity: str
    status: str
    services: tuple[str, ...]
    started: Instant
    mitigation: str = ""
    runs_on: Mapping[Need, str] = field(default_factory=dict)
    next_update: Instant | None = None
    commander: str = ""
    responders: tuple[str, ...] = ()
    subscribers: tuple[str, ...] = ()
    tickets: tuple[str, ...] = ()

    def columns(self) -> dict[str, Value]:
        """The record as its row has it."""
        return {
            "title": self.title,
            "severity": self.severity,
            "status": self.status,
            "services": _list(self.services),
            "started_us": self.started,
            "mitigation": self.mitigation,
            "next_update_us": self.next_update,
            "commander": self.commander,
            "responders": _list(self.responders),
            "subscribers": _list(self.subscribers),
            "tickets": _list(self.tickets),
        }


def incident_of(call: Call, found: Row) -> Incident:
    """What the record says now."""
    due = found["next_update_us"]
    return Incident(
        title=found.text("title"),
        severity=found.text("severity"),
        status=found.text("status"),
        services=_names(found, "services"),
        started=found.number("started_us"),
        mitigation=found.text("mitigation"),
        runs_on=runs_on_of(call, found),
        next_update=due if isinstance(due, int) else None,
        commander=found.text("commander"),
        responders=_names(found, "responders"),
        subscribers=_names(found, "subscribers"),
        tickets=_names(found, "tickets"),
    )


def runs_on_of(call: Call, found: Row) -> dict[Need, str]:
    """What an incident is said to have come to run on."""
    rows = call.rows.all(_MITIGATIONS, incident=found.number("id"))
    return {(each.text("service"), each.text("need")): each.text("target") for each in rows}


def incidents_about(call: Call, service: str) -> list[Row]:
    """The open incidents that affect a service, newest first."""
    return [found for found in call.rows.all(_OPEN) if service in _names(found, "services")]


def open_incident(call: Call, new: Incident, *, who: str, message: str, alerts: Sequence[Row] = ()) -> Row:
    """Open an incident, link its alerts to it, and tell everybody whom it concerns."""
    new = _settled(new)
    key = call.rows.insert(_incident, **new.columns(), who=who, opened_us=call.now, resolved_us=_end(call, new))
    opened = row(call, _incident, key)
    _set_runs_on(call, key, {}, new.runs_on)
    link_alerts(call, opened, alerts)
    _record(call, key, None, new, who=who, message=message)
    return opened


def update_incident(
    call: Call, found: Row, new: Incident, *, who: str, message: str, alerts: Sequence[Row] = ()
) -> Row:
    """Write what is new into the record and its timeline, and tell everybody whom it concerns."""
    key, old, new = found.number("id"), incident_of(call, found), _settled(new)
    before = old.columns()
    changes = {name: value for name, value in new.columns().items() if before[name] != value}
    if old.status != new.status:
        changes["resolved_us"] = _end(call, new)
    if changes:
        call.rows.update(_incident, key, **changes)
    _set_runs_on(call, key, old.runs_on, new.runs_on)
    link_alerts(call, found, alerts)
    _record(call, key, old, new, who=who, message=message)
    return row(call, _incident, key)


def link_alerts(call: Call, incident: Row, alerts: Iterable[Row]) -> None:
    """Say that alerts are of an incident."""
    key = incident.number("id")
    for alert in alerts:
        if alert["incident"] != key:
            call.rows.update(tables.alert, alert.number("id"), incident=key)


def add_team(call: Call, name: str, people: Iterable[str]) -> None:
    """Make a team, whose members hear of what is sent to it."""
    for person in dict.fromkeys(people):
        call.rows.insert(tables.team, name=name, person=person)


def members_of(call: Call, name: str) -> list[str]:
    """The people of a team, none where there is no such team."""
    return [found.text("person") for found in call.rows.all(_MEMBERS, name=name)]


def team_names(call: Call) -> list[str]:
    return [found.text("name") for found in call.rows.all(_TEAMS)]


def add_incident_rule(call: Call, severity: str, subscribers: Iterable[str]) -> None:
    """Let alerts of a severity open incidents by themselves."""
    call.rows.insert(tables.incident_rule, severity=severity, subscribers=_list(subscribers))


def rule_for(call: Call, severity: str) -> tuple[str, ...] | None:
    """Who is sent the updates of incidents that alerts of a severity open; None where they open none."""
    found = call.rows.one(_RULE, severity=severity)
    return _names(found, "subscribers") if found else None


def _settled(incident: Incident) -> Incident:
    """What is resolved promises no further update."""
    return replace(incident, next_update=None) if incident.status == "resolved" else incident


def _end(call: Call, incident: Incident) -> Instant | None:
    return call.now if incident.status == "resolved" else None


def _set_runs_on(call: Call, incident: int, old: Mapping[Need, str], new: Mapping[Need, str]) -> None:
    known = {
        (found.text("service"), found.text("need")): found.number("id")
        for found in (call.rows.all(_MITIGATIONS, incident=incident) if old else ())
    }
    for (service, need), target in new.items():
        key = known.get((service, need))
        if key is None:
            call.rows.insert(_mitigation, incident=incident, service=service, need=need, target=target)
        elif old[service, need] != target:
            call.rows.update(_mitigation, key, target=target)


def _record(call: Call, key: int, old: Incident | None, new: Incident, *, who: str, message: str) -> None:
    """The line of the timeline, and whoever is sent it."""
    people = _readers(call, new, who)
    number = int(str(call.rows.scalar(_COUNT, incident=key))) + 1
    call.rows.insert(
        _update,
        incident=key,
        number=number,
        who=who,
        at_us=call.now,
        message=message,
        changed=orjson.dumps(_changed(old, new)).decode(),
        sent_to=_list(people),
        status=new.status,
        services=_list(new.services),
        mitigation=new.mitigation,
        runs_on=orjson.dumps(_listed(new.runs_on)).decode(),
        next_update_us=new.next_update,
    )
    known = user_of(call, who)
    by = known.text("name") if known else call.actor.name
    text = f"{by} on incident {key}, {new.title} ({new.status}): {message or 'the record was changed'}"
    for person in people:
        is_new_commander = person == new.commander and (old is None or old.commander != person)
        call.reach(person, "assigned" if is_new_commander else "message", incident_path(key), text)


def _readers(call: Call, incident: Incident, who: str) -> list[str]:
    """Whom an update is sent to: those who work on it, and the subscribers, teams by their members."""
    people = [incident.commander, *incident.responders]
    for name in incident.subscribers:
        people += [name] if user_of(call, name) is not None else members_of(call, name)
    return [person for person in dict.fromkeys(people) if person not in ("", who)]


def _changed(old: Incident | None, new: Incident) -> dict[str, list[object]]:
    """Each field that is another one now, with what it was; of an incident that was just opened all that is set."""
    before = _fields(old) if old is not None else {}
    return {
        name: [before.get(name), value]
        for name, value in _fields(new).items()
        if (before[name] != value if old is not None else value not in ("", [], None))
    }


def _fields(incident: Incident) -> dict[str, object]:
    return {
        "title": incident.title,
        "severity": incident.severity,
        "status": incident.status,
        "services": [*incident.services],
        "started_at": incident.started,
        "mitigation": incident.mitigation,
        "runs_on": _listed(incident.runs_on),
        "next_update_at": incident.next_update,
        "commander": incident.commander,
        "responders": [*incident.responders],
        "subscribers": [*incident.subscribers],
        "tickets": [*incident.tickets],
    }


def _listed(runs_on: Mapping[Need, str]) -> list[str]:
    return [f"{service}.{need}={target}" for (service, need), target in runs_on.items()]


def _names(found: Row, column: str) -> tuple[str, ...]:
    return tuple(str(name) for name in orjson.loads(found.text(column)))


def _list(names: Iterable[str]) -> str:
    return orjson.dumps([*names]).decode()
