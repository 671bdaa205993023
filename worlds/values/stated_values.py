"""Every value that a text states, with its place: one pass over the tokens, the longest reading first."""

from collections.abc import Callable, Collection
from dataclasses import replace
from fractions import Fraction
from typing import Final

from worlds.values.dates import date_at
from worlds.values.durations import duration_at
from worlds.values.kinds import KINDS, Context, DateValue, DurationValue, Found, Kind, QuantityValue, TimeValue
from worlds.values.quantities import quantity_at
from worlds.values.times import settled, time_at
from worlds.values.tokens import DASHES, TokenReading, TokenText
from worlds.values.words import DURATION_UNITS, words_of

__all__ = ["read_values", "values_in"]

_READERS: Final[tuple[Callable[[TokenText, int], TokenReading | None], ...]] = (
    time_at,
    date_at,
    duration_at,
    quantity_at,
)
_RANGE: Final = DASHES | {"to", "bis", "a", "ate", "until", "till", "as"}
_CHOICE: Final = words_of("or oder ou and und e / &")
_OPENING: Final = frozenset("€$£¥-−½¼¾")
_OF: Final = frozenset({"of", "von", "de", "der", "das", "dos"})
_ALL: Final = frozenset({"the", "all", "our", "den", "unseren"})
_BETWEEN: Final = frozenset({"between", "zwischen", "entre"})
_BESIDE: Final = frozenset(
    {",", "at", "@", "um", "gegen", "on", "am", "as", "a", "dia", "no", "the", "den", "em", "de", "do", "from", "since", "ab",
     "seit", "von", "vom", "desde", "das", "(", "der", "dem", "until", "till", "bis", "ate", "by", "ca", *DASHES}
)  # fmt: skip


def values_in(text: str, context: Context, kinds: Collection[Kind] = KINDS) -> list[Found]:
    """Every value of these kinds in the text, in order and not overlapping.

    A time with its day is one value, of kind time; where times are not asked for it is that day. The first end of a
    range shares what stands behind the second: "10 to 15 minutes" states two spans, the first at the place of "10".
    """
    return read_values(text, context, kinds, None)


def read_values(text: str, context: Context, kinds: Collection[Kind], expected: Kind | None) -> list[Found]:
    """As `values_in`; the `expected` kind settles what can be read as two, such as "10h" or "14.4."."""
    source = TokenText(text, context, expected)
    readings = _dated(source, _shared(source, _scan(source)))
    found = []
    for reading in readings:
        value, kind = reading.value, reading.kind
        if kind == "time" and kind not in kinds and isinstance(value, TimeValue) and value.date:
            value, kind = DateValue(value.date), "date"
        if kind in kinds and value is not None:
            found.append(Found(value, source.at(reading.begin).start, source.at(reading.end - 1).end))
    return found


def _scan(text: TokenText) -> list[TokenReading]:
    readings, place = [], 0
    while place < text.size:
        reading = _longest(text, place)
        if reading is None:
            place = max(place + 1, text.phone_end(place))
            continue
        readings.append(reading)
        place = reading.end
        text.last_end = text.at(place - 1).end if reading.kind else -2
    return readings


def _longest(text: TokenText, place: int) -> TokenReading | None:
    token = text.at(place)
    if (
        token.kind == "address"
        or (token.kind == "sign" and token.text not in _OPENING)
        or text.phone_end(place) > place
        or not text.may_begin(place)
    ):
        return None
    best: TokenReading | None = None
    for read in _READERS:
        reading = read(text, place)
        if reading and (best is None or reading.end > best.end) and _may_end(text, reading):
            best = reading
    return best


def _may_end(text: TokenText, reading: TokenReading) -> bool:
    """Whether nothing tied to the reading's end makes it a part of a name: `3-way` is none, `10-minute` is read."""
    if text.may_end(reading.end) or not reading.kind:
        return True
    after = text.at(reading.end).text
    if after == "/" and (reading.kind in ("time", "date") or text.at(reading.end - 1).kind == "sign"):
        return True
    is_word = text.at(reading.end - 1).kind == "word" and text.at(reading.end - 1).key != "h"
    return is_word and reading.kind in ("duration", "quantity") and (after in DASHES or after == "/")


def _bare(reading: TokenReading) -> Fraction | None:
    value = reading.value
    is_bare = isinstance(value, QuantityValue) and not value.unit and value.number.denominator == 1
    return value.number if isinstance(value, QuantityValue) and is_bare else None


def _shared(text: TokenText, readings: list[TokenReading]) -> list[TokenReading]:
    """The readings, bare numbers with what they share: `10 to 15 minutes`, `12.–14. April`, `5, 10 or 15 seats`."""
    done = list(readings)
    is_list = False
    for at in range(len(done) - 2, -1, -1):
        link, is_pointed = _link(text, done[at], done[at + 1])
        is_linked = link in _RANGE or link in _CHOICE or link in _OF or (link == "," and is_list)
        lent = _lend(text, done[at], done[at + 1], link) if is_linked and (not is_pointed or link in _RANGE) else None
        is_list = lent is not None and (link in _CHOICE or is_list)
        if lent is not None:
            done[at] = lent
    return done


def _link(text: TokenText, first: TokenReading, second: TokenReading) -> tuple[str, bool]:
    """The one word or sign between two readings, and whether a point stands before it."""
    between = [text.key(at) for at in range(first.end, min(second.begin, first.end + 3))]
    is_pointed = between[:1] == ["."]
    between = between[is_pointed:]
    if len(between) == 2 and between[0] in _OF and between[1] in _ALL:  # eleven of the 31 clinics
        return between[0], False
    return (between[0], is_pointed) if len(between) == 1 and second.begin - first.end <= 2 else ("", False)


def _lend(text: TokenText, first: TokenReading, second: TokenReading, link: str) -> TokenReading | None:
    """The first reading with the unit, month or half of the day of the second; None where it needs or gets none."""
    value, number = second.value, _bare(first)
    if isinstance(value, TimeValue) and (link in _RANGE or text.key(first.begin - 1) in _BETWEEN):
        return _lend_half(first, second, value)
    if number is None or value is None:
        return None
    if isinstance(value, QuantityValue) and value.unit:
        return replace(first, value=QuantityValue(number, value.unit))
    if isinstance(value, DurationValue):
        if second.unit not in DURATION_UNITS:
            return None
        months, seconds = DURATION_UNITS[second.unit]
        return replace(
            first, kind="duration", value=DurationValue(int(months * number), seconds * number), unit=second.unit
        )
    return None


def _lend_half(first: TokenReading, second: TokenReading, value: TimeValue) -> TokenReading | None:
    """`10 to 11:30 am`, `9:15–10:30 pm`."""
    number = _bare(first)
    if number is not None and 0 <= number <= 24:
        minute, half = int(number) * 60, second.half
    elif isinstance(first.value, TimeValue) and not first.half and first.value.minute < 13 * 60 and second.half:
        minute, half = first.value.minute, second.half
    else:
        return None
    later = minute % 720 + 720
    if half == "pm" and later <= value.minute and minute < 13 * 60:
        minute = later
    date = first.value.date if isinstance(first.value, TimeValue) else None
    return replace(first, kind="time", value=TimeValue(minute, date), offset=second.offset, zone=second.zone, half=half)


def _dated(text: TokenText, readings: list[TokenReading]) -> list[TokenReading]:
    """The readings, times joined with the days beside them and put on the company's clock."""
    done: list[TokenReading] = []
    at = 0
    while at < len(readings):
        first = readings[at]
        second = readings[at + 1] if at + 1 < len(readings) else None
        if second and _is_joined(text, first, second):
            time, day = (first, second) if first.kind == "time" else (second, first)
            value = day.value
            assert isinstance(value, DateValue)
            is_midnight = text.key(time.begin) in ("midnight", "mitternacht", "meia")
            settled_time = None if is_midnight else settled(time, value.date, text.context)
            end = second.end + (text.key(second.begin - 1) == "(" and text.key(second.end) == ")")
            done.append(TokenReading("time" if settled_time else "", first.begin, end, settled_time))
            at += 2
            continue
        value_alone = settled(first, None, text.context) if first.kind == "time" else first.value
        done.append(replace(first, value=value_alone) if value_alone else replace(first, kind="", value=None))
        at += 1
    return done


def _is_joined(text: TokenText, first: TokenReading, second: TokenReading) -> bool:
    time, day = (first, second) if first.kind == "time" else (second, first)
    if time.kind != "time" or not isinstance(day.value, DateValue) or day.value.granularity != "day":
        return False
    if not isinstance(time.value, TimeValue) or time.value.date is not None or second.begin - first.end > 3:
        return False
    between = text.text[text.at(first.end - 1).end : text.at(second.begin).start]
    return "\n" not in between and all(text.key(at) in _BESIDE for at in range(first.end, second.begin))
