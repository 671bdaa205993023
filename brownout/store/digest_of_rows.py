"""Digests of rows: the same rows give the same digest, whatever file, page order or SQLite version holds them."""

import os
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Final
from urllib.parse import quote

import apsw
import orjson

from brownout.core.errors import StoreError
from brownout.store.dialect import identifier
from brownout.store.schema import StoredTable, read_schema

__all__ = ["every_row", "row_digest"]

_ROWS_AT_ONCE: Final = 2000


def row_digest(source: apsw.Connection | str | os.PathLike[str]) -> str:
    """A 32-digit digest of every ordinary table's rows in key order.

    Search indexes and statistics do not count, nor does an empty table that came later than its app's others.

    Args:
        source: a connection, whose own uncommitted rows are seen, or the path of a world file.

    Raises:
        StoreError: the file is not a usable world.
    """
    if isinstance(source, apsw.Connection):
        return _digest(source)
    uri = f"file:{quote(str(Path(source).absolute()))}?immutable=1"
    try:
        connection = apsw.Connection(uri, apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
        try:
            return _digest(connection)
        finally:
            connection.close()
    except apsw.Error as error:
        raise StoreError(f"cannot read the world file {source}: {error}") from error


def _digest(connection: apsw.Connection) -> str:
    state = blake2b(digest_size=16)
    for table in read_schema(connection).tables.values():
        rows = connection.execute(f"{every_row(table)} ORDER BY {identifier(table.key)}")
        chunk = list(islice(rows, _ROWS_AT_ONCE))
        if chunk or not table.came_later:
            state.update(orjson.dumps([table.name, *table.columns]))
        while chunk:
            # rows are spelled one after another, so that the chunk size leaves no trace
            state.update(orjson.dumps(chunk)[1:-1] + b",")
            chunk = list(islice(rows, _ROWS_AT_ONCE))
    return state.hexdigest()


def every_row(table: StoredTable, schema: str = "main") -> str:
    """A query for a table's rows, in values that JSON can spell."""
    columns = ", ".join(map(_plain, table.columns, table.types))
    return f"SELECT {columns} FROM {schema}.{identifier(table.name)}"


def _plain(column: str, kind: str) -> str:
    """The column as something JSON can spell; columns are STRICT, so no two values become alike."""
    name = identifier(column)
    if kind == "BLOB":
        return f"iif({name} IS NULL, NULL, hex({name}))"
    if kind == "REAL":
        return f"iif(abs({name}) = 9e999, quote({name}), {name})"
    return name
