"""What a grader is given, what it returns, and how a reward explains itself."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from brownout.core.apps import Thing
from brownout.core.calls import Account, Effect, Observation, ToolCall
from brownout.core.cancel_token import CancelToken
from brownout.core.entities import Entities
from brownout.core.errors import Failure, FailureKind
from brownout.core.instants import Duration, Instant
from brownout.core.language_models import ModelClient, ModelUse, uses_of
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject

__all__ = [
    "AnticipatedWork",
    "Anticipates",
    "CallRecord",
    "EndState",
    "Grade",
    "Grader",
    "GradingContext",
    "LedgerLine",
    "LeftOut",
    "LineVerdict",
    "LooksAhead",
    "Part",
    "Reads",
    "Said",
    "TruthFact",
    "Verdict",
]

Reads: TypeAlias = Literal["state", "fields", "document", "prose", "mention", "judge"]
"""What a verdict rests on: rows, effects, calls and tests; typed fields; a document's parts; what sentences state; that a
distinctive word stands somewhere; what a language model thinks of a text."""
Part: TypeAlias = Literal["gates", "points", "penalties"]


FactKind: TypeAlias = Literal["time", "date", "duration", "quantity", "person", "artefact", "part", "choice", ""]
"""What a fact's value is; empty where it is not typed, and only a model can read it."""


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call of the agent with its answer."""

    call: ToolCall
    answer: Observation
    at: Instant


@dataclass(frozen=True, slots=True)
class Said:
    """Something the agent said, where, and the people who could read it.

    Attributes:
        call: the id of the call that said it; empty for what was said to the requester.
    """

    text: str
    path: str
    to: frozenset[str]
    at: Instant
    app: str
    call: str = ""


@dataclass(frozen=True, slots=True)
class TruthFact:
    """A fact as the world holds it: one value of a slot.

    Attributes:
        since: from when it is so; None for always.
        again: from when on it is so once more, after `until`.
        audience: who may be told: people by name and mail address, and channels; None for everybody.
        rivals: further values of the slot that it could be taken for.
        about: words of its topic.
        kind: of its value, where that is typed (`duration`, `person` …).
        called: other names of the value.
        within: how far a time that is said may be from it, in microseconds.
        mentions: phrases that give it away, where not everybody may be told.
    """

    name: str
    slot: str
    value: str
    since: Instant | None
    until: Instant | None
    says: tuple[str, ...]
    audience: frozenset[str] | None = None
    rivals: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    kind: FactKind = ""
    called: tuple[str, ...] = ()
    within: Duration = 0
    again: Instant | None = None


class EndState(Protocol):
    """An episode that is over, read-only. There is no way from here to the engine."""

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
    def acts(self) -> Sequence[CallRecord]: ...
    @property
    def said(self) -> Sequence[Said]:
        """Everything the agent said, in order, its answers to the requester included."""
        ...

    @property
    def facts(self) -> Mapping[str, TruthFact]: ...
    @property
    def findings(self) -> Mapping[str, tuple[str, Instant]]:
        """What the agent recorded last for each field of the task, in its words, and when."""
        ...

    @property
    def entities(self) -> Entities:
        """What the names in a text stand for."""
        ...

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

    def before(self, thing: Thing) -> Row | None:
        """The row of the thing as it was before the agent first changed it; None where the agent made it, or left it."""
        ...

    def earlier(self) -> Iterator["EndState"]:
        """The episode after each call that changed something, the last call first, then as it were without any of them.

        What others did stands in all of them as at the end. Each can be read until the next is taken.
        """
        ...

    def is_final(self, act: CallRecord) -> bool:
        """Whether taking back what a call did does not undo it for others: they felt it at once, or are outside and read it."""
        ...

    def moment(self, text: str) -> Instant:
        """The instant of an author's time expression in this episode.

        Raises:
            BrokenRubric: it names nothing that has a time.
        """
        ...

    def members(self, name: str) -> frozenset[str]:
        """The people that a phrase stands for: `customers`, `affected customers`, `team support`, `everyone`.

        Raises:
            BrokenRubric: the phrase means nobody in this world.
        """
        ...

    def outsiders(self, readers: Iterable[str]) -> frozenset[str]:
        """Those of some readers who are outside the company: by short name where they have one, else by address."""
        ...

    def repository(self, name: str, ref: str) -> Mapping[str, bytes]:
        """A repository's files at a ref, relative path -> content; empty where it has no such ref.

        Args:
            ref: a branch, a tag or a commit; `start:main` is the branch as it was when the task began.

        Raises:
            BrokenRubric: the world has no such repository.
        """
        ...

    def harness(self, name: str) -> Sequence[str]:
        """The files of a repository through which hidden tests enter its code; they run with the original ones."""
        ...

    def hidden(self, name: str) -> Mapping[str, str]:
        """The task's hidden tests for a repository, file name -> source; empty where there are none."""
        ...


@dataclass(frozen=True, slots=True)
class LineVerdict:
    """What was found on one line of a criterion that has several.

    Attributes:
        worth: its points, in whole numbers.
        quote: the words of the text that show it, empty where nothing does.
        verdicts: every verdict that was given, in order; the line is met where most of them are true.
    """

    name: str
    worth: int
    passed: bool
    reason: str
    quote: str = ""
    verdicts: tuple[bool, ...] = ()

    @property
    def agreement(self) -> float:
        """The share of the verdicts that say what the line says, 1 where all do."""
        return self.verdicts.count(self.passed) / len(self.verdicts) if self.verdicts else 1.0

    def document(self) -> JsonObject:
        """The line as JSON."""
        return {
            "line": self.name,
            "passed": self.passed,
            "worth": self.worth,
            "earned": self.worth if self.passed else 0,
            "reason": self.reason,
            "quote": self.quote,
            "verdicts": list(self.verdicts),
            "agreement": self.agreement,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one grader found.

    Attributes:
        passed: whether the criterion is met.
        share: how much of it is, 0 to 1, for people; points do not depend on it.
        reason: one sentence.
        evidence: paths and call ids that show it.
        lines: of a criterion that earns its points line by line; it is met where all of them are.
    """

    passed: bool
    share: float
    reason: str
    evidence: tuple[str, ...] = ()
    lines: tuple[LineVerdict, ...] = ()


@dataclass(frozen=True, slots=True)
class GradingContext:
    """What a grader may use beside the end state.

    Attributes:
        seed: of the grade; inputs of hidden tests are drawn from it.
        model: what reads for those that cannot; None where neither a model nor a recording is given.
        asks: what every criterion of the rubric asks, by its name.
        verdicts: on the criteria that were judged before this one.
        fields: the task's findings with what is right, by name, as documents.
        part: of the rubric that the criterion stands in. What a penalty costs and a gate forbids may not have been so in
            between, either; points are for what is so at the end.
    """

    seed: int = 0
    model: ModelClient | None = None
    asks: Mapping[str, Json] = field(default_factory=dict)
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    fields: Mapping[str, Json] = field(default_factory=dict)
    part: Part = "points"


class Grader(Protocol):
    """Judges one criterion. A change of its judgement raises its version.

    A grader that runs code in the sandbox has `runs_code = True`: a task judged by it is not begun where there is none.
    `reads` says what its verdict rests on (`Reads`; `state` where it says nothing), as a value or as a function of what a
    criterion asks: `validate` tells authors how many points rest on words.
    """

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> int: ...

    def check(self, asks: Json) -> list[str]:
        """What is wrong with a criterion's text, before anything is run."""
        ...

    def judge(self, end: EndState, asks: Json, by: Instant | None, means: GradingContext) -> Verdict:
        """The verdict.

        Args:
            by: what is asked must have been so by then; None where any time will do.

        Raises:
            NobodyReads: only a model could judge it, and there is none; the criterion is left out of the reward.
            GradingError: it could not judge; the reward becomes null with this reason.
        """
        ...


@runtime_checkable
class LooksAhead(Protocol):
    """A grader that can do some of its work while the agent acts: what rests on the beginning alone."""

    def beforehand(self, start: EndState, asks: Json) -> Callable[[], object] | None:
        """That work, to be run in another thread, which must not read `start` any more; None where there is none.

        Args:
            start: the episode before the agent's first call.

        Raises:
            GradingError: there is none for a reason that the grade will meet again.
        """
        ...


@dataclass(frozen=True, slots=True)
class AnticipatedWork:
    """What a grade would have to do if everything stayed as it is.

    Attributes:
        key: the same for the same work.
        do: does it, in another thread that reads nothing of the episode, and keeps what it comes to where the grade finds it.
            May raise `Cancelled`.
    """

    key: str
    do: Callable[[CancelToken], object]


@runtime_checkable
class Anticipates(Protocol):
    """A grader that can begin with what the agent may have left as it will be judged.

    What it finds out early must be what the grade would find out: a function of what is judged, not of when.
    """

    def anticipate(
        self, so_far: Callable[[], EndState], asks: Json, seed: int, effects: Sequence[Effect] | None
    ) -> AnticipatedWork | None:
        """That work; None where there is none.

        Args:
            so_far: the episode as it is now. Costs time, so it is asked for only where the effects call for it.
            seed: of the grade.
            effects: what a call of the agent's has just done; None where the agent has ended, and what is left as it is will
                be judged.

        Raises:
            GradingError: there is none for a reason that the grade will meet again.
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
        lines: of a criterion that earns its points line by line; what they earn adds up to `earned`.
        uses: the models' answers that it rests on, with the prompts' versions.
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
    lines: tuple[LineVerdict, ...] = ()
    uses: tuple[ModelUse, ...] = ()

    def document(self) -> JsonObject:
        """The line as JSON."""
        return {
            "criterion": self.criterion,
            "grader": self.grader,
            "version": self.version,
            "gate": self.gate,
            "penalty": self.penalty,
            "passed": self.passed,
            "raw": self.raw,
            "worth": self.worth,
            "earned": self.earned,
            "counted": self.counted,
            "reason": self.reason,
            "evidence": list(self.evidence),
            "lines": [line.document() for line in self.lines],
            "models": [use.document() for use in self.uses],
        }


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A criterion that is no part of the reward: what it is worth is neither earned nor possible.

    Attributes:
        because: `skipped` where the user wants it so; `unread` where only a model could judge it and there is none.
        why: one sentence.
    """

    criterion: str
    grader: str
    worth: int
    because: Literal["skipped", "unread"]
    why: str

    def document(self) -> JsonObject:
        """What is left out, as JSON."""
        return {
            "criterion": self.criterion,
            "grader": self.grader,
            "worth": self.worth,
            "because": self.because,
            "why": self.why,
        }


@dataclass(frozen=True, slots=True)
class Grade:
    """A reward and everything it was made of.

    Attributes:
        reward: points counted / points possible; None where it could not be judged, and `failure` says why.
        failure_kind: the same for programs; empty where there is a reward, and in a log from before there were kinds.
        possible: points of everything that is not left out.
        resolved: every gate holds and every point that is possible was earned.
        left_out: what is no part of the reward, by name.
    """

    reward: float | None
    points: int
    possible: int
    resolved: bool
    ledger: tuple[LedgerLine, ...]
    failure: str = ""
    left_out: tuple[LeftOut, ...] = ()
    failure_kind: FailureKind | Literal[""] = ""

    @classmethod
    def null(cls, failure: Failure) -> "Grade":
        """No grade at all, for that reason."""
        return cls(None, 0, 0, False, (), failure=failure.reason, failure_kind=failure.kind)

    @property
    def complete(self) -> bool:
        """Whether the reward is of everything that the rubric asks."""
        return self.reward is not None and not self.left_out

    @property
    def uses(self) -> tuple[ModelUse, ...]:
        """The models' answers that the reward rests on."""
        return uses_of(use for line in self.ledger for use in line.uses)

    @property
    def scores(self) -> dict[str, float]:
        """By criterion: 1 where a point or gate is met, -1 where a penalty applies, else 0. Of one that earns its points line
        by line the share that is met. What was left out has none.
        """
        return {line.criterion: _score(line) for line in self.ledger if line.grader != "rubric"}

    def document(self) -> JsonObject:
        """The grade as JSON."""
        return {
            "reward": self.reward,
            "points": self.points,
            "possible": self.possible,
            "resolved": self.resolved,
            "complete": self.complete,
            "failure": self.failure or None,
            "failure_kind": self.failure_kind or None,
            "left_out": [each.document() for each in self.left_out],
            "models": [use.document() for use in self.uses],
            "ledger": [line.document() for line in self.ledger],
        }


def _score(line: LedgerLine) -> float:
    if line.lines:
        return line.raw
    return float(line.passed) * (-1 if line.penalty else 1)
