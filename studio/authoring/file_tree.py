"""The files of a world's folder, as the tree beside the editor lists them."""

from dataclasses import dataclass
from typing import Final

from studio.known_worlds import KnownWorld
from worlds.spec.schema import pattern_of

__all__ = ["ListedFile", "file_tree"]

_MOST: Final = 5_000
_TEXTS: Final = frozenset(
    {".yaml", ".yml", ".md", ".txt", ".py", ".json", ".jsonl", ".patch", ".toml", ".cfg", ".ini", ".j2", ".html"}
    | {".js", ".ts", ".css", ".sql", ".sh", ".csv", ""}
)


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file by its path below the world's folder.

    Attributes:
        schema: the pattern of the format's file that it is, empty where it is none.
        is_text: whether the editor opens it.
    """

    path: str
    size: int
    schema: str
    is_text: bool


def file_tree(world: KnownWorld) -> list[ListedFile]:
    """Every file of a world, by path; hidden ones and compiled code left out."""
    found = []
    for path in sorted(world.folder.rglob("*")):
        parts = path.relative_to(world.folder).parts
        if any(part.startswith(".") or part == "__pycache__" for part in parts) or not path.is_file():
            continue
        name = "/".join(parts)
        size = path.stat().st_size
        found.append(ListedFile(name, size, pattern_of(name), path.suffix in _TEXTS and size <= 2 << 20))
        if len(found) >= _MOST:
            break
    return found
