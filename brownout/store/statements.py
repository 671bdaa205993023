"""The SQL that writes and reads single rows, made once for each SQLAlchemy table."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from sys import intern
from typing import Any, Final

from sqlalchemy import Column, DefaultClause, Integer, LargeBinary, Table, Text
from sqlalchemy.sql.schema import ScalarElementColumnDefault

from brownout.core.rows import Row, Value
from brownout.store.dialect import identifier

__all__ = ["Insert", "Statements", "statements_of"]

_KEPT: Final[dict[type, type]] = {Integer: int, Text: str, LargeBinary: bytes}


@dataclass(frozen=True, slots=True)
class Insert:
    """An INSERT for one set of columns: the key first, then the columns given, then `constants`.

    Attributes:
        returning: the same, with the whole row as its result, which costs half as much again.
        template: the whole row with what is not given filled in, None where only SQLite knows a default.
    """

    sql: str
    returning: str
    constants: tuple[Value, ...]
    template: Row | None


@dataclass(frozen=True, slots=True)
class Update:
    """An UPDATE for one set of columns: their values, then the key."""

    sql: str
    returning: str


@dataclass(frozen=True, slots=True)
class Statements:
    """Everything the store says to one table, with positional parameters.

    Attributes:
        table: its name; `key` its primary key's; `columns` all in declared order, as plain strings.
        select: one row by key. `delete` and `delete_returning` likewise.
        defaults: plain values of columns that SQLAlchemy, not SQLite, fills in.
        left_to_sqlite: columns with a default that SQLite fills in, with its value; None where only SQLite knows it.
        steady: its own name where it is hardly ever written, else nothing, as a query's.
        kept: the type whose values a column stores exactly as they are given. REAL columns have none, because
            SQLite turns integers into floats and NaN into NULL.
    """

    table: str
    key: str
    columns: tuple[str, ...]
    defaults: dict[str, Value]
    left_to_sqlite: dict[str, Value]
    kept: dict[str, type]
    steady: frozenset[str]
    select: str
    delete: str
    delete_returning: str
    _inserts: dict[tuple[str, ...], Insert] = field(default_factory=dict)
    _updates: dict[tuple[str, ...], Update] = field(default_factory=dict)

    def insert(self, columns: tuple[str, ...]) -> Insert:
        """The INSERT for a key and these columns, in this order."""
        known = self._inserts.get(columns)
        if known is None:
            known = self._inserts[columns] = self._make_insert(columns)
        return known

    def update(self, columns: tuple[str, ...]) -> Update:
        """The UPDATE of these columns, in this order."""
        known = self._updates.get(columns)
        if known is None:
            known = self._updates[columns] = self._make_update(columns)
        return known

    def keeps(self, values: Mapping[str, Value]) -> bool:
        """SQLite stores these values exactly as they are."""
        kept = self.kept
        for name, value in values.items():  # noqa: SIM110 (a generator would cost twice the time)
            if value is not None and type(value) is not kept.get(name):
                return False
        return True

    def _make_insert(self, columns: tuple[str, ...]) -> Insert:
        self._check(columns)
        filled = {name: value for name, value in self.defaults.items() if name not in columns}
        names = (self.key, *columns, *filled)
        marks = ", ".join("?" * len(names))
        sql = f"INSERT INTO {identifier(self.table)} ({', '.join(map(identifier, names))}) VALUES ({marks})"
        left = {name: value for name, value in self.left_to_sqlite.items() if name not in columns}
        is_known = None not in left.values() and self.keeps(filled)
        template = Row((name, {**left, **filled}.get(name)) for name in self.columns) if is_known else None
        return Insert(sql, f"{sql} RETURNING {_listed(self.columns)}", tuple(filled.values()), template)

    def _make_update(self, columns: tuple[str, ...]) -> Update:
        self._check(columns)
        changes = ", ".join(f"{identifier(name)} = ?" for name in columns)
        sql = f"UPDATE {identifier(self.table)} SET {changes} WHERE {identifier(self.key)} = ?"
        return Update(sql, f"{sql} RETURNING {_listed(self.columns)}")

    def _check(self, columns: tuple[str, ...]) -> None:
        unknown = [name for name in columns if name not in self.columns or name == self.key]
        if unknown:
            others = ", ".join(name for name in self.columns if name != self.key)
            raise TypeError(f"table {self.table} has no column to write called {', '.join(unknown)}; it has {others}")


@cache
def statements_of(table: Table) -> Statements:
    """The statements of a table.

    Raises:
        TypeError: the table has not exactly one primary key column.
    """
    keys = [str(column.name) for column in table.primary_key]
    if len(keys) != 1:
        raise TypeError(f"table {table.name} needs exactly one primary key column, it has {len(keys)}")
    columns = tuple(intern(str(column.name)) for column in table.columns)
    name, key = str(table.name), intern(keys[0])
    where = f"FROM {identifier(name)} WHERE {identifier(key)} = ?"
    return Statements(
        name,
        key,
        columns,
        defaults={
            str(column.name): column.default.arg
            for column in table.columns
            if isinstance(column.default, ScalarElementColumnDefault)
        },
        left_to_sqlite={
            str(column.name): _left(column) for column in table.columns if column.server_default is not None
        },
        kept={str(column.name): _KEPT[type(column.type)] for column in table.columns if type(column.type) in _KEPT},
        steady=frozenset((name,)) if table.info.get("steady") else frozenset(),
        select=f"SELECT {_listed(columns)} {where}",
        delete=f"DELETE {where}",
        delete_returning=f"DELETE {where} RETURNING {_listed(columns)}",
    )


def _left(column: Column[Any]) -> Value:
    """What SQLite puts into a column that is not named, None where that is an expression or not simply a text or a whole number."""
    default = column.server_default
    given = default.arg if isinstance(default, DefaultClause) else None
    if not isinstance(given, str):
        return None
    if type(column.type) is Integer:
        return int(given) if re.fullmatch(r"-?\d{1,18}", given) else None
    return given if type(column.type) is Text else None


def _listed(columns: tuple[str, ...]) -> str:
    return ", ".join(map(identifier, columns))
