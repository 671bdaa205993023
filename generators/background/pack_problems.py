"""What is wrong with phrase packs that can be read, each with its place: slots that nothing fills, texts that stand twice, parts that nobody has."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Final, TypeAlias, get_args

from brownout.background.code_bases import CodePack, EntryPack
from brownout.background.outage_texts import GONE, OUTAGE_SLOTS, OutagePack, OutageTexts
from brownout.background.packs import (
    CASE_SLOTS,
    COMPANY_SLOTS,
    DIALOGUE_SLOTS,
    EXCHANGE_SLOTS,
    LINE_SLOTS,
    MAIL_SLOTS,
    OPENING,
    QUESTION_SLOTS,
    SLOT,
    SUPPORT,
    TICKET_SLOTS,
    TICKETS,
    CasePack,
    DialoguePack,
    Later,
    MailFilePack,
    MailPack,
    MailThread,
    MailThreadPack,
    Pack,
    TicketCase,
    Wide,
    WorkPack,
)
from brownout.background.said_times import TIME_SLOTS, UNMARKED
from brownout.background.said_when import MARKS, conditional
from brownout.background.scripts import SPEAKERS, Dialogue, ways_of
from brownout.background.written import ALTERNATIVES, turns_of
from brownout.core.faults import Failing
from brownout.core.vocabulary import near
from generators.authoring.trades import trade_names

__all__ = [
    "Place",
    "case_problems",
    "code_problems",
    "dialogue_problems",
    "entry_problems",
    "file_problems",
    "mail_problems",
    "outage_problems",
    "talk_problems",
    "thread_problems",
    "wide_problems",
    "work_problems",
]

_AREAS: Final = ("commercial", "engineering", "people", "product", "support")
"""Of whose packs somebody may talk; the areas of the shipped packs that are not everybody's."""
_SHORT: Final = 5
_LONG: Final = 15
_GIVEN: Final = COMPANY_SLOTS | LINE_SLOTS
_GIVEN_TO_WORK: Final = frozenset({"service", "customer", "person", "n"}) | TIME_SLOTS
_GIVEN_TO_MAIL: Final = frozenset({"person", "n", "minutes", "amount", "company", "firm"}) | TIME_SLOTS
_MOST_ROWS: Final = 40
_ASKED_OF_PEOPLE: Final = ("requests", "noted")
"""What reviewers say to people alone."""
_NEEDED: Final = frozenset({"service", "customer"})
"""Slots of the company that a company may have nothing for."""
_GIVEN_TO_CODE: Final = frozenset({"key", "value", "note", "group", "place", "file", "ticket", "person", "other", "n"})
Place: TypeAlias = tuple[str | int, ...]
"""Where in a pack something stands: `("cases", 3, "by")`."""


def talk_problems(pack: Pack) -> Iterator[tuple[Place, str]]:
    """What is wrong with a pack that can be read, with its place."""
    seen: dict[str, Place] = {}
    used: set[str] = set()
    for part in ("leading", "usual"):
        yield from _discipline_problems((part,), getattr(pack, part), {*pack.roles})
    for place, text in _texts(pack):
        if text in seen and place[0] != "short":
            yield place, f"{text!r} stands twice in this pack; the other is {'.'.join(map(str, seen[text]))}"
        seen[text] = place
        used |= {*SLOT.findall(text)}
        for slot in SLOT.findall(text):
            if slot not in pack.words and slot not in _GIVEN:
                yield place, _no_slot(slot, [*pack.words, *_GIVEN])
        if text.count("{") != len(SLOT.findall(text)):
            yield place, f"expected slots as {{word}}, found {text!r}"
        yield from ((place, problem) for problem in _style(place, text))
    for slot in sorted(used & _NEEDED - set(pack.words)):
        yield ("words",), f"{slot} is used: expected words for companies that have none, found no {slot}"
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


def _no_slot(slot: str, known: Iterable[str]) -> str:
    """What is told of a slot that nothing fills; of one for a time, what says when it is."""
    if slot in UNMARKED:
        return f"{slot!r} does not say when it is: expected {' or '.join(UNMARKED[slot])}"
    return f"there is no slot {slot!r}{near(slot, known)}"


def wide_problems(wide: Wide, packs: Mapping[str, Pack]) -> Iterator[tuple[Place, str]]:
    """What is wrong with what goes with every subject of an area."""
    pack = packs.get(wide.area)
    if pack is None:
        yield ("area",), f"there is no area {wide.area!r}{near(wide.area, packs)}"
        return
    own, used = {*pack.words, *wide.words}, set[str]()
    for place, text in _wide_texts(wide):
        used |= {*SLOT.findall(text)}
        for slot in SLOT.findall(text):
            if slot not in _GIVEN | own:
                yield place, _no_slot(slot, _GIVEN | own)
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
    slots = DIALOGUE_SLOTS | TICKET_SLOTS if pack.area == TICKETS else DIALOGUE_SLOTS
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
        yield from ((place, problem) for problem in _speaker_problems(ways[-1], packs.get(pack.area), disciplines))
        said = [*dict.fromkeys((text, way.people) for way in reversed(ways) for text in way.all_texts)]
        problems = [one for text, people in said for one in _script_problems(text, slots | {*SPEAKERS[:people]})]
        yield from ((place, problem) for problem in dict.fromkeys(problems))
        for text in ways[-1].all_texts:
            if len(text.split()) > _SHORT and text in seen:
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


def case_problems(pack: CasePack, disciplines: Set[str]) -> Iterator[tuple[Place, str]]:
    """What is wrong with tickets written whole that can be read."""
    seen: dict[str, int] = {}
    for number, case in enumerate(pack.cases):
        yield from ((("cases", number, *place), problem) for place, problem in _ticket_problems(case, CASE_SLOTS))
        if case.title in seen:
            yield ("cases", number, "title"), f"{case.title!r} stands twice; the other is cases.{seen[case.title]}"
        yield from _discipline_problems(("cases", number, "by"), case.by, disciplines)
        seen[case.title] = number


def _discipline_problems(place: Place, named: Iterable[str], known: Set[str]) -> Iterator[tuple[Place, str]]:
    """Disciplines that no pack of talk has words of roles for."""
    for name in named:
        if name not in known:
            yield place, f"there is no discipline {name!r}{near(name, known)}"


def _ticket_problems(case: TicketCase, known: frozenset[str]) -> Iterator[tuple[Place, str]]:
    """What is wrong with a ticket written whole."""
    for part in ("title", "text", "talk", "done", "again"):
        yield from (((part,), problem) for problem in _script_problems(getattr(case, part), known))
    for part in ("talk", "done", "again"):
        yield from (((part,), problem) for problem in _part_problems(getattr(case, part), "ARO"))
    for number, area in enumerate(case.told_by):
        if area not in _AREAS:
            yield ("told_by", number), f"there is no area {area!r}{near(area, _AREAS)}"
    yield from _trade_problems(case.trades)
    yield from ((("later",), problem) for problem in _later_problems(case.later, "comment", *_comments(case), first=1))
    if case.again and case.ends != "done":
        yield ("again",), f"expected a ticket that was done to be opened again, found one whose end is {case.ends!r}"
    if case.twin is not None:
        for part, slots in (("title", known), ("text", known), ("said", known | {"ticket"})):
            yield from ((("twin", part), problem) for problem in _script_problems(getattr(case.twin, part), slots))
        yield from ((("twin", "said"), problem) for problem in _part_problems(case.twin.said, "AR"))
        if case.twin.said and "{ticket}" not in case.twin.said:
            yield ("twin", "said"), "expected it to name {ticket}, which is there already"


def _trade_problems(trades: Sequence[str]) -> Iterator[tuple[Place, str]]:
    """Trades that there are none of."""
    for number, trade in enumerate(trades):
        if trade not in trade_names():
            yield ("trades", number), f"there is no trade {trade!r}{near(trade, trade_names())}"


def _comments(case: TicketCase) -> tuple[list[str], str]:
    """The comments of a ticket written whole, none where they cannot be read, and what is said before them."""
    try:
        return [turn.text for part in (case.talk, case.done) for turn in turns_of(part)], f"{case.title} {case.text}"
    except ValueError:
        return [], ""


def _later_problems(
    later: Mapping[int, Later], thing: str, texts: Sequence[str], before: str, *, first: int
) -> Iterator[str]:
    """What is wrong with what waits: it is not there, or nothing before it names what it waits for.

    Args:
        before: what is said before the first of the texts.
        first: the first that may wait.
    """
    for number, what in sorted(later.items()):
        if not first <= number <= len(texts):
            yield f"there is no {thing} {number} to wait for; expected {first} to {len(texts)}"
        elif isinstance(what, str) and what.removeprefix("week") not in " ".join((before, *texts[: number - 1])):
            yield f"{thing} {number} waits for {what}, which nothing before it names"


def _part_problems(script: str, letters: str) -> Iterator[str]:
    """What is wrong with who speaks in a script."""
    try:
        spoken = {turn.who for turn in turns_of(script)}
    except ValueError as wrong:
        yield str(wrong)
        return
    for letter in sorted(spoken - {*letters}):
        yield f"expected {', '.join(letters[:-1])} or {letters[-1]} to say something, found {letter}"


def thread_problems(pack: MailThreadPack, disciplines: Set[str], files: Iterable[str]) -> Iterator[tuple[Place, str]]:
    """What is wrong with conversations by mail written whole that can be read."""
    known = MAIL_SLOTS if pack.deals else MAIL_SLOTS - {"firm"}
    asked = QUESTION_SLOTS - {"customer"}
    for number, thread in enumerate(pack.threads):
        place: Place = ("threads", number)
        yield from (((*place, "subject"), problem) for problem in _script_problems(thread.subject, known))
        letters = [*dict.fromkeys(who for who, _ in thread.turns)]
        if letters != [*"ABC"[: len(letters)]]:
            yield (*place, "mails"), f"expected A, then B, then C to write first, found {', '.join(letters)}"
        absent = {"a", "b", "c"}.difference(letter.lower() for letter in letters) if pack.deals != SUPPORT else set()
        said = (known | {"d", "e"} if thread.chat else known) - absent
        for count, (_, text) in enumerate(thread.turns):
            yield from (((*place, "mails", count), problem) for problem in _script_problems(text, said))
        if pack.deals != SUPPORT and (thread.chat or thread.ticket or thread.told):
            yield place, f"chat, ticket and told come of a question to {SUPPORT} only"
        if thread.ours and pack.deals in ("", SUPPORT):
            yield (*place, "ours"), "only with somebody outside it is said who of both begins"
        if thread.area and thread.area not in _AREAS:
            yield (*place, "area"), f"there is no area {thread.area!r}{near(thread.area, _AREAS)}"
        yield from _discipline_problems((*place, "by"), thread.by, disciplines)
        yield from _discipline_problems((*place, "to"), thread.to, disciplines)
        yield from _discipline_problems((*place, "third"), thread.third, disciplines)
        if pack.deals and (thread.to or thread.third or thread.comes_in or thread.place or thread.new or thread.leaver):
            yield (
                place,
                "to, third, joins, forwarded, place, new and leaver are said of colleagues among themselves only",
            )
        yield from ((place, problem) for problem in _joining_problems(thread))
        yield from (((*place, *part), problem) for part, problem in _trade_problems(thread.trades))
        if thread.file and thread.file not in files:
            yield (*place, "file"), f"there is no file {thread.file!r}{near(thread.file, files)}"
        if thread.told and thread.ticket is None:
            yield (*place, "told"), "expected a ticket whose end is told"
        yield from (((*place, "chat"), problem) for problem in _chat_problems(thread, asked))
        if thread.ticket is not None:
            slots = (asked | CASE_SLOTS) - {"customer", "b", "c", "d", "e", "ticket"}
            yield from (
                ((*place, "ticket", *part), problem) for part, problem in _ticket_problems(thread.ticket, slots)
            )


def _joining_problems(thread: MailThread) -> Iterator[str]:
    """What is wrong with who comes in when, and how long mails wait."""
    writes = [who for who, _ in thread.turns]
    if (thread.third or thread.comes_in) and "C" not in writes:
        yield "third, joins and forwarded are said of C, who writes nothing"
    if thread.joins and thread.forwarded:
        yield "expected joins or forwarded, for C comes in once"
    if thread.comes_in and "C" in writes and not 1 < thread.comes_in <= writes.index("C"):
        yield f"C comes in by mail {thread.comes_in}, expected one after the first and before the first that C writes"
    yield from _later_problems(thread.later, "mail", [text for _, text in thread.turns], thread.subject, first=2)


def file_problems(pack: MailFilePack, matters: Set[str]) -> Iterator[tuple[Place, str]]:
    """What is wrong with files that can be read."""
    for name, file in pack.files.items():
        for number, matter in enumerate(file.matters):
            if matter not in matters:
                yield ("files", name, "matters", number), f"there is no matter {matter!r}{near(matter, matters)}"
        ending = file.name.rpartition(".")[2]
        if (bool(file.columns), bool(file.lines)) != (ending == "csv", ending == "pdf"):
            yield ("files", name, "name"), "expected columns for a csv, lines for a pdf, and neither for a png"
        if bool(file.matters) != bool(file.said):
            yield ("files", name, "said"), "expected what is said of it where it is of matters, and only there"
        if not 1 <= file.rows[0] <= file.rows[1] <= _MOST_ROWS:
            yield ("files", name, "rows"), f"expected at least one and at most {_MOST_ROWS} rows, the fewer first"
        for text in (file.name, *file.said, *file.lines, *(cell for cells in file.columns.values() for cell in cells)):
            yield from ((("files", name), problem) for problem in _script_problems(text, _GIVEN_TO_MAIL))


def outage_problems(pack: OutagePack) -> Iterator[tuple[Place, str]]:
    """What is wrong with what people say of outages."""
    for how in (one for one in get_args(Failing) if not pack.fails.get(one)):
        yield ("fails",), f"expected how something fails that is {how}"
    for kind, texts in (("product", pack.product), ("service", pack.service)):
        yield from (((kind, *place), problem) for place, problem in _outage_text_problems(texts))


def _outage_text_problems(texts: OutageTexts) -> Iterator[tuple[Place, str]]:
    for part, scripts in (("asked", texts.asked), ("private", texts.private), ("over", texts.over)):
        for number, script in enumerate(scripts):
            place: Place = (part, number)
            yield from ((place, problem) for problem in _script_problems(script, OUTAGE_SLOTS))
            try:
                letters = {turn.who for turn in turns_of(script.removeprefix(GONE))}
            except ValueError as wrong:
                yield place, str(wrong)
                continue
            if part == "private" and letters != {"A", "B"}:
                yield place, f"expected A and B to say something, found {', '.join(sorted(letters))}"
    for number, thread in enumerate(texts.mails):
        for text in thread.texts:
            yield from ((("mails", number), problem) for problem in _script_problems(text, OUTAGE_SLOTS))
    for number, case in enumerate(texts.tickets):
        yield from ((("tickets", number, *place), problem) for place, problem in _ticket_problems(case, OUTAGE_SLOTS))


def _chat_problems(thread: MailThread, known: frozenset[str]) -> Iterator[str]:
    """What is wrong with what colleagues say of a customer's question."""
    try:
        turns = turns_of(thread.chat)
    except ValueError as wrong:
        yield str(wrong)
        return
    letters = [*dict.fromkeys(turn.who for turn in turns)]
    if letters[:1] not in ([], ["B"]) or {*letters} - {*"BDE"}:
        yield f"expected B to begin, who answers the customer, and D or E to know more, found {', '.join(letters)}"
    if "{ticket}" in thread.chat and thread.ticket is None:
        yield "expected a ticket, which the chat speaks of"
    for turn in turns:
        yield from _script_problems(turn.text, known)


_CALLED: Final = re.compile(r"(?<![\w.])(@[A-Za-z]\w+)(?![\w.]*\.)")
_CODE: Final = re.compile(r"```.*?(?:```|\Z)|`[^`]*`", re.DOTALL)
"""What calls a person outside code, and code."""
_FILE: Final = re.compile(
    r"`((?:[\w.-]+/)*[\w-]+\.(?:css|csv|env|html|ini|js|json|lock|md|php|py|sh|sql|toml|tsx?|txt|xml|ya?ml))`"
)
"""A file named as code: the integrity figures of a report take it for one of the company's code bases."""


def _script_problems(text: str, known: frozenset[str]) -> Iterator[str]:
    """What is wrong with a text of slots and alternatives."""
    for slot in SLOT.findall(text):
        if slot not in known:
            yield _no_slot(slot, known)
    called = _CALLED.search(_CODE.sub("", text))
    if called:
        yield f"{called[1]!r} would call somebody who is not there: write it as code, or as an address"
    for name in _FILE.findall(text):
        yield f"no code base need have a file {name!r}: write it without backticks"
    for found in ALTERNATIVES.findall(text):
        if len({*found.split("|")}) < found.count("|") + 1:
            yield f"an alternative stands twice in {found!r}"


def work_problems(pack: WorkPack) -> Iterator[tuple[Place, str]]:
    """What is wrong with a pack of tickets that can be read."""
    used: set[str] = set()
    known = {*pack.words, *_GIVEN_TO_WORK}
    for place, text in _work_texts(pack):
        used |= {*SLOT.findall(text)}
        for slot in SLOT.findall(text):
            if slot not in known:
                yield place, _no_slot(slot, known)
    for slot in sorted(used & _NEEDED - set(pack.words)):
        yield ("words",), f"{slot} is used: expected words for companies that have none, found no {slot}"
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
        for problem in (*_script_problems(exchange.script, EXCHANGE_SLOTS), *_part_problems(exchange.script, "ARO")):
            yield ("exchanges", number, "script"), problem
    for number, text in enumerate(pack.same):
        if SLOT.findall(text) != ["ticket"] or len(text.split()) > _SHORT:
            yield ("same", number), f"expected up to {_SHORT} words with the slot ticket, found {text!r}"


def _work_texts(pack: WorkPack) -> Iterator[tuple[Place, str]]:
    for number, symptom in enumerate(pack.symptoms):
        yield ("symptoms", number, "title"), symptom.title
        yield ("symptoms", number, "text"), symptom.text
        for place, text in enumerate(symptom.ends):
            yield ("symptoms", number, "ends", place), text


def code_problems(pack: CodePack, disciplines: Set[str]) -> Iterator[tuple[Place, str]]:
    """What is wrong with a pack of a code base that can be read."""
    for part in ("path", "line", "remark"):
        wanted = {"path": {"place", "group"}, "line": {"name", "value"}, "remark": {"note"}}[part]
        if {*SLOT.findall(getattr(pack, part))} != wanted:
            yield (part,), f"{part}: expected the slots {', '.join(sorted(wanted))}"
    yield from _discipline_problems(("known_to",), pack.known_to, disciplines)
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
            for slot in SLOT.findall(text):
                if slot not in _GIVEN_TO_CODE:
                    yield (name, number), _no_slot(slot, _GIVEN_TO_CODE)
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
    changed = frozenset(_GIVEN_TO_CODE - {"ticket", "other"}) | {"old"}
    for name, entry in pack.entries.items():
        if len({*entry.values}) < len(entry.values):
            yield ("entries", name, "values"), f"{name} has a value twice"
        for number, change in enumerate(entry.changes):
            for slot in (slot for part in (change.title, change.text, change.says) for slot in SLOT.findall(part)):
                if slot not in changed:
                    yield ("entries", name, "changes", number), _no_slot(slot, changed)
        for part in ("how", "red"):
            for number, text in enumerate(getattr(entry, part)):
                for slot in SLOT.findall(text):
                    if slot not in changed:
                        yield ("entries", name, part, number), _no_slot(slot, changed)
        for number, case in enumerate(entry.tickets):
            for place, problem in _ticket_problems(case, CASE_SLOTS | changed):
                yield ("entries", name, "tickets", number, *place), problem
        for part in ("requests", "remarks"):
            for number, script in enumerate(getattr(entry, part)):
                here: Place = ("entries", name, part, number)
                yield from ((here, problem) for problem in _script_problems(script, changed))
                try:
                    turns = turns_of(script)
                except ValueError as wrong:
                    yield here, str(wrong)
                    continue
                if not turns or turns[0].who != "B" or {turn.who for turn in turns} - {"A", "B"}:
                    yield here, "expected B to begin, who looks at it, and A to answer, who made it"


_OF_ONE_MAIL: Final = ("open", "ask")
"""What a mail that nobody answers is put together of."""


def mail_problems(pack: MailPack, disciplines: Set[str]) -> Iterator[tuple[Place, str]]:
    """What is wrong with a pack of mails that can be read."""
    yield from _discipline_problems(("by",), pack.by, disciplines)
    used: set[str] = set()
    seen: dict[str, Place] = {}
    known = {*pack.words, *_GIVEN_TO_MAIL}
    for place, text in _mail_texts(pack):
        used |= {*SLOT.findall(text)}
        for slot in SLOT.findall(text):
            if slot not in known:
                yield place, _no_slot(slot, known)
        if text in seen:
            yield place, f"{text!r} stands twice in this pack; the other is {'.'.join(map(str, seen[text]))}"
        seen[text] = place
        yield from ((place, problem) for problem in _style(place, text))
        words = len(text.split())
        if place[0] == "passages" and words <= _LONG:
            yield place, f"expected more than {_LONG} words, found {words}; write a head and a tail instead"
    for slot in pack.words:
        if slot not in used:
            yield ("words", slot), f"nothing in this pack has the slot {slot}"
    for act in ("open", "answer") if pack.deals == SUPPORT else ("open",):
        if act not in pack.acts:
            yield ("acts",), f"expected sentences for {act}, which every conversation has"
    for act in pack.acts:
        if pack.deals != SUPPORT and act not in _OF_ONE_MAIL:
            yield (
                ("acts", act),
                f"only questions to {SUPPORT} are answered; expected {' or '.join(_OF_ONE_MAIL)}, found {act}",
            )
    for act in pack.passages:
        if act not in pack.acts:
            yield ("passages", act), f"there are no sentences for {act}; a passage stands for one of them"


def _mail_texts(pack: MailPack) -> Iterator[tuple[Place, str]]:
    for number, text in enumerate(pack.subjects):
        yield ("subjects", number), text
    for act, fragments in pack.acts.items():
        for part, listed in (("heads", fragments.heads), ("tails", fragments.tails)):
            for number, text in enumerate(listed):
                yield ("acts", act, part, number), text
    for act, texts in pack.passages.items():
        for number, text in enumerate(texts):
            yield ("passages", act, number), text


def _style(place: Place, text: str) -> Iterator[str]:
    """What would read wrong however it is put together."""
    words = len(text.split())
    if text != text.strip() or "  " in text:
        yield f"{text!r} has spaces at an end or two in a row"
    if place[0] == "short" and words > _SHORT:
        yield f"expected at most {_SHORT} words, found {words}: {text!r}"
    if place[0] == "prose" and words <= _LONG:
        yield f"expected more than {_LONG} words, found {words}; write a head and a tail instead"
    if "heads" in place and not 3 <= words <= _LONG:
        yield f"expected 3 to {_LONG} words, found {words}: {text!r}"
    if (
        "tails" in place
        and text[0].isupper()
        and text.split()[0].rstrip(",") not in ("I", "I'll", "I'm", "I've", "I'd")
    ):
        yield f"a tail goes on in the middle of a sentence: expected a small letter, found {text!r}"
    if "tails" in place and words < 2:
        yield f"expected two words or more, found {text!r}"


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
