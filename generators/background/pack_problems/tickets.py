"""What is wrong with tickets written whole and with packs of tickets."""

from collections.abc import Iterator, Set
from typing import Final

from brownout.background.packs import CASE_SLOTS, EXCHANGE_SLOTS, SLOT, CasePack, TicketCase, WorkPack
from brownout.background.said_times import TIME_SLOTS
from brownout.background.written import turns_of
from brownout.core.vocabulary import near
from generators.background.pack_problems.texts import (
    AREAS,
    SHORT,
    Place,
    discipline_problems,
    later_problems,
    needed_problems,
    part_problems,
    script_problems,
    slot_problems,
    trade_problems,
)

__all__ = ["case_problems", "ticket_problems", "work_problems"]

_GIVEN_TO_WORK: Final = frozenset({"service", "customer", "person", "n"}) | TIME_SLOTS


def case_problems(pack: CasePack, disciplines: Set[str]) -> Iterator[tuple[Place, str]]:
    """What is wrong with tickets written whole that can be read."""
    seen: dict[str, int] = {}
    for number, case in enumerate(pack.cases):
        yield from ((("cases", number, *place), problem) for place, problem in ticket_problems(case, CASE_SLOTS))
        if case.title in seen:
            yield ("cases", number, "title"), f"{case.title!r} stands twice; the other is cases.{seen[case.title]}"
        yield from discipline_problems(("cases", number, "by"), case.by, disciplines)
        seen[case.title] = number


def ticket_problems(case: TicketCase, known: frozenset[str]) -> Iterator[tuple[Place, str]]:
    """What is wrong with a ticket written whole."""
    for part in ("title", "text", "talk", "done", "again"):
        yield from (((part,), problem) for problem in script_problems(getattr(case, part), known))
    for part in ("talk", "done", "again"):
        yield from (((part,), problem) for problem in part_problems(getattr(case, part), "ARO"))
    for number, area in enumerate(case.told_by):
        if area not in AREAS:
            yield ("told_by", number), f"there is no area {area!r}{near(area, AREAS)}"
    yield from trade_problems(case.trades)
    yield from ((("later",), problem) for problem in later_problems(case.later, "comment", *_comments(case), first=1))
    if case.again and case.ends != "done":
        yield ("again",), f"expected a ticket that was done to be opened again, found one whose end is {case.ends!r}"
    if case.twin is not None:
        for part, slots in (("title", known), ("text", known), ("said", known | {"ticket"})):
            yield from ((("twin", part), problem) for problem in script_problems(getattr(case.twin, part), slots))
        yield from ((("twin", "said"), problem) for problem in part_problems(case.twin.said, "AR"))
        if case.twin.said and "{ticket}" not in case.twin.said:
            yield ("twin", "said"), "expected it to name {ticket}, which is there already"


def _comments(case: TicketCase) -> tuple[list[str], str]:
    """The comments of a ticket written whole, none where they cannot be read, and what is said before them."""
    try:
        return [turn.text for part in (case.talk, case.done) for turn in turns_of(part)], f"{case.title} {case.text}"
    except ValueError:
        return [], ""


def work_problems(pack: WorkPack) -> Iterator[tuple[Place, str]]:
    """What is wrong with a pack of tickets that can be read."""
    used: set[str] = set()
    known = {*pack.words, *_GIVEN_TO_WORK}
    for place, text in _work_texts(pack):
        used |= {*SLOT.findall(text)}
        yield from ((place, problem) for problem in slot_problems(text, known))
    yield from needed_problems(used, pack.words)
    for kind, words in pack.kinds.items():
        for number, word in enumerate(words):
            if word not in pack.words.get("component", ()):
                yield ("kinds", kind, number), f"there is no component {word!r}{near(word, pack.words['component'])}"
    for number, symptom in enumerate(pack.symptoms):
        if not symptom.of:
            yield ("symptoms", number), f"expected kinds of components that can have it, of {', '.join(pack.kinds)}"
        for kind in symptom.of:
            if kind not in pack.kinds:
                yield ("symptoms", number, "of"), f"there is no kind {kind!r}{near(kind, pack.kinds)}"
    for number, exchange in enumerate(pack.exchanges):
        for kind in exchange.of:
            if kind not in pack.kinds:
                yield ("exchanges", number, "of"), f"there is no kind {kind!r}{near(kind, pack.kinds)}"
        for problem in (*script_problems(exchange.script, EXCHANGE_SLOTS), *part_problems(exchange.script, "ARO")):
            yield ("exchanges", number, "script"), problem
    for number, text in enumerate(pack.same):
        if SLOT.findall(text) != ["ticket"] or len(text.split()) > SHORT:
            yield ("same", number), f"expected up to {SHORT} words with the slot ticket, found {text!r}"


def _work_texts(pack: WorkPack) -> Iterator[tuple[Place, str]]:
    for number, symptom in enumerate(pack.symptoms):
        yield ("symptoms", number, "title"), symptom.title
        yield ("symptoms", number, "text"), symptom.text
        for place, text in enumerate(symptom.ends):
            yield ("symptoms", number, "ends", place), text
