"""The objects of one repository in one session: the package's, and above them rows."""

from collections.abc import Iterator
from typing import Final

from sqlalchemy import bindparam, select

from brownout.core import rows as core
from brownout.core.errors import StoreError
from brownout.store.git.base import BaseRepository
from brownout.store.git.object_sources import Objects
from brownout.store.git.objects import TreeItems, kind_named, object_id, stored, unstored
from brownout.store.git.tables import git_object
from brownout.store.git.value_types import CheckoutSize, Commit, Kind, RawObject
from brownout.store.queries import compile_query
from brownout.store.rows import Savepoint, StoreRows

__all__ = ["RowedObjects"]

_SIZES_KEPT: Final = 50_000
_columns = git_object.c
_OF_REPO: Final = _columns.repo == bindparam("repo")
_OBJECT: Final = compile_query(select(_columns.type, _columns.data).where(_OF_REPO, _columns.sha == bindparam("sha")))
_KIND: Final = compile_query(select(_columns.type).where(_OF_REPO, _columns.sha == bindparam("sha")))
_PRESENT: Final = compile_query(select(_columns.id).where(_OF_REPO, _columns.sha == bindparam("sha")))
_RANGE: Final = compile_query(
    select(_columns.sha)
    .where(_OF_REPO, _columns.sha >= bindparam("first"), _columns.sha < bindparam("last"))
    .order_by(_columns.sha)
)
_EVERY: Final = compile_query(
    select(_columns.sha, _columns.type, _columns.size, _columns.data).where(_OF_REPO).order_by(_columns.sha)
)


class RowedObjects(Objects):
    """Objects of the package, then of the session; what the package has is never written.

    Objects leave no effects: what an operation does is told by the refs it moves.
    """

    __slots__ = ("_base", "_rows", "name")

    def __init__(self, rows: core.Rows, name: str, base: BaseRepository) -> None:
        if not isinstance(rows, StoreRows):
            raise StoreError(f"the rows of a git repository are those of a store session, not {type(rows).__name__}")
        self._rows, self.name, self._base = rows, name, base

    def find(self, sha: str) -> RawObject | None:
        """The object with that id."""
        found = self._base.find(sha)
        if found is not None:
            return found
        row = self._rows.one(_OBJECT, repo=self.name, sha=sha)
        if row is None:
            return None
        data = row["data"]
        assert isinstance(data, bytes)
        return RawObject(kind_named(row.text("type")), unstored(data))

    def has(self, sha: str) -> bool:
        """The package or the session has an object of that id."""
        return self._base.has(sha) or self._rows.scalar(_PRESENT, repo=self.name, sha=sha) is not None

    def kind(self, sha: str) -> Kind | None:
        """What the object with that id is."""
        found = self._base.kind(sha) or self._rows.scalar(_KIND, repo=self.name, sha=sha)
        return kind_named(found) if isinstance(found, str) else None

    @property
    def generations(self) -> dict[str, int]:
        """Those of all sessions."""
        return self._base.generations

    def checkout_size(self, tree: str) -> CheckoutSize | None:
        """What a tree that is here unfolds to, where some session found that before."""
        found = self._base.checkout_sizes.get(tree)
        return found if found is not None and self.has(tree) else None

    def remember_checkout_size(self, tree: str, size: CheckoutSize) -> None:
        """Keep it for all sessions, as long as there is room."""
        if len(self._base.checkout_sizes) < _SIZES_KEPT or self._base.has(tree):
            self._base.checkout_sizes[tree] = size

    def write(self, kind: Kind, data: bytes) -> str:
        """The id of the object, which is a row from now on unless the package has it."""
        sha = object_id(kind, data)
        if self.has(sha):
            return sha
        recorded, self._rows.record = self._rows.record, False
        try:
            self._rows.insert(git_object, repo=self.name, sha=sha, type=kind, size=len(data), data=stored(data))
        finally:
            self._rows.record = recorded
        return sha

    def starting(self, prefix: str) -> list[str]:
        """The ids that begin with these hexadecimal digits, sorted."""
        found = self._rows.tuples(_RANGE, {"repo": self.name, "first": prefix, "last": prefix + "g"})
        return sorted({*self._base.starting(prefix), *(str(sha) for (sha,) in found)})

    def commit(self, sha: str) -> Commit:
        """The commit with that id."""
        return self._base.commit(sha) or super().commit(sha)

    def tree(self, sha: str) -> TreeItems:
        """The entries of the folder with that id; not to be changed."""
        found = self._base.tree(sha)
        return super().tree(sha) if found is None else found

    def savepoint(self) -> Savepoint:
        """A `with` block that on an exception takes back what it wrote, refs and effects included."""
        return self._rows.savepoint()

    def rows(self) -> Iterator[tuple[str, Kind, int, bytes]]:
        """Id, kind, size and zlib stream of every object that is a row, sorted by id."""
        for sha, kind, size, data in self._rows.tuples(_EVERY, {"repo": self.name}):
            assert isinstance(sha, str)
            assert isinstance(size, int)
            assert isinstance(data, bytes)
            yield sha, kind_named(str(kind)), size, data
