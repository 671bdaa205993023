"""Function calls in a search replaced by the values they stand for, so that an app's SQL only sees values."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from tools.query_languages.ast import (
    And,
    Condition,
    Field,
    Function,
    Not,
    NumberValue,
    Op,
    Or,
    PastValue,
    Predicate,
    Search,
    TextNode,
    Value,
    Values,
    Word,
)

__all__ = ["Resolve", "resolved"]

Resolve: TypeAlias = Callable[[Function], Sequence[str | int]]
"""The values that a call stands for; may raise `SearchError` for a call it cannot answer."""

_LISTS: dict[Op, Op] = {"=": "in", "!=": "not in", "was": "was in", "was not": "was not in"}


def resolved(search: Search, resolve: Resolve) -> Search:
    """The search without function calls; `=` becomes `in` where a call stands for none or several values."""
    return Search(None if search.condition is None else _condition(search.condition, resolve), search.order)


def _condition(condition: Condition, resolve: Resolve) -> Condition:
    match condition:
        case And(parts):
            return And(tuple(_condition(part, resolve) for part in parts))
        case Or(parts):
            return Or(tuple(_condition(part, resolve) for part in parts))
        case Not(part):
            return Not(_condition(part, resolve))
        case TextNode():
            return condition
        case Field(name, op, value, written):
            value = _value(value, resolve)
            content = value.value if isinstance(value, PastValue) else value
            return Field(name, _LISTS.get(op, op) if isinstance(content, Values) else op, value, written)


def _value(value: Value, resolve: Resolve) -> Value:
    match value:
        case Function():
            found = tuple(Word(item) if isinstance(item, str) else NumberValue(item) for item in resolve(value))
            return found[0] if len(found) == 1 else Values(found)
        case Values(items):
            flat: list[Value] = []
            for item in items:
                inner = _value(item, resolve)
                flat += inner.items if isinstance(inner, Values) else (inner,)
            return Values(tuple(flat))
        case PastValue(former, predicates):
            told = tuple(Predicate(each.op, _value(each.value, resolve)) for each in predicates)
            return PastValue(None if former is None else _value(former, resolve), told)
        case _:
            return value
