"""Writing a new world file: all of it, or nothing at the target path."""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import apsw
from sqlalchemy import MetaData, Table
from sqlalchemy.schema import CreateIndex, CreateTable

from brownout.core.errors import BuildError
from brownout.store.declared_tables import declared_tables
from brownout.store.dialect import FROZEN, identifier
from brownout.store.rows import StoreRows
from brownout.store.search import index_name, search_ddl, searched

__all__ = ["WorldWriter", "create_world"]

_SETTINGS: Final = """
    PRAGMA page_size = 4096;
    PRAGMA journal_mode = memory;
    PRAGMA synchronous = off;
    PRAGMA locking_mode = exclusive;
    PRAGMA temp_store = memory;
    PRAGMA cache_size = -65536;
"""
_READABLE: Final = 0o644


def create_world(path: str | os.PathLike[str], metadatas: Sequence[MetaData]) -> "WorldWriter":
    """A writer of a new, still empty world.

    Use it as `with create_world(path, metadatas) as world: world.rows.insert(...)`.

    Tables are STRICT and hold Integer, Text, Float and LargeBinary columns. A table with
    `info={"search": ("subject", "body")}` gets a full-text index `<table>_search` over these columns, kept in step
    by triggers. One with `info={"came_later": True}` leaves the digest of worlds without a row in it as it was. What sessions ask
    of tables with `info={"steady": True}`, which hardly any of them writes, is asked once a start. Foreign keys are checked when the world is finished, not before, and not in sessions.

    Raises:
        BuildError: a table cannot be part of a world; every offence is named.
    """
    return WorldWriter(Path(path), declared_tables(metadatas))


class WorldWriter:
    """A world being written beside its target; leaving the `with` block finishes it, an exception discards it.

    Attributes:
        rows: its tables; effects are not recorded unless `rows.record` is set.
    """

    def __init__(self, path: Path, tables: Sequence[Table]) -> None:
        self._path = path.absolute()
        self._tables = tables
        self._unindexed: list[Table] = []
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=self._path.parent)
        os.close(handle)
        self._part = Path(name)
        try:
            self._connection = apsw.Connection(name)
            self._connection.execute(_SETTINGS).fetchall()
            self._connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
            self._connection.execute("BEGIN")
            self._create()
        except BaseException:
            self.discard()
            raise
        self.rows = StoreRows(self._connection)
        self.rows.record = False

    def index_at_the_end(self, tables: Sequence[str]) -> None:
        """Leave tables out of their full-text index until the world is finished; then they are indexed as a whole.

        Keeping the index in step with every row is the most of what a row costs. Nothing must search them meanwhile.
        """
        for table in self._tables:
            if table.name in tables and searched(table):
                for event in ("insert", "delete", "update"):
                    self._connection.execute(f"DROP TRIGGER {identifier(f'{index_name(table)}_{event}')}")
                self._unindexed.append(table)

    def finish(self) -> Path:
        """The path of the finished file: optimized, analysed, compact, on disk, in place in one step.

        Raises:
            BuildError: a foreign key points at nothing.
        """
        execute = self._connection.execute
        try:
            self._check_foreign_keys()
            for table in self._unindexed:
                index = identifier(index_name(table))
                for statement in search_ddl(table)[1:]:
                    execute(statement)
                execute(f"INSERT INTO {index} ({index}) VALUES ('rebuild')")
            for table in self._tables:
                if searched(table):
                    index = identifier(index_name(table))
                    execute(f"INSERT INTO {index} ({index}) VALUES ('optimize')")
            self.rows.control("COMMIT")  # on the rows' own cursor, which ends a query that was not read to its end
            execute("ANALYZE; DROP TABLE IF EXISTS sqlite_stat4").fetchall()
            self._compact()
            _flush(self._part)
            self._part.chmod(_READABLE)
            self._part.replace(self._path)
            _flush(self._path.parent)
        except BaseException:
            self.discard()
            raise
        return self._path

    def discard(self) -> None:
        """Leave nothing behind; harmless on a finished world."""
        if hasattr(self, "_connection"):
            self._connection.close()
        for path in (self._part, self._compacted):
            path.unlink(missing_ok=True)

    @property
    def _compacted(self) -> Path:
        return self._part.with_suffix(".compact.part")

    def _compact(self) -> None:
        """Write the pages anew, into a file: a plain VACUUM holds the whole world in memory, as temporary tables are."""
        self._connection.execute("VACUUM INTO ?", (str(self._compacted),)).fetchall()
        self.rows.detach()
        self._connection.close()
        self._compacted.replace(self._part)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if kind is None:
            self.finish()
        else:
            self.discard()

    def _create(self) -> None:
        for table in self._tables:
            statements = [str(CreateTable(table).compile(dialect=FROZEN))]
            indexes = sorted(table.indexes, key=lambda index: str(index.name))
            statements += [str(CreateIndex(index).compile(dialect=FROZEN)) for index in indexes]
            for statement in (*statements, *search_ddl(table)):
                try:
                    self._connection.execute(statement)
                except apsw.Error as error:
                    raise BuildError(f"cannot create table {table.name}: {error}, in {statement.strip()}") from error

    def _check_foreign_keys(self) -> None:
        broken = self._connection.execute("PRAGMA foreign_key_check").fetchall()
        if broken:
            shown = [f"{table} {key} points at a row of {parent} that is not there" for table, key, parent, _ in broken]
            more = [f"and {len(shown) - 20} more"] if len(shown) > 20 else []
            raise BuildError("the world's rows do not hold together:\n  " + "\n  ".join([*shown[:20], *more]))


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
