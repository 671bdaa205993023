"""What a simulation is about and never changes: apps, people, outages, seeds."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

import orjson
from sqlalchemy import select

from brownout.core.app_roles import Sight, TakesIn, WritesApart
from brownout.core.apps import App, Operation
from brownout.core.calls import Account
from brownout.core.errors import BrokenPlugin
from brownout.core.instants import Duration
from brownout.core.plugins import load_plugin
from brownout.core.rows import Rows
from brownout.store import compile_query
from worlds.attendance import Attendance
from worlds.package import Outage, engine_tables
from worlds.package.engine_tables import account
from worlds.spec.models import Service

__all__ = ["AppSight", "Profile", "Setting", "load_app", "read_people"]

_KINDS: dict[str, Literal["person", "outsider", "agent", "system"]] = {
    "person": "person",
    "outsider": "outsider",
    "agent": "agent",
    "system": "system",
}
_WORD = re.compile(r"\w+")
_ACCOUNTS = compile_query(select(account).order_by(account.c.id))


@dataclass(frozen=True, slots=True)
class Profile:
    """How somebody works and answers.

    Attributes:
        hours: minutes after local midnight, from and until; None for those who never sleep.
        reads: the apps they watch, first choice first.
        asked: what they do when asked about a fact, by fact.
        customer: whom they write for, themselves where they speak for it; empty for everybody else.
    """

    account: Account
    hours: tuple[int, int] | None
    reads: tuple[str, ...]
    voice: str
    manager: str
    team: str
    asked: Mapping[str, Mapping[str, str]]
    joins: int | None
    leaves: int | None
    away: tuple[tuple[int, int], ...] = ()
    customer: str = ""

    @property
    def attendance(self) -> Attendance:
        """When they are at work."""
        return Attendance(self.account.zone, self.hours, self.away, self.joins, self.leaves)


class AppSight(NamedTuple):
    """What a statement sees of an app.

    Attributes:
        sight: None where that may be all.
        takes_keys: it is the name of the table of whose rows keys are taken beforehand.
    """

    app: str
    sight: Sight | None
    takes_keys: bool


@dataclass(frozen=True)
class Setting:
    """The unchanging part of a simulation, shared by all its sessions. `folder` is the package's."""

    world: str
    folder: Path
    seed: int
    zone: str
    turn_cost: Duration
    apps: Mapping[str, App]
    people: Mapping[str, Profile]
    outages: tuple[Outage, ...]
    services: Mapping[str, Service]
    phrases: Mapping[str, Mapping[str, tuple[str, ...]]]

    @cached_property
    def operations(self) -> dict[str, Operation]:
        """Every operation of every app by its full name."""
        return {name: operation for app in self.apps.values() for name, operation in app.operations.items()}

    @cached_property
    def listening(self) -> tuple[App, ...]:
        """The apps that take in what is said in others."""
        return tuple(app for app in self.apps.values() if app.role(TakesIn) is not None)

    @cached_property
    def apps_in(self) -> Callable[[str], frozenset[str]]:
        """The apps whose tables, or the search indexes of these, a statement names; the engine's by their own names."""
        owners: dict[str, frozenset[str]] = {
            str(name): frozenset((str(name),)) for name in engine_tables.metadata.tables
        }
        for app in self.apps.values():
            for name in map(str, app.tables.tables):
                owners[name] = owners.get(name, frozenset()) | {app.name}

        @lru_cache(maxsize=4096)
        def apps_in(statement: str) -> frozenset[str]:
            words = {*_WORD.findall(statement)}
            named = [owners.get(name) for word in words for name in (word, word.removesuffix("_search"))]
            return frozenset[str]().union(*filter(None, named))

        return apps_in

    @cached_property
    def sights(self) -> Callable[[str], tuple[AppSight, ...]]:
        """What each app whose tables a statement names says of what it sees (`WritesApart`)."""

        @lru_cache(maxsize=4096)
        def sights(statement: str) -> tuple[AppSight, ...]:
            found = []
            for name in sorted(self.apps_in(statement) & self.apps.keys()):
                apart = self.apps[name].role(WritesApart)
                takes = apart is not None and apart.keys is not None and apart.keys.table.name == statement
                found.append(AppSight(name, apart.sight(statement) if apart is not None else None, takes))
            return tuple(found)

        return sights

    @cached_property
    def tables(self) -> dict[str, str]:
        """The app that each table belongs to."""
        return {str(name): app.name for app in self.apps.values() for name in app.tables.tables}


def load_app(name: str) -> App:
    """The app of that name.

    Raises:
        UnknownPlugin: there is none.
        BrokenPlugin: what is registered under that name is not an app.
    """
    found = load_plugin("apps", name)
    if not isinstance(found, App):
        raise BrokenPlugin(f"apps plug-in {name!r} is {type(found).__name__}; expected a brownout.core.apps.App")
    return found


def read_people(rows: Rows) -> dict[str, Profile]:
    """Everybody in the world by short name, as `engine_account` has them."""
    people = {}
    for row in rows.all(_ACCOUNTS):
        profile = orjson.loads(row.text("profile"))
        known = Account(
            person=row.text("person"),
            name=row.text("name"),
            email=row.text("email"),
            kind=_KINDS[row.text("kind")],
            role=row.text("role"),
            zone=row.text("zone"),
        )
        hours = profile.get("hours")
        people[known.person] = Profile(
            account=known,
            hours=(hours[0], hours[1]) if hours else None,
            reads=tuple(profile.get("reads", ())),
            voice=profile.get("voice", "plain"),
            manager=profile.get("manager", ""),
            team=profile.get("team", ""),
            asked=profile.get("asked", {}),
            joins=profile.get("joins"),
            leaves=profile.get("leaves"),
            away=tuple((since, until) for since, until in profile.get("away", ())),
            customer=profile.get("customer", ""),
        )
    return people
