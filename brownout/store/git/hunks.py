"""Where a hunk belongs in a file: the search of `git apply` (apply.c, find_pos and apply_one_fragment), no fuzz."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from brownout.store.git.errors import PatchError

__all__ = ["Hunk", "applied"]


@dataclass(slots=True)
class Hunk:
    """Lines of a file before and after, with their ends.

    Attributes:
        old_start, new_start: the line numbers that the patch gives, from 1; 0 in an empty file.
        trailing: how many lines of context end it.
    """

    old_start: int
    new_start: int
    old: list[bytes] = field(default_factory=list)
    new: list[bytes] = field(default_factory=list)
    trailing: int = 0

    def add(self, mark: bytes, text: bytes) -> None:
        """Take one line of context (`b" "`), removed (`b"-"`) or added (`b"+"`)."""
        if mark != b"+":
            self.old.append(text)
        if mark != b"-":
            self.new.append(text)
        self.trailing = self.trailing + 1 if mark == b" " else 0

    def drop_newline(self, mark: bytes) -> None:
        """The line added last has no end."""
        for side in (self.old if mark != b"+" else None, self.new if mark != b"-" else None):
            if side:
                side[-1] = side[-1].removesuffix(b"\n")


def applied(data: bytes, hunks: Sequence[Hunk], path: str) -> bytes:
    """The content after all hunks.

    Raises:
        PatchError: a hunk's lines are not there.
    """
    lines = _lines(data)
    fresh = [True] * len(lines)  # what one hunk touched, context included, no other may match
    for number, hunk in enumerate(hunks, 1):
        at = _place(lines, fresh, hunk)
        if at is None:
            shown = b"".join(hunk.old[:3]).decode("utf-8", "replace")
            raise PatchError(path, number, f"these lines, expected at line {hunk.old_start}, are not there:\n{shown}")
        end = at + len(hunk.old)
        lines[at:end] = hunk.new
        fresh[at:end] = [False] * len(hunk.new)
    return b"".join(lines)


def _place(lines: list[bytes], fresh: list[bool], hunk: Hunk) -> int | None:
    """The index of the line where the hunk's old lines are, nearest to where they should be."""
    at_beginning = hunk.old_start <= 1
    at_end = hunk.trailing == 0
    last = len(lines) - len(hunk.old)
    if at_beginning:
        wanted = 0
    elif at_end:
        wanted = last
    else:
        wanted = max(hunk.new_start - 1, 0)
    for at in _outwards(wanted if 0 <= wanted <= len(lines) else len(lines), len(lines)):
        if at > last or (at_end and at != last) or (at_beginning and at):
            continue
        met = lines[at : at + len(hunk.old)]
        if (met == hunk.old or (not at_end and _ends_early(hunk.old, met))) and all(fresh[at : at + len(hunk.old)]):
            return at
    return None


def _ends_early(old: list[bytes], met: list[bytes]) -> bool:
    """The lines are the same but that the hunk's last has no end: git compares bytes and lets the end go."""
    if not old or old[-1].endswith(b"\n") or old[:-1] != met[:-1]:
        return False
    return met[-1].startswith(old[-1]) and not met[-1][len(old[-1]) :].strip(b" \t\r\n")


def _outwards(start: int, end: int) -> Iterator[int]:
    """Every index from 0 to `end`, those nearest to `start` first, of two equally near the later one."""
    yield start
    for distance in range(1, max(start, end - start) + 1):
        if start + distance <= end:
            yield start + distance
        if start - distance >= 0:
            yield start - distance


def _lines(data: bytes) -> list[bytes]:
    """Lines as git counts them: only a line feed ends one."""
    lines = [part + b"\n" for part in data.split(b"\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines
