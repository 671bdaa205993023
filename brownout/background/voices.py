"""A person's way of writing as a vector, and what it does to a text."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from brownout.background.integer_math import ONE, at_rank
from brownout.background.life_sources import Colleague, Life
from brownout.background.sentences import capitalized
from brownout.background.word_habits import Habits, habits_of, phrased
from brownout.core.seeds import Stream

__all__ = ["Typed", "Voice", "typed", "voice_of", "voiced", "voices_of"]

_LOWER: Final = (5, 10, 60, 160, 270, 420, 560, 720, 900)
_UNENDED: Final = (20, 30, 130, 260, 390, 480, 560, 660, 850)
_EMOJI: Final = (0, 10, 25, 40, 60, 80, 110, 160, 250)
"""Per mille of messages, quantiles over people: lower-case start, no final mark, an emoji; from the spread of real authors."""
_TYPOS: Final = (0, 1, 3, 5, 8, 12, 18, 26, 40)
_HEDGES: Final = (30, 80, 130, 170, 210, 250, 300, 360, 450)
_LENGTH: Final = (60, 140, 240, 350, 470, 590, 710, 830, 960)
_CODED: Final = (0, 150, 350, 600, 900, 1_200, 1_500, 1_800, 2_000)
_BROKEN: Final = (20, 60, 120, 190, 270, 360, 460, 580, 720)
_MENDED: Final = 450
"""Per mille of slips that their author sees and mends."""
_WORDS: Final = 6
"""A text of fewer words is anybody's; from so many on it is somebody's own, and nothing makes the one the other."""
_NEAR: Final = {"a": "s", "e": "r", "i": "o", "o": "p", "t": "r", "n": "m", "s": "d", "r": "t", "l": "k", "d": "f", "u": "i", "h": "j"}  # fmt: skip
_PLAIN: Final = re.compile(r"[a-z]{4,}")
_STATEMENT: Final = re.compile(
    r"(?!(?:please|pls|thank|thx|can|could|would|what|who|why|how|when|where|is|are|do|does|did|or|i|we|my|our)\b)(?:[^\s?!,]+ ){7,20}[\w.]+",
    re.I,
)
"""A sentence of some words, without a comma, that neither asks nor wants anything, nor tells of oneself: nobody doubts what they did."""
_ADDRESS: Final = re.compile(r"https?://\S+$")
_BARE: Final = re.compile(
    r"\?|```$|https?://\S+$|^(?:(?:and|but|so|ok|oh) )?(?:who|what|where|when|why|how|which)\b", re.I
)
"""What nobody puts an emoji behind: a question, an address, a fence."""
_MARKED: Final = re.compile(r"[`<>#@{}\[\]/.]|\d")


@dataclass(frozen=True, slots=True)
class Voice:
    """Per mille of messages, unless said otherwise.

    Attributes:
        length: how readily they go on: of the choice between a passage and a line.
        coded: how readily they mark what is code and paste it; 1,000 is somebody in between.
        broken: of their passages, those with several lines.
        pets, hedges, doubts: the few words that they begin with, and those they end with.
        habits, alike: which of the words that mean the same are theirs.
    """

    lower: int
    unended: int
    emoji: int
    typos: int
    hedged: int
    length: int
    coded: int
    broken: int
    emojis: tuple[str, ...]
    pets: tuple[str, ...]
    hedges: tuple[str, ...]
    doubts: tuple[str, ...]
    is_formal: bool
    habits: Habits = ()
    alike: tuple[str, ...] = ()

    @property
    def brevity(self) -> int:
        """How much more than others they say in a word or two, in thousandths."""
        return 1500 - self.length


@dataclass(frozen=True, slots=True)
class Typed:
    """A text as it was typed; `mended` is what it is changed to shortly after, empty where it stays."""

    text: str
    mended: str = ""


_SHIFTS: Final = {"terse": (8, 8, -3, -2), "chatty": (0, 0, 3, 3), "formal": (-9, -9, -4, 2), "warm": (-2, -2, 3, 1), "dry": (1, -1, -3, 0)}  # fmt: skip


def voice_of(seed: int, person: Colleague, manners: Mapping[str, Sequence[str]]) -> Voice:
    """Somebody's way of writing; what the author calls their voice moves it."""
    stream = Stream(seed, "voice", person.name)
    lower, unended, emoji, length = _SHIFTS.get(person.voice, (0, 0, 0, 0))

    def drawn(table: tuple[int, ...], shift: int = 0) -> int:
        return at_rank(table, min(max(stream.below(ONE) + shift * ONE // 20, 0), ONE - 1))

    return Voice(
        lower=drawn(_LOWER, lower),
        unended=drawn(_UNENDED, unended),
        emoji=drawn(_EMOJI, emoji),
        typos=drawn(_TYPOS),
        hedged=drawn(_HEDGES),
        length=drawn(_LENGTH, length),
        coded=drawn(_CODED),
        broken=drawn(_BROKEN),
        emojis=tuple(stream.shuffled(manners["emojis"])[:3]),
        pets=tuple(stream.shuffled(manners["pets"])[:3]),
        hedges=tuple(stream.shuffled(manners["hedges"])[:3]),
        doubts=tuple(stream.shuffled(manners["doubts"])[:3]),
        is_formal=person.voice == "formal",
        habits=habits_of(seed, person.name, manners.get("alike", ())),
        alike=tuple(manners.get("alike", ())),
    )


def voices_of(life: Life) -> dict[str, Voice]:
    """Everybody's way of writing, by short name."""
    return {person.name: voice_of(life.seed, person, life.manners) for person in life.people}


def voiced(text: str, voice: Voice, stream: Stream, *, may_hedge: bool) -> str:
    """The text as that person would type it."""
    return typed(text, voice, stream, may_hedge=may_hedge).text


def typed(
    text: str, voice: Voice, stream: Stream, *, may_hedge: bool, may_begin: bool = True, may_doubt: bool = False
) -> Typed:
    """The text as that person would type it, and mend it.

    Args:
        may_begin: a pet word may stand before it.
        may_doubt: a statement of one line may end with a doubt, `, I think`.
    """
    own = phrased(text, voice.habits, voice.alike) if voice.alike else text
    if (len(own.split()) >= _WORDS) == (len(text.split()) >= _WORDS):
        text = own
    longest = 1 << 30 if len(text.split()) >= _WORDS else _WORDS - 1
    if may_begin:
        text = _begun(text, voice, stream, longest, may_hedge=may_hedge)
    if may_doubt and _STATEMENT.fullmatch(text) and stream.below(2000) < voice.hedged:
        text = f"{text.rstrip('.')}, {stream.choice(voice.doubts)}"
    lower = stream.below(1000) < voice.lower
    text = _lowered(text) if lower else capitalized(text)
    if _ADDRESS.search(text):
        text = text.rstrip(".")
    elif text.endswith("```"):
        pass
    elif text[-1:].isalnum() or text[-1:] in ")`":
        text += "" if stream.below(1000) < voice.unended else "."
    elif text.endswith(".") and stream.below(1000) < voice.unended:
        text = text[:-1]
    mended = ""
    if stream.below(1000) < voice.typos * len(text) // 60:
        slipped = _mistyped(text, stream)
        text, mended = slipped, text if slipped != text and stream.below(1000) < _MENDED else ""
    if stream.below(1000) < voice.emoji and len(text.split()) < longest and not _BARE.search(text):
        emoji = stream.choice(voice.emojis)
        text, mended = f"{text} {emoji}", mended and f"{mended} {emoji}"
    return Typed(text, mended)


def _begun(text: str, voice: Voice, stream: Stream, longest: int, *, may_hedge: bool) -> str:
    """The text with a pet word before it or a hedge before or after it, if it has so few words then."""
    if voice.is_formal or " " not in text:
        return text
    if stream.below(1000) < 90:
        found = f"{stream.choice(voice.pets)} {_lowered(text)}"
        return found if len(found.split()) <= longest else text
    if may_hedge and stream.below(1000) < voice.hedged:
        if "\n" not in text and text[-1] not in ".?!:" and stream.chance(50):
            return f"{text}, {stream.choice(voice.doubts)}"
        return f"{stream.choice(voice.hedges)} {_lowered(text)}" if not text.startswith("I") else text
    return text


def _lowered(text: str) -> str:
    """With a small first letter, unless the first word is I, a name in capitals, or holds more than a word."""
    first = text.split(" ", 1)[0]
    if first in ("I", "I'm", "I'd", "I've", "I'll") or not first[1:].islower():
        return text
    return text[:1].lower() + text[1:]


def _mistyped(text: str, stream: Stream) -> str:
    """One slip in one ordinary word: two letters changed about, one left out, doubled, or the key beside it."""
    words = [found for found in _PLAIN.finditer(text) if not _MARKED.search(text[found.start() - 1 : found.end() + 1])]
    if not words:
        return text
    word = stream.choice(words)
    place = word.start() + 1 + stream.below(word.end() - word.start() - 2)
    slip = stream.below(4)
    if slip == 0:
        return text[:place] + text[place + 1] + text[place] + text[place + 2 :]
    if slip == 1:
        return text[:place] + text[place + 1 :]
    if slip == 2:
        return text[:place] + text[place] + text[place:]
    return text[:place] + _NEAR.get(text[place], text[place]) + text[place + 1 :]
