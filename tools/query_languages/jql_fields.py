"""What Jira knows of its fields, and what it says of a query that reads well but asks for what is not there.

Sources of the wording: the examples in the Jira Cloud REST description (`/rest/api/3/jql/parse`), Jira Server's
`TestJqlParsing`; the messages marked below are by analogy.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tools.query_languages.ast import (
    DATE_OPS,
    Empty,
    Field,
    Function,
    Match,
    NumberValue,
    Op,
    PastValue,
    Range,
    Search,
    SearchError,
    TimeSpan,
    Value,
    Values,
    Word,
    conditions,
)
from tools.query_languages.jql_dates import DATE_FUNCTIONS, function_problem

__all__ = ["FUNCTIONS", "FieldKind", "JqlField", "problems"]

FieldKind: TypeAlias = Literal["name", "text", "date", "number"]

_LISTS: frozenset[Op] = frozenset({"in", "not in"})
_NAMES: frozenset[Op] = frozenset({"=", "!=", "in", "not in", "is", "is not"})
_ORDERED: frozenset[Op] = frozenset({"<", "<=", ">", ">="})
_HISTORY: frozenset[Op] = frozenset({"was", "was not", "was in", "was not in", "changed"})
_TEXTS: frozenset[Op] = frozenset({"~", "!~", "is", "is not"})
_FORMATS = (
    "Valid formats include: 'yyyy/MM/dd HH:mm', 'yyyy-MM-dd HH:mm', 'yyyy/MM/dd', 'yyyy-MM-dd', "
    "or a period format e.g. '-5d', '4w 2d'."
)

FUNCTIONS: frozenset[str] = frozenset({
    *DATE_FUNCTIONS.values(), "currentUser", "membersOf", "openSprints", "closedSprints", "futureSprints",
    "currentLogin", "lastLogin", "issueHistory", "linkedIssues", "votedIssues", "watchedIssues", "updatedBy",
    "releasedVersions", "unreleasedVersions", "latestReleasedVersion", "earliestUnreleasedVersion",
    "standardIssueTypes", "subtaskIssueTypes", "projectsLeadByUser", "componentsLeadByUser",
    "projectsWhereUserHasPermission", "projectsWhereUserHasRole",
})  # fmt: skip
"""Functions of Jira Cloud without apps, as they are documented."""


@dataclass(frozen=True, slots=True)
class JqlField:
    """A field that queries may name.

    Attributes:
        name: our name of it, the same for all its spellings (`due`, `duedate`).
        kind: what it holds: a name or several (status, labels, people), text, a moment, a number.
        is_ordered: its names have an order (priority, versions), so that `<` makes sense.
        has_history: `was` and `changed` may ask about it (status, assignee, priority, versions ...).
        is_descending: the order that `ORDER BY` without a direction means; Jira sorts some newest or highest first.
    """

    name: str
    kind: FieldKind
    is_ordered: bool = False
    has_history: bool = False
    is_descending: bool = False

    @property
    def operators(self) -> frozenset[Op]:
        """What it can be compared with."""
        if self.kind == "text":
            return _TEXTS
        ordered = _ORDERED if self.is_ordered or self.kind in ("date", "number") else frozenset()
        return _NAMES | ordered | (_HISTORY if self.has_history else frozenset())


def problems(
    search: Search, *, fields: Mapping[str, JqlField], functions: frozenset[str] = FUNCTIONS
) -> tuple[SearchError, ...]:
    """Everything Jira would refuse in a query that could be read, in the order it stands there; its `errorMessages`.

    Values that do not exist (a status, a person) are for the app to judge.

    Args:
        search: what `jql.parse` returned for the same fields.
        fields: known fields by each spelling in lower case; `cf[10011]` for a custom field by number.
        functions: the functions that this site has.
    """
    known = {name.lower() for name in functions}
    found: list[SearchError] = []
    for leaf in conditions(search.condition):
        if isinstance(leaf, Field):
            found += _of_field(leaf, fields, known)
    found += [_unknown(order.written) for order in search.order if order.written.lower() not in fields]
    return tuple(found)


def _unknown(written: str) -> SearchError:
    return SearchError(0, f"Field '{written}' does not exist or you do not have permission to view it.", "field")


def _of_field(field: Field, fields: Mapping[str, JqlField], functions: set[str]) -> Iterator[SearchError]:
    spec = fields.get(field.written.lower())
    if spec is None:
        yield _unknown(field.written)
        return
    if field.op not in spec.operators:
        message = f"The operator '{field.op}' is not supported by the '{field.written}' field."
        yield SearchError(0, message, "operator")
        return
    for call in _functions(field.value):
        if call.name.lower() not in functions:
            shown = f"{call.name}({', '.join(call.arguments)})"
            yield SearchError(0, f"Unable to find JQL function '{shown}'.", "function")
            return
    yield from _of_value(field, spec)


def _of_value(field: Field, spec: JqlField) -> Iterator[SearchError]:
    value, op, name = field.value, field.op, field.written
    if op in _LISTS and not isinstance(value, Values | Function | TimeSpan | Empty):
        message = f"Operator '{op}' does not support the non-list value '{shown(value)}' for field '{name}'."
        yield SearchError(0, message, "value")
    elif op in DATE_OPS and isinstance(value, Values):  # by analogy
        message = f"Operator '{op}' does not support the list value '{shown(value)}' for field '{name}'."
        yield SearchError(0, message, "value")
    elif op in ("is", "is not") and not isinstance(value, Empty):  # by analogy
        message = f"Operator '{op}' does not support the non-empty value '{shown(value)}' for field '{name}'."
        yield SearchError(0, message, "value")
    elif isinstance(value, PastValue):
        for predicate in value.predicates:
            if predicate.op in ("before", "after", "on", "during"):
                yield from _of_date(predicate.value, f"predicate '{predicate.op}'")
    elif spec.kind == "date":
        yield from _of_date(value, f"field '{name}'")


def _of_date(value: Value, place: str) -> Iterator[SearchError]:
    """Mistakes in what should have become a moment."""
    for item in value.items if isinstance(value, Values) else (value,):
        if isinstance(item, Word | NumberValue):
            text = item.text if isinstance(item, Word) else str(item.number)
            yield SearchError(0, f"Date value '{text}' for {place} is invalid. {_FORMATS}", "value")
        elif isinstance(item, Function) and item.name.lower() in DATE_FUNCTIONS:
            yield SearchError(0, function_problem(item), "function")
        elif isinstance(item, Function) and item.name.lower() not in ("currentlogin", "lastlogin"):
            message = f"A date for the {place} provided by the function '{item.name}' is not valid."
            yield SearchError(0, message, "function")


def _functions(value: Value | None) -> Iterator[Function]:
    match value:
        case Function():
            yield value
        case Values(items):
            for item in items:
                yield from _functions(item)
        case PastValue(former, predicates):
            yield from _functions(former)
            for predicate in predicates:
                yield from _functions(predicate.value)
        case _:
            return


def shown(value: Value) -> str:
    """A value as Jira's messages show it: names between quotation marks."""
    match value:
        case Word(text):
            return f'"{text}"'
        case NumberValue(number):
            return str(number)
        case Values(items):
            return f"({', '.join(map(shown, items))})"
        case Function(name, arguments):
            return f"{name}({', '.join(arguments)})"
        case TimeSpan(source=source):
            return f'"{source}"' if isinstance(source, str) else shown(source)
        case Match(texts):
            return f'"{" ".join(word for text in texts for word in text.words)}"'
        case Empty():
            return "EMPTY"
        case PastValue() | Range():
            return ""
