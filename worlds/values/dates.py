"""Days and months: `14 April 2026`, `April 14th`, `14.4.`, `17-Feb-2026`, `catorze de abril`, `yesterday`, `May 2026`."""

import datetime
import re
from typing import Final

from worlds.values.kinds import Context, DateValue
from worlds.values.numbers import german, number_at
from worlds.values.tokens import DASHES, TokenReading, TokenText
from worlds.values.words import DURATION_UNITS, MONTHS, ORDINALS, RELATIVE_DAYS, WEEKDAYS, words_of

__all__ = ["date_at"]

_YEAR_FIRST: Final = re.compile(r"([0-9]{4})([-/.])([0-9]{1,2})\2([0-9]{1,2})(?![0-9])")
_YEAR_MONTH: Final = re.compile(r"([0-9]{4})-([0-9]{2})(?![0-9])")
_MONTH_YEAR: Final = re.compile(r"([0-9]{1,2})[/.]([12][0-9]{3})(?![0-9])")
_DAY_FIRST: Final = re.compile(r"([0-9]{1,2})([-/.])([0-9]{1,2})\2([0-9]{4}|[0-9]{2})(?![0-9])")
_DAY_MONTH: Final = re.compile(r"([0-9]{1,2})\.[ ]?([0-9]{1,2})\.(?![0-9])")
_SLASHED: Final = re.compile(r"([0-9]{1,2})/([0-9]{1,2})(?![0-9/])")
_NAMED: Final = re.compile(r"([0-9]{1,2})([-/. ])([^\W\d_]{3,9})\.?\2([0-9]{4}|[0-9]{2})(?![0-9])")
_SUFFIXES: Final = words_of("st nd rd th o a")
_ON: Final = words_of("am vom zum seit ab bis den dem der dia on em desde ate since until till von")
_IN: Final = words_of("in im em since seit desde until till bis ate ab from during by of no for through")
_LINKS: Final = words_of("to bis a ate or oder ou and und e / & , until till")
_VAGUE: Final = words_of(
    "early late mid middle end beginning start anfang mitte ende inicio meados fim final principio comeco"
)
_UNSURE: Final = words_of("may march mar set out dez ago")  # other words too
_LONG: Final = {word for word in MONTHS if len(word) > 3 and word != "sept"} | {"mai", "may"}


def date_at(text: TokenText, place: int) -> TokenReading | None:
    """The longest date that begins at this token; of no kind where it is one that cannot be told or is not."""
    key = text.key(place)
    if key in WEEKDAYS:
        return _after_weekday(text, place)
    return _numeric(text, place) or _day_month(text, place) or _month(text, place) or _relative(text, place)


def _after_weekday(text: TokenText, place: int) -> TokenReading | None:
    """`Tuesday 14 April`, `Di., 14.04.2026`, `terça-feira, 14 de abril`. A weekday that it is not on spoils the date."""
    at = place + 1
    while at < place + 5 and (
        text.key(at) in (".", ",", "den", "the", "dem", "feira", "dia", "o") or text.at(at).text in DASHES
    ):
        at += 1
    found = None
    for before in (at, at - 1):
        found = found or (date_at(text, before) if before > place and text.key(before) not in WEEKDAYS else None)
    if found is None or not isinstance(found.value, DateValue) or found.value.granularity != "day":
        return None
    day, weekday = found.value.date, WEEKDAYS[text.key(place)]
    says_year = any(text.at(at).number > 1900 for at in range(found.begin, found.end))
    if day.weekday() != weekday and not says_year:
        near = [_date(day.year + more, day.month, day.day) for more in (-1, 1)]
        day = next((other for other in near if other and other.weekday() == weekday), day)
    if day.weekday() != weekday:
        return TokenReading("", place, found.end)
    return TokenReading("date", place, found.end, DateValue(day))


def _numeric(text: TokenText, place: int) -> TokenReading | None:
    token = text.at(place)
    if token.kind != "digits" or len(token.text) > 4:
        return None
    start, is_cued = token.start, _is_cued(text, place)
    if found := _YEAR_FIRST.match(text.text, start):
        return _whole(text, place, found, _date(int(found[1]), int(found[3]), int(found[4])))
    if (found := _YEAR_MONTH.match(text.text, start)) and 1900 < int(found[1]) < 2100 and 1 <= int(found[2]) <= 12:
        end = text.place_of(place, found.end())
        return TokenReading("date", place, end, DateValue(datetime.date(int(found[1]), int(found[2]), 1), "month"))
    if found := _DAY_FIRST.match(text.text, start):
        year = _year(found[4])
        first, second = int(found[1]), int(found[3])
        is_point = found[2] == "."
        if is_point and len(found[4]) == 2 and not is_cued and len(found[1]) + len(found[3]) < 4:
            return TokenReading("", place, text.place_of(place, found.end()))
        if not is_point and first <= 12 and second <= 12 and first != second:
            return TokenReading("", place, text.place_of(place, found.end()))
        if not is_point and second > 12:
            first, second = second, first
        return _whole(text, place, found, _date(year, second, first))
    if found := _NAMED.match(text.text, start):
        month = MONTHS.get(text.key(place + 1 + (found[2] != " ")), 0)
        if month and (found[2] != " " or len(found[4]) == 4):
            return _whole(text, place, found, _date(_year(found[4]), month, int(found[1])))
    if (found := _DAY_MONTH.match(text.text, start)) and (is_cued or _goes_on(text.text, found.end())):
        day = _near(text.context, int(found[2]), int(found[1]))
        return TokenReading("date", place, text.place_of(place, found.end()), DateValue(day)) if day else None
    if (found := _SLASHED.match(text.text, start)) and is_cued:
        first, second = sorted((int(found[1]), int(found[2])))
        day = _near(text.context, first, second) if first <= 12 < second or first == second else None
        return TokenReading("date", place, text.place_of(place, found.end()), DateValue(day)) if day else None
    if (found := _MONTH_YEAR.match(text.text, start)) and 1 <= int(found[1]) <= 12 and "/" in found[0]:
        end = text.place_of(place, found.end())
        return TokenReading("date", place, end, DateValue(datetime.date(int(found[2]), int(found[1]), 1), "month"))
    return None


def _whole(text: TokenText, place: int, found: re.Match[str], day: datetime.date | None) -> TokenReading:
    """The date of digits alone; a hyphen behind it makes it a release."""
    end = text.place_of(place, found.end())
    is_release = text.at(end).text in DASHES and text.is_tied(end) and text.is_tied(end + 1)
    return TokenReading("date", place, end, DateValue(day)) if day and not is_release else TokenReading("", place, end)


def _is_cued(text: TokenText, place: int) -> bool:
    before = text.at(place - 1)
    if before.key in _ON or before.key in WEEKDAYS or (before.text in ",." and text.key(place - 2) in WEEKDAYS):
        return True
    return text.expected == "date" or before.text == ":" or (before.text in "|(" and before.text != "")


def _goes_on(text: str, end: int) -> bool:
    """Whether a sentence goes on behind `14.4.`, so that its last point is no full stop."""
    rest = text[end : end + 2]
    return rest[:1] == "," or (rest[:1] == " " and (rest[1:].islower() or rest[1:].isdigit()))


def _day_month(text: TokenText, place: int, depth: int = 0) -> TokenReading | None:
    """`14 April 2026`, `14th of April`, `the fourteenth of April`, `14 de abril`, `am vierzehnten April`."""
    day, end = _day_number(text, place)
    if not day:
        return None
    while end < place + 6 and text.key(end) in ("of", "de", "."):
        end += 1
    key = text.key(end)
    month = MONTHS.get(key, 0)
    if not month:
        return _shared(text, place, day, depth)
    end += 1 + (text.key(end + 1) == "." and len(key) <= 4 and key not in _LONG)
    year, last = _year_at(text, end)
    is_unsure = key in ("set", "out", "dez", "ago", "mar") and not year and text.key(end - 2) not in ("de", ".")
    if is_unsure or (key in ("may", "march") and text.text[text.at(end - 1).start].islower() and not year):
        return None
    date = _date(year, month, day) if year else _near(text.context, month, day)
    return TokenReading("date", place, last, DateValue(date)) if date else TokenReading("", place, last)


def _shared(text: TokenText, place: int, day: int, depth: int) -> TokenReading | None:
    """The first days of `12.–14. April`, `from 3 to 5 May`, `the 3rd, 4th and 5th of May`, which share the month."""
    _, end = _day_number(text, place)
    at = end + (text.key(end) == "." and text.is_tied(end))
    link = text.key(at)
    at += 1 + (text.key(at + 1) in ("the", "dem", "den"))
    if depth > 4 or not (link in DASHES or link in _LINKS):
        return None
    next_day = _day_month(text, at, depth + 1)
    if (
        next_day is None
        or not isinstance(next_day.value, DateValue)
        or (link == "," and text.key(next_day.end) not in _LINKS)
    ):
        return None
    date = _date(next_day.value.date.year, next_day.value.date.month, day)
    return TokenReading("date", place, end, DateValue(date)) if date else None


def _day_number(text: TokenText, place: int) -> tuple[int, int]:
    """The number of a day and where it ends; 0 where there is none."""
    token = text.at(place)
    if token.kind == "digits" and len(token.text) <= 2:
        end = place + 1
        if text.key(end) == "." and text.is_tied(end) and text.key(end + 1) in ("o", "a") and text.is_tied(end + 1):
            end += 1
        return token.number, end + (text.key(end) in _SUFFIXES and text.is_tied(end))
    if token.kind != "word":
        return 0, place
    if token.key in ORDINALS:
        return ORDINALS[token.key], place + 1
    if token.key in ("twenty", "thirty") and (text.at(place + 1).text in DASHES or text.key(place + 1) in ORDINALS):
        at = place + 1 + (text.at(place + 1).text in DASHES)
        if 0 < ORDINALS.get(text.key(at), 0) < 10:
            return (20 if token.key == "twenty" else 30) + ORDINALS[text.key(at)], at + 1
    stem = re.sub(r"e[nrms]?$", "", token.key)
    irregular = {"erst": 1, "dritt": 3, "siebt": 7, "acht": 8}
    if stem != token.key and (day := irregular.get(stem) or german(stem.removesuffix("t").removesuffix("s")) or 0):
        return (day, place + 1) if stem.endswith("t") else (0, place)
    number = number_at(text, place)
    if number and number.value <= 31 and number.value.denominator == 1 and text.key(number.end) in ("de", "of"):
        return int(number.value), number.end
    return 0, place


def _month(text: TokenText, place: int) -> TokenReading | None:
    """`April 14th, 2026`, `April the fourteenth`, `May 2026`, `in May`."""
    key, token = text.key(place), text.at(place)
    month = MONTHS.get(key, 0)
    if not month:
        return None
    end = place + 1 + (text.key(place + 1) == "." and len(key) <= 4)
    at = end + (text.key(end) == "the")
    day, after = _day_number(text, at)
    is_verb = key in _UNSURE and token.text[0].islower()
    is_clock = text.key(after) in (":", "h", "am", "pm", "%") and text.is_tied(after)
    is_span = text.key(after) in DURATION_UNITS
    if day and not is_verb and not is_clock and not is_span and text.key(at - 1) != "de":
        year, last = _year_at(text, after)
        date = _date(year, month, day) if year else _near(text.context, month, day)
        return TokenReading("date", place, last, DateValue(date)) if date else TokenReading("", place, last)
    year, last = _year_at(text, end)
    before = text.key(place - 1)
    cue = before if before not in ("of", "de", "do") else text.key(place - 2)
    if cue in _VAGUE or (text.at(place - 1).text in DASHES and text.key(place - 2) == "mid"):
        return TokenReading("", place, last)
    is_said = before in _IN and key in _LONG and (key not in _UNSURE or token.text[0].isupper())
    is_asked = text.expected == "date" and key in _LONG and (place == 0 or text.at(place - 1).text == ":")
    if not (year or is_said or is_asked):
        return None
    if text.key(last) in DASHES and text.is_tied(last):
        return None
    first = _date(year or text.context.today.year, month, 1)
    return TokenReading("date", place, last if year else place + 1, DateValue(first, "month")) if first else None


def _year_at(text: TokenText, place: int) -> tuple[int, int]:
    """The year that follows a day or month, and where it ends; 0 and the place itself where none does."""
    at = place + (text.key(place) in (",", "of", "de", "'", "’"))
    token = text.at(at)
    if token.kind == "digits" and len(token.text) == 4 and 1900 <= token.number <= 2100 and text.may_end(at + 1):
        return token.number, at + 1
    if token.kind == "digits" and len(token.text) == 2 and text.key(place) in ("'", "’") and text.is_tied(at):
        return 2000 + token.number, at + 1
    return 0, place


def _relative(text: TokenText, place: int) -> TokenReading | None:
    """`yesterday`, `the day before yesterday`, `three days ago`, `vor drei Tagen`, `há 5 dias`."""
    key, today = text.key(place), text.context.today
    days, end = None, place + 1
    if key in RELATIVE_DAYS:
        days = RELATIVE_DAYS[key]
    elif key == "morgen" and text.at(place).text == "morgen":
        before = text.key(place - 1)
        days = 1 if before not in ("heute", "gestern", "am", "jeden", "guten", "diesen", "den", "der") else None
    elif key == "depois" and text.key(place + 1) == "de" and text.key(place + 2) == "amanha":
        days, end = 2, place + 3
    elif key == "day" and text.key(place + 2) in ("yesterday", "tomorrow"):
        days = {"before": -2, "after": 2}.get(text.key(place + 1))
        end = place + 3
    elif key in ("vor", "ha") and (key == "vor" or text.at(place).text.lower() == "há"):
        days, end = _span(text, place + 1)
    else:
        days, end = _span(text, place)
        days, end = (days, end + 1) if text.key(end) == "ago" or (text.key(end) == "atras") else (None, end)
    if days is None:
        return None
    try:
        return TokenReading("date", place, end, DateValue(today + datetime.timedelta(days=days)))
    except OverflowError:
        return TokenReading("", place, end)


def _span(text: TokenText, place: int) -> tuple[int | None, int]:
    """Minus the whole days or weeks that stand here, and where they end."""
    number = number_at(text, place)
    if number is None or number.value.denominator > 1:
        return None, place
    months, seconds = DURATION_UNITS.get(text.key(number.end), (0, 0))
    return (-int(number.value * seconds) // 86_400 if not months and seconds >= 86_400 else None), number.end + 1


def _year(digits: str) -> int:
    return int(digits) + (2000 if len(digits) == 2 else 0)


def _date(year: int, month: int, day: int) -> datetime.date | None:
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return None


def _near(context: Context, month: int, day: int) -> datetime.date | None:
    """The day in today's year, or in the year beside it where that is ten months nearer: 31 December said in January."""
    today = context.today
    date = _date(today.year, month, day)
    if date is not None and abs((date - today).days) > 300:
        return _date(today.year + (1 if date < today else -1), month, day) or date
    return date
