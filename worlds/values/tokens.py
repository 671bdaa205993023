"""A text as words, digits and signs with places, and where a value may begin and end among them."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from worlds.values.kinds import Context, Kind, Value
from worlds.values.words import fold

__all__ = ["DASHES", "Number", "Token", "TokenReading", "TokenText", "tokens_of"]

_LEX: Final = re.compile(
    r"(?P<address>https?://\S+|www\.\S+|[\w.+-]{1,64}@\w[\w-]{0,62}\.\w[\w.-]*)"
    r"|(?P<digits>[0-9]+)|(?P<word>[^\W\d_½¼¾](?:[^\W\d_½¼¾]|[\u0300-\u036f])*)|\S"
)
DASHES: Final = frozenset("-–—−")
_BINDS: Final = frozenset("#@\\^&=_")
_PHONE: Final = re.compile(
    r"\+\d{1,3}[ -]?[\d ()/-]{6,20}\d|(?<![\d.,])\d{3}-\d{4}(?![\d-])|(?<![\d.,-])\d{4}-\d{3}(?![\d-])"
    r"|(?<![\d.,:-])\(?0\d{2,4}\)?[ /-]{1,3}\d{3}[\d -]{0,12}\d"
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a run of digits, one sign, or a whole address.

    Attributes:
        key: the word without capitals and accents.
        number: of digits; -1 where it is a word or has more than 15 digits.
    """

    text: str
    key: str
    start: int
    end: int
    kind: str
    number: int = -1


_END: Final = Token("", "", -1, -1, "")


def tokens_of(text: str) -> list[Token]:
    """All tokens of the text, white space left out."""
    tokens = []
    for found in _LEX.finditer(text):
        kind, part = found.lastgroup or "sign", found[0]
        number = int(part) if kind == "digits" and len(part) <= 15 else -1
        tokens.append(Token(part, fold(part) if kind == "word" else part, found.start(), found.end(), kind, number))
    return tokens


@dataclass(frozen=True, slots=True)
class TokenReading:
    """What the tokens from `begin` to before `end` state.

    Attributes:
        kind: "" for what looks like a value and is none, or cannot be settled: a version, 04/05/2026.
        offset: of a time, the seconds its clock is ahead of UTC, where that is stated; its value is by that clock.
        unit: of a span, its last word.
        half: of a time, "am" or "pm" where that is stated.
    """

    kind: Kind | Literal[""]
    begin: int
    end: int
    value: Value | None = None
    offset: int | None = None
    zone: str = ""
    unit: str = ""
    half: str = ""


@dataclass(frozen=True, slots=True)
class Number:
    """A number that ends before the token `end`.

    Attributes:
        is_article: "a", "ein", "um" or "one", which counts only with a unit of its language.
        is_spelt: it is written in words.
    """

    value: Fraction
    end: int
    is_article: bool = False
    is_spelt: bool = False


class TokenText:
    """Tokens to read values from.

    Attributes:
        expected: the kind that is asked for, which settles what can be read as two ("10h").
        last_end: where the last reading ended; what is tied to it by a dash may be read too.
    """

    def __init__(self, text: str, context: Context, expected: Kind | None) -> None:
        self.text = text
        self.context = context
        self.expected = expected
        tokens = tokens_of(text)
        self.size = len(tokens)
        self.tokens = [*tokens, *[_END] * 32]  # also what stands before the first, at -1 and -2
        self.last_end = -2
        self.numbers: dict[int, Number | None] = {}
        self.units = {fold(word): unit for word, unit in context.units.items()}
        self.units |= {fold(unit): unit for unit in context.units.values()}
        self._phones = {found.start(): found.end() for found in _PHONE.finditer(text)}

    def at(self, place: int) -> Token:
        """The token at a place; an empty one a little beyond both ends."""
        return self.tokens[place]

    def key(self, place: int) -> str:
        return self.tokens[place].key

    def is_tied(self, place: int) -> bool:
        """Whether no space stands between this token and the one before it."""
        return 0 < place < self.size and self.tokens[place - 1].end == self.tokens[place].start

    def place_of(self, place: int, end: int) -> int:
        """The first token, from `place` on, that begins at or after the character `end`."""
        while place < self.size and self.tokens[place].start < end:
            place += 1
        return place

    def phone_end(self, place: int) -> int:
        """The place behind the telephone number or postal code that begins here; the same place where none does."""
        return self.place_of(place, self._phones.get(self.at(place).start, -1))

    def may_begin(self, place: int) -> bool:
        """Whether a value may begin here: nothing that makes it a part of a name is tied to it."""
        if not self.is_tied(place):
            return True
        before, beyond = self.at(place - 1), self.at(place - 2)
        tied = self.is_tied(place - 1)
        if before.kind in ("word", "digits", "address"):
            return False
        if before.start == self.last_end and (before.text in DASHES or before.text in "/,"):
            return True
        if before.text in "#@\\^&":
            return False
        if before.text in ".:/_" or before.text in DASHES:
            if not tied or beyond.kind not in ("word", "digits"):
                return before.text not in "./"
            return (
                before.text == ":"
                and beyond.kind == "word"
                and not self.is_tied(place - 2)
                and beyond.text[0].isupper()
            )
        return not (before.text == "," and tied and beyond.kind == "digits")

    def may_end(self, place: int) -> bool:
        """Whether a value may end before this token."""
        if not self.is_tied(place):
            return True
        after, beyond = self.at(place), self.at(place + 1)
        tied = self.is_tied(place + 1) and beyond.kind in ("word", "digits")
        if after.kind in ("word", "digits", "address"):
            return False
        if after.text in DASHES:
            return not tied or beyond.kind == "digits"
        if after.text in ".:/":
            return not tied
        return after.text not in _BINDS or not tied
