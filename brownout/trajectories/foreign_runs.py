"""A run that was not played here, as a run's folder: it can be read and annotated, not graded or played again."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import orjson

from brownout.core.calls import CallIds, ToolCall
from brownout.core.instants import SECOND, Instant
from brownout.core.trajectory import (
    TRAJECTORY_FORMAT,
    Event,
    HeaderEvent,
    ModelEvent,
    ReplyEvent,
    ResultEvent,
    SayEvent,
    StopEvent,
    ToolCallEvent,
)
from brownout.core.values import Json, JsonObject
from brownout.rollouts.recorder import Recorder, RunResult

__all__ = ["ForeignCall", "ForeignRun", "ForeignTurn", "StoredEvents", "keep_run", "text_of"]

_TURN = 30 * SECOND
"""How long a turn takes where its source does not say."""


@dataclass(frozen=True, slots=True)
class StoredEvents:
    """A run that was played here and came back in another format: its very events."""

    events: list[Event]
    result: RunResult | None


@dataclass(frozen=True, slots=True)
class ForeignCall:
    """A tool call of a stranger's run.

    Attributes:
        answer: what came back, None where the source does not say.
    """

    name: str
    arguments: JsonObject
    call_id: str
    answer: str | None


@dataclass(frozen=True, slots=True)
class ForeignTurn:
    """What the agent did at once, or what it was told.

    Attributes:
        shown: what it was shown beside its calls' answers.
        at: when, None where the source does not say.
    """

    is_agents: bool
    text: str
    calls: tuple[ForeignCall, ...] = ()
    model: str = ""
    at: Instant | None = None
    shown: str = ""


@dataclass(frozen=True, slots=True)
class ForeignRun:
    """A stranger's run.

    Attributes:
        name: as its source calls it, empty where it does not.
        instructions: what the agent was told before its first turn.
        reward: as its source says, None where it does not.
    """

    agent: str
    name: str
    instructions: str
    turns: tuple[ForeignTurn, ...]
    reward: float | None


def text_of(content: Json) -> str:
    """The text of a message's content: a text, or parts of which each that is no text is named (`[image]`)."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = [part for part in content if isinstance(part, dict)]
    return "\n\n".join(str(part["text"]) if "text" in part else f"[{part.get('type', 'part')}]" for part in parts)


def keep_run(found: StoredEvents | ForeignRun, folder: Path, name: str) -> RunResult | None:
    """Write a run's folder.

    Args:
        name: what a stranger's run is called where its source does not say.

    Raises:
        RunError: the folder holds a run already, or cannot be written.
    """
    if isinstance(found, StoredEvents):
        events = found.events
        result = found.result.model_copy(update={"run": str(folder)}) if found.result is not None else None
    else:
        events = list(_events(found, found.name or name))
        result = _result(found, folder, found.name or name, events)
    with Recorder(folder) as recorder:
        for event in events:
            recorder(event)
        if result is not None:
            recorder.finish(result)
    return result


def _events(run: ForeignRun, name: str) -> Iterator[Event]:
    seq = 0
    at = next((turn.at for turn in run.turns if turn.at is not None), 0)
    yield HeaderEvent(
        seq=seq,
        at=at,
        format=TRAJECTORY_FORMAT,
        world="",
        package="",
        world_seed=0,
        task=name,
        seed=0,
        actor="",
        tools="",
        turn_cost=_TURN,
        instructions=run.instructions,
    )
    ids = CallIds()
    for number, turn in enumerate(run.turns, start=1):
        at = max(at, turn.at if turn.at is not None else at + _TURN)
        for event in _turn(turn, number, at, ids):
            seq += 1
            yield replace(event, seq=seq)
    yield StopEvent(seq=seq + 1, at=at, reason="imported", detail="it was not played here")


def _turn(turn: ForeignTurn, number: int, at: Instant, ids: CallIds) -> Iterator[Event]:
    """A turn's events; their numbers are set by whoever lists them."""
    if not turn.is_agents:
        yield ReplyEvent(seq=0, at=at, content=turn.text, notices=())
        return
    yield ModelEvent(
        seq=0, at=at, model=turn.model, messages=0, finish_reason="", usage={}, text=turn.text if turn.calls else ""
    )
    own = [ids.own(ToolCall(call.name, call.arguments, call.call_id or f"call-{number}")) for call in turn.calls]
    for call in own:
        yield ToolCallEvent(seq=0, at=at, call_id=call.call_id, name=call.name, arguments=call.arguments, turn=number)
    for call, made in zip(own, turn.calls, strict=True):
        if made.answer is not None:
            yield ResultEvent(
                seq=0,
                at=at,
                call_id=call.call_id,
                is_error=False,
                content=made.answer,
                body=_body(made.answer),
                effects=(),
                notices=(),
                fault="",
                state="",
            )
    if not turn.calls:
        yield SayEvent(seq=0, at=at, text=turn.text, final=False)
    if turn.shown:
        yield ReplyEvent(seq=0, at=at, content=turn.shown, notices=())


def _body(answer: str) -> str:
    try:
        orjson.loads(answer)
    except orjson.JSONDecodeError:
        return orjson.dumps(answer).decode()
    return answer


def _result(run: ForeignRun, folder: Path, name: str, events: list[Event]) -> RunResult:
    calls = sum(isinstance(event, ToolCallEvent) for event in events)
    return RunResult(
        run=str(folder),
        world="",
        package="",
        task=name,
        agent=run.agent,
        seed=0,
        status="ok",
        reward=run.reward,
        resolved=False,
        complete=False,
        ledger=[],
        failure=None if run.reward is not None else "it was not played here, and whoever did says no reward",
        stop="imported",
        steps=calls,
        sim_minutes=(events[-1].at - events[0].at) / (60 * SECOND),
    )
