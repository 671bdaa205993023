"""Files that stand at starts which change much of the base: one for all connections, instead of its pages in each."""

import weakref
from pathlib import Path
from shutil import copyfile, rmtree
from tempfile import mkdtemp

import apsw

from brownout.store.base import Base
from brownout.store.connection_slot import Start, apply_changeset
from brownout.store.late_index import LateIndex

__all__ = ["Grounds", "write_world_above"]


class Grounds:
    """The files of one pool's heavy starts, in a folder for temporary files; they go with `close`, or with the process."""

    def __init__(self, base: Base) -> None:
        self._base = base
        self._found: dict[Start, Base | None] = {}
        self._remove: weakref.finalize[..., Grounds] | None = None
        self._folder: Path | None = None

    def of(self, start: Start) -> Base | None:
        """The file of a start, made when it is first asked for; None for a light one, and where there is no room for files.

        Raises:
            StoreLost: the start does not fit the base.
        """
        if not start.is_heavy:
            return None
        if start not in self._found:
            try:
                self._found[start] = self._made(start)
            except (OSError, apsw.FullError, apsw.IOError, apsw.CantOpenError):
                self._found[start] = None
        return self._found[start]

    def _made(self, start: Start) -> Base:
        if self._folder is None:
            self._folder = Path(mkdtemp(prefix="brownout-starts-"))
            self._remove = weakref.finalize(self, rmtree, self._folder, ignore_errors=True)
        path = self._folder / f"{len(self._found)}.sqlite"
        write_world_above(self._base, start.changeset, path)
        return Base(path)

    def close(self) -> None:
        """Remove the files; a second close is harmless."""
        for base in self._found.values():
            if base is not None:
                base.close()
        self._found.clear()
        if self._remove is not None:
            self._remove()


def write_world_above(base: Base, changeset: bytes, path: Path) -> None:
    """Write a world file that has what a base has, and some changes to it.

    What is searched is indexed when all rows are there, in the order of their keys: a changeset has them in any order, and an index
    that follows it is in two dozen pieces, each of which every search reads.

    Raises:
        OSError: there is no room for it.
        StoreLost: the changes do not fit.
    """
    copyfile(base.path, path)
    connection = apsw.Connection(str(path), apsw.SQLITE_OPEN_READWRITE)
    try:
        connection.execute("PRAGMA journal_mode = off; PRAGMA synchronous = off; BEGIN").fetchall()
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, False)
        apply_changeset(changeset, connection)
        LateIndex(connection, base.schema.searched, changeset).catch_up()
        connection.execute("COMMIT")
    except (apsw.FullError, apsw.IOError) as error:
        raise OSError(f"cannot write {path}: {error}") from error
    finally:
        connection.close()
