"""What `was` and `changed` ask of a field's history.

Source: Atlassian's "JQL operators" page. `was` asks whether the field ever had a value, now included, at a time that
its predicates allow; `BY` names who set it. `changed` asks for one change that all its predicates allow.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from brownout.core.instants import Instant
from tools.query_languages.ast import Predicate, TimeSpan, Value, Values

__all__ = ["Stay", "changed_in", "held"]

IsValue: TypeAlias = Callable[[str | int | None, Value], bool]


@dataclass(frozen=True, slots=True)
class Stay:
    """A value that a field held from `since` until the next stay, and who set it."""

    value: str | int | None
    since: Instant
    by: str = ""


def held(stays: Sequence[Stay], value: Value, predicates: Sequence[Predicate], is_value: IsValue) -> bool:
    """Whether some stay had the value while the predicates held."""
    untils = [*(stay.since for stay in stays[1:]), None]
    return any(
        is_value(stay.value, value)
        and all(_allows(predicate, stay.since, until, stay, is_value) for predicate in predicates)
        for stay, until in zip(stays, untils, strict=False)
    )


def _allows(predicate: Predicate, since: Instant, until: Instant | None, stay: Stay, is_value: IsValue) -> bool:
    if predicate.op == "by":
        return is_value(stay.by, predicate.value)
    spans = _spans(predicate.value)
    if not spans:
        return False
    start, end = spans[0].start, spans[-1].end
    match predicate.op:
        case "before":
            return start is not None and since < start
        case "after":
            return start is not None and (until is None or until > start)
        case "on" | "during":
            return (end is None or since < end) and (until is None or start is None or until > start)
        case _:
            return False


def changed_in(stays: Sequence[Stay], predicates: Sequence[Predicate], is_value: IsValue) -> bool:
    """Whether some change from one value to another is allowed by all predicates."""
    return any(
        all(_fits(predicate, before, after, is_value) for predicate in predicates) for before, after in pairwise(stays)
    )


def _fits(predicate: Predicate, before: Stay, after: Stay, is_value: IsValue) -> bool:
    if predicate.op == "from":
        return is_value(before.value, predicate.value)
    if predicate.op == "to":
        return is_value(after.value, predicate.value)
    return _allows(predicate, after.since, after.since + 1, after, is_value)


def _spans(value: Value) -> list[TimeSpan]:
    """The moments of a predicate; `on` a day is the whole day that begins with it."""
    items = value.items if isinstance(value, Values) else (value,)
    return [item for item in items if isinstance(item, TimeSpan)]
