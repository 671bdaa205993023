"""Tidies a YAML text without changing what it says: line ends, trailing spaces, the last line, and lines that are too long.

Indentation, quotes, order, comments and empty lines are the author's. What cannot be proved to say the same is left as it is,
and a text that was tidied is tidy.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from brownout.core.errors import EditRefused
from worlds.editing.file_style import Habits
from worlds.editing.lines import TextLines
from worlds.editing.nodes import Node, node_tree
from worlds.editing.text_meaning import meaning, said

__all__ = ["formatted"]

_TRAILING: Final = re.compile(r"[ \t]+$", re.MULTILINE)
_EMPTY_END: Final = re.compile(r"(?:[ \t]*\n)*[ \t]*\Z")
_PASSES: Final = 50
"""Levels of mappings in each other that a line may hold."""


def formatted(text: str, *, width: int | None = None) -> str:
    """The text with a line feed behind every line, the last one too, no spaces before it, and no byte order mark.

    Args:
        width: mappings on one line (`{a: 1, b: 2}`) that make it longer are written over several; None leaves them.

    Raises:
        EditRefused: it is no YAML that means something.
    """
    text = text.removeprefix("\ufeff")
    meant = meaning(said(text))
    steps: list[Callable[[str], str]] = [_unix_lines, _without_trailing_spaces, _one_break_at_the_end]
    for step in steps:
        text = _if_equal(text, step(text), meant)
    if width is not None:
        for _ in range(_PASSES):
            broken = _broken(text, width, meant)
            if broken == text:
                break
            text = broken
    return text


def _unix_lines(text: str) -> str:
    return text.replace("\r\n", "\n")


def _without_trailing_spaces(text: str) -> str:
    """Without spaces at the ends of lines, but for lines inside a text of several, where they may mean something."""
    inside = [node for node in _nodes(text) if node.kind == "scalar" and "\n" in text[node.start : node.end]]
    spans = [(node.start, node.end) for node in inside]

    def kept(found: re.Match[str]) -> str:
        return found[0] if any(start < found.start() < end for start, end in spans) else ""

    return _TRAILING.sub(kept, text)


def _one_break_at_the_end(text: str) -> str:
    bare = _EMPTY_END.sub("", text, count=1)
    return f"{bare}\n" if bare else ""


def _broken(text: str, width: int, meant: object) -> str:
    """The text with the outermost mappings of lines that are too long written over several lines."""
    root = node_tree(text)
    lines, habits = TextLines(text), Habits(root)
    changes = [_over_lines(text, lines, habits, *found) for found in _too_long(text, lines, root, width)]
    together = _spliced(text, changes)
    if _says(together, meant):
        return together
    for change in reversed(changes):
        text = _if_equal(text, _spliced(text, [change]), meant)
    return text


def _too_long(text: str, lines: TextLines, node: Node | None, width: int) -> Iterator[tuple[Node, int]]:
    """The outermost mappings on one line that is too long, each as a part of what it stands in."""
    if node is None or node.style != "block":
        return
    for index, item in enumerate(node.items):
        if item.style == "flow":
            begin, end = lines.begin(item.start), lines.end(item.start)
            is_whole = item.kind == "mapping" and item.items and item.end <= end and lines.lead(node, index) >= 0
            if is_whole and end - begin > width and not (item.is_tagged or item.is_anchored):
                yield node, index
        else:
            yield from _too_long(text, lines, item, width)


def _over_lines(text: str, lines: TextLines, habits: Habits, node: Node, index: int) -> tuple[int, int, str]:
    """A flow mapping as a block: from where to where, and what stands there instead; its parts are as they were."""
    item, lead = node.items[index], lines.lead(node, index)
    end, comment = lines.around(lead, item)
    pairs = zip(item.keys, item.items, strict=True)
    entries = [f"{text[key.start : key.end]}: {text[value.start : value.end]}".rstrip() for key, value in pairs]
    column = node.column + (2 if node.kind == "list" else habits.step)
    pause = "\n" + " " * column
    begins = comment + pause if comment or node.kind == "mapping" else " "
    return lead, end, begins + pause.join(entries)


def _spliced(text: str, changes: list[tuple[int, int, str]]) -> str:
    for start, end, new in reversed(changes):
        text = text[:start] + new + text[end:]
    return text


def _nodes(text: str) -> Iterator[Node]:
    root = node_tree(text)
    return root.walk() if root is not None else iter(())


def _if_equal(text: str, other: str, meant: object) -> str:
    return other if _says(other, meant) else text


def _says(text: str, meant: object) -> bool:
    try:
        return meaning(said(text)) == meant
    except EditRefused:
        return False
