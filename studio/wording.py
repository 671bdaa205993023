"""Text of worlds and runs as Markdown shows it: as it is."""

import re

__all__ = ["plain"]

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>$:])")


def plain(text: str) -> str:
    """Text of a world or a run, so that Markdown shows it as it is."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))
