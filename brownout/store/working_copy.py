"""A world file gone on from in a file of its own, for as long a stretch as anybody likes.

A session is one transaction, which holds every page that it changed in memory. Weeks of a large company are more than that: here
they are committed, and only which rows differ from the base is remembered.
"""

import os
import tempfile
from pathlib import Path
from shutil import copyfile
from types import TracebackType
from typing import Final, Self

import apsw

from brownout.core.errors import BuildError
from brownout.store.base import Base
from brownout.store.changesets import digest_of_changeset
from brownout.store.rows import StoreRows

__all__ = ["WorkingCopy"]

_SETTINGS: Final = """
    PRAGMA journal_mode = memory;
    PRAGMA synchronous = off;
    PRAGMA locking_mode = exclusive;
    PRAGMA temp_store = memory;
    PRAGMA cache_size = -65536;
"""
_WRITES_TOGETHER: Final = 5_000
"""Rows after which it is worth the milliseconds to commit."""


class WorkingCopy:
    """The rows of a base, and whatever is written into them; the base stays as it is.

    Use it as `with WorkingCopy(base, folder) as copy: copy.rows.insert(...)`; the file is gone afterwards.

    Args:
        folder: where the file stands meanwhile.

    Attributes:
        rows: its tables.

    Raises:
        BuildError: there is no room for it.
    """

    def __init__(self, base: Base, folder: Path) -> None:
        self._base = base
        self._recorded = base.schema.tables.__contains__
        self._recorder: apsw.Session | None = None
        try:
            handle, name = tempfile.mkstemp(prefix=f".{base.path.name}.", suffix=".part", dir=folder)
            os.close(handle)
            self._path = Path(name)
            _copied(base.path, self._path)
        except OSError as error:
            raise BuildError(f"cannot write a working copy of {base.path} in {folder}: {error.strerror}") from error
        self._connection = apsw.Connection(str(self._path))
        try:
            self._connection.execute(_SETTINGS).fetchall()
            self._connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
            self._connection.execute("BEGIN")
            self._record()
        except BaseException:
            self.close()
            raise
        self.rows = StoreRows(self._connection, floor=base.ids)
        self._committed = self._connection.total_changes()

    def commit(self, *, at_once: bool = True) -> None:
        """Put what was written so far into the file, where no savepoint is open.

        Args:
            at_once: False waits until it is worth it.
        """
        written = self._connection.total_changes()
        if self.rows.depth or (not at_once and written - self._committed < _WRITES_TOGETHER):
            return
        self.rows.control("COMMIT")
        self.rows.control("BEGIN")
        self._committed = written

    def changeset(self) -> bytes:
        """Everything that differs from the base.

        Raises:
            BuildError: `forget_base` was called.
        """
        if self._recorder is None:
            raise BuildError("a working copy that has forgotten its base cannot say what differs from it")
        return self._recorder.changeset()

    def digest(self, changeset: bytes) -> str:
        """The digest of the state that such changes above the base describe, as a session in it has it."""
        return digest_of_changeset(changeset, self._base.schema, self._base.digest, "")

    def forget_base(self) -> None:
        """Remember no longer what differs from the base: nobody will ask."""
        if self._recorder is not None:
            self._recorder.close()
            self._recorder = None

    def close(self) -> None:
        """Remove the file; a second close is harmless."""
        self.forget_base()
        self._connection.close()
        self._path.unlink(missing_ok=True)

    def _record(self) -> None:
        recorder = apsw.Session(self._connection, "main")
        recorder.table_filter(self._recorded)
        recorder.attach()
        self._recorder = recorder

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def _copied(source: Path, target: Path) -> None:
    try:
        copyfile(source, target)
    except OSError:
        target.unlink(missing_ok=True)
        raise
