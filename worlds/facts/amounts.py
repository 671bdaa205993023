"""Numbers, lengths of time and times of day as words: what they look like, and how much they say."""

import re
from fractions import Fraction
from typing import Final, Literal

from worlds.facts.reading import tokens_of

__all__ = ["CLOCK", "LENGTH", "NUMERAL", "NUMERIC", "is_time_unit", "kind_of", "quantity"]

_ONES: Final = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
    "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUES: Final = (
    {word: n for n, word in enumerate(_ONES, start=1)}
    | {word: 10 * n for n, word in enumerate(_TENS, start=2)}
    | {"dozen": 12, "hundred": 100}
)
_SHARES: Final = (("three quarter", Fraction(3, 4)), ("quarter", Fraction(1, 4)), ("half", Fraction(1, 2)))
_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_UNIT: Final = r"(?:sec|secs|seconds?|min|mins|minutes?|hours?|hr|hrs|days?)"
_SPELLED: Final = rf"(?:{'|'.join(_TENS)})(?: (?:{'|'.join(_ONES[:9])}))?|{'|'.join(_ONES[1:])}"

NUMERAL: Final = rf"(?:\d{{1,9}}(?:[.,]\d{{1,9}})?|{_SPELLED}|(?:an? |one )?hundred|a dozen)"
"""A number by itself; not `one`, which is more often a pronoun."""
LENGTH: Final = (
    rf"(?:(?:{NUMERAL}|one)(?: and a half)? {_UNIT}|\d{{1,9}} [smh]|half an? {_UNIT}|an hour(?: and a half)?|"
    rf"(?:a |one |three )?quarters? of an hour)"
)
"""A number with a unit of time behind it."""
NUMERIC: Final = re.compile(rf"\d|(?:{'|'.join([*_VALUES, 'half', 'quarters?', 'hour'])})$")
"""A word without which there is no amount."""
CLOCK: Final = r"(?:\d{1,2}:\d{2}(?: [ap]m)?|\d{1,2} [ap]m)"
"""A time of day."""


def kind_of(value: str) -> Literal["number", "time"] | None:
    """What a value is that has others of its kind: `15`, `fifteen`, `19:10`; a name or a version has none."""
    text = " ".join(token for token in tokens_of(value) if token[:1].isalnum())
    if re.fullmatch(CLOCK, text):
        return "time"
    return "number" if re.fullmatch(NUMERAL, text) else None


def is_time_unit(word: str) -> bool:
    """Whether a word of a pattern stands for a unit of time: `min*`, `hours`."""
    return re.fullmatch(_UNIT, word.rstrip("*")) is not None


def quantity(text: str, unit: str = "") -> Fraction | None:
    """How much the words say: a number, seconds where there is a unit of time, minutes on a clock of twelve hours.

    Args:
        text: as `NUMERAL`, `LENGTH` or `CLOCK` finds it.
        unit: of time, where the text has none itself.
    """
    clock = re.fullmatch(r"(\d{1,2})(?::(\d{2}))?(?: [ap]m)?", text)
    if clock is not None and not text.isdigit():
        return Fraction(int(clock[1]) % 12 * 60 + int(clock[2] or 0))
    if text.endswith("hour and a half"):
        return Fraction(5400)
    amount, _, last = text.rpartition(" ")
    if amount and (re.fullmatch(_UNIT, last) or last in _SECONDS):
        unit, text = last, amount
    found = _amount(text)
    return found * _SECONDS[unit[0]] if found is not None and unit else found


def _amount(text: str) -> Fraction | None:
    whole, and_a_half, _ = text.partition(" and a half")
    if and_a_half:
        return (_amount(whole) or Fraction(1)) + Fraction(1, 2)
    for words, share in _SHARES:
        if words in text:
            return share
    if re.fullmatch(r"\d{1,9}(?:[.,]\d{1,9})?", text):
        return Fraction(text.replace(",", "."))
    total = sum(_VALUES.get(word, 0) for word in text.split() if not (word == "one" and "hundred" in text))
    return Fraction(total or int(text in ("a", "an"))) or None
