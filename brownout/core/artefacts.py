"""What an app's rows come to for a reader who knows no product: chat messages, mails, tickets, pull requests, commits.

An app says so with the role `ShowsArtefacts`; what a text names, there or not, with the role `ResolvesNames`. `who` is
always a short name, empty where nobody of the world is meant; `problems` of an artefact says in words what in its rows points
at nothing (`its author has no account`).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from brownout.core.instants import Instant

__all__ = [
    "Artefact",
    "Change",
    "ChatMessage",
    "Check",
    "LandedCommit",
    "Name",
    "NameKind",
    "Names",
    "PullRequest",
    "Remark",
    "Review",
    "SentMail",
    "Ticket",
    "Writing",
]


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A message in a chat.

    Attributes:
        path: what it is called (`slack:#ops.message/1771234567.000100`).
        room: where it stands (`#ops`).
        direct: between two, or a few who chose each other, and in no room that others may join.
        thread: path of the message that its thread hangs on; empty for one that is in no thread, or begins one.
        reactions: how many there are to it.
    """

    path: str
    who: str
    at: Instant
    text: str
    room: str
    direct: bool = False
    thread: str = ""
    reactions: int = 0
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SentMail:
    """A mail that was sent.

    Attributes:
        to, cc: addresses alone, in lower case, as the header has them: a group is one.
        thread: path of the first mail of its conversation; its own where it begins one.
        answers: path of the mail that it answers; empty where it answers none.
        sender: its From address, in lower case.
        automatic: the mail system answered for somebody who is away.
    """

    path: str
    who: str
    at: Instant
    subject: str
    text: str
    sender: str
    to: tuple[str, ...]
    cc: tuple[str, ...]
    thread: str
    answers: str
    automatic: bool = False
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Remark:
    """Something written below something else: a comment on a ticket, a line comment on a pull request.

    Attributes:
        place: the file that it is about; empty where it is about the whole.
    """

    who: str
    at: Instant
    text: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """A field of a ticket that changed."""

    who: str
    at: Instant
    field: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Ticket:
    """A ticket.

    Attributes:
        closed: when it was last closed; None while it is open.
        changes: of its fields, oldest first; the state's are called `status`.
        ended: states in which it counts as closed.
        duplicate: it was closed as one, or is linked as one.
    """

    path: str
    key: str
    who: str
    at: Instant
    title: str
    text: str
    status: str
    assignee: str
    priority: str
    labels: tuple[str, ...]
    closed: Instant | None
    ended: frozenset[str]
    remarks: tuple[Remark, ...] = ()
    changes: tuple[Change, ...] = ()
    duplicate: bool = False
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Review:
    """What a reviewer said of a pull request."""

    who: str
    at: Instant
    verdict: Literal["approved", "changes", "commented"]
    text: str


@dataclass(frozen=True, slots=True)
class Check:
    """An automatic check of a pull request; `passed` is None while it runs, or where it says neither."""

    name: str
    started: Instant
    passed: bool | None


@dataclass(frozen=True, slots=True)
class PullRequest:
    """A pull request.

    Attributes:
        repository: its name (`shop/checkout`).
        merged, closed: when; a merged one is closed too.
    """

    path: str
    repository: str
    who: str
    at: Instant
    title: str
    text: str
    merged: Instant | None
    closed: Instant | None
    reviews: tuple[Review, ...] = ()
    remarks: tuple[Remark, ...] = ()
    checks: tuple[Check, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LandedCommit:
    """A commit on a default branch that merges nothing.

    Attributes:
        zone_minutes: how far the author's clock was ahead of UTC.
        lines: added and removed.
    """

    path: str
    repository: str
    who: str
    at: Instant
    subject: str
    text: str
    author: str
    zone_minutes: int
    files: int
    lines: int
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Writing:
    """Any other text of somebody's: a page, a note, a message to a customer.

    Attributes:
        copied: it is also an artefact of another app's, which counts (a mail in a support inbox).
    """

    path: str
    who: str
    at: Instant
    text: str
    title: str = ""
    copied: bool = False
    problems: tuple[str, ...] = ()


Artefact: TypeAlias = ChatMessage | SentMail | Ticket | PullRequest | LandedCommit | Writing

NameKind: TypeAlias = Literal["person", "room", "ticket", "pull request", "commit", "file", "page"]


@dataclass(frozen=True, slots=True)
class Name:
    """A place in a text that reads like the name of a thing.

    Attributes:
        words: as they stand in the text (`BOX-41`, `@mara`, `seats/rows.py`).
        path: of the thing; empty where there is nothing of that name.
        since: from when on there is such a thing; None where that cannot be said.
    """

    words: str
    kind: NameKind
    path: str
    since: Instant | None = field(default=None)


Names: TypeAlias = Callable[[str], Iterator[Name]]
"""The names in a text; made once of an app's rows, then asked for each text."""
