"""What is wrong with packs of talk and with conversations written whole."""

from collections.abc import Iterator, Mapping, Set
from typing import Final

from brownout.background.changes_of_days import LEAVE_SLOTS
from brownout.background.packs import (
    COMPANY_SLOTS,
    DIALOGUE_SLOTS,
    LINE_SLOTS,
    LINK_SLOTS,
    OPENING,
    SLOT,
    TICKET_SLOTS,
    TICKETS,
    DialoguePack,
    Pack,
    Wide,
)
from brownout.background.scripts import SPEAKERS, Dialogue, ways_of
from brownout.core.vocabulary import near
from generators.background.pack_problems.texts import (
    SHORT,
    Place,
    discipline_problems,
    needed_problems,
    script_problems,
    slot_problems,
    style_problems,
)

__all__ = ["dialogue_problems", "talk_problems", "wide_problems"]

_GIVEN: Final = COMPANY_SLOTS | LINE_SLOTS


def talk_problems(pack: Pack) -> Iterator[tuple[Place, str]]:
    """What is wrong with a pack that can be read, with its place."""
    seen: dict[str, Place] = {}
    used: set[str] = set()
    for part in ("leading", "usual"):
        yield from discipline_problems((part,), getattr(pack, part), {*pack.roles})
    for place, text in _texts(pack):
        if text in seen and place[0] != "short":
            yield place, f"{text!r} stands twice in this pack; the other is {'.'.join(map(str, seen[text]))}"
        seen[text] = place
        used |= {*SLOT.findall(text)}
        yield from ((place, problem) for problem in slot_problems(text, _GIVEN | {*pack.words}))
        if text.count("{") != len(SLOT.findall(text)):
            yield place, f"expected slots as {{word}}, found {text!r}"
        yield from ((place, problem) for problem in style_problems(place, text))
    yield from needed_problems(used, pack.words)
    for slot in pack.words:
        if slot not in used:
            yield ("words", slot), f"nothing in this pack has the slot {slot}"
    if "ack" not in pack.short:
        yield ("short",), "expected short texts for ack, which everything may end with"
    for name, subject in pack.subjects.items():
        if not any(act in subject.acts for act in OPENING):
            yield ("subjects", name), f"nothing begins a conversation: expected one of {', '.join(OPENING)}"
    for number, passage in enumerate(pack.prose):
        acts = pack.subjects[passage.subject].acts if passage.subject in pack.subjects else None
        if acts is None:
            message = f"there is no subject {passage.subject!r}{near(passage.subject, pack.subjects)}"
            yield ("prose", number, "subject"), message
        elif passage.act not in acts:
            yield (
                ("prose", number, "act"),
                f"{passage.subject} has no {passage.act}; a passage stands for one of its pairs",
            )


def _texts(pack: Pack) -> Iterator[tuple[Place, str]]:
    for act, texts in pack.short.items():
        for number, text in enumerate(texts):
            yield ("short", act, number), text
    for name, subject in pack.subjects.items():
        for act, fragments in subject.acts.items():
            for part, listed in (("heads", fragments.heads), ("tails", fragments.tails)):
                for number, text in enumerate(listed):
                    yield ("subjects", name, "acts", act, part, number), text
    for number, passage in enumerate(pack.prose):
        yield ("prose", number), passage.text


def wide_problems(wide: Wide, packs: Mapping[str, Pack]) -> Iterator[tuple[Place, str]]:
    """What is wrong with what goes with every subject of an area."""
    pack = packs.get(wide.area)
    if pack is None:
        yield ("area",), f"there is no area {wide.area!r}{near(wide.area, packs)}"
        return
    own, used = {*pack.words, *wide.words}, set[str]()
    for place, text in _wide_texts(wide):
        used |= {*SLOT.findall(text)}
        yield from ((place, problem) for problem in slot_problems(text, _GIVEN | own))
        if text.count("{") != len(SLOT.findall(text)):
            yield place, f"expected slots as {{word}}, found {text!r}"
    for number, paste in enumerate(wide.pastes):
        for subject in paste.subjects:
            if subject not in pack.subjects:
                yield ("pastes", number, "subjects"), f"there is no subject {subject!r}{near(subject, pack.subjects)}"
    for slot in wide.words:
        if slot in pack.words:
            yield ("words", slot), f"the pack of {wide.area} has words for {slot} already"
        elif slot not in used:
            yield ("words", slot), f"nothing here has the slot {slot}"


def _wide_texts(wide: Wide) -> Iterator[tuple[Place, str]]:
    for number, paste in enumerate(wide.pastes):
        yield ("pastes", number, "text"), paste.text
    for number, page in enumerate(wide.pages):
        yield ("pages", number), page


def dialogue_problems(pack: DialoguePack, packs: Mapping[str, Pack]) -> Iterator[tuple[Place, str]]:
    """What is wrong with conversations written whole that can be read.

    Args:
        packs: of talk, by area: whose the conversations of one are.
    """
    disciplines = frozenset(name for one in packs.values() for name in one.roles)
    seen: dict[str, int] = {}
    for number, script in enumerate(pack.dialogues):
        place: Place = ("dialogues", number)
        try:
            ways = ways_of(pack.area, number, script)
        except ValueError as wrong:
            yield place, str(wrong)
            continue
        if pack.area == TICKETS and not any("{ticket}" in text for text in ways[0].texts):
            yield place, "expected it to name {ticket}, which it is about"
        slots = DIALOGUE_SLOTS | LINK_SLOTS | (TICKET_SLOTS if pack.area == TICKETS else set())
        slots |= LEAVE_SLOTS if ways[0].change == "away" else set()
        yield from ((place, problem) for problem in _speaker_problems(ways[-1], packs.get(pack.area), disciplines))
        said = [*dict.fromkeys((text, way.people) for way in reversed(ways) for text in way.all_texts)]
        problems = [one for text, people in said for one in script_problems(text, slots | {*SPEAKERS[:people]})]
        yield from ((place, problem) for problem in dict.fromkeys(problems))
        for text in ways[-1].all_texts:
            if len(text.split()) > SHORT and text in seen:
                yield place, f"{text!r} stands twice in this pack; the other is dialogues.{seen[text]}"
            seen[text] = number


def _speaker_problems(dialogue: Dialogue, pack: Pack | None, disciplines: Set[str]) -> Iterator[str]:
    """What is wrong with whose a conversation is: it names a discipline that there is none of, or none in an area of several jobs."""
    named = frozenset().union(*(part.disciplines for part in dialogue.parts))
    for name in sorted(named - disciplines):
        yield f"there is no discipline {name!r}{near(name, disciplines)}"
    is_told_nobody = dialogue.is_asked and dialogue.people == 1
    if pack is not None and len(pack.roles) > 1 and not pack.usual and not named and not is_told_nobody:
        yield (
            f"the work of {pack.area} is of several jobs: expected whose this is, as (by {next(iter(pack.roles))}) or "
            f"({'B' if dialogue.is_asked else 'A'} {next(iter(pack.roles))}) above it; there are {', '.join(pack.roles)}"
        )
