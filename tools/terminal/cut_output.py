"""What of a command's output is seen: as much as somebody would scroll through, and how much more there was."""

from dataclasses import dataclass
from typing import Final

__all__ = ["Screen", "screen_of"]

MOST_LINES: Final = 1000
MOST_CHARACTERS: Final = 30_000


@dataclass(frozen=True, slots=True)
class Screen:
    """What is shown of a text."""

    text: str
    is_cut: bool


def screen_of(text: str) -> Screen:
    """The text, or its first and its last part with a line between them that says how much was left out.

    At most 1,000 lines and 30,000 characters are shown, half of each from the beginning and half from the end.
    """
    lines = text.splitlines(keepends=True)
    head, tail = "".join(lines[: MOST_LINES // 2]), "".join(lines[-MOST_LINES // 2 :])
    if len(lines) <= MOST_LINES:
        head = tail = text
        if len(text) <= MOST_CHARACTERS:
            return Screen(text, False)
    head, tail = head[: MOST_CHARACTERS // 2], tail[-MOST_CHARACTERS // 2 :]
    left = text[len(head) : len(text) - len(tail)]
    note = f"[... {left.count(chr(10)):,} lines, {len(left):,} characters left out; write to a file to read it in parts ...]"
    return Screen(f"{head.rstrip(chr(10))}\n{note}\n{tail.lstrip(chr(10))}", True)
