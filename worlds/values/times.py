"""Times of day: `10:12`, `10.12 Uhr`, `10h12`, `half past ten`, `halb elf`, `nove e meia`, with zones and parts of the day."""

import datetime
import re
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Final

from brownout.core.instants import zone
from worlds.values.kinds import Context, TimeValue
from worlds.values.numbers import number_at
from worlds.values.tokens import TokenReading, TokenText
from worlds.values.words import DAY_PARTS, ZONES, fold, words_of

__all__ = ["settled", "time_at"]

_ISO: Final = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):?([0-9]{2})(?::?[0-9]{2}(?:[.,][0-9]{1,9})?)?(?![0-9:])"
)
_COLON: Final = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::[0-5][0-9](?:[.,][0-9]{1,9})?)?(?![0-9]|:[0-9])")
_POINT: Final = re.compile(r"([0-9]{1,2})\.([0-9]{2})(?![0-9]|[.,][0-9])")
_H: Final = re.compile(r"([0-9]{1,2})[hH]([0-9]{2})?(?:min)?(?!\w)")
_OFFSET: Final = re.compile(r"([+−-])([0-9]{1,2})(?::?([0-5][0-9]))?(?![0-9:])")
_HALF: Final = re.compile(r"(?:([ap])\.[ ]?m\.?|([ap])m)(?!\w)", re.I)
_CUES: Final = words_of("às as das pelas à")
_AT: Final = _CUES | {
    "at",
    "um",
    "gegen",
    "since",
    "seit",
    "ab",
    "by",
    "until",
    "till",
    "bis",
    "desde",
    "around",
    "from",
    "von",
}
_UNZONED: Final = words_of("ist cst cdt ast sst their your his her")
_AFTER: Final = frozenset(("past", "after", "nach"))
_BEFORE: Final = frozenset(("to", "before", "till", "vor"))


@dataclass(frozen=True, slots=True)
class _Clock:
    minute: int
    end: int
    is_twelve: bool = False
    takes_part: bool = True


def time_at(text: TokenText, place: int) -> TokenReading | None:
    """The longest time that begins at this token, by the clock that it names."""
    if found := _ISO.match(text.text, text.at(place).start):
        clock = _of(int(found[4]), int(found[5]), text.place_of(place, found.end()), takes_part=False)
        day = _day(int(found[1]), int(found[2]), int(found[3]))
        if clock is None or day is None:
            return TokenReading("", place, text.place_of(place, found.end()))
        return _zoned(text, TokenReading("time", place, clock.end, TimeValue(clock.minute, day)))
    clock = _digital(text, place) or _spoken(text, place) or _portuguese(text, place) or _named(text, place)
    if clock is None:
        return None
    half, end = _half(text, clock.end) if clock.takes_part else ("", clock.end)
    minute = clock.minute
    if half and minute < 13 * 60:
        minute = minute % 720 + (720 if half == "pm" else 0)
    value = TimeValue(minute, None, clock.is_twelve and not half)
    return _zoned(text, TokenReading("time", place, end, value, half=half))


def settled(reading: TokenReading, day: datetime.date | None, context: Context) -> TimeValue | None:
    """The time by the company's clock, on the day that stands beside it; None where the calendar ends."""
    value = reading.value
    assert isinstance(value, TimeValue)
    day = value.date or day
    shift, minute = divmod(value.minute, 1440)
    try:
        if reading.offset is None:
            date = day and day + datetime.timedelta(days=shift)
            return TimeValue(minute, date, value.is_twelve_hour)
        there = datetime.timezone(datetime.timedelta(seconds=reading.offset))
        on = day or _undated(reading, context.today)
        moment = datetime.datetime(on.year, on.month, on.day, tzinfo=there) + datetime.timedelta(minutes=value.minute)
        here = moment.astimezone(zone(context.zone))
        return TimeValue(here.hour * 60 + here.minute, here.date() if day else None, value.is_twelve_hour)
    except OverflowError:
        return None


def _undated(reading: TokenReading, today: datetime.date) -> datetime.date:
    """The day by which a time without one is converted: today, or one in the other half of the year where CEST is said in winter."""
    for back in (0, 91, 182, 273):
        day = today - datetime.timedelta(days=min(back, today.toordinal() - 1))
        noon = datetime.datetime(day.year, day.month, day.day, 12, tzinfo=zone(reading.zone or "UTC"))
        offset = noon.utcoffset()
        if not reading.zone or (offset and offset.total_seconds() == reading.offset):
            return day
    return today


def _of(hour: int, minute: int, end: int, *, is_twelve: bool = False, takes_part: bool = True) -> _Clock | None:
    if minute > 59 or hour > 24 or (hour == 24 and minute):
        return None
    return _Clock(hour * 60 + minute, end, is_twelve and 1 <= hour <= 12, takes_part)


def _day(year: int, month: int, day: int) -> datetime.date | None:
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return None


def _digital(text: TokenText, place: int) -> _Clock | None:
    """`10:12`, `10.12 Uhr`, `10h12`, `10 am`, `10 Uhr 12`, `10 o'clock`, `às 15 horas e 20 minutos`."""
    token = text.at(place)
    if token.kind == "digits" and len(token.text) <= 2:
        start, is_spelt_out = token.start, text.key(place - 1) in _CUES
        if found := _COLON.match(text.text, start):
            end = text.place_of(place, found.end())
            return _of(int(found[1]), int(found[2]), end + (text.key(end) in ("uhr", "h", "hrs")))
        if found := _POINT.match(text.text, start):
            end = text.place_of(place, found.end())
            if text.key(end) in ("uhr", "h"):
                return _of(int(found[1]), int(found[2]), end + 1)
            return _of(int(found[1]), int(found[2]), end) if _HALF.match(text.text, text.at(end).start) else None
        if found := _H.match(text.text, start):
            is_time = is_spelt_out or text.expected == "time" or (found[2] and int(found[1]) > 5)
            return _of(int(found[1]), int(found[2] or 0), text.place_of(place, found.end())) if is_time else None
    number = number_at(text, place)
    if number is None or number.value > 24 or number.value.denominator > 1:
        return None
    hour, end = int(number.value), number.end
    if text.key(end) == "uhr":
        minutes = number_at(text, end + 1)
        if minutes and minutes.value < 60 and minutes.value.denominator == 1 and _is_minutes(text, minutes.end):
            return _of(hour, int(minutes.value), minutes.end)
        return _of(hour, 0, end + 1)
    if _HALF.match(text.text, text.at(end).start) and 1 <= hour <= 12:
        return _of(hour, 0, end)
    if text.key(end) == "o" and text.key(end + 2) == "clock":
        return _of(hour, 0, end + 3, is_twelve=True)
    return None


def _is_minutes(text: TokenText, place: int) -> bool:
    """Whether a number behind "Uhr" is its minutes: what it counts would follow it."""
    after = text.at(place)
    return (
        after.kind != "word" or text.text[after.start].islower() or after.key in ("uhr", "cet", "cest", "mez", "mesz")
    )


def _spoken(text: TokenText, place: int) -> _Clock | None:
    """`half past ten`, `12 past ten`, `Viertel vor neun`, `halb elf`, `fünf vor halb elf`, `dreiviertel elf`."""
    key = text.key(place)
    if key == "halb":
        return _hour(text, place + 1, -30)
    if key == "dreiviertel" or (key == "drei" and text.key(place + 1) == "viertel"):
        return _hour(text, place + (1 if key == "dreiviertel" else 2), -15)
    if key == "half" and text.key(place + 1) == "past":
        return _hour(text, place + 2, 30)
    start = place + (key == "a")
    if text.key(start) in ("quarter", "viertel"):
        minutes, end, is_sure = 15, start + 1, True
    elif (number := number_at(text, place)) and number.value < 30 and number.value.denominator == 1:
        minutes, end = int(number.value), number.end
        is_sure = text.key(end) in ("minutes", "minute", "minuten") or text.key(place - 1) in _AT - {
            "from",
            "von",
            "by",
        }
        end += text.key(end) in ("minutes", "minute", "minuten")
    else:
        return None
    word = text.key(end)
    if word not in _AFTER | _BEFORE or (word == "after" and text.key(end + 1) == "the"):
        return None
    sign = 1 if word in _AFTER else -1
    if text.key(end + 1) == "halb":
        return _hour(text, end + 2, sign * minutes - 30)
    clock = _hour(text, end + 1, sign * minutes)
    is_sure = is_sure or word in ("past", "nach", "vor") or text.expected == "time"
    return clock if clock and (is_sure or _half(text, clock.end)[0]) else None


def _hour(text: TokenText, place: int, minutes: int) -> _Clock | None:
    """The clock so many minutes after the spoken hour at this token."""
    if text.key(place) in ("noon", "midnight", "mitternacht"):
        hour, end = (12 if text.key(place) == "noon" else 24), place + 1
        return _Clock((hour * 60 + minutes) % 1440, end, takes_part=False)
    number = number_at(text, place)
    if number is None or not 1 <= number.value <= 24 or number.value.denominator > 1 or not _is_bare(text, number.end):
        return None
    hour = int(number.value)
    minute = (hour * 60 + minutes) % 1440
    if minute < 60 and hour == 1:
        minute += 720  # "Viertel vor eins"
    return _Clock(minute, number.end + (text.key(number.end) == "uhr"), is_twelve=hour <= 12)


def _is_bare(text: TokenText, place: int) -> bool:
    """Whether nothing that is counted follows an hour: `five to ten minutes` is no time."""
    after = text.at(place)
    return not (
        after.kind == "word" and (after.key.startswith(("minut", "hour", "stund", "hora", "day", "tag", "dia")))
    )


def _portuguese(text: TokenText, place: int) -> _Clock | None:
    """`às dez`, `às 15 horas e 20 minutos`, `nove e meia`, `dez menos um quarto`, `quinze para as nove`, `dez da noite`."""
    number, cued = number_at(text, place), text.key(place - 1) if text.at(place - 1).text.lower() in _CUES else ""
    if number is None or number.value.denominator > 1:
        if text.key(place) == "um" and text.key(place + 1) == "quarto":
            return _to_hour(text, place + 2, 15)
        return None
    hour, end = int(number.value), number.end
    if text.key(place) in ("um", "uma") and text.key(end) == "quarto":
        return _to_hour(text, end + 1, 15)
    if hour < 30 and (clock := _to_hour(text, end, hour)):
        return clock
    is_cued = bool(cued) and (
        text.at(place - 1).text.lower() != "as" or text.key(place - 2) in ("desde", "para", "entre", "ate", "e")
    )
    if hour > 24 or (number.is_article and not is_cued):
        return None
    if text.key(end) in ("horas", "hora", "h") and is_cued:
        end += 1
        more = number_at(text, end + 1) if text.key(end) == "e" else None
        if more and more.value < 60 and text.key(more.end) in ("minutos", "minuto"):
            return _of(hour, int(more.value), more.end + 1)
        if text.key(end) == "e" and text.key(end + 1) == "meia":
            return _of(hour, 30, end + 2)
        return _of(hour, 0, end, is_twelve=number.is_spelt)
    if text.key(end) == "e" and text.key(end + 1) == "meia" and text.key(end + 2) not in ("hora", "horas"):
        return _of(hour, 30, end + 2, is_twelve=True)
    for word, sign in (("e", 1), ("menos", -1)):
        if (
            text.key(end) == word
            and text.key(end + 1) == "um"
            and text.key(end + 2) == "quarto"
            and text.key(end + 3) != "de"
        ):
            return _Clock((hour * 60 + 15 * sign) % 1440, end + 3, is_twelve=hour <= 12)
        more = number_at(text, end + 1) if text.key(end) == word and is_cued else None
        if more and more.value < 60 and more.is_spelt and _is_bare(text, more.end):
            return _Clock((hour * 60 + int(more.value) * sign) % 1440, more.end, is_twelve=hour <= 12)
    if _half(text, end)[0] and hour <= 12 and text.key(end) in ("da", "in", "at"):
        return _of(hour, 0, end)
    return _of(hour, 0, end, is_twelve=True) if is_cued and text.at(end).kind != "word" else None


def _to_hour(text: TokenText, place: int, minutes: int) -> _Clock | None:
    """`para as nove`: so many minutes before an hour."""
    if text.key(place) == "para" and text.key(place + 1) in ("as", "a", "o"):
        if text.key(place + 2) == "meio" and text.key(place + 3 + (text.key(place + 3) == "-")) == "dia":
            return _of(11, 60 - minutes, place + 4 + (text.key(place + 3) == "-"))
        return _hour(text, place + 2, -minutes)
    return None


def _named(text: TokenText, place: int) -> _Clock | None:
    """`noon`, `midnight`, `Mitternacht`, `meio-dia e meia`, `12 noon`."""
    key = text.key(place)
    if key in ("noon", "midnight", "mitternacht"):
        return _Clock(720 if key == "noon" else 0, place + 1, takes_part=False)
    if text.at(place).number == 12 and text.key(place + 1) in ("noon", "midnight"):
        return _Clock(720 if text.key(place + 1) == "noon" else 0, place + 2, takes_part=False)
    end = place + 1 + (text.key(place + 1) == "-")
    if (key, text.key(end)) not in (("meio", "dia"), ("meia", "noite")):
        return None
    minute = 720 if key == "meio" else 0
    if text.key(end + 1) == "e" and text.key(end + 2) == "meia":
        return _Clock(minute + 30, end + 3, takes_part=False)
    return _Clock(minute, end + 1, takes_part=False)


def _half(text: TokenText, place: int) -> tuple[str, int]:
    """`am`, `p.m.`, `in the evening`, `abends`, `da noite` -> am or pm, and where it ends."""
    if found := _HALF.match(text.text, text.at(place).start):
        return ("am" if (found[1] or found[2]).lower() == "a" else "pm"), text.place_of(place, found.end())
    at = place
    while text.key(at) in ("in", "the", "at", "da", "de", "am", ",") and at < place + 2:
        at += 1
    part = DAY_PARTS.get(text.key(at)) if at == place or text.key(place) in ("in", "at", "da", "am", ",") else None
    if part is None or (at == place and text.key(at) in ("morning", "night", "noite", "manha", "tarde", "evening")):
        return "", place
    before = text.at(place - 1)
    hour = before.number if before.number >= 0 else 0
    if part == "night":
        number = number_at(text, place - 1) if before.kind == "word" else None
        hour = int(number.value) if number else hour
        part = "morning" if 1 <= hour <= 5 or hour == 12 else "evening"
    return ("am" if part == "morning" else "pm"), at + 1


def _zoned(text: TokenText, reading: TokenReading) -> TokenReading:
    """The reading with the zone that stands behind it; no value where that cannot be told."""
    place = reading.end
    is_bracketed = text.at(place).text == "("
    at = place + is_bracketed
    token = text.at(at)
    key = token.key
    if (key in _UNZONED and (token.text.isupper() or text.key(at + 1) == "time")) and token.text:
        return replace(reading, kind="", value=None, end=at + 1)
    offset, name, end = None, "", at
    if (
        key in ZONES
        and (key != "z" or token.text == "Z")
        and (token.text.isupper() or key in ("utc", "gmt", "cest", "cet", "mesz", "mez", "zulu"))
    ):
        hours, name = ZONES[key]
        offset, end = int(hours * 3600), at + 1
        if key in ("utc", "gmt") and (found := _OFFSET.match(text.text, text.at(end).start)) and text.is_tied(end):
            offset, end = _seconds(found), text.place_of(end, found.end())
            name = ""
    elif (found := _OFFSET.match(text.text, token.start)) and token.text and _is_offset(text, reading, at, found):
        offset, end = _seconds(found), text.place_of(at, found.end())
    elif city := _city(text, at):
        name, end = city
        return _in_city(text, replace(reading, end=end + (is_bracketed and text.at(end).text == ")")), name)
    else:
        return reading
    if is_bracketed:
        if text.at(end).text != ")":
            return reading
        end += 1
    if abs(offset) >= 86_400:
        return replace(reading, kind="", value=None, end=end)
    return replace(reading, end=end, offset=offset, zone=name)


def _is_offset(text: TokenText, reading: TokenReading, place: int, found: re.Match[str]) -> bool:
    """Whether a sign and digits behind a time are its offset: behind a minus they may be the other end of a range."""
    if not (found[3] or found[1] == "+"):
        return False
    assert isinstance(reading.value, TimeValue)
    return found[1] == "+" or (reading.value.date is not None and text.is_tied(place))


def _seconds(found: re.Match[str]) -> int:
    return (int(found[2]) * 3600 + int(found[3] or 0) * 60) * (1 if found[1] == "+" else -1)


def _city(text: TokenText, place: int) -> tuple[str, int] | None:
    """`Lisbon time`, `New York time`, `hora de Lisboa` -> the zone and where it ends."""
    for length in (1, 2):
        if text.key(place + length) == "time" and text.at(place).text[:1].isupper():
            name = _cities().get(" ".join(text.key(place + at) for at in range(length)))
            return (name, place + length + 1) if name else None
    return None


@cache
def _cities() -> dict[str, str]:
    """The last part of every zone's name: `new york` -> America/New_York."""
    names = files("tzdata").joinpath("zones").read_text(encoding="utf-8").split()
    return {fold(name.rpartition("/")[2].replace("_", " ")): name for name in reversed(names) if "/" in name}


def _in_city(text: TokenText, reading: TokenReading, name: str) -> TokenReading:
    """The time by another city's clock, which is as far from the company's as it is today."""
    today = text.context.today
    offset = datetime.datetime(today.year, today.month, today.day, 12, tzinfo=zone(name)).utcoffset()
    return replace(reading, offset=int(offset.total_seconds()) if offset else 0, zone=name)
