"""What git refuses, one class for each thing that a caller answers differently.

GitError
  BadName           a ref or path that git would not take
  BadObject         bytes that are no sound git object or pack
  MissingObject     nothing here has that id
  UnknownRevision   no such branch, tag or commit
  UnknownPath       the tree has no such file or folder
  RefMoved          a ref is not where the caller last saw it
  MergeConflict     two histories cannot be joined without a person
  NothingToMerge    one history already contains the other
  PatchError        a patch does not fit its file
  TooLarge          no disk should hold a checkout of it
  PackTooLarge      a pack, or what it unpacks to, is above the limit
"""

from collections.abc import Sequence

from brownout.core.errors import BrownoutError

__all__ = [
    "BadName",
    "BadObject",
    "GitError",
    "MergeConflict",
    "MissingObject",
    "NothingToMerge",
    "PackTooLarge",
    "PatchError",
    "RefMoved",
    "TooLarge",
    "UnknownPath",
    "UnknownRevision",
]


class GitError(BrownoutError):
    """A repository of the session cannot do what it was asked."""


class BadName(GitError):
    """A ref's name or a file's path that git would not take."""


class BadObject(GitError):
    """Bytes that are no sound git object, or no sound pack of them."""


class MissingObject(GitError):
    """Neither the package nor the session has the object."""

    def __init__(self, repo: str, sha: str) -> None:
        self.repo, self.sha = repo, sha
        super().__init__(f"{repo} has no object {sha}")


class UnknownRevision(GitError):
    """No branch, tag, commit or expression of that spelling, or more than one."""


class UnknownPath(GitError):
    """The tree has no such file or folder, or a file where a folder is needed."""


class TooLarge(GitError):
    """A commit whose files nobody should check out: too many, too large, too deep or with names too long."""


class RefMoved(GitError):
    """A ref is not where the caller last saw it.

    Attributes:
        expected: the id that the caller knew, None where the ref was to be new.
        found: the id that the ref has, None where there is no such ref.
    """

    def __init__(self, name: str, expected: str | None, found: str | None) -> None:
        self.name, self.expected, self.found = name, expected, found
        super().__init__(f"{name} was expected {_place(expected)} and is {_place(found)}")


class MergeConflict(GitError):
    """Two histories changed the same place.

    Attributes:
        paths: the files in conflict, sorted.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = tuple(paths)
        super().__init__(f"the merge conflicts in {', '.join(self.paths)}")


class NothingToMerge(GitError):
    """The base already contains the head."""


class PatchError(GitError):
    """A patch is malformed, or does not fit the file it names.

    Attributes:
        path: the file; empty where the patch as a whole is meant.
        hunk: the number of the hunk within that file's part, from 1; 0 where the file as a whole is meant.
    """

    def __init__(self, path: str, hunk: int, reason: str) -> None:
        self.path, self.hunk, self.reason = path, hunk, reason
        place = f"{path}, hunk {hunk}: " if hunk else f"{path}: " if path else ""
        super().__init__(f"{place}{reason}")


class PackTooLarge(GitError):
    """A pack, or what it unpacks to, is above the limit."""


def _place(sha: str | None) -> str:
    return f"at {sha}" if sha else "not there"
