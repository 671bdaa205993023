"""Conversations written whole, as packs hold them: who says what, where it is held, and what is said in them only sometimes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Final

from brownout.background.changes_of_days import CHANGES, Change
from brownout.background.integer_math import mixed
from brownout.background.life_sources import Colleague
from brownout.background.message_breaks import Said, broken_into, fewest_and_most
from brownout.background.packs import TICKETS
from brownout.background.written import Turn, turns_of

__all__ = ["SPEAKERS", "Aside", "Dialogue", "SpeakingPart", "switches_of", "ways_of", "without_asides"]

SPEAKERS: Final = "abcdefghi"
"""Slots for the first names of those who speak."""
_MARK: Final = re.compile(
    r"\((private|public|here|asked|leaver|trade|(?:new|away|back) [A-I]|(?:by|[A-I]) [a-z][a-z, -]*)\)\n"
)
_BEGUN: Final = re.compile(r"([A-Z])(\??): ")
_OF_ONE: Final = re.compile(r"\(([A-I]) [a-z][a-z, -]*\)$")
_BY: Final = re.compile(r"(by|[A-I]) (.+)")


@dataclass(frozen=True, slots=True)
class SpeakingPart:
    """Who may have a part in a conversation: whoever does one of some disciplines; where none are named anybody of an area but those who lead the company.

    Attributes:
        area: whose people have it; empty for everybody.
        disciplines: as the packs name them.
    """

    area: str = ""
    disciplines: frozenset[str] = frozenset()

    def is_for(self, who: Colleague) -> bool:
        """Whether somebody may have it."""
        if self.disciplines:
            return not self.disciplines.isdisjoint(who.does)
        return self.area in ("", who.area) and not who.leads

    def joined(self, other: "SpeakingPart") -> "SpeakingPart | None":
        """The part of whoever has both; None where nobody could."""
        if self.disciplines and other.disciplines:
            both = self.disciplines & other.disciplines
            return SpeakingPart(self.area, both) if both else None
        if self.disciplines or other.disciplines:
            named, open_to = (self, other) if self.disciplines else (other, self)
            return named if open_to.area in ("", named.area) else None
        return self if other.area in ("", self.area) else other if not self.area else None


@dataclass(frozen=True, slots=True)
class Aside:
    """Lines that may be left out, before the line of that number."""

    before: int
    said: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A conversation written whole, as so many people hold it.

    Attributes:
        speakers: by line the number of who says it, 0 being who opens, in the order in which they first speak.
        asides: what the same people say besides where more messages are wanted.
        parts: who may be each of them.
        wordiness: how many of 1,000 have fewer words a line.
        fewest, most: how few and how many messages it can be.
        is_private: it is nobody else's business, so it is held in no room.
        is_public: it is told to more than answer it, so it is held in a room; what nobody has to answer is, unless it is private.
        is_here: it is about the place where they are, so those who speak are of one time zone, in a room of the company's own.
        is_asked: whoever opens does other work, and asks somebody of the area, who speaks second.
        change: what is just changing in the days of one of those who speak; empty where nothing has to.
        changing: the number of that speaker; -1 where there is none.
        has_leaver: `{person}` in it is somebody who leaves soon.
        is_of_trade: it is about what only companies of this trade have to do with.
        begins: the lines with which a script begins, where several are held one after the other; slots are bound anew there.
        scripts: area and number of each of these.
    """

    area: str
    number: int
    speakers: tuple[int, ...]
    texts: tuple[str, ...]
    parts: tuple[SpeakingPart, ...] = ()
    asides: tuple[Aside, ...] = ()
    wordiness: int = 500
    fewest: int = 0
    most: int = 0
    is_private: bool = False
    is_public: bool = False
    is_here: bool = False
    is_asked: bool = False
    change: Change = ""
    changing: int = -1
    has_leaver: bool = False
    is_of_trade: bool = False
    begins: tuple[int, ...] = (0,)
    scripts: tuple[tuple[str, int], ...] = ()

    @property
    def switches(self) -> int:
        """How often somebody else goes on."""
        return switches_of(self.speakers)

    @property
    def is_cast(self) -> bool:
        """Whether it wants somebody in particular, so that no other goes on from it or to it."""
        return self.is_asked or bool(self.change) or self.has_leaver or self.area == TICKETS

    @property
    def is_about_a_ticket(self) -> bool:
        """Whether it is about a ticket that those who speak have to do with, whosever work that is."""
        return any(area == TICKETS for area, _ in self.scripts)

    @property
    def all_texts(self) -> tuple[str, ...]:
        """What is said by so many people, with all asides."""
        return tuple(text for _, text in _with_asides(self, self.asides))

    def in_messages(self, wanted: int, bits: int) -> "Dialogue":
        """The same in as many messages as are wanted, as near as it goes; the bits choose asides, and where it is broken."""
        said = broken_into(_with_asides(self, self._asides_for(wanted, bits)), wanted, bits)
        return replace(self, speakers=tuple(who for who, _ in said), texts=tuple(text for _, text in said))

    def _asides_for(self, wanted: int, bits: int) -> Sequence[Aside]:
        """Asides that find room in so many messages."""
        found, lines = [], len(self.texts)
        for aside in sorted(self.asides, key=lambda one: mixed(bits, one.before + 1)):
            if lines + len(aside.said) <= wanted:
                found.append(aside)
                lines += len(aside.said)
        return found

    def reaches(self, lines: int) -> int:
        """The number of messages nearest to that which it can be."""
        return min(max(lines, self.fewest), self.most)

    @property
    def people(self) -> int:
        """How many speak."""
        return len(self.parts)


@lru_cache(maxsize=1 << 14)
def switches_of(speakers: tuple[int, ...]) -> int:
    """How often somebody else goes on: 2 of (0, 1, 1, 0)."""
    return sum(one != other for one, other in pairwise(speakers))


@lru_cache(maxsize=1 << 14)
def ways_of(area: str, number: int, script: str) -> tuple[Dialogue, ...]:
    """The dialogue of a script as packs hold it, whose lines are `A: is it up?` and `B: yes`: with the fewest people, then with one more each.

    Lines that follow each other and begin as `C?: same here` are an aside, said whole or not at all. Whoever has nothing but asides
    comes in where so many people are wanted, and then says all of theirs; asides of the others are said where more messages are.
    Above the lines may stand `(private)`, `(public)`, `(here)`, `(asked)`, `(new B)`, `(away A)`, `(back A)`, `(leaver)`, `(trade)`, and who speaks: `(by it)`, `(A sales)`.
    Read once a process: every session of a world has the same ones.

    Raises:
        ValueError: it cannot be read, or the letters are not in the order in which they first speak.
    """
    marks, lines = set[str](), script
    while (mark := _MARK.match(lines)) is not None:
        marks.add(mark[1])
        lines = lines[mark.end() :]
    turns = turns_of(lines, with_asides=True)
    letters = [*dict.fromkeys(turn.who for turn in turns)]
    if letters != sorted(letters) or letters[:1] != ["A"] or ord(letters[-1]) - ord("A") != len(letters) - 1:
        raise ValueError(f"expected A, B, C ... in the order in which they first speak, found {', '.join(letters)}")
    fewest = len({turn.who for turn in turns if not turn.is_aside})
    if {turn.who for turn in turns if not turn.is_aside} != {*letters[:fewest]} or turns[0].is_aside:
        raise ValueError("expected asides after the first line, and of those who say nothing else by the last letters")
    changes = [
        (change, SPEAKERS.index(mark[-1].lower())) for mark in marks for change in CHANGES if mark[:-2] == change
    ]
    if len(changes) > 1:
        raise ValueError("expected one who is new, away soon or just back, found several")
    change, changing = next(iter(changes), ("", -1))
    if changing >= fewest:
        raise ValueError(f"expected somebody {change} who says something, found {', '.join(letters)}")
    if {"private", "public"} <= marks:
        raise ValueError("expected a conversation that is private or public, found one that is both")
    named = {found[1]: frozenset(re.split(r", *", found[2])) for mark in marks if (found := _BY.fullmatch(mark))}
    unknown = sorted({*named}.difference(letters, ("by",)))
    if unknown:
        raise ValueError(f"expected disciplines of somebody who says something, found some of {', '.join(unknown)}")
    everybody = named.get("by", frozenset())
    is_asked = "asked" in marks
    parts = [
        SpeakingPart(
            "" if is_asked and letter != "B" else area,
            named.get(letter, frozenset() if is_asked and letter == "A" else everybody),
        )
        for letter in letters
    ]
    whole = Dialogue(
        area,
        number,
        (),
        (),
        is_private="private" in marks,
        is_public="public" in marks or (fewest == 1 and "private" not in marks),
        is_here="here" in marks,
        is_asked=is_asked,
        change=change,
        changing=changing,
        has_leaver="leaver" in marks,
        is_of_trade="trade" in marks,
    )
    return tuple(_as_held_by(whole, turns, parts[:people], fewest) for people in range(fewest, len(letters) + 1))


def without_asides(script: str) -> str:
    """A script without what may be left out, nor the marks of whoever says nothing else: of `(C it)`, `A: one`, `C?: perhaps`, `A: two` the second and the last line."""
    kept, spoken, is_kept = list[str](), set[str](), True
    for line in script.split("\n"):
        if (begun := _BEGUN.match(line)) is not None:
            is_kept = not begun[2]
            spoken |= {begun[1]} if is_kept else set()
        if is_kept:
            kept.append(line)
    return "\n".join(line for line in kept if (of := _OF_ONE.match(line)) is None or of[1] in spoken)


def _as_held_by(whole: Dialogue, turns: Sequence[Turn], parts: Sequence[SpeakingPart], fewest: int) -> Dialogue:
    """How those who have these parts hold a dialogue, of which the first so many speak in any case."""
    said: list[Said] = []
    asides: list[Aside] = []
    for is_aside, of_block in groupby(turns, key=lambda turn: turn.is_aside):
        block = [(SPEAKERS.index(turn.who.lower()), turn.text) for turn in of_block]
        last = max(who for who, _ in block)
        if not is_aside or fewest <= last < len(parts):
            said += block
        elif last < fewest:
            asides.append(Aside(len(said), tuple(block)))
    speakers = tuple(who for who, _ in said)
    if {*speakers} != {*range(len(parts))}:
        raise ValueError(
            f"expected {SPEAKERS[len(parts) - 1].upper()} to say something without those who come in later"
        )
    found = replace(
        whole, speakers=speakers, texts=tuple(text for _, text in said), parts=tuple(parts), asides=tuple(asides)
    )
    return replace(found, fewest=fewest_and_most(said)[0], most=fewest_and_most(_with_asides(found, asides))[1])


def _with_asides(dialogue: Dialogue, asides: Sequence[Aside]) -> list[Said]:
    """What is said, with some of its asides in their places."""
    said = [*zip(dialogue.speakers, dialogue.texts, strict=True)]
    for aside in sorted(asides, key=lambda one: -one.before):
        said[aside.before : aside.before] = aside.said
    return said
