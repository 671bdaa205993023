"""Brownout: compose simulated companies and break them on schedule.

    package = brownout.build("tiny", out="build/tiny")
    with brownout.open_session(package, task="find-the-change") as session:
        session.call("slack_list_channels", {})

The names below are loaded when they are first used: the session path must not pay for what it does not need.
"""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from brownout.core.top_level_packages import ROOMS

if TYPE_CHECKING:
    from brownout.api import build, open_package, open_session, open_world
    from brownout.core.calls import Notice, Observation, ToolCall
    from brownout.core.errors import BrownoutError
    from brownout.core.grading import Grade
    from brownout.engine.session import Session
    from brownout.engine.world import World
    from worlds.package import Package

__all__ = [
    "BrownoutError",
    "Grade",
    "Notice",
    "Observation",
    "Package",
    "Session",
    "ToolCall",
    "World",
    "build",
    "open_package",
    "open_session",
    "open_world",
]

_HOMES = {
    "BrownoutError": "brownout.core.errors",
    "Grade": "brownout.core.grading",
    "Notice": "brownout.core.calls",
    "Observation": "brownout.core.calls",
    "Package": "worlds.package",
    "Session": "brownout.engine.session",
    "ToolCall": "brownout.core.calls",
    "World": "brownout.engine.world",
    "build": "brownout.api",
    "open_package": "brownout.api",
    "open_session": "brownout.api",
    "open_world": "brownout.api",
}


def _check_packages() -> None:
    """Notice before anything else is imported that somebody else's package hides one of a checkout's rooms.

    What was installed from a wheel has them below `brownout`, where nobody hides them.

    Raises:
        ImportError: it does; the message names it, and what helps.
    """
    home = Path(__file__).parents[1]
    if (home / "brownout" / ROOMS[0]).is_dir():
        return
    for package in ROOMS:
        found = find_spec(package)
        place = Path(found.origin).parent if found and found.origin else None
        if place != home / package:
            raise ImportError(
                f"Brownout's package {package!r} is at {home / package}, but Python finds {place or 'none'}. Start from another "
                "folder or with `python -P`, rename that one, or install Brownout into an environment of its own."
            )


_check_packages()


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'brownout' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
