"""JQL, Jira's query language.

Sources: Atlassian's "JQL fields", "operators", "keywords" and "functions" pages (support.atlassian.com), and the
grammar and tests named in `jql_tokens`. `parse` raises for what cannot be read, in Jira's words; `problems` lists what
can be read but asks for an unknown field, an operator that a field does not have, or a date that is none.

Fields are those the app gives. `~` looks for all words of its text (`Match`): `"stand by"` inside it side by side,
`win*` by its beginning; words with `OR` between them widen. Brackets nest `DEEPEST` deep, then JQL is refused (our
limit; Jira's is not documented). `AND` binds tighter than `OR`, keywords have no case, nested lists are spread out.
"""

import re
from collections.abc import Mapping

from brownout.core.calendar_days import day_of
from brownout.core.instants import Instant, local
from tools.query_languages.ast import (
    And,
    Condition,
    Empty,
    Field,
    Function,
    Match,
    Not,
    NumberValue,
    Op,
    Or,
    Order,
    PastValue,
    Predicate,
    Search,
    TextNode,
    TimeSpan,
    Value,
    Values,
    Word,
    conditions,
)
from tools.query_languages.jql_dates import Clock, WeekStart, date, date_function
from tools.query_languages.jql_fields import FUNCTIONS, FieldKind, JqlField, problems
from tools.query_languages.jql_parser import Parser
from tools.query_languages.jql_tokens import quoted, read
from tools.query_languages.words import phrase, word

__all__ = ["FUNCTIONS", "FieldKind", "JqlField", "is_dated", "parse", "problems", "unparse"]

_MATCHED = re.compile(r'"([^"]*)"?|([^\s"]+)')
_CUSTOM = re.compile(r"cf\[[0-9]+\]", re.IGNORECASE)
_DATED = frozenset({"before", "after", "on", "during"})
_FUNCTIONS = {name.lower(): name for name in FUNCTIONS}


def parse(
    text: str, *, now: Instant, zone: str, fields: Mapping[str, JqlField], week_starts: WeekStart = "sunday"
) -> Search:
    """What a query asks for.

    Args:
        text: the query; an empty one asks for everything.
        now: what relative dates count from.
        zone: the searcher's, where days begin at midnight.
        fields: known fields by each spelling in lower case. A field of another name is read all the same, without
            dates; `problems` reports it.
        week_starts: of `startOfWeek()`; Jira takes it from the site's language.

    Raises:
        SearchError: the query cannot be read.
    """
    clock = Clock(now, zone, week_starts)
    condition, order = Parser(
        text, read(text), lambda written, op, value: _field(written, op, value, fields, clock)
    ).query()
    return Search(condition, tuple(_order(written, direction, fields) for written, direction in order))


def is_dated(search: Search) -> bool:
    """Whether a query names a time: it then asks for something else tomorrow, or in another zone."""
    return any(isinstance(each, Field) and _names_time(each.value) for each in conditions(search.condition))


def _names_time(value: Value) -> bool:
    match value:
        case Values(items):
            return any(map(_names_time, items))
        case PastValue(former, predicates):
            named = [*([] if former is None else [former]), *(each.value for each in predicates)]
            return any(map(_names_time, named))
        case _:
            return isinstance(value, TimeSpan)


def _order(written: str, direction: str, fields: Mapping[str, JqlField]) -> Order:
    spec = fields.get(written.lower())
    is_descending = direction == "desc" if direction else spec is not None and spec.is_descending
    return Order(spec.name if spec else written.lower(), is_descending, written)


def _field(written: str, op: Op, value: Value, fields: Mapping[str, JqlField], clock: Clock) -> Field:
    """The condition of one clause, its value read as the field and the operator want it."""
    spec = fields.get(written.lower())
    name = spec.name if spec else written.lower()
    if op in ("~", "!~") and isinstance(value, Word | NumberValue):
        return Field(name, op, _match(value.text if isinstance(value, Word) else str(value.number)), written)
    value = _canonical(value)
    if isinstance(value, PastValue):
        value = PastValue(value.value, tuple(_predicate(each, clock) for each in value.predicates))
    elif spec is not None and spec.kind == "date":
        value = _dated(value, clock)
    return Field(name, op, value, written)


def _predicate(predicate: Predicate, clock: Clock) -> Predicate:
    """The predicate with moments for dates; `ON` a moment is all of its day."""
    if predicate.op not in _DATED:
        return predicate
    value = _dated(predicate.value, clock)
    if predicate.op == "on" and isinstance(value, TimeSpan) and value.start is not None:
        here = local(value.start, clock.zone)
        day = day_of(here.year, here.month, here.day, clock.zone)
        value = TimeSpan(day.start, day.end, value.source) if day else value
    return Predicate(predicate.op, value)


def _canonical(value: Value) -> Value:
    """The value with functions in their documented spelling."""
    match value:
        case Function(name, arguments):
            return Function(_FUNCTIONS.get(name.lower(), name), arguments)
        case Values(items):
            return Values(tuple(map(_canonical, items)))
        case PastValue(former, predicates):
            spelled = tuple(Predicate(each.op, _canonical(each.value)) for each in predicates)
            return PastValue(None if former is None else _canonical(former), spelled)
        case _:
            return value


def _dated(value: Value, clock: Clock) -> Value:
    """The value as moments where it names some."""
    match value:
        case Word(text):
            return date(text, clock) or value
        case Function():
            return date_function(value, clock) or value
        case Values(items):
            return Values(tuple(_dated(item, clock) for item in items))
        case _:
            return value


def _match(text: str) -> Match:
    texts: list[TextNode] = []
    is_any = False
    for between, bare in _MATCHED.findall(text):
        if bare in ("OR", "AND"):
            is_any = is_any or bare == "OR"
            continue
        stem = bare.rstrip("*")
        found = word(stem, prefix=stem != bare) if bare else phrase(between)
        texts += [found] if found else []
    return Match(tuple(texts), is_any and len(texts) > 1)


def unparse(search: Search) -> str:
    """A query that asks for the same; reading it again with the same fields gives an equal search."""
    parts = [] if search.condition is None else [_written(search.condition)]
    if search.order:
        keys = (f"{_name(order.written)} {'DESC' if order.descending else 'ASC'}" for order in search.order)
        parts.append(f"ORDER BY {', '.join(keys)}")
    return " ".join(parts)


def _written(condition: Condition) -> str:
    match condition:
        case And(parts):
            return " AND ".join(f"({_written(part)})" if isinstance(part, Or) else _written(part) for part in parts)
        case Or(parts):
            return " OR ".join(_written(part) for part in parts)
        case Not(part):
            return "NOT " + (f"({_written(part)})" if isinstance(part, And | Or) else _written(part))
        case Field(op=op, value=value, written=written):
            return " ".join(filter(None, (_name(written), op.upper(), _value(value))))
        case TextNode():
            return ""


def _name(written: str) -> str:
    return written if _CUSTOM.fullmatch(written) else quoted(written)


def _value(value: Value) -> str:
    match value:
        case Word(text) | TimeSpan(source=str(text)):
            return quoted(text)
        case TimeSpan(source=Function() as call):
            return _value(call)
        case NumberValue(number):
            return str(number)
        case Function(name, arguments):
            return f"{quoted(name)}({', '.join(map(quoted, arguments))})"
        case Values(items):
            return f"({', '.join(map(_value, items))})"
        case Match(texts, is_any):
            return quoted((" OR " if is_any else " ").join(map(_sought, texts)))
        case PastValue(former, predicates):
            told = [f"{each.op.upper()} {_value(each.value)}" for each in predicates]
            return " ".join([*([] if former is None else [_value(former)]), *told])
        case Empty():
            return "EMPTY"
        case _:
            return ""


def _sought(text: TextNode) -> str:
    return f'"{" ".join(text.words)}"' if text.phrase else " ".join(text.words) + "*" * text.prefix
