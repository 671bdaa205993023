"""The files of a session's terminal as a value: what to keep, to compare, and to fill a new sandbox with.

Paths are bytes relative to `/` (`home/mara/bookings/app.py`, `tmp/notes`), because a program may name a file
with any bytes. Uncommitted work and everything below `.git` is part of it.
"""

import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

__all__ = ["Changes", "Workspace", "WorkspaceEntry", "file_entry"]


@dataclass(frozen=True, slots=True)
class WorkspaceEntry:
    """One path.

    Attributes:
        mode: type and permissions, as `st_mode`: a file, a directory or a symbolic link.
        sha: SHA-256 of the content (of a link: its target), hexadecimal; empty for a directory.
        size: bytes of the content.
        mtime: modification time, nanoseconds since 1970; world time where no program chose another.
    """

    mode: int
    sha: str
    size: int
    mtime: int


def file_entry(mode: int, content: bytes, mtime: int) -> WorkspaceEntry:
    """The entry for such a path."""
    if stat.S_ISDIR(mode):
        return WorkspaceEntry(mode, "", 0, mtime)
    return WorkspaceEntry(mode, sha256(content).hexdigest(), len(content), mtime)


@dataclass(frozen=True, slots=True)
class Changes:
    """The difference between two states of a workspace.

    Attributes:
        written: path -> entry, for what is new or different, in the order of paths.
        removed: paths that are gone.
        blobs: sha -> content, for every entry in `written` that has one.
        left_out: paths that exist but are not carried (sockets, pipes).
    """

    written: Mapping[bytes, WorkspaceEntry]
    removed: tuple[bytes, ...]
    blobs: Mapping[str, bytes]
    left_out: tuple[bytes, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.written or self.removed)


@dataclass(frozen=True, slots=True)
class Workspace:
    """All files of a workspace.

    Attributes:
        entries: path -> entry, in the order of paths.
        blobs: sha -> content; may be any mapping, for instance one that reads a store.
    """

    entries: Mapping[bytes, WorkspaceEntry] = field(default_factory=dict)
    blobs: Mapping[str, bytes] = field(default_factory=dict)

    def content(self, path: bytes | str) -> bytes:
        """What the file holds, or where the link points.

        Raises:
            KeyError: no such path.
        """
        key = path.encode() if isinstance(path, str) else path
        entry = self.entries[key]
        return self.blobs[entry.sha] if entry.sha else b""

    def after(self, changes: Changes) -> "Workspace":
        """The workspace with the changes made."""
        gone = set(changes.removed)
        merged = {path: entry for path, entry in self.entries.items() if path not in gone} | dict(changes.written)
        entries = dict(sorted(merged.items()))
        known = {**self.blobs, **changes.blobs}
        return Workspace(entries, {entry.sha: known[entry.sha] for entry in entries.values() if entry.sha})

    def digest(self, below: bytes = b"home/") -> str:
        """SHA-256 over paths, modes and contents, without dates: equal work gives equal digests.

        git's index is taken without the file status it caches (times, inodes), which differs in every run.
        `/tmp` is left out unless asked for: programs draw random names there.
        """
        state = sha256()
        for path, entry in self.entries.items():
            if not path.startswith(below):
                continue
            sha = entry.sha
            if path.endswith(b"/.git/index"):
                sha = sha256(_without_status(self.blobs[sha])).hexdigest()
            state.update(b"%d %s %o %s\n" % (len(path), path, entry.mode, sha.encode()))
        return state.hexdigest()


def _without_status(index: bytes) -> bytes:
    """A git index (version 2 or 3) with its cached file status zeroed; another one as it is.

    Layout: gitformat-index(5). The trailing checksum is dropped, it covers the status.
    """
    if index[:4] != b"DIRC" or int.from_bytes(index[4:8], "big") not in (2, 3):
        return index
    data, at = bytearray(index[:-20]), 12
    for _ in range(int.from_bytes(index[8:12], "big")):
        data[at : at + 24] = bytes(24)  # ctime, mtime, device, inode
        data[at + 28 : at + 40] = bytes(12)  # user, group, size (git zeroes the size of a file it must check)
        flags = int.from_bytes(index[at + 60 : at + 62], "big")
        head = 64 if flags & 0x4000 else 62
        end = index.find(b"\0", at + head)
        if end < 0:
            return index
        at += (end - at + 8) // 8 * 8  # entries are padded with one to eight zero bytes
    return bytes(data)
