"""Values as people write them: `15` and `fifteen`, with a unit behind it, beside another, in a list."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from worlds.facts.reading import tokens_of

__all__ = ["NUMBER", "UNIT", "Neighbours", "is_number", "spellings", "value_words"]

_WORDS: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_TENS: Final = {30: "thirty", 40: "forty", 45: "forty five", 50: "fifty", 60: "sixty", 90: "ninety"}
_SPELLED: Final = {str(n): word for n, word in enumerate(_WORDS)} | {str(n): word for n, word in _TENS.items()}

NUMBER: Final = rf"(?:\d[\d.,:]*|{'|'.join([*_WORDS[1:], *_TENS.values()])})"
UNIT: Final = (
    r"(?:min|mins|minute|minutes|sec|secs|second|seconds|hour|hours|hr|hrs|h|m|s|ms|day|days|week|weeks|%|percent|"
    r"gb|mb|kb|times|retries|attempts|seats|users|requests|eur|euros?|usd|dollars?)"
)
_IS_NUMBER: Final = re.compile(rf"^{NUMBER}$")
_OR: Final = r"(?:[,(—] )?(?:or|/|vs|versus|-|\|)(?: (?:maybe|possibly|perhaps|even|about|rather|else|is it|was it))*"


@lru_cache(maxsize=4096)
def spellings(value: str) -> tuple[str, ...]:
    """The ways to write a value, as words with one space between: `15` and `fifteen`."""
    words = " ".join(token for token in tokens_of(value) if token[:1].isalnum())
    if not words:
        return ()
    return (words, _SPELLED[words]) if words in _SPELLED else (words,)


@lru_cache(maxsize=4096)
def value_words(value: str) -> frozenset[str]:
    """Every word of every spelling."""
    return frozenset(word for spelling in spellings(value) for word in spelling.split())


def is_number(text: str) -> bool:
    """Whether the words are a number."""
    return _IS_NUMBER.match(text) is not None


@dataclass(frozen=True)
class Neighbours:
    """Recognises other values next to one: `10 or 15`, `5, 10, 15`, `10-15`; and a rival anywhere in a text.

    Attributes:
        rivals: a regular expression that finds a rival value, None where there is none.
    """

    rivals: re.Pattern[str] | None
    _before: re.Pattern[str]
    _after: re.Pattern[str]

    @classmethod
    def of(cls, rivals: Sequence[str], *, number: bool) -> "Neighbours":
        """For the mention of a number or a name that has these rivals."""
        return _neighbours(tuple(rivals), number)

    def are_before(self, text: str, *, is_change: bool) -> bool:
        """Whether the text ends with another candidate. In a change, `from 15 to 10` is no list."""
        found = self._before.search(text)
        return found is not None and not (is_change and " to" in found[0])

    def are_after(self, text: str) -> bool:
        """Whether the text begins with another candidate."""
        return self._after.search(text) is not None


@lru_cache(maxsize=4096)
def _neighbours(rivals: tuple[str, ...], number: bool) -> Neighbours:
    spelled = [re.escape(spelling) for rival in rivals for spelling in spellings(rival)]
    rival = rf"(?:{'|'.join(spelled)})" if spelled else r"(?!)"
    other = rf"(?:{NUMBER}|{rival})" if number else rival
    unit = rf"(?: {UNIT})?"
    before = [rf"\b{other}{unit} (?:{_OR}|to)$", rf"\b{rival}{unit}(?: ,)? and$", rf"\b{rival}{unit} ,(?: and| or)?$"]
    after = [
        rf"^(?:{UNIT} )?(?:{_OR}|to) {other}\b",
        rf"^(?:{UNIT} )?(?:, )?(?:and|or) {rival}\b(?! {UNIT} (?!{UNIT})\w+ {UNIT})",
        rf"^(?:{UNIT} )?, (?:and |or )?{rival}\b",
    ]
    if number:
        before += [rf"(?:\b{NUMBER}{unit} , ){{2,}}$", rf"(?:\b{NUMBER}{unit} , )+{NUMBER}{unit} ,$"]
        after.append(rf"^(?:{UNIT} )?(?:, (?:or |and )?{NUMBER}{unit} ?){{2,}}")
    return Neighbours(
        re.compile(rf"\b{rival}\b") if spelled else None, re.compile("|".join(before)), re.compile("|".join(after))
    )
