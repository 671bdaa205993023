"""Gmail's search language, as its search box and the `q` of its API take it.

Sources: Gmail Help, "Refine searches in Gmail" (support.google.com/mail/answer/7190) for the operators; the Gmail
API guide "Searching for messages" for dates (midnight in the zone, or seconds since 1970) and for `from: somebody`
with a space. Reading never fails (`problems` names what makes no sense, and our apps refuse it): Google documents no error, and an operator that it does not list, or a date that is
none, is looked for as words (our reading; no source says so). `OR` binds tighter than the space between two terms,
`{a b}` is `(a OR b)`, and only capitals join.

Fields: `sender`, `to`, `cc`, `bcc`, `delivered_to`, `subject`, `attachment`, `list` (`~`, or `=` with `ME`);
`label` (`=` with a `label_key`; `in:` too), `scope` (`anywhere`), `is`, `has`, `category`, `message_id` (`=`);
`date` (`>=`, `<` with a `Span`) and `size` in bytes (`>`, `<`, `=`).
"""

import re

from brownout.core.calendar_days import clamped, moved
from brownout.core.instants import DAY, HOUR, SECOND, Instant
from tools.query_languages.ast import (
    ME,
    And,
    Condition,
    Field,
    Match,
    Not,
    NumberValue,
    Op,
    Or,
    Search,
    TextNode,
    TimeSpan,
    Value,
    Word,
    all_of,
    any_of,
    conditions,
)
from tools.query_languages.mistakes import DAY as A_DAY
from tools.query_languages.mistakes import mistakes_in
from tools.query_languages.numeric_dates import read_day
from tools.query_languages.terms import Grammar, Joint, Term, quoted, read, tree
from tools.query_languages.words import phrase, word

__all__ = ["hides_spam_and_trash", "label_key", "parse", "problems", "unparse"]

_TEXTS = {
    "from": "sender",
    "to": "to",
    "cc": "cc",
    "bcc": "bcc",
    "deliveredto": "delivered_to",
    "subject": "subject",
    "filename": "attachment",
    "list": "list",
}
_PEOPLE = frozenset({"from", "to", "cc", "bcc", "deliveredto"})
_NAMES = {"label": "label", "in": "label", "is": "is", "has": "has", "category": "category"}
_DATES: dict[str, Op] = {
    "after": ">=",
    "newer": ">=",
    "newer_than": ">=",
    "before": "<",
    "older": "<",
    "older_than": "<",
}
_SIZES: dict[str, Op] = {"larger": ">", "smaller": "<", "size": "="}

_GRAMMAR = Grammar(
    names=frozenset({*_TEXTS, *_NAMES, *_DATES, *_SIZES, "rfc822msgid"}),
    brackets="(){}",
    joints=frozenset({"AND", "OR"}),
    spaced=True,
)
_AGE = re.compile(r"([0-9]{1,6})([hdmy])", re.IGNORECASE)
_SECONDS = re.compile(r"[0-9]{8,11}")
_SIZE = re.compile(r"([0-9]{1,12})([kmg]?)b?", re.IGNORECASE)
_FACTORS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_HIDDEN = frozenset({"spam", "trash"})


def parse(text: str, *, now: Instant, zone: str) -> Search:
    """What a query asks for; never fails.

    Args:
        text: the query.
        now: for `newer_than:2d`.
        zone: where days begin at midnight. The API uses `America/Los_Angeles` for everybody, the search box the
            reader's own zone.
    """
    tokens = read(text, _GRAMMAR)
    return Search(tree(tokens, lambda term: _leaf(term, now, zone), _join))


def problems(text: str, *, now: Instant, zone: str) -> list[str]:
    """What a query says that makes no sense, which `parse` takes for words."""
    expected = {
        **dict.fromkeys(_DATES, A_DAY),
        **dict.fromkeys(("newer_than", "older_than"), "an age such as 2d, 1m or 1y"),
        **dict.fromkeys(_SIZES, "a size such as 500k or 5m"),
    }
    return [*mistakes_in(text, _GRAMMAR, lambda term: _field(term, now, zone) is not None, expected)]


def label_key(name: str) -> str:
    """A label as queries spell it: lower case, `-` for spaces and slashes (`label:my-family` finds "My family")."""
    return re.sub(r"[\s/]", "-", name.strip().lower())


def hides_spam_and_trash(search: Search) -> bool:
    """Whether the search leaves out spam and trash, as it does unless it names one of them or `in:anywhere`."""
    return not any(
        isinstance(leaf, Field)
        and (
            leaf.name == "scope"
            or (leaf.name == "label" and isinstance(leaf.value, Word) and leaf.value.text in _HIDDEN)
        )
        for leaf in conditions(search.condition)
    )


def _join(elements: list[Condition | Joint], is_braced: bool) -> Condition | None:
    if is_braced:
        return any_of([element for element in elements if not isinstance(element, str)])
    choices: list[list[Condition]] = []
    is_choice = False
    for element in elements:
        if isinstance(element, str):
            is_choice = element == "OR"
        elif is_choice and choices:
            choices[-1].append(element)
            is_choice = False
        else:
            choices.append([element])
            is_choice = False
    return all_of([choice for group in choices if (choice := any_of(group))])


def _leaf(term: Term, now: Instant, zone: str) -> Condition | None:
    if not term.name:
        if term.is_quoted:
            return phrase(term.text)
        exact = term.text.lstrip("+")
        return word(exact) if exact == term.text else phrase(exact)
    return _field(term, now, zone) or term.as_text()


def _field(term: Term, now: Instant, zone: str) -> Field | None:
    """The condition of an operator, None if its value makes no sense."""
    name, text = term.name, term.text
    if name in _TEXTS:
        if name in _PEOPLE and text.lower() == "me" and not term.is_quoted:
            return Field(_TEXTS[name], "=", ME, name)
        sought = phrase(text) if term.is_quoted else word(text)
        return Field(_TEXTS[name], "~", Match((sought,)), name) if sought else None
    if name == "in" and text.lower() == "anywhere":
        return Field("scope", "=", Word("anywhere"), name)
    if name in _NAMES:
        return Field(_NAMES[name], "=", Word(label_key(text)), name)
    if name in _DATES:
        span = _age(text, now, zone) if name.endswith("_than") else _date(text, zone)
        return Field("date", _DATES[name], span, name) if span else None
    if name in _SIZES:
        found = _SIZE.fullmatch(text)
        size = int(found[1]) * _FACTORS[found[2].lower()] if found else 0
        return Field("size", _SIZES[name], NumberValue(size), name) if found and size < 1 << 62 else None
    return Field("message_id", "=", Word(text.strip("<>")), name) if text.strip("<>") else None


def _date(text: str, zone: str) -> TimeSpan | None:
    if _SECONDS.fullmatch(text):
        at = clamped(int(text) * SECOND)
        return TimeSpan(at, at + SECOND, text)
    day = read_day(text, zone)
    return TimeSpan(day.start, day.end, text) if day else None


def _age(text: str, now: Instant, zone: str) -> TimeSpan | None:
    """The moment that long before now: hours and days by the clock, months and years by the calendar."""
    found = _AGE.fullmatch(text)
    if not found:
        return None
    count, unit = int(found[1]), found[2].lower()
    if unit in "hd":
        at = clamped(now - count * (HOUR if unit == "h" else DAY))
    else:
        at = moved(now, zone, months=-count * (12 if unit == "y" else 1))
    return TimeSpan(at, at + 1, text)


def unparse(search: Search) -> str:
    """A query that asks for the same; reading it again gives an equal search."""
    return "" if search.condition is None else _written(search.condition)


def _written(condition: Condition) -> str:
    match condition:
        case And(parts):
            return " ".join(_written(part) for part in parts)
        case Or(parts):
            return " OR ".join(_grouped(part) if isinstance(part, And) else _written(part) for part in parts)
        case Not(part):
            return "-" + (_grouped(part) if isinstance(part, And | Or) else _written(part))
        case TextNode(words, phrase=is_phrase):
            return f'"{" ".join(words)}"' if is_phrase else " ".join(words)
        case Field(value=value, written=name):
            return f"{name}:{_value(value)}"


def _grouped(condition: Condition) -> str:
    return f"({_written(condition)})"


def _value(value: Value) -> str:
    match value:
        case Match((text,)):
            return _written(text)
        case Word(text) | TimeSpan(source=str(text)):
            return quoted(text)
        case NumberValue(number):
            return str(number)
        case _:
            return "me"
