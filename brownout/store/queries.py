"""SQLAlchemy Core to plain SQL: once at import for what is fixed, through a cache for searches."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from sys import intern
from typing import Any, TypeAlias, cast

from sqlalchemy import (
    BindParameter,
    Boolean,
    ColumnElement,
    SelectBase,
    Table,
    TableClause,
    Text,
    bindparam,
    func,
    select,
)
from sqlalchemy.sql import visitors
from sqlalchemy.sql.cache_key import CacheKey
from sqlalchemy.sql.compiler import SQLCompiler

from brownout.core.rows import Query, Value
from brownout.store.dialect import FROZEN, OPEN, Dialect

__all__ = ["any_of", "compile_query", "compile_search"]

_CACHED_SHAPES = 512
_READ_FROM = re.compile(r'\b(?:FROM|JOIN)\s+"?(\w+)')
_Literals: TypeAlias = Sequence[BindParameter[Any]]


def compile_query(statement: SelectBase, *, lasting: Table | None = None) -> Query:
    """The SELECT as SQL with named parameters; values written into it become SQL literals.

    Parameters are those the author names: `bindparam("key")` is given as `rows.one(QUERY, key=5)`.
    Truth values come back as 1 and 0.

    Args:
        lasting: where it finds one row of this table alone, by a unique value: rows are added to that table and hardly ever changed, so
            one that was there at a start is found once for all its sessions. So are those up to the key `until`, where that is the
            largest at the start (`Rows.largest_at_start`), also that there are none.

    Raises:
        TypeError: its first column is not the key of the lasting table; it uses `in_()` with a list (see `any_of`), a type that SQLite does not hold as it is (dates,
            decimals, enumerations, JSON), a literal that has no safe spelling, or two columns of one name.
    """
    query = _query(_compiled(statement, FROZEN), statement)
    if lasting is None:
        return query
    if next(iter(statement.selected_columns)) is not next(iter(lasting.primary_key)):
        raise TypeError(f"a query of one lasting row of {lasting.name} has that table's key first")
    return replace(query, lasting=str(lasting.name))


def compile_search(statement: SelectBase) -> tuple[Query, dict[str, Value]]:
    """The SELECT as SQL together with the values in it, for statements built call by call.

    Searches of the same shape share their SQL, so the connection prepares each shape once.
    Named parameters without a value are the caller's to add.

    Raises:
        TypeError: as `compile_query`.
    """
    shape = statement._generate_cache_key()
    if shape is None:
        compiled = _compiled(statement, OPEN)
        return _query(compiled, statement), _values(compiled, None)
    query, compiled = _cached(_Shape(shape, statement))
    return query, _values(compiled, shape.bindparams)


def any_of(column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    """The condition that the column's value is in the JSON array given as parameter `name`.

    Pass the array as text: `rows.all(QUERY, keys=orjson.dumps(keys).decode())`.
    """
    values = func.json_each(bindparam(name, type_=Text)).table_valued("value")
    return column.in_(select(values.c.value))


class _Shape:
    """A cache key that brings the statement along, to be compiled the first time it is met."""

    __slots__ = ("key", "statement")

    def __init__(self, key: CacheKey, statement: SelectBase) -> None:
        self.key = key
        self.statement: SelectBase | None = statement

    def __hash__(self) -> int:
        return self.key.key.__hash__()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Shape) and self.key.key == other.key.key


@lru_cache(maxsize=_CACHED_SHAPES)
def _cached(shape: _Shape) -> tuple[Query, SQLCompiler]:
    statement = cast(SelectBase, shape.statement)
    shape.statement = None
    compiled = _compiled(statement, OPEN, shape.key)
    return _query(compiled, statement), compiled


def _compiled(statement: SelectBase, dialect: Dialect, shape: CacheKey | None = None) -> SQLCompiler:
    return statement.compile(dialect=dialect, cache_key=shape)


def _query(compiled: SQLCompiler, statement: SelectBase) -> Query:
    columns = tuple(intern(str(column.key)) for column in statement.selected_columns)
    twice = sorted({name for name in columns if columns.count(name) > 1})
    if twice:
        raise TypeError(f"more than one column is called {', '.join(twice)}; give each its own label()")
    for column in statement.selected_columns:
        kind = column.type
        if isinstance(kind, Boolean) or kind.dialect_impl(FROZEN).result_processor(FROZEN, None) is None:
            continue
        message = f"column {str(column.key)!r} is {kind!r}, which a session does not convert; "
        raise TypeError(message + "hold it as Integer, Text, Float or LargeBinary, or type_coerce() the expression")
    return Query(str(compiled), columns, _steady(statement, str(compiled)))


def _steady(statement: SelectBase, sql: str) -> frozenset[str]:
    """The tables that it reads, where all of them are steady and none is named in words that SQLAlchemy does not read."""
    tables = {part for part in visitors.iterate(statement) if isinstance(part, TableClause)}
    names = frozenset(str(table.name) for table in tables)
    is_steady = all(isinstance(table, Table) and table.info.get("steady") for table in tables)
    return names if is_steady and names.issuperset(_READ_FROM.findall(sql)) else frozenset()


def _values(compiled: SQLCompiler, literals: _Literals | None) -> dict[str, Value]:
    given = compiled.construct_params(extracted_parameters=literals, _check=False)
    return {str(name): value for name, value in given.items() if not compiled.binds[name].required}
