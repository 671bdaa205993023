"""What a text can state exactly: a time of day, a day, a span, a number with its unit."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, Literal, TypeAlias, get_args

__all__ = ["KINDS", "Context", "DateValue", "DurationValue", "Found", "Kind", "QuantityValue", "TimeValue", "Value"]

Kind: TypeAlias = Literal["time", "date", "duration", "quantity"]
KINDS: Final[frozenset[Kind]] = frozenset(get_args(Kind))
_SHOWN: Final = {"day": 10, "month": 7, "year": 4}
"""Characters of an ISO day that are shown."""
_SPANS: Final = ((86_400, "days"), (3_600, "hours"), (60, "minutes"), (1, "seconds"))


@dataclass(frozen=True, slots=True)
class Context:
    """Where and when a text is read.

    Attributes:
        today: the company's day. It fills a missing year and settles "yesterday"; the wall clock never does.
        zone: the company's IANA zone, `Europe/Lisbon`. Times with another zone are converted to it.
        units: the world's own words for what it counts, by their singular: `{"Praxen": "clinic"}`.
    """

    today: datetime.date
    zone: str
    units: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class TimeValue:
    """A minute of the company's day: 612 is 10:12. Seconds are dropped.

    Attributes:
        date: the day it is said to be on, in the company's zone.
        is_twelve_hour: it was said on a twelve-hour clock without the half of the day: "half past nine" is 570 and may
            mean 21:30. Two values that differ in this alone are equal.
    """

    minute: int
    date: datetime.date | None = None
    is_twelve_hour: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        clock = f"{self.minute // 60:02}:{self.minute % 60:02}"
        return f"{self.date} {clock}" if self.date else clock


@dataclass(frozen=True, slots=True)
class DateValue:
    """A day, or a whole month or year, of which `date` is the first day. "May 2026" is not 1 May 2026."""

    date: datetime.date
    granularity: Literal["day", "month", "year"] = "day"

    def __str__(self) -> str:
        return self.date.isoformat()[: _SHOWN[self.granularity]]


@dataclass(frozen=True, slots=True)
class DurationValue:
    """A span: months and seconds kept apart, since a month is no number of days. A day is 86,400 seconds."""

    months: int
    seconds: Fraction

    def __str__(self) -> str:
        size, word = next((each for each in _SPANS if self.seconds % each[0] == 0), (1, "seconds"))
        spans = [f"{self.months} months"] if self.months else []
        return ", ".join(
            spans if self.months and not self.seconds else [*spans, f"{_number(self.seconds / size)} {word}"]
        )


@dataclass(frozen=True, slots=True)
class QuantityValue:
    """A number and what it counts.

    Attributes:
        unit: in the singular (`clinic`, `business day`), a currency's code (`EUR`), `%`, or "" where none is said.
    """

    number: Fraction
    unit: str = ""

    def __str__(self) -> str:
        return f"{_number(self.number)} {self.unit}".rstrip()


def _number(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else f"{float(number):g}"


Value: TypeAlias = TimeValue | DateValue | DurationValue | QuantityValue


@dataclass(frozen=True, slots=True)
class Found:
    """A value and its place: `text[start:end]` is what was read."""

    value: Value
    start: int
    end: int
