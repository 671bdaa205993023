"""libgit2 over the session's objects: for merges, differences and blame, whose rules are not ours to repeat."""

from pathlib import Path
from typing import Final

import pygit2
from pygit2.enums import ConfigLevel

from brownout.store.git.errors import BadObject
from brownout.store.git.object_sources import DraftObjects
from brownout.store.git.objects import KINDS
from brownout.store.git.value_types import RawObject

__all__ = ["open_library", "read_tree"]

_PACKED: Final = 2
_IN_ROWS: Final = 1
_CONFIGURATIONS: Final = (ConfigLevel.PROGRAMDATA, ConfigLevel.SYSTEM, ConfigLevel.XDG, ConfigLevel.GLOBAL)

for _level in _CONFIGURATIONS:  # what a machine's owner likes must not decide how a world's branches merge
    pygit2.settings.search_path[_level] = ""


def open_library(draft: DraftObjects, packed: Path | None) -> pygit2.Repository:
    """A libgit2 repository without files, for one operation.

    It must not be kept: its cache would go on knowing objects after the session was reset. What it writes goes into
    the draft.

    Args:
        draft: what the library reads beside the pack, and where it writes.
        packed: the `objects` folder of the package's repository.
    """
    objects = pygit2.Odb()
    if packed is not None:  # about 15 microseconds; libgit2 forbids sharing one between repositories
        objects.add_backend(pygit2.OdbBackendPack(str(packed)), _PACKED)
    objects.add_backend(_Backend(draft), _IN_ROWS)
    repository = pygit2.Repository()
    repository.set_odb(objects)
    return repository


def read_tree(library: pygit2.Repository, sha: str) -> pygit2.Tree:
    """The tree with that id."""
    found = library[sha]
    if not isinstance(found, pygit2.Tree):
        raise BadObject(f"{sha} is no tree")
    return found


class _Backend(pygit2.OdbBackend):
    """Objects of a draft; libgit2 looks for methods of exactly these names, and takes KeyError for "not here"."""

    def __init__(self, draft: DraftObjects) -> None:
        super().__init__()
        self._draft = draft
        self._read: dict[str, RawObject] = {}

    def read_cb(self, oid: pygit2.Oid) -> tuple[int, bytes]:
        found = self._found(str(oid))
        return KINDS.index(found.kind) + 1, found.data

    def read_header_cb(self, oid: pygit2.Oid) -> tuple[int, int]:
        found = self._found(str(oid))
        return KINDS.index(found.kind) + 1, len(found.data)

    def exists_cb(self, oid: pygit2.Oid) -> bool:
        return self._draft.has(str(oid))

    def write_cb(self, oid: pygit2.Oid, data: bytes, kind: int) -> None:
        self._draft.add(str(oid), RawObject(KINDS[kind - 1], bytes(data)))

    def refresh_cb(self) -> None:
        """Nothing to do: rows are read when they are asked for."""

    def exists_prefix_cb(self, prefix: object) -> pygit2.Oid:
        raise KeyError(prefix)

    def read_prefix_cb(self, prefix: object) -> tuple[int, bytes, pygit2.Oid]:
        raise KeyError(prefix)

    def _found(self, sha: str) -> RawObject:
        """An object; libgit2 asks for its kind and size first, then for the whole."""
        found = self._read.get(sha) or self._draft.find(sha)
        if found is None:
            raise KeyError(sha)
        self._read[sha] = found
        return found
