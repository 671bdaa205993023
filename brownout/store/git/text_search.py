"""Finding text in the files of one commit: a plain scan, with bounds."""

from collections.abc import Iterator
from typing import Final

from brownout.store.git.object_sources import Objects
from brownout.store.git.trees import walk_files
from brownout.store.git.value_types import LINK, SUBMODULE, LineMatch

__all__ = ["find_text"]

_LARGEST_FILE: Final = 384 * 1024
"""GitHub searches no larger files (docs.github.com, "Searching code")."""
_BINARY_LOOK: Final = 8000
"""git takes a file for binary if a NUL is among so many bytes."""
_LONGEST_LINE: Final = 1000


def find_text(objects: Objects, tree: str, text: str, path: str, limit: int) -> Iterator[LineMatch]:
    """The first `limit` lines that contain the text, upper and lower case alike, in the tree's order.

    Args:
        path: only files at or below it; empty for all.
    """
    wanted = text.lower()
    if not wanted:
        return
    found = 0
    for name, entry in walk_files(objects, tree):
        if entry.mode in (LINK, SUBMODULE) or not _is_below(name, path):
            continue
        data = objects.read(entry.sha, "blob")
        if len(data) > _LARGEST_FILE or b"\0" in data[:_BINARY_LOOK]:
            continue
        if wanted.isascii() and wanted.encode() not in data.lower():
            continue
        content = data.decode("utf-8", "replace")
        for number, line in enumerate(content.split("\n"), 1):
            if wanted in line.lower():
                yield LineMatch(name, entry.sha, number, line.rstrip("\r")[:_LONGEST_LINE])
                found += 1
                if found == limit:
                    return


def _is_below(name: str, path: str) -> bool:
    return not path or name == path or name.startswith(path.rstrip("/") + "/")
