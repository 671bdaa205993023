"""Facts as rows: what there is to know, when it was so, and the words for it; and what they can be asked about by."""

from collections.abc import Iterable, Mapping, Sequence

import orjson

from brownout.core.rows import Rows
from brownout.core.values import Json, JsonObject
from brownout.engine.coworkers.question_kinds import kinds_of
from brownout.engine.coworkers.topics import with_word
from generators.timetable import Timetable
from worlds.package.engine_tables import fact as table
from worlds.package.engine_tables import topic
from worlds.spec import FactSpec, WorldSpec

__all__ = ["write_facts", "write_topics"]


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


def write_topics(rows: Rows, facts: Iterable[FactSpec], synonyms: Mapping[str, Sequence[str]]) -> None:
    """Write a row for every slot of the facts.

    Args:
        synonyms: what people also say for a word, by the word; slots that have the word are found by those, too.
    """
    slots: dict[str, list[FactSpec]] = {}
    for fact in facts:
        slots.setdefault(fact.slot, []).append(fact)
    keys = {}
    for slot, values in slots.items():
        about = list(dict.fromkeys(word for fact in values for word in fact.about))
        called = " ".join(slot.replace("_", " ").replace(".", " ").split())
        keys[slot] = rows.insert(
            topic,
            slot=slot,
            about=" ".join(about),
            says=" ".join(text for fact in values for text in dict.fromkeys(fact.says)),
            called=called,
            alike="",
            kinds=" ".join(kinds_of(called, *about)),
        )
    alike: dict[str, list[str]] = {}
    for word, others in synonyms.items():
        for slot in sorted(with_word(rows, word)):
            alike.setdefault(slot, []).extend(others)
    for slot, words in alike.items():
        row = rows.get(topic, keys[slot])
        assert row is not None
        kinds = dict.fromkeys([*row.text("kinds").split(), *kinds_of(*words)])
        rows.update(topic, keys[slot], alike=" ".join(dict.fromkeys(words)), kinds=" ".join(kinds))
