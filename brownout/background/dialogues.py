"""Conversations written whole: which the packs hold for a day, and which suits a shape.

Each is dealt once in a world, to a conversation that would be about as long with about as many people.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final

from brownout.background.conversation_shapes import Shape
from brownout.background.dealing import Dealer, permuted
from brownout.background.integer_math import mixed
from brownout.background.message_breaks import broken_into, fewest_and_most
from brownout.background.written import turns_of
from brownout.core.seeds import Stream

__all__ = ["DealtDialogues", "Dialogue", "Dialogues", "dialogue_of"]

_A_PERSON: Final = 8
"""How many lines more or fewer weigh as much as one person more or fewer."""
_A_LINE: Final = 120
"""What difference in wordiness weighs as much as one line more or fewer."""
_TIMES: Final = (1, 2, 3)
"""How many times as long or as short one may be, give or take a line: at first, and where there is none."""
_MARK: Final = re.compile(r"\((private|asked)\)\n")
_OTHERWISE: Final = 25
"""By how many percent of its gaps one may switch speakers more or less often than is wanted."""
_SEVERAL: Final = 4
"""From so many people on a conversation has hardly fewer."""


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

    def switching(self, lines: int) -> int:
        """In how many percent of its gaps the speaker changes, in as near to so many messages as it goes."""
        return _percent(self.switches, self.reaches(lines))

    @property
    def people(self) -> int:
        """How many speak."""
        return max(self.speakers) + 1


def _percent(switches: int, lines: int) -> int:
    return 100 * switches // max(lines - 1, 1)


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


class DealtDialogues:
    """What a day has; what is taken is gone."""

    def __init__(self, left: dict[str, list[Dialogue]]) -> None:
        self._left = left

    def suiting(
        self,
        areas: Sequence[str],
        shape: Shape,
        wish: int,
        wordiness: int = 500,
        *,
        is_private: bool = True,
        asked: frozenset[str] = frozenset(),
    ) -> Dialogue | None:
        """The one most like a shape, of the first of the areas that has one which is about as long, else one not too far off.

        Args:
            wordiness: of whoever opens, of 1,000: they hold the longer or the shorter ones of those that suit.
            is_private: it is held in no room, so it may be one that is nobody else's business.
            asked: areas of which whoever opens can only ask somebody.
        """
        lines, switches = len(shape.speakers), _switches(shape.speakers)
        for most in _TIMES:
            for area in areas:
                able = [
                    one
                    for one in self._left.get(area, ())
                    if (one.people == 1) == (shape.people == 1)
                    and (is_private or not one.is_private)
                    and (one.is_asked == (area in asked))
                    and max(one.reaches(lines), lines) <= most * min(one.reaches(lines), lines) + 1
                    and (shape.people < _SEVERAL or one.people >= shape.people - most + 1)
                    and abs(one.switching(lines) - _percent(switches, lines)) <= _OTHERWISE
                ]
                if able:
                    return min(
                        able,
                        key=lambda one: (
                            abs(one.reaches(lines) - lines)
                            + abs(one.switches - switches)
                            + _A_PERSON * abs(one.people - shape.people)
                            + abs(one.wordiness - wordiness) // _A_LINE,
                            mixed(wish, one.number),
                        ),
                    )
        return None

    def take(self, dialogue: Dialogue) -> None:
        """It is held, in however many messages, so nobody else holds it."""
        left = self._left[dialogue.area]
        left.remove(next(one for one in left if one.number == dialogue.number))
