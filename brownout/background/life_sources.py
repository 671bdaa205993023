"""What everyday life is drawn from: a world's people, rooms and words, the phrase packs and the measured tables.

It is data and part of the package, so that the days after a task's start come out as those before it.
"""

from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import BeforeValidator, Field, ValidationError

from brownout.background.code_bases import CodeBase
from brownout.background.outage_texts import NoticedOutage, OutagePack
from brownout.background.packs import (
    MailFile,
    MailManners,
    MailPack,
    MailThread,
    Pack,
    SortedSet,
    Texts,
    TicketCase,
    WorkPack,
)
from brownout.core.errors import PackageError
from brownout.core.strict_model import StrictModel

__all__ = [
    "Cards",
    "Colleague",
    "Correspondent",
    "Letter",
    "LetterIssue",
    "Life",
    "Place",
    "Project",
    "Room",
    "Support",
    "Tables",
    "read_life",
]


def _pairs(value: object) -> object:
    return tuple(tuple(pair) for pair in value) if isinstance(value, list) else value


_MARKS: Final = ".,;:!?()`\"'"
"""What may stand at the ends of a word without being part of it."""


class Colleague(StrictModel):
    """Somebody who talks.

    Attributes:
        hours: minutes after local midnight, from and until.
        away: stretches of time in which they are not there, each with its end excluded.
        area: what they talk about at work, as the packs name it.
        does: their disciplines, as the packs name them: what work is theirs.
        leads: they lead the company: what is nobody's work in particular is not theirs either.
    """

    name: str
    full: str
    zone: str
    hours: tuple[int, int]
    away: Annotated[tuple[tuple[int, int], ...], BeforeValidator(_pairs)] = ()
    joins: int | None = None
    leaves: int | None = None
    team: str = ""
    role: str = ""
    voice: str = "plain"
    area: str = ""
    does: tuple[str, ...] = ()
    leads: bool = False

    def is_employed(self, at: int) -> bool:
        """Whether they have joined and not left at a moment."""
        return (self.joins is None or self.joins <= at) and (self.leaves is None or at < self.leaves)


class Room(StrictModel):
    """A place where several people talk; `area` is what it is for, empty where nothing says so."""

    name: str
    members: tuple[str, ...]
    area: str = ""


class Project(StrictModel):
    """Where the tickets of a team are kept that no storyline tells of."""

    key: str
    lead: str
    people: tuple[str, ...]
    area: str = ""


class LetterIssue(StrictModel):
    """What a letter is about: one of its subjects, what it says first, and what it has below in any order."""

    subject: Texts = Field(min_length=1)
    opens: str = ""
    items: Texts = Field(min_length=2)


class Letter(StrictModel):
    """Somebody outside who sends letters.

    Attributes:
        short: their account.
        read_by: disciplines of those who get it; none: everybody.
        weekly: everybody gets the same in a week.
        file: goes with those whose subject has one of its words.
    """

    short: str
    name: str
    email: str
    read_by: tuple[str, ...] = ()
    weekly: bool = False
    issues: tuple[LetterIssue, ...] = Field(min_length=1)
    file: str = ""


class Place(StrictModel):
    """A room that machines write to, and what it is for."""

    name: str
    purpose: str


class Cards(StrictModel):
    """What machines put into rooms and below tickets, with slots.

    Attributes:
        rooms: by what is told there: `builds`, `watch`, `standup`. One that a company cannot have is left out.
        red, green, merged, slow: about checks and builds; firing, resolved: alerts by rule and host; rules: what one is of, with the machines that can have it.
        asked, stood: the question of the morning, and what people answer, by what there is of `{done}`, `{doing}`, `{review}`; linked, closed: below tickets.
    """

    rooms: Mapping[str, Place]
    red: Texts
    green: Texts
    merged: Texts
    slow: Texts
    firing: Texts
    resolved: Texts
    rules: Mapping[str, Texts]
    asked: Texts
    stood: Texts = ()
    linked: Texts
    closed: Texts


class Correspondent(StrictModel):
    """Somebody outside with whom mails are exchanged; `deals` is what in: `customer`, or a partner's business."""

    short: str
    name: str
    email: str
    firm: str
    deals: str
    role: str = ""


class Support(StrictModel):
    """Where customers ask: the address, who answers, the app that takes it in, the room where colleagues are asked."""

    inbox: str
    people: tuple[str, ...]
    app: str
    room: str = ""
    experts: tuple[str, ...] = ()


class Tables(StrictModel):
    """Quantiles of real conversations; shares are of 65,536. See `generators/background/tables.json`."""

    source: str
    continues: int = Field(alias="continue")
    alone: int
    length_alone: tuple[int, ...]
    length_dialogue: tuple[int, ...]
    people: Mapping[str, tuple[int, ...]]
    gaps: Mapping[str, tuple[int, ...]]
    normal: tuple[int, ...]
    cumulative: tuple[int, ...]


class Life(StrictModel):
    """A company's everyday life.

    Attributes:
        zone: of the calendar; a day is one of this zone.
        calendar: first and last instant.
        volumes: thousandths of what companies of that size have, by layer.
        apps: which app carries what, by the author's verb: `talks`.
        words: what the slots of phrases may be filled with that is this company's own, by slot.
        manners: `emojis`, `pets`, `hedges`, `doubts` that voices choose theirs of, and `reactions`.
        letters, inboxes: who sends letters, and to whom.
        mail_threads: conversations by mail written whole, by with whom outside.
        mail, mail_manners: what mails are about, and how they begin and end.
        files: what may go with mails, by name.
        outsiders: with whom outside mails are exchanged: partners, and customers that no storyline casts.
        support: where customers ask; None where nobody takes it in.
        domain: of the company's addresses.
        calendar_mail: the account that the calendar's mails come from; empty where there is none.
        tracker: the account that the tracker's mails come from; empty where there is none.
        code: the code bases that people change beside the storylines.
        bots: the accounts of machines by what they do: `pins`.
        ticket_page: the address of a ticket without its key; empty where the tracker has none.
        taken: words that storylines state facts with, which everyday talk does not use.
        outages, outage_texts: what breaks and is noticed without a storyline telling of it, and what is said of that.
        dialogues, cases: conversations and tickets written whole, by area.
        told: the author's conversations by the Monday of the week that each begins in, as who speaks each message, 0 being who opens.
    """

    seed: int
    zone: str
    calendar: tuple[int, int]
    volumes: Mapping[str, int]
    apps: Mapping[str, str]
    people: tuple[Colleague, ...]
    rooms: tuple[Room, ...]
    words: Mapping[str, tuple[str, ...]]
    manners: Mapping[str, tuple[str, ...]]
    taken: SortedSet = frozenset()
    packs: tuple[Pack, ...]
    dialogues: Mapping[str, tuple[str, ...]] = {}
    cases: Mapping[str, tuple[TicketCase, ...]] = {}
    work: tuple[WorkPack, ...] = ()
    projects: tuple[Project, ...] = ()
    letters: tuple[Letter, ...] = ()
    inboxes: tuple[str, ...] = ()
    mail: tuple[MailPack, ...] = ()
    mail_threads: Mapping[str, tuple[MailThread, ...]] = {}
    mail_manners: MailManners | None = None
    files: Mapping[str, MailFile] = {}
    outsiders: tuple[Correspondent, ...] = ()
    support: Support | None = None
    company: str = ""
    domain: str = ""
    calendar_mail: str = ""
    tracker: str = ""
    tracker_title: str = ""
    code: tuple[CodeBase, ...] = ()
    bots: Mapping[str, str] = {}
    cards: Cards | None = None
    ticket_page: str = ""
    outages: tuple[NoticedOutage, ...] = ()
    outage_texts: OutagePack | None = None
    told: Mapping[int, tuple[tuple[int, ...], ...]] = {}
    tables: Tables

    def is_free(self, text: str) -> bool:
        """Whether a text uses none of the words that storylines state facts with: `Done at 10:14.` where 10:14 is one is not."""
        return not self.taken or self.taken.isdisjoint(word.strip(_MARKS).lower() for word in text.split())


def read_life(data: bytes) -> Life:
    """A package's `life.json`.

    Raises:
        PackageError: another version of Brownout wrote it, or somebody else.
    """
    try:
        return Life.model_validate_json(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise PackageError(
            f"life.json of this package was written by another version of Brownout ({place}: {first['msg']}); build the world again"
        ) from error
