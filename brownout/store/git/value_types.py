"""Plain values of git as callers see them: signatures, commits, entries of trees, differences."""

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from brownout.store.git.errors import BadName

__all__ = [
    "EXECUTABLE",
    "FOLDER",
    "LINK",
    "REGULAR",
    "SUBMODULE",
    "BlameSpan",
    "Commit",
    "Comparison",
    "File",
    "FileChange",
    "FileDiff",
    "FileStatus",
    "Kind",
    "LineMatch",
    "Mergeable",
    "RawObject",
    "Signature",
    "Tag",
    "TreeEntry",
    "check_path",
]

Kind: TypeAlias = Literal["commit", "tree", "blob", "tag"]
FileStatus: TypeAlias = Literal["added", "removed", "modified", "renamed", "copied"]

REGULAR: Final = 0o100644
EXECUTABLE: Final = 0o100755
LINK: Final = 0o120000
FOLDER: Final = 0o040000
SUBMODULE: Final = 0o160000
_FORBIDDEN: Final = frozenset({"", ".", "..", ".git", "git~1"})


class RawObject(NamedTuple):
    """An object as git hashes it, without its header."""

    kind: Kind
    data: bytes


@dataclass(frozen=True, slots=True)
class CheckoutSize:
    """What a folder unfolds to.

    Attributes:
        files: below it, at any depth.
        size: bytes of all of them.
        path: bytes of the longest path.
        depth: folders one in another.
    """

    files: int = 0
    size: int = 0
    path: int = 0
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Signature:
    """Who and when, as commits and tags carry it.

    Attributes:
        seconds: since 1970-01-01 UTC.
        offset_minutes: of the zone in which it is shown, east positive.
    """

    name: str
    email: str
    seconds: int
    offset_minutes: int = 0


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit.

    Attributes:
        message: as written, with its final newline if it has one; bytes that are no UTF-8 are replaced.
    """

    sha: str
    tree: str
    parents: tuple[str, ...]
    author: Signature
    committer: Signature
    message: str

    @property
    def subject(self) -> str:
        """The first line of the message."""
        return self.message.partition("\n")[0]


@dataclass(frozen=True, slots=True)
class Tag:
    """An annotated tag.

    Attributes:
        target: the id of what it names; `kind` says what that is.
        tagger: None in tags of an early git.
    """

    sha: str
    name: str
    target: str
    kind: Kind
    tagger: Signature | None
    message: str


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One file or folder of a tree.

    Attributes:
        mode: as git has it: 0o100644, 0o100755, 0o120000 (link), 0o040000 (folder), 0o160000 (submodule).
    """

    mode: int
    sha: str

    @property
    def kind(self) -> Kind:
        """What the id names; a submodule's is a commit of another repository."""
        if self.mode == FOLDER:
            return "tree"
        return "commit" if self.mode == SUBMODULE else "blob"


@dataclass(frozen=True, slots=True)
class File:
    """The content of one file: for links the path they point at."""

    data: bytes
    mode: int = REGULAR


FileChange: TypeAlias = bytes | File | TreeEntry | None
"""What becomes of a path: new content under the mode it has, content and mode, an object already there, or nothing."""


@dataclass(frozen=True, slots=True)
class FileDiff:
    """What happened to one file.

    Attributes:
        path: where it is now, or was if it was removed.
        old_path: where it was; the same unless it was renamed or copied.
        sha: the blob it is now, or was if it was removed.
        old_mode, new_mode: 0 where there is no file.
        additions, deletions: lines; 0 for binary files.
        patch: unified diff hunks from the first `@@` on, no final newline; empty for binary files and mere moves.
    """

    path: str
    old_path: str
    status: FileStatus
    sha: str
    old_mode: int
    new_mode: int
    additions: int
    deletions: int
    patch: str
    is_binary: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two histories relate: `base...head`.

    Attributes:
        merge_base: the best common ancestor, None where there is none.
        ahead: how many commits only the head has; `behind` only the base.
        commits: those only the head has, oldest first.
        files: what the head changed since the merge base.
    """

    base: str
    head: str
    merge_base: str | None
    ahead: int
    behind: int
    commits: tuple[Commit, ...]
    files: tuple[FileDiff, ...]


@dataclass(frozen=True, slots=True)
class Mergeable:
    """Whether two histories can be joined.

    Attributes:
        tree: the merged tree, None where there are conflicts. It is not stored unless the merge is made.
        conflicts: the files in conflict, sorted.
    """

    tree: str | None
    conflicts: tuple[str, ...]

    @property
    def is_clean(self) -> bool:
        """No person is needed."""
        return self.tree is not None


@dataclass(frozen=True, slots=True)
class BlameSpan:
    """Consecutive lines that one commit wrote.

    Attributes:
        start, end: line numbers from 1, both included.
        path: the file's path in that commit.
    """

    start: int
    end: int
    commit: Commit
    path: str


@dataclass(frozen=True, slots=True)
class LineMatch:
    """One line that contains the text searched for.

    Attributes:
        line: its number from 1.
        text: the line without its end.
    """

    path: str
    sha: str
    line: int
    text: str


def check_path(path: str) -> None:
    """Make sure that a file may be called so, here and in any checkout.

    Raises:
        BadName: it is absolute, leads outside, or names git's own folder.
    """
    if "\0" in path or any(part.lower() in _FORBIDDEN for part in path.split("/")):
        raise BadName(f"{path!r} cannot be a file's path in a repository")
