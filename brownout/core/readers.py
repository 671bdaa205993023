"""What reads a statement in prose: what it is asked, and what it found."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from brownout.core.entities import Entities
from brownout.core.grading import FactKind, GradingContext
from brownout.core.instants import Duration, Instant

__all__ = ["FactAsk", "FactKind", "Reader", "Reading"]


@dataclass(frozen=True, slots=True)
class FactAsk:
    """A fact that a text may state.

    Attributes:
        sentence: it in plain words, as its author put it: `we hold a seat for 10 minutes`.
        slot: what it is a value of (`boxoffice.hold_minutes`).
        kind: of the value: `time`, `date`, `duration`, `quantity`, `person`, `artefact`, `part`, `choice`; empty where it
            is not typed.
        value: as the author wrote it; `called` are its other names.
        within: how far a time may be from it, in microseconds.
        rivals: other values of the slot, each with its other names.
        about: words of the topic, one of which stands near a value that is meant.
        at: when the text was said.
        since: from when on it is so, None for always; `until` likewise.
    """

    name: str
    sentence: str
    slot: str
    kind: FactKind
    value: str
    called: tuple[str, ...] = ()
    within: Duration = 0
    rivals: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    about: tuple[str, ...] = ()
    at: Instant = 0
    since: Instant | None = None
    until: Instant | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader made of one text.

    Attributes:
        states: whether it tells its reader the fact, and no other value of the slot.
        reason: one sentence.
        quote: the words of the text that it rests on, empty where there are none.
        value: what the text gives as the slot's value, empty where it gives none.
        others: other values that the text asserts for the slot, or that could be taken for it; whoever lists candidates,
            in one text or over several, has told none.
    """

    states: bool
    reason: str
    quote: str = ""
    value: str = ""
    others: frozenset[str] = frozenset()


class Reader(Protocol):
    """Reads statements without a typed value of their own; a plug-in of the group `readers`, named in the grade."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> int: ...

    def read(self, text: str, ask: FactAsk, entities: Entities, means: GradingContext) -> Reading:
        """What a text makes of a fact.

        Raises:
            GradingError: it could not be read; a model that is not there leaves the criterion out of the reward.
        """
        ...
