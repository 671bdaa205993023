"""What a grader is given, what it returns, and how a reward explains itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, Protocol, TypeVar

from pydantic import BaseModel

from brownout.core.apps import Thing
from brownout.core.calls import Account, Effect, Observation, ToolCall
from brownout.core.instants import Instant
from brownout.core.values import Json, JsonObject

__all__ = [
    "Act",
    "Completion",
    "EndState",
    "Grade",
    "Grader",
    "LedgerLine",
    "Means",
    "Message",
    "ModelDoor",
    "Said",
    "TruthFact",
    "Verdict",
]

T = TypeVar("T", bound=BaseModel)


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
    """A fact as the world holds it: one value of a slot, and the word patterns that state it.

    Attributes:
        since: from when it is so; None for always.
        audience: who may be told: people by name and mail address, and channels; None for everybody.
        rivals: further values of the slot that it could be taken for, without patterns of their own.
    """

    name: str
    slot: str
    value: str
    since: Instant | None
    until: Instant | None
    says: tuple[str, ...]
    said: tuple[str, ...]
    audience: frozenset[str] | None = None
    rivals: tuple[str, ...] = ()


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

    @property
    def colleagues(self) -> Mapping[str, str]:
        """The full names of the people of the company, by short name."""
        ...

    def find(self, app: str, pattern: str) -> list[Thing]:
        """The things of an app that a selector names, logical names of the author's included."""
        ...

    def bound(self, app: str, name: str) -> str:
        """The path of the thing of an app that an author's name is bound to; empty where it is none's."""
        ...

    def path_of(self, effect: Effect) -> str:
        """The path of what an effect changed, for closed-world checks."""
        ...

    def changed_at(self, thing: Thing, field: str = "") -> Instant | None:
        """When the agent last changed the thing, or that field of it; None where it never did."""
        ...

    def moment(self, text: str) -> Instant:
        """The instant of an author's time expression in this episode.

        Raises:
            GradingError: it names nothing that has a time.
        """
        ...

    def members(self, name: str) -> frozenset[str]:
        """The people that a phrase stands for: `customers`, `affected customers`, `team support`, `everyone`.

        Raises:
            GradingError: the phrase means nobody in this world.
        """
        ...

    def repository(self, name: str, ref: str) -> Mapping[str, bytes]:
        """A repository's files at a ref, relative path -> content; empty where it has no such ref.

        Args:
            ref: a branch, a tag or a commit; `start:main` is the branch as it was when the task began.

        Raises:
            GradingError: the world has no such repository.
        """
        ...

    def harness(self, name: str) -> Sequence[str]:
        """The files of a repository through which hidden tests enter its code; they run with the original ones."""
        ...

    def hidden(self, name: str) -> Mapping[str, str]:
        """The task's hidden tests for a repository, file name -> source; empty where there are none."""
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


@dataclass(frozen=True, slots=True)
class Message:
    """One message to a language model."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Completion(Generic[T]):
    """What a language model answered.

    Attributes:
        by: `model` where it was asked now, `recorded` where it had been asked before, `hand` where a person wrote it.
        model: the name of the model that was meant.
    """

    value: T
    by: Literal["model", "recorded", "hand"]
    model: str


class ModelDoor(Protocol):
    """A language model, or what one said earlier."""

    def complete(self, messages: Sequence[Message], shape: type[T]) -> Completion[T]:
        """The answer in the shape asked for.

        Raises:
            ModelError: there is none, or it has another shape.
        """
        ...


@dataclass(frozen=True, slots=True)
class Means:
    """What a grader may use beside the end state.

    Attributes:
        seed: of the grade; inputs of hidden tests are drawn from it.
        model: None where neither a model nor a recording is given.
        asks: what every criterion of the rubric asks, by its name.
        verdicts: on the criteria that were judged before this one.
    """

    seed: int = 0
    model: ModelDoor | None = None
    asks: Mapping[str, Json] = field(default_factory=dict)
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)


class Grader(Protocol):
    """Judges one criterion. A change of its judgement raises its version.

    A grader that runs code in the sandbox has `runs_code = True`: a task judged by it is not begun where there is none.
    """

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> int: ...

    def check(self, asks: Json) -> list[str]:
        """What is wrong with a criterion's text, before anything is run."""
        ...

    def judge(self, end: EndState, asks: Json, by: Instant | None, means: Means) -> Verdict:
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
        worth: points possible; 0 for a gate, negative for a penalty.
        earned: points before gates and bounds; negative for a penalty that applies.
        counted: points after gates. The counted points of all lines add up to the grade's.
        penalty: points are lost where it is met.
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
    penalty: bool = False


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
                    "penalty": line.penalty,
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
