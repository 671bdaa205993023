"""What differs between two trees, as GitHub's `files` show it and as a patch that git takes."""

from pathlib import Path
from typing import Final

import pygit2
from pygit2.enums import DeltaStatus, DiffFind, DiffOption

from brownout.store.git.library import open_library, read_tree
from brownout.store.git.sources import Draft
from brownout.store.git.values import FileDiff, FileStatus

__all__ = ["file_diffs", "patch_text"]

_OPTIONS: Final = DiffOption.INDENT_HEURISTIC
_STATUSES: Final[dict[DeltaStatus, FileStatus]] = {
    DeltaStatus.ADDED: "added",
    DeltaStatus.DELETED: "removed",
    DeltaStatus.RENAMED: "renamed",
    DeltaStatus.COPIED: "copied",
}
_CONTEXT_LINES: Final = 3


def file_diffs(draft: Draft, packed: Path | None, old: str, new: str) -> list[FileDiff]:
    """What happened to each file between two trees, sorted by path; renames are found as git finds them."""
    found = _difference(draft, packed, old, new)
    return [_file_diff(delta, patch) for delta, patch in zip(found.deltas, found, strict=True)]


def patch_text(draft: Draft, packed: Path | None, old: str, new: str) -> str:
    """The difference of two trees in git's patch format; binary files are named, not shown."""
    found = _difference(draft, packed, old, new)
    return b"".join(patch.data for patch in found if patch is not None).decode("utf-8", "replace")


def _difference(draft: Draft, packed: Path | None, old: str, new: str) -> pygit2.Diff:
    library = open_library(draft, packed)
    before, after = read_tree(library, old), read_tree(library, new)
    found = before.diff_to_tree(after, flags=_OPTIONS, context_lines=_CONTEXT_LINES, interhunk_lines=0)
    found.find_similar(flags=DiffFind.FIND_RENAMES)
    return found


def _file_diff(delta: pygit2.DiffDelta, patch: pygit2.Patch | None) -> FileDiff:
    old, new = delta.old_file, delta.new_file
    status = _STATUSES.get(delta.status, "modified")
    _, additions, deletions = patch.line_stats if patch else (0, 0, 0)
    now = old if status == "removed" else new
    return FileDiff(
        path=now.path,
        old_path=old.path,
        status=status,
        sha=str(now.id),
        old_mode=0 if status == "added" else int(old.mode),
        new_mode=0 if status == "removed" else int(new.mode),
        additions=additions,
        deletions=deletions,
        patch=_hunks(patch.data) if patch else "",
        is_binary=bool(delta.is_binary),
    )


def _hunks(data: bytes) -> str:
    """The hunks of one file's patch without the header before them."""
    _, mark, hunks = data.partition(b"\n@@ ")
    return (mark + hunks).decode("utf-8", "replace").strip("\n") if mark else ""
