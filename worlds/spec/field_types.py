"""What every file of an author's is made of: names, times, shares, days, and values that take no unknown word."""

from datetime import date
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, StringConstraints, WithJsonSchema

from brownout.core.instants import Duration, duration_text
from worlds.expressions import LARGEST, parse_duration, parse_hours, parse_percent

__all__ = ["Attribute", "Count", "Day", "Email", "Hours", "Name", "Share", "Spec", "Text", "Time", "Whole"]

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*$")]
"""A short name: lower-case letters, digits and hyphens."""


Whole = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]
"""A whole number, as large as a store and every reader of JSON can hold. A field with a smallest one of its own is a `Count`: of two the
last would hold.
"""
Count = Annotated[int, Field(le=LARGEST)]
"""A whole number from the smallest on that its field says (`ge`)."""


def _duration(value: object) -> object:
    return parse_duration(value) if isinstance(value, str) else value


def _hours(value: object) -> object:
    if isinstance(value, str):
        parse_hours(value)
    return value


def _percent(value: object) -> object:
    return parse_percent(value) if isinstance(value, str | int) else value


Time = Annotated[
    Duration,
    BeforeValidator(_duration),
    PlainSerializer(duration_text, return_type=str),
    WithJsonSchema({"type": "string", "pattern": r"^(\d+d)?(\d+h)?(\d+m)?(\d+s)?$", "x-kind": "duration"}),
]
"""A duration, written `4h30m`."""
Share = Annotated[int, BeforeValidator(_percent), WithJsonSchema({"type": ["string", "integer"], "x-kind": "share"})]
"""Whole percent, written `60%`."""
Text = Annotated[str, BeforeValidator(lambda value: str(value) if isinstance(value, int | float) else value)]
"""A text; a bare number is one."""
Hours = Annotated[str, BeforeValidator(_hours), WithJsonSchema({"type": "string", "x-kind": "hours"})]
"""Hours of a day, written `09:00-17:30`."""

Email = Annotated[str, StringConstraints(pattern=r"^[^@\s]+@[a-z0-9.-]+\.test$")]


def _day(value: object) -> object:
    """A day of the calendar, written 2026-05-31; empty where there is none."""
    if value != "" and value is not None:
        try:
            date.fromisoformat(str(value))
        except ValueError:
            raise ValueError("expected a day such as 2026-05-31") from None
    return value if value is None else str(value)


Day = Annotated[str, BeforeValidator(_day)]


def _attribute(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("expected a text, a number or a day; write true and false between quotation marks")
    return value.isoformat() if isinstance(value, date) else value


Attribute = Annotated[str | Whole | float, BeforeValidator(_attribute)]
"""A text, a number or a day."""


class Spec(BaseModel):
    """Something that an author writes. A word that it does not know is a mistake."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)
