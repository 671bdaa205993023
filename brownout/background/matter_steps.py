"""One act in the course of a matter."""

from dataclasses import dataclass

from brownout.core.apps import Intent
from brownout.core.instants import Instant

__all__ = ["MatterStep"]


@dataclass(frozen=True, slots=True)
class MatterStep:
    """One act of a matter; `needs` is the key of the step that it hangs on, `is_heard` that another product takes it in."""

    at: Instant
    intent: Intent
    needs: str = ""
    is_named: bool = False
    is_heard: bool = False
