"""Finds what gives something private away: any mention of its phrases, quoted, asked or denied alike, in any way of writing."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Final

from worlds.facts.disguises import letters_of, unmasked
from worlds.facts.name_matching import flat, word_pattern
from worlds.facts.visible_statements import statements
from worlds.values import Context, DateValue, Found, QuantityValue, TimeValue, Value, values_in

__all__ = ["mention_in", "phrase_problem"]

_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_DISTINCT: Final = 1000
"""A whole number from which on it gives something away by itself."""


@dataclass(frozen=True, slots=True)
class _Phrase:
    """Values that must stand in a sentence, and words that must stand there too; without values the words in their order."""

    values: tuple[Value, ...]
    words: tuple[re.Pattern[str], ...]


def mention_in(text: str, phrases: Sequence[str], context: Context) -> str:
    """The first sentence that has one of the phrases; empty where none has.

    Words are found whatever their case, accents and inflection; a value in a phrase in any way of writing it, and then the
    phrase's other words anywhere in the sentence: `8 % site` is in `We offered eight percent at each of your sites.` Letters of other
    scripts and invisible ones hide nothing, nor does a single word that is spelled or parted (`T w i l i o`).
    """
    wanted = [_phrase(phrase, context.today.isoformat(), context.zone) for phrase in phrases]
    has_values = any(each.values for each in wanted)
    plain = unmasked(text)
    for statement in (*statements(text), *statements(text, is_quoted=True), *statements(plain, is_quoted=True)):
        own = flat(statement.text)
        found = [each for each in wanted if all(word.search(own) for word in each.words)]
        if not found:
            continue
        values = values_in(statement.text, context) if has_values and any(each.values for each in found) else []
        if any(all(_has(values, value) for value in each.values) for each in found):
            return statement.text
    spelled = (hit for phrase in phrases for word in _spelled(phrase) if (hit := word.search(plain)))
    return next((hit[0] for hit in spelled), "")


@lru_cache(maxsize=512)
def _spelled(phrase: str) -> tuple[re.Pattern[str], ...]:
    """What finds a phrase of one word whose letters are parted or replaced: `T.w.i.l.i.o`, `Twi lio`."""
    word = unmasked(phrase).strip()
    return (letters_of(word),) if re.fullmatch(r"[^\W\d_]{5,}", word) else ()


def phrase_problem(phrase: str, context: Context) -> str:
    """Why a phrase cannot give anything away; empty where it can.

    A small number alone is in every other mail.
    """
    if not any(c.isalnum() for c in phrase):
        return f"{phrase!r} has no word and no value"
    parsed = _phrase(phrase, context.today.isoformat(), context.zone)
    if parsed.words:
        return ""
    return (
        ""
        if any(map(_is_distinct, parsed.values))
        else f"{phrase!r} is a small number alone; add a word that stands beside it"
    )


@lru_cache(maxsize=512)
def _phrase(phrase: str, today: str, zone: str) -> _Phrase:
    values = values_in(phrase, Context(date.fromisoformat(today), zone))
    rest = list(phrase)
    for each in values:
        rest[each.start : each.end] = " " * (each.end - each.start)
    words = _WORD.findall("".join(rest))
    if not values:
        return _Phrase((), (word_pattern((phrase,)),))
    return _Phrase(tuple(each.value for each in values), tuple(word_pattern((word,)) for word in words))


def _has(found: Sequence[Found], wanted: Value) -> bool:
    return any(_is_meant(each.value, wanted) for each in found)


def _is_meant(value: Value, wanted: Value) -> bool:
    if isinstance(value, QuantityValue) and isinstance(wanted, QuantityValue):
        return value.number == wanted.number and (not wanted.unit or value.unit == wanted.unit)
    if isinstance(value, TimeValue) and isinstance(wanted, TimeValue):
        return value.minute == wanted.minute and wanted.date in (None, value.date)
    if isinstance(value, TimeValue) and isinstance(wanted, DateValue):
        return wanted.granularity == "day" and value.date == wanted.date
    return value == wanted


def _is_distinct(value: Value) -> bool:
    return not isinstance(value, QuantityValue) or value.number >= _DISTINCT or value.number.denominator > 1
