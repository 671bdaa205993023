"""Everybody who has an account: the people, the customers, others from outside, the agents of the tasks."""

import orjson

from brownout.core.calls import Account
from brownout.core.rows import Rows
from brownout.core.values import JsonObject
from generators.background.outside_senders import everyday_senders
from worlds.attendance import attendance_of
from worlds.package.engine_tables import account as table
from worlds.spec import Person, WorldSpec
from worlds.spec.apps import app_for

__all__ = ["write_accounts"]

_MACHINES = (("monitoring", "Monitoring"), ("status", "Status pages"), ("deploys", "Deploys"))


def write_accounts(rows: Rows, spec: WorldSpec) -> list[Account]:
    """Write everybody into the engine's table; the order is the author's, agents last."""
    accounts = []
    for name, person in spec.people.items():
        known = Account(
            name, person.name, f"{name}@{spec.world.company.domain}", "person", person.role, _zone(spec, person)
        )
        _write(rows, known, _profile(spec, person))
        accounts.append(known)
    for name, customer in spec.customers.items():
        known = Account(name, customer.contact, customer.email, "outsider", customer.name, spec.world.clock.zone)
        _write(rows, known, _outside(spec, customer.voice, customer=name))
        accounts.append(known)
        for contact in customer.contacts:
            if contact.short is not None:
                place = ", ".join(part for part in (contact.role, customer.name) if part)
                known = Account(contact.short, contact.name, contact.email, "outsider", place, spec.world.clock.zone)
                _write(rows, known, _outside(spec, contact.voice or customer.voice, customer=name))
                accounts.append(known)
    for name, outsider in spec.outsiders.items():
        known = Account(name, outsider.name, outsider.email, "outsider", outsider.role, spec.world.clock.zone)
        _write(rows, known, _outside(spec, outsider.voice))
        accounts.append(known)
    for name, shown in _MACHINES if spec.services else ():
        known = Account(name, shown, f"{name}@{spec.world.company.domain}", "system", "", spec.world.clock.zone)
        _write(rows, known, {})
        accounts.append(known)
    for known in everyday_senders(spec):
        _write(rows, known, {})
        accounts.append(known)
    actors = {task.actor.person: task.actor for task in spec.tasks.values()}
    for name, actor in actors.items():
        if name in spec.people:
            continue
        shown = actor.name or name.replace("-", " ").title()
        known = Account(name, shown, f"{name}@{spec.world.company.domain}", "agent", actor.role, spec.world.clock.zone)
        _write(rows, known, {})
        accounts.append(known)
    return accounts


def _zone(spec: WorldSpec, person: Person) -> str:
    return person.zone or spec.world.clock.zone


def _write(rows: Rows, known: Account, profile: JsonObject) -> None:
    rows.insert(
        table,
        person=known.person,
        name=known.name,
        email=known.email,
        kind=known.kind,
        role=known.role,
        zone=known.zone,
        profile=orjson.dumps(profile, option=orjson.OPT_SORT_KEYS).decode(),
    )


def _outside(spec: WorldSpec, voice: str, *, customer: str = "") -> JsonObject:
    mail = app_for("mails", spec.world.apps)
    return {"voice": voice, "reads": [mail] if mail else [], "hours": [480, 1200], "customer": customer}


def _profile(spec: WorldSpec, person: Person) -> JsonObject:
    profile: JsonObject = {
        "reads": list(person.reads),
        "voice": person.voice,
        "manager": person.manager or "",
        "team": person.team,
        "asked": {name: rule.model_dump() for name, rule in person.asked.items()},
    }
    attendance = attendance_of(person, spec.world.clock.zone)
    profile["hours"] = [*attendance.hours] if attendance.hours else None
    profile["away"] = [[since, until] for since, until in attendance.away]
    for word, moment in (("joins", attendance.joins), ("leaves", attendance.leaves)):
        if moment is not None:
            profile[word] = moment
    return profile
