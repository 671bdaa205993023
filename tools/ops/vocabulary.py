"""What an author may say of the ops console. Its services come from systems.yaml, so its own section has only who is on call."""

from collections.abc import Mapping
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from brownout.core.values import JsonObject
from brownout.core.vocabulary import AppText, Outline, Vocabulary, Word
from tools.ops.catalogue import StandbySettings
from tools.ops.schedules import ScheduleSettings

__all__ = ["text"]

_OWN: Final[Mapping[str, Word]] = {name: Word() for name in ("version", "commit", "on_call", "team", "repo")}
_DEPLOY: Final = ("service", "version", "commit", "note", "resource", "to", "flag", "on", "restart", "rollback")


class Declared(BaseModel):
    """The world's `apps: ops:` section."""

    model_config = ConfigDict(extra="forbid")
    schedules: dict[str, ScheduleSettings] = Field(
        default={}, description="Schedules by which people take turns, by name."
    )
    standbys: dict[str, StandbySettings | Literal["ready", "lagging", "empty"]] = Field(
        default={}, description="How much of the data what could serve a need has, by its name."
    )


def _vocabulary(settings: JsonObject, outline: Outline) -> Vocabulary:
    services = [*outline.services]
    return Vocabulary(
        details={"deploy": {name: Word() for name in _DEPLOY}},
        things=[*services, *(f"{name}.*" for name in services), "vendor/*", "schedule/*", "standby/*", "@*.page/*"],
        fields=lambda thing: _fields(outline, thing),
        paths=[*services, *(f"{name}.*" for name in services), "vendor/*", "schedule/*", "standby/*", "@*", "user/*"],
    )


def _fields(outline: Outline, thing: str) -> Mapping[str, Word] | None:
    """A service's: what serves each of its needs, its flags, and its own."""
    service = outline.services.get(thing)
    if service is None:
        return None
    needs = {name: Word(options) for name, options in service.needs.items()}
    return {**needs, **{f"flag_{name}": Word() for name in service.flags}, **_OWN}


text = AppText(Declared, _vocabulary)
