"""Patches in git's format, read and applied as `git apply` does it: exactly, or not at all."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from brownout.store.git.errors import PatchError
from brownout.store.git.hunks import Hunk, applied
from brownout.store.git.patch_names import names_in_header, unquoted
from brownout.store.git.value_types import REGULAR, File, check_path

__all__ = ["apply_patch"]

_HUNK: Final = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_MODE: Final = re.compile(rb"(old mode|new mode|deleted file mode|new file mode) (\d{6})")
_INDEX: Final = re.compile(rb"index [0-9a-f]+\.\.[0-9a-f]+(?: (\d{6}))?")
_MARKER: Final = b"diff --git "
_NO_NEWLINE: Final = b"\\ "
_KEPT: Final = 500


@dataclass(slots=True)
class _FilePatch:
    """What a patch says about one file; `line` is where it begins in the patch, from 1."""

    line: int
    old: str
    new: str
    is_new: bool = False
    is_deleted: bool = False
    is_move: bool = False
    is_copy: bool = False
    new_mode: int = 0
    hunks: list[Hunk] = field(default_factory=list)


def apply_patch(tree: Mapping[str, bytes | File], patch_text: str | bytes) -> dict[str, File | None]:
    """What the patch makes of the files: new content and mode by path, None for those it removes.

    Hunks may have moved, as `git apply` allows, but every line of their context must be there. Text before the first
    `diff --git` line, such as a mail's header, is skipped.

    Args:
        tree: the files before; plain bytes stand for ordinary files.
        patch_text: additions, deletions, changes, renames, copies and changes of mode; no binary patches.

    Raises:
        PatchError: it is malformed or does not fit; the message names file and hunk.
        BadName: it names a path that no checkout should hold.
    """
    patch = patch_text.encode("utf-8", "surrogateescape") if isinstance(patch_text, str) else patch_text
    parts = _read(patch)
    if not parts:
        raise PatchError("", 0, "no line begins with `diff --git`")
    leaving = frozenset(part.old for part in parts if part.is_deleted or part.is_move)
    changes: dict[str, File | None] = {}
    for part in parts:
        _apply(tree, part, changes, leaving)
    return changes


def _apply(
    tree: Mapping[str, bytes | File], part: _FilePatch, changes: dict[str, File | None], leaving: frozenset[str]
) -> None:
    check_path(part.old)
    check_path(part.new)
    is_elsewhere = part.is_move or part.is_copy
    before = None if part.is_new else _file(tree, part.old, {} if is_elsewhere else changes)
    if before is None and not part.is_new:
        raise PatchError(part.old, 0, "there is no such file")
    arrives = part.is_new or (is_elsewhere and part.old != part.new)
    if arrives and part.new not in leaving and _file(tree, part.new, changes) is not None:
        raise PatchError(part.new, 0, "the file is there already")
    content = applied(before.data if before else b"", part.hunks, part.new)
    if part.is_deleted:
        if content:
            raise PatchError(part.old, 0, "the patch deletes the file but leaves lines in it")
        changes[part.old] = None
        return
    if part.is_move and part.old != part.new:
        changes.setdefault(part.old, None)
    changes[part.new] = File(content, part.new_mode or (before.mode if before else REGULAR))


def _file(tree: Mapping[str, bytes | File], path: str, changes: Mapping[str, File | None]) -> File | None:
    found = changes[path] if path in changes else tree.get(path)
    return File(found) if isinstance(found, bytes) else found


@lru_cache(_KEPT)
def _read(patch: bytes) -> tuple[_FilePatch, ...]:
    """The parts of a patch, one a file. Nobody changes them; a history's patches are read whenever it is checked."""
    lines = patch.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    parts: list[_FilePatch] = []
    at = 0
    while at < len(lines):
        if lines[at].startswith(_MARKER):
            part, at = _read_part(lines, at)
            parts.append(part)
        elif parts and lines[at].startswith(b"@@ -"):
            raise PatchError(parts[-1].new, len(parts[-1].hunks) + 1, f"line {at + 1} of the patch is out of place")
        else:
            at += 1
    return tuple(parts)


def _read_part(lines: list[bytes], at: int) -> tuple[_FilePatch, int]:
    """The part whose `diff --git` line is at `at`, and the place after it."""
    old, new = names_in_header(lines[at][len(_MARKER) :], at + 1)
    part = _FilePatch(at + 1, old, new)
    at += 1
    while at < len(lines) and _take_header(part, lines[at]):
        at += 1
    while at < len(lines) and lines[at].startswith(b"@@ -"):
        hunk, at = _read_hunk(part, lines, at)
        part.hunks.append(hunk)
    if not part.old or not part.new:
        raise PatchError("", 0, f"line {part.line} of the patch does not name its file")
    return part, at


def _take_header(part: _FilePatch, line: bytes) -> bool:
    """Note what an extended header line says; False where the header is over."""
    mode = _MODE.fullmatch(line)
    index = _INDEX.fullmatch(line)
    if mode:
        part.is_new |= mode[1] == b"new file mode"
        part.is_deleted |= mode[1] == b"deleted file mode"
        if mode[1] in (b"new mode", b"new file mode"):
            part.new_mode = int(mode[2], 8)
    elif line.startswith((b"rename from ", b"copy from ")):
        part.old = unquoted(line.partition(b" from ")[2])
    elif line.startswith(b"rename to "):
        part.new, part.is_move = unquoted(line[len(b"rename to ") :]), True
    elif line.startswith(b"copy to "):
        part.new, part.is_copy = unquoted(line[len(b"copy to ") :]), True
    elif line.startswith(b"--- "):
        part.old = _side(line[4:]) or part.old
    elif line.startswith(b"+++ "):
        part.new = _side(line[4:]) or part.new
    elif line.startswith((b"GIT binary patch", b"Binary files ")):
        raise PatchError(part.new, 0, "binary patches cannot be applied")
    elif not index and not line.startswith((b"similarity index ", b"dissimilarity index ")):
        return False
    return True


def _side(name: bytes) -> str:
    """The path on a `---` or `+++` line, empty for /dev/null."""
    path = unquoted(name.partition(b"\t")[0])
    return "" if path == "/dev/null" else path.partition("/")[2]


def _read_hunk(part: _FilePatch, lines: list[bytes], at: int) -> tuple[Hunk, int]:
    number = len(part.hunks) + 1
    head = _HUNK.match(lines[at])
    if head is None:
        raise PatchError(part.new, number, f"line {at + 1} of the patch is no hunk header")
    hunk = Hunk(int(head[1]), int(head[3]))
    old_left, new_left = (int(count) if count is not None else 1 for count in (head[2], head[4]))
    at += 1
    while old_left or new_left:
        line = lines[at] if at < len(lines) else b"?"
        mark, text = line[:1] or b" ", line[1:] + b"\n"
        if mark not in b" +-":
            raise PatchError(part.new, number, f"line {at + 1} of the patch is not part of the hunk, which is not over")
        hunk.add(mark, text)
        old_left -= mark != b"+"
        new_left -= mark != b"-"
        at += 1
        if at < len(lines) and lines[at].startswith(_NO_NEWLINE):
            hunk.drop_newline(mark)
            at += 1
        if old_left < 0 or new_left < 0:
            raise PatchError(part.new, number, f"the hunk has more lines than its header on line {at} says")
    return hunk, at
