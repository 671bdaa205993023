"""What a world file says about itself: its ordinary tables, and which of its tables belong to full-text search."""

from collections.abc import Mapping
from dataclasses import dataclass

import apsw

from brownout.core.errors import StoreError
from brownout.store.dialect import CAME_LATER, identifier
from brownout.store.late_index import SearchedTable

__all__ = ["Schema", "StoredTable", "read_schema"]


@dataclass(frozen=True, slots=True)
class StoredTable:
    """One ordinary table.

    Attributes:
        columns: names in the order in which changesets hold them.
        types: INTEGER, TEXT, REAL or BLOB, one a column.
        key: the integer primary key's name; `key_index` its place in `columns`.
        came_later: worlds without a row in it are those that were made before there was such a table, by their digest too.
    """

    name: str
    columns: tuple[str, ...]
    types: tuple[str, ...]
    key: str
    key_index: int
    came_later: bool = False

    @property
    def has_special(self) -> bool:
        """Whether it has columns whose values JSON cannot have as they are: bytes, infinities."""
        return "BLOB" in self.types or "REAL" in self.types


@dataclass(frozen=True, slots=True)
class Schema:
    """The tables of one world file.

    Attributes:
        tables: ordinary tables by name, in name order; only these are state.
        hidden: virtual tables and the shadow tables behind them.
        searched: tables whose full-text index triggers keep in step, by name; none where other triggers do other things.
    """

    tables: Mapping[str, StoredTable]
    hidden: frozenset[str]
    searched: Mapping[str, SearchedTable]


def read_schema(connection: apsw.Connection) -> Schema:
    """The schema of the connection's main database.

    Raises:
        StoreError: a table could not be carried in a changeset; every such table is named.
    """
    kinds = {
        str(row[1]): str(row[2])
        for row in connection.execute("PRAGMA main.table_list").fetchall()
        if not str(row[1]).startswith("sqlite_")
    }
    offences: list[str] = []
    tables = {name: _table(connection, name, offences) for name in sorted(kinds) if kinds[name] == "table"}
    if connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'").fetchall():
        offences.append("a table uses AUTOINCREMENT, whose counter no changeset holds")
    if offences:
        raise StoreError("this database cannot hold sessions:\n  " + "\n  ".join(offences))
    hidden = frozenset(name for name, kind in kinds.items() if kind in ("virtual", "shadow"))
    return Schema(tables, hidden, _searched(connection, tables, hidden))


def _searched(
    connection: apsw.Connection, tables: Mapping[str, StoredTable], hidden: frozenset[str]
) -> dict[str, SearchedTable]:
    found = {}
    for table in tables.values():
        index = f"{table.name}_search"
        if index in hidden:
            rows = connection.execute(f"PRAGMA main.table_xinfo({identifier(index)})").fetchall()
            columns = tuple(str(row[1]) for row in rows if not row[6])
            places = tuple(table.columns.index(name) for name in columns)
            found[table.name] = SearchedTable(table.name, table.key, table.key_index, columns, places)
    kept = {f"{name}_search_{event}" for name in found for event in ("insert", "delete", "update")}
    triggers = {str(name) for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")}
    return found if kept == triggers else {}


def _table(connection: apsw.Connection, name: str, offences: list[str]) -> StoredTable:
    rows = connection.execute(f"PRAGMA main.table_xinfo({identifier(name)})").fetchall()
    columns = tuple(str(row[1]) for row in rows)
    types = tuple(str(row[2]) for row in rows)
    keys = [place for place, row in enumerate(rows) if row[5]]
    (sql,) = connection.execute("SELECT sql FROM main.sqlite_schema WHERE name = ?", (name,)).fetchone() or ("",)
    if len(keys) != 1 or types[keys[0]] != "INTEGER":
        offences.append(f"table {name} has no single INTEGER PRIMARY KEY")
        return StoredTable(name, columns, types, "", 0)
    return StoredTable(name, columns, types, columns[keys[0]], keys[0], CAME_LATER in str(sql))
