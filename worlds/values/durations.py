"""Spans of time: `90 minutes`, `1h 30m`, `anderthalb Stunden`, `uma hora e meia`, `a 10-minute hold`, `P3M`."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from worlds.values.kinds import DurationValue
from worlds.values.numbers import german, number_at
from worlds.values.tokens import DASHES, TokenReading, TokenText
from worlds.values.words import ARTICLES, DURATION_UNITS, SHORT_UNITS, words_of

__all__ = ["duration_at"]

_ISO: Final = re.compile(
    r"P(?=[0-9T])(?:(?P<Y>[0-9]{1,6})Y)?(?:(?P<Mo>[0-9]{1,6})M)?(?:(?P<W>[0-9]{1,6})W)?(?:(?P<D>[0-9]{1,6})D)?"
    r"(?:T(?:(?P<H>[0-9]{1,6})H)?(?:(?P<M>[0-9]{1,6})M)?(?:(?P<S>[0-9]{1,6})S)?)?(?![\w-])"
)
_ISO_SECONDS: Final = {"W": 604_800, "D": 86_400, "H": 3600, "M": 60, "S": 1}
_CLOCK: Final = re.compile(r"([0-9]{1,3}):([0-5][0-9])(?::([0-5][0-9]))?(?![0-9:])")
_HOURS: Final = re.compile(r"([0-9]{1,2})[hH]([0-5][0-9])(?![\w:])")
_ADJECTIVE: Final = re.compile(r"(minut|stund|tag|woch|monat|jahr|sekund)(?:ig|lich)(?:e[rsnm]?)?")
_ADJECTIVES: Final = {
    "sekund": "sekunde", "minut": "minuten", "stund": "stunde", "tag": "tag", "woch": "woche", "monat": "monat", "jahr": "jahr",
}  # fmt: skip
_TAKES: Final = words_of(
    "took takes take taking lasted lasts last lasting for within of after in needs durou dura durante "
    "demorou demora por dauert dauerte dauern binnen innerhalb nach every another"
)
_HALF: Final = words_of("half halbe halben halber halbes meia meio")
_ABBREVIATED: Final = words_of("std min sek sec hr hrs mins seg")
_WORKING: Final = frozenset(("business", "working", "work"))


@dataclass(frozen=True, slots=True)
class _DurationPart:
    """Months and seconds that end before the token `end`; `size` orders their unit among the others."""

    months: Fraction
    seconds: Fraction
    end: int
    size: Fraction = Fraction(0)

    def times(self, amount: Fraction, end: int) -> "_DurationPart | None":
        """So many of this unit; None where that is no whole number of months."""
        months = self.months * amount
        return _DurationPart(months, self.seconds * amount, end, self.size) if months.denominator == 1 else None


def duration_at(text: TokenText, place: int) -> TokenReading | None:
    """The longest span that begins at this token."""
    token = text.at(place)
    if token.text.startswith("P") and (found := _ISO.match(text.text, token.start)) and len(found[0]) > 2:
        return _iso(text, place, found)
    part = whole = _clock(text, place) or _part(text, place)
    if part is None or whole is None:
        return None
    while (more := _smaller(text, part)) is not None:
        part, whole = more, _DurationPart(whole.months + more.months, whole.seconds + more.seconds, more.end)
    return TokenReading(
        "duration", place, whole.end, DurationValue(int(whole.months), whole.seconds), unit=text.key(whole.end - 1)
    )


def _iso(text: TokenText, place: int, found: re.Match[str]) -> TokenReading | None:
    parts = {name: int(amount) for name, amount in found.groupdict().items() if amount}
    if not parts:
        return None
    months = parts.get("Y", 0) * 12 + parts.get("Mo", 0)
    seconds = sum(parts.get(name, 0) * unit for name, unit in _ISO_SECONDS.items())
    return TokenReading("duration", place, text.place_of(place, found.end()), DurationValue(months, Fraction(seconds)))


def _clock(text: TokenText, place: int) -> _DurationPart | None:
    """`1:30 hours`, and `1h30` where it is said to take that long."""
    start = text.at(place).start
    if text.at(place).number < 0:
        return None
    if found := _CLOCK.match(text.text, start):
        end = text.place_of(place, found.end())
        if text.key(end) in ("hours", "stunden", "stunde", "horas", "hrs", "std"):
            return _DurationPart(
                Fraction(0), Fraction(int(found[1]) * 3600 + int(found[2]) * 60 + int(found[3] or 0)), end + 1
            )
    if (found := _HOURS.match(text.text, start)) and (text.expected == "duration" or text.key(place - 1) in _TAKES):
        end = text.place_of(place, found.end())
        return _DurationPart(Fraction(0), Fraction(int(found[1]) * 3600 + int(found[2]) * 60), end)
    return None


def _part(text: TokenText, place: int) -> _DurationPart | None:
    """An amount with its unit: `ten minutes`, `half an hour`, `a quarter of an hour`, `2½ Stunden`."""
    key = text.key(place)
    if part := _fraction(text, place) or _german_fraction(text, place) or _compound(text, place):
        return part
    if key in ("anderthalb", "eineinhalb") and (unit := _unit(text, place + 1)):
        return unit.times(Fraction(3, 2), unit.end)
    if key.endswith("einhalb") and (whole := german(key.removesuffix("einhalb"))) and (unit := _unit(text, place + 1)):
        return unit.times(whole + Fraction(1, 2), unit.end)
    number = number_at(text, place)
    if number is None or (number.is_article and not _may_be_one(text, place)):
        return None
    amount, end, is_one = number.value, number.end, number.is_article
    if _keys(text, end, "-", "and", "-", "a", "-", "half"):
        amount, end, is_one = amount + Fraction(1, 2), end + 6, False
    elif _keys(text, end, "and", "a", "half") or _keys(text, end, "and", "one", "half"):
        amount, end, is_one = amount + Fraction(1, 2), end + 3, False
    elif text.at(end).number > 0 and text.at(end + 1).text == "/" and text.at(end + 2).number > 0:  # 1 1/2
        amount, end = amount + Fraction(text.at(end).number, text.at(end + 2).number), end + 3
    elif text.at(end).text == "/" and text.at(end + 1).number > 0 and text.is_tied(end) and text.is_tied(end + 1):
        amount, end = amount / text.at(end + 1).number, end + 2
    if text.at(end).text in DASHES and text.is_tied(end) and text.is_tied(end + 1):
        end += 1
    if text.key(end) == "s" and text.is_tied(end) and 400 <= amount < 512 and text.expected != "duration":
        return None  # "503s" are answers of a server
    unit = _unit(text, end, is_tied=text.is_tied(end))
    if unit is None or (is_one and not _agrees(key, text.key(end))):
        return None
    halves = unit.end + 2 if _keys(text, unit.end, "e", "meia") or _keys(text, unit.end, "e", "meio") else 0
    halves = unit.end + 3 if _keys(text, unit.end, "and", "a", "half") else halves
    return unit.times(amount + Fraction(1, 2), halves) if halves else unit.times(amount, unit.end)


def _fraction(text: TokenText, place: int) -> _DurationPart | None:
    """`half an hour`, `eine halbe Stunde`, `three quarters of an hour`, `um quarto de hora`, `¾ of an hour`."""
    end, amount = place, Fraction(1)
    if (number := number_at(text, place)) and number.value < 4 and number.is_spelt:
        end, amount = number.end, number.value
    end += text.at(end).text in DASHES and end > place
    key = text.key(end)
    if key in _HALF and amount == 1:
        share = Fraction(1, 2)
    elif key in ("quarter", "quarters", "quarto", "quartos", "viertel"):
        share = amount / 4
    elif text.at(end).text in ("½", "¼", "¾") and end == place and (number := number_at(text, end)):
        share = number.value
    else:
        return None
    end += 1
    while text.key(end) in ("of", "de", "da", "a", "an", "einer", "one", "uma"):
        end += 1
    if text.at(end).text in DASHES and text.is_tied(end):
        end += 1
    unit = _unit(text, end)
    return unit.times(share, unit.end) if unit else None


def _german_fraction(text: TokenText, place: int) -> _DurationPart | None:
    """`Viertelstunde`, `eine Dreiviertelstunde`, `drei Viertelstunden`."""
    end, amount = place, Fraction(1)
    if number := number_at(text, place):
        end, amount = number.end, number.value
    shares = {"viertelstund": Fraction(1, 4), "dreiviertelstund": Fraction(3, 4), "halbstund": Fraction(1, 2)}
    share = shares.get(text.key(end).removesuffix("n").removesuffix("e"))
    return _DurationPart(Fraction(0), 3600 * amount * share, end + 1) if share else None


def _compound(text: TokenText, place: int) -> _DurationPart | None:
    """`zehnminütig`, `15-minütige`, `dreimonatige`."""
    amount: int | Fraction | None = None
    end, key = place, text.key(place)
    if (found := re.search(r"(?:minut|stund|tag|woch|monat|jahr|sekund)ig(?:e[rsnm]?)?$", key[-14:])) and len(key) < 90:
        stem = key[: len(key) - len(found[0])]
        amount = german(stem) if stem else None
    elif text.at(place + 1).text in DASHES and (number := number_at(text, place)):
        end, key, amount = number.end + 1, text.key(number.end + 1), number.value
        found = _ADJECTIVE.fullmatch(key)
    if amount is None or found is None:
        return None
    months, seconds = DURATION_UNITS[next(unit for stem, unit in _ADJECTIVES.items() if found[0].startswith(stem))]
    return _DurationPart(Fraction(months), seconds, end).times(Fraction(amount), end + 1)


def _unit(text: TokenText, place: int, *, is_tied: bool = False) -> _DurationPart | None:
    token = text.at(place)
    if token.key in _WORKING or text.key(place + 1) == "uteis":
        return None
    if token.key in DURATION_UNITS and token.text != "S":
        months, seconds = DURATION_UNITS[token.key]
    elif is_tied and token.text in SHORT_UNITS:
        months, seconds = SHORT_UNITS[token.text]
    elif is_tied and token.text == "m" and text.expected == "duration":
        months, seconds = 0, Fraction(60)
    else:
        return None
    return _DurationPart(Fraction(months), seconds, place + 1, seconds + months * 30 * 86_400)


def _smaller(text: TokenText, part: _DurationPart) -> _DurationPart | None:
    """`and 5 minutes`, `30m`: what is added in a smaller unit, less than one of the larger: `two days, 48 hours` are the same twice."""
    links = ("and", "und", "e", ",", ".") if text.key(part.end - 1) in _ABBREVIATED else ("and", "und", "e", ",")
    end = part.end + 1 if text.key(part.end) in links else part.end
    number = number_at(text, end)
    if number is None or number.is_article:
        return None
    unit = _unit(text, number.end, is_tied=text.is_tied(number.end))
    if unit is None and part.size >= 3600 and text.at(number.end).text == "m":
        unit = _DurationPart(Fraction(0), Fraction(60), number.end + 1, Fraction(60))
    return unit.times(number.value, unit.end) if unit and number.value * unit.size < part.size else None


def _may_be_one(text: TokenText, place: int) -> bool:
    """Whether "a", "ein", "um" here counts: not in `twice a day`, `15 euros a month`, `a second opinion`."""
    before = text.at(place - 1)
    is_rate = before.key in ("once", "twice", "times", "mal", "einmal", "vez", "vezes") or before.end == text.last_end
    return not is_rate and text.key(place + 1) != "second"


def _agrees(article: str, unit: str) -> bool:
    languages = {
        "en": ("minute", "hour", "day", "week", "fortnight", "month", "year", "second"),
        "de": ("sekunde", "minute", "stunde", "tag", "woche", "monat", "jahr"),
        "pt": ("segundo", "minuto", "hora", "dia", "semana", "mes", "ano"),
    }
    return unit in languages[ARTICLES[article]]


def _keys(text: TokenText, place: int, *keys: str) -> bool:
    return all(text.key(place + at) == key for at, key in enumerate(keys))
