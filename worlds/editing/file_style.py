"""How a file is written: which mappings stand on one line, which texts in quotes, how far things are indented.

What is added to a file is written as what stands in the same place elsewhere in it: `reads` of a new person as `reads` of the
others.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias, TypeVar

from worlds.editing.nodes import Node, Steps
from worlds.editing.quotation_marks import by_choice

__all__ = ["WIDTH", "Habits", "Layout"]

Layout: TypeAlias = Literal["flow", "block"]

WIDTH: Final = 120
"""Columns that a mapping or list on one line may take."""
_STEP: Final = 2
"""Columns that a mapping or list is indented by in a file that has none to learn from."""
_T = TypeVar("_T")
_ENOUGH: Final = 12
"""Texts in one place that are looked at."""
_ITEM: Final = "[]"


class Habits:
    """What the author of a file does most often, by place."""

    def __init__(self, root: Node | None) -> None:
        self._layouts: dict[tuple[object, ...], Counter[str]] = {}
        self._texts: dict[tuple[object, ...], list[tuple[Node, bool]]] = {}
        self._quotes: Counter[str] = Counter()
        self._mappings: Counter[int] = Counter()
        self._lists: Counter[int] = Counter()
        if root is not None:
            self._look(root, (), root.column, flow=False)

    @property
    def step(self) -> int:
        """Columns that a mapping stands right of the key above it."""
        return _most(self._mappings, _STEP)

    @property
    def list_step(self) -> int:
        """Columns that the dashes of a list stand right of the key above them."""
        return _most(self._lists, self.step)

    def layout(self, path: Steps, kind: str) -> Layout | None:
        """How a mapping or a list at a path is written: as those of its name at this depth, else as any at this depth."""
        for place in _places(path):
            if found := self._layouts.get((kind, *place)):
                return "flow" if _most(found, "") == "flow" else "block"
        return None

    def quotes(self, path: Steps, *, many_lines: bool) -> str:
        """How a text at a path is written: `''` (plain), `'`, `"` or `|`; as those of its name at this depth, else as any there.

        Many lines are written as any in the file where there is none, and as `|` in a file without.
        """
        for place in (*_places(path), ()):
            chosen = [by_choice(node, flow=flow) for node, flow in self._texts.get((many_lines, *place), ())]
            if found := Counter(style for style in chosen if style is not None):
                return _most(found, "")
        return "|" if many_lines else ""

    @property
    def mark(self) -> str:
        """The quotation mark that the file uses for texts on one line."""
        return "'" if self._quotes["'"] > self._quotes['"'] else '"'

    def _look(self, node: Node, path: Steps, column: int, *, flow: bool) -> None:
        if node.kind == "scalar" and node.text:
            many_lines = "\n" in node.text
            for place in (*_places(path), *([()] if many_lines else [])):
                kept = self._texts.setdefault((many_lines, *place), [])
                if len(kept) < _ENOUGH:
                    kept.append((node, flow))
            self._quotes[node.style] += not many_lines
        if not node.items:
            return
        for place in _places(path):
            self._layouts.setdefault((node.kind, *place), Counter())[node.style] += 1
        if node.style == "block" and path and isinstance(path[-1], str):
            (self._mappings if node.kind == "mapping" else self._lists)[node.column - column] += 1
        self._quotes.update(key.style for key in node.keys)
        for index, item in enumerate(node.items):
            step = str(node.keys[index].text) if node.kind == "mapping" else index
            self._look(item, (*path, step), node.column, flow=node.style == "flow")


def _places(path: Steps) -> Iterator[tuple[object, ...]]:
    """The places that a thing is like: those of its name at its depth, those at its depth below the same name."""
    yield _named(path)
    yield (len(path), *_named(path[:-1]), "")


def _named(path: Steps) -> tuple[object, ...]:
    """The depth of a place and its name; an item of a list is named by the list."""
    if not path:
        return (0, "")
    if isinstance(path[-1], int):
        return (len(path), *_named(path[:-1])[1:], _ITEM)
    return (len(path), path[-1])


def _most(found: Counter[_T], otherwise: _T) -> _T:
    return found.most_common(1)[0][0] if found else otherwise
