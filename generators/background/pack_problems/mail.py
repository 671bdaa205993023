"""What is wrong with packs of mails, conversations by mail written whole and the files that go with them."""

from collections.abc import Iterable, Iterator, Set
from typing import Final

from brownout.background.packs import (
    CASE_SLOTS,
    MAIL_SLOTS,
    QUESTION_SLOTS,
    SLOT,
    SUPPORT,
    MailFilePack,
    MailPack,
    MailThread,
    MailThreadPack,
)
from brownout.background.said_times import TIME_SLOTS
from brownout.background.written import turns_of
from brownout.core.vocabulary import near
from generators.background.pack_problems.texts import (
    AREAS,
    LONG,
    Place,
    discipline_problems,
    later_problems,
    script_problems,
    slot_problems,
    style_problems,
    trade_problems,
)
from generators.background.pack_problems.tickets import ticket_problems

__all__ = ["file_problems", "mail_problems", "thread_problems"]

_GIVEN_TO_MAIL: Final = frozenset({"person", "n", "minutes", "amount", "company", "firm"}) | TIME_SLOTS
_OF_ONE_MAIL: Final = ("open", "ask")
"""What a mail that nobody answers is put together of."""
_MOST_ROWS: Final = 40


def mail_problems(pack: MailPack, disciplines: Set[str]) -> Iterator[tuple[Place, str]]:
    """What is wrong with a pack of mails that can be read."""
    yield from discipline_problems(("by",), pack.by, disciplines)
    used: set[str] = set()
    seen: dict[str, Place] = {}
    known = {*pack.words, *_GIVEN_TO_MAIL}
    for place, text in _mail_texts(pack):
        used |= {*SLOT.findall(text)}
        yield from ((place, problem) for problem in slot_problems(text, known))
        if text in seen:
            yield place, f"{text!r} stands twice in this pack; the other is {'.'.join(map(str, seen[text]))}"
        seen[text] = place
        yield from ((place, problem) for problem in style_problems(place, text))
        words = len(text.split())
        if place[0] == "passages" and words <= LONG:
            yield place, f"expected more than {LONG} words, found {words}; write a head and a tail instead"
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


def thread_problems(pack: MailThreadPack, disciplines: Set[str], files: Iterable[str]) -> Iterator[tuple[Place, str]]:
    """What is wrong with conversations by mail written whole that can be read."""
    known = MAIL_SLOTS if pack.deals else MAIL_SLOTS - {"firm"}
    asked = QUESTION_SLOTS - {"customer"}
    for number, thread in enumerate(pack.threads):
        place: Place = ("threads", number)
        yield from (((*place, "subject"), problem) for problem in script_problems(thread.subject, known))
        letters = [*dict.fromkeys(who for who, _ in thread.turns)]
        if letters != [*"ABC"[: len(letters)]]:
            yield (*place, "mails"), f"expected A, then B, then C to write first, found {', '.join(letters)}"
        absent = {"a", "b", "c"}.difference(letter.lower() for letter in letters) if pack.deals != SUPPORT else set()
        said = (known | {"d", "e"} if thread.chat else known) - absent
        for count, (_, text) in enumerate(thread.turns):
            yield from (((*place, "mails", count), problem) for problem in script_problems(text, said))
        if pack.deals != SUPPORT and (thread.chat or thread.ticket or thread.told):
            yield place, f"chat, ticket and told come of a question to {SUPPORT} only"
        if thread.ours and pack.deals in ("", SUPPORT):
            yield (*place, "ours"), "only with somebody outside it is said who of both begins"
        if thread.area and thread.area not in AREAS:
            yield (*place, "area"), f"there is no area {thread.area!r}{near(thread.area, AREAS)}"
        yield from discipline_problems((*place, "by"), thread.by, disciplines)
        yield from discipline_problems((*place, "to"), thread.to, disciplines)
        yield from discipline_problems((*place, "third"), thread.third, disciplines)
        if pack.deals and (
            thread.to
            or thread.third
            or thread.comes_in
            or thread.place
            or thread.new
            or thread.leaver
            or thread.everybody
        ):
            yield (
                place,
                "to, third, everybody, joins, forwarded, place, new and leaver are said of colleagues among themselves only",
            )
        if thread.everybody and (thread.third or thread.comes_in or thread.alone):
            yield (*place, "everybody"), "nobody comes in later, in copy or alone where everybody is told"
        if thread.alone and (pack.deals or len(letters) > 2):
            yield (*place, "alone"), "expected a mail to one colleague, found more people in it"
        yield from ((place, problem) for problem in _joining_problems(thread))
        yield from (((*place, *part), problem) for part, problem in trade_problems(thread.trades))
        if thread.file and thread.file not in files:
            yield (*place, "file"), f"there is no file {thread.file!r}{near(thread.file, files)}"
        if thread.told and thread.ticket is None:
            yield (*place, "told"), "expected a ticket whose end is told"
        yield from (((*place, "chat"), problem) for problem in _chat_problems(thread, asked))
        if thread.ticket is not None:
            slots = (asked | CASE_SLOTS) - {"customer", "b", "c", "d", "e", "ticket"}
            yield from (((*place, "ticket", *part), problem) for part, problem in ticket_problems(thread.ticket, slots))


def _joining_problems(thread: MailThread) -> Iterator[str]:
    """What is wrong with who comes in when, and how long mails wait."""
    writes = [who for who, _ in thread.turns]
    if (thread.third or thread.comes_in) and "C" not in writes:
        yield "third, joins and forwarded are said of C, who writes nothing"
    if thread.joins and thread.forwarded:
        yield "expected joins or forwarded, for C comes in once"
    if thread.comes_in and "C" in writes and not 1 < thread.comes_in <= writes.index("C"):
        yield f"C comes in by mail {thread.comes_in}, expected one after the first and before the first that C writes"
    yield from later_problems(thread.later, "mail", [text for _, text in thread.turns], thread.subject, first=2)


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
        yield from script_problems(turn.text, known)


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
            yield from ((("files", name), problem) for problem in script_problems(text, _GIVEN_TO_MAIL))
