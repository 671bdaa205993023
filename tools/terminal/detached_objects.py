"""A repository's objects to be read where the session's rows cannot be: outside the store, in another thread."""

from collections.abc import Mapping

from brownout.store.git import BaseRepository, RawObject
from brownout.store.git.errors import GitError
from brownout.store.git.object_sources import Objects
from brownout.store.git.objects import unstored
from brownout.store.git.packs import PackedObject
from brownout.store.git.value_types import Kind

__all__ = ["HeldObjects"]


class HeldObjects(Objects):
    """The package's objects, and those that were the session's rows when this was made. Nothing can be written.

    Args:
        name: the repository's.
        base: its objects in the package.
        rows: the session's, by id.
    """

    def __init__(self, name: str, base: BaseRepository, rows: Mapping[str, PackedObject]) -> None:
        self.name = name
        self._base = base
        self._rows = rows

    def find(self, sha: str) -> RawObject | None:
        """The object with that id."""
        row = self._rows.get(sha)
        return self._base.find(sha) if row is None else RawObject(row.kind, unstored(row.stream))

    @property
    def generations(self) -> dict[str, int]:
        """Those of all sessions."""
        return self._base.generations

    def has(self, sha: str) -> bool:
        """There is an object of that id."""
        return sha in self._rows or self._base.has(sha)

    def write(self, kind: Kind, data: bytes) -> str:
        """Nothing is written here.

        Raises:
            GitError: always.
        """
        raise GitError(f"the objects of {self.name} are only read here; write to a draft above them")

    def starting(self, prefix: str) -> list[str]:
        """The ids that begin with these hexadecimal digits, sorted."""
        return sorted({*self._base.starting(prefix), *(sha for sha in self._rows if sha.startswith(prefix))})
