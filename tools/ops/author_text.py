"""What an author may say of the ops console. Its services come from systems.yaml, so its own section has only who is on call."""

from collections.abc import Mapping
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from brownout.core.values import JsonObject
from brownout.core.vocabulary import AppText, FieldSpec, Vocabulary, WorldNames
from tools.ops import incident_selectors
from tools.ops.catalogue import IncidentSettings, StandbySettings
from tools.ops.records import COMPONENT_STATUSES, STATUSES
from tools.ops.schedules import ScheduleSettings

__all__ = ["text"]

_OWN: Final[Mapping[str, FieldSpec]] = {name: FieldSpec() for name in ("version", "commit", "on_call", "team", "repo")}
_RECORDS: Final = ("incident/*", "status-page.*")
_DEPLOY: Final = ("service", "version", "commit", "note", "resource", "to", "flag", "on", "restart", "rollback")


class OpsNames(BaseModel):
    """The world's `apps: ops:` section."""

    model_config = ConfigDict(extra="forbid")
    schedules: dict[str, ScheduleSettings] = Field(
        default={}, description="Schedules by which people take turns, by name."
    )
    standbys: dict[str, StandbySettings | Literal["ready", "lagging", "empty"]] = Field(
        default={}, description="How much of the data what could serve a need has, by its name."
    )
    teams: dict[str, list[str]] = Field(
        default={}, description="Further teams that incidents' updates can be sent to, beside those of people.yaml."
    )
    incidents: IncidentSettings = Field(
        default=IncidentSettings(), description="Which alerts open an incident by themselves."
    )


def _vocabulary(settings: JsonObject, outline: WorldNames) -> Vocabulary:
    services = [*outline.services]
    teams = OpsNames.model_validate(settings).teams
    return Vocabulary(
        problems=tuple(
            problem for name, people in teams.items() for problem in outline.strangers(people, ("teams", name))
        ),
        details={
            "deploy": {name: FieldSpec() for name in _DEPLOY},
            "page": {name: FieldSpec() for name in ("alert", "urgency")},
        },
        things=[
            *services,
            *(f"{name}.*" for name in services),
            "vendor/*",
            "schedule/*",
            "standby/*",
            "@*.page/*",
            *_RECORDS,
        ],
        fields=lambda thing: _fields(outline, thing),
        paths=[
            *services,
            *(f"{name}.*" for name in services),
            "vendor/*",
            "schedule/*",
            "standby/*",
            "@*",
            "user/*",
            "team/*",
            "visitor/*",
            "incident-rule/*",
            *_RECORDS,
        ],
    )


def _fields(outline: WorldNames, thing: str) -> Mapping[str, FieldSpec] | None:
    """A service's: what serves each of its needs, its flags, and its own; an incident's: also what its services need."""
    if thing.startswith("incident/"):
        if ".update/" in thing:
            return {name: FieldSpec() for name in incident_selectors.UPDATE_FIELDS}
        if ".mitigation/" in thing:
            return {name: FieldSpec() for name in ("service", "need", "target")}
        every = {need: FieldSpec() for service in outline.services.values() for need in service.needs}
        return {**every, **{name: FieldSpec() for name in incident_selectors.FIELDS}, "status": FieldSpec(STATUSES)}
    if thing.startswith("status-page.component/"):
        return {"service": FieldSpec([*outline.services]), "status": FieldSpec(COMPONENT_STATUSES)}
    service = outline.services.get(thing)
    if service is None:
        return None
    needs = {name: FieldSpec(options) for name, options in service.needs.items()}
    return {**needs, **{f"flag_{name}": FieldSpec() for name in service.flags}, **_OWN}


text = AppText(OpsNames, _vocabulary)
