"""Conversations written whole: which the packs hold for a week, and which suits a shape.

Each is dealt once in a world, to a conversation that would be about as long with about as many people, or as a part of a longer one.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from brownout.background.dealer import Dealer, permuted
from brownout.background.integer_math import mixed
from brownout.background.scripts import SPEAKERS, Dialogue, SpeakingPart, switches_of, ways_of
from brownout.core.seeds import Stream

__all__ = ["DealtDialogues", "Dialogues", "UsualParts", "Wanted"]

_NAMED: Final = re.compile(r"\{([a-i])\}")
_A_PERSON: Final = 3
"""How many lines more or fewer weigh as much as one person more or fewer."""
_A_LINE: Final = 120
"""What difference in wordiness weighs as much as one line more or fewer."""
_A_PIECE, _A_REST = 2, 4
"""How many lines weigh as much as that a conversation comes to another matter, and a further script in what is left then: short scripts are wanted for short conversations."""
_MISSING: Final = 3
"""How many changes of speaker weigh as much as one line more or fewer."""
_BROUGHT_IN: Final = 2
"""How many people who have not spoken yet each further script can bring in."""
_SHORTEST_PIECE: Final = 4
"""Messages of the shortest script that a conversation goes on with."""
_ENOUGH, _LONGER = 80, 8
"""Percent of its lines that scripts make up at least, and by which part they may be more."""
_MOST: Final = 100
"""Lines of the longest conversation that scripts make up: of one that is longer they make up so many, and it ends there."""
_RANK: Final = 9
_ANOTHER_OPENER: Final = 4
"""How many lines weigh as much as that somebody else than whoever would open begins."""
_ANOTHER_PLACE: Final = 2
"""How many lines weigh as much as that what would be private is held in a room."""
_OF_TRADE: Final = 6
"""How many lines weigh as much as that it is about the life of the company's own trade, of which there are few."""
_ANOTHER_AREA: Final = 4
"""How many lines weigh as much as that it is not about what it would most likely be about."""


class UsualParts(NamedTuple):
    """Who has the parts of which the scripts of an area say nothing: of whoever opens or is asked, of who answers, and of the others."""

    of_work: SpeakingPart
    of_second: SpeakingPart
    of_others: SpeakingPart

    def of(self, number: int, *, is_asked: bool) -> SpeakingPart:
        """Who is the one who speaks as that number."""
        return self.of_work if number == is_asked else self.of_second if number == 1 else self.of_others


class Dialogues:
    """All that are written, by area, in the order in which a world's seed deals them.

    Args:
        usual: by area what parts a script has where it names nobody; the area's people where nothing stands here.
    """

    def __init__(
        self, seed: int, scripts: Mapping[str, Sequence[str]], usual: Mapping[str, UsualParts] | None = None
    ) -> None:
        self._by_area: dict[str, tuple[tuple[Dialogue, ...], ...]] = {}
        for area, texts in scripts.items():
            key, size = Stream(seed, "dialogues", area).bits(), len(texts)
            read = [ways_of(area, number, text) for number, text in enumerate(texts)]
            ranked = sorted(range(size), key=lambda number: (_words_a_line(read[number][0]), number))
            rank = {number: 1000 * place // size for place, number in enumerate(ranked)}
            order = (permuted(place, size, key) for place in range(size))
            self._by_area[area] = tuple(
                tuple(replace(_as_usual(way, usual or {}), wordiness=rank[number]) for way in read[number])
                for number in order
            )

    def dealt(self, dealer: Dealer, holds: Callable[[Dialogue], bool] = lambda _: True) -> "DealtDialogues":
        """What a day has of them, of those that can be held then: somebody new is there who says so."""
        parts = {
            area: [way for ways in _part(dealer, found) for way in ways if holds(way)]
            for area, found in self._by_area.items()
        }
        return DealtDialogues(parts)


def _as_usual(dialogue: Dialogue, usual: Mapping[str, UsualParts]) -> Dialogue:
    """The same with the area's usual parts for those of whom it says nothing."""
    of_area = usual.get(dialogue.area)
    if of_area is None:
        return dialogue
    parts = (
        one if one != SpeakingPart(dialogue.area) else of_area.of(number, is_asked=dialogue.is_asked)
        for number, one in enumerate(dialogue.parts)
    )
    return replace(dialogue, parts=tuple(parts))


def _words_a_line(dialogue: Dialogue) -> int:
    """Words of a line, in hundredths."""
    return 100 * sum(len(text.split()) for text in dialogue.texts) // len(dialogue.texts)


def _part(dealer: Dealer, found: Sequence[tuple[Dialogue, ...]]) -> Iterator[tuple[Dialogue, ...]]:
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
        could_be: whether there are people on that day who could hold a dialogue where it would be held.
        is_openers: whether whoever would open it may begin with a dialogue; else somebody else does.
    """

    key: str
    bits: int
    areas: tuple[str, ...]
    speakers: tuple[int, ...]
    wordiness: int = 500
    is_private: bool = True
    asked: frozenset[str] = frozenset()
    for_all: tuple[str, ...] = ()
    could_be: Callable[[Dialogue], bool] = lambda _: True
    is_openers: Callable[[Dialogue], bool] = lambda _: True


class DealtDialogues:
    """What some days have: scripts by area, each in all ways that it can be held."""

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
            laid = _Filling(one, left).laid()
            for piece in laid.pieces:
                left[piece.area] = [one for one in left[piece.area] if one.number != piece.number]
            if laid.pieces:
                found[one.key] = _one_after_the_other(laid, one)
        return found


@dataclass(slots=True)
class _Laid:
    """Scripts one after the other, and who of a conversation has which part in each.

    Attributes:
        needs: who may be each of those who speak, as far as is known.
    """

    pieces: list[Dialogue] = field(default_factory=list)
    places: list[list[int]] = field(default_factory=list)
    needs: dict[int, SpeakingPart] = field(default_factory=dict)

    @property
    def met(self) -> int:
        """How many have spoken."""
        return max(self.needs, default=-1) + 1

    def has(self, card: Dialogue) -> bool:
        """Whether its script is one of them, in whatever way."""
        return any(one.area == card.area and one.number == card.number for one in self.pieces)

    def takes(self, card: Dialogue, places: Sequence[int], could_be: Callable[[Dialogue], bool]) -> bool:
        """Put a script behind the others with these people in it; False where nobody could have all parts that one would have."""
        joined = dict(self.needs)
        for place, part in zip(places, card.parts, strict=True):
            both = joined[place].joined(part) if place in joined else part
            if both is None:
                return False
            joined[place] = both
        begins, is_here = (self.pieces or [card])[0], any(one.is_here for one in (*self.pieces, card))
        if not could_be(replace(begins, parts=tuple(joined[place] for place in range(len(joined))), is_here=is_here)):
            return False
        self.pieces.append(card)
        self.places.append([*places])
        self.needs = joined
        return True


class _Filling:
    """How a conversation that is to be held is filled from what is left of the scripts, by area."""

    def __init__(self, wanted: Wanted, left: Mapping[str, Sequence[Dialogue]]) -> None:
        self._wanted, self._left = wanted, left
        self._lines, self._people = min(len(wanted.speakers), _MOST), min(max(wanted.speakers) + 1, len(SPEAKERS))
        self._turns = switches_of(wanted.speakers[: self._lines])

    def laid(self) -> _Laid:
        """The scripts in their order; none where what is left of no area makes up most of it."""
        for area in self._wanted.areas:
            laid = self._of(area)
            if laid.pieces and sum(piece.most for piece in laid.pieces) * 100 >= self._lines * _ENOUGH:
                return laid
        return _Laid()

    def _of(self, area: str) -> _Laid:
        """Scripts of an area until it is full; in private also of what anybody talks about."""
        laid = _Laid()
        pieces = laid.pieces
        open_lines = self._lines
        while open_lines >= (1 if not pieces else _SHORTEST_PIECE):
            others = self._wanted.for_all if self._is_private(laid) else ()
            areas = (area,) if not pieces else (area, *(other for other in others if other != area))
            able = [
                (
                    self._unlike(card, open_lines, laid) + _ANOTHER_AREA * (card.area != area),
                    mixed(self._wanted.bits, card.number),
                    number,
                    card,
                )
                for one in areas
                for number, card in enumerate(self._left.get(one, ()))
                if self._takes(card, open_lines, laid) and not laid.has(card)
            ]
            ranked = sorted(able, key=lambda each: each[:3])
            if not any(laid.takes(card, self._places(card, laid), self._wanted.could_be) for *_, card in ranked):
                break
            open_lines -= pieces[-1].reaches(open_lines)
            if self._people == 1 or pieces[-1].is_cast:
                break
        return laid

    def _is_private(self, laid: _Laid) -> bool:
        """Whether it is held in no room: it would not be, and does not begin with what is told to more."""
        return self._wanted.is_private and not (laid.pieces and laid.pieces[0].is_public)

    def _places(self, card: Dialogue, laid: _Laid) -> list[int]:
        """Who has which part in the next script: whoever is new to it says something first; the others change parts.

        Somebody else begins only with what is anybody's, and in private.
        """
        bits, met = mixed(self._wanted.bits, len(laid.pieces)), laid.met
        opens = bits % met if met and (self._is_private(laid) or card.area in self._wanted.for_all) else 0
        known = sorted((part for part in range(met) if part != opens), key=lambda part: mixed(bits, part + 1))
        return [opens, *range(max(met, 1), self._people), *known][: card.people]

    def _takes(self, card: Dialogue, lines: int, laid: _Laid) -> bool:
        """Whether a script could be what the lines that are open begin with."""
        over, is_first = max(lines // _LONGER, 1 if lines > 2 else 0), not laid.pieces
        return (
            (card.people == 1) == (self._people == 1)
            and card.people <= self._people
            and card.fewest <= lines + over
            and (is_first or card.most >= _SHORTEST_PIECE)
            and (self._is_private(laid) or not card.is_private)
            and (is_first or not card.is_public or not self._is_private(laid))
            and (is_first or not card.is_cast)
            and (not is_first or card.is_asked == (card.area in self._wanted.asked))
        )

    def _unlike(self, card: Dialogue, lines: int, laid: _Laid) -> int:
        """How little a script suits the lines that are open, in lines; those whom it leaves silent may speak in the ones after it."""
        rest = lines - card.reaches(lines)
        reached = lines - rest
        silent = self._people - max(laid.met, 1) - (card.people - 1)
        later = _BROUGHT_IN * (max(rest, 0) // _SHORTEST_PIECE)
        is_others = not laid.pieces and not self._wanted.is_openers(card)
        return (
            (_MISSING * abs(rest) if rest < _SHORTEST_PIECE else _A_PIECE + _A_REST * rest // _SHORTEST_PIECE)
            + abs(card.switches - self._turns * reached // self._lines)
            + _A_PERSON * max(silent - later, 0)
            + abs(card.wordiness - self._wanted.wordiness) // _A_LINE
            + _ANOTHER_OPENER * is_others
            + _ANOTHER_PLACE * (card.is_public and self._wanted.is_private)
            - _OF_TRADE * card.is_of_trade
        )


def _one_after_the_other(laid: _Laid, wanted: Wanted) -> Dialogue:
    """Scripts as one conversation of about as many messages as are wanted, all of whose people speak."""
    pieces = laid.pieces
    lines = _shared_out(pieces, min(len(wanted.speakers), _MOST))
    speakers, texts, begins = list[int](), list[str](), list[int]()
    for number, (piece, places, count) in enumerate(zip(pieces, laid.places, lines, strict=True)):
        said = piece.in_messages(count, mixed(wanted.bits, number))
        begins.append(len(speakers))
        speakers += [places[speaker] for speaker in said.speakers]
        texts += [_renamed(text, places) for text in said.texts]
    return replace(
        pieces[0],
        speakers=tuple(speakers),
        texts=tuple(texts),
        parts=tuple(laid.needs[place] for place in range(laid.met)),
        begins=tuple(begins),
        scripts=tuple((piece.area, piece.number) for piece in pieces),
        is_private=any(piece.is_private for piece in pieces),
        is_public=any(piece.is_public for piece in pieces),
        is_here=any(piece.is_here for piece in pieces),
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
