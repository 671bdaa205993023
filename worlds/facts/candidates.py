"""Other values in a fact's own words: `We hold seats for 12 minutes`, where the fact says 10.

Whoever tries one number after the other says them all in the same words. A number with more words around it may be of
something else (`seats were stuck at Saltworks for 40 minutes`), so it counts for less.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from worlds.facts import cues
from worlds.facts.amounts import NUMERIC, is_time_unit, kind_of, quantity
from worlds.facts.patterns import Found, open_matches
from worlds.facts.reading import Sentence, read, tokens_of
from worlds.facts.stance import Mention, mention_of
from worlds.facts.values import spellings

__all__ = ["Candidate", "candidates"]

_APART: Final = frozenset({",", ";", "(", ")", "—", "!", "?", "."})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value in the place of a fact's.

    Attributes:
        words: as it is written: `12 minutes`, `a quarter of an hour`.
        is_same: it is the fact's own.
        is_plain: nothing stands around it that could make it the value of something else.
    """

    words: str
    amount: Fraction
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
        for each in _all(text, pattern, written, tuple(sorted({value, *rivals}))):
            if each.amount == own or each.words.removesuffix(each.unit).strip() not in known:
                found.append(Candidate(each.words, each.amount, each.mention, each.amount == own, each.is_plain))
    return found


@dataclass(frozen=True, slots=True)
class _Place:
    """A value that stands in a pattern's place for one."""

    words: str
    unit: str
    amount: Fraction
    mention: Mention
    is_plain: bool


@lru_cache(maxsize=256)
def _all(text: str, pattern: str, written: str, values: tuple[str, ...]) -> tuple[_Place, ...]:
    sentences = read(text)
    unit, names = _unit(pattern), _names(pattern)
    found = []
    for at, sentence in enumerate(sentences):
        if not any(NUMERIC.match(token) for token in sentence.tokens):
            continue
        for place in open_matches(pattern, written, sentence):
            words = " ".join(sentence.tokens[n] for n in place.value)
            last = words.rpartition(" ")[2]
            amount = quantity(words, unit)
            if amount is not None:
                mention = mention_of(sentences, at, place, words, values)
                is_plain = _is_plain(sentence, place, names)
                found.append(_Place(words, last if is_time_unit(last) else "", amount, mention, is_plain))
    return tuple(found)


@lru_cache(maxsize=4096)
def _unit(pattern: str) -> str:
    """The unit of time that a pattern has, empty where it has none."""
    words = (word for part in pattern.lower().split() for word in part.strip("()").split("|"))
    return next((word for word in words if is_time_unit(word)), "")


@lru_cache(maxsize=4096)
def _names(pattern: str) -> re.Pattern[str]:
    """The words of a pattern, each by itself."""
    words = {word for part in pattern.lower().split() for word in re.split(r"[()|]", part) if word.strip("*")}
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
