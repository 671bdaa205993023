"""Finds names in a text, with their places: exactly, whatever their case, accents and marks, as whole words."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

__all__ = ["Named", "flat", "names_in", "spelt", "word_pattern"]

_WORD: Final = re.compile(r"[^\W_]+")
_ENDING: Final = 5
"""Letters that inflection may add to a word of four letters or more: `reminder` is in `reminders`, `Protokoll` in `Protokolle`."""
_ENDINGS: Final = ("ing", "ed", "en", "er", "ar", "ir", "es", "os", "as", "s", "e", "a", "o", "n")
"""What a word of the author's may lose."""
_PARTED: Final = re.compile(r"^(ab|an|auf|aus|ein|frei|fest|nach|um|vor|weg|weiter|zuruck|zusammen|zu)(?=[^\W\d_]{3})")
"""What German puts `ge` or `zu` behind: `abgeben` is in `abgegeben`."""
_COMPOUND: Final = 6
"""Letters of a word that may also stand inside a compound: `Datenbank` in `Buchungsdatenbank`."""


@dataclass(frozen=True, slots=True)
class Named:
    """A name and its place: `text[start:end]` is one of the names of each of `keys`."""

    keys: frozenset[str]
    start: int
    end: int


def flat(text: str) -> str:
    """The text in small letters without accents, character by character: as long as it was."""
    return text.lower() if text.isascii() else "".join(map(_plain, text))


@lru_cache(maxsize=4096)
def _plain(letter: str) -> str:
    bare = unicodedata.normalize("NFD", letter.lower())[:1]
    return bare if len(bare) == 1 else letter


def names_in(text: str, names: Mapping[str, frozenset[str]]) -> list[Named]:
    """Every name in a text, in order and not overlapping, the longest at a place first.

    Args:
        names: in small letters, words only with one space between (`spelt`), with the keys that each stands for.
    """
    if not names:
        return []
    longest = max(name.count(" ") for name in names) + 1
    words = [(found[0], found.start(), found.end()) for found in _WORD.finditer(flat(text))]
    found: list[Named] = []
    at = 0
    while at < len(words):
        for count in range(min(longest, len(words) - at), 0, -1):
            name = " ".join(word for word, _, _ in words[at : at + count])
            if name in names:
                found.append(Named(names[name], words[at][1], words[at + count - 1][2]))
                at += count
                break
        else:
            at += 1
    return found


def spelt(name: str) -> str:
    """A name as `names_in` wants it: `Dr. Inês-Rocha` is `dr ines rocha`."""
    return " ".join(_WORD.findall(flat(name)))


@lru_cache(maxsize=512)
def word_pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """Finds any of the words in a flat text, with inflection at the end and, where they are long, inside compounds."""
    return re.compile("|".join(_branches(words)) or r"(?!)")


def _branches(words: Iterable[str]) -> list[str]:
    branches = []
    for word in sorted({spelt(word) for word in words} - {""}, key=len, reverse=True):
        stem = word.removesuffix(next((end for end in _ENDINGS if word.endswith(end) and len(word) > len(end) + 3), ""))
        body = _PARTED.sub(r"\1(?:ge|zu)?", re.escape(stem), count=1).replace(r"\ ", r"[^\W\d_]{0,2}\W{1,3}")
        inner = r"(?<![^\W\d_])" if len(word) < _COMPOUND else ""
        ending = rf"[^\W\d_]{{0,{_ENDING}}}(?![^\W\d_])" if len(word) > 3 else r"(?:s|es|ed|n|en|d)?(?![^\W\d_])"
        branches.append(f"{inner}{body}{ending if len(word) < _COMPOUND else ''}")
    return branches
