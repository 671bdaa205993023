"""JQL over Jira's tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from sqlalchemy import ColumnElement, and_, bindparam, case, exists, false, func, not_, or_, select, true
from sqlalchemy.sql.elements import UnaryExpression

from brownout.core.apps import Call
from brownout.core.instants import Instant
from brownout.core.rows import Query, Row
from brownout.core.rows import Value as SqlValue
from brownout.store import compile_search, search_index
from tools.jira import tables
from tools.jira.errors import JiraError
from tools.jira.records import user_of
from tools.jira.unknown_values import unknown_values
from tools.jira.workflow import CATEGORIES, PRIORITIES
from tools.page_cursors import InvalidCursor, decode_cursor, encode_cursor
from tools.query_languages import jql
from tools.query_languages.ast import (
    Function,
    Match,
    Op,
    Order,
    PastValue,
    Search,
    SearchError,
    TextNode,
    Value,
    Values,
    Word,
)
from tools.query_languages.jql import JqlField
from tools.query_languages.sql import FieldBuilder, compiled, fts_columns, fts_phrase, name_column, number_column

__all__ = ["FIELDS", "IssuePage", "search_issues"]

_issue, _comment, _user, _project = tables.issue, tables.comment, tables.user, tables.project
_history = tables.history

FIELDS = {
    "project": JqlField("project", "name"),
    "key": JqlField("key", "name", is_ordered=True),
    "issuekey": JqlField("key", "name", is_ordered=True),
    "issue": JqlField("key", "name", is_ordered=True),
    "summary": JqlField("summary", "text"),
    "description": JqlField("description", "text"),
    "comment": JqlField("comment", "text"),
    "root cause": JqlField("root_cause", "text"),
    "text": JqlField("text", "text"),
    "status": JqlField("status", "name", has_history=True),
    "statuscategory": JqlField("statuscategory", "name"),
    "resolution": JqlField("resolution", "name", has_history=True),
    "priority": JqlField("priority", "name", is_ordered=True, has_history=True, is_descending=True),
    "issuetype": JqlField("issuetype", "name"),
    "type": JqlField("issuetype", "name"),
    "assignee": JqlField("assignee", "name", has_history=True),
    "reporter": JqlField("reporter", "name"),
    "labels": JqlField("labels", "name"),
    "created": JqlField("created", "date", is_descending=True),
    "createddate": JqlField("created", "date", is_descending=True),
    "updated": JqlField("updated", "date", is_descending=True),
    "updateddate": JqlField("updated", "date", is_descending=True),
}
"""The fields this Jira has, by each spelling."""


_SEARCHES_KEPT = 256


@dataclass(frozen=True, slots=True)
class IssuePage:
    """Some of what a search found, and the token for more; empty where there is no more."""

    rows: list[Row]
    token: str


def search_issues(call: Call, query: str, *, limit: int, token: str) -> IssuePage:
    """The issues that a query finds.

    Raises:
        JiraError: the query cannot be read, or asks for what is not there; worded as Jira does.
    """
    skipped = _skipped(token)
    search = _timeless(query) or _read(query, call.now, call.actor.zone)
    if wrong := [*unknown_values(call, search)]:
        raise JiraError(400, *wrong)
    statement, parameters = _statement(search, _me(call))
    rows = call.rows.all(statement, **parameters, most=limit + 1, skipped=skipped)
    more = len(rows) > limit
    return IssuePage(rows[:limit], encode_cursor("jql", skipped + limit) if more else "")


@lru_cache(_SEARCHES_KEPT)
def _timeless(query: str) -> Search | None:
    """What a query asks for that means the same whenever and wherever it is asked; None for one that names a time."""
    found = _read(query, 0, "UTC")
    return None if jql.is_dated(found) else found


def _read(query: str, now: Instant, zone: str) -> Search:
    try:
        found = jql.parse(query, now=now, zone=zone, fields=FIELDS)
    except SearchError as error:
        raise JiraError(400, error.message) from None
    wrong = jql.problems(found, fields=FIELDS, functions=frozenset({"currentUser", "now", *_DATE_FUNCTIONS}))
    if wrong:
        raise JiraError(400, *(error.message for error in wrong))
    return found


_DATE_FUNCTIONS = (
    "startOfDay", "endOfDay", "startOfWeek", "endOfWeek", "startOfMonth", "endOfMonth", "startOfYear", "endOfYear",
)  # fmt: skip


def _skipped(token: str) -> int:
    try:
        return decode_cursor("jql", token) if token else 0
    except InvalidCursor:
        raise JiraError(400, "The provided next page token is invalid or has expired.") from None


def _me(call: Call) -> int:
    found = user_of(call, call.actor.person)
    return found.number("id") if found else 0


@lru_cache(_SEARCHES_KEPT)
def _statement(search: Search, mine: int) -> tuple[Query, dict[str, SqlValue]]:
    """A search as SQL, with the values in it. The same one is asked for page after page, session after session."""
    found = select(_issue).where(_condition(search, mine)).order_by(*_order(search.order))
    return compile_search(found.limit(bindparam("most")).offset(bindparam("skipped")))


def _condition(search: Search, mine: int) -> ColumnElement[bool]:
    fields = {
        **_builders_for_all(),
        "assignee": _with_history("assignee", _person(_issue.c.assignee, mine)),
        "reporter": _person(_issue.c.reporter, mine),
    }
    return compiled(search, fields=fields, text=_in_text)


@cache
def _builders_for_all() -> dict[str, FieldBuilder]:
    """Those that are the same whoever asks."""
    return {
        "project": _project_is,
        "key": name_column(_issue.c.key),
        "status": _with_history("status", name_column(_issue.c.status)),
        "statuscategory": name_column(case(CATEGORIES, value=_issue.c.status, else_="")),
        "resolution": _resolution,
        "priority": _with_history("priority", _priority),
        "issuetype": name_column(_issue.c.type),
        "labels": _labels,
        "created": number_column(_issue.c.created_us),
        "updated": number_column(_issue.c.updated_us),
        "summary": _text_in("summary"),
        "description": _text_in("description"),
        "text": _text_in("summary", "description", "root_cause", "comment"),
        "root_cause": _text_in("root_cause"),
        "comment": _text_in("comment"),
    }


# -- names --------------------------------------------------------------------------------------------------


def _project_is(op: Op, value: Value) -> ColumnElement[bool]:
    projects = select(_project.c.id).where(
        or_(name_column(_project.c.key)("=", value), name_column(_project.c.name)("=", value))
    )
    if isinstance(value, Values):
        either = [or_(name_column(_project.c.key)("=", v), name_column(_project.c.name)("=", v)) for v in value.items]
        projects = select(_project.c.id).where(or_(false(), *either))
    found = _issue.c.project.in_(projects)
    return not_(found) if op in ("!=", "not in", "is not") else found


def _resolution(op: Op, value: Value) -> ColumnElement[bool]:
    """An open issue's resolution is also called Unresolved."""
    if isinstance(value, Word) and value.text.lower() == "unresolved":
        is_open = _issue.c.resolution == ""
        return not_(is_open) if op in ("!=", "is not") else is_open
    return name_column(_issue.c.resolution)(op, value)


def _priority(op: Op, value: Value) -> ColumnElement[bool]:
    if op not in ("<", "<=", ">", ">=") or not isinstance(value, Word):
        return name_column(_issue.c.priority)(op, value)
    ranks = {name: len(PRIORITIES) - number for number, name in enumerate(PRIORITIES)}
    wanted = next((rank for name, rank in ranks.items() if name.lower() == value.text.lower()), None)
    if wanted is None:
        raise JiraError(400, f"The value '{value.text}' does not exist for the field 'priority'.")
    rank = case(ranks, value=_issue.c.priority, else_=0)
    return {"<": rank < wanted, "<=": rank <= wanted, ">": rank > wanted, ">=": rank >= wanted}[op]


def _person(column: ColumnElement[int], mine: int) -> FieldBuilder:
    def build(op: Op, value: Value) -> ColumnElement[bool]:
        match value:
            case Function("currentUser"):
                found: ColumnElement[bool] = column == mine
            case Values(items):
                found = or_(false(), *(build("=", item) for item in items))
            case Word(text):
                known = select(_user.c.id).where(
                    or_(
                        *(
                            func.lower(c) == text.lower()
                            for c in (_user.c.account_id, _user.c.person, _user.c.email, _user.c.display_name)
                        )
                    )
                )
                found = column.in_(known)
            case _:
                is_none = column.is_(None)
                return not_(is_none) if op in ("is not", "!=", "not in") else is_none
        if op in ("!=", "not in", "is not"):
            return and_(column.is_not(None), not_(found))
        return found

    return build


def _labels(op: Op, value: Value) -> ColumnElement[bool]:
    label = func.json_each(_issue.c.labels).table_valued("value", name="label")
    if isinstance(value, Word | Values):
        found = exists(
            select(1)
            .select_from(label)
            .where(name_column(label.c.value)("=" if isinstance(value, Word) else "in", value))
        )
        return not_(found) if op in ("!=", "not in", "is not") else found
    is_none = _issue.c.labels == "[]"
    return not_(is_none) if op in ("is not", "!=", "not in") else is_none


def _with_history(field: str, now: FieldBuilder) -> FieldBuilder:
    """`was` and `changed`, answered from the issue's history."""

    def build(op: Op, value: Value) -> ColumnElement[bool]:
        if not isinstance(value, PastValue):
            return now(op, value)
        changes = select(1).where(_history.c.issue == _issue.c.id, _history.c.field == field)
        if value.value is None:
            return exists(changes)
        names = [
            v.text
            for v in (value.value.items if isinstance(value.value, Values) else (value.value,))
            if isinstance(v, Word)
        ]
        listed = or_(
            false(),
            *(or_(func.lower(_history.c.old) == n.lower(), func.lower(_history.c.new) == n.lower()) for n in names),
        )
        ever = or_(exists(changes.where(listed)), now("in", Values(tuple(Word(n) for n in names))))
        return not_(ever) if op in ("was not", "was not in") else ever

    return build


# -- words --------------------------------------------------------------------------------------------------


def _text_in(*columns: str) -> FieldBuilder:
    def build(op: Op, value: Value) -> ColumnElement[bool]:
        if isinstance(value, Match):
            found = [_words(text, columns) for text in value.texts]
            either = or_(false(), *found) if value.any else and_(true(), *found)
            return not_(either) if op == "!~" else either
        is_none = _issue.c[columns[0] if columns[0] == "root_cause" else "description"] == ""
        return not_(is_none) if op in ("is not", "!=") else is_none

    return build


def _in_text(text: TextNode) -> ColumnElement[bool]:
    return _words(text, ("summary", "description", "root_cause", "comment"))


def _words(text: TextNode, columns: Sequence[str]) -> ColumnElement[bool]:
    phrase = fts_phrase(text.words, text.phrase, text.prefix)
    found: list[ColumnElement[bool]] = []
    own = [column for column in columns if column != "comment"]
    if own:
        index = search_index(_issue)
        rowids = select(index.c.rowid).where(index.c[index.name].op("MATCH")(fts_columns(own, phrase)))
        found.append(_issue.c.id.in_(rowids))
    if "comment" in columns:
        index = search_index(_comment)
        rowids = select(index.c.rowid).where(index.c[index.name].op("MATCH")(phrase))
        found.append(_issue.c.id.in_(select(_comment.c.issue).where(_comment.c.id.in_(rowids))))
    return or_(false(), *found)


# -- order --------------------------------------------------------------------------------------------------

_SORTED: dict[str, ColumnElement[object]] = {
    "key": _issue.c.number,
    "created": _issue.c.created_us,
    "updated": _issue.c.updated_us,
    "summary": _issue.c.summary,
    "status": _issue.c.status,
    "assignee": _issue.c.assignee,
    "reporter": _issue.c.reporter,
    "project": _issue.c.project,
    "issuetype": _issue.c.type,
    "resolution": _issue.c.resolution,
    "priority": case(
        {name: len(PRIORITIES) - n for n, name in enumerate(PRIORITIES)}, value=_issue.c.priority, else_=0
    ),
}


def _order(order: tuple[Order, ...]) -> list[UnaryExpression[object]]:
    keys = [_SORTED[o.field].desc() if o.descending else _SORTED[o.field].asc() for o in order if o.field in _SORTED]
    return [*keys, _issue.c.id.desc()]
