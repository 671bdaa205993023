"""What the panes show, whatever product it comes from. Text in here is the world's: never markup."""

from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from brownout.core.instants import Instant
from studio.company.company_view import PersonView

__all__ = [
    "Block",
    "Card",
    "Link",
    "PreviewQuestion",
    "PreviewReading",
    "ShownChange",
    "ShownField",
    "ShownFileChange",
    "ShownLine",
    "ShownLines",
    "ShownName",
    "ShownPlace",
    "ShownTag",
    "Surface",
    "SurfaceName",
    "TimelineEntry",
    "Tone",
]

SurfaceName: TypeAlias = Literal["mail", "chat", "issues", "code", "docs", "calendar", "customers", "status"]
Tone: TypeAlias = Literal["gray", "blue", "green", "orange", "red", "violet"]


@dataclass(frozen=True, slots=True)
class ShownTag:
    """A word on a coloured ground; the word says it all, the colour repeats it."""

    label: str
    tone: Tone = "gray"


@dataclass(frozen=True, slots=True)
class ShownPlace:
    """Where a surface keeps things: a channel, a mailbox, a project, a repository.

    Attributes:
        group: the heading it stands under.
        label: as people call it (`#ops`).
        about: what it is for.
        fresh: how many things in it are new to whoever looks.
        why_fresh: what counts as new there.
    """

    id: str
    label: str
    group: str = ""
    about: str = ""
    fresh: int = 0
    why_fresh: str = ""


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A thing in a list.

    Attributes:
        icon: a Material symbol where the thing is nobody's.
        head: what stands above the title where that is not who it is from.
        side: what stands beside that where it is no time.
        path: what the engine calls it, so that provenance can be shown beside it.
        replies: how many answers a message has in its thread.
    """

    id: str
    at: Instant
    who: str
    title: str = ""
    text: str = ""
    path: str = ""
    tags: tuple[ShownTag, ...] = ()
    replies: int = 0
    is_unread: bool = False
    head: str = ""
    side: str = ""
    icon: str = ""


@dataclass(frozen=True, slots=True)
class ShownLines:
    """Some of a list.

    Attributes:
        next: cursor for more, empty at the end.
        total: how many there are, None where the product does not say.
        note: what is not in the list and why, empty where all is.
    """

    lines: tuple[ShownLine, ...]
    next: str = ""
    total: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class ShownField:
    """A property."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """Something said or written below a thing."""

    who: str
    at: Instant
    text: str
    path: str = ""
    tags: tuple[ShownTag, ...] = ()
    about: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """Another thing that this one names."""

    word: str
    surface: SurfaceName
    item: str
    label: str
    text: str = ""
    tags: tuple[ShownTag, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A property that was changed."""

    at: Instant
    who: str
    what: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Card:
    """Somebody, or a version of something, with what is to be known of it.

    Attributes:
        icon: a Material symbol where it is nobody.
        is_past: it no longer holds.
    """

    title: str
    about: str = ""
    tags: tuple[ShownTag, ...] = ()
    fields: tuple[ShownField, ...] = ()
    text: str = ""
    note: str = ""
    icon: str = ""
    is_past: bool = False


@dataclass(frozen=True, slots=True)
class ShownFileChange:
    """A file in a change of code; `patch` is a unified diff, empty where there is none to show."""

    name: str
    added: int
    removed: int
    patch: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A part of a reading; what it holds says how it looks."""

    title: str = ""
    text: str = ""
    code: str = ""
    cards: tuple[Card, ...] = ()
    entries: tuple[TimelineEntry, ...] = ()
    links: tuple[Link, ...] = ()
    changes: tuple[ShownChange, ...] = ()
    files: tuple[ShownFileChange, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewReading:
    """A thing, whole.

    Attributes:
        places: where it is: the first one is shown beside it unless another of them is. Empty where any place suits.
        written: when it came to be, as exactly as its product says; 0 where that does not say.
    """

    id: str
    title: str
    kicker: str = ""
    path: str = ""
    tags: tuple[ShownTag, ...] = ()
    fields: tuple[ShownField, ...] = ()
    blocks: tuple[Block, ...] = field(default=())
    places: tuple[str, ...] = ()
    written: Instant = 0


@dataclass(frozen=True, slots=True)
class ShownName:
    """Words that, in any text, lead to a thing.

    Attributes:
        kind: how they stand in texts: `channel` as `#ops`, `project` as `BOX-41`, `repo` as `org/repo#12`,
            `title` as they are.
        place: what is opened where the words name a place.
        item: what is opened where they name one thing.
    """

    kind: Literal["channel", "project", "repo", "title"]
    text: str
    surface: SurfaceName
    place: str = ""
    item: str = ""


@dataclass(frozen=True, slots=True)
class PreviewQuestion:
    """Which part of a list is wanted.

    Attributes:
        until: the item that is to be the newest, where the list is in the order of time; empty for all.
    """

    place: str = ""
    q: str = ""
    cursor: str = ""
    until: str = ""
    most: int = 60


class Surface(Protocol):
    """One kind of product, looked at: its places, its lists, one thing of it."""

    @property
    def name(self) -> SurfaceName: ...
    @property
    def app(self) -> str: ...

    def places(self, eyes: PersonView) -> list[ShownPlace]:
        """Where things are; the first is shown when nothing else is asked for."""
        ...

    def lines(self, eyes: PersonView, asked: PreviewQuestion) -> ShownLines:
        """Some of what is at a place, or of what a search finds."""
        ...

    def names(self, eyes: PersonView) -> list[ShownName]:
        """The words that lead here from other texts."""
        ...

    def reading(self, eyes: PersonView, item: str) -> PreviewReading:
        """One thing.

        Raises:
            Refused: it is not there, or not for these eyes.
        """
        ...
