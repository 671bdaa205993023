"""Where in a text something goes in and comes out: lines, comments above them, commas, dashes."""

import re
from typing import Final

from worlds.editing.file_style import WIDTH
from worlds.editing.nodes import Node

__all__ = ["TextLines"]

_COLON: Final = re.compile(r"[ \t]*:")
_COMMENT: Final = re.compile(r"[ \t]+#[^\r\n]*")
_SPACE: Final = re.compile(r"[ \t\r\n]*")
_DEEPER: Final = re.compile(r"\r?\n(?P<indent> *)#[^\r\n]*")


class TextLines:
    """The lines of a text, by the indexes of their characters."""

    def __init__(self, text: str) -> None:
        self._text = text
        first = text.find("\n")
        self.newline: Final = "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"

    def begin(self, place: int) -> int:
        """Where the line of a place begins."""
        return self._text.rfind("\n", 0, place) + 1

    def end(self, place: int) -> int:
        """Where the line of a place ends, before its break."""
        found = self._text.find("\n", place)
        found = len(self._text) if found < 0 else found
        return found - 1 if found > place and self._text[found - 1] == "\r" and found < len(self._text) else found

    def behind(self, place: int) -> int:
        """Where the line after that of a place begins."""
        found = self._text.find("\n", place)
        return len(self._text) if found < 0 else found + 1

    def column(self, place: int) -> int:
        """Characters before a place in its line."""
        return place - self.begin(place)

    # -- flow -----------------------------------------------------------------------------------------------

    def into_flow(self, node: Node, index: int, written: str) -> tuple[int, str]:
        """Where a new entry goes between braces or brackets that hold some, and what is written there."""
        firsts = node.keys or node.items
        opened = self.begin(node.start)
        lines = [self.begin(part.start) for part in (node, *firsts)]
        is_spread = len({*lines}) == len(lines)
        pause = self.newline + " " * self.column(firsts[-1].start) if is_spread else " "
        if index < len(node.items):
            return firsts[index].start, f"{written},{pause}"
        place = self._entry_end(node, len(node.items) - 1)
        if not is_spread and self.begin(place) != opened and self.column(place) + len(written) + 3 > WIDTH:
            pause = self.newline + " " * self._indent(place)
        return place, f",{pause}{written}"

    def out_of_flow(self, node: Node, index: int) -> tuple[int, int]:
        """What goes with an entry of several between braces or brackets: it and one comma."""
        firsts = node.keys or node.items
        if index + 1 < len(node.items):
            return firsts[index].start, firsts[index + 1].start
        return self._entry_end(node, index - 1), self._entry_end(node, index)

    def has_comment(self, start: int, end: int, first: Node, last: Node) -> bool:
        """Whether comments stand in a stretch outside of the entry itself."""
        around = self._text[start : max(start, first.start)] + self._text[min(end, max(last.end, start)) : end]
        return "#" in around

    def _entry_end(self, node: Node, index: int) -> int:
        return max(part.end for part in (node.items[index], *node.keys[index : index + 1]))

    def _indent(self, place: int) -> int:
        begin = self.begin(place)
        return len(self._text[begin:place]) - len(self._text[begin:place].lstrip(" "))

    # -- block ----------------------------------------------------------------------------------------------

    def into_block(self, node: Node, index: int, written: str, comment: str) -> tuple[int, str]:
        """Where a new entry goes in a block that holds some, right behind the one before it, and what is written there."""
        column = node.column
        indent = " " * column
        gap = self.newline if self._is_airy(node) else ""
        above = (
            "".join(f"# {line}".rstrip() + self.newline + indent for line in comment.splitlines()) if comment else ""
        )
        if index == 0:
            return self._entry_start(node, 0), f"{above}{written}{self.newline}{gap}{indent}"
        place = self.end(self._entry_end(node, index - 1))
        while (found := _DEEPER.match(self._text, place)) and len(found["indent"]) > column:
            place = found.end()
        return place, f"{self.newline}{gap}{indent}{above}{written}"

    def out_of_block(self, node: Node, index: int, *, is_top: bool) -> tuple[int, int]:
        """What goes with an entry of several in a block: its lines, the comments right above and behind it.

        Args:
            is_top: whether the block is the whole document; comments above its first entry belong to the file.
        """
        end = self.behind(self._entry_end(node, index))
        if index == 0:
            start = self._entry_start(node, 0)
            if self._text[self.begin(start) : start].strip(" "):  # the first of several behind a dash
                found = _SPACE.match(self._text, end)
                return start, found.end() if found else end
        start = self._top(node, index, is_top=is_top)
        is_last = index + 1 == len(node.items)
        if not index and self._is_blank(end):
            end = self.behind(end)
        if index and (is_last or self._is_blank(end)):
            while start > 1 and self._is_blank(self.begin(start - 1)):
                start = self.begin(start - 1)
        if is_last and end == len(self._text) and not self._text.endswith("\n"):
            start -= len(self.newline)
        return start, end

    def lead(self, node: Node, index: int) -> int:
        """Where the colon or the dash before a block's entry ends; -1 for one with a question mark."""
        if node.kind == "mapping":
            found = _COLON.match(self._text, node.keys[index].end)
            return found.end() if found else -1
        return self._entry_start(node, index) + 1

    def around(self, lead: int, node: Node) -> tuple[int, str]:
        """Where what stands behind a colon or a dash ends, and the comment in its first line, which is to stay."""
        between = self._text[lead : self.end(lead)] if self.begin(node.start) > lead else ""
        if found := _COMMENT.fullmatch(between):
            return max(node.end, lead), found[0]
        end = max(node.end, lead)
        if not node.is_block and (found := _COMMENT.match(self._text, end)):
            return found.end(), found[0]
        return end, ""

    def _entry_start(self, node: Node, index: int) -> int:
        """Where a block's entry begins: its key, or its dash."""
        if node.kind == "mapping":
            start = node.keys[index].start
            if index == 0:
                return start
            begin = self.begin(start)
            return begin + self._indent(start)
        if index == 0 and self._text[node.start] == "-":
            return node.start
        after = node.start if index == 0 else self._entry_end(node, index - 1)
        dash = re.compile(rf"^[ ]{{{node.column}}}-(?=\s|$)", re.MULTILINE)
        found = dash.search(self._text, self.behind(after))
        assert found is not None
        return found.end() - 1

    def _top(self, node: Node, index: int, *, is_top: bool) -> int:
        """Where the lines of a block's entry begin: the comments right above it, equally indented."""
        start = self.begin(self._entry_start(node, index))
        floor = self.behind(self._entry_end(node, index - 1)) if index else self.begin(node.start)
        if index == 0 and is_top:
            return start
        mark = " " * node.column + "#"
        while start > floor and self._text.startswith(mark, self.begin(start - 1)):
            start = self.begin(start - 1)
        return start

    def _is_airy(self, node: Node) -> bool:
        """Whether an empty line stands between every two entries of a block."""
        tops = [self._top(node, index, is_top=False) for index in range(1, len(node.items))]
        return bool(tops) and all(self._is_blank(self.begin(top - 1)) for top in tops)

    def _is_blank(self, begin: int) -> bool:
        return begin < len(self._text) and not self._text[begin : self.end(begin)].strip(" \t")
