"""What is kept of the changes that a command made, and making the sandbox hold exactly that.

A sandbox that lives on must not differ from one that is made of the rows, so whatever rows do not keep is undone:
the status of files that git caches in its index, and dates below `.git`, where git writes even if all it does is look.
"""

import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Final

from brownout.sandbox import Changes, Sandbox, WorkspaceEntry
from tools.terminal.git_index import is_index, settled
from tools.terminal.paths import MIRRORS, is_below

__all__ = ["KeptChanges", "after", "digest_of_files", "fullness", "put", "to_keep", "undo"]

MIB: Final = 1 << 20
_MOST_FILES: Final = 20_000
_MOST_HOME: Final = 64 * MIB
_MOST_TMP: Final = 24 * MIB
_PAGE: Final = 4096


@dataclass(frozen=True, slots=True)
class KeptChanges:
    """What becomes different in the rows.

    Attributes:
        written, removed, blobs: as in `Changes`.
        undone: paths as they are kept, where the sandbox has them otherwise.
    """

    written: Mapping[bytes, WorkspaceEntry] = field(default_factory=dict)
    removed: Sequence[bytes] = ()
    blobs: Mapping[str, bytes] = field(default_factory=dict)
    undone: Mapping[bytes, WorkspaceEntry] = field(default_factory=dict)


def to_keep(entries: Mapping[bytes, WorkspaceEntry], changes: Changes) -> KeptChanges:
    """What to keep of the changes to these entries; the mirrors of GitHub are nobody's files."""
    written: dict[bytes, WorkspaceEntry] = {}
    undone: dict[bytes, WorkspaceEntry] = {}
    blobs: dict[str, bytes] = {}
    for path, found in changes.written.items():
        if is_below(path, MIRRORS):
            continue
        entry, data = found, changes.blobs[found.sha] if found.sha else b""
        if is_index(path):
            data = settled(data)
            entry = replace(found, sha=sha256(data).hexdigest()) if found.sha else found
        old = entries.get(path)
        if old is not None and (old.mode, old.sha) == (entry.mode, entry.sha) and _has_no_date(path):
            entry = old
        if entry != found:
            undone[path] = entry
        if entry != old:
            written[path] = entry
        if entry.sha and (entry != found or entry != old):
            blobs[entry.sha] = data
    return KeptChanges(written, [path for path in changes.removed if path in entries], blobs, undone)


def undo(sandbox: Sandbox, kept: KeptChanges, entries: Mapping[bytes, WorkspaceEntry]) -> None:
    """Make the sandbox have what is kept.

    Args:
        entries: all paths as they are kept.

    Raises:
        SandboxError: it cannot be done.
    """
    files = {path: entry for path, entry in kept.undone.items() if not stat.S_ISDIR(entry.mode)}
    above = {path.rpartition(b"/")[0] for path in files}
    folders = {path: entries[path] for path in {*above, *kept.undone} if path in entries and path not in files}
    for chosen in (files, folders):
        for date in sorted({entry.mtime for entry in chosen.values()}):
            put(
                sandbox,
                (
                    (path, entry.mode, kept.blobs[entry.sha] if entry.sha else b"")
                    for path, entry in sorted(chosen.items())
                    if entry.mtime == date
                ),
                date,
            )


def put(sandbox: Sandbox, files: Iterable[tuple[bytes, int, bytes]], date: int) -> None:
    """Write paths from the root, with mode and content, all of one date in nanoseconds.

    Raises:
        SandboxError: a path leads elsewhere, or there is no space.
    """
    trees: dict[bytes, dict[str | bytes, tuple[int, bytes]]] = {}
    for path, mode, data in files:
        top, _, rest = path.partition(b"/")
        trees.setdefault(top, {})[rest] = (mode, data)
    for top, tree in trees.items():
        sandbox.put_tree(tree, now=date / 1_000_000_000, below=f"/{top.decode()}")


def fullness(entries: Mapping[bytes, WorkspaceEntry]) -> str:
    """Why the files cannot be kept; empty where they can. Sizes are whole pages, as in memory."""
    sizes = {True: 0, False: 0}
    for path, entry in entries.items():
        sizes[is_below(path, b"tmp")] += -(-entry.size // _PAGE) * _PAGE
    if len(entries) > _MOST_FILES:
        return f"more than {_MOST_FILES} files"
    if sizes[False] > _MOST_HOME:
        return f"more than {_MOST_HOME // MIB} MiB in the home directory"
    return f"more than {_MOST_TMP // MIB} MiB in /tmp" if sizes[True] > _MOST_TMP else ""


def after(
    entries: Mapping[bytes, WorkspaceEntry], written: Mapping[bytes, WorkspaceEntry], removed: Iterable[bytes]
) -> dict[bytes, WorkspaceEntry]:
    """The entries with changes made, in the order of paths."""
    gone = set(removed)
    return dict(sorted(({path: entry for path, entry in entries.items() if path not in gone} | dict(written)).items()))


def digest_of_files(entries: Mapping[bytes, WorkspaceEntry]) -> str:
    """The digest of a state: every path with its mode, content and date."""
    state = sha256()
    for path, entry in sorted(entries.items()):
        state.update(b"%d %b %o %b %d\n" % (len(path), path, entry.mode, entry.sha.encode(), entry.mtime))
    return state.hexdigest()


def _has_no_date(path: bytes) -> bool:
    return path.endswith(b"/.git") or b"/.git/" in path
