"""Other values in a fact's own words: `We hold seats for 12 minutes`, where the fact says 10.

Whoever tries one value after the other says them all in the same words. A number with more words around it may be of
something else (`seats were stuck at Saltworks for 40 minutes`), so it counts for less.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from worlds.facts import cues
from worlds.facts.amounts import NUMERIC, is_time_unit, kind_of, quantity
from worlds.facts.joining import joins
from worlds.facts.patterns import Found, matches, matches_of, opened, with_value
from worlds.facts.reading import Sentence, read, tokens_of
from worlds.facts.stance import Mention, mention_of
from worlds.facts.values import spellings

__all__ = ["Candidate", "candidates", "named_candidates", "names_among"]

_APART: Final = frozenset({",", ";", "(", ")", "—", "!", "?", "."})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value in the place of a fact's.

    Attributes:
        words: as it is written: `12 minutes`, `a quarter of an hour`.
        amount: what it comes to, the same for the same value.
        is_same: it is the fact's own.
        is_plain: nothing stands around it that could make it the value of something else.
    """

    words: str
    amount: Fraction | str
    mention: Mention
    is_same: bool
    is_plain: bool


def candidates(
    text: str, patterns: Iterable[str], value: str, rivals: Sequence[str] = (), *, written: str = ""
) -> list[Candidate]:
    """Every value that a text has in the place of a number or a time; none where the value is neither.

    Args:
        patterns: that state the fact, or a rival of it.
        rivals: values that have facts and patterns of their own; where these are spelled out they are left out.
        written: the value that stands in the patterns, where it is a rival's.
    """
    if kind_of(value) is None:
        return []
    written = written or value
    known = {spelling for rival in rivals for spelling in spellings(rival)}
    found = []
    for pattern in patterns:
        own = quantity(" ".join(tokens_of(value)), _unit(pattern))
        place = opened(pattern, written)
        if place is None:
            continue
        for each in _all(text, place, _names(pattern), _unit(pattern), tuple(sorted({value, *rivals}))):
            if each.amount == own or each.words.removesuffix(each.unit).strip() not in known:
                found.append(Candidate(each.words, each.amount, each.mention, each.amount == own, each.is_plain))
    return found


def names_among(text: str, names: Iterable[str], value: str) -> list[str]:
    """Those of the names that a text has, but for a value and what is part of it or contains it."""
    names = [*names]
    if not names:
        return []
    words = f" {' '.join(word for sentence in read(text) for word in _worded(sentence.tokens))} "
    own = _spelled(value)
    found = {name: _spelled(name) for name in names}
    return [name for name, spelled in found.items() if spelled in words and spelled not in own and own not in spelled]


@lru_cache(maxsize=4096)
def _spelled(name: str) -> str:
    """A name's words with a space around each."""
    return f" {' '.join(_worded(tokens_of(name)))} "


def named_candidates(text: str, patterns: Iterable[str], value: str, names: Iterable[str]) -> list[Candidate]:
    """Every other name that a text has in the place of a fact's value: the titles of other changes, say.

    Plain are those that are called the cause, and those for which the text has the same words as for the value itself.
    """
    others = names_among(text, names, value)
    if not others:
        return []
    patterns, pieces = [*patterns], [*_read_and_joined(text)]
    own = set()
    for pattern in patterns:
        own |= {_frame(sentence.tokens, value) for _, _, sentence, _ in pieces if any(matches(pattern, sentence))}
    found = []
    for name in others:
        blamed = " ".join(_worded(tokens_of(name)))
        for pattern in filter(None, [blamed, *(with_value(pattern, value, name) for pattern in patterns)]):
            for sentences, at, sentence, border in pieces:
                for place in matches(pattern, sentence):
                    if border and not place.start < border < place.end:
                        continue
                    mention = mention_of(sentences, at, place, name, [value, *others])
                    frame = _frame(sentence.tokens, name)
                    is_plain = frame in own or cues.BLAMES.search(frame.partition(" … ")[0]) is not None
                    if is_plain or pattern != blamed:
                        found.append(Candidate(name, name.lower(), mention, False, is_plain))
    return found


def _worded(tokens: Iterable[str]) -> list[str]:
    return [token for token in tokens if token[:1].isalnum()]


def _frame(tokens: Iterable[str], value: str) -> str:
    """The words of a sentence, with `…` for the value."""
    return f" {' '.join(_worded(tokens))} ".replace(f" {' '.join(_worded(tokens_of(value)))} ", " … ")


@dataclass(frozen=True, slots=True)
class _Place:
    """A value that stands in a pattern's place for one."""

    words: str
    unit: str
    amount: Fraction
    mention: Mention
    is_plain: bool


@lru_cache(maxsize=256)
def _all(
    text: str, opened_pattern: re.Pattern[str], names: re.Pattern[str], unit: str, values: tuple[str, ...]
) -> tuple[_Place, ...]:
    found = []
    for sentences, at, sentence, border in _read_and_joined(text):
        if not any(NUMERIC.match(token) for token in sentence.tokens):
            continue
        for place in matches_of(opened_pattern, sentence):
            if border and not place.start < border < place.end:
                continue
            words = " ".join(sentence.tokens[n] for n in place.value)
            last = words.rpartition(" ")[2]
            amount = quantity(words, unit)
            if amount is not None:
                mention = mention_of(sentences, at, place, words, values)
                is_plain = _is_plain(sentence, place, names)
                found.append(_Place(words, last if is_time_unit(last) else "", amount, mention, is_plain))
    return tuple(found)


def _read_and_joined(text: str) -> Iterator[tuple[Sequence[Sentence], int, Sentence, int]]:
    """All sentences, where each stands, the sentence, and where its second half begins; 0 where it is a single one."""
    sentences = read(text)
    yield from ((sentences, at, sentence, 0) for at, sentence in enumerate(sentences))
    yield from ((each.text, each.at, each.sentence, each.border) for each in joins(sentences))


@lru_cache(maxsize=4096)
def _unit(pattern: str) -> str:
    """The unit of time that a pattern has, empty where it has none."""
    words = (word for part in pattern.lower().split() for word in part.strip("()").split("|"))
    return next((word for word in words if is_time_unit(word)), "")


@lru_cache(maxsize=4096)
def _names(pattern: str) -> re.Pattern[str]:
    """The words of a pattern, each by itself, without its value."""
    words = {
        word
        for part in pattern.lower().split()
        for word in re.split(r"[()|]", part)
        if word.strip("*") and kind_of(word) is None
    }
    return re.compile("|".join(re.escape(word).replace(r"\*", r"\w*") for word in sorted(words)))


def _is_plain(sentence: Sentence, place: Found, names: re.Pattern[str]) -> bool:
    """Whether only small words, and words of the pattern, stand within, and none around it leads elsewhere."""
    tokens = sentence.tokens
    for at in range(place.start, place.end):
        token = tokens[at]
        if at in place.literal or names.fullmatch(token) or cues.SMALL.match(token):
            continue
        if token in _APART or token[0].isalnum():
            return False
    before, after = " ".join(tokens[: place.start]), " ".join(tokens[place.end :])
    return cues.OF_ANOTHER_BEFORE.search(before) is None and cues.OF_ANOTHER_AFTER.search(after) is None
