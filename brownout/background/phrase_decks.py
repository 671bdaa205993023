"""What the packs hold for a day: pairs of fragments and passages by subject and act, each dealt once in a world.

Pairs are ordered so that neighbours have different heads; passages of one subject lie together in small heaps, so that what
people talk about comes in days and a conversation finds several of its own.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from brownout.background.dealer import Dealer, permuted
from brownout.background.integer_math import mixed
from brownout.background.packs import OPENING, Act, Pack
from brownout.core.seeds import Stream

__all__ = ["Bank", "Deck", "Hand", "Pair", "Shelf"]

_SHORTEST: Final = 5
"""Words up to which a head is short enough to be said alone by anybody at any time."""
_HEAP: Final = 6
"""Passages of a subject that are dealt together."""


@dataclass(frozen=True, slots=True)
class Pair:
    """How a line begins and goes on."""

    head: str
    tail: str


@dataclass(frozen=True, slots=True)
class Shelf:
    """The fragments of a subject's act."""

    name: str
    heads: tuple[str, ...]
    tails: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Passage:
    number: int
    subject: str
    act: Act
    text: str


class Bank:
    """All packs of a company, in the order in which its seed deals them."""

    def __init__(self, seed: int, packs: Sequence[Pack]) -> None:
        self.shelves: dict[str, dict[str, dict[Act, Shelf]]] = {}
        self._passages: dict[str, tuple[_Passage, ...]] = {}
        for pack in packs:
            self.shelves[pack.area] = {
                name: {
                    act: Shelf(f"{pack.area}/{name}/{act}", parts.heads, parts.tails)
                    for act, parts in subject.acts.items()
                }
                for name, subject in pack.subjects.items()
            }
            self._passages[pack.area] = _in_heaps(seed, pack)

    def hand(self, area: str, dealer: Dealer) -> "Hand":
        """What a day has of an area."""
        passages = self._passages[area]
        part = dealer.part(len(passages))
        return Hand(self.shelves[area], dealer, passages[part.start : part.stop])


def _in_heaps(seed: int, pack: Pack) -> tuple[_Passage, ...]:
    """The passages of a pack as they are dealt: heaps of one subject, in an order of the world's own."""
    by_subject: dict[str, list[_Passage]] = {}
    for number, one in enumerate(pack.prose):
        by_subject.setdefault(one.subject, []).append(_Passage(number, one.subject, one.act, one.text))
    heaps = []
    for subject, passages in by_subject.items():
        shuffled = Stream(seed, "passages", pack.area, subject).shuffled(passages)
        heaps += [shuffled[start : start + _HEAP] for start in range(0, len(shuffled), _HEAP)]
    return tuple(one for heap in Stream(seed, "heaps", pack.area).shuffled(heaps) for one in heap)


@dataclass(slots=True)
class Hand:
    """What a day has of an area; what is taken is gone.

    Attributes:
        carried: by subject and act how many of the subject's own pairs and how many passages the whole day has.
    """

    shelves: Mapping[str, Mapping[Act, Shelf]]
    dealer: Dealer
    passages: Sequence[_Passage]
    carried: dict[str, dict[Act, tuple[int, int]]] = field(default_factory=dict)
    _gone: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        passages = Counter((one.subject, one.act) for one in self.passages)
        for subject, acts in self.shelves.items():
            self.carried[subject] = {
                act: (len(self.dealer.part(len(shelf.heads) * len(shelf.tails))), passages[subject, act])
                for act, shelf in acts.items()
            }

    def passage(self, subject: str, act: Act, wish: int) -> str | None:
        """One of the day's passages, None where none is left; others' asking changes little."""
        left = [
            one for one in self.passages if one.number not in self._gone and (one.subject, one.act) == (subject, act)
        ]
        if not left:
            return None
        found = min(left, key=lambda one: mixed(wish, one.number))
        self._gone.add(found.number)
        return found.text

    def opening(self, wish: int, but: str = "") -> tuple[str, Act] | None:
        """A subject, another one than `but`, and an act that begins with it, of one of the day's passages; None where none is left."""
        left = [
            one for one in self.passages if one.number not in self._gone and one.act in OPENING and one.subject != but
        ]
        if not left:
            return None
        found = min(left, key=lambda one: mixed(wish, one.number))
        return found.subject, found.act

    def alone(self, subject: str, act: Act, wish: int, fits: Callable[[Pair], bool]) -> Pair | None:
        """One of the day's heads that are said alone, each once in a world; None where none is left."""
        shelf = self.shelves[subject].get(act)
        if shelf is None:
            return None
        heads = tuple(head for head in shelf.heads if "{" in head or len(head.split()) > _SHORTEST)
        return self._of(Deck(f"{shelf.name}/alone", heads, ("",)), wish, fits)

    def _of(self, deck: "Deck", wish: int, fits: Callable[[Pair], bool]) -> Pair | None:
        """A pair of a deck that the day has left."""
        key = self.dealer.key(deck.name)
        place = self.dealer.take(deck.name, deck.size, wish, partial(deck.suits, key, fits))
        return None if place is None else deck.at(place, key)

    def pair(self, subject: str, act: Act, wish: int, fits: Callable[[Pair], bool]) -> Pair | None:
        """One of the day's pairs that fits, None where none is left."""
        shelf = self.shelves[subject].get(act)
        return None if shelf is None else self._of(Deck(f"{shelf.name}/own", shelf.heads, shelf.tails), wish, fits)


@dataclass(frozen=True, slots=True)
class Deck:
    """Every head with every tail, in rounds: each has all heads once, and every round other tails."""

    name: str
    heads: tuple[str, ...]
    tails: tuple[str, ...]

    @property
    def size(self) -> int:
        """How many pairs it has."""
        return len(self.heads) * len(self.tails)

    def suits(self, key: int, fits: Callable[[Pair], bool], place: int) -> bool:
        """Whether the pair at a place fits."""
        return fits(self.at(place, key))

    def at(self, place: int, key: int) -> Pair:
        """The pair at a place, in the order of the deck's bits in a world."""
        turn, number = divmod(place, len(self.heads))
        head = permuted(number, len(self.heads), key)
        return Pair(self.heads[head], self.tails[(permuted(turn, len(self.tails), key) + head) % len(self.tails)])
