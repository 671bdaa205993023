"""Text of worlds and runs as Markdown shows it: as it is."""

import re
from pathlib import Path

__all__ = ["plain", "short_path"]

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>$:])")


def plain(text: str) -> str:
    """Text of a world or a run, so that Markdown shows it as it is."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def short_path(path: Path) -> str:
    """A path as somebody who started the studio would write it: from where they were, if it lies below."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
