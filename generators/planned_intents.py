"""What somebody wants done, and when."""

from dataclasses import dataclass

from brownout.core.apps import Intent
from brownout.core.instants import Instant

__all__ = ["Planned", "talk_of"]


@dataclass(frozen=True, slots=True)
class Planned:
    """An intent and when it is to be carried out."""

    at: Instant
    intent: Intent


def talk_of(name: str) -> str:
    """What a message's name says of where it belongs: `story/talk/3` and `story/talk/3.1` are parts of `story/talk`."""
    talk, _, last = name.rpartition("/")
    return talk if talk and last.replace(".", "", 1).isdigit() else name
