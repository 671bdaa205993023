"""What can be seen of how a text says a value: the evidence that is weighed, with values, names and the fact's own words masked.

Nothing here knows a fact. Evidence has names like `left 1:until` or `doubts next`; what each weighs is learned.
"""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from brownout.core.entities import Entities
from brownout.core.readers import FactAsk
from worlds.facts import signals
from worlds.facts.clauses import ReadSlot, clauses_of, standing_of, wide_clause
from worlds.facts.cues import CUES
from worlds.facts.lists import listed_in
from worlds.facts.masking import MASKS, SLOT, Mask, MaskedToken
from worlds.facts.name_matching import word_pattern
from worlds.facts.reading import Statement, statements
from worlds.facts.slot_values import Candidate, SlotValues
from worlds.facts.stating import happened, lies_ahead

__all__ = ["Mention", "evidence_of", "mentions_in"]

_LONGEST: Final = 20_000
"""Characters of a text that are read; nobody tells a fact behind them."""
_LABEL: Final = re.compile(r"^[^:|=>]{1,50}(?:[:|=]|->)\s*$")
_NEGATES: Final = frozenset(
    [
        "not",
        "never",
        "no",
        "nobody",
        "nothing",
        "without",
        "cannot",
        "nicht",
        "nie",
        "kein",
        "keine",
        "keinen",
        "niemand",
        "ohne",
        "nao",
        "nunca",
        "nem",
        "sem",
        "ninguem",
        "n't",
        "isn't",
        "aren't",
        "wasn't",
        "weren't",
        "don't",
        "doesn't",
        "didn't",
        "hasn't",
        "haven't",
        "failed",
    ]
)
_FREE: Final = re.compile(r"(?<!\w)free(?!\w)")
"""In an author's sentence: others may put it as a denial (`it costs nothing`)."""
_UNKNOWN: Final = "?"
_NEAR: Final = 3


@dataclass(frozen=True, slots=True)
class Mention:
    """One place of a text in which a value of the slot stands, with all that evidence is taken from.

    Attributes:
        tokens: of its sentence; `rest` are those of all others, `before` and `behind` of the neighbours among them.
        at: its own place among the tokens.
        clause: the first and last token of its clause and what that leans on.
        how: what the rules of `clauses` make of it.
        others: different values of the slot in the sentence; `others_in_all` in the text.
        is_event: the fact is that something happened, and is no state of things.
        denies: the fact's own sentence denies something.
    """

    candidate: Candidate
    statement: Statement
    tokens: Sequence[MaskedToken]
    rest: Sequence[Sequence[MaskedToken]]
    before: Sequence[MaskedToken]
    behind: Sequence[MaskedToken]
    at: int
    clause: tuple[int, int]
    how: str
    is_listed: bool
    others: int
    others_in_all: int
    rivals: int
    repeats: int
    is_event: bool
    denies: bool
    asks_anywhere: bool
    topic: re.Pattern[str]
    places: tuple[str, str, str, str, str, str]


def mentions_in(text: str, ask: FactAsk, entities: Entities) -> list[Mention]:
    """Every place in which a text names the fact's value or an author's rival; none where code cannot read the kind."""
    values = SlotValues(ask, entities)
    if not values.is_readable:
        return []
    return list(_Scene(statements(text[:_LONGEST]), ask, entities, values).mentions())


class _Scene:
    """A text that is read for one fact."""

    def __init__(self, sentences: Sequence[Statement], ask: FactAsk, entities: Entities, values: SlotValues) -> None:
        self._sentences = sentences
        self._ask = ask
        self._mask = Mask(ask, entities)
        self._matter = ReadSlot(ask.kind, lies_ahead(ask, entities), word_pattern((*ask.about,)))
        self._found = [values.seen_in(each.text) for each in sentences]
        self._is_event = ask.kind == "artefact" or happened(ask.sentence)
        low = ask.sentence.lower()
        self._denies = signals.DENIES.search(low) is not None or _FREE.search(low) is not None
        self._tokens: dict[tuple[int, str], list[MaskedToken]] = {}

    def mentions(self) -> Iterator[Mention]:
        for at, sentence in enumerate(self._sentences):
            found = self._found[at]
            if not found:
                continue
            clauses = clauses_of(sentence.text)
            places = [(each.start, each.end, each.key) for each in found]
            listed = listed_in(sentence.text, places, is_moment=self._ask.kind in ("time", "date"))
            for number, each in enumerate(found):
                if not (each.is_right or each.is_rival):
                    continue
                yield self._mention(at, clauses, each, is_listed=number in listed)

    def _mention(self, at: int, clauses: Sequence[tuple[int, int]], one: Candidate, *, is_listed: bool) -> Mention:
        sentence, found = self._sentences[at], self._found[at]
        low = sentence.text.lower() if len(sentence.text.lower()) == len(sentence.text) else sentence.text
        first, last = wide_clause(low, clauses, one.start, one.end)
        others = [(each.start, each.end) for each in found if each is not one]
        plain = _blanked(low, self._mask.set_apart(sentence.text, one, found))
        tokens = self._masked(at, one)
        inside = [place for place, token in enumerate(tokens) if first <= token.start < last]
        near = {place: self._masked(place, one) for place in range(len(self._sentences)) if place != at}
        return Mention(
            candidate=one,
            statement=sentence,
            tokens=tokens,
            rest=list(near.values()),
            before=near.get(at - 1, ()),
            behind=near.get(at + 1, ()),
            at=next((place for place, token in enumerate(tokens) if token.start <= one.start < token.end), 0),
            clause=(inside[0], inside[-1] + 1) if inside else (0, len(tokens)),
            how=standing_of(self._sentences, at, clauses, one.start, one.end, others, self._matter).how,
            is_listed=is_listed,
            others=len({each.key for each in found if each.key != one.key}),
            others_in_all=len({each.key for every in self._found for each in every if each.key != one.key}),
            rivals=sum(each.is_rival and each.key != one.key for each in found),
            repeats=sum(each.key == one.key for each in found),
            is_event=self._is_event,
            denies=self._denies,
            asks_anywhere=any(each.asks for each in self._sentences),
            topic=self._mask.topic,
            places=(
                plain[first : one.start],
                plain[one.end : last],
                plain[:first],
                plain[last:],
                self._lower(at + 1),
                self._lower(at - 1),
            ),
        )

    def _masked(self, at: int, one: Candidate) -> list[MaskedToken]:
        key = (at, one.key)
        if key not in self._tokens:
            self._tokens[key] = self._mask.tokens(self._sentences[at].text, one, self._found[at])
        return self._tokens[key]

    def _lower(self, at: int) -> str:
        return self._sentences[at].text.lower() if 0 <= at < len(self._sentences) else ""


def _blanked(text: str, places: Sequence[tuple[int, int]]) -> str:
    for start, end in places:
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


def evidence_of(mention: Mention, known: AbstractSet[str]) -> set[str]:
    """The names of all evidence at a mention.

    Args:
        known: the words that may be told from each other; any other is `?`.
    """
    words = _Words(mention, known)
    shown = [words.of(token.shown) for token in mention.tokens]
    first, last = mention.clause
    found = {f"clause {word}" for word in shown[first:last]}
    found |= {f"{'event' if mention.is_event else 'state'} {word}" for word in shown[first:last]}
    found |= {f"sentence before {word}" for word in shown[:first]} | {
        f"sentence behind {word}" for word in shown[last:]
    }
    found |= {f"next {words.of(token.shown)}" for token in mention.behind}
    found |= {f"last {words.of(token.shown)}" for token in mention.before}
    found |= {f"elsewhere {words.of(token.shown)}" for tokens in mention.rest for token in tokens}
    found.update(_window(shown, mention.at), _begins(shown, mention, words), _counts(mention))
    found.update(_pairs(shown), _structure(mention), _inflected(mention), _cues(mention))
    return found


class _Words:
    """What of a word is told: itself, its mask, that it denies what the fact denies, or that it is unknown."""

    def __init__(self, mention: Mention, known: AbstractSet[str]) -> None:
        self._denies = mention.denies
        self._known = known

    def of(self, shown: str) -> str:
        if self._denies and shown in _NEGATES:
            return "OWN-NOT"
        if shown in MASKS or not shown[0].isalpha() or shown in self._known:
            return shown
        return SLOT if shown.startswith(SLOT) else _UNKNOWN


def _window(shown: Sequence[str], at: int) -> Iterator[str]:
    left, right = ["^"] * _NEAR + [*shown[:at]], [*shown[at + 1 :]] + ["$"] * _NEAR
    for step in range(1, _NEAR + 1):
        yield f"left {step}:{left[-step]}"
        yield f"right {step}:{right[step - 1]}"
    yield f"left:{left[-2]} {left[-1]}"
    yield f"right:{right[0]} {right[1]}"
    yield f"around:{left[-1]} _ {right[0]}"
    yield f"left:{' '.join(left[-_NEAR:])}"
    yield f"right:{' '.join(right[:_NEAR])}"


def _begins(shown: Sequence[str], mention: Mention, words: _Words) -> Iterator[str]:
    first = mention.clause[0]
    yield f"begins {shown[0]}"
    yield f"begins {' '.join(shown[:2])}"
    yield f"clause begins {shown[first]}"
    yield f"clause begins {' '.join(shown[first : first + 2])}"
    yield f"ends {shown[-1]}"
    yield f"ends {' '.join(shown[-2:])}"
    if mention.behind:
        yield f"next begins {' '.join(words.of(token.shown) for token in mention.behind[:2])}"


def _pairs(shown: Sequence[str]) -> Iterator[str]:
    padded = ["^", *shown, "$"]
    for one, two in pairwise(padded):
        yield f"pair {one} {two}"
    for one, two, three in zip(padded, padded[1:], padded[2:], strict=False):
        yield f"three {one} {two} {three}"


def _counts(mention: Mention) -> Iterator[str]:
    """How many of the fact's own words stand where, and how near."""
    first, last = mention.clause
    own, around = _own(mention.tokens[first:last]), _own(mention.tokens)
    everywhere = around | {word for tokens in mention.rest for word in _own(tokens)}
    for name, found in (("clause", own), ("sentence", around), ("text", everywhere)):
        yield from (f"own in {name} >={count}" for count in range(min(len(found), 4) + 1))
        yield f"own in {name} ={min(len(found), 4)}"
    away = [abs(place - mention.at) for place, token in enumerate(mention.tokens) if token.shown.startswith(SLOT)]
    yield f"own away {_size(min(away), 1, 2, 3, 5, 8, 15) if away else 'none'}"


def _own(tokens: Sequence[MaskedToken]) -> set[str]:
    return {token.text[:5] for token in tokens if token.shown.startswith(SLOT)}


def _size(count: int, *limits: int) -> str:
    return next((str(limit) for limit in limits if count <= limit), "more")


def _structure(mention: Mention) -> Iterator[str]:
    text, one = mention.statement.text, mention.candidate
    quotes = text.count('"', 0, one.start)
    yield f"asks {mention.statement.asks}"
    yield f"listed {mention.is_listed}"
    yield f"how {mention.how}"
    yield f"fits {one.fits}"
    yield f"bare {one.is_bare}"
    yield f"others {min(mention.others, 3)}"
    yield f"others in all {min(mention.others_in_all, 4)}"
    yield f"rivals {min(mention.rivals, 2)}"
    yield f"repeats {min(mention.repeats, 2)}"
    yield f"item {bool(mention.statement.heading)}"
    yield f"in quotes {quotes % 2}"
    yield f"quotes {quotes > 0}"
    yield f"label {_LABEL.match(text[: one.start]) is not None} {not text[one.end :].strip(' .*|')}"
    yield f"is first {mention.at == 0}"
    if mention.asks_anywhere:
        yield "asks anywhere"


def _inflected(mention: Mention) -> Iterator[str]:
    """The endings of the fact's own words where an author did not write them so: `opened` of `opens`."""
    sort = "event" if mention.is_event else "state"
    first, last = mention.clause
    for place, token in enumerate(mention.tokens):
        if token.shown.startswith(SLOT) and token.shown != SLOT:
            ending = token.shown[len(SLOT) + 1 :]
            yield f"ending {ending}"
            yield f"ending {ending[-2:]}"
            yield f"{sort} ending {ending}"
            if first <= place < last:
                yield f"{sort} ending in clause {ending}"


def _cues(mention: Mention) -> Iterator[str]:
    """Which groups of words stand where; those of the fact itself do not count."""
    sort = "event" if mention.is_event else "state"
    for place, text in zip(("left", "right", "before", "behind", "next", "last"), mention.places, strict=True):
        if not text.strip():
            continue
        plain = text.replace("-se", "-so")
        for name, pattern in CUES.items():
            if any(mention.topic.search(hit[0]) is None for hit in pattern.finditer(plain)):
                yield f"{name} {place}"
                yield f"{name} {place} of {sort}"
