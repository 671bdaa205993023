"""Texts written whole in a company whose storylines state numbers as facts: another number stands where one of those would.

A script that speaks of 12 monitors would be left out of a world in which something has 12 hours of notice; with 11 it is held.
"""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

__all__ = ["moved_text", "moves", "words_of"]

_DISTINCT: Final = r"[^\s\[\]|.,;:!?()`\"']+(?:[.:,/'][^\s\[\]|.,;:!?()`\"']+)*"
"""Words of a script as `Life.is_free` sees them, those of its alternatives too."""
_WORD: Final = re.compile(
    rf"(?P<mark>^[ \t]*(?:[A-Z]: )?\d{{1,3}}[.)](?=\s)|\(\d\)(?= [A-Z]))|{_DISTINCT}", re.MULTILINE
)
"""A word, or the number of a point in a list, `3.` at the beginning of a line or `(3)` before a sentence, which states nothing."""
_MONTH: Final = "(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)"
_FIXED: Final = re.compile(
    rf"\b(?:24 ?(?:h|hours)|12 months|7 days|30 net|60 (?:seconds|minutes)|\d+\.? {_MONTH}[a-z]*|{_MONTH}[a-z]* \d+)\b",
    re.IGNORECASE,
)
"""Numbers that cannot be another one."""
_SMALLEST: Final = 5
"""Smaller ones count what stands in the script, `file 3 of 4`; they are written as words where they stand between words."""
_SPELT: Final[Mapping[str, str]] = {"2": "two", "3": "three", "4": "four"}
_FIGURE: Final = re.compile(
    r"(?<![\w.,:/'-])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w:/]|[.,]\d)|[a-z]+", re.IGNORECASE
)
"""A figure of a script, `40`, `1,240.50` or a word that may be one."""
_FIGURES_OF_WORDS: Final[Mapping[str, float]] = {
    **{
        word: 3.0 + number
        for number, word in enumerate(
            ("three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen")
        )
    },
    **dict(zip(("twenty", "thirty", "forty", "fifty"), (20.0, 30.0, 40.0, 50.0), strict=True)),
}
_HALVED: Final = re.compile(r"\b(?:half|twice|doubled?|halved)\b", re.IGNORECASE)
_LEAST_ADDED: Final = 3
_LEAST_FACTOR: Final = 5
"""Smaller ones go with everything: 12 and 13 stand beside each other by chance, 8 beside 4."""
_LONGEST_SUM: Final = 12
_UNITS: Final = frozenset({"h", "s", "m", "x", "am", "pm", "mb", "gb", "ms", "min", "px", "eur", "km", "cm", "kg"})
_BEFORE, _AFTER = " ([|", ".,;!?)]|\n"


def moves(script: str, taken: frozenset[str]) -> Mapping[str, str] | None:
    """Which numbers of a script are to be which, so that it has none of the words; None where that is not enough.

    A number that others of the script add up to or make is not another one: 12 of 40 are here, 28 are not.

    Example:
        >>> moves("A: 3 people", frozenset({"3"}))
        {'3': 'three'}
        >>> moves("A: 12 of 40 are here", frozenset({"12", "40"}))
        {'12': '11', '40': '35'}
        >>> moves("A: (3) Everyone is here", frozenset({"3"}))
        {}
        >>> moves("A: the patient is here", frozenset({"patient"})) is None
        True
        >>> moves("A: 12 of 40 are here, 28 are not", frozenset({"12"})) is None
        True
    """
    words = [*_WORD.finditer(script)]
    said = words_of(script)
    listed = {number for found in words if found["mark"] for number in re.findall(r"\d+", found["mark"])}
    stated = said & taken
    if not stated:
        return {}
    spelt = {
        word: _SPELT[word]
        for word in stated
        if word in _SPELT and _is_among_words(word, script) and _SPELT[word] not in taken
    }
    if any(not _is_plain(word) for word in stated.difference(spelt)) or stated & listed:
        return None
    if any(not stated.isdisjoint(re.findall(r"\d+", found)) for found in _FIXED.findall(script)):
        return None
    found = spelt
    figures = _figures(script) if stated.difference(spelt) else ()
    is_halved = _HALVED.search(script) is not None
    for word in sorted(stated.difference(spelt), key=int):
        if _is_added(float(word), figures) or _is_multiplied(float(word), {*figures}, is_halved):
            return None
        other = _near(int(word), said | taken | {*found.values()})
        if other is None:
            return None
        found[word] = other
    return found


def moved_text(text: str, numbers: Mapping[str, str]) -> str:
    """A text with other numbers: `12 of them, see 12.` with 12 moved to 11 becomes `11 of them, see 11.`."""
    if not numbers:
        return text
    return _WORD.sub(lambda found: found[0] if found["mark"] else numbers.get(found[0], found[0]), text)


def words_of(text: str) -> frozenset[str]:
    """The words of a text, small: of `3. Ask Ann` only `ask` and `ann`, for the number of a point in a list states nothing."""
    return frozenset(found[0].lower() for found in _WORD.finditer(text) if found["mark"] is None)


def _figures(script: str) -> tuple[float, ...]:
    """The figures of a script in their order, those that are words too."""
    words = (found[0].lower() for found in _FIGURE.finditer(script))
    figures = (_FIGURES_OF_WORDS.get(word) if word.isalpha() else float(word.replace(",", "")) for word in words)
    return tuple(round(figure, 2) for figure in figures if figure is not None)


def _is_added(number: float, figures: Sequence[float]) -> bool:
    """Whether figures add up to a number, or to another one with it: two of them anywhere, more of them in a row."""
    shares = {figure for figure in figures if figure >= _LEAST_ADDED and figure != number}
    if any(round(number + one, 2) in shares or round(number - one, 2) in shares - {one} for one in shares):
        return True
    sums = (
        (figures[begin:end], round(sum(figures[begin:end]), 2))
        for begin in range(len(figures))
        for end in range(begin + 3, min(begin + _LONGEST_SUM, len(figures)) + 1)
    )
    return any(total == number or (number in run and total in shares) for run, total in sums)


def _is_multiplied(number: float, figures: AbstractSet[float], is_halved: bool) -> bool:
    """Whether a number is made of two of the figures, or makes one with another: 12 boxes of 15 are 180."""
    factors = {figure for figure in figures if figure >= _LEAST_FACTOR} - {number}
    halves = {2.0} if is_halved else set()
    return any(
        round(number * one, 2) in factors or round(number / one, 2) in factors - {one} for one in factors | halves
    )


def _is_plain(word: str) -> bool:
    return word.isascii() and word.isdigit() and _SMALLEST <= int(word) < 1000 and not word.startswith("0")


def _is_among_words(number: str, script: str) -> bool:
    """Whether a number could be written as a word wherever it stands: `3 of them`, but not `3 pm` or `3 of 4`."""
    for found in re.finditer(rf"(?<![\w.,:/'-]){number}(?![\w])", script):
        before, after = script[found.start() - 1 : found.start()], script[found.end() :]
        follows = re.match(r" ([a-z]+)\b(?! \d)", after)
        if before not in _BEFORE or not (after[:1] in _AFTER or (follows and follows[1] not in _UNITS)):
            return False
        if re.match(r"[.,]\d", after) or script.count("`", script.rfind("\n", 0, found.start()) + 1, found.start()) % 2:
            return False
    return True


def _near(number: int, taken: AbstractSet[str]) -> str | None:
    """The nearest number of the same roundness that is not taken."""
    step = 5 if number % 5 == 0 and number >= 10 else 1
    near = (number + sign * step * far for far in range(1, 7) for sign in (-1, 1))
    return next((str(one) for one in near if one >= _SMALLEST and str(one) not in taken), None)
