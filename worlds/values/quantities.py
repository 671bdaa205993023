"""Numbers with what they count: `31 clinics`, `15,- €`, `12.5 %`, `R$ 15`, `a dozen seats`; never a part of a name."""

import re
from fractions import Fraction
from typing import Final

from worlds.values.kinds import QuantityValue
from worlds.values.numbers import number_at
from worlds.values.tokens import DASHES, TokenReading, TokenText
from worlds.values.words import (
    ARTICLES,
    CURRENCIES,
    DURATION_UNITS,
    MONTHS,
    NOT_UNITS,
    REFERENCES,
    UNITS,
    fold,
    words_of,
)

__all__ = ["quantity_at"]

_SIGNS: Final = {
    "€": "EUR",
    "$": "USD",
    "£": "GBP",
    "¥": "JPY",
    "eur": "EUR",
    "usd": "USD",
    "gbp": "GBP",
    "chf": "CHF",
    "brl": "BRL",
}
_KEY: Final = re.compile(r"[A-Z][A-Z0-9]{1,7}")
"""A project's or a document's key: `BOOK 487`, `ISO 9001`."""
_STREET: Final = re.compile(r"\w*(?:strasse|str|platz|allee|gasse|weg|ufer)")
_STREETS: Final = words_of("street road avenue lane st rd ave square drive")
_LONGEST_SYMBOL: Final = 4
"""Letters."""
_BETWEEN: Final = words_of("of von de das dos the our all den der unserer our das dos die nossas nossos os as")
_LINKS: Final = words_of(
    "and or to in at on for is are was were by with und oder in an auf bei ist sind war waren mit e ou em "
    "com para a not no out from until bis ate than per pro por but aber mas which that die der das"
)


def quantity_at(text: TokenText, place: int) -> TokenReading | None:
    """The longest quantity that begins at this token; of no kind where the number names something."""
    currency, start = _currency(text, place)
    if not currency and text.at(place).kind == "sign" and text.at(place).text not in "-−½¼¾":
        return None
    sign = 1
    if (text.at(start).text in ("-", "−") and text.is_tied(start + 1) and not text.is_tied(start)) or (
        text.key(start) == "minus" and text.at(start + 1).kind == "digits"
    ):
        sign, start = -1, start + 1
    number = number_at(text, start)
    if number is None or text.key(number.end) in DURATION_UNITS:
        return None
    end, unit = number.end, currency
    is_dashed = text.at(end).text in (",", ".") and text.at(end + 1).text in DASHES and text.is_tied(end + 1)
    if is_dashed and (currency or UNITS.get(text.key(end + 2)) in CURRENCIES):
        end += 2  # 15,- €
    if not currency:
        unit, end = _unit(text, end)
    is_known = text.key(end - 1) in UNITS or text.key(end - 1) in text.units
    is_counted = text.key(start) == "one" and unit and end == number.end + 1 and is_known
    is_whole_answer = text.expected == "quantity" and (place, number.end) == (0, text.size)
    if number.is_article and not (is_counted or is_whole_answer):
        return None
    if not currency and sign > 0 and _names(text, place, number.end, is_bare=not unit):
        return TokenReading("", place, end)
    value = sign * number.value
    if unit == "%" and abs(value) >= 1000 and number.end - start > 1:
        return TokenReading("", place, end)  # 12.345 % is twelve or twelve thousand
    if unit in CURRENCIES:
        value, end = _with_cents(text, value, end)
    return TokenReading("quantity", place, end, QuantityValue(value, unit))


def _currency(text: TokenText, place: int) -> tuple[str, int]:
    """The currency before a number and the number's place."""
    token = text.at(place)
    at = place + 1
    if token.text == "R" and text.at(at).text == "$":
        return "BRL", at + 1
    if token.text == "US" and text.at(at).text == "$":
        return "USD", at + 1
    is_code = token.key in _SIGNS and (token.kind == "sign" or token.text.isupper())
    return (_SIGNS[token.key], at) if is_code and text.at(at).kind == "digits" else ("", place)


def _unit(text: TokenText, place: int) -> tuple[str, int]:
    """The unit behind a number, one adjective between them at most, and where it ends."""
    at = place
    if text.at(at).text in DASHES and text.is_tied(at) and text.is_tied(at + 1):
        at += 1
    key = text.key(at)
    if key in ("percentage", "percent") and text.key(at + 1) in ("point", "points"):
        return "percentage point", at + 2
    if key in ("business", "working", "work") and text.key(at + 1) in ("day", "days"):
        return "business day", at + 2
    if key in ("por", "per") and text.key(at + 1) in ("cento", "cent"):
        return "%", at + 2
    if key == "pontos" and text.key(at + 1) == "percentuais":
        return "percentage point", at + 2
    if key in ("dia", "dias") and text.key(at + 1) == "uteis":
        return "business day", at + 2
    if key == "°" and text.key(at + 1) == "c":
        return "°C", at + 2
    if known := text.units.get(key) or UNITS.get(key):
        return known, at + 1
    if symbol := _symbol(text, at):
        return symbol
    last = at
    while last < at + 3 and text.key(last) in _BETWEEN:
        last += 1
    for more in (last, last + 1):
        known = text.units.get(text.key(more)) or UNITS.get(text.key(more)) or text.units.get(_noun(text, more))
        between = text.at(more - 1)
        is_adjective = more == last or (between.kind == "word" and between.text.islower() and between.key not in _LINKS)
        if (
            more > at
            and known
            and known not in ("%", "m", "time", "cent")
            and is_adjective
            and text.at(at).kind == "word"
        ):
            return known, more + 1
    noun = _noun(text, at)
    return (noun, at + 1) if noun else ("", place)


def _symbol(text: TokenText, place: int) -> tuple[str, int] | None:
    """A unit's symbol and where it ends: `kWh`, `MHz`, `mg/l`; None where a word is none."""
    word = text.at(place)
    if word.kind != "word" or len(word.text) > _LONGEST_SYMBOL:
        return None
    over = text.at(place + 2)
    if text.at(place + 1).text == "/" and text.is_tied(place + 1) and text.is_tied(place + 2) and over.kind == "word":
        return (f"{word.text}/{over.text}", place + 3) if len(over.text) <= _LONGEST_SYMBOL else None
    is_mixed = not word.text.islower() and not word.text[1:].islower() and not word.text.isupper()
    return (word.text, place + 1) if is_mixed else None


def _noun(text: TokenText, place: int) -> str:
    """An unknown noun in the plural, put in the singular as its language's rule goes; "" for other words."""
    word, key = text.at(place), text.key(place)
    if word.kind != "word" or len(key) < 4 or key in NOT_UNITS or key in _LINKS or key in MONTHS or key in ARTICLES:
        return ""
    if text.is_tied(place) and text.at(place - 1).kind == "digits":
        return ""
    if word.text[0].isupper():
        return key if key.endswith(("en", "er", "e", "s")) and not word.text.isupper() else ""
    if not key.endswith("s") or key.endswith(("ss", "us", "is")):
        return ""
    if key.endswith("ies"):
        return key[:-3] + "y"
    return key[:-2] if key.endswith(("sses", "xes", "ches", "shes")) else key[:-1]


def _names(text: TokenText, place: int, end: int, *, is_bare: bool) -> bool:
    """Whether the number is somebody's or something's name: `PR 51`, `BOOK 487`, `port 8080`, `Hauptstraße 12`, `12 Baker Street`."""
    before = text.at(place - 1)
    is_dotted = before.text == "." and text.is_tied(place - 1)
    label = text.at(place - 2) if is_dotted else before
    if is_bare and (
        label.text == "§"
        or label.key in REFERENCES
        or (label.kind == "word" and (_KEY.fullmatch(label.text) or _STREET.fullmatch(label.key[-12:])))
    ):
        return text.at(place).kind == "digits"
    if is_bare and text.key(place - 2) in ("rua", "avenida", "praca", "travessa"):
        return True
    following = [text.at(end + at) for at in range(3)]
    return following[0].text[:1].isupper() and any(fold(token.text) in _STREETS for token in following[1:])


def _with_cents(text: TokenText, value: Fraction, end: int) -> tuple[Fraction, int]:
    """`15 euros and 50 cents` is one amount."""
    at = end + (text.key(end) in ("and", "und", "e"))
    cents = number_at(text, at)
    if cents and cents.value < 100 and UNITS.get(text.key(cents.end)) == "cent":
        return value + cents.value / 100, cents.end + 1
    return value, end
