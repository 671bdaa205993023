"""Code bases of everyday life as pure functions of a seed: which files they have, which line stands where, what it becomes.

Every entry has a line of its own below a remark, so that two changes that are open at once never touch each other.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field

from brownout.background.packs import Texts, TicketCase, filled
from brownout.core.seeds import Stream
from brownout.core.strict_model import StrictModel

__all__ = [
    "CodeBase",
    "CodeLine",
    "CodePack",
    "Entry",
    "EntryPack",
    "Lines",
    "WrittenChange",
    "WrittenEntry",
    "file_texts",
    "slug",
]

_WORD: Final = re.compile(r"[a-z0-9]+")
_KEPT: Final = 80
"""Percent of a pack's entries that a place has."""


class Entry(StrictModel):
    """Something that a file says in one line: its name, what it is for, and the values it may have, in their order.

    Attributes:
        of: kinds of the places that can have it; of all where there are none here.
    """

    name: str
    note: str
    values: tuple[str, ...] = Field(min_length=3)
    of: tuple[str, ...] = ()


def _entries(value: object) -> object:
    """A text block has an entry on each line: `name | what it is for | value / value / value`."""
    if not isinstance(value, str):
        return value
    found = []
    for line in value.splitlines():
        if line.strip():
            name, note, values = ([part.strip() for part in line.split("|", 2)] + ["", ""])[:3]
            found.append({"name": name, "note": note, "values": [each.strip() for each in values.split(" / ")]})
    return found


def _values(value: object) -> object:
    """Values stand in one line: `25 / 40 / 50`."""
    return [each.strip() for each in value.split(" / ")] if isinstance(value, str) else value


class WrittenChange(StrictModel):
    """A change that no ticket asks for, written whole; said once in a company.

    Attributes:
        moves: whether it makes of the value a later one of its entry's (`raise`) or an earlier one; either where it is empty.
        everywhere: it makes the same of the entry in some other places.
        title, text: of the request, with the slots of the change.
        says: what its commit says, where that is not one of the pack's.
    """

    moves: Literal["", "raise", "lower"] = ""
    everywhere: bool = False
    title: str
    text: str = ""
    says: str = ""


class WrittenEntry(StrictModel):
    """An entry and what is written about changes of it, whole; beside the slots of tickets those of the change.

    Attributes:
        file: the group that it stands in.
        note, values, of: as an entry has them.
        changes: that somebody makes of themselves.
        how: a sentence that is true of any change of it, below a ticket's name.
        red: what the commit says that mends a red check with another `{value}`.
        tickets: that ask for a change.
        requests, remarks: of a review, as scripts: `B` looks at it, `A` made it. The first turn of a request is what is said of the
            whole, that of a remark stands at the line. Each is said once in a company.
    """

    file: str
    note: str
    values: Annotated[tuple[str, ...], BeforeValidator(_values)] = Field(min_length=3)
    of: tuple[str, ...] = ()
    changes: tuple[WrittenChange, ...] = ()
    how: Texts = ()
    red: Texts = ()
    tickets: tuple[TicketCase, ...] = ()
    requests: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


class EntryPack(StrictModel):
    """What stands in a kind of code base and is written about it, by the entry that is changed."""

    kind: str
    entries: Mapping[str, WrittenEntry] = Field(min_length=1)


class CodePack(StrictModel):
    """A kind of code base: what stands in it, and what is written when people change it.

    Attributes:
        slot: of the company's or the tickets' words: there is a folder for each; `places` are the pack's own.
        path, line, remark: how a file, an entry and what stands above it are written.
        called: what people call a group, where that is not its name.
        order: `up`: a value is followed by a later one only.
        by: who changes it; a machine opens what `bot` is the account of.
        weight: of changes that no ticket asks for, against those of the other packs.
        on_tickets: of changes that a ticket asks for, likewise.
        entries: what stands in the files, by group: what is written whole (`written`), or a list for which the pack's texts are said.
        kinds: which places are of a kind, beside what the packs of tickets say of their components.
        fits: of which kinds of places a group is; of all where it is not here. A place of no kind has every group.
        known_to: disciplines of those who change and look at it; none: whoever works on code.
        titles and all below: a text may begin with what must be true of the change, `(raise, limits|jobs) ...`; see `said_when`.
        why, how, checked: what a description is put together from.
        mends, fixes: messages of the commits after a red check and after a review.
        refers: how a description names its `{ticket}`.
        requests, remarks, noted: what a reviewer says of the whole where they want changes, of a line, and of the whole where
            they want to know something first; a machine is asked for nothing, so its pack has only remarks. What a remark is
            answered with stands behind it: `per account? => for all together`.
        written: what is written about an entry, by its name.
    """

    kind: str = Field(pattern=r"^[a-z][a-z-]*$")
    repository: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    says: str
    readme: str
    slot: str = ""
    places: Texts = ()
    path: str
    line: str
    remark: str
    entries: Mapping[str, Annotated[tuple[Entry, ...], BeforeValidator(_entries)]] = {}
    kinds: Mapping[str, tuple[str, ...]] = {}
    called: Mapping[str, str] = {}
    order: Literal["any", "up"] = "any"
    by: Literal["people", "bot"] = "people"
    weight: int = Field(default=1, ge=0)
    on_tickets: int = Field(default=0, ge=0)
    fits: Mapping[str, tuple[str, ...]] = {}
    known_to: tuple[str, ...] = ()
    check: str = Field(description="What its check counts: entries, files.")
    titles: Texts
    commits: Texts
    why: Texts = ()
    how: Texts = ()
    checked: Texts = ()
    mends: Texts
    fixes: Texts
    requests: Texts = ()
    remarks: Texts = ()
    noted: Texts = ()
    approvals: Texts
    comments: Texts
    given_up: Texts
    refers: Texts = ()
    written: Mapping[str, WrittenEntry] = {}

    def with_written(self, entries: Mapping[str, WrittenEntry]) -> "CodePack":
        """The pack with entries that are written whole."""
        groups = {group: list(every) for group, every in self.entries.items()}
        for name, one in entries.items():
            groups.setdefault(one.file, []).append(Entry(name=name, note=one.note, values=one.values, of=one.of))
        every = {group: tuple(found) for group, found in groups.items()}
        return self.model_copy(update={"entries": every, "written": {**self.written, **entries}})


class CodeBase(StrictModel):
    """One of the company's.

    Attributes:
        full_name: `owner/name`.
        places: what it has folders for, as people call them.
        kinds: what each of the places is, where that is known.
        reviewers: who looks at changes to it.
    """

    name: str
    full_name: str
    pack: CodePack
    places: tuple[str, ...]
    reviewers: tuple[str, ...]
    kinds: Mapping[str, tuple[str, ...]] = {}

    def entries(self, place: str, group: str) -> tuple[Entry, ...]:
        """What a place may have in a group: a job has no order of columns, and only what is edited has steps to take back."""
        own = {*self.kinds.get(place, ()), *(kind for kind, words in self.pack.kinds.items() if place in words)}
        wanted = self.pack.fits.get(group, ())
        if own and wanted and own.isdisjoint(wanted):
            return ()
        return tuple(one for one in self.pack.entries[group] if not one.of or not own.isdisjoint(one.of))


@dataclass(frozen=True, slots=True)
class CodeLine:
    """An entry as it stands in a file.

    Attributes:
        number: of its line, from 1.
        beginning: what the line begins with, whatever the value.
        values: the first is what it says when the calendar begins.
    """

    path: str
    number: int
    beginning: str
    entry: Entry
    group: str
    values: tuple[str, ...]
    pattern: str

    def with_value(self, value: str) -> str:
        """The whole line."""
        return filled(self.pattern, {"name": self.entry.name, "value": value})


class Lines:
    """The lines of a code base, by place; drawn once and kept."""

    def __init__(self, seed: int, base: CodeBase, taken: frozenset[str]) -> None:
        self._seed, self.base, self._taken = seed, base, taken
        self._kept: dict[str, tuple[CodeLine, ...]] = {}

    def of(self, place: str) -> tuple[CodeLine, ...]:
        """Every entry of a place, in an order that is drawn: the one in which they come to be changed."""
        found = self._kept.get(place)
        if found is None:
            every = [line for group in self.base.pack.entries for line in self.in_file(place, group)]
            found = self._kept[place] = tuple(Stream(self._seed, "order", self.base.name, place).shuffled(every))
        return found

    def in_file(self, place: str, group: str) -> list[CodeLine]:
        """The entries of one file, in its order."""
        pack = self.base.pack
        path = filled(pack.path, {"place": slug(place), "group": group})
        found: list[CodeLine] = []
        for entry in self.base.entries(place, group):
            stream = Stream(self._seed, "entry", self.base.name, place, group, entry.name)
            values = [one for one in entry.values if one.lower() not in self._taken]
            if not stream.chance(_KEPT) or len(values) < 3:
                continue
            is_rising = pack.order == "up"
            start = stream.below(len(values) - 2 if is_rising else len(values))
            beginning = filled(pack.line.partition("{value}")[0], {"name": entry.name})
            turned = tuple(values[start:] + ([] if is_rising else values[:start]))
            found.append(CodeLine(path, 3 * len(found) + 2, beginning, entry, group, turned, pack.line))
        return found

    @cached_property
    def count(self) -> int:
        """How many entries there are."""
        return sum(len(self.of(place)) for place in self.base.places)


def file_texts(lines: Lines, place: str) -> Iterator[tuple[str, str]]:
    """Path and text of each file of a place, as they are when the calendar begins."""
    pack = lines.base.pack
    for group in pack.entries:
        found = lines.in_file(place, group)
        if found:
            parts = [
                f"{filled(pack.remark, {'note': one.entry.note})}\n{one.with_value(one.values[0])}\n" for one in found
            ]
            yield found[0].path, "\n".join(parts)


def slug(place: str) -> str:
    """How a folder is called: `the export job`, export-job."""
    words = [word for word in _WORD.findall(place.lower()) if word not in ("the", "a", "an")]
    return "-".join(words) or "shared"
