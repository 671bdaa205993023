"""What the terminal's rows are called (`path_of`), and the things that a selector's pattern names (`find`)."""

import re
import stat
from typing import Final

from sqlalchemy import bindparam, select

from brownout.core.apps import Thing
from brownout.core.rows import Row, Rows
from brownout.core.values import JsonObject
from brownout.core.wildcards import fits
from brownout.store import compile_query
from tools.terminal import tables
from tools.terminal.paths import place_of

__all__ = ["find", "path_of"]

_file, _content, _blob = tables.file, tables.content, tables.blob
_FILES: Final = compile_query(
    select(_file, _content.c.sha, _content.c.size)
    .join_from(_file, _content, _content.c.id == _file.c.id)
    .order_by(_file.c.owner, _file.c.path)
)
_BLOB: Final = compile_query(select(_blob.c.data).where(_blob.c.sha == bindparam("sha")))
_LONGEST: Final = 100_000
_BY_PATH: Final = re.compile(r"[^/:]+\.file/")


def path_of(rows: Rows, table: str, row: Row) -> str:
    """The path of a row; what is not below the home directory begins with a slash: `terminal:wren.file//tmp/notes`."""
    match table:
        case "terminal_file":
            return _path(row)
        case "terminal_blob":
            return f"terminal:blob/{row.text('sha')}"
        case "terminal_checkout":
            return f"terminal:{row.text('owner')}.checkout/{row.text('repo')}"
    return f"terminal:{row.text('owner')}"


def find(rows: Rows, pattern: str) -> list[Thing]:
    """The files that a pattern names: `wren:boxoffice/*.py`, with nobody's name for everybody's; or by path, `wren.file/notes`.

    `content` is there for text that was written in the session, not for files that are as they were cloned.
    """
    owner, mark, path = pattern.partition(".file/" if _BY_PATH.match(pattern) else ":")
    if not mark:
        owner, path = "*", pattern
    found = []
    for row in rows.all(_FILES):
        place = place_of(row.text("path"), row.text("owner"))
        if fits(row.text("owner"), owner) and fits(place, path):
            found.append(Thing(_path(row), _fields(rows, row, place), (("terminal_file", row.number("id")),)))
    return found


def _path(row: Row) -> str:
    return f"terminal:{row.text('owner')}.file/{place_of(row.text('path'), row.text('owner'))}"


def _fields(rows: Rows, row: Row, place: str) -> JsonObject:
    mode = row.number("mode")
    fields: JsonObject = {
        "path": place,
        "kind": "directory" if stat.S_ISDIR(mode) else "link" if stat.S_ISLNK(mode) else "file",
        "mode": f"{stat.S_IMODE(mode):o}",
        "size": row.number("size"),
        "sha": row.text("sha"),
    }
    data = rows.scalar(_BLOB, sha=row.text("sha")) if row["sha"] else None
    if isinstance(data, bytes) and len(data) <= _LONGEST:
        fields["content"] = data.decode("utf-8", "replace")
    return fields
