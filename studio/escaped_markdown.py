"""Text of worlds and runs in Markdown: its signs are escaped, so that it is shown as it is."""

import re

__all__ = ["plain"]

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>$:])")


def plain(text: str) -> str:
    """Text of a world or a run, so that Markdown shows it as it is."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))
