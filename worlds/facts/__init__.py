"""What it takes to state a fact in words. Graders and coworkers read with the same eyes.

A fact's `said` patterns find the words; the stance says what the text does with them: a denial, a question, a list
of candidates, history and a page quoted as stale state nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from worlds.facts.amounts import kind_of
from worlds.facts.candidates import Candidate, candidates, named_candidates, names_among
from worlds.facts.clocks import Clock, clocks
from worlds.facts.patterns import matches, pattern_mistake
from worlds.facts.reading import Sentence, read, visible
from worlds.facts.stance import Mention, Stance, mention_of

__all__ = [
    "Candidate",
    "Clock",
    "Mention",
    "Stance",
    "candidates",
    "clocks",
    "has_candidates",
    "is_clock",
    "is_stated",
    "mentions",
    "named_candidates",
    "names_among",
    "pattern_mistake",
    "sentences",
    "visible",
]

_POINTS_BACK = frozenset({"it", "this", "that", "they", "these"})
_LEADS_IN = frozenset({"on", "in", "with", "by", "then", "so", "at", "from", "since", "along", "also"})
"""Behind these an `it` among the first words points back too: `On the way it lost …`."""
_STATED = frozenset({Stance.ASSERTED, Stance.LIKELY, Stance.REPORTED, Stance.WAS})


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text, roughly; what is quoted or struck out comes last."""
    return [sentence.text for sentence in read(text)]


def mentions(text: str, patterns: Iterable[str], value: str = "", rivals: Sequence[str] = ()) -> list[Mention]:
    """Every place where a text mentions what the patterns say, and how it stands to it.

    Args:
        value: the fact's value: where a match has its words, they are what is denied, listed or dated.
        rivals: other values of the same slot.
    """
    found = []
    read_text = read(text)
    joined = [*_pointing_back(read_text), *_under_headings(read_text)]
    for pattern in patterns:
        for at, sentence in enumerate(read_text):
            found += [mention_of(read_text, at, place, value, rivals) for place in matches(pattern, sentence)]
        for each in joined:
            places = matches(pattern, each.sentence, is_joined=True)
            across = [place for place in places if place.start < each.border < place.end]
            found += [mention_of(each.text, each.at, place, value, rivals) for place in across]
    return found


@dataclass(frozen=True, slots=True)
class _Joined:
    """A sentence behind another one that belongs to it.

    Attributes:
        border: the index of its own first token.
        text: all sentences, the joined one in the place of its own.
        at: where that is.
    """

    border: int
    sentence: Sentence
    text: Sequence[Sentence]
    at: int


def _pointing_back(text: Sequence[Sentence]) -> Iterator[_Joined]:
    """Sentences that begin with a pronoun (`It lost …`, `On the way it lost …`), behind the one it points to."""
    for at in range(1, len(text)):
        before, sentence = text[at - 1], text[at]
        if before.is_quoted == sentence.is_quoted and _points_back(sentence.tokens):
            both = _both(f"{before.text} {sentence.text}", before.tokens, before.words, sentence, asks=before.asks)
            yield _Joined(len(before.tokens), both, (*text[: at - 1], both, *text[at + 1 :]), at - 1)


def _points_back(tokens: Sequence[str]) -> bool:
    return not _POINTS_BACK.isdisjoint(tokens[:2]) or (tokens[0] in _LEADS_IN and "it" in tokens[:5])


def _under_headings(text: Sequence[Sentence]) -> Iterator[_Joined]:
    """Items of a list, behind the line above it."""
    for at, sentence in enumerate(text):
        heading = sentence.heading
        if heading:
            words = tuple(n for n, token in enumerate(heading) if token[:1].isalnum())
            both = _both(f"{' '.join(heading)} {sentence.text}", heading, words, sentence, asks=False)
            yield _Joined(len(heading), both, (*text[:at], both, *text[at + 1 :]), at)


def _both(text: str, tokens: tuple[str, ...], words: tuple[int, ...], sentence: Sentence, *, asks: bool) -> Sentence:
    border = len(tokens)
    both = (*words, *(border + word for word in sentence.words))
    return Sentence(text, tokens + sentence.tokens, both, sentence.is_quoted, asks or sentence.asks)


def has_candidates(value: str) -> bool:
    """Whether every other value of its kind competes with it: it is a number or a time."""
    return kind_of(value) is not None


def is_clock(value: str) -> bool:
    """Whether a fact's value is a time of day."""
    return kind_of(value) == "time"


def is_stated(text: str, patterns: Iterable[str], value: str = "", rivals: Sequence[str] = ()) -> bool:
    """Whether the text says what one of the patterns says, and neither denies it nor calls it past."""
    return any(mention.stance in _STATED for mention in mentions(text, patterns, value, rivals))
