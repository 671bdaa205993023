"""Facts as rows: what there is to know, when it was so, and the words for it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import orjson

from brownout.core.instants import Duration, Instant
from brownout.core.rows import Rows
from generators.timetable import Timetable
from worlds.expressions import Anchor, parse_moment
from worlds.package.engine_tables import fact as table
from worlds.spec import FactSpec, WorldSpec

__all__ = ["fact_window", "waiting_facts", "write_facts"]


def write_facts(rows: Rows, spec: WorldSpec, times: Timetable, titles: Mapping[str, Sequence[str]]) -> None:
    """Write every fact of every storyline.

    Args:
        titles: of commits and pulls, by repository; the rivals of a fact whose author wants them.
    """
    for story in spec.storylines.values():
        for name, fact in story.facts.items():
            since, until = fact_window(fact, spec, times)
            words = {"says": fact.says, "said": fact.said, "about": fact.about}
            if fact.audience is not None:
                words["audience"] = sorted({one for name in fact.audience for one in _meant(spec, name)})
            if fact.rivals == "commits":
                words["rivals"] = [*titles.get(repository_of(fact, spec), ())]
            rows.insert(
                table,
                fact=name,
                slot=fact.slot,
                value=fact.value,
                since_us=since,
                until_us=until,
                words=orjson.dumps(words, option=orjson.OPT_SORT_KEYS).decode(),
            )


def repository_of(fact: FactSpec, spec: WorldSpec) -> str:
    """The repository of the service that a fact's slot begins with, or the one of that name."""
    name = fact.slot.partition(".")[0]
    return spec.services[name].repo if name in spec.services else name


def fact_window(fact: FactSpec, spec: WorldSpec, times: Timetable) -> tuple[Instant | None, Instant | None]:
    """From when and until when a fact holds; None where it always did, or still does.

    What begins with a beat that waits for a condition begins when the calendar ends, until that comes true.
    """
    since = times.calendar[1] if _waits(fact.since, spec) else _moment(fact.since, spec, times)
    return since, _moment(fact.until, spec, times)


def waiting_facts(spec: WorldSpec) -> Iterator[tuple[str, Duration, str, Literal["since", "until"]]]:
    """The edges of facts that hang on a beat that waits for a condition: that condition, how long after, which."""
    for story in spec.storylines.values():
        for name, fact in story.facts.items():
            edges: Mapping[Literal["since", "until"], str] = {"since": fact.since, "until": fact.until}
            for edge, text in edges.items():
                anchor = _waits(text, spec)
                if anchor:
                    yield _waiting_beats(spec)[anchor.name], anchor.offset, name, edge


def _meant(spec: WorldSpec, name: str) -> list[str]:
    """The people, or the channel, that a name in an audience stands for."""
    if name == "customers":
        return [*spec.customers, *spec.contacts]
    if name == "company":
        return [*spec.people, *(task.actor.person for task in spec.tasks.values())]
    if name.startswith("team "):
        return [who for who, person in spec.people.items() if person.team == name.removeprefix("team ")]
    return [name]


def _waits(text: str, spec: WorldSpec) -> Anchor | None:
    """What a fact's edge hangs on, where that is a beat that waits for a condition."""
    found = parse_moment(text, spec.world.clock.zone) if text else None
    return found if isinstance(found, Anchor) and found.name in _waiting_beats(spec) else None


def _waiting_beats(spec: WorldSpec) -> dict[str, str]:
    """What beats wait for, by their names."""
    return {name: beat.when for story in spec.storylines.values() for name, beat in story.beats.items() if beat.when}


def _moment(text: str, spec: WorldSpec, times: Timetable) -> Instant | None:
    if not text:
        return None
    found = parse_moment(text, spec.world.clock.zone)
    if not isinstance(found, Anchor):
        return found
    at = times.moments.get(found.name)
    if at is None:
        return None
    return (times.ends.get(found.name, at) if found.edge == "until" else at) + found.offset
