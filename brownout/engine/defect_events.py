"""A mistake in our own code as the log of an episode has it."""

from pathlib import Path
from traceback import extract_tb
from typing import Final

from brownout.core.instants import Instant
from brownout.core.trajectory import DefectEvent

__all__ = ["defect_of"]

_ROOT: Final = Path(__file__).parents[2]
_MOST_FRAMES: Final = 40
_LONGEST: Final = 2000


def defect_of(error: Exception, where: str, at: Instant, seq: int) -> DefectEvent:
    """The event of an error. Files of ours are named from the project's root, others by their last two folders."""
    frames = extract_tb(error.__traceback__)[-_MOST_FRAMES:]
    trace = tuple(f"{_shown(frame.filename)}:{frame.lineno} in {frame.name}" for frame in frames)
    text = f"{type(error).__name__}: {error}"[:_LONGEST].encode("utf-8", "replace").decode()
    return DefectEvent(seq=seq, at=at, where=where[:_LONGEST], error=text, trace=trace)


def _shown(name: str) -> str:
    path = Path(name)
    return str(path.relative_to(_ROOT)) if path.is_relative_to(_ROOT) else "/".join(path.parts[-3:])
