"""A repository of the package: one pack that every session of a worker reads and nobody writes."""

import os
from bisect import bisect_left
from functools import lru_cache
from pathlib import Path
from typing import Final, cast

import pygit2

from brownout.core.errors import PackageError
from brownout.store.git.errors import BadObject
from brownout.store.git.objects import TreeItems, decode_commit, decode_tree
from brownout.store.git.value_types import CheckoutSize, Commit, Kind, RawObject

__all__ = ["BaseRepository"]

_KINDS: Final[dict[int, Kind]] = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}
_COMMITS_KEPT: Final = 20_000
_TREES_KEPT: Final = 1_000


class BaseRepository:
    """A bare, packed repository, opened once per worker and shared by all its sessions, also across threads.

    Args:
        path: the folder of the bare repository, which must not change while the base is open; None for a repository
            that was made in a session, of which the package has nothing.

    Attributes:
        objects_path: its `objects` folder.
        checkout_sizes: what trees unfold to, its own and those of sessions, as far as somebody asked.
        generations: how long the history of commits is, likewise.

    Raises:
        PackageError: there is no bare repository.
    """

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        self.objects_path = None if path is None else Path(path).absolute() / "objects"
        if self.objects_path is not None and not self.objects_path.is_dir():
            raise PackageError(f"{path} is no bare repository: it has no folder `objects`")
        self._odb = pygit2.Odb(*([] if self.objects_path is None else [str(self.objects_path)]))
        self._shas = sorted(str(oid) for oid in self._odb)
        self._known = frozenset(self._shas)
        self.checkout_sizes: dict[str, CheckoutSize] = {}
        self.generations: dict[str, int] = {}
        self._commit = lru_cache(_COMMITS_KEPT)(self._read_commit)
        self._tree = lru_cache(_TREES_KEPT)(self._read_tree)

    def __len__(self) -> int:
        """How many objects it has."""
        return len(self._shas)

    def has(self, sha: str) -> bool:
        """The package has an object of that id."""
        return sha in self._known

    def find(self, sha: str) -> RawObject | None:
        """The object with that id."""
        if sha not in self._known:
            return None
        kind, data = self._odb.read(sha)
        return RawObject(_KINDS[int(kind)], data)

    def kind(self, sha: str) -> Kind | None:
        """What the object with that id is, None where the package has none."""
        return _KINDS[int(self._odb.read_header(sha)[0])] if sha in self._known else None

    def starting(self, prefix: str) -> list[str]:
        """The ids that begin with these hexadecimal digits, sorted."""
        first = bisect_left(self._shas, prefix)
        last = bisect_left(self._shas, prefix + "g")
        return self._shas[first:last]

    def commit(self, sha: str) -> Commit | None:
        """The commit with that id, read once and then remembered; None where the package has no such commit."""
        return self._commit(sha) if sha in self._known else None

    def tree(self, sha: str) -> TreeItems | None:
        """The entries of the folder with that id, likewise."""
        return self._tree(sha) if sha in self._known else None

    def _read_commit(self, sha: str) -> Commit:
        return decode_commit(sha, self._read(sha, "commit"))

    def _read_tree(self, sha: str) -> TreeItems:
        return decode_tree(self._read(sha, "tree"))

    def _read(self, sha: str, kind: Kind) -> bytes:
        found = cast(RawObject, self.find(sha))
        if found.kind != kind:
            raise BadObject(f"{sha} is a {found.kind}, expected a {kind}")
        return found.data
