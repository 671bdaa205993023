"""When the things of a world happen, as far as its text can be read, and what their times read after they were moved."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from brownout.core.errors import AuthoringError, EditRefused
from brownout.core.instants import DAY, MINUTE, Duration, Instant, duration_text, local
from generators.timetable import Timetable, make_timetable
from worlds.expressions import Anchor, ExpressionError, parse_duration, parse_moment
from worlds.lint import foundations
from worlds.spec import WorldSpec

__all__ = ["WorldTimes", "calendar_of", "lengthened", "moment_of", "moved"]

_OFFSET = re.compile(r"\s*[+-]\s*\S+\s*$")


@dataclass(frozen=True, slots=True)
class WorldTimes:
    """The times of a world.

    Attributes:
        times: every time, None where one cannot be worked out; `moments` has those that stand by themselves then.
    """

    zone: str
    first: Instant
    last: Instant
    moments: Mapping[str, Instant]
    times: Timetable | None


def calendar_of(spec: WorldSpec) -> WorldTimes:
    """The times of a world, as many as there are."""
    zone = spec.world.clock.zone
    first, last = moment_of(spec.world.clock.start, zone) or 0, moment_of(spec.world.clock.until, zone) or 0
    last = last if last > first else first + 30 * DAY
    founded = foundations(spec)
    if founded.has_calendar:
        try:
            times = make_timetable(founded.spec)
        except AuthoringError:
            pass
        else:
            return WorldTimes(zone, *times.calendar, {**times.moments, **times.starts}, times)
    return WorldTimes(zone, first, last, _own_times(spec, zone), None)


def _own_times(spec: WorldSpec, zone: str) -> dict[str, Instant]:
    """What says its time itself, and what hangs on that."""
    texts = {name: one.start for name, one in spec.outages.items()}
    texts |= {name: task.start for name, task in spec.tasks.items()}
    for story in spec.storylines.values():
        for things in (story.beats, story.talks, story.mails):
            texts |= {name: thing.at for name, thing in things.items()}
    found: dict[str, Instant] = {}
    for _ in range(4):
        for name, text in texts.items():
            if name not in found and (at := moment_of(text, zone, found)) is not None:
                found[name] = at
    return found


def moment_of(text: str, zone: str, known: Mapping[str, Instant] | None = None) -> Instant | None:
    """The moment that a time means, `2026-04-14 10:30` or `slack-out - 30m`; None where it means none.

    Args:
        known: moments by the names that a time may hang on.
    """
    try:
        moment = parse_moment(text, zone)
    except ExpressionError:
        return None
    if isinstance(moment, Anchor):
        base = (known or {}).get(moment.name)
        return None if base is None or moment.edge == "until" else base + moment.offset
    return moment


def moved(text: str, by: Duration, zone: str) -> str:
    """How a time reads that was moved: `rds-evening + 31m` stays relative to what it hangs on.

    Args:
        by: whole minutes, in microseconds.

    Raises:
        ExpressionError: the text is no time.
    """
    moment = parse_moment(text, zone)
    if isinstance(moment, Anchor):
        offset = moment.offset + by
        name = _OFFSET.sub("", text.strip()) if moment.offset else text.strip()
        return name if not offset else f"{name} {'+' if offset > 0 else '-'} {duration_text(abs(offset))}"
    to = local(moment + by, zone)
    is_day = len(text.strip()) == len("2026-04-14") and (to.hour, to.minute) == (0, 0)
    return to.strftime("%Y-%m-%d" if is_day else "%Y-%m-%d %H:%M")


def lengthened(text: str, by: Duration) -> str:
    """How a duration reads that is longer, or shorter where `by` is below 0: `4h30m` and half an hour are `5h`.

    Raises:
        EditRefused: the text is no duration, or nothing would be left of it.
    """
    try:
        span = parse_duration(text) + by
    except ExpressionError as error:
        raise EditRefused(str(error)) from error
    if span < MINUTE:
        raise EditRefused("it would last no minute; remove it instead")
    return duration_text(span)
