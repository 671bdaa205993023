"""What somebody wants done, and when."""

from dataclasses import dataclass

from brownout.core.apps import Intent
from brownout.core.instants import Instant

__all__ = ["Planned"]


@dataclass(frozen=True, slots=True)
class Planned:
    """An intent and when it is to be carried out."""

    at: Instant
    intent: Intent
