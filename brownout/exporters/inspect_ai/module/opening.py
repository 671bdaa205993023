"""The world of this package, opened once for the process when it is first needed."""

import atexit
from functools import cache
from pathlib import Path

from brownout.exporters.episodes import Episodes

__all__ = ["FOLDER", "episodes"]

FOLDER = Path(__file__).parent


@cache
def episodes() -> Episodes:
    """The episodes of this process, each under the id of its sample."""
    opened = Episodes(FOLDER / "world")
    atexit.register(opened.close)
    return opened
