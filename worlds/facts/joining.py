"""Sentences that only say something together: one that points back, an item of a list and the line above it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from worlds.facts.reading import Sentence

__all__ = ["Joined", "joins"]

_POINTS_BACK: Final = frozenset({"it", "this", "that", "they", "these"})
_LEADS_IN: Final = frozenset({"on", "in", "with", "by", "then", "so", "at", "from", "since", "along", "also"})
"""Behind these an `it` among the first words points back too: `On the way it lost …`."""
_MARKS: Final = frozenset({"-", "—", ":", "."})
_ASKS: Final = frozenset(
    {"did", "does", "do", "is", "are", "was", "were", "who", "what", "which", "when", "where", "why", "how"}
)


@dataclass(frozen=True, slots=True)
class Joined:
    """A sentence behind another one that belongs to it.

    Attributes:
        border: the index of its own first token.
        text: all sentences, the joined one in the place of its own.
        at: where that is.
        is_wide: what is between a pattern's words may be longer than in one sentence.
    """

    border: int
    sentence: Sentence
    text: Sequence[Sentence]
    at: int
    is_wide: bool


def joins(text: Sequence[Sentence]) -> list[Joined]:
    """Every pair of sentences that belongs together."""
    return [*_pointing_back(text), *_under_headings(text)]


def _pointing_back(text: Sequence[Sentence]) -> Iterator[Joined]:
    """Sentences that begin with a pronoun (`It lost …`, `On the way it lost …`), behind the one it points to."""
    for at in range(1, len(text)):
        before, sentence = text[at - 1], text[at]
        if before.is_quoted == sentence.is_quoted and _points_back(sentence.tokens):
            both = _both(before.text, before.tokens, sentence, asks=before.asks)
            yield Joined(len(before.tokens), both, (*text[: at - 1], both, *text[at + 1 :]), at - 1, True)


def _points_back(tokens: Sequence[str]) -> bool:
    return not _POINTS_BACK.isdisjoint(tokens[:2]) or (tokens[0] in _LEADS_IN and "it" in tokens[:5])


def _under_headings(text: Sequence[Sentence]) -> Iterator[Joined]:
    """Items of a list, in one clause with the line above it: what is denied there is denied of each."""
    for at, sentence in enumerate(text):
        heading = sentence.heading[:-1] if sentence.heading[-1:] == (":",) else sentence.heading
        if heading:
            item = _without_mark(sentence)
            both = _both(" ".join(heading), heading, item, asks=heading[0] in _ASKS)
            yield Joined(len(heading), both, (*text[:at], both, *text[at + 1 :]), at, False)


def _without_mark(item: Sentence) -> Sentence:
    """The item without its bullet or its number."""
    first = 0
    while first < len(item.tokens) - 1 and (
        item.tokens[first] in _MARKS or (item.tokens[first].isdigit() and item.tokens[first + 1] in (".", ")"))
    ):
        first += 1
    words = tuple(word - first for word in item.words if word >= first)
    return Sentence(item.text, item.tokens[first:], words, item.is_quoted, item.asks)


def _both(text: str, tokens: tuple[str, ...], sentence: Sentence, *, asks: bool) -> Sentence:
    border = len(tokens)
    before = (at for at, token in enumerate(tokens) if any(c.isalnum() for c in token))
    words = (*before, *(border + word for word in sentence.words))
    return Sentence(
        f"{text} {sentence.text}", tokens + sentence.tokens, words, sentence.is_quoted, asks or sentence.asks
    )
