"""What keeps a session from leaving its transaction and the base file from ever being written.

Two independent locks: SQLite asks `Authorizer` before it prepares a statement, and a connection that went
through `refuse_writes` has a file whose write functions only return an error, whatever SQL it runs.
"""

from ctypes import CFUNCTYPE, POINTER, Structure, addressof, c_int, c_int64, c_void_p, cast, memmove, pointer, sizeof
from typing import Final

import apsw

from brownout.core.errors import StoreLost

__all__ = ["Authorizer", "refuse_writes"]

_ORDINARY: Final = frozenset(
    {
        apsw.SQLITE_SELECT,
        apsw.SQLITE_READ,
        apsw.SQLITE_INSERT,
        apsw.SQLITE_UPDATE,
        apsw.SQLITE_DELETE,
        apsw.SQLITE_FUNCTION,
        apsw.SQLITE_RECURSIVE,
    }
)
_NEEDED_PRAGMAS: Final = frozenset({"data_version", "table_xinfo"})
"""FTS5 watches the first, the session extension reads the second; neither changes anything."""
_EXPIRES: Final = "defer_foreign_keys"
"""The session extension sets this pragma whenever it applies a changeset, and SQLite prepares every statement anew after that. Foreign keys are off."""


class Authorizer:
    """Lets ordinary statements read and write rows and nothing else.

    It stays installed for the connection's life, because SQLite prepares every statement anew after a change of
    authorizer, and what would have the same effect is ignored. The store's own statements run while `lifted` is true.
    """

    __slots__ = ("lifted",)

    def __init__(self) -> None:
        self.lifted = True

    def __call__(self, action: int, first: str | None, second: str | None, database: str | None, by: str | None) -> int:
        if action == apsw.SQLITE_PRAGMA and first == _EXPIRES:
            return apsw.SQLITE_IGNORE
        if self.lifted or action in _ORDINARY or (action == apsw.SQLITE_PRAGMA and first in _NEEDED_PRAGMAS):
            return apsw.SQLITE_OK
        return apsw.SQLITE_DENY


class _Methods(Structure):
    """SQLite's `sqlite3_io_methods`, version 3 (https://sqlite.org/c3ref/io_methods.html)."""

    _fields_ = (
        ("iVersion", c_int),
        ("xClose", c_void_p),
        ("xRead", c_void_p),
        ("xWrite", c_void_p),
        ("xTruncate", c_void_p),
        ("xSync", c_void_p),
        ("xFileSize", c_void_p),
        ("xLock", c_void_p),
        ("xUnlock", c_void_p),
        ("xCheckReservedLock", c_void_p),
        ("xFileControl", c_void_p),
        ("xSectorSize", c_void_p),
        ("xDeviceCharacteristics", c_void_p),
        ("xShmMap", c_void_p),
        ("xShmLock", c_void_p),
        ("xShmBarrier", c_void_p),
        ("xShmUnmap", c_void_p),
        ("xFetch", c_void_p),
        ("xUnfetch", c_void_p),
    )


class _SqliteFile(Structure):
    """SQLite's `sqlite3_file`: a pointer to the functions that work on it."""

    _fields_ = (("methods", POINTER(_Methods)),)


_refuse_write: Final = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)(lambda *_: apsw.SQLITE_READONLY)
_refuse_truncate: Final = CFUNCTYPE(c_int, c_void_p, c_int64)(lambda *_: apsw.SQLITE_READONLY)
_guarded: Final[dict[int, _Methods]] = {}
"""Method tables by the address of the original; SQLite keeps pointers to them, so they are never freed."""


def refuse_writes(connection: apsw.Connection) -> None:
    """Replace the write and truncate functions of the connection's main file by ones that refuse.

    SQLite hands out its file object for such use (SQLITE_FCNTL_FILE_POINTER). A VFS written in Python would do
    the same, but every page read would then pass through Python.

    Raises:
        StoreLost: this SQLite does not give its file object away.
    """
    place = c_void_p()
    found = connection.file_control("main", apsw.SQLITE_FCNTL_FILE_POINTER, addressof(place))
    if not found or not place.value:
        raise StoreLost("this SQLite does not hand out its file object, so the base file cannot be protected")
    file = cast(place, POINTER(_SqliteFile)).contents
    original = addressof(file.methods.contents)
    if original not in _guarded:
        methods = _Methods()
        memmove(addressof(methods), original, sizeof(_Methods))
        methods.xWrite = cast(_refuse_write, c_void_p).value
        methods.xTruncate = cast(_refuse_truncate, c_void_p).value
        _guarded[original] = methods
    file.methods = pointer(_guarded[original])
