"""Conversations written whole: which the packs hold for a day, and which suits a shape.

Each is dealt once in a world, to a conversation that would be about as long with about as many people.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final

from brownout.background.dealing import Dealer, permuted
from brownout.background.integer_math import mixed
from brownout.background.message_breaks import broken_into, fewest_and_most
from brownout.background.written import turns_of
from brownout.core.seeds import Stream

__all__ = ["DealtDialogues", "Dialogue", "Dialogues", "Wanted", "dialogue_of"]

_A_PERSON: Final = 8
"""How many lines more or fewer weigh as much as one person more or fewer."""
_A_LINE: Final = 120
"""What difference in wordiness weighs as much as one line more or fewer."""
_ROUNDS: Final = 3
"""At first a script goes only to a conversation of its shape, then to one that is not too far off."""
_LINES, _PEOPLE, _SWITCHES = 4, 7, 6
"""By which part of its lines, people and turns (of its lines) one may be off, for each round after the first."""
_MARK: Final = re.compile(r"\((private|asked)\)\n")
_ANOTHER_AREA: Final = 4
"""How many lines weigh as much as that it is not about what it would most likely be about."""


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A conversation written whole.

    Attributes:
        speakers: by line the number of who says it, 0 being who opens, in the order in which they first speak.
        wordiness: how many of 1,000 have fewer words a line.
        fewest, most: how few and how many messages it can be.
        is_private: it is nobody else's business, so it is held in no room.
        is_asked: whoever opens does other work, and asks somebody of the area, who speaks second.
    """

    area: str
    number: int
    speakers: tuple[int, ...]
    texts: tuple[str, ...]
    wordiness: int = 500
    fewest: int = 0
    most: int = 0
    is_private: bool = False
    is_asked: bool = False

    @property
    def switches(self) -> int:
        """How often somebody else goes on."""
        return _switches(self.speakers)

    def in_messages(self, wanted: int, bits: int) -> "Dialogue":
        """The same in as many messages as are wanted, as near as it goes; the bits choose where it is broken."""
        said = broken_into((*zip(self.speakers, self.texts, strict=True),), wanted, bits)
        return replace(self, speakers=tuple(who for who, _ in said), texts=tuple(text for _, text in said))

    def reaches(self, lines: int) -> int:
        """The number of messages nearest to that which it can be."""
        return min(max(lines, self.fewest), self.most)

    @property
    def people(self) -> int:
        """How many speak."""
        return max(self.speakers) + 1


def _switches(speakers: Sequence[int]) -> int:
    return sum(one != other for one, other in pairwise(speakers))


@lru_cache(maxsize=1 << 14)
def dialogue_of(area: str, number: int, script: str) -> Dialogue:
    """The dialogue of a script as packs hold it, whose lines are `A: is it up?` and `B: yes`; `(private)`, `(asked)` may stand above them.

    Read once a process: every session of a world has the same ones.

    Raises:
        ValueError: it cannot be read, or the letters are not in the order in which they first speak.
    """
    marks, lines = set[str](), script
    while (mark := _MARK.match(lines)) is not None:
        marks.add(mark[1])
        lines = lines[mark.end() :]
    turns = turns_of(lines)
    letters = [*dict.fromkeys(turn.who for turn in turns)]
    if letters != sorted(letters) or letters[:1] != ["A"] or ord(letters[-1]) - ord("A") != len(letters) - 1:
        raise ValueError(f"expected A, B, C ... in the order in which they first speak, found {', '.join(letters)}")
    said = [(letters.index(turn.who), turn.text) for turn in turns]
    fewest, most = fewest_and_most(said)
    speakers, texts = tuple(who for who, _ in said), tuple(text for _, text in said)
    return Dialogue(
        area,
        number,
        speakers,
        texts,
        fewest=fewest,
        most=most,
        is_private="private" in marks,
        is_asked="asked" in marks,
    )


class Dialogues:
    """All that are written, by area, in the order in which a world's seed deals them."""

    def __init__(self, seed: int, scripts: Mapping[str, Sequence[str]]) -> None:
        self._by_area: dict[str, tuple[Dialogue, ...]] = {}
        for area, texts in scripts.items():
            key, size = Stream(seed, "dialogues", area).bits(), len(texts)
            read = [dialogue_of(area, number, text) for number, text in enumerate(texts)]
            ranked = sorted(range(size), key=lambda number: (_words_a_line(read[number]), number))
            rank = {number: 1000 * place // size for place, number in enumerate(ranked)}
            order = (permuted(place, size, key) for place in range(size))
            self._by_area[area] = tuple(replace(read[number], wordiness=rank[number]) for number in order)

    def dealt(self, dealer: Dealer) -> "DealtDialogues":
        """What a day has of them."""
        return DealtDialogues({area: [*_part(dealer, found)] for area, found in self._by_area.items()})


def _words_a_line(dialogue: Dialogue) -> int:
    """Words of a line, in hundredths."""
    return 100 * sum(len(text.split()) for text in dialogue.texts) // len(dialogue.texts)


def _part(dealer: Dealer, found: Sequence[Dialogue]) -> Iterator[Dialogue]:
    part = dealer.part(len(found))
    yield from found[part.start : part.stop]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A conversation that is to be held and may be one that is written whole.

    Attributes:
        bits: drawn for it; they decide between scripts that suit it equally well.
        areas: what it may be about, the likeliest first.
        wordiness: of whoever opens, of 1,000: they hold the longer or the shorter ones of those that suit.
        is_private: it is held in no room, so it may be one that is nobody else's business.
        asked: areas of which whoever opens can only ask somebody.
    """

    key: str
    bits: int
    areas: tuple[str, ...]
    speakers: tuple[int, ...]
    wordiness: int = 500
    is_private: bool = True
    asked: frozenset[str] = frozenset()


class DealtDialogues:
    """What some days have."""

    def __init__(self, parts: Mapping[str, Sequence[Dialogue]]) -> None:
        self._parts = parts

    def among(self, wanted: Sequence[Wanted]) -> dict[str, Dialogue]:
        """Each to the conversation that it is most like, by its key; at first only as one about as long, then as one not too far off.

        Dealt by what is written, not by who asks first: of many conversations one has nearly as many lines, people and
        turns as a script, so shapes stay as they were drawn, and one conversation more changes few others.
        """
        found: dict[str, Dialogue] = {}
        left = [_Shaped.of(one) for one in wanted]
        cards = [one for part in self._parts.values() for one in part]
        cards.sort(key=lambda one: (-one.people, -one.most, one.area, one.number))
        for wider in range(_ROUNDS):
            rest: list[Dialogue] = []
            for card in cards:
                able = [
                    (one.unlike(card), mixed(one.wanted.bits, card.number), one)
                    for one in left
                    if one.takes(card, wider)
                ]
                if able:
                    nearest = min(able, key=lambda each: each[:2])[2]
                    found[nearest.wanted.key] = card
                    left.remove(nearest)
                else:
                    rest.append(card)
            cards = rest
        return found


@dataclass(frozen=True, slots=True)
class _Shaped:
    """What is wanted, with what is compared of it."""

    wanted: Wanted
    lines: int
    people: int
    switches: int

    @classmethod
    def of(cls, wanted: Wanted) -> "_Shaped":
        return cls(wanted, len(wanted.speakers), max(wanted.speakers) + 1, _switches(wanted.speakers))

    def takes(self, one: Dialogue, wider: int) -> bool:
        """Whether it could be that one: as long, with as many people and turns, or in a later round nearly so."""
        reached = one.reaches(self.lines)
        return (
            (one.people == 1) == (self.people == 1)
            and abs(reached - self.lines) <= wider * self.lines // _LINES
            and abs(one.people - self.people) <= wider * self.people // _PEOPLE
            and abs(one.switches - self.switches) <= wider * self.lines // _SWITCHES + self.lines // (2 * _SWITCHES)
            and one.area in self.wanted.areas
            and (self.wanted.is_private or not one.is_private)
            and one.is_asked == (one.area in self.wanted.asked)
        )

    def unlike(self, one: Dialogue) -> int:
        """How far it is from that one, in lines."""
        return (
            abs(one.reaches(self.lines) - self.lines)
            + abs(one.switches - self.switches)
            + _A_PERSON * abs(one.people - self.people)
            + abs(one.wordiness - self.wanted.wordiness) // _A_LINE
            + _ANOTHER_AREA * (one.area != self.wanted.areas[0])
        )
