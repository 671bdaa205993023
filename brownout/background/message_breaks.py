"""How what somebody says in a script falls into messages: one of several sentences, or one after the other."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from brownout.background.integer_math import mixed

__all__ = ["Said", "broken_at", "broken_into", "fewest_and_most", "sentence_ends"]

_SENTENCE: Final = re.compile(r"(?<=[.?!])[ \n]+(?=\S)|\n+|, (?=(?:but|so|and|because|though|or|which) )|; | - ")
_WHOLE_SENTENCE: Final = re.compile(r"(?<=[.?!])(?<!\b\w\.)(?<!\b[A-Z][a-z]\.) +(?=\w)|\n+")
"""Without what ends a word: `e.g. this`, `Dr. Wu`. What follows has a word first, so a smiley stays with its sentence."""
_LISTED: Final = re.compile(r"^\s*(?:[-*•>]|\d+[.)])\s", re.MULTILINE)
_PAIRS: Final = ("[]", "()", "“”")
_LONGEST: Final = 26
"""Words of a message that is still broken, or that two are joined to; longer ones are written with care, as one."""

_AROUND: Final = " \n,;-"

Said = tuple[int, str]
"""Who says it, and what."""


def fewest_and_most(said: Sequence[Said]) -> tuple[int, int]:
    """How few and how many messages it can be."""
    joints = sum(map(_may_join, said, said[1:]))
    return len(said) - joints, len(said) + sum(len(_ends(text)) for _, text in said)


def sentence_ends(text: str) -> list[int]:
    """Where a text in somebody's own words may be broken: after whole sentences and lines, outside quotations and brackets.

    Nowhere in what is fenced or a list: `sentence_ends("Good. Who decides?")` is `[6]`.
    """
    if "```" in text or _LISTED.search(text):
        return []
    return [found.end() for found in _WHOLE_SENTENCE.finditer(text) if not _is_within(text, found.end())]


def broken_at(text: str, ends: Sequence[int]) -> tuple[str, ...]:
    """The text in parts that end there."""
    return tuple(text[since:until].strip() for since, until in pairwise((0, *ends, len(text))))


def _is_within(text: str, end: int) -> bool:
    """Whether something that was opened before is closed after."""
    if any(text.count(pair[0], 0, end) != text.count(pair[1], 0, end) for pair in _PAIRS):
        return True
    return any(text.count(mark, 0, end) % 2 for mark in '"`')


def broken_into(said: Sequence[Said], wanted: int, bits: int) -> tuple[Said, ...]:
    """The same in as many messages as are wanted, or as near to that as it goes; the bits choose where it is broken."""
    if wanted < len(said):
        return _joined(said, len(said) - wanted, bits)
    places = [(number, end) for number, (_, text) in enumerate(said) for end in _ends(text)]
    chosen = {*_some(places, wanted - len(said), bits)}
    found: list[Said] = []
    for number, (who, text) in enumerate(said):
        begin = 0
        ends = sorted(end for one, end in chosen if one == number)
        if not ends:
            found.append((who, text))
            continue
        for end in [*ends, len(text)]:
            found.append((who, text[begin:end].strip(_AROUND)))
            begin = end
    return tuple(found)


def _joined(said: Sequence[Said], fewer: int, bits: int) -> tuple[Said, ...]:
    able = [number for number in range(1, len(said)) if _may_join(said[number - 1], said[number])]
    chosen = {*_some(able, fewer, bits)}
    found: list[Said] = []
    for number, (who, text) in enumerate(said):
        if number in chosen:
            before = found[-1][1]
            found[-1] = who, f"{before}{' ' if before[-1] in '.?!:,' else chr(10)}{text}"
        else:
            found.append((who, text))
    return tuple(found)


def _some(
    places: Sequence[int] | Sequence[tuple[int, int]], count: int, bits: int
) -> list[int] | list[tuple[int, int]]:
    """So many of the places, drawn."""
    order = sorted(range(len(places)), key=lambda number: mixed(bits, number + 1))
    return [places[number] for number in order[: max(count, 0)]]  # type: ignore[return-value]


def _ends(text: str) -> list[int]:
    """Where a message could be broken: after sentences and before `but`, outside alternatives and brackets; nowhere in what is long or fenced."""
    if "```" in text or len(text.split()) > _LONGEST:
        return []
    ends = (found.end() for found in _SENTENCE.finditer(text))
    return [
        end
        for end in ends
        if text.count("[", 0, end) == text.count("]", 0, end) and text.count("(", 0, end) <= text.count(")", 0, end)
    ]


def _may_join(one: Said, other: Said) -> bool:
    """Whether two messages of one person, which follow each other, could be one."""
    words = len(one[1].split()) + len(other[1].split())
    return one[0] == other[0] and words <= _LONGEST and "```" not in one[1] + other[1]
