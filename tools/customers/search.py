"""Queries over accounts and conversations, run on the register's tables."""

from collections.abc import Mapping
from functools import partial
from typing import get_args

import orjson
from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    Table,
    and_,
    cast,
    exists,
    false,
    func,
    literal,
    not_,
    or_,
    select,
    true,
)

from brownout.core.apps import Call
from brownout.core.rows import Row
from brownout.store import compile_search, search_index
from tools.customers import lookups, tables
from tools.customers.errors import invalid
from tools.customers.operation_arguments import Channel, Health, Priority, Status
from tools.customers.query_language import Kind, parse
from tools.customers.unknown_values import KnownValues, check_values
from tools.query_languages.ast import Empty, Function, Op, SearchError, TextNode, Value, Word
from tools.query_languages.sql import (
    FieldBuilder,
    TextBuilder,
    compiled,
    fts_phrase,
    fts_rowids,
    name_column,
    number_column,
)

__all__ = ["ACCOUNT_FIELDS", "CONVERSATION_FIELDS", "search_accounts", "search_conversations"]

_account, _contract, _note = tables.account, tables.contract, tables.note
_conversation, _message = tables.conversation, tables.message

ACCOUNT_FIELDS: Mapping[str, Kind] = {
    "plan": "name",
    "region": "name",
    "owner": "person",
    "health": "name",
    "tag": "name",
    "sites": "number",
    "monthly": "number",
    "start": "day",
    "renewal": "day",
    "notice": "day",
}
CONVERSATION_FIELDS: Mapping[str, Kind] = {
    "status": "name",
    "priority": "name",
    "channel": "name",
    "assignee": "person",
    "account": "name",
    "from": "name",
    "tag": "name",
    "created": "moment",
    "updated": "moment",
}

_KINDS: Mapping[str, Kind] = {"text": "name", "choice": "name", "number": "number", "date": "day"}

_JOINED = and_(_contract.c.account == _account.c.id, _contract.c.number == _account.c.contract)
_NOTICE = func.date(_contract.c.until, func.printf("-%d days", _contract.c.notice_days))


def search_accounts(call: Call, query: str, *, limit: int, skipped: int) -> list[Row]:
    """The accounts that a query finds, by name; one more than asked for where there are more.

    Raises:
        CustomersError: the query cannot be answered.
    """
    further = lookups.attributes(call.rows)
    fields: dict[str, FieldBuilder] = {
        **{row.text("name"): _attribute(row) for row in further},
        "plan": name_column(_account.c.plan),
        "region": name_column(_account.c.region),
        "owner": _person(_account.c.owner, call),
        "health": name_column(_account.c.health),
        "tag": _tag(_account.c.tags),
        "sites": number_column(_account.c.sites),
        "monthly": number_column(_contract.c.monthly),
        "start": _day(_contract.c.start),
        "renewal": _day(_contract.c.until),
        "notice": _day(_NOTICE),
    }
    statement = (
        select(_account).select_from(_account.outerjoin(_contract, _JOINED)).order_by(_account.c.name, _account.c.id)
    )
    kinds = {**{row.text("name"): _KINDS[row.text("type")] for row in further}, **ACCOUNT_FIELDS}
    known: KnownValues = {
        "plan": lambda: _all(call, _account.c.plan),
        "region": lambda: _all(call, _account.c.region),
        "owner": lambda: lookups.user_names(call.rows),
        "health": lambda: get_args(Health),
        "tag": lambda: _tags(call, _account.c.tags),
        **{row.text("name"): partial(_choices, row) for row in further if row.text("type") == "choice"},
    }
    return _found(call, query, statement, kinds, fields, known, _in_account, limit, skipped)


def search_conversations(call: Call, query: str, *, limit: int, skipped: int) -> list[Row]:
    """The conversations that a query finds, the latest first, but for those that go on in another one.

    Raises:
        CustomersError: the query cannot be answered.
    """
    fields: dict[str, FieldBuilder] = {
        "status": name_column(_conversation.c.status),
        "priority": name_column(_conversation.c.priority),
        "channel": name_column(_conversation.c.channel),
        "assignee": _person(_conversation.c.assignee, call),
        "account": _of_account,
        "from": _sender,
        "tag": _tag(_conversation.c.tags),
        "created": number_column(_conversation.c.created_us),
        "updated": number_column(_conversation.c.updated_us),
    }
    order = (_conversation.c.updated_us.desc(), _conversation.c.id.desc())
    statement = select(_conversation).where(_conversation.c.merged_into.is_(None)).order_by(*order)
    known: KnownValues = {
        "status": lambda: get_args(Status),
        "priority": lambda: get_args(Priority),
        "channel": lambda: get_args(Channel),
        "assignee": lambda: lookups.user_names(call.rows),
        "account": lambda: lookups.account_names(call.rows),
        "tag": lambda: _tags(call, _conversation.c.tags),
    }
    return _found(call, query, statement, CONVERSATION_FIELDS, fields, known, _in_conversation, limit, skipped)


def _found(
    call: Call,
    query: str,
    statement: Select[tuple[object, ...]],
    kinds: Mapping[str, Kind],
    fields: dict[str, FieldBuilder],
    known: KnownValues,
    words: TextBuilder,
    limit: int,
    skipped: int,
) -> list[Row]:
    try:
        search = parse(query, kinds, zone=call.actor.zone)
        check_values(search.condition, known)
    except SearchError as error:
        raise invalid(error.message) from None
    where = compiled(search, fields=fields, text=words) if search.condition is not None else true()
    compiled_query, parameters = compile_search(statement.where(where).limit(limit + 1).offset(skipped))
    return call.rows.all(compiled_query, **parameters)


def _all(call: Call, column: ColumnElement[str]) -> list[str]:
    compiled_query, parameters = compile_search(select(column.label("found")).distinct())
    return [str(row["found"]) for row in call.rows.all(compiled_query, **parameters) if row["found"]]


def _choices(attribute: Row) -> list[str]:
    return [str(choice) for choice in orjson.loads(attribute.text("choices"))]


def _tags(call: Call, column: ColumnElement[str]) -> list[str]:
    return [tag for tags in _all(call, column) for tag in orjson.loads(tags)]


# -- fields -------------------------------------------------------------------------------------------------


def _attribute(attribute: Row) -> FieldBuilder:
    value = tables.value
    column = (
        select(value.c.value)
        .where(value.c.account == _account.c.id, value.c.name == attribute.text("name"))
        .scalar_subquery()
    )
    match attribute.text("type"):
        case "number":
            return number_column(cast(column, Integer))
        case "date":
            return _day(column)
    return name_column(column)


def _day(column: ColumnElement[str]) -> FieldBuilder:
    """A day as text; one that is not there is neither before nor after."""
    has_one = and_(column.is_not(None), column != "")

    def build(op: Op, value: Value) -> ColumnElement[bool]:
        if isinstance(value, Empty):
            return not_(has_one)
        if not isinstance(value, Word):
            return false()
        compared = {
            "<": column < value.text,
            "<=": column <= value.text,
            ">": column > value.text,
            ">=": column >= value.text,
        }
        return and_(has_one, compared.get(op, column == value.text))

    return build


def _person(column: ColumnElement[str], call: Call) -> FieldBuilder:
    def build(op: Op, value: Value) -> ColumnElement[bool]:
        if isinstance(value, Function):
            value = Word(call.actor.person)
        elif isinstance(value, Word) and (found := lookups.user_called(call.rows, value.text)) is not None:
            value = Word(found.text("person"))
        return name_column(column)(op, value)

    return build


def _tag(column: ColumnElement[str]) -> FieldBuilder:
    label = func.json_each(column).table_valued("value", name="label")

    def build(op: Op, value: Value) -> ColumnElement[bool]:
        if isinstance(value, Empty):
            return column == "[]"
        return exists(select(literal(1)).select_from(label).where(name_column(label.c.value)(op, value)))

    return build


def _of_account(op: Op, value: Value) -> ColumnElement[bool]:
    if isinstance(value, Empty):
        return _conversation.c.account.is_(None)
    named = or_(name_column(_account.c.short)(op, value), name_column(_account.c.name)(op, value))
    return _conversation.c.account.in_(select(_account.c.id).where(named))


def _sender(op: Op, value: Value) -> ColumnElement[bool]:
    return or_(name_column(_conversation.c.email)(op, value), name_column(_conversation.c.name)(op, value))


# -- words --------------------------------------------------------------------------------------------------


def _rowids(table: Table, text: TextNode) -> Select[int]:
    return fts_rowids(search_index(table), fts_phrase(text.words, text.phrase, text.prefix))


def _in_account(text: TextNode) -> ColumnElement[bool]:
    """In its name, its tags, its notes and what its contract says."""
    noted = select(_note.c.account).where(_note.c.id.in_(_rowids(_note, text)), _note.c.account.is_not(None))
    contracted = func.lower(_contract.c.terms).contains(" ".join(text.words).lower(), autoescape=True)
    return or_(_account.c.id.in_(_rowids(_account, text)), _account.c.id.in_(noted), func.coalesce(contracted, false()))


def _in_conversation(text: TextNode) -> ColumnElement[bool]:
    """In its subject, whom it is with, and what was said."""
    said = select(_message.c.conversation).where(_message.c.id.in_(_rowids(_message, text)))
    return or_(_conversation.c.id.in_(_rowids(_conversation, text)), _conversation.c.id.in_(said))
