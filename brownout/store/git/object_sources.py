"""Where objects are read from and written to: the package, the session's rows, and drafts that are neither yet."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Final

from brownout.store.git.errors import BadObject, MissingObject
from brownout.store.git.objects import (
    EMPTY_TREE,
    TreeItems,
    decode_commit,
    decode_tree,
    encode_tree,
    object_id,
    references,
)
from brownout.store.git.value_types import CheckoutSize, Commit, Kind, RawObject

__all__ = ["DraftObjects", "Objects", "closure"]


_EMPTY: Final = RawObject("tree", b"")
"""Known everywhere, as in git, so that anything can be compared with nothing."""


class Objects(ABC):
    """Objects by id.

    Attributes:
        name: the repository's, for messages.
    """

    name: str

    @abstractmethod
    def find(self, sha: str) -> RawObject | None:
        """The object with that id."""

    @abstractmethod
    def write(self, kind: Kind, data: bytes) -> str:
        """The id of the object, which is there from now on."""

    @abstractmethod
    def starting(self, prefix: str) -> list[str]:
        """The ids that begin with these hexadecimal digits, sorted."""

    def has(self, sha: str) -> bool:
        """There is an object of that id."""
        return self.find(sha) is not None

    def kind(self, sha: str) -> Kind | None:
        """What the object with that id is, None where there is none."""
        found = self.find(sha)
        return found.kind if found else None

    @property
    @abstractmethod
    def generations(self) -> dict[str, int]:
        """How long the history of each commit is that somebody asked it of; a commit's id says it once and for all."""

    def checkout_size(self, tree: str) -> CheckoutSize | None:
        """What a tree unfolds to, where that was found before."""
        return None

    def remember_checkout_size(self, tree: str, size: CheckoutSize) -> None:
        """Keep what a tree unfolds to, which never changes."""
        return

    def read(self, sha: str, kind: Kind) -> bytes:
        """The content of the object with that id.

        Raises:
            MissingObject: there is none.
            BadObject: it is of another kind.
        """
        found = self.find(sha)
        if found is None:
            raise MissingObject(self.name, sha)
        if found.kind != kind:
            raise BadObject(f"{sha} is a {found.kind}, expected a {kind}")
        return found.data

    def commit(self, sha: str) -> Commit:
        """The commit with that id.

        Raises:
            MissingObject: there is none.
            BadObject: it is something else.
        """
        return decode_commit(sha, self.read(sha, "commit"))

    def tree(self, sha: str) -> TreeItems:
        """The entries of the folder with that id; not to be changed.

        Raises:
            MissingObject: there is none.
            BadObject: it is something else.
        """
        return decode_tree(self.read(sha, "tree"))

    def write_tree(self, items: TreeItems) -> str:
        """The id of a folder with these entries, written if it is new."""
        return self.write("tree", encode_tree(items))


class DraftObjects(Objects):
    """Objects in memory above others, until somebody decides to keep them.

    Args:
        below: what is read where the draft has nothing; None for a repository being built.

    Attributes:
        made: the draft's objects in the order in which they were written.
    """

    def __init__(self, below: Objects | None, name: str = "") -> None:
        self.name = below.name if below else name
        self.below = below
        self.made: dict[str, RawObject] = {}
        self._generations: dict[str, int] = {}

    @property
    def generations(self) -> dict[str, int]:
        """Those below."""
        return self.below.generations if self.below else self._generations

    def find(self, sha: str) -> RawObject | None:
        """The object with that id, here or below."""
        found = self.made.get(sha) or (self.below.find(sha) if self.below else None)
        return _EMPTY if found is None and sha == EMPTY_TREE else found

    def has(self, sha: str) -> bool:
        """There is an object of that id, here or below."""
        return sha in self.made or (self.below is not None and self.below.has(sha))

    def kind(self, sha: str) -> Kind | None:
        """What the object with that id is, here or below."""
        made = self.made.get(sha)
        if made is not None:
            return made.kind
        return self.below.kind(sha) if self.below else None

    def write(self, kind: Kind, data: bytes) -> str:
        """The id of the object, kept here unless it is below."""
        sha = object_id(kind, data)
        self.add(sha, RawObject(kind, data))
        return sha

    def add(self, sha: str, made: RawObject) -> None:
        """Keep an object whose id is known, unless it is below."""
        if sha not in self.made and not (self.below and self.below.has(sha)):
            self.made[sha] = made

    def starting(self, prefix: str) -> list[str]:
        """The ids that begin with these digits, here and below."""
        below = self.below.starting(prefix) if self.below else []
        return sorted({*below, *(sha for sha in self.made if sha.startswith(prefix))})

    def checkout_size(self, tree: str) -> CheckoutSize | None:
        """What a tree unfolds to, as far as it is known below."""
        return self.below.checkout_size(tree) if self.below else None

    def remember_checkout_size(self, tree: str, size: CheckoutSize) -> None:
        """Have it kept below."""
        if self.below:
            self.below.remember_checkout_size(tree, size)

    def commit(self, sha: str) -> Commit:
        """The commit with that id, from below where it can be had without reading it again."""
        if sha in self.made or self.below is None:
            return super().commit(sha)
        return self.below.commit(sha)

    def tree(self, sha: str) -> TreeItems:
        """The entries of the folder with that id, likewise."""
        if sha in self.made or self.below is None or sha == EMPTY_TREE:
            return super().tree(sha)
        return self.below.tree(sha)

    def keep(self, shas: Iterable[str]) -> None:
        """Write these of the draft's objects, and whatever of the draft they need, to what is below."""
        assert self.below is not None
        for sha in closure(self.made, shas):
            made = self.made[sha]
            self.below.write(made.kind, made.data)


def closure(objects: Mapping[str, RawObject], tips: Iterable[str]) -> list[str]:
    """The ids among `objects` that the tips reach, the tips' own included, those that others need first."""
    found: dict[str, None] = {}
    waiting = [(sha, False) for sha in reversed(list(tips))]
    seen: set[str] = set()
    while waiting:
        sha, is_done = waiting.pop()
        if is_done:
            found[sha] = None
        elif sha in objects and sha not in seen:
            seen.add(sha)
            waiting.append((sha, True))
            waiting += [(needed, False) for needed in reversed(references(sha, objects[sha]))]
    return list(found)
