"""The register's query language: `plan:pro region:eu renewal<2026-05-01 -tag:choir "two halls"`.

One grammar for accounts and conversations. `name:value` is what something is, `name<value` (and `<=`, `>`, `>=`, `=`)
compares numbers and days, other words all occur; `OR`, `-not` and brackets as everywhere. A name that there is not is an
error, so that a typo is not looked for as a word.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tools.query_languages.ast import (
    EMPTY,
    ME,
    Condition,
    Field,
    NumberValue,
    Op,
    Search,
    SearchError,
    TimeSpan,
    Word,
    all_of,
    any_of,
)
from tools.query_languages.numeric_dates import read_day
from tools.query_languages.terms import Grammar, Joint, Term, read, tree
from tools.query_languages.words import phrase, word

__all__ = ["Kind", "parse"]

Kind: TypeAlias = Literal["name", "number", "day", "moment", "person"]
"""What a field holds: a name; a number; a day kept as text; a moment, asked for by its day; a person, or `me`."""

_COMPARED = re.compile(r"([A-Za-z_]+)(<=|>=|<|>|=|:)(.+)", re.DOTALL)
_OPS: dict[str, Op] = {"<=": "<=", ">=": ">=", "<": "<", ">": ">", "=": "=", ":": "="}
_GRAMMAR = Grammar(names=frozenset(), brackets="()", joints=frozenset({"OR", "AND", "NOT"}))
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_NUMBER = re.compile(r"[0-9]{1,12}")


@dataclass(frozen=True, slots=True)
class _Language:
    fields: Mapping[str, Kind]
    zone: str


def parse(text: str, fields: Mapping[str, Kind], *, zone: str) -> Search:
    """What a query asks for.

    Args:
        fields: the names that there are, and what each holds.
        zone: the searcher's, where days begin at midnight.

    Raises:
        SearchError: a name is unknown, or its value is of another kind.
    """
    language = _Language(fields, zone)
    return Search(tree(read(_quoted_values(text), _GRAMMAR), lambda term: _leaf(term, language), _join))


def _quoted_values(text: str) -> str:
    """A value in quotation marks (`region:"north east"`) kept with its name: the blanks in it become NUL."""
    return re.sub(r'(?<![^\s(-])([A-Za-z_]+(?:<=|>=|<|>|=|:))"([^"]*)"', lambda m: m[1] + m[2].replace(" ", "\0"), text)


def _join(elements: list[Condition | Joint], _is_braced: bool) -> Condition | None:
    """`OR` binds less than standing side by side."""
    either: list[list[Condition]] = [[]]
    for element in elements:
        if element == "OR":
            either.append([])
        elif not isinstance(element, str):
            either[-1].append(element)
    return any_of([found for parts in either if (found := all_of(parts)) is not None])


def _leaf(term: Term, language: _Language) -> Condition | None:
    if term.is_quoted:
        return phrase(term.text)
    compared = _COMPARED.fullmatch(term.text)
    if compared is None:
        return word(term.text)
    written, sign, value = compared[1], compared[2], compared[3].replace("\0", " ")
    name = written.lower()
    if name not in language.fields:
        known = ", ".join(sorted(language.fields))
        raise SearchError(0, f"There is no property '{written}'; expected one of: {known}.", "field")
    return _field(name, _OPS[sign], value, language)


def _field(name: str, op: Op, value: str, language: _Language) -> Field:
    kind = language.fields[name]
    if value.lower() == "none":
        return Field(name, "=", EMPTY, name)
    if kind in ("name", "person") and op != "=":
        raise SearchError(0, f"'{name}' cannot be compared with {op}.", "operator")
    match kind:
        case "person":
            return Field(name, op, ME if value.lower() == "me" else Word(value.removeprefix("@")), name)
        case "number":
            if not _NUMBER.fullmatch(value):
                raise SearchError(0, f"'{name}' takes a number, found '{value}'.", "value")
            return Field(name, op, NumberValue(int(value)), name)
        case "day" | "moment":
            day = read_day(value, language.zone) if _DAY.fullmatch(value) else None
            if day is None:
                raise SearchError(0, f"'{name}' takes a day such as 2026-05-01, found '{value}'.", "value")
            return Field(name, op, Word(value) if kind == "day" else TimeSpan(day.start, day.end, value), name)
        case "name":
            return Field(name, op, Word(value), name)
