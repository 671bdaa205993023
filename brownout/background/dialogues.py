"""Conversations written whole: which the packs hold for a day, and which suits a shape.

Each is dealt once in a world, to a conversation that would be about as long with about as many people, or as a part of a longer one.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final

from brownout.background.dealer import Dealer, permuted
from brownout.background.integer_math import mixed
from brownout.background.message_breaks import broken_into, fewest_and_most
from brownout.background.written import turns_of
from brownout.core.seeds import Stream

__all__ = ["SPEAKERS", "DealtDialogues", "Dialogue", "Dialogues", "Wanted", "dialogue_of"]

SPEAKERS: Final = "abcdefghi"
"""Slots for the first names of those who speak."""
_NAMED: Final = re.compile(r"\{([a-i])\}")
_A_PERSON: Final = 3
"""How many lines more or fewer weigh as much as one person more or fewer."""
_A_LINE: Final = 120
"""What difference in wordiness weighs as much as one line more or fewer."""
_A_PIECE: Final = 2
"""How many lines weigh as much as that a conversation comes to another matter."""
_SHORTEST_PIECE: Final = 4
"""Messages of the shortest script that a conversation goes on with."""
_ENOUGH, _LONGER = 65, 8
"""Percent of its lines that scripts make up at least, and by which part they may be more."""
_MOST: Final = 100
"""Lines of the longest conversation that scripts make up: of one that is longer they make up so many, and it ends there."""
_RANK: Final = 9
_MARK: Final = re.compile(r"\((private|asked|leaver|trade|new [A-I])\)\n")
_OF_TRADE: Final = 6
"""How many lines weigh as much as that it is about the life of the company's own trade, of which there are few."""
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
        newcomer: the number of a speaker who has just joined; -1 where nobody has to.
        has_leaver: `{person}` in it is somebody who leaves soon.
        is_of_trade: it is about what only companies of this trade have to do with.
        begins: the lines with which a script begins, where several are held one after the other; slots are bound anew there.
        scripts: area and number of each of these.
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
    newcomer: int = -1
    has_leaver: bool = False
    is_of_trade: bool = False
    begins: tuple[int, ...] = (0,)
    scripts: tuple[tuple[str, int], ...] = ()

    @property
    def switches(self) -> int:
        """How often somebody else goes on."""
        return _switches(self.speakers)

    @property
    def is_cast(self) -> bool:
        """Whether it wants somebody in particular, so that no other goes on from it or to it."""
        return self.is_asked or self.newcomer >= 0 or self.has_leaver

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
    """The dialogue of a script as packs hold it, whose lines are `A: is it up?` and `B: yes`; `(private)`, `(asked)`, `(new B)`, `(leaver)`, `(trade)` may stand above them.

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
    newcomer = next((ord(mark[-1]) - ord("A") for mark in marks if mark.startswith("new ")), -1)
    if newcomer >= len(letters):
        raise ValueError(f"expected somebody new who says something, found {', '.join(letters)}")
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
        newcomer=newcomer,
        has_leaver="leaver" in marks,
        is_of_trade="trade" in marks,
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

    def dealt(self, dealer: Dealer, holds: Callable[[Dialogue], bool] = lambda _: True) -> "DealtDialogues":
        """What a day has of them, of those that can be held then: somebody new is there who says so."""
        parts = {area: [*filter(holds, _part(dealer, found))] for area, found in self._by_area.items()}
        return DealtDialogues(parts)


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
        is_private: it is held in no room, so it may be one that is nobody else's business, and may come from work to anything.
        asked: areas of which whoever opens can only ask somebody.
        for_all: areas that anybody may begin with.
    """

    key: str
    bits: int
    areas: tuple[str, ...]
    speakers: tuple[int, ...]
    wordiness: int = 500
    is_private: bool = True
    asked: frozenset[str] = frozenset()
    for_all: tuple[str, ...] = ()


class DealtDialogues:
    """What some days have."""

    def __init__(self, parts: Mapping[str, Sequence[Dialogue]]) -> None:
        self._parts = parts

    def among(self, wanted: Sequence[Wanted]) -> dict[str, Dialogue]:
        """What conversations say, by their keys: one script, or several one after the other, in about as many lines and turns.

        The longest come first: what is put together of phrases is read worst where it is long. A long conversation of the same
        people is about one thing after the other, so scripts of a few lines make up one of sixty.
        """
        left = {area: [*part] for area, part in self._parts.items()}
        found: dict[str, Dialogue] = {}
        for one in sorted(wanted, key=lambda each: (-len(each.speakers), mixed(each.bits, _RANK), each.key)):
            pieces = _Filling(one, left).pieces()
            for piece in pieces:
                left[piece.area].remove(piece)
            if pieces:
                found[one.key] = _one_after_the_other(pieces, one)
        return found


class _Filling:
    """How a conversation that is to be held is filled from what is left of the scripts, by area."""

    def __init__(self, wanted: Wanted, left: Mapping[str, Sequence[Dialogue]]) -> None:
        self._wanted, self._left = wanted, left
        self._lines, self._people = min(len(wanted.speakers), _MOST), min(max(wanted.speakers) + 1, len(SPEAKERS))
        self._turns = _switches(wanted.speakers[: self._lines])

    def pieces(self) -> list[Dialogue]:
        """The scripts in their order; none where what is left of no area makes up most of it."""
        for area in self._wanted.areas:
            pieces = self._of(area)
            if pieces and sum(piece.most for piece in pieces) * 100 >= self._lines * _ENOUGH:
                return pieces
        return []

    def _of(self, area: str) -> list[Dialogue]:
        """Scripts of an area until it is full; in private also of what anybody talks about."""
        pieces: list[Dialogue] = []
        open_lines = self._lines
        others = self._wanted.for_all if self._wanted.is_private else ()
        while open_lines >= (1 if not pieces else _SHORTEST_PIECE):
            areas = (area,) if not pieces else (area, *(other for other in others if other != area))
            able = [
                (
                    self._unlike(card, open_lines) + _ANOTHER_AREA * (card.area != area),
                    mixed(self._wanted.bits, card.number),
                    card,
                )
                for one in areas
                for card in self._left.get(one, ())
                if self._takes(card, open_lines, is_first=not pieces) and card not in pieces
            ]
            if not able:
                break
            pieces.append(min(able, key=lambda each: each[:2])[2])
            open_lines -= pieces[-1].reaches(open_lines)
            if self._people == 1 or pieces[-1].is_cast:
                break
        return pieces

    def _takes(self, card: Dialogue, lines: int, *, is_first: bool) -> bool:
        """Whether a script could be what the lines that are open begin with."""
        over = max(lines // _LONGER, 1 if lines > 2 else 0)
        return (
            (card.people == 1) == (self._people == 1)
            and card.people <= self._people
            and card.fewest <= lines + over
            and (is_first or card.most >= _SHORTEST_PIECE)
            and (self._wanted.is_private or not card.is_private)
            and (is_first or not card.is_cast)
            and (not is_first or card.is_asked == (card.area in self._wanted.asked))
        )

    def _unlike(self, card: Dialogue, lines: int) -> int:
        """How little a script suits the lines that are open, in lines."""
        rest = lines - card.reaches(lines)
        reached = lines - rest
        return (
            (2 * abs(rest) if rest < _SHORTEST_PIECE else _A_PIECE + rest // _SHORTEST_PIECE)
            + abs(card.switches - self._turns * reached // self._lines)
            + _A_PERSON * abs(card.people - self._people)
            + abs(card.wordiness - self._wanted.wordiness) // _A_LINE
            - _OF_TRADE * card.is_of_trade
        )


def _one_after_the_other(pieces: Sequence[Dialogue], wanted: Wanted) -> Dialogue:
    """Scripts as one conversation of about as many messages as are wanted, all of whose people speak.

    Whoever is new to it says something first; the others change parts, but somebody else begins only with what is anybody's,
    and in private.
    """
    people, lines = min(max(wanted.speakers) + 1, len(SPEAKERS)), _shared_out(pieces, min(len(wanted.speakers), _MOST))
    speakers, texts, begins = list[int](), list[str](), list[int]()
    for number, (piece, count) in enumerate(zip(pieces, lines, strict=True)):
        bits = mixed(wanted.bits, number)
        met = max(speakers, default=-1) + 1
        opens = bits % met if met and (wanted.is_private or piece.area in wanted.for_all) else 0
        known = sorted((part for part in range(met) if part != opens), key=lambda part: mixed(bits, part + 1))
        parts = [opens, *range(max(met, 1), people), *known][: piece.people]
        said = piece.in_messages(count, bits)
        begins.append(len(speakers))
        speakers += [parts[speaker] for speaker in said.speakers]
        texts += [_renamed(text, parts) for text in said.texts]
    return replace(
        pieces[0],
        speakers=tuple(speakers),
        texts=tuple(texts),
        begins=tuple(begins),
        scripts=tuple((piece.area, piece.number) for piece in pieces),
        is_private=any(piece.is_private for piece in pieces),
    )


def _shared_out(pieces: Sequence[Dialogue], lines: int) -> list[int]:
    """In how many messages each script is said, so that all are as many as are wanted, or as near as it goes."""
    counts = [len(piece.texts) for piece in pieces]
    step = 1 if sum(counts) < lines else -1
    while sum(counts) != lines:
        able = [n for n, piece in enumerate(pieces) if piece.fewest <= counts[n] + step <= piece.most]
        if not able:
            break
        counts[min(able, key=lambda n: (step * counts[n] * 100 // len(pieces[n].texts), n))] += step
    return counts


def _renamed(text: str, parts: Sequence[int]) -> str:
    """A text whose slots for those who speak are the ones of their parts."""
    return _NAMED.sub(lambda found: "{" + SPEAKERS[parts[SPEAKERS.index(found[1])]] + "}", text)
