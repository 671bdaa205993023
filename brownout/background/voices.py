"""A person's way of writing as a vector, and what it does to a text."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from brownout.background.life import Colleague
from brownout.background.numbers import ONE, at_rank
from brownout.core.seeds import Stream

__all__ = ["Voice", "voice_of", "voiced"]

_LOWER: Final = (5, 10, 60, 160, 270, 420, 560, 720, 900)
_UNENDED: Final = (20, 30, 130, 260, 390, 480, 560, 660, 850)
_EMOJI: Final = (0, 10, 25, 40, 60, 80, 110, 180, 300)
"""Per mille of messages, quantiles over people: lower-case start, no final mark, an emoji. From realism.md's spread."""
_TYPOS: Final = (0, 1, 3, 5, 8, 12, 18, 26, 40)
_HEDGES: Final = (10, 30, 60, 90, 120, 150, 190, 240, 320)
_LENGTH: Final = (250, 320, 390, 450, 500, 560, 620, 690, 760)
_NEAR: Final = {"a": "s", "e": "r", "i": "o", "o": "p", "t": "r", "n": "m", "s": "d", "r": "t", "l": "k", "d": "f", "u": "i", "h": "j"}  # fmt: skip
_PLAIN: Final = re.compile(r"[a-z]{4,}")
_MARKED: Final = re.compile(r"https?://|[`<>#@{}]|\d")


@dataclass(frozen=True, slots=True)
class Voice:
    """Per mille of messages, unless said otherwise.

    Attributes:
        length: how readily they go on; of the choice between a short line and a long one.
        pets, hedges: the few words that they use.
    """

    lower: int
    unended: int
    emoji: int
    typos: int
    hedged: int
    length: int
    emojis: tuple[str, ...]
    pets: tuple[str, ...]
    hedges: tuple[str, ...]
    is_formal: bool


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
        emojis=tuple(stream.shuffled(manners["emojis"])[:3]),
        pets=tuple(stream.shuffled(manners["pets"])[:3]),
        hedges=tuple(stream.shuffled(manners["hedges"])[:3]),
        is_formal=person.voice == "formal",
    )


def voiced(text: str, voice: Voice, stream: Stream, *, may_hedge: bool) -> str:
    """The text as that person would type it."""
    if not voice.is_formal and " " in text:
        if stream.below(1000) < 90:
            text = f"{stream.choice(voice.pets)} {_lowered(text)}"
        elif may_hedge and stream.below(1000) < voice.hedged and not text.startswith("I"):
            text = f"{stream.choice(voice.hedges)} {_lowered(text)}"
    lower = stream.below(1000) < voice.lower
    text = _lowered(text) if lower else text[:1].upper() + text[1:]
    if text[-1:].isalnum() or text[-1:] in ")`":
        text += "" if stream.below(1000) < voice.unended else "."
    elif text.endswith(".") and stream.below(1000) < voice.unended:
        text = text[:-1]
    if stream.below(1000) < voice.typos * len(text) // 60:
        text = _mistyped(text, stream)
    if stream.below(1000) < voice.emoji:
        text = f"{text} {stream.choice(voice.emojis)}"
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
