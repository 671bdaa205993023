"""How a drawn value reads: `2026-04-27` is also "27 April", "Monday" and "27 Apr", `36` also "thirty-six"."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, time
from typing import Final, Literal, TypeVar

from worlds.spec.drawable_people import Cast
from worlds.spec.scalars import Scalar

__all__ = ["FORMS", "DrawnValue", "Outsized", "ValueKind", "plain_text", "value_of"]

M = TypeVar("M")

ValueKind = Literal["text", "number", "date", "time", "person", "customer"]

FORMS: Final[Mapping[ValueKind, tuple[str, ...]]] = {
    "text": (),
    "number": ("words",),
    "date": ("iso", "day", "weekday", "month", "short"),
    "time": ("clock",),
    "person": ("name", "first", "email"),
    "customer": ("name", "first", "email"),
}
"""By kind, the forms of a value beside the plain one."""

_ONES: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES: Final = ((1_000_000_000, "billion"), (1_000_000, "million"), (1_000, "thousand"), (100, "hundred"))
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,11})")
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_TIME: Final = re.compile(r"\d\d:\d\d")


class Outsized(ValueError):
    """A value that is none: a day that the calendar does not have."""


@dataclass(frozen=True, slots=True)
class DrawnValue:
    """What a slot has come to.

    Attributes:
        text: how it reads without a form.
        forms: how it reads in each of its forms.
    """

    kind: ValueKind
    text: str
    forms: Mapping[str, str]


def plain_text(value: Scalar) -> str:
    """A scalar as it is written in YAML: `true`, `36`, `1.5`, `core`."""
    return str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)


def value_of(text: str, cast: Cast, kind: ValueKind | None = None) -> DrawnValue:
    """The value with this text; of a kind that its text shows where none is given.

    Raises:
        Outsized: it looks like a day or a time of day, and is none.
    """
    kind = kind or _kind_of(text)
    return DrawnValue(kind, text, dict(zip(FORMS[kind], _readings(kind, text, cast), strict=True)))


def _kind_of(text: str) -> ValueKind:
    if _NUMBER.fullmatch(text):
        return "number"
    if _DAY.fullmatch(text):
        return "date"
    return "time" if _TIME.fullmatch(text) else "text"


def _readings(kind: ValueKind, text: str, cast: Cast) -> tuple[str, ...]:
    match kind:
        case "number":
            return (_in_words(int(text)),)
        case "date":
            day = _checked(date.fromisoformat, text, "a day of the calendar")
            return (text, f"{day.day} {day:%B}", f"{day:%A}", f"{day:%B}", f"{day.day} {day:%b}")
        case "time":
            moment = _checked(time.fromisoformat, text, "a time of day")
            return (f"{moment.hour}:{moment:%M}",)
        case "person" | "customer":
            found = (cast.people if kind == "person" else cast.customers)[text]
            return (found.name, found.first, found.email)
        case "text":
            return ()


def _checked(read: Callable[[str], M], text: str, what: str) -> M:
    try:
        return read(text)
    except ValueError:
        raise Outsized(f"expected {what}, found {text!r}") from None


def _in_words(number: int) -> str:
    """A whole number in English words: thirty-six, two hundred and five."""
    if number < 0:
        return f"minus {_in_words(-number)}"
    if number < 20:
        return _ONES[number]
    if number < 100:
        ten, one = divmod(number, 10)
        return _TENS[ten - 2] + (f"-{_ONES[one]}" if one else "")
    scale, word = next(pair for pair in _SCALES if number >= pair[0])
    count, rest = divmod(number, scale)
    joint = " and " if rest and rest < 100 else " "
    return f"{_in_words(count)} {word}" + (f"{joint}{_in_words(rest)}" if rest else "")
