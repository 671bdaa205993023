"""Schedules of who is on call as authors declare them, and as people make and change them later."""

from pydantic import BaseModel, ConfigDict, Field

from brownout.core.apps import Call, Intent
from brownout.core.instants import HOUR, Instant
from brownout.core.rows import Row
from brownout.core.values import Json
from tools.ops import records, rota
from tools.ops.paths import schedule_path
from worlds.expressions import ExpressionError, parse_duration, parse_moment

__all__ = ["ScheduleSettings", "make_schedule", "put_on_call", "turns_of"]


class ScheduleSettings(BaseModel):
    """A schedule by which people take turns: moments in its zone, durations."""

    model_config = ConfigDict(extra="forbid")

    covers: list[str] = Field(min_length=1, description="The services.")
    rotation: list[str] = Field(min_length=1, description="Who takes turns.")
    starts: str = Field(description="When the first turn begins, in its zone.")
    every: str = Field(default="7d", description="How long a turn is.")
    lasts: str = Field(default="", description="How much of a turn somebody is on call; all of it without it.")
    until: str = Field(default="", description="When the schedule ends, in its zone.")
    zone: str = Field(default="", description="The zone of whose turn is the first without it.")


def turns_of(call: Call, settings: ScheduleSettings) -> records.Turns:
    """The turns that an author declares.

    Raises:
        KeyError: nobody has the name of somebody in the rotation.
        ExpressionError: a time or a duration is not in the grammar, or they do not fit together.
    """
    zone = settings.zone or call.account(settings.rotation[0]).zone
    every = parse_duration(settings.every)
    lasts = parse_duration(settings.lasts) if settings.lasts else every
    if not HOUR <= lasts <= every:
        raise ExpressionError("expected turns of an hour or more, of which somebody is on call for all or a part")
    return records.Turns(
        covers=tuple(settings.covers),
        rotation=tuple(settings.rotation),
        start=_instant(settings.starts, zone),
        every=every,
        lasts=lasts,
        zone=zone,
        end=_instant(settings.until, zone) if settings.until else None,
    )


def _instant(text: str, zone: str) -> Instant:
    found = parse_moment(text, zone)
    if not isinstance(found, int):
        raise ExpressionError(f"expected a moment such as 2026-03-30 09:00, found {text!r}")
    return found


def make_schedule(call: Call, intent: Intent) -> str:
    """Make the schedule in the details, and let those that it replaces end when it begins."""
    name = str(intent.details.get("schedule"))
    try:
        settings = ScheduleSettings.model_validate(intent.details.get("turns"))
        turns = turns_of(call, settings)
    except (ValueError, KeyError) as error:
        raise LookupError(f"{intent.key}: {error}") from None
    unknown = [service for service in turns.covers if records.service_named(call, service) is None]
    if unknown or rota.schedule_named(call.rows, name) is not None:
        problem = f"there is no service {unknown[0]!r}" if unknown else f"there is a schedule {name!r} already"
        raise LookupError(f"{intent.key}: {problem}")
    replaced = [_schedule(call, intent, str(old)) for old in _list(intent.details.get("replaces"))]
    made = records.add_schedule(call, name, turns)
    for schedule in replaced:
        records.end_schedule(call, schedule, max(turns.start, call.now))
    return schedule_path(made.text("name"))


def put_on_call(call: Call, intent: Intent) -> str:
    """Let somebody stand in for whoever's turn it is."""
    schedule = _schedule(call, intent, str(intent.details.get("schedule")))
    start, end = intent.details.get("start_us"), intent.details.get("end_us")
    if not isinstance(start, int) or not isinstance(end, int) or end <= start:
        raise LookupError(f"{intent.key}: somebody stands in from one moment until a later one")
    [person] = intent.to
    made = records.add_override(call, schedule, person, start=start, end=end, who=intent.who)
    return f"{schedule_path(schedule.text('name'))}.override/{made.number('id')}"


def _schedule(call: Call, intent: Intent, name: str) -> Row:
    found = rota.schedule_named(call.rows, name)
    if found is None:
        known = ", ".join(row.text("name") for row in rota.schedules(call.rows))
        raise LookupError(f"{intent.key}: there is no schedule {name!r}; expected one of {known or 'none'}")
    return found


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
