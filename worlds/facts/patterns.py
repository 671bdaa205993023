"""Word patterns: what an author writes to say which words state a fact.

    retr* (cap|limit) * (dropped|removed)

`*` at the end of a word is any ending, alone it is any few words between, `(a|b)` is either.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Final

from worlds.facts.amounts import CLOCK, LENGTH, NUMERAL, is_time_unit, kind_of
from worlds.facts.reading import Sentence, tokens_of
from worlds.facts.values import spellings

__all__ = ["Found", "matches", "matches_of", "opened", "pattern_mistake", "with_value"]

_GAP: Final = 8
"""How many words a lone `*` may stand for."""
_PART: Final = re.compile(r"\(([^()]*)\)|(\S+)")
_SMALL: Final = frozenset(
    ["from", "since", "between", "at", "around", "about", "until", "for", "to", "of", "in", "on", "is", "are", "was"]
)
"""Words that alone do not say what a value is of."""
_STAR: Final = "qzstarqz"
"""Stands for `*` while a pattern is cut into words as texts are."""


@dataclass(frozen=True, slots=True)
class Found:
    """Where a sentence has a pattern's words, as indexes into its tokens.

    Attributes:
        start: of the first.
        end: after the last.
        literal: those that the pattern names; the rest lie in its gaps.
        value: those that stand in an open pattern's place for a value.
    """

    start: int
    end: int
    literal: frozenset[int]
    value: tuple[int, ...] = ()


def pattern_mistake(pattern: str) -> str:
    """What is wrong with a pattern, empty where nothing is."""
    if not re.search(r"[^\W_]", pattern):
        return "a pattern needs at least one word"
    if pattern.count("(") != pattern.count(")"):
        return "a bracket is not closed"
    if any(not option.strip(" *") for either, _ in _PART.findall(pattern) if either for option in either.split("|")):
        return "one of the words in brackets is empty"
    return ""


def matches(pattern: str, sentence: Sentence, *, is_wide: bool = False) -> Iterator[Found]:
    """Every place where the sentence has the pattern's words; of those with one end, the shortest.

    What stands in brackets may be skipped: it takes no words of a gap.

    Args:
        is_wide: it is two sentences in one; gaps may be twice as long.
    """
    yield from _found(_compiled(pattern, 2 * _GAP if is_wide else _GAP), sentence)


def with_value(pattern: str, value: str, other: str) -> str:
    """The pattern with another value in the place of this one; empty where it has no such place."""
    own = set(spellings(value))
    parts = _PART.findall(pattern.lower())
    words = " ".join(token for token in tokens_of(other) if token[:1].isalnum())
    filled = [
        f"({words})"
        if own.intersection(map(_words, (either or word).split("|")))
        else f"({either})"
        if either
        else word
        for either, word in parts
    ]
    return " ".join(filled) if f"({words})" in filled and words else ""


def matches_of(compiled: re.Pattern[str], sentence: Sentence) -> Iterator[Found]:
    """As `matches`, for a pattern that was opened."""
    yield from _found(compiled, sentence)


def _found(compiled: re.Pattern[str], sentence: Sentence) -> Iterator[Found]:
    found = {place.end: place for place in _matches(compiled, sentence, sentence.words)}
    outside = _outside_brackets(sentence)
    if len(outside) < len(sentence.words):
        found = {place.end: place for place in _matches(compiled, sentence, outside)} | found
    yield from found.values()


def _outside_brackets(sentence: Sentence) -> tuple[int, ...]:
    if "(" not in sentence.tokens:
        return sentence.words
    depth = 0
    outside = []
    for at, token in enumerate(sentence.tokens):
        depth = max(0, depth + (token == "(") - (token == ")"))
        if depth == 0:
            outside.append(at)
    kept = frozenset(outside)
    return tuple(at for at in sentence.words if at in kept)


def _matches(compiled: re.Pattern[str], sentence: Sentence, places: Sequence[int]) -> Iterator[Found]:
    words = [sentence.tokens[at] for at in places]
    joined = " ".join(words)
    found = compiled.search(joined)
    if found is None:
        return
    starts = [0, *accumulate(len(word) + 1 for word in words)]
    shortest: dict[int, Found] = {}
    while found is not None:
        first = bisect_right(starts, found.start()) - 1
        last = bisect_right(starts, found.end() - 1) - 1
        groups = [
            tuple(places[at] for at in range(bisect_right(starts, start) - 1, bisect_right(starts, end - 1)))
            for start, end in (found.span(group) for group in range(1, compiled.groups + 1))
        ]
        value = groups[compiled.groupindex["value"] - 1] if "value" in compiled.groupindex else ()
        literal = frozenset(at for group in groups for at in group)
        shortest[last] = Found(places[first], places[last] + 1, literal, value)
        found = compiled.search(joined, starts[first + 1]) if first + 1 < len(words) else None
    yield from shortest.values()


@lru_cache(maxsize=4096)
def _compiled(pattern: str, gap: int) -> re.Pattern[str]:
    """The pattern over a sentence's words with one space between them; each named part is a group."""
    return _joined(map(_group, _parts(pattern)), gap)


@lru_cache(maxsize=4096)
def opened(pattern: str, value: str) -> re.Pattern[str] | None:
    """The pattern with any value of the same kind in the place of this one, a group `value`; None where it has no such place.

    Numbers and times of day have one where the pattern says of what: `(from|at) 19:10` would be every time there is.
    """
    kind, parts = kind_of(value), _parts(pattern)
    own = set(spellings(value))
    at = next((at for at, options in enumerate(parts) if own.intersection(map(_words, options))), None)
    if kind is None or at is None:
        return None
    has_unit = at + 1 < len(parts) and any(is_time_unit(option) for option in parts[at + 1])
    rest = parts[:at] + parts[at + (2 if has_unit else 1) :]
    if all(option in _SMALL for options in rest for option in options):
        return None
    place = CLOCK if kind == "time" else LENGTH if has_unit else NUMERAL
    return _joined([*map(_group, rest[:at]), f"(?P<value>{place})", *map(_group, rest[at:])])


def _parts(pattern: str) -> list[list[str]]:
    """What each part of a pattern may be; an empty list for a lone `*`."""
    found = []
    for either, word in _PART.findall(pattern.lower()):
        found.append([] if word.strip("*") == "" and not either else either.split("|") if either else [word])
    return found


def _group(options: Sequence[str]) -> str:
    return f"({'|'.join(map(_words, options))})" if options else ""


def _joined(parts: Iterable[str], gap: int = _GAP) -> re.Pattern[str]:
    expression = ""
    is_gap = False
    for part in parts:
        if not part:
            is_gap = True
            continue
        if expression:
            expression += rf"(?: \S+){{0,{gap}}}? " if is_gap else " "
        expression += part
        is_gap = False
    return re.compile(rf"(?<!\S){expression}(?!\S)" if expression else r"(?!)")


def _words(text: str) -> str:
    tokens = tokens_of(text.replace("*", _STAR))
    words = [token for token in tokens if re.match(r"[^\W_]", token)]
    return " ".join(re.escape(word) for word in words).replace(f" {_STAR}", _STAR).replace(_STAR, r"\S*")
