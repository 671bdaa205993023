"""What it takes to state a fact in words. Graders and coworkers read with the same eyes.

A fact's `said` patterns find the words; the stance says what the text does with them: a denial, a question, a list
of candidates, history and a page quoted as stale state nothing.
"""

from collections.abc import Iterable, Sequence

from worlds.facts.amounts import kind_of
from worlds.facts.candidates import Candidate, candidates, named_candidates, names_among
from worlds.facts.clocks import Clock, clocks
from worlds.facts.joining import joins
from worlds.facts.patterns import matches, pattern_mistake
from worlds.facts.reading import read, visible
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
    joined = joins(read_text)
    for pattern in patterns:
        for at, sentence in enumerate(read_text):
            found += [mention_of(read_text, at, place, value, rivals) for place in matches(pattern, sentence)]
        for each in joined:
            places = matches(pattern, each.sentence, is_wide=each.is_wide)
            across = [place for place in places if place.start < each.border < place.end]
            found += [mention_of(each.text, each.at, place, value, rivals) for place in across]
    return found


def has_candidates(value: str) -> bool:
    """Whether every other value of its kind competes with it: it is a number or a time."""
    return kind_of(value) is not None


def is_clock(value: str) -> bool:
    """Whether a fact's value is a time of day."""
    return kind_of(value) == "time"


def is_stated(text: str, patterns: Iterable[str], value: str = "", rivals: Sequence[str] = ()) -> bool:
    """Whether the text says what one of the patterns says, and neither denies it nor calls it past."""
    return any(mention.stance in _STATED for mention in mentions(text, patterns, value, rivals))
