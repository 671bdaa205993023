"""What a grader is given, what it returns, and how a reward explains itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from brownout.core.apps import Thing
from brownout.core.calls import Account, Effect, Observation, ToolCall
from brownout.core.instants import Instant
from brownout.core.values import Json, JsonObject

__all__ = ["Act", "EndState", "Grade", "Grader", "LedgerLine", "Said", "TruthFact", "Verdict"]


@dataclass(frozen=True, slots=True)
class Act:
    """One call of the agent with its answer."""

    call: ToolCall
    answer: Observation
    at: Instant


@dataclass(frozen=True, slots=True)
class Said:
    """Something the agent said, where, and the people who could read it."""

    text: str
    path: str
    to: frozenset[str]
    at: Instant
    app: str


@dataclass(frozen=True, slots=True)
class TruthFact:
    """A fact as the world holds it: one value of a slot, and the word patterns that state it."""

    name: str
    slot: str
    value: str
    since: Instant | None
    until: Instant | None
    says: tuple[str, ...]
    said: tuple[str, ...]


class EndState(Protocol):
    """An episode that is over, read-only. There is no way from here to the engine."""

    @property
    def task(self) -> str: ...
    @property
    def actor(self) -> Account: ...
    @property
    def requester(self) -> str: ...
    @property
    def start(self) -> Instant: ...
    @property
    def end(self) -> Instant: ...
    @property
    def answer(self) -> str:
        """What was submitted or last said to the requester; empty where nothing was."""
        ...

    @property
    def acts(self) -> Sequence[Act]: ...
    @property
    def said(self) -> Sequence[Said]:
        """Everything the agent said, in order, its answers to the requester included."""
        ...

    @property
    def facts(self) -> Mapping[str, TruthFact]: ...

    def find(self, app: str, pattern: str) -> list[Thing]:
        """The things of an app that a selector names, logical names of the author's included."""
        ...

    def path_of(self, effect: Effect) -> str:
        """The path of what an effect changed, for closed-world checks."""
        ...

    def changed_at(self, thing: Thing) -> Instant | None:
        """When the agent last changed the thing, None where it never did."""
        ...

    def moment(self, text: str) -> Instant:
        """The instant of an author's time expression in this episode.

        Raises:
            GradingError: it names nothing that has a time.
        """
        ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one grader found.

    Attributes:
        passed: whether the criterion is met.
        share: how much of it is, 0 to 1, for people; points do not depend on it.
        reason: one sentence.
        evidence: paths and call ids that show it.
    """

    passed: bool
    share: float
    reason: str
    evidence: tuple[str, ...] = ()


class Grader(Protocol):
    """Judges one criterion. A change of its judgement raises its version."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> int: ...

    def check(self, asks: Json) -> list[str]:
        """What is wrong with a criterion's text, before anything is run."""
        ...

    def judge(self, end: EndState, asks: Json, by: Instant | None) -> Verdict:
        """The verdict.

        Args:
            by: what is asked must have been so by then; None where any time will do.

        Raises:
            GradingError: it could not judge; the reward becomes null with this reason.
        """
        ...


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """One criterion's part in the reward.

    Attributes:
        raw: the grader's share.
        worth: points possible, 0 for a gate.
        earned: points before gates.
        counted: points after gates.
    """

    criterion: str
    grader: str
    version: int
    gate: bool
    passed: bool
    raw: float
    worth: int
    earned: int
    counted: int
    reason: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Grade:
    """A reward and everything it was made of.

    Attributes:
        reward: points counted / points possible; None where it could not be judged, and `failure` says why.
        resolved: every gate holds and every point was earned.
    """

    reward: float | None
    points: int
    possible: int
    resolved: bool
    ledger: tuple[LedgerLine, ...]
    failure: str = ""
    notes: tuple[str, ...] = field(default=())

    def document(self) -> JsonObject:
        """The grade as JSON."""
        return {
            "reward": self.reward,
            "points": self.points,
            "possible": self.possible,
            "resolved": self.resolved,
            "failure": self.failure or None,
            "notes": list(self.notes),
            "ledger": [
                {
                    "criterion": line.criterion,
                    "grader": line.grader,
                    "version": line.version,
                    "gate": line.gate,
                    "passed": line.passed,
                    "raw": line.raw,
                    "worth": line.worth,
                    "earned": line.earned,
                    "counted": line.counted,
                    "reason": line.reason,
                    "evidence": list(line.evidence),
                }
                for line in self.ledger
            ],
        }
