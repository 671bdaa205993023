"""What a search means, as plain Python over one record: the reference that every app's SQL is tested against.

A record maps field names to values: a text, a number, an instant, several of those, or None. `text` holds what is
searched where a search does not say in which field. What a record does not hold is empty. History is under
`"<field> history"` as a sequence of `Stay`s.

Names compare without regard to case. `!=` and `not in` leave out what is empty, as Jira documents; `Not` does not.
`<` and its kind compare numbers and moments; the order of names (priorities, versions) is the app's to know.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

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
    PastValue,
    Range,
    Search,
    TextNode,
    TimeSpan,
    Value,
    Values,
    Word,
)
from tools.query_languages.field_history import Stay, changed_in, held
from tools.query_languages.resolved_calls import Resolve, resolved
from tools.query_languages.words import contains

__all__ = ["Held", "Record", "Stay", "matches"]

Scalar: TypeAlias = str | int
Held: TypeAlias = Scalar | Sequence[Scalar] | Sequence[Stay] | None
"""What a record may hold for one field."""
Record: TypeAlias = Mapping[str, Held]

_OPPOSITES: dict[Op, Op] = {"!=": "=", "!~": "~", "not in": "in", "is not": "is"}
_EQUALS: frozenset[Op] = frozenset({"=", "in", "is"})


def matches(search: Search | Condition, record: Record, *, resolve: Resolve | None = None) -> bool:
    """Whether the record is among what the search asks for.

    Args:
        search: a search, whose order does not matter here, or a condition.
        record: the values of its fields.
        resolve: answers function calls, `currentUser()` with the searcher included.

    Raises:
        LookupError: the search calls a function and nothing resolves it.
    """
    whole = search if isinstance(search, Search) else Search(search)
    condition = (resolved(whole, resolve) if resolve else whole).condition
    return condition is None or _holds(condition, record)


def _holds(condition: Condition, record: Record) -> bool:
    match condition:
        case And(parts):
            return all(_holds(part, record) for part in parts)
        case Or(parts):
            return any(_holds(part, record) for part in parts)
        case Not(part):
            return not _holds(part, record)
        case TextNode(within=within):
            return contains(condition, tuple(text for name in within or ("text",) for text in _texts(record, name)))
        case Field(name, op, PastValue() as past):
            return _past(name, op, past, record)
        case Field(name, op, value):
            return _compared(_scalars(record, name), op, value)


def _scalars(record: Record, name: str) -> list[Scalar]:
    """The values of a field, none for what is missing or the empty text."""
    held_value = record.get(name)
    items = held_value if isinstance(held_value, Sequence) and not isinstance(held_value, str) else (held_value,)
    return [item for item in items if isinstance(item, str | int) and item != ""]


def _texts(record: Record, name: str) -> list[str]:
    return [str(item) for item in _scalars(record, name)]


def _compared(found: list[Scalar], op: Op, value: Value) -> bool:
    """Whether the values of a field, none if it is empty, compare as wanted."""
    if op in _OPPOSITES:
        if isinstance(value, Empty):
            return bool(found)
        return bool(found) and not _compared(found, _OPPOSITES[op], value)
    match value:
        case Empty():
            return op in _EQUALS and not found
        case Match(texts, is_any):
            some, held_texts = any if is_any else all, tuple(map(str, found))
            return op == "~" and bool(texts) and some(contains(text, held_texts) for text in texts)
        case Values(items):
            return op in _EQUALS and any(_compared(found, "=", item) for item in items)
        case _:
            return any(_is(item, "=" if op in _EQUALS else op, value) for item in found)


def _is(item: Scalar, op: Op, value: Value) -> bool:
    """Whether one value of a record compares as wanted."""
    match value:
        case Word(text):
            return op == "=" and str(item).casefold() == text.casefold()
        case NumberValue(number):
            if isinstance(item, str):
                return op == "=" and item == str(number)
            return _in(item, op, number, number + 1)
        case Range(low, high):
            return isinstance(item, int) and _in(item, op, low, None if high is None else high + 1)
        case TimeSpan(start, end):
            return isinstance(item, int) and _in(item, op, start, end)
        case Function(name):
            message = f"expected a resolver for the function {name}(), found none; pass resolve="
            raise LookupError(message)
        case _:
            return False


def _in(item: int, op: Op, start: int | None, end: int | None) -> bool:
    """Compare with everything from `start` to before `end`; a side that is open lies beyond every value."""
    match op:
        case "<":
            return start is not None and item < start
        case "<=":
            return end is None or item < end
        case ">":
            return end is not None and item >= end
        case ">=":
            return start is None or item >= start
        case "=":
            return (start is None or item >= start) and (end is None or item < end)
        case _:
            return False


def _past(name: str, op: Op, past: PastValue, record: Record) -> bool:
    kept = record.get(f"{name} history") or ()
    stays = [] if isinstance(kept, str | int) else [stay for stay in kept if isinstance(stay, Stay)]

    def is_value(item: Scalar | None, value: Value) -> bool:
        return _compared([] if item is None or item == "" else [item], "in", value)

    if op == "changed" or past.value is None:
        return changed_in(stays, past.predicates, is_value)
    return held(stays, past.value, past.predicates, is_value) == (op in ("was", "was in"))
