"""What is wrong with packs of code bases and with entries of theirs that are written whole."""

from collections.abc import Iterator, Mapping, Set
from typing import Final

from brownout.background.code_bases import CodePack, EntryPack
from brownout.background.packs import CASE_SLOTS, SLOT
from brownout.background.said_when import MARKS, conditional
from brownout.background.written import turns_of
from brownout.core.vocabulary import near
from generators.background.pack_problems.texts import Place, discipline_problems, script_problems, slot_problems
from generators.background.pack_problems.tickets import ticket_problems

__all__ = ["code_problems", "entry_problems"]

_GIVEN_TO_CODE: Final = frozenset({"key", "value", "note", "group", "place", "file", "ticket", "person", "other", "n"})
_ASKED_OF_PEOPLE: Final = ("requests", "noted")
"""What reviewers say to people alone."""


def code_problems(pack: CodePack, disciplines: Set[str]) -> Iterator[tuple[Place, str]]:
    """What is wrong with a pack of a code base that can be read."""
    for part in ("path", "line", "remark"):
        wanted = {"path": {"place", "group"}, "line": {"name", "value"}, "remark": {"note"}}[part]
        if {*SLOT.findall(getattr(pack, part))} != wanted:
            yield (part,), f"{part}: expected the slots {', '.join(sorted(wanted))}"
    yield from discipline_problems(("known_to",), pack.known_to, disciplines)
    for group, entries in pack.entries.items():
        names = [entry.name for entry in entries]
        for number, entry in enumerate(entries):
            if names.index(entry.name) != number:
                yield ("entries", group, number), f"{entry.name} stands twice in {group}"
            if len({*entry.values}) < len(entry.values):
                yield ("entries", group, number), f"{entry.name} has a value twice"
    for name, kind in CodePack.model_fields.items():
        texts = getattr(pack, name)
        if not isinstance(texts, tuple) or name == "places":
            continue
        if not texts and kind.is_required():
            yield (name,), f"{name}: expected a text"
        for number, text in enumerate(texts):
            yield from (((name, number), problem) for problem in slot_problems(text, _GIVEN_TO_CODE))
            if name != "known_to":
                yield from (((name, number), problem) for problem in _condition_problems(pack, name, text))
    for name in _ASKED_OF_PEOPLE:
        if getattr(pack, name) and pack.by != "people":
            yield (name,), f"{name}: expected no text, for a machine answers nothing"


def _condition_problems(pack: CodePack, name: str, text: str) -> Iterator[str]:
    """What is wrong with what a text says it is said of, and with the question in it."""
    read = conditional(text)
    known = {*pack.entries, *(entry.name for entries in pack.entries.values() for entry in entries), *MARKS}
    for mark in sorted(frozenset().union(*read.wants) - known):
        yield f"there is nothing called {mark!r} that could be true of a change{near(mark, known)}"
    if name == "remarks" and read.text.endswith("?") and not read.answer and pack.by == "people":
        yield f"a question is answered: expected ` => ` and an answer, found {text!r}"
    if read.answer and (name != "remarks" or pack.by != "people"):
        yield f"only remarks on people's changes are answered, found {text!r}"


def entry_problems(pack: EntryPack, packs: Mapping[str, CodePack]) -> Iterator[tuple[Place, str]]:
    """What is wrong with entries of a code base that are written whole."""
    if pack.kind not in packs:
        yield ("kind",), f"there is no code base of the kind {pack.kind!r}{near(pack.kind, packs)}"
        return
    changed = _GIVEN_TO_CODE - {"ticket", "other"} | {"old"}
    for name, entry in pack.entries.items():
        if len({*entry.values}) < len(entry.values):
            yield ("entries", name, "values"), f"{name} has a value twice"
        for number, change in enumerate(entry.changes):
            for problem in slot_problems(f"{change.title} {change.text} {change.says}", changed):
                yield ("entries", name, "changes", number), problem
        for part in ("how", "red"):
            for number, text in enumerate(getattr(entry, part)):
                yield from ((("entries", name, part, number), problem) for problem in slot_problems(text, changed))
        for number, case in enumerate(entry.tickets):
            for place, problem in ticket_problems(case, CASE_SLOTS | changed):
                yield ("entries", name, "tickets", number, *place), problem
        for part in ("requests", "remarks"):
            for number, script in enumerate(getattr(entry, part)):
                here: Place = ("entries", name, part, number)
                yield from ((here, problem) for problem in script_problems(script, changed))
                try:
                    turns = turns_of(script)
                except ValueError as wrong:
                    yield here, str(wrong)
                    continue
                if not turns or turns[0].who != "B" or {turn.who for turn in turns} - {"A", "B"}:
                    yield here, "expected B to begin, who looks at it, and A to answer, who made it"
