"""What can be asked about, as rows: each slot with the words that it is found by."""

from collections.abc import Iterable, Mapping, Sequence

from brownout.core.rows import Rows
from brownout.engine.coworkers.asked_for import kinds_of
from brownout.engine.coworkers.topics import with_word
from worlds.package.engine_tables import topic as table
from worlds.spec import FactSpec

__all__ = ["write_topics"]


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
            table,
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
        row = rows.get(table, keys[slot])
        assert row is not None
        kinds = dict.fromkeys([*row.text("kinds").split(), *kinds_of(*words)])
        rows.update(table, keys[slot], alike=" ".join(dict.fromkeys(words)), kinds=" ".join(kinds))
