"""The worlds that come with the product: where they are, and what a list says of them without reading them whole."""

import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Summary", "shipped_worlds", "summary_of"]

_TITLE = re.compile(r"""^title: *(["']?)(.+?)\1 *$""", re.MULTILINE)
_NAME = re.compile(r"^[^\s#-][^\n]*?:(?: |$)", re.MULTILINE)
"""The beginning of something that stands in a file under its own name."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A world in one line: its title, how many people it has, the ids of its tasks."""

    title: str
    people: int
    tasks: tuple[str, ...]


def shipped_worlds() -> dict[str, Path]:
    """The worlds that come with the product, by name."""
    root = Path(__file__).with_name("catalog")
    return {path.parent.name: path.parent for path in sorted(root.glob("*/world.yaml"))}


def summary_of(folder: Path) -> Summary:
    """A shipped world's line. Nothing is checked, for shipped worlds have no mistakes; only beginnings of lines are read."""
    title = _TITLE.search((folder / "world.yaml").read_text("utf-8"))
    people = _NAME.findall((folder / "people.yaml").read_text("utf-8"))
    tasks = sorted(path.parent.name for path in folder.glob("tasks/*/task.yaml"))
    return Summary(title[2] if title else "", len(people), tuple(tasks))
