"""Facts as rows: what there is to know, when it was so, and the words for it; and what they can be asked about by."""

from collections.abc import Mapping, Sequence

import orjson

from brownout.core.rows import Rows
from brownout.core.values import Json, JsonObject
from generators.timetable import Timetable
from generators.topics import write_topics
from worlds.package.engine_tables import fact as table
from worlds.spec import FactSpec, WorldSpec

__all__ = ["write_facts"]


def write_facts(rows: Rows, spec: WorldSpec, times: Timetable, titles: Mapping[str, Sequence[str]]) -> None:
    """Write every fact of every storyline, and the index that coworkers find their slots in.

    Args:
        titles: of commits and pulls, by repository; the rivals of a fact whose author wants them.
    """
    for story in spec.storylines.values():
        for name, fact in story.facts.items():
            since, until = times.windows[name]
            words: JsonObject = {"says": [*fact.says], "about": [*fact.about]}
            if fact.kind:
                words |= {"kind": fact.kind, "called": [*fact.called], "within": fact.within}
            if fact.mentions:
                words["mentions"] = [*fact.mentions]
            if fact.audience is not None:
                words["audience"] = list[Json](sorted({one for name in fact.audience for one in _meant(spec, name)}))
            if fact.rivals == "commits":
                words["rivals"] = list[Json](titles.get(repository_of(fact, spec), ()))
            rows.insert(
                table,
                fact=name,
                slot=fact.slot,
                value=fact.value,
                since_us=since,
                until_us=until,
                again_us=times.again.get(name),
                words=orjson.dumps(words, option=orjson.OPT_SORT_KEYS).decode(),
            )
    told = [fact for story in spec.storylines.values() for fact in story.facts.values()]
    write_topics(rows, told, spec.world.synonyms)


def repository_of(fact: FactSpec, spec: WorldSpec) -> str:
    """The repository of the service that a fact's slot begins with, or the one of that name."""
    name = fact.slot.partition(".")[0]
    return spec.services[name].repo if name in spec.services else name


def _meant(spec: WorldSpec, name: str) -> list[str]:
    """The people, or the channel, that a name in an audience stands for."""
    if name == "customers":
        return [*spec.customers, *spec.contacts]
    if name == "company":
        return [*spec.people, *(task.actor.person for task in spec.tasks.values())]
    if name.startswith("team "):
        return [who for who, person in spec.people.items() if person.team == name.removeprefix("team ")]
    return [name]
