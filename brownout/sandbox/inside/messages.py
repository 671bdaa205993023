"""What the command server is asked and what it answers."""

from typing import TypedDict

__all__ = ["CommandAnswer", "CommandRequest"]


class CommandRequest(TypedDict, total=False):
    """What the supervisor asks. Descriptor 0 is where output goes, descriptor 1 where input comes from."""

    op: str
    """`run`, `kill` (unanswered), `send` or `fill`."""
    command: str
    cwd: str
    environment: dict[str, str]
    now: int
    cpu: int
    everything: bool
    known: bool
    most: int


class CommandAnswer(TypedDict, total=False):
    """What it hears: of a command its wait status and processor seconds, else an error's text or nothing."""

    status: int
    cpu: float
    error: str
