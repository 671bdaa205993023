"""Texts that many sessions have alike, held once: what a task's agent is told, and what the first calls of its episodes answer."""

from typing import Final

__all__ = ["SharedTexts"]

_SHORT: Final = 256
"""Characters below which a text is not worth looking up."""
_MOST: Final = 4 << 20
"""Characters that are remembered."""


class SharedTexts:
    """The latest long texts, some megabytes of them. What a session is given stays its own when it is forgotten here.

    texts.same(answer)      # an equal text that somebody else was given lately, or this one
    """

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._held = 0

    def same(self, text: str) -> str:
        """An equal text, the same object for all who ask for it about the same time."""
        if len(text) < _SHORT:
            return text
        found = self._known.setdefault(text, text)
        if found is text:
            self._held += len(text)
            while self._held > _MOST:
                self._held -= len(self._known.pop(next(iter(self._known))))
        return found
