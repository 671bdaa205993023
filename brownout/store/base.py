"""The base of all sessions of one worker: an immutable world file and what is known about it."""

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Final

import apsw

from brownout.core.errors import StoreLost, is_environments
from brownout.store.dialect import identifier
from brownout.store.digest_of_rows import row_digest
from brownout.store.schema import Schema, read_schema
from brownout.store.write_guard import Authorizer, refuse_writes

__all__ = ["Base"]

_CHANGE_COUNTER_AT: Final = 24  # https://sqlite.org/fileformat2.html, "File change counter", then the size in pages
_CHANGE_COUNTER_BYTES: Final = 8
_STATEMENTS_KEPT: Final = 256
"""Statements that a connection keeps prepared. Ten calls of a few apps use some hundred; preparing one costs as much as running ten."""
_SETTINGS: Final = """
    PRAGMA journal_mode = memory;
    PRAGMA temp_store = memory;
    PRAGMA cache_spill = off;
    PRAGMA cache_size = -256;
    PRAGMA mmap_size = 1099511627776;
    PRAGMA synchronous = off;
    PRAGMA foreign_keys = off;
"""
"""The file is mapped into memory, whatever its size. What a session has changed stays in the connection's cache of pages and soon fills it, so
that a page from the file would be copied anew each time it is read: a list of 20 messages took 82 µs instead of 24. Mapped pages are the
system's, one copy for all connections and processes. A file that is cut off while it is mapped ends the process, not the session alone."""


class Base:
    """A finished world file, shared by every connection and never written.

    Args:
        path: the file. It must not change while the base is open; a worker makes its own copy or reflink.
        digest: what `row_digest` gives for it, where that is known; otherwise it is computed when first asked for.

    Attributes:
        schema: its tables.
        ids: the largest key of each table.

    Raises:
        StoreLost: the file is missing, is no SQLite database, or has tables that no changeset could carry.
        OSError: the machine has no file handle left, or its disk fails.
    """

    def __init__(self, path: str | os.PathLike[str], digest: str | None = None) -> None:
        self.path = Path(path).absolute()
        self._known_digest = digest
        try:
            self._file = os.open(self.path, os.O_RDONLY)
        except OSError as error:
            if is_environments(error):
                raise
            raise StoreLost(f"cannot open the world file {self.path}: {error.strerror}") from error
        try:
            self._header = self._read_header()
            self._read_facts()
        except BaseException:
            self.close()
            raise

    @cached_property
    def digest(self) -> str:
        """The digest of the base's rows."""
        return self._known_digest or row_digest(self.path)

    def connect(self, authorizer: Authorizer) -> apsw.Connection:
        """A connection that believes it may write, over a file that will refuse.

        Raises:
            StoreLost: the file cannot be opened.
            OSError: the machine has no file handle left, or its disk fails.
        """
        flags = apsw.SQLITE_OPEN_READWRITE
        try:
            connection = apsw.Connection(str(self.path), flags, vfs="unix-none", statementcachesize=_STATEMENTS_KEPT)
            refuse_writes(connection)
            connection.execute(_SETTINGS).fetchall()
        except apsw.Error as error:
            os.close(os.open(self.path, os.O_RDONLY))  # where the system refuses, it says why; SQLite does not
            raise StoreLost(f"cannot open the world file {self.path}: {error}") from error
        if connection.readonly("main"):
            connection.close()
            message = f"{self.path} is read-only: SQLite must be able to open it for writing, though "
            raise StoreLost(message + "nothing is ever written to it; work on a copy of your own")
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)  # one plan a statement, whatever is bound to it
        connection.set_commit_hook(_refuse_commit)
        connection.set_authorizer(authorizer)
        return connection

    def check_untouched(self) -> None:
        """Make sure that nobody has written to the file.

        Raises:
            StoreLost: its change counter or size moved.
        """
        if os.pread(self._file, _CHANGE_COUNTER_BYTES, _CHANGE_COUNTER_AT) != self._header:
            raise StoreLost(f"{self.path} was written to while sessions were open; all of them are lost")

    def close(self) -> None:
        """Let the file go; a second close is harmless."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _read_facts(self) -> None:
        connection = self.connect(Authorizer())
        try:
            self.schema: Schema = read_schema(connection)
            self.ids: Mapping[str, int] = _largest_keys(connection, self.schema)
        except apsw.Error as error:
            raise StoreLost(f"{self.path} is not a usable world file: {error}") from error
        finally:
            connection.close()

    def _read_header(self) -> bytes:
        return os.pread(self._file, _CHANGE_COUNTER_BYTES, _CHANGE_COUNTER_AT)


def _refuse_commit() -> bool:
    return True


def _largest_keys(connection: apsw.Connection, schema: Schema) -> dict[str, int]:
    largest = {}
    for table in schema.tables.values():
        sql = f"SELECT max({identifier(table.key)}) FROM {identifier(table.name)}"
        largest[table.name] = int(connection.execute(sql).get or 0)
    return largest
