"""Typed values as people write them in English, German and Portuguese, with places; refused where they can only be guessed."""

from worlds.values.answers import (
    Answer,
    Outcome,
    answers_beside_unknown,
    is_also_unknown,
    is_hedged,
    is_none,
    is_unknown,
    read_answer,
    without_asides,
    without_question,
)
from worlds.values.kinds import (
    KINDS,
    Context,
    DateValue,
    DurationValue,
    Found,
    Kind,
    QuantityValue,
    TimeValue,
    Value,
)
from worlds.values.stated_values import values_in

__all__ = [
    "KINDS",
    "Answer",
    "Context",
    "DateValue",
    "DurationValue",
    "Found",
    "Kind",
    "Outcome",
    "QuantityValue",
    "TimeValue",
    "Value",
    "answers_beside_unknown",
    "is_also_unknown",
    "is_hedged",
    "is_none",
    "is_unknown",
    "read_answer",
    "values_in",
    "without_asides",
    "without_question",
]
