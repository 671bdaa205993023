"""Phrase packs as they are drawn from: fragments by subject and act, with slots; words for the slots; short acts."""

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BeforeValidator, Field, PlainSerializer

from brownout.background.said_times import TIME_SLOTS
from brownout.core.strict_model import StrictModel

__all__ = [
    "CASE_SLOTS",
    "COMPANY_SLOTS",
    "DIALOGUE_SLOTS",
    "LINE_SLOTS",
    "LINK_SLOTS",
    "MAIL_SLOTS",
    "OPENING",
    "QUESTION_SLOTS",
    "SLOT",
    "SUPPORT",
    "TICKETS",
    "TICKET_SLOTS",
    "Act",
    "CasePack",
    "DialoguePack",
    "Fragments",
    "Later",
    "MailAct",
    "MailFile",
    "MailFilePack",
    "MailManners",
    "MailPack",
    "MailThread",
    "MailThreadPack",
    "Pack",
    "Paste",
    "Prose",
    "SortedSet",
    "Symptom",
    "TalkSubject",
    "TicketCase",
    "Wide",
    "WorkPack",
    "filled",
]

Act: TypeAlias = Literal["ask", "report", "plan", "status", "answer", "ack", "thanks"]
"""What a line that is put together does: the first four begin a conversation, and the others, in a few words, answer any of them."""
OPENING: Final[tuple[Act, ...]] = ("ask", "report", "plan", "status")
SLOT: Final = re.compile(r"\{([a-z_]+)\}")
MailAct: TypeAlias = Literal["open", "detail", "ask", "answer", "back", "agree", "later", "chat"]
"""What a part of a mail does: says what it is about, adds to it, wants something; answers, asks back, agrees, puts off; and
what a colleague is asked in chat."""
COMPANY_SLOTS: Final = frozenset({"service", "customer", "person", "room"})
"""Filled with the company's own, the same throughout a conversation."""
LINE_SLOTS: Final = frozenset({"n", "minutes", "first", "id"}) | TIME_SLOTS
"""Filled anew for every line: a small number, minutes, times and days, whom it is said to, letters of an address."""
DIALOGUE_SLOTS: Final = frozenset({"service", "customer", "person", "n", "minutes"}) | TIME_SLOTS
"""Of conversations written whole, each the same throughout; beside them `{a}`, `{b}` ... are the first names of those who speak."""
LINK_SLOTS: Final = frozenset(
    f"{kind}_link"
    for kind in (
        "doc",
        "sheet",
        "slide",
        "screen",
        "recording",
        "file",
        "paste",
        "note",
        "photo",
        "form",
        "board",
        "graph",
        "survey",
        "prototype",
    )
)
"""Of conversations written whole: an address of something of that kind outside, of a host that is called so (`{sheet_link}` is one of `sheets.example`)."""
SUPPORT: Final = "support"
"""What packs deal in that customers' questions are worded by."""
MAIL_SLOTS: Final = DIALOGUE_SLOTS | {"company", "firm", "a", "b", "c"}
"""Of mails written whole; the last three are first names."""
QUESTION_SLOTS: Final = MAIL_SLOTS | {"d", "e", "mail", "ticket"}
"""Of what comes of a customer's question; beside first names the customer's mail and the ticket as the products call them."""
CASE_SLOTS: Final = DIALOGUE_SLOTS | {"a", "r", "o"}
"""Of tickets written whole; the last three are first names."""
EXCHANGE_SLOTS: Final = CASE_SLOTS | {"component"}
"""Of exchanges about tickets that are put together."""
TICKETS: Final = "tickets"
"""The area of conversations about a ticket that there is, which are held among people of any one area."""
TICKET_SLOTS: Final = frozenset({"ticket", "title"})
"""Of a conversation about a ticket: its address or key, and what it is called."""


def _lines(value: object) -> object:
    """A text block is a list of its lines."""
    return tuple(line.strip() for line in value.splitlines() if line.strip()) if isinstance(value, str) else value


SortedSet = Annotated[frozenset[str], PlainSerializer(sorted)]
"""A set that is always written down in the same order."""
Texts = Annotated[tuple[str, ...], BeforeValidator(_lines)]
"""Several texts: a list, or a block with one on each line."""


class Fragments(StrictModel):
    """What an act is put together from: a head says it, a tail goes on; every pair must make sense."""

    heads: Texts = Field(min_length=1, description="How it begins; carries what it is about.")
    tails: Texts = Field(min_length=1, description="How it goes on after any of the heads.")


class TalkSubject(StrictModel):
    """Something that people talk about; its slots are bound once a conversation."""

    weight: int = Field(default=1, ge=1, le=100, description="How often, against the pack's other subjects.")
    acts: Mapping[Act, Fragments] = Field(description="By act; one of ask, report, plan and status at least.")


class Prose(StrictModel):
    """A passage of more than fifteen words that is used once in a world."""

    subject: str = Field(description="Of this pack.")
    act: Act = Field(description="What it does.")
    text: str = Field(description="With slots.")


class Paste(StrictModel):
    """What somebody copies into a message below a line of that act, in a fence: lines of a log, a query, a diff."""

    act: Act = Field(description="Of the line above it.")
    subjects: Texts = Field(min_length=1, description="What that line is about.")
    text: str = Field(description="With slots.")


class Wide(StrictModel):
    """What goes with every subject of an area; of a pack for everybody, with those of all areas."""

    area: str
    words: Mapping[str, tuple[str, ...]] = Field(default={}, description="For slots beside the pack's.")
    pastes: tuple[Paste, ...] = Field(default=(), description="Copied below a line.")
    pages: Texts = Field(default=(), description="Addresses outside that a line may point to.")


class Pack(StrictModel):
    """How people of an area talk.

    Attributes:
        roles: words of roles and teams by which people are of it, by what they do; none for all others'.
        rooms: words of names and purposes of the rooms for it.
        boards: what the tickets of a team are kept under whose name a project has already, by key: `ODD: Odd jobs`.
        leading: disciplines of those who lead the company, who have a part only in what names one of theirs.
        usual: disciplines of whoever has a part in a conversation of the area that names none; none where each has to name some.
        joined_by: disciplines of others who have the parts of a third and further ones there too.
        serves_all: their work is for everybody in the company, so anybody asks them for it.
        pastes, pages: see `Wide`.
    """

    area: str = Field(pattern=r"^[a-z][a-z-]*$", description="What it is about: engineering.")
    roles: Mapping[str, tuple[str, ...]] = Field(
        default={}, description="Words of roles and teams whose people talk so, by discipline: finance, operations."
    )
    rooms: tuple[str, ...] = Field(default=(), description="Words of names and purposes of the rooms for it.")
    boards: Mapping[str, str] = Field(
        default={}, description="Projects for teams whose name is taken: `ODD: Odd jobs`."
    )
    leading: tuple[str, ...] = Field(default=(), description="Disciplines of those who lead the company.")
    usual: tuple[str, ...] = Field(default=(), description="Disciplines of whoever talks so where a script names none.")
    joined_by: tuple[str, ...] = Field(default=(), description="Disciplines of others who join in.")
    serves_all: bool = Field(default=False, description="Anybody asks those who do it.")
    words: Mapping[str, tuple[str, ...]] = Field(default={}, description="What its own slots may be filled with.")
    short: Mapping[Act, Texts] = Field(description="Up to five words, used freely, by act.")
    joints: tuple[str, ...] = Field(min_length=1, description="What stands between a head and a tail.")
    pastes: tuple[Paste, ...] = Field(default=(), description="Copied below a line.")
    pages: Texts = Field(default=(), description="Addresses outside that a line may point to.")
    subjects: Mapping[str, TalkSubject] = Field(min_length=1, description="By name.")
    prose: tuple[Prose, ...] = Field(default=(), description="Passages, each used once.")

    @property
    def is_for_all(self) -> bool:
        """Whether it is for everybody and every room that no other is for."""
        return not self.roles and not self.rooms


class DialoguePack(StrictModel):
    """Conversations of an area that are written whole: a line of a script is a message, `A: text`; see `written.turns_of`.

    Lines in brackets above a script say where it is held and who speaks: `(private)`, `(public)`, `(here)`, `(by finance)`, `(A sales)`.
    """

    area: str = Field(pattern=r"^[a-z][a-z-]*$", description="What they are about: one that a pack of phrases has.")
    dialogues: tuple[str, ...] = Field(min_length=1, description="Each used once in a world, with slots and [a|b].")


TicketType: TypeAlias = Literal["Bug", "Task", "Story"]
Course: TypeAlias = Literal["asked", "blocked", "handed", "fixed", "dropped", "reopened"]
"""What happens to a ticket with an exchange: it is asked about before it is taken up, waits for something, is somebody else's to
do, is tried by whoever reported it, is not done, or is opened again and mended."""


class Symptom(StrictModel):
    """A form of a ticket: what may be wrong with, or wanted of, any component of some kinds, and how it ends."""

    title: str = Field(description="Its title, with slots.")
    text: str = Field(description="Its description, with slots.")
    type: TicketType = Field(default="Bug", description="Of the ticket.")
    of: tuple[str, ...] = Field(default=(), description="Kinds of components that can have it.")
    ends: Texts = Field(min_length=1, description="What may be said when it is done, each once in a world.")


class TicketExchange(StrictModel):
    """What people say to each other about a ticket that is put together, whole: a reason and what comes of it.

    Attributes:
        when: what happens to the ticket with it.
        types, of: of the tickets and kinds of components that it can be said of; none: of all.
        script: `R` reported the ticket, `A` works on it, `O` is somebody else.
    """

    when: Course
    types: tuple[TicketType, ...] = ()
    of: tuple[str, ...] = ()
    script: str


Later: TypeAlias = Annotated[int, Field(ge=1, le=14)] | Literal["day_ahead", "weekday_ahead", "clock_ahead"]
"""When something is said that is not said at once: after so many days, or when what a slot stands for is over."""


class TicketTwin(StrictModel):
    """The same reported once more, by somebody who did not know; closed as a duplicate.

    Attributes:
        said: as a script, by `A` who closes it and `R` who reported it this time; `{ticket}` is the first one's key.
    """

    title: str
    text: str = ""
    said: str = ""


class TicketCase(StrictModel):
    """A ticket that is written whole, with slots and alternatives.

    Attributes:
        by: disciplines whose work it is, as the packs of talk name them; none: anybody's of its area.
        told_by: areas whose people report it too, though they do other work.
        trades: of whose companies alone it is, such as `shops`; none: of any that does not say words of its that are another trade's own.
        talk: its comments in order until it is nearly done, as a script: `R` reported it, `A` works on it, `O` is somebody else.
            Those at the end may be left out.
        ends: whether it is closed as done, closed undone, or stays open.
        done: what is said when it is closed.
        later: what passes at least before a comment of `talk` and `done`, by its number among them: days, or the day or time that
            was announced. What is not in here is said and done before that comes.
        again: what is said when it is opened again after that, whoever opens it first; the others answer, and it is closed.
        twin: the same once more.
    """

    type: TicketType = "Bug"
    by: tuple[str, ...] = ()
    told_by: tuple[str, ...] = ()
    trades: tuple[str, ...] = ()
    title: str
    text: str
    talk: str = ""
    ends: Literal["done", "not done", "open"] = "done"
    done: str = ""
    later: Mapping[int, Later] = {}
    again: str = ""
    twin: TicketTwin | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """Everything that is said."""
        twin = (self.twin.title, self.twin.text, self.twin.said) if self.twin is not None else ()
        return (self.title, self.text, self.talk, self.done, self.again, *twin)


class CasePack(StrictModel):
    """Tickets of an area that are written whole."""

    area: str = Field(pattern=r"^[a-z][a-z-]*$", description="One that a pack of tickets has.")
    cases: tuple[TicketCase, ...] = Field(min_length=1, description="Each used once in a world.")


class WorkPack(StrictModel):
    """Tickets of an area that are put together where none is left that is written whole. Slots are bound once a ticket.

    Attributes:
        kinds: which words of `component` are of a kind; one may be of several.
        told_by: areas whose people open tickets about what they see; none: everybody does.
        told_to: disciplines of those whom they tell; none: everybody who does such work.
        on_code: percent of what is taken up that is work on code.
        symptoms: the forms of its tickets.
        exchanges: what is said of them, each once in a world.
        same: how a ticket is called one that is there already, with `{ticket}`; up to five words, used freely.
    """

    area: str
    told_by: SortedSet = frozenset()
    told_to: SortedSet = frozenset()
    on_code: int = Field(default=0, ge=0, le=100)
    words: Mapping[str, tuple[str, ...]] = {}
    kinds: Mapping[str, tuple[str, ...]] = {}
    symptoms: tuple[Symptom, ...] = Field(min_length=1)
    exchanges: tuple[TicketExchange, ...] = ()
    same: Texts = Field(min_length=1)

    def components(self, kinds: Iterable[str]) -> list[str]:
        """The components that are of one of some kinds."""
        return [*dict.fromkeys(word for kind in kinds for word in self.kinds.get(kind, ()))]


class MailPack(StrictModel):
    """What people write mails about: one kind of matter. Its words are bound once a conversation.

    Attributes:
        deals: with which kind of partner outside it is held; empty for what stays among colleagues.
        by: disciplines of the colleague whose matter it is, as the packs of talk name them; none: anybody's.
        passages: whole texts, each used once in a world, by what they do.
    """

    matter: str = Field(pattern=r"^[a-z][a-z-]*$", description="What it is about: budget.")
    weight: int = Field(default=4, ge=1, le=100, description="How often, against the other packs of its side.")
    deals: str = Field(default="", description="With whom outside: `customer`, or what a partner deals in.")
    by: tuple[str, ...] = Field(default=(), description="Disciplines of the colleague whose matter it is.")
    words: Mapping[str, tuple[str, ...]] = Field(default={}, description="What its own slots may be filled with.")
    subjects: Texts = Field(min_length=1, description="Subjects, with slots.")
    acts: Mapping[MailAct, Fragments] = Field(
        description="Sentences by what they do: open, and ask; of questions to support answer and what else answers too."
    )
    passages: Mapping[MailAct, Texts] = Field(default={}, description="Longer texts, a line each, used once.")


class MailFile(StrictModel):
    """A small file that goes with the first mail of a conversation; its name ends in csv, pdf or png.

    Attributes:
        matters: of conversations put together that may have it.
        words: of mails written whole that say that something is attached; one of them is enough.
        said: what is said of it, at the end of the mail.
        columns: of a sheet, by heading: what a cell is drawn of, texts, `date`, or a number `12..90`.
        rows: how many a sheet has, at least and at most.
        lines: of a letter.
    """

    matters: tuple[str, ...] = ()
    name: str = Field(pattern=r"\.(csv|pdf|png)$")
    words: tuple[str, ...] = ()
    said: Texts = ()
    columns: Mapping[str, tuple[str, ...]] = {}
    rows: tuple[int, int] = (5, 12)
    lines: Texts = ()


class MailFilePack(StrictModel):
    """Small files that go with mails, by name."""

    files: Mapping[str, MailFile]


class MailThread(StrictModel):
    """A conversation by mail that is written whole, with slots and alternatives, without greetings and signatures.

    Attributes:
        language: other than English; greetings and endings of the manners are left out.
        ours: with somebody outside: a colleague begins it.
        role: of whom it is held with outside; empty for anybody who deals in that.
        area: of the colleague whose it is: a mail on VAT is nobody's who builds servers. Empty for anybody's.
        by: disciplines of the colleague whose it is, as the packs of talk name them; none: anybody's.
        to: disciplines of the colleagues whom it is to; none: anybody's.
        third: disciplines of `C`, where these are others than of `B`.
        everybody: it is told to all who work there, or with `place: home` who work at the company's own place.
        alone: it is written to `B` alone: a thank you, somebody's candidate, the laptop of one.
        joins: the number of the mail by which `C` comes in, in copy; 0 where they get it from the first on.
        forwarded: the number of the mail by which it is sent on to `C`, the others in copy.
        later: what passes at least before a mail, by its number, the first being 1: days, or the day or time that was announced.
            What is not in here is written before that comes.
        trades: of whose companies alone it is; none: of any, as with tickets.
        place: `home` where whoever begins lives in the company's own time zone, `away` where in another.
        new: how many days ago whoever begins joined, give or take a third; 0 where they are not new.
        leaver: whoever begins leaves within three weeks.
        mails: by whom, and what it says: `A` begins, the first whom it is to is `B`, somebody else who got it `C`.
        file: what goes with the first mail, of `mail/files.yaml`.
        chat: of a customer's question: what `B` talks over with colleagues `D` and `E` before the first answer.
        ticket: that `B` opens for it, in the words of the mails; opened before the first line of the chat with `{ticket}`.
        told: what `B` writes to the customer when the ticket is done.
    """

    subject: str
    language: str = ""
    ours: bool = False
    area: str = ""
    by: tuple[str, ...] = ()
    to: tuple[str, ...] = ()
    third: tuple[str, ...] = ()
    everybody: bool = False
    alone: bool = False
    joins: int = Field(default=0, ge=0)
    forwarded: int = Field(default=0, ge=0)
    later: Mapping[int, Later] = {}
    place: Literal["", "home", "away"] = ""
    new: int = Field(default=0, ge=0, le=365)
    leaver: bool = False
    role: str = ""
    trades: tuple[str, ...] = ()
    mails: tuple[Mapping[str, str], ...] = Field(min_length=1, description="A letter and a text each.")
    file: str = ""
    chat: str = ""
    ticket: TicketCase | None = None
    told: str = ""

    @property
    def turns(self) -> tuple[tuple[str, str], ...]:
        """Letter and text of each mail, the one of a ticket's end the last."""
        told = (("B", self.told.strip()),) if self.told else ()
        return (*((who, text.strip()) for mail in self.mails for who, text in mail.items()), *told)

    @property
    def letters(self) -> tuple[str, ...]:
        """Who writes in it, in the order of their letters."""
        return tuple(sorted({who for who, _ in self.turns}))

    @property
    def comes_in(self) -> int:
        """The number of the mail by which `C` comes in; 0 where they get it from the first on."""
        return self.joins or self.forwarded

    @property
    def texts(self) -> tuple[str, ...]:
        """Everything that is said."""
        case = self.ticket
        opened = case.texts if case is not None else ()
        return (self.subject, *(text for _, text in self.turns), self.chat, *opened)


class MailThreadPack(StrictModel):
    """Conversations by mail that are written whole; `deals` is with whom outside.

    `customer` and what partners deal in, `support` for questions to the address of customers, empty for colleagues.
    """

    deals: str = ""
    threads: tuple[MailThread, ...] = Field(min_length=1, description="Each used once in a world.")


class MailManners(StrictModel):
    """How mails begin and end. `{first}` is whom it is to."""

    to_one: Texts
    to_several: Texts
    endings: Texts
    short: Texts
    passed_on: Texts
    away: Texts
    meetings: Texts
    agendas: Texts
    cannot: Texts


def filled(text: str, words: Mapping[str, str]) -> str:
    """A text with its slots filled as far as there are words for them: `{item} for {person}`, `{"item": "cake"}` gives `cake for {person}`."""
    return SLOT.sub(lambda found: words.get(found[1], found[0]), text)
