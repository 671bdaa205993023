"""Tickets that work closes: what is in a ticket's `closed_by` moves it to In Progress, to whoever does it, and to Done."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from brownout.core.apps import Intent
from brownout.core.errors import AuthoringError, Mistake, Unknown
from brownout.core.instants import MINUTE, SECOND, Instant
from brownout.core.seeds import Stream
from brownout.core.values import JsonObject
from brownout.core.vocabulary import near
from generators.planned_intents import Planned
from generators.timetable import Timetable
from worlds.attendance import attendance_of
from worlds.spec import Action, WorldSpec

__all__ = ["Landing", "plan_tickets"]


@dataclass(frozen=True, slots=True)
class Landing:
    """Work that is done at some moment.

    Attributes:
        who: did it.
        opened: when a pull was opened for it, None where it came without one.
    """

    who: str
    at: Instant
    opened: Instant | None = None


def plan_tickets(spec: WorldSpec, times: Timetable, landings: Mapping[str, Landing]) -> list[Planned]:
    """What becomes of every ticket that names what closes it.

    Raises:
        AuthoringError: nothing is called so, or it was done before there was a ticket.
    """
    known = dict(landings)
    for story in spec.storylines.values():
        for name, beat in story.beats.items():
            if name in times.moments:
                known.setdefault(name, Landing(beat.who, times.moments[name]))
    mistakes: list[Mistake] = []
    planned: list[Planned] = []
    for line, name, action in _closable(spec):
        file, closer = f"storylines/{line}.yaml", str(action.details["closed_by"])
        place = max(spec.line(file, "beats", name, verb, "closed_by") for verb in ("opens", "decides"))
        landing, opened = known.get(closer), times.moments.get(name)
        if landing is None:
            text = f"{name}.closed_by: no pull, commit or beat is called {closer!r}{near(closer, known)}"
            mistakes.append(Mistake(file, place, Unknown(text, name=closer, kind="beat")))
        elif opened is not None and landing.at <= opened:
            mistakes.append(Mistake(file, place, f"{name}.closed_by: {closer} was done before the ticket was opened"))
        elif opened is not None:
            planned += _course(spec, f"{line}/{name}", action, opened, landing)
    if mistakes:
        raise AuthoringError(mistakes)
    return planned


def _closable(spec: WorldSpec) -> Iterator[tuple[str, str, Action]]:
    for line, story in spec.storylines.items():
        for name, beat in story.beats.items():
            for action in beat.does:
                if action.kind == "open" and "closed_by" in action.details:
                    yield line, name, action


def _course(spec: WorldSpec, key: str, action: Action, opened: Instant, landing: Landing) -> Iterator[Planned]:
    """Taken up some time before it can be seen, closed when it has landed."""
    stream = Stream(spec.world.generation.seed, "ticket", key)
    thing = key.partition("/")[2]
    seen = landing.opened if landing.opened is not None and landing.opened > opened else landing.at
    begun = max(seen - stream.between(15 * MINUTE, 90 * MINUTE), opened + (seen - opened) // 3)
    there = attendance_of(spec.people[landing.who], spec.world.clock.zone).next_working(begun)
    if there is not None and there < seen:
        begun = max(begun, there + (seen - there) // 5)
    via = action.via or ""
    yield Planned(begun, Intent("begin", f"{key}/begun", landing.who, via=via, thing=thing))
    done = landing.at + stream.between(25 * SECOND, 6 * MINUTE)
    resolution: JsonObject = {"resolution": "Done"}
    yield Planned(done, Intent("close", f"{key}/closed", landing.who, via=via, thing=thing, details=resolution))
