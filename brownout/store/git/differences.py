"""What differs between two trees, as GitHub's `files` show it and as a patch that git takes."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pygit2
from pygit2.enums import DeltaStatus, DiffOption

from brownout.store.git.library import open_library, read_tree
from brownout.store.git.object_sources import DraftObjects
from brownout.store.git.patch_names import quoted
from brownout.store.git.renames import Rename, find_renames
from brownout.store.git.value_types import FileDiff, TreeEntry

__all__ = ["changed_lines", "file_diffs", "moved_from", "patch_text"]

_OPTIONS: Final = DiffOption.INDENT_HEURISTIC
_SIDES: Final = re.compile(rb"^(---|\+\+\+) .*\n", re.MULTILINE)
_CONTEXT_LINES: Final = 3


@dataclass(frozen=True, slots=True)
class _Found:
    """One file that differs: `old` or `new` is None where there is none, `patch` as libgit2 spells it."""

    old_path: str
    path: str
    old: TreeEntry | None
    new: TreeEntry | None
    patch: bytes
    additions: int
    deletions: int
    is_binary: bool
    rename: Rename | None = None


def file_diffs(draft: DraftObjects, packed: Path | None, old: str, new: str) -> list[FileDiff]:
    """What happened to each file between two trees, sorted by path; renames are those that git finds."""
    return [_file_diff(found) for found in _differences(draft, packed, old, new)]


def patch_text(draft: DraftObjects, packed: Path | None, old: str, new: str) -> str:
    """The difference of two trees in git's patch format; binary files are named, not shown."""
    return b"".join(map(_as_git, _differences(draft, packed, old, new))).decode("utf-8", "replace")


def moved_from(draft: DraftObjects, packed: Path | None, old: str, new: str, path: str) -> str | None:
    """The path in the old tree from which one file of the new tree was moved."""
    library = open_library(draft, packed)
    diff = read_tree(library, old).diff_to_tree(read_tree(library, new))
    deltas = list(diff.deltas)
    removed = {delta.old_file.path: _old(delta) for delta in deltas if delta.status == DeltaStatus.DELETED}
    added = {delta.new_file.path: _new(delta) for delta in deltas if delta.new_file.path == path}
    found = find_renames(removed, added, _reader(draft)).get(path)
    return None if found is None else found.old


def changed_lines(old: bytes, new: bytes) -> Iterator[tuple[int, int, int]]:
    """Where a new text differs: first line, how many lines, and what to add to the number of a later line."""
    options = _OPTIONS | DiffOption.FORCE_TEXT
    patch = pygit2.Patch.create_from(old, new, flag=options, context_lines=0, interhunk_lines=0)
    for hunk in patch.hunks:
        start = hunk.new_start + (hunk.new_lines == 0)
        after_old = hunk.old_start + (hunk.old_lines == 0) + hunk.old_lines
        yield start, hunk.new_lines, after_old - (start + hunk.new_lines)


def _differences(draft: DraftObjects, packed: Path | None, old: str, new: str) -> list[_Found]:
    library = open_library(draft, packed)
    before, after = read_tree(library, old), read_tree(library, new)
    diff = before.diff_to_tree(after, flags=_OPTIONS, context_lines=_CONTEXT_LINES, interhunk_lines=0)
    found = [_plain(delta, patch) for delta, patch in zip(diff.deltas, diff, strict=True)]
    removed = {one.path: one.old for one in found if one.old and not one.new}
    added = {one.path: one.new for one in found if one.new and not one.old}
    for path in removed.keys() & added.keys():  # changed from a file into a link, say
        del removed[path], added[path]
    if not removed or not added:
        return found
    renames = find_renames(removed, added, _reader(draft))
    gone = {rename.old for rename in renames.values()}
    moved = [_renamed(draft, rename, removed[rename.old], added[rename.new]) for rename in renames.values()]
    kept = [one for one in found if one.path not in gone and one.path not in renames]
    return sorted([*kept, *moved], key=lambda one: one.path)


def _plain(delta: pygit2.DiffDelta, patch: pygit2.Patch | None) -> _Found:
    old = None if delta.status == DeltaStatus.ADDED else _old(delta)
    new = None if delta.status == DeltaStatus.DELETED else _new(delta)
    _, additions, deletions = patch.line_stats if patch else (0, 0, 0)
    data = patch.data if patch else b""
    return _Found(delta.old_file.path, delta.new_file.path, old, new, data, additions, deletions, bool(delta.is_binary))


def _renamed(draft: DraftObjects, rename: Rename, old: TreeEntry, new: TreeEntry) -> _Found:
    if old.sha == new.sha:
        return _Found(rename.old, rename.new, old, new, b"", 0, 0, is_binary=False, rename=rename)
    before, after = draft.read(old.sha, "blob"), draft.read(new.sha, "blob")  # libgit2 borrows them: they must outlive
    patch = pygit2.Patch.create_from(
        before,
        after,
        old_as_path=rename.old,
        new_as_path=rename.new,
        flag=_OPTIONS,
        context_lines=_CONTEXT_LINES,
        interhunk_lines=0,
    )
    data, is_binary = patch.data, bool(patch.delta.is_binary)
    _, additions, deletions = patch.line_stats
    return _Found(rename.old, rename.new, old, new, data, additions, deletions, is_binary, rename)


def _file_diff(found: _Found) -> FileDiff:
    old, new = found.old, found.new
    now = new or old
    assert now is not None
    return FileDiff(
        path=found.path,
        old_path=found.old_path,
        status="renamed" if found.rename else "added" if old is None else "removed" if new is None else "modified",
        sha=now.sha,
        old_mode=old.mode if old else 0,
        new_mode=new.mode if new else 0,
        additions=found.additions,
        deletions=found.deletions,
        patch=_hunks(found.patch).decode("utf-8", "replace").strip("\n"),
        is_binary=found.is_binary,
    )


def _hunks(data: bytes) -> bytes:
    """The hunks of one file's patch without the header, one line feed before them; empty where there are none."""
    _, mark, hunks = data.partition(b"\n@@ ")
    return mark + hunks


def _as_git(found: _Found) -> bytes:
    """One file's patch, as git spells it."""
    if found.rename is not None:
        return _move_header(found, found.rename) + _hunks(found.patch)[1:]
    # git does not name the sides of files without lines, libgit2 does
    return found.patch if b"\n@@ " in found.patch else _SIDES.sub(b"", found.patch)


def _move_header(found: _Found, rename: Rename) -> bytes:
    old, new = found.old, found.new
    assert old is not None
    assert new is not None
    sides = [quoted("a/" + rename.old), quoted("b/" + rename.new)]
    lines = [f"diff --git {sides[0]} {sides[1]}"]
    if old.mode != new.mode:
        lines += [f"old mode {old.mode:06o}", f"new mode {new.mode:06o}"]
    lines += [
        f"similarity index {rename.percent}%",
        f"rename from {quoted(rename.old)}",
        f"rename to {quoted(rename.new)}",
    ]
    if found.patch:
        mode = f" {new.mode:06o}" if old.mode == new.mode else ""
        lines.append(f"index {old.sha[:7]}..{new.sha[:7]}{mode}")
        if found.is_binary:
            lines.append(f"Binary files {sides[0]} and {sides[1]} differ")
        else:
            lines += [f"--- {_side(sides[0])}", f"+++ {_side(sides[1])}"]
    return "\n".join([*lines, ""]).encode("utf-8", "surrogateescape")


def _side(path: str) -> str:
    """Git ends names that hold spaces with a tab, so that other tools see where they end."""
    return path + "\t" if " " in path and not path.startswith('"') else path


def _reader(draft: DraftObjects) -> Callable[[str], bytes]:
    return lambda sha: draft.read(sha, "blob")


def _old(delta: pygit2.DiffDelta) -> TreeEntry:
    return TreeEntry(int(delta.old_file.mode), str(delta.old_file.id))


def _new(delta: pygit2.DiffDelta) -> TreeEntry:
    return TreeEntry(int(delta.new_file.mode), str(delta.new_file.id))
