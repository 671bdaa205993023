"""The home directory on the first day: a clone of every repository, as `git clone` leaves it.

Written from the store, with no process: the same refs always give the same files. The objects of the package are
an alternate of the clone, so a clone is as small as its checkout.
"""

import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Final

from brownout.sandbox import Workspace, WorkspaceEntry
from brownout.store.git import BaseRepository
from brownout.store.git.object_sources import Objects
from brownout.store.git.refs import BRANCHES, TAGS, packed_refs
from brownout.store.git.trees import walk_files
from brownout.store.git.value_types import EXECUTABLE, LINK, SUBMODULE
from tools.terminal.detached_objects import HeldObjects
from tools.terminal.git_index import new_index
from tools.terminal.mirrors import Served, clone_alternates

__all__ = ["Checkout", "NewHome", "checked_out", "new_home"]

_KEPT: Final = 32
_CONFIG: Final = """\
[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
	logallrefupdates = true
[remote "origin"]
	url = git@github.com:{name}.git
	fetch = +refs/heads/*:refs/remotes/origin/*
[branch "{branch}"]
	remote = origin
	merge = refs/heads/{branch}
"""


@dataclass(frozen=True, slots=True)
class CheckedOutFile:
    """One file of a commit; `sha` is its blob's id, `digest` the SHA-256 of its content."""

    path: bytes
    mode: int
    sha: str
    digest: str
    size: int


@dataclass(frozen=True, slots=True)
class Checkout:
    """The files of a commit.

    Attributes:
        contents: by SHA-256.
    """

    files: tuple[CheckedOutFile, ...]
    contents: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class NewHome:
    """A home directory before anything was done in it.

    Attributes:
        workspace: all of it.
        commits: what is checked out of each repository.
        objects: key of the last object of each that its clone has.
        blobs: the contents that are in none of those commits.
    """

    workspace: Workspace
    commits: Mapping[str, str]
    objects: Mapping[str, int]
    blobs: Mapping[str, bytes]


def checked_out(objects: Objects, base: BaseRepository, commit: str) -> Checkout:
    """The files of a commit; those of the package's commits are read once."""
    return _of_package(objects.name, base, commit) if base.has(commit) else _read(objects, commit)


@lru_cache(_KEPT)
def _of_package(name: str, base: BaseRepository, commit: str) -> Checkout:
    return _read(HeldObjects(name, base, {}), commit)


def _read(objects: Objects, commit: str) -> Checkout:
    files: list[CheckedOutFile] = []
    contents: dict[str, bytes] = {}
    for path, entry in walk_files(objects, objects.commit(commit).tree):
        if entry.mode != SUBMODULE:
            data = objects.read(entry.sha, "blob")
            digest = sha256(data).hexdigest()
            contents[digest] = data
            files.append(
                CheckedOutFile(path.encode("utf-8", "surrogateescape"), entry.mode, entry.sha, digest, len(data))
            )
    return Checkout(tuple(files), contents)


def new_home(home: str, repositories: Sequence[Served], mtime: int) -> NewHome:
    """A home directory with a clone of each repository.

    Args:
        home: `/home/wren`.
        mtime: the moment in nanoseconds.
    """
    writing = _Writing(mtime)
    top = home[1:].encode()
    writing.folder(top, 0o700)
    writing.folder(b"tmp", 0o1777)
    commits: dict[str, str] = {}
    objects: dict[str, int] = {}
    for served in repositories:
        place = top + b"/" + served.folder.encode()
        tip = served.refs.get(BRANCHES + served.default_branch)
        files = checked_out(served.objects, served.base, tip).files if tip else ()
        if tip:
            commits[served.name], objects[served.name] = tip, served.last
        writing.checkout(place, files)
        writing.git_folder(place + b"/.git", served, files, tip)
    entries = dict(sorted(writing.entries.items()))
    contents = dict(writing.blobs)
    for served in repositories:
        if served.name in commits:
            contents |= checked_out(served.objects, served.base, commits[served.name]).contents
    return NewHome(Workspace(entries, contents), commits, objects, writing.blobs)


class _Writing:
    """Entries on their way into a home directory, all of one date."""

    def __init__(self, mtime: int) -> None:
        self._mtime = mtime
        self.entries: dict[bytes, WorkspaceEntry] = {}
        self.blobs: dict[str, bytes] = {}

    def folder(self, path: bytes, mode: int = 0o755) -> None:
        self.entries.setdefault(path, WorkspaceEntry(stat.S_IFDIR | mode, "", 0, self._mtime))

    def file(self, path: bytes, data: bytes) -> None:
        digest = sha256(data).hexdigest()
        self.blobs[digest] = data
        self._above(path)
        self.entries[path] = WorkspaceEntry(stat.S_IFREG | 0o644, digest, len(data), self._mtime)

    def checkout(self, place: bytes, files: Iterable[CheckedOutFile]) -> None:
        self.folder(place)
        for file in files:
            path = place + b"/" + file.path
            self._above(path)
            self.entries[path] = WorkspaceEntry(_MODES.get(file.mode, _PLAIN), file.digest, file.size, self._mtime)

    def git_folder(self, place: bytes, served: Served, files: Iterable[CheckedOutFile], tip: str | None) -> None:
        branch = served.default_branch
        for folder in (b"", b"/refs/heads", b"/refs/tags", b"/objects/info", b"/objects/pack", b"/info"):
            self._above(place + folder + b"/x")
        refs = {name: sha for name, sha in served.refs.items() if name.startswith(TAGS)}
        for name, sha in served.refs.items():
            if name.startswith(BRANCHES):
                refs[f"refs/remotes/origin/{name.removeprefix(BRANCHES)}"] = sha
        if tip:
            refs[BRANCHES + branch] = tip
        texts = {
            "HEAD": f"ref: {BRANCHES}{branch}\n",
            "config": _CONFIG.format(name=served.name, branch=branch),
            "description": "Unnamed repository; edit this file 'description' to name the repository.\n",
            "packed-refs": packed_refs(served.objects, refs),
            "refs/remotes/origin/HEAD": f"ref: refs/remotes/origin/{branch}\n",
        }
        for part, text in texts.items():
            self.file(place + b"/" + part.encode(), text.encode())
        self.file(place + b"/objects/info/alternates", clone_alternates(served.name))
        self.file(place + b"/index", new_index((file.path, file.mode, file.sha) for file in files))

    def _above(self, path: bytes) -> None:
        """The folders that lead to a path."""
        above = path.rpartition(b"/")[0]
        if above and above != b"home" and above not in self.entries:
            self._above(above)
            self.folder(above)


_PLAIN: Final = stat.S_IFREG | 0o644
_MODES: Final = {EXECUTABLE: stat.S_IFREG | 0o755, LINK: stat.S_IFLNK | 0o777}
