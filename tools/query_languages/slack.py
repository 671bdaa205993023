"""Slack's search language, as its search box and `search.messages` take it.

Source: Slack Help, "Search in Slack" (slack.com/help/articles/202528808). Words must all occur; there is no `OR` and
there are no groups. `after:` a day means from the next day on and `before:` ends with the day before, as users of the
API measured. Several `in:`, or several `from:`, widen the search, since a message has one place and one author (our
reading of the filters, which offer several; no source says so). Reading never fails (`problems` names what makes no sense, and our apps refuse it): an unknown modifier, or a date that
is none, is looked for as words (our reading too).

Fields: `conversation` (`=`, `#channel` or `@person`), `sender`, `to`, `participant` (`=`, a name without `@`, or
`ME`), `has` and `is` (`=`), `reaction` and `my_reaction` (`=`, an emoji's name), `date` (`<`, `>`, `=` with a `Span`).
"""

import re

from brownout.core.calendar_days import Stretch, day_of, month_of, year_of
from brownout.core.instants import DAY, Instant, local
from tools.query_languages.ast import (
    ME,
    And,
    Condition,
    Field,
    Not,
    Op,
    Or,
    Search,
    TextNode,
    TimeSpan,
    Word,
    all_of,
    any_of,
)
from tools.query_languages.mistakes import DAY as A_DAY
from tools.query_languages.mistakes import mistakes_in
from tools.query_languages.numeric_dates import MONTHS, read_day
from tools.query_languages.terms import Grammar, Joint, Term, quoted, read, tree
from tools.query_languages.words import phrase, word

__all__ = ["parse", "problems", "unparse"]

_PEOPLE = {"from": "sender", "to": "to", "with": "participant"}
_DATES: dict[str, Op] = {"before": "<", "after": ">", "on": "=", "during": "="}
_WIDENING = frozenset({"conversation", "sender"})
_GRAMMAR = Grammar(names=frozenset({*_PEOPLE, *_DATES, "in", "has", "hasmy", "is"}))

_REFERENCE = re.compile(r"<([@#])([^<|>]+)(?:\|[^>]*)?>")
_EMOJI = re.compile(r":([^:\s]+):")
_YEAR = re.compile(r"[0-9]{4}")
_MONTH = re.compile(r"([0-9]{4})[-/]([0-9]{1,2})")
_SHORTEST_PREFIX = 3


def parse(text: str, *, now: Instant, zone: str) -> Search:
    """What a query asks for; never fails.

    Args:
        text: the query.
        now: for `today`, `yesterday` and the latest `august`.
        zone: the searcher's, where days begin at midnight.
    """
    return Search(tree(read(text, _GRAMMAR), lambda term: _leaf(term, now, zone), _join))


def problems(text: str, *, now: Instant, zone: str) -> list[str]:
    """What a query says that makes no sense, which `parse` takes for words."""
    expected = {**dict.fromkeys(_DATES, f"{A_DAY}, yesterday, or a month"), "hasmy": "an emoji such as :eyes:"}
    return [*mistakes_in(text, _GRAMMAR, lambda term: _field(term, now, zone) is not None, expected)]


def _join(elements: list[Condition | Joint], _is_braced: bool) -> Condition | None:
    found = [element for element in elements if not isinstance(element, str)]
    parts: list[Condition] = []
    seen: set[str] = set()
    for part in found:
        if not isinstance(part, Field) or part.name not in _WIDENING:
            parts.append(part)
        elif part.name not in seen:
            seen.add(part.name)
            alike: list[Condition] = [other for other in found if isinstance(other, Field) and other.name == part.name]
            parts.append(any_of(alike) or part)
    return all_of(parts)


def _leaf(term: Term, now: Instant, zone: str) -> Condition | None:
    if term.name:
        return _field(term, now, zone) or term.as_text()
    if term.is_quoted:
        return phrase(term.text)
    stem = term.text.rstrip("*")
    is_prefix = stem != term.text and len(stem) >= _SHORTEST_PREFIX
    return word(stem, prefix=True) if is_prefix else word(term.text)


def _field(term: Term, now: Instant, zone: str) -> Field | None:
    """The condition of a modifier, None if its value makes no sense."""
    name = term.name
    text = term.text.strip()
    if reference := _REFERENCE.fullmatch(text):
        text = reference[1] + reference[2]
    if name in _PEOPLE:
        person = text.lstrip("@")
        return Field(_PEOPLE[name], "=", ME if person.lower() == "me" else Word(person), name) if person else None
    if name == "in":
        place = text if text.startswith(("#", "@")) else f"#{text}"
        return Field("conversation", "=", Word(place), name) if len(place) > 1 else None
    if name in ("has", "hasmy"):
        emoji = _EMOJI.fullmatch(text)
        if emoji:
            return Field("reaction" if name == "has" else "my_reaction", "=", Word(emoji[1].lower()), name)
        return Field("has", "=", Word(text.lower()), name) if name == "has" else None
    if name == "is":
        return Field("is", "=", Word(text.lower()), name)
    stretch = _stretch(text.lower(), now, zone)
    return Field("date", _DATES[name], TimeSpan(stretch.start, stretch.end, text), name) if stretch else None


def _stretch(text: str, now: Instant, zone: str) -> Stretch | None:
    """The day, month or year that is meant; a month alone is the latest that has begun."""
    if text in ("today", "yesterday"):
        here = local(now if text == "today" else now - DAY, zone)
        return day_of(here.year, here.month, here.day, zone)
    if _YEAR.fullmatch(text):
        return year_of(int(text), zone)
    if found := _MONTH.fullmatch(text):
        return month_of(int(found[1]), int(found[2]), zone)
    months = [number for number, name in enumerate(MONTHS, start=1) if text in (name, name[:3])]
    if months:
        here = local(now, zone)
        return month_of(here.year - (months[0] > here.month), months[0], zone)
    return read_day(text, zone)


def unparse(search: Search) -> str:
    """A query that asks for the same; reading it again gives an equal search."""
    return "" if search.condition is None else _written(search.condition)


def _written(condition: Condition) -> str:
    match condition:
        case And(parts) | Or(parts):
            return " ".join(_written(part) for part in parts)
        case Not(part):
            return f"-{_written(part)}"
        case TextNode(words, phrase=is_phrase, prefix=is_prefix):
            text = " ".join(words)
            return f'"{text}"' if is_phrase else text + "*" * is_prefix
        case Field(name, value=value, written=written):
            return f"{written}:{_value(name, value)}"


def _value(name: str, value: object) -> str:
    match value:
        case Word(text):
            text = f":{text}:" if name in ("reaction", "my_reaction") else text
            return quoted(f"@{text}" if name in _PEOPLE.values() else text, "")
        case TimeSpan(source=str(text)):
            return quoted(text, "")
        case _:
            return "me"
