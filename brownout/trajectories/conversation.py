"""A run as what an agent and its world said to each other, in turns: what every other format is made of.

An event stands in one place only, so a format that keeps all of a conversation keeps all of the run.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from brownout.core.tool_schemas import function_tool
from brownout.core.trajectory import (
    Event,
    GradeEvent,
    HeaderEvent,
    ModelEvent,
    ReplyEvent,
    ResultEvent,
    SayEvent,
    StopEvent,
    ToolCallEvent,
)
from brownout.core.values import JsonObject
from brownout.engine.world import World
from brownout.rollouts.recorded_packages import recorded_package
from brownout.rollouts.recorder import RunResult, StoredRun
from brownout.rollouts.replay import header_of

__all__ = ["AgentTurn", "Conversation", "MadeCall", "Message", "RequesterReply", "conversation_of"]


@dataclass(slots=True)
class MadeCall:
    """A tool call and its answer; None where the log ends before it."""

    call: ToolCallEvent
    result: ResultEvent | None = None


@dataclass(slots=True)
class AgentTurn:
    """What the agent did at once.

    Attributes:
        model: the completion it came from, None where no model plays.
        said: what it said to the requester. A `submit` says its answer too; that is `handed_in`.
        meanwhile: what happened in the world until the next turn, and why the episode ended.
    """

    model: ModelEvent | None = None
    calls: list[MadeCall] = field(default_factory=list)
    said: SayEvent | None = None
    handed_in: SayEvent | None = None
    meanwhile: list[Event] = field(default_factory=list)

    @property
    def text(self) -> str:
        """What it wrote beside its calls, empty where it wrote nothing."""
        if self.said is not None:
            return self.said.text
        return self.model.text if self.model is not None else ""


@dataclass(slots=True)
class RequesterReply:
    """What the requester answered, and what happened in the world until the next turn."""

    event: ReplyEvent
    meanwhile: list[Event] = field(default_factory=list)


Message: TypeAlias = AgentTurn | RequesterReply


@dataclass(frozen=True, slots=True)
class Conversation:
    """A run, in turns.

    Attributes:
        agent: its name; `unknown` where the run has not ended.
        tools: the functions that the agent was offered, as chat models are told; empty where the package is not at hand.
        before: what happened before the agent's first turn.
        messages: turns and replies in their order.
        result: what came of it, None where it has not ended.
        folder: of the run.
    """

    header: HeaderEvent
    agent: str
    tools: tuple[JsonObject, ...]
    before: tuple[Event, ...]
    messages: tuple[Message, ...]
    result: RunResult | None
    folder: Path

    @property
    def turns(self) -> tuple[AgentTurn, ...]:
        """The agent's part."""
        return tuple(each for each in self.messages if isinstance(each, AgentTurn))

    @property
    def grade(self) -> JsonObject | None:
        """The last grade of the log, None where it was not judged."""
        last = self.messages[-1].meanwhile if self.messages else self.before
        return next((event.grade for event in reversed(last) if isinstance(event, GradeEvent)), None)

    @property
    def stop(self) -> StopEvent | None:
        """Why it ended, None where it has not."""
        last = self.messages[-1].meanwhile if self.messages else self.before
        return next((event for event in last if isinstance(event, StopEvent)), None)


def conversation_of(run: StoredRun) -> Conversation:
    """A run's conversation.

    Raises:
        RunError: its log does not begin with a header.
    """
    header = header_of(run)
    before, messages = _in_turns(run.events[1:])
    agent = run.result.agent if run.result is not None else "unknown"
    return Conversation(header, agent, _tools(run, header), tuple(before), tuple(messages), run.result, run.folder)


def _in_turns(events: Sequence[Event]) -> tuple[list[Event], list[Message]]:
    before: list[Event] = []
    messages: list[Message] = []
    calls: dict[str, MadeCall] = {}
    for event in events:
        now = messages[-1] if messages else None
        match event:
            case ModelEvent():
                messages.append(AgentTurn(model=event))
            case ToolCallEvent():
                if not isinstance(now, AgentTurn) or not _goes_on(now, event):
                    now = AgentTurn()
                    messages.append(now)
                calls[event.call_id] = MadeCall(event)
                now.calls.append(calls[event.call_id])
            case ResultEvent() if event.call_id in calls and calls[event.call_id].result is None:
                calls[event.call_id].result = event
            case SayEvent() if isinstance(now, AgentTurn) and _is_handed_in(now, event):
                now.handed_in = event
            case SayEvent():
                if not isinstance(now, AgentTurn) or now.model is None or now.calls or now.said is not None:
                    now = AgentTurn()
                    messages.append(now)
                now.said = event
            case ReplyEvent():
                messages.append(RequesterReply(event))
            case _:
                (before if now is None else now.meanwhile).append(event)
    return before, messages


def _goes_on(turn: AgentTurn, call: ToolCallEvent) -> bool:
    """Whether a call belongs to a turn: its first where a model has just been asked, else one of the same number."""
    if turn.said is not None:
        return False
    return turn.calls[0].call.turn == call.turn if turn.calls else True


def _is_handed_in(turn: AgentTurn, event: SayEvent) -> bool:
    """Whether a text is what the turn's `submit` hands in."""
    last = turn.calls[-1].call if turn.calls else None
    return last is not None and last.name == "submit" and last.arguments.get("answer") == event.text


def _tools(run: StoredRun, header: HeaderEvent) -> tuple[JsonObject, ...]:
    if not header.world:
        return ()
    package = recorded_package(run)
    if package is None:
        return ()
    with World(package, hot=1) as world, world.open_session(header.task) as session:
        return tuple(function_tool(tool) for tool in session.tools)
