"""Text of worlds and runs as Markdown shows it, and paths and commands as whoever started the studio would write them."""

import re
import shlex
from collections.abc import Iterable
from pathlib import Path

from brownout.core.apps import App
from brownout.core.errors import BrownoutError
from brownout.core.plugins import load_plugin
from worlds.shipped import shipped_worlds

__all__ = ["app_title", "plain", "short_path", "terminal_command"]

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>$:])")


def plain(text: str) -> str:
    """Text of a world or a run, so that Markdown shows it as it is."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def short_path(path: Path) -> str:
    """A path as somebody who started the studio would write it: from where they were, if it lies below."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def terminal_command(words: Iterable[str]) -> str:
    """The command of some words after `brownout`, to be pasted where the studio was started: `brownout qa tiny --tier smoke`.

    Paths are as `short_path` has them, worlds that come with Brownout by their names.
    """
    names = {str(folder): name for name, folder in shipped_worlds().items()}
    return shlex.join(
        ["brownout", *(names.get(word) or (short_path(Path(word)) if word.startswith("/") else word) for word in words)]
    )


def app_title(name: str) -> str:
    """What a product is called: `GitHub` for `github`; one that is not installed by its own name."""
    try:
        app = load_plugin("apps", name)
    except BrownoutError:
        return name.capitalize()
    return app.title if isinstance(app, App) else name.capitalize()
