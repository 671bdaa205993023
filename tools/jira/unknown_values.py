"""Names in a query that stand for nothing here: a status, a user, a label. Jira refuses them; it does not find nothing."""

from collections.abc import Collection, Iterator
from typing import Final

import orjson
from sqlalchemy import select

from brownout.core.apps import Call
from brownout.core.arguments import suggestion
from brownout.store import compile_query
from tools.jira import tables
from tools.jira.records import issue_by_key
from tools.jira.workflow import CATEGORIES, PRIORITIES, RESOLUTIONS, STATUSES, TYPES
from tools.query_languages.ast import Field, NumberValue, PastValue, Search, Value, Values, Word, conditions

__all__ = ["unknown_values"]

_FIXED: Final = {
    "status": STATUSES,
    "statuscategory": tuple(dict.fromkeys(CATEGORIES.values())),
    "priority": PRIORITIES,
    "issuetype": TYPES,
    "resolution": (*RESOLUTIONS, "Unresolved"),
}
_USERS = compile_query(
    select(tables.user.c.account_id, tables.user.c.person, tables.user.c.email, tables.user.c.display_name)
)
_PROJECTS = compile_query(select(tables.project.c.key, tables.project.c.name))
_LABELS = compile_query(select(tables.issue.c.labels).where(tables.issue.c.labels != "[]").distinct())


def unknown_values(call: Call, search: Search) -> Iterator[str]:
    """What Jira says of each value that does not exist, in the order in which they stand in the query."""
    for leaf in conditions(search.condition):
        if isinstance(leaf, Field):
            for text in dict.fromkeys(_names(leaf.value)):
                if problem := _problem(call, leaf, text):
                    yield problem


def _names(value: Value) -> Iterator[str]:
    match value:
        case Word(text):
            yield text
        case NumberValue(number):
            yield str(number)
        case Values(items):
            for item in items:
                yield from _names(item)
        case PastValue(former, predicates):
            if former is not None:
                yield from _names(former)
            for predicate in predicates:
                if predicate.op in ("from", "to"):
                    yield from _names(predicate.value)


def _problem(call: Call, field: Field, text: str) -> str:
    if field.name == "key":
        known = issue_by_key(call, text) is not None
        return "" if known else f"An issue with key '{text}' does not exist for field '{field.written}'."
    names = _known(call, field.name)
    if names is None or text in names or text.lower() in {name.lower() for name in names}:
        return ""
    return f"The value '{text}' does not exist for the field '{field.written}'{suggestion(text, names) or '.'}"


def _known(call: Call, field: str) -> Collection[str] | None:
    """The names that a field may have, None where it is not one of names."""
    if field in ("assignee", "reporter"):
        return [str(name) for names in call.rows.tuples(_USERS, ()) for name in names]
    if field == "project":
        return [str(name) for names in call.rows.tuples(_PROJECTS, ()) for name in names]
    if field == "labels":
        return {label for row in call.rows.all(_LABELS) for label in orjson.loads(row.text("labels"))}
    return _FIXED.get(field)
