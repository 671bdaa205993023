"""Numbers in digits and in words: `8,214`, `8 214`, `12,5`, `eight thousand two hundred and fourteen`, `achttausend`."""

import re
from dataclasses import replace
from fractions import Fraction
from typing import Final

from worlds.values.tokens import DASHES, Number, TokenText
from worlds.values.words import ARTICLES, GERMAN_ONES, NUMBERS, SCALES, fold

__all__ = ["german", "number_at"]

_GROUPED: Final = re.compile(
    r"[1-9][0-9]{0,2}(?P<mark>[.,' ’\u00a0\u202f\u2009])[0-9]{3}(?:(?P=mark)[0-9]{3}){0,3}(?![0-9])"
    r"(?:(?!(?P=mark))[.,][0-9]{1,9}(?![0-9]))?"
)
_DECIMAL: Final = re.compile(r"(?:0|[1-9][0-9]{0,11})[.,][0-9]{1,9}(?![0-9])")
_WHOLE: Final = re.compile(r"(?:0|[1-9][0-9]{0,14})(?![0-9])")
_LIST: Final = re.compile(r"[0-9]{1,4}(?:,[0-9]{1,4}){2}(?![0-9])")
_INDIAN: Final = re.compile(r"[0-9]{1,2}(?:,[0-9]{2}){1,6},[0-9]{3}(?![0-9])")
_HALVES: Final = {"½": Fraction(1, 2), "¼": Fraction(1, 4), "¾": Fraction(3, 4)}
_TENS: Final = {
    fold(word): 10 * at
    for at, word in enumerate(
        ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"], 2
    )
} | {"fuenfzig": 50, "zehn": 10}
_TEENS: Final = {
    f"{one}zehn": 10 + GERMAN_ONES[one] for one in ["drei", "vier", "funf", "fuenf", "sech", "sieb", "acht", "neun"]
}
_STARTS: Final = frozenset(word[:2] for word in (*GERMAN_ONES, *_TENS, "hundert", "tausend"))
_IN_WORDS: Final = frozenset({"hundred", "thousand", "mil"})


def number_at(text: TokenText, place: int) -> Number | None:
    """The longest number that begins at this token; each place is read once."""
    if place not in text.numbers:
        text.numbers[place] = _read(text, place)
    return text.numbers[place]


def _read(text: TokenText, place: int) -> Number | None:
    token = text.at(place)
    if token.kind == "digits":
        number = _digits(text, place)
    elif token.text in _HALVES:
        number = Number(_HALVES[token.text], place + 1)
    elif token.kind == "word":
        number = _spelt(text, place)
    else:
        return None
    return number and _with_repeat(text, _with_scale(text, number))


def _digits(text: TokenText, place: int) -> Number | None:
    start = text.at(place).start
    if _INDIAN.match(text.text, start):
        return None
    if (found := _GROUPED.match(text.text, start)) and not _goes_on(text.text, found.end()):
        raw, _, rest = _parts(found)
        value = Fraction(raw) + (Fraction(int(rest), 10 ** len(rest)) if rest else 0)
        return Number(value, text.place_of(place, found.end()))
    listed = _LIST.match(text.text, start) or (text.at(place - 1).text == "," and text.is_tied(place))
    if not listed and (found := _DECIMAL.match(text.text, start)):
        if _goes_on(text.text, found.end()):
            return None
        value = Fraction(found[0].replace(",", "."))
        return Number(value, text.place_of(place, found.end()))
    if not (found := _WHOLE.match(text.text, start)) or (_goes_on(text.text, found.end()) and not listed):
        return None
    half = text.at(place + 1).text
    if half in _HALVES:
        return Number(int(found[0]) + _HALVES[half], place + 2)
    return Number(Fraction(int(found[0])), place + 1)


def _parts(found: re.Match[str]) -> tuple[int, str, str]:
    whole, point, rest = found[0], "", ""
    for mark in ".,":
        if mark != found["mark"] and mark in whole:
            whole, point, rest = whole.partition(mark)
    return int(re.sub(r"[^0-9]", "", whole)), point, rest


def _goes_on(text: str, end: int) -> bool:
    """Whether the digits go on behind a point or comma, as in a version or a list."""
    return text[end : end + 1] in (".", ",") and text[end + 1 : end + 2].isdigit()


def _with_scale(text: TokenText, number: Number) -> Number:
    """`2 million`, `8.2k`, `two dozen`, `eine Million zweihunderttausend`."""
    key = text.key(number.end)
    if key == "k" and text.is_tied(number.end) and not number.is_spelt:
        return replace(number, value=number.value * 1000, end=number.end + 1)
    if key not in SCALES or (number.is_spelt and key in _IN_WORDS):
        return number
    scale = SCALES[key]
    end = number.end + 1 + (key in ("mio", "mln", "mrd") and text.key(number.end + 1) == ".")
    number = replace(number, value=number.value * scale, end=end, is_article=False)
    if scale == 12 or not number.is_spelt:
        return number
    rest = _words(text, number.end)
    small = rest.value if rest else german(text.key(number.end)) or 0
    if not 0 < small < scale:
        return number
    return replace(number, value=number.value + small, end=rest.end if rest else number.end + 1)


def _with_repeat(text: TokenText, number: Number) -> Number:
    """`ten (10)` and `10 (ten)` are one number."""
    if text.at(number.end).text != "(":
        return number
    at = number.end + 1
    again = (
        _spelt(text, at) if text.at(at).kind == "word" else _digits(text, at) if text.at(at).kind == "digits" else None
    )
    if again is None or again.value != number.value or text.at(again.end).text != ")":
        return number
    return replace(number, end=again.end + 1) if again.is_spelt != number.is_spelt else number


def _spelt(text: TokenText, place: int) -> Number | None:
    key, after = text.key(place), text.key(place + 1)
    if key in ("half", "halbes", "meia"):
        end = place + 1 + (after == "a")
        return Number(Fraction(6), end + 1, is_spelt=True) if text.key(end) in ("dozen", "dutzend", "duzia") else None
    if key in ("a", "an") and after in ("hundred", "thousand"):
        return _words(text, place + 1)
    if key in NUMBERS or key in _IN_WORDS:
        number = _words(text, place)
        is_article = key in ARTICLES and number is not None and number.end == place + 1 and after not in SCALES
        return number and replace(number, is_article=is_article)
    if key in ARTICLES:
        return Number(Fraction(1), place + 1, is_article=True, is_spelt=True)
    value = german(key)
    return None if value is None else Number(Fraction(value), place + 1, is_spelt=True)


def _words(text: TokenText, place: int) -> Number | None:
    """English and Portuguese number words, each smaller than what the one before leaves room for."""
    total, current, room, end = 0, 0, 1000, place
    while True:
        if end > place and _joins(text, end, room):
            end += 1
        key = text.key(end)
        if key in NUMBERS and NUMBERS[key] < room and (NUMBERS[key] or end == place):
            current += NUMBERS[key]
            room = 100 if NUMBERS[key] >= 100 else 10 if NUMBERS[key] >= 20 else 0
        elif key == "hundred" and current < 100:
            current, room = (current or 1) * 100, 100
        elif key in ("thousand", "mil") and not total:
            total, current, room = (current or 1) * 1000, 0, 1000
        else:
            break
        end += 1
    return Number(Fraction(total + current), end, is_spelt=True) if end > place else None


def _joins(text: TokenText, place: int, room: int) -> bool:
    """Whether this token is the hyphen of `forty-two`, the "and" of `two hundred and one` or the "e" of `vinte e dois`."""
    key, value = text.key(place), NUMBERS.get(text.key(place + 1), 0)
    if not 0 < value < room:
        return False
    if key in DASHES:
        return room == 10 and text.is_tied(place) and text.is_tied(place + 1)
    if key == "e":
        return not (value == 1 and text.key(place + 2) == "quarto")
    return key == "and" and room >= 100


def german(word: str) -> int | None:
    """The number that one folded German word states: `achttausendzweihundertvierzehn` -> 8214; None where it states none."""
    if word[:2] not in _STARTS or len(word) > 90:
        return None
    thousands, has_thousand, rest = word.rpartition("tausend")
    below = _hundreds(rest.removeprefix("und")) if rest else 0
    above = _hundreds(thousands) if thousands else int(bool(has_thousand))
    if below is None or above is None or (has_thousand and thousands and not above):
        return None
    return above * 1000 + below


def _hundreds(word: str) -> int | None:
    hundreds, has_hundred, rest = word.rpartition("hundert")
    above = GERMAN_ONES.get(hundreds, -1) if hundreds else int(bool(has_hundred))
    rest = rest.removeprefix("und") if has_hundred else rest
    if not 0 <= above <= 19:
        return None
    if not rest:
        return above * 100 if has_hundred else None
    if (small := GERMAN_ONES.get(rest, _TEENS.get(rest, _TENS.get(rest)))) is not None:
        return above * 100 + small
    one, _, ten = rest.partition("und")
    if ten in _TENS and 0 < GERMAN_ONES.get(one, 0) < 10:
        return above * 100 + _TENS[ten] + GERMAN_ONES[one]
    return None
