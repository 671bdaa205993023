"""A sentence as somebody sees it who may learn how things are said but not what: values, names and the fact's own words masked."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from brownout.core.entities import Entities
from brownout.core.readers import FactAsk
from worlds.facts import signals
from worlds.facts.name_matching import flat, names_in, spelt, word_pattern
from worlds.facts.slot_values import Candidate

__all__ = ["APART", "MASKS", "NAME", "NUMBER", "RIVAL", "SLOT", "VALUE", "Mask", "MaskedToken"]

VALUE, RIVAL, SLOT, NAME, NUMBER, APART = "VALUE", "RIVAL", "SLOT", "NAME", "NUMBER", "APART"
MASKS: Final = frozenset({VALUE, RIVAL, SLOT, NAME, NUMBER, APART})
_TOKEN: Final = re.compile(r"->|[^\W\d_]+(?:['’][^\W\d_]+)*|\d+|[^\w\s]")
_RULED_OUT: Final = re.compile(
    r"(?:^|[,;(—\s])(?:and |e |und |but |mas )?(?:not|no longer|rather than|instead of|previously|formerly|up from|down from|as opposed to|nicht|nicht mehr|nicht schon|statt|anstatt|anstelle|statt wie bisher|bisher|vorher|zuvor|"
    r"nao|ja nao|em vez de|antes|anteriormente|from|von|vom|de)\s+(?:\w+\s+){0,2}$"
)
"""Right before another value: it is set apart from the right one, which makes that one plainer."""
_NOT_BARE: Final = re.compile(
    rf"(?<!\w)(?:not|nicht|não|nao)\s+(?:\d[\d.,]*|_+|{signals.NUMBER.pattern})\s*(?=[.,;!]|$)"
)
"""Another value without what it counts, set apart at the end of a clause: `not two`."""
_GRAMMAR: Final = 4
"""Letters from which on a word of the author's sentence is the fact's own, and not any sentence's."""


@dataclass(frozen=True, slots=True)
class MaskedToken:
    """A word or mark of a sentence, in small letters without accents.

    Attributes:
        shown: what of it may be learned: itself, or the mask over it.
    """

    text: str
    shown: str
    start: int
    end: int


class Mask:
    """Masks the sentences of a text about one fact."""

    def __init__(self, ask: FactAsk, entities: Entities) -> None:
        says = (word for word in spelt(ask.sentence).split() if len(word) >= _GRAMMAR)
        slot = (word for word in spelt(ask.slot.replace("_", " ")).split() if len(word) >= _GRAMMAR)
        own = [*ask.about, *ask.called, *says, *slot]
        self.topic = word_pattern((*own,))
        self._own = frozenset(word for each in own for word in spelt(each).split())
        self._read: dict[str, list[MaskedToken]] = {}
        self._names = _world_names(tuple(entities.people.values()), tuple(entities.parts.values()))

    def tokens(self, sentence: str, right: Candidate, found: Sequence[Candidate]) -> list[MaskedToken]:
        """The sentence's words and marks, `right` as `VALUE`, what else may be the slot's value as `RIVAL`."""
        values = [MaskedToken("", VALUE if each.key == right.key else RIVAL, each.start, each.end) for each in found]
        apart = [MaskedToken("", APART, start, end) for start, end in self.set_apart(sentence, right, found)]
        return _laid_over(_laid_over(self._plain(sentence), values), apart)

    def set_apart(self, sentence: str, right: Candidate, found: Sequence[Candidate]) -> list[tuple[int, int]]:
        """Where other values are set apart from `right`, each with the words that do so: `not 15`, `instead of 15`."""
        low = flat(sentence)
        others = (each for each in found if each.key != right.key)
        places = [(hit.start(), each.end) for each in others if (hit := _RULED_OUT.search(low[: each.start]))]
        places += [hit.span() for hit in _NOT_BARE.finditer(low)]
        kept = [
            place
            for place in places
            if all(each.end <= place[0] or place[1] <= each.start for each in found if each.key == right.key)
        ]
        return sorted(kept)

    def _plain(self, sentence: str) -> list[MaskedToken]:
        """The sentence with all but the slot's values masked."""
        if sentence not in self._read:
            names = [MaskedToken("", NAME, each.start, each.end) for each in names_in(sentence, self._names)]
            self._read[sentence] = _laid_over(list(self._words(flat(sentence))), names)
        return self._read[sentence]

    def _words(self, low: str) -> Iterator[MaskedToken]:
        topics = {place for hit in self.topic.finditer(low) for place in range(hit.start(), hit.end())}
        for hit in _TOKEN.finditer(low):
            word, (start, end) = hit[0], hit.span()
            shown = NUMBER if word.isdigit() else word
            if not topics.isdisjoint(range(start, end)):
                shown = SLOT if word in self._own else f"{SLOT}~{word[-3:]}"
            yield MaskedToken(word, shown, start, end)


def _laid_over(tokens: Sequence[MaskedToken], masks: Sequence[MaskedToken]) -> list[MaskedToken]:
    """The tokens with each mask in place of those that begin in it; both are in the text's order."""
    laid: list[MaskedToken] = []
    at = 0
    for token in tokens:
        while at < len(masks) and masks[at].end <= token.start:
            at += 1
        if at == len(masks) or token.start < masks[at].start:
            laid.append(token)
        elif not laid or laid[-1] is not masks[at]:
            laid.append(masks[at])
    return laid


@lru_cache(maxsize=64)
def _world_names(*tables: tuple[tuple[str, ...], ...]) -> dict[str, frozenset[str]]:
    names = {spelt(part) for table in tables for called in table for name in called for part in (name, *name.split())}
    return {name: frozenset({name}) for name in names if len(name) > 2}
