"""Where things stand in an author's files, for messages."""

from collections.abc import Mapping

__all__ = ["Marks", "PlacedList", "PlacedMap", "line_in"]


class PlacedMap(dict[object, object]):
    """A mapping of a YAML file. `lines` has the 1-based line of each key."""

    __slots__ = ("lines",)

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[object, int] = {}


class PlacedList(list[object]):
    """A list of a YAML file. `lines` has the 1-based line of each item."""

    __slots__ = ("lines",)

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[int] = []


class Marks:
    """The lines of everything in the YAML files that were read."""

    def __init__(self, trees: Mapping[str, object]) -> None:
        self._trees = trees

    def line(self, file: str, *path: str | int) -> int:
        """The line of the deepest part of a path that the file has, 0 where it has none of it."""
        return line_in(self._trees.get(file), path)

    def has(self, file: str, *path: str | int) -> bool:
        """Whether the whole of a path is there."""
        tree = self._trees.get(file)
        for part in path:
            if not isinstance(tree, Mapping) or part not in tree:
                return False
            tree = tree[part]
        return True


def line_in(tree: object, path: tuple[object, ...]) -> int:
    """The 1-based line of the deepest part of `path` that a YAML tree has, 0 where it has none of it."""
    line = 0
    for part in path:
        if isinstance(tree, PlacedMap):
            key = part if part in tree else next((key for key in tree if str(key) == str(part)), None)
            if key not in tree:
                break
            line, tree = tree.lines[key], tree[key]
        elif isinstance(tree, PlacedList) and isinstance(part, int) and part < len(tree):
            line, tree = tree.lines[part], tree[part]
        else:
            break
    return line
