"""A company's people as a walk meets them: who they are, when they sit at their desks, how they write."""

from collections.abc import Mapping

from brownout.background.desk_hours import Desk
from brownout.background.life_sources import Colleague, Life
from brownout.background.voices import typed, voices_of
from brownout.core.seeds import Stream

__all__ = ["Staff"]


class Staff:
    """Everybody of a company, by short name.

    Attributes:
        desks: of everybody; a walk's acts are done at one of them.
    """

    def __init__(self, life: Life, desks: Mapping[str, Desk]) -> None:
        self.desks = desks
        self.people: Mapping[str, Colleague] = {person.name: person for person in life.people}
        self._voices = voices_of(life)

    def first_name(self, name: str) -> str:
        """What colleagues call somebody; of a machine, its account."""
        return self.people[name].full.split()[0] if name in self.people else name

    def written(self, name: str, text: str, stream: Stream) -> str:
        """A comment as somebody writes it, with their habits; a slip is mended before it is sent."""
        said = typed(text, self._voices[name], stream, may_hedge=False, may_begin=False)
        return said.mended or said.text
