"""Paths and commands as whoever started the studio would type them in their terminal: `brownout qa tiny --tier smoke`."""

import shlex
from collections.abc import Iterable
from pathlib import Path

from worlds.shipped_worlds import shipped_worlds

__all__ = ["short_path", "terminal_command"]


def short_path(path: Path) -> str:
    """A path as somebody who started the studio would write it: from where they were, if it lies below."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def terminal_command(words: Iterable[str]) -> str:
    """The command of some words after `brownout`, to be pasted where the studio was started: `brownout qa tiny --tier smoke`.

    Paths are as `short_path` has them, worlds that come with Brownout by their names. The studio's own commands print a document, for
    the studio to read; whoever pastes one wants to read it themselves.
    """
    names = {str(folder): name for name, folder in shipped_worlds().items()}
    return shlex.join(
        [
            "brownout",
            *(
                names.get(word) or (short_path(Path(word)) if word.startswith("/") else word)
                for word in words
                if word != "--json"
            ),
        ]
    )
