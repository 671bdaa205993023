"""What a search means, whatever vendor's language it was typed in.

Nodes are frozen and compare by value, so that reading a query, writing it and reading it again gives an equal
tree. Field names are ours where vendors differ only in wording; the word that was typed stays beside them.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from brownout.core.instants import Instant

__all__ = [
    "DATE_OPS",
    "EMPTY",
    "ME",
    "And",
    "Condition",
    "Empty",
    "ErrorKind",
    "Field",
    "Function",
    "Match",
    "Not",
    "NumberValue",
    "Op",
    "Or",
    "Order",
    "PastValue",
    "Predicate",
    "Range",
    "Search",
    "SearchError",
    "TextNode",
    "TimeSpan",
    "Value",
    "Values",
    "Word",
    "all_of",
    "any_of",
    "conditions",
    "negate",
]

Op: TypeAlias = Literal[
    "=", "!=", "<", "<=", ">", ">=", "~", "!~", "in", "not in", "is", "is not",
    "was", "was not", "was in", "was not in", "changed",
]  # fmt: skip
"""How a field is compared. `~` finds text inside it; `was` and `changed` look at its history."""

PredicateOp: TypeAlias = Literal["from", "to", "by", "before", "after", "on", "during"]
ErrorKind: TypeAlias = Literal["syntax", "field", "operator", "value", "function"]

DATE_OPS: frozenset[Op] = frozenset({"=", "!=", "<", "<=", ">", ">="})


class SearchError(Exception):
    """A query that the vendor would refuse.

    Attributes:
        position: 0-based offset into the query, 0 where the vendor names no place.
        message: what the vendor's API would answer, word for word where a source was found.
        kind: `syntax` for what cannot be read, the others for what can be read but not answered.
    """

    def __init__(self, position: int, message: str, kind: ErrorKind) -> None:
        super().__init__(message)
        self.position = position
        self.message = message
        self.kind: ErrorKind = kind


@dataclass(frozen=True, slots=True)
class Word:
    """A name or other short text, compared as a whole and without regard to case."""

    text: str


@dataclass(frozen=True, slots=True)
class NumberValue:
    number: int


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from `low` to `high`, both included; None leaves that side open."""

    low: int | None
    high: int | None


@dataclass(frozen=True, slots=True)
class Function:
    """A call that only the app can answer, such as `membersOf("support")`; arguments are texts."""

    name: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A stretch of time, `start` included and `end` not; None leaves that side open.

    A single moment is the microsecond that begins with it, a day the whole day in the searcher's zone. `<` means
    before its start, `<=` before its end, `>` from its end on, `>=` from its start on, `=` inside it.

    Attributes:
        source: what was typed, to write it again.
    """

    start: Instant | None
    end: Instant | None
    source: "str | Function"


@dataclass(frozen=True, slots=True)
class Empty:
    """No value at all (`EMPTY`, `no:assignee`)."""


@dataclass(frozen=True, slots=True)
class TextNode:
    """Words looked for in what can be searched.

    Attributes:
        words: as typed; each may hold several tokens (`drop-cap`), which then stand next to each other.
        phrase: all words stand next to each other in this order; otherwise each stands anywhere.
        prefix: the last word may go on (`deplo*`).
        within: names of the fields to look in; empty for whatever the app searches by default.
    """

    words: tuple[str, ...]
    phrase: bool = False
    prefix: bool = False
    within: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Match:
    """What `~` looks for inside one field: all of the texts, or any of them."""

    texts: tuple[TextNode, ...]
    any: bool = False


@dataclass(frozen=True, slots=True)
class Values:
    """A list."""

    items: tuple["Value", ...]


@dataclass(frozen=True, slots=True)
class Predicate:
    """When, by whom or between what a field changed."""

    op: PredicateOp
    value: "Value"


@dataclass(frozen=True, slots=True)
class PastValue:
    """What `was` and `changed` ask: a former value, None for `changed`, and the circumstances, all of which hold."""

    value: "Value | None"
    predicates: tuple[Predicate, ...] = ()


Value: TypeAlias = Word | NumberValue | Range | Function | TimeSpan | Empty | Match | Values | PastValue

EMPTY = Empty()
ME = Function("currentUser")
"""The person who searches: `from:me`, `author:@me`, `currentUser()`."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field compared with one value.

    Attributes:
        name: our name of the field (`sender`).
        written: the vendor's word that was typed (`from`).
    """

    name: str
    op: Op
    value: Value
    written: str = ""


@dataclass(frozen=True, slots=True)
class And:
    """Two or more conditions, none itself an `And`."""

    parts: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Two or more conditions, none itself an `Or`."""

    parts: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of a condition that is not itself a `Not`."""

    part: "Condition"


Condition: TypeAlias = And | Or | Not | TextNode | Field


@dataclass(frozen=True, slots=True)
class Order:
    """One key to sort by, `written` as in `Field`."""

    field: str
    descending: bool
    written: str = ""


@dataclass(frozen=True, slots=True)
class Search:
    """A whole query; `condition` is None where everything is asked for."""

    condition: Condition | None
    order: tuple[Order, ...] = ()


def all_of(parts: "list[Condition]") -> Condition | None:
    """The conjunction of the parts, nested ones spread out; the part itself if it is alone, None if there is none."""
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, And) else (part,))]
    return (flat[0] if len(flat) == 1 else And(tuple(flat))) if flat else None


def any_of(parts: "list[Condition]") -> Condition | None:
    """The disjunction of the parts, nested ones spread out; the part itself if it is alone, None if there is none."""
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, Or) else (part,))]
    return (flat[0] if len(flat) == 1 else Or(tuple(flat))) if flat else None


def negate(part: Condition) -> Condition:
    """The opposite of the part; two negations cancel."""
    return part.part if isinstance(part, Not) else Not(part)


def conditions(condition: Condition | None) -> "list[TextNode | Field]":
    """The leaves of a tree in the order they were typed."""
    match condition:
        case None:
            return []
        case And(parts) | Or(parts):
            return [leaf for part in parts for leaf in conditions(part)]
        case Not(part):
            return conditions(part)
        case leaf:
            return [leaf]
