"""What a world's tables may declare, checked before a file is made of them."""

from collections.abc import Iterable, Sequence
from typing import Final

from sqlalchemy import Column, MetaData, Table, types
from sqlalchemy.sql.schema import ScalarElementColumnDefault

from brownout.core.errors import BuildError
from brownout.store.search import index_name, searched

__all__ = ["declared_tables"]

_TYPES: Final = {
    types.Integer: "Integer",
    types.Text: "Text",
    types.Float: "Float",
    types.LargeBinary: "LargeBinary",
}
_SHADOWS: Final = ("", "_data", "_idx", "_docsize", "_config", "_content")


def declared_tables(metadatas: Sequence[MetaData]) -> list[Table]:
    """All tables of all metadatas by name.

    Raises:
        BuildError: a table could not be written or carried in a changeset; every offence is named.
    """
    tables = [table for metadata in metadatas for table in metadata.tables.values()]
    tables.sort(key=lambda table: str(table.name))
    offences = [offence for table in tables for offence in _offences(table)]
    offences += _clashes(tables)
    if offences:
        raise BuildError("these tables cannot be part of a world:\n  " + "\n  ".join(offences))
    return tables


def _offences(table: Table) -> Iterable[str]:
    name = str(table.name)
    keys = list(table.primary_key)
    if len(keys) != 1 or type(keys[0].type) is not types.Integer:
        yield f"{name}: needs exactly one primary key column, an Integer"
    options = table.dialect_options["sqlite"]
    if options["autoincrement"]:
        yield f"{name}: AUTOINCREMENT keeps its counter outside changesets; the store never uses a key twice anyway"
    if not options["with_rowid"]:
        yield f"{name}: WITHOUT ROWID tables have no integer keys"
    if table.schema:
        yield f"{name}: a world has one schema, so leave schema={table.schema!r} out"
    for column in table.columns:
        yield from (f"{name}.{column.name}: {offence}" for offence in _column_offences(column))
    for text in searched(table):
        if text not in table.columns:
            yield f"{name}: searched column {text} does not exist; it has {', '.join(map(str, table.columns.keys()))}"
        elif type(table.columns[text].type) is not types.Text:
            yield f"{name}.{text}: only Text columns can be searched"


def _column_offences(column: Column[object]) -> Iterable[str]:
    if type(column.type) not in _TYPES:
        yield f"has type {column.type!r}; a world holds {', '.join(_TYPES.values())}"
    if column.computed is not None or column.identity is not None:
        yield "computed and identity columns cannot be carried in a changeset"
    if column.default is not None and not isinstance(column.default, ScalarElementColumnDefault):
        yield "a default must be a plain value"
    if any(column.dialect_options["sqlite"].values()):
        yield "ON CONFLICT clauses could end a session's transaction"


def _clashes(tables: Sequence[Table]) -> Iterable[str]:
    names = [str(table.name) for table in tables]
    twice = sorted({name for name in names if names.count(name) > 1})
    yield from (f"{name}: declared more than once" for name in twice)
    yield from (
        f"{name}: SQLite keeps names that begin with sqlite_ for itself" for name in names if name.startswith("sqlite_")
    )
    for table in tables:
        taken = {index_name(table) + shadow for shadow in _SHADOWS} if searched(table) else set()
        yield from (f"{name}: the search index of {table.name} needs this name" for name in names if name in taken)
