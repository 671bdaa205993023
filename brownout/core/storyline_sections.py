"""What an app adds to the words of authors: a section of storylines (`meetings:`), each entry of which somebody does."""

from collections.abc import Callable
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from brownout.core.instants import Duration, Instant
from brownout.core.intents import Intent

__all__ = ["Cause", "Section", "SectionEntry"]


class SectionEntry(BaseModel):
    """One entry of a section; an app's own model has its further words.

    `at` is a moment as in a beat: others can hang on it by the entry's name.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)
    at: str
    who: str
    states: list[str] = []

    @property
    def people(self) -> tuple[str, ...]:
        """Everybody whom it names by short name, to be looked up before anything is built."""
        return (self.who,)

    @property
    def ahead(self) -> Duration:
        """How long before `at` it is done: an invitation is sent before the meeting is."""
        return 0


@dataclass(frozen=True, slots=True)
class Cause:
    """Where an entry comes from.

    Attributes:
        key: its stable path (`retries/standup`).
        name: what the author calls it.
        at: the moment that its `at` came to.
        zone: the world's.
    """

    key: str
    name: str
    at: Instant
    zone: str


@dataclass(frozen=True, slots=True)
class Section:
    """A section's entries, and what somebody wants done for one; the section's app carries it out."""

    entry: type[SectionEntry]
    intent: Callable[[SectionEntry, Cause], Intent]
