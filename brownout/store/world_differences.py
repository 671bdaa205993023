"""In which rows two world files differ, table by table."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

import apsw
import orjson

from brownout.core.errors import StoreError
from brownout.store.digest_of_rows import every_row
from brownout.store.schema import StoredTable, read_schema

__all__ = ["TableDifference", "differing_tables"]

_LONGEST: Final = 400


@dataclass(frozen=True, slots=True)
class TableDifference:
    """A table that two files do not have alike.

    Attributes:
        first, second: rows that only the one or the other has.
        example: one of them as JSON, the first file's before the second's; a long one is cut.
    """

    table: str
    first: int
    second: int
    example: tuple[str, ...]


def differing_tables(first: Path, second: Path) -> list[TableDifference]:
    """The tables of two world files whose rows are not the same, in the order of the first file's.

    Raises:
        StoreError: a file is no usable world.
    """
    try:
        there = _opened(second)
        try:
            others = read_schema(there).tables
        finally:
            there.close()
        connection = _opened(first)
        try:
            connection.execute("ATTACH ? AS other", (_address(second),))
            return [*_compared(connection, others)]
        finally:
            connection.close()
    except apsw.Error as error:
        raise StoreError(f"cannot compare {first} and {second}: {error}") from error


def _opened(path: Path) -> apsw.Connection:
    return apsw.Connection(_address(path), apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)


def _address(path: Path) -> str:
    return f"file:{quote(str(path.absolute()))}?immutable=1"


def _compared(connection: apsw.Connection, others: Mapping[str, StoredTable]) -> Iterator[TableDifference]:
    tables = read_schema(connection).tables
    for table in tables.values():
        own = every_row(table, "main")
        if table.name not in others:
            yield TableDifference(table.name, _count(connection, own), 0, ())
            continue
        there = every_row(others[table.name], "other")
        only_first, only_second = f"{own} EXCEPT {there}", f"{there} EXCEPT {own}"
        first, second = _count(connection, only_first), _count(connection, only_second)
        if first or second:
            rows = [next(iter(connection.execute(f"{query} LIMIT 1")), None) for query in (only_first, only_second)]
            shown = tuple(orjson.dumps(row).decode()[:_LONGEST] for row in rows if row is not None)
            yield TableDifference(table.name, first, second, shown)
    for table in others.values():
        if table.name not in tables:
            yield TableDifference(table.name, 0, _count(connection, every_row(table, "other")), ())


def _count(connection: apsw.Connection, query: str) -> int:
    return int(next(iter(connection.execute(f"SELECT count(*) FROM ({query})")))[0])
