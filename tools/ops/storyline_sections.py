"""What authors put into storylines about on-call and incidents: `rotas:`, `stand_ins:`, `standbys:`, `incidents:`."""

from typing import Literal, Self, cast

from pydantic import Field, field_validator, model_validator

from brownout.core.apps import Intent
from brownout.core.instants import SECOND
from brownout.core.storyline_sections import Cause, Section, SectionEntry
from brownout.core.values import JsonObject
from tools.ops.schedules import ScheduleSettings
from worlds.expressions import parse_duration, parse_moment

__all__ = ["IncidentEntry", "Rota", "StandIn", "Standby", "sections"]


class Rota(SectionEntry):
    """Somebody makes a schedule; those that it replaces end when it begins."""

    schedule: str = Field(min_length=1)
    covers: list[str] = Field(min_length=1)
    rotation: list[str] = Field(min_length=1)
    starts: str
    every: str = "7d"
    lasts: str = ""
    until: str = ""
    zone: str = ""
    replaces: list[str] = Field(default=[])

    @property
    def people(self) -> tuple[str, ...]:
        """Who does it, and who takes turns."""
        return (self.who, *self.rotation)


class StandIn(SectionEntry):
    """Somebody is put on call for a while, whoever's turn it is."""

    schedule: str
    person: str
    start: str = Field(alias="from")
    until: str

    @field_validator("start", "until")
    @classmethod
    def _moment(cls, value: str) -> str:
        if not isinstance(parse_moment(value, "UTC"), int):
            raise ValueError(f"expected a moment such as 2026-03-30 09:00, found {value!r}")
        return value

    @property
    def people(self) -> tuple[str, ...]:
        """Who does it, and who is put on call."""
        return (self.who, self.person)


class Standby(SectionEntry):
    """How much of the data something that could serve a need has from then on."""

    standby: str
    state: Literal["ready", "lagging", "empty"]
    lag: str = "0s"

    @field_validator("lag")
    @classmethod
    def _duration(cls, value: str) -> str:
        parse_duration(value)
        return value


class IncidentEntry(SectionEntry):
    """Somebody opens an incident, or with `of` posts an update on the one that another entry opened."""

    of: str = ""
    title: str = ""
    severity: Literal["minor", "major", "critical"] | None = None
    status: Literal["investigating", "identified", "monitoring", "resolved"] | None = None
    services: list[str] = Field(default=[])
    message: str = ""
    mitigation: str = ""
    runs_on: dict[str, str] = Field(default={})
    next_update: str = ""
    commander: str = ""
    responders: list[str] = Field(default=[])
    subscribers: list[str] = Field(default=[])
    tickets: list[str] = Field(default=[])

    @field_validator("next_update")
    @classmethod
    def _duration(cls, value: str) -> str:
        if value:
            parse_duration(value)
        return value

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if not self.of and not (self.title and self.services):
            raise ValueError("expected a title and services, or of: and the entry whose incident goes on")
        return self

    @property
    def people(self) -> tuple[str, ...]:
        """Who does it, and who works on it then."""
        return (self.who, *([self.commander] if self.commander else []), *self.responders)


def _incident(entry: SectionEntry, cause: Cause) -> Intent:
    given = cast(IncidentEntry, entry)
    own = {*IncidentEntry.model_fields} - {*SectionEntry.model_fields}
    record: JsonObject = {name: value for name, value in given.model_dump(include=own).items() if value}
    if given.next_update:
        record["next_update"] = parse_duration(given.next_update)
    details: JsonObject = {"incident": record}
    return Intent(kind="write", key=cause.key, who=given.who, text=given.message, thing=cause.name, details=details)


def _rota(entry: SectionEntry, cause: Cause) -> Intent:
    given = cast(Rota, entry)
    turns: JsonObject = given.model_dump(include={*ScheduleSettings.model_fields})
    details: JsonObject = {"schedule": given.schedule, "turns": turns, "replaces": [*given.replaces]}
    return Intent(kind="write", key=cause.key, who=given.who, thing=cause.name, details=details)


def _stand_in(entry: SectionEntry, cause: Cause) -> Intent:
    given = cast(StandIn, entry)
    start, end = (parse_moment(text, cause.zone) for text in (given.start, given.until))
    assert isinstance(start, int) and isinstance(end, int), cause.key
    details: JsonObject = {"schedule": given.schedule, "start_us": start, "end_us": end}
    return Intent(kind="assign", key=cause.key, who=given.who, to=(given.person,), thing=cause.name, details=details)


def _standby(entry: SectionEntry, cause: Cause) -> Intent:
    given = cast(Standby, entry)
    details: JsonObject = {
        "standby": given.standby,
        "state": given.state,
        "lag_seconds": parse_duration(given.lag) // SECOND,
    }
    return Intent(kind="write", key=cause.key, who=given.who, thing=cause.name, details=details)


sections = {
    "rotas": Section(Rota, _rota),
    "stand_ins": Section(StandIn, _stand_in),
    "standbys": Section(Standby, _standby),
    "incidents": Section(IncidentEntry, _incident),
}
