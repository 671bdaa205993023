"""What of an episode's effects is the agent's own addition, and what touches what others made or goes outside.

An addition is the agent's own text or artefact that grants, approves and silences nothing. An app declares it: for an operation
(`@operations.write(addition=True)`) or around a write (`with call.rows.adding():`); nothing is one by default. What the agent
added it may also change and take back, by whatever operation, and what hangs on it (the history of its ticket, the pushes
to its branch) comes with it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from brownout.core.calls import Effect
from brownout.core.grading import CallRecord, EndState, Said

__all__ = ["Additions", "Touch"]


@dataclass(frozen=True, slots=True)
class Touch:
    """One effect of one of the agent's calls that is not harmless, and the path of what it changed."""

    act: CallRecord
    effect: Effect
    path: str

    def __str__(self) -> str:
        return f"{self.act.call.call_id}: {self.effect.kind} {self.path}"


@dataclass(frozen=True)
class Additions:
    """The effects of an episode's calls, told apart."""

    end: EndState

    @cached_property
    def everything(self) -> tuple[Touch, ...]:
        """Every effect that is not harmless, additions included, in order."""
        return tuple(
            Touch(act, effect, self.end.path_of(effect))
            for act in self.end.acts
            for effect in act.answer.effects
            if not effect.harmless
        )

    @cached_property
    def others(self) -> tuple[Touch, ...]:
        """What is no addition, in order: what changes or removes what others made, deploys, grants, approves."""
        own = _Own()
        return tuple(touch for touch in self.everything if not own.takes(touch))

    @property
    def made(self) -> Iterator[Touch]:
        """The rows that were added, in order, those of things taken back included."""
        return (touch for touch in self.everything if touch.effect.addition and touch.effect.kind == "insert")

    @property
    def outward(self) -> Iterator[tuple[Said, frozenset[str]]]:
        """What the agent's calls said to people outside, and to whom of them, in order."""
        for said in self.end.said:
            outside = self.end.outsiders(said.to) if said.call else frozenset()
            if outside:
                yield said, outside


class _Own:
    """The rows that are the agent's own so far."""

    def __init__(self) -> None:
        self._rows: set[tuple[str, int]] = set()
        self._roots: list[tuple[str, str]] = []

    def takes(self, touch: Touch) -> bool:
        """Whether an effect adds something, or changes or takes back what was added before."""
        effect = touch.effect
        row = (effect.table, effect.key)
        if effect.addition and effect.kind == "insert":
            self._rows.add(row)
            self._roots.append((effect.table, touch.path))
        elif effect.kind == "insert" and self._is_part(touch):
            self._rows.add(row)
        return effect.addition or row in self._rows

    def _is_part(self, touch: Touch) -> bool:
        """Whether a new row hangs on an own one.

        Names may hold dots and slashes: the branch `v1.2` of somebody else looks like a part of an own branch `v1`. So a part
        is a row of another table than what it hangs on.
        """
        return any(
            table != touch.effect.table and touch.path.startswith((f"{path}.", f"{path}/"))
            for table, path in self._roots
        )
