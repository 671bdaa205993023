"""The append-only log of an episode: everything that happened, in one order, losslessly.

Every event has `seq` (0, 1, 2 …) and `at` (world time). `state` is a running digest of all effects so far,
so that two runs can be compared step by step without comparing worlds.
"""

from dataclasses import dataclass, field, fields
from typing import Annotated, Literal, Protocol, TypeAlias, cast

import orjson
from pydantic import BeforeValidator, Discriminator, Field, TypeAdapter

from brownout.core.calls import Effect, Notice
from brownout.core.instants import Instant
from brownout.core.values import Json, JsonObject

__all__ = [
    "TRAJECTORY_FORMAT",
    "ClockEvent",
    "DefectEvent",
    "Event",
    "EventSink",
    "GapEvent",
    "GradeEvent",
    "HeaderEvent",
    "ModelEvent",
    "NoticeEvent",
    "OutageEvent",
    "ReplyEvent",
    "ResultEvent",
    "SayEvent",
    "StopEvent",
    "ToolCallEvent",
    "WorldEvent",
    "dump_event",
    "load_event",
]

TRAJECTORY_FORMAT = 2
"""2: the header says what the agent was told, and what the requester replied is an event. Logs of format 1 are read too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderEvent:
    """What was run, with every digest needed to run it again.

    Attributes:
        world: empty where the run was not played here but imported.
        instructions: what the agent was told at the start; empty in logs of format 1.
    """

    seq: int
    at: Instant
    format: int
    world: str
    package: str
    world_seed: int
    task: str
    seed: int
    actor: str
    tools: str
    turn_cost: int
    instructions: str = ""
    kind: Literal["header"] = "header"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockEvent:
    """World time moved for a reason other than a call's own cost."""

    seq: int
    at: Instant
    since: Instant
    reason: Literal["turn", "wait", "settle", "reply"]
    kind: Literal["clock"] = "clock"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallEvent:
    """The agent asked for something."""

    seq: int
    at: Instant
    call_id: str
    name: str
    arguments: JsonObject
    turn: int
    kind: Literal["call"] = "call"


def _as_text(value: Json) -> str:
    return orjson.dumps(value).decode()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultEvent:
    """What the agent got, and what that changed. In the log the answer's value stands as `structured`.

    Attributes:
        body: the answer itself as JSON text.
        fault: the outage that shaped the answer.
    """

    seq: int
    at: Instant
    call_id: str
    is_error: bool
    content: str
    body: Annotated[str, Field(validation_alias="structured"), BeforeValidator(_as_text)]
    effects: tuple[Effect, ...]
    notices: tuple[int, ...]
    fault: str
    state: str
    kind: Literal["result"] = "result"

    @property
    def structured(self) -> Json:
        """The answer as a value, read anew each time: thousands of answers are kept."""
        return cast(Json, orjson.loads(self.body))


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldEvent:
    """Somebody other than the agent did something, or tried to.

    Attributes:
        key: the stable path of its cause.
        act: the intent's kind (`tell`, `open` …).
        outcome: `done`, or why not.
        path: what it made or changed; empty where that was not written yet, for nobody had looked.
        facts: the facts that it states.
    """

    seq: int
    at: Instant
    key: str
    who: str
    act: str
    app: str
    outcome: str
    path: str
    facts: tuple[str, ...]
    effects: tuple[Effect, ...]
    state: str
    kind: Literal["world"] = "world"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutageEvent:
    """An outage began or ended, or a service's health changed because of one."""

    seq: int
    at: Instant
    name: str
    target: str
    edge: str
    kind: Literal["outage"] = "outage"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeEvent:
    """Something reached the agent's account; the result that lists its id handed it over."""

    seq: int
    at: Instant
    notice: Notice
    kind: Literal["notice"] = "notice"


@dataclass(frozen=True, slots=True, kw_only=True)
class SayEvent:
    """The agent spoke to the requester, or submitted."""

    seq: int
    at: Instant
    text: str
    final: bool
    kind: Literal["say"] = "say"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyEvent:
    """What the agent got back for something it said: the requester's words, and the notices that came meanwhile.

    Attributes:
        content: the text a model reads.
    """

    seq: int
    at: Instant
    content: str
    notices: tuple[int, ...]
    kind: Literal["reply"] = "reply"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelEvent:
    """A model was asked; token arrays stand where the policy gives them."""

    seq: int
    at: Instant
    model: str
    messages: int
    finish_reason: str
    usage: JsonObject
    text: str
    attempts: int = 1
    token_ids: tuple[int, ...] = ()
    logprobs: tuple[float, ...] = ()
    policy_version: str = ""
    kind: Literal["model"] = "model"


@dataclass(frozen=True, slots=True, kw_only=True)
class StopEvent:
    """Why the episode ended: `submit`, `answer`, `calls`, `sim`, or the agent's own end."""

    seq: int
    at: Instant
    reason: str
    detail: str = ""
    kind: Literal["stop"] = "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class GapEvent:
    """Something is missing from this log, and why; a reader must not take silence for nothing."""

    seq: int
    at: Instant
    reason: str
    kind: Literal["gap"] = "gap"


@dataclass(frozen=True, slots=True, kw_only=True)
class DefectEvent:
    """A mistake in our own code that a call, or what followed from it, ran into; what it was doing was taken back.

    Attributes:
        where: the operation, or what the company was about.
        error: the exception's class and message, cut at 2,000 characters.
        trace: where it was raised, outermost first: `tools/jira/search.py:91 in search`.
    """

    seq: int
    at: Instant
    where: str
    error: str
    trace: tuple[str, ...]
    kind: Literal["defect"] = "defect"


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeEvent:
    """A grade of this episode; a later one does not replace an earlier one."""

    seq: int
    at: Instant
    grade: JsonObject = field(default_factory=dict)
    kind: Literal["grade"] = "grade"


Event: TypeAlias = (
    HeaderEvent
    | ClockEvent
    | ToolCallEvent
    | ResultEvent
    | WorldEvent
    | OutageEvent
    | NoticeEvent
    | SayEvent
    | ReplyEvent
    | ModelEvent
    | StopEvent
    | GapEvent
    | DefectEvent
    | GradeEvent
)
_ADAPTER: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Discriminator("kind")])


class EventSink(Protocol):
    """Where a session's events go."""

    def __call__(self, event: Event, /) -> None: ...


def dump_event(event: Event) -> bytes:
    """The event as one line of JSON, without the line's end."""
    if not isinstance(event, ResultEvent):
        return orjson.dumps(event)
    row: dict[str, object] = {}
    for part in fields(event):
        value = getattr(event, part.name)
        if part.name == "body":
            row["structured"] = orjson.Fragment(value)
        else:
            row[part.name] = value
    return orjson.dumps(row)


def load_event(line: bytes) -> Event:
    """The event that `dump_event` wrote.

    Raises:
        ValueError: the line is not one.
    """
    return _ADAPTER.validate_json(line)
