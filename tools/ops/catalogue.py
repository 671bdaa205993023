"""The service catalogue: what an author declares, and how each service is set up now."""

from collections.abc import Iterator, Mapping
from typing import Literal

from pydantic import Field
from sqlalchemy import select

from brownout.core.app_roles import ServiceState
from brownout.core.apps import Call
from brownout.core.calls import Account
from brownout.core.errors import AuthoringError, Mistake
from brownout.core.instants import SECOND, Instant
from brownout.core.rows import Rows
from brownout.core.strict_model import StrictModel
from brownout.core.values import JsonObject
from brownout.store import compile_query
from tools.ops import records, tables
from tools.ops.schedules import ScheduleSettings, turns_of
from worlds.expressions import ExpressionError, parse_duration

__all__ = [
    "IncidentSettings",
    "NeedSettings",
    "OpsSettings",
    "ServiceSettings",
    "StandbySettings",
    "open_account",
    "prepare",
    "services",
]

_SERVICES = compile_query(select(tables.service).order_by(tables.service.c.name))
_NEEDS = compile_query(
    select(tables.need.c.service, tables.need.c.name, tables.need.c.target, tables.need.c.is_lost).order_by(
        tables.need.c.id
    )
)
_FLAGS = compile_query(
    select(tables.flag.c.service, tables.flag.c.name, tables.flag.c.is_on).order_by(tables.flag.c.id)
)


class NeedSettings(StrictModel):
    """What serves a need on the calendar's first day, and what else could."""

    target: str = Field(alias="is")
    can_be: list[str] = Field(default=[])


class ServiceSettings(StrictModel):
    """A service as the author declares it."""

    says: str = ""
    team: str = ""
    on_call: str | None = None
    repo: str = ""
    version: str = "1.0.0"
    commit: str = ""
    """What the first version was built from, where that is known."""
    released: Instant | None = None
    needs: dict[str, NeedSettings] = Field(default={})
    flags: dict[str, bool] = Field(default={})


class StandbySettings(StrictModel):
    """How much of the data something that could serve a need has."""

    state: Literal["ready", "lagging", "empty"] = Field(description="What it has.")
    lag: str = Field(default="0s", description="How far it is behind.")


class IncidentSettings(StrictModel):
    """Which alerts open an incident by themselves; none by default."""

    severities: list[Literal["high", "critical"]] = Field(
        default=[], alias="opened_by", description="Severities of the alerts that open an incident by themselves."
    )
    subscribers: list[str] = Field(default=[], description="People and teams who are sent its updates.")


class OpsSettings(StrictModel):
    """What the world's systems.yaml comes to, its people's teams, and further vendors whose status pages are followed."""

    services: dict[str, ServiceSettings] = Field(default={})
    vendors: list[str] = Field(default=[])
    schedules: dict[str, ScheduleSettings] = Field(default={})
    standbys: dict[str, StandbySettings | Literal["ready", "lagging", "empty"]] = Field(default={})
    teams: dict[str, list[str]] = Field(default={})
    incidents: IncidentSettings = IncidentSettings()


def open_account(call: Call, account: Account) -> None:
    """An account for everybody who works here; what watches the services needs none, and outsiders see what is public."""
    if account.kind == "outsider":
        records.add_visitor(call, account.person)
    elif account.kind != "system":
        records.add_user(call, account)


def prepare(call: Call, settings: JsonObject) -> None:
    """Fill the catalogue, and follow the status page of every vendor that a service could hang on."""
    wanted = OpsSettings.model_validate(settings)
    parts = list(wanted.vendors)
    for name, declared in wanted.services.items():
        service = records.add_service(
            call,
            name,
            says=declared.says,
            team=declared.team,
            on_call=declared.on_call or "",
            repo=declared.repo,
            version=declared.version,
            commit=declared.commit,
            released=declared.released,
        )
        records.add_component(call, name)
        for need, serves in declared.needs.items():
            records.add_need(call, service, need, serves.target, serves.can_be)
            parts += (serves.target, *serves.can_be)
        for flag, is_on in declared.flags.items():
            records.add_flag(call, service, flag, is_on=is_on)
    for part in dict.fromkeys(parts):
        if part not in wanted.services:
            records.add_vendor(call, part)
    mistakes = [*_add_schedules(call, wanted), *_add_standbys(call, wanted, parts), *_add_teams(call, wanted)]
    if mistakes:
        raise AuthoringError(mistakes)


def _add_schedules(call: Call, wanted: OpsSettings) -> Iterator[Mistake]:
    for name, declared in wanted.schedules.items():
        place = f"apps.ops.schedules.{name}"
        unknown = [person for person in declared.rotation if records.user_of(call, person) is None]
        for person in unknown:
            yield Mistake("world.yaml", 0, f"{place}.rotation: nobody is called {person!r}")
        for service in set(declared.covers) - set(wanted.services):
            yield Mistake("world.yaml", 0, f"{place}.covers: there is no service {service!r}")
        if unknown:
            continue
        try:
            records.add_schedule(call, name, turns_of(call, declared))
        except (ExpressionError, KeyError) as error:
            yield Mistake("world.yaml", 0, f"{place}: {error}")


def _add_standbys(call: Call, wanted: OpsSettings, parts: list[str]) -> Iterator[Mistake]:
    for target, declared in wanted.standbys.items():
        standby = StandbySettings(state=declared) if isinstance(declared, str) else declared
        if target not in parts:
            yield Mistake("world.yaml", 0, f"apps.ops.standbys: nothing could be served by {target!r}")
        try:
            records.set_standby(call, target, standby.state, parse_duration(standby.lag) // SECOND)
        except ExpressionError as error:
            yield Mistake("world.yaml", 0, f"apps.ops.standbys.{target}.lag: {error}")


def _add_teams(call: Call, wanted: OpsSettings) -> Iterator[Mistake]:
    for name, people in wanted.teams.items():
        for person in people:
            if records.user_of(call, person) is None:
                yield Mistake("world.yaml", 0, f"apps.ops.teams.{name}: nobody is called {person!r}")
        records.add_team(call, name, people)
    for name in wanted.incidents.subscribers:
        if records.user_of(call, name) is None and name not in wanted.teams:
            yield Mistake("world.yaml", 0, f"apps.ops.incidents.subscribers: there is no person or team {name!r}")
    for severity in dict.fromkeys(wanted.incidents.severities):
        records.add_incident_rule(call, severity, wanted.incidents.subscribers)


def services(rows: Rows) -> Mapping[str, ServiceState]:
    """How each service is set up now, by name."""
    needs: dict[int, dict[str, str]] = {}
    flags: dict[int, dict[str, bool]] = {}
    lost: dict[int, set[str]] = {}
    for row in rows.all(_NEEDS):
        needs.setdefault(row.number("service"), {})[row.text("name")] = row.text("target")
        if row["is_lost"]:
            lost.setdefault(row.number("service"), set()).add(row.text("name"))
    for row in rows.all(_FLAGS):
        flags.setdefault(row.number("service"), {})[row.text("name")] = bool(row["is_on"])
    return {
        row.text("name"): ServiceState(
            name=row.text("name"),
            needs=needs.get(row.number("id"), {}),
            flags=flags.get(row.number("id"), {}),
            version=row.text("version"),
            commit=row.text("commit"),
            lost=frozenset(lost.get(row.number("id"), ())),
        )
        for row in rows.all(_SERVICES)
    }
