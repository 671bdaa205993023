"""A trajectory as steps that people can follow: what the agent did, what its coworkers did, what the world did."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from brownout.core.calls import Notice
from brownout.core.instants import Instant, duration_text
from brownout.core.trajectory import (
    ClockEvent,
    Event,
    GapEvent,
    HeaderEvent,
    ModelEvent,
    NoticeEvent,
    OutageEvent,
    ReplyEvent,
    ResultEvent,
    SayEvent,
    StopEvent,
    ToolCallEvent,
    WorldEvent,
)
from studio.app_titles import app_title
from studio.company.paths import destination_of

__all__ = ["Actor", "ReplayStep", "bands_of", "steps_of"]

Actor: TypeAlias = Literal["agent", "coworker", "environment", "task"]

_ENDS = {
    "submit": "the agent hands in",
    "answer": "the agent has answered",
    "calls": "no calls are left",
    "sim": "the task's world time is over",
    "done": "the agent is done",
    "stopped": "the agent was stopped",
    "noop": "the agent does nothing",
    "env_error": "the simulation failed",
    "agent_error": "the agent failed",
}
"""Why an episode ended, in words; another reason is the agent's own and stands as it is."""
_DID = {
    "tell": "wrote",
    "ask": "asked",
    "answer": "answered",
    "acknowledge": "acknowledged",
    "page": "paged",
    "assign": "assigned",
    "open": "opened",
    "close": "closed",
    "comment": "commented on",
    "review": "reviewed",
    "approve": "approved",
    "merge": "merged",
    "push": "pushed",
    "write": "wrote",
    "deploy": "deployed",
}


_HEALTH = {"errors": "failing"}


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One thing that happened.

    Attributes:
        number: from 1.
        calls: how many calls the agent had made by its end, this one included.
        changes: how many rows it wrote.
        badge: a word about it, empty where there is nothing to say.
        event: what the trajectory has of it.
        result: a call's answer.
        thought: what the model said before a call.
        notices: what the answer handed over.
    """

    number: int
    at: Instant
    actor: Actor
    title: str
    calls: int
    changes: int
    is_error: bool
    badge: str
    event: Event
    result: ResultEvent | None = None
    thought: str = ""
    notices: tuple[Notice, ...] = ()


def steps_of(
    events: Sequence[Event], names: Mapping[str, str], target_title: Callable[[str], str] = str
) -> list[ReplayStep]:
    """The steps of a trajectory.

    Args:
        names: people's names by short name.
        target_title: what people call what an outage is on.
    """
    reader = _StepReader(events, names, target_title)
    for event in events:
        reader.take(event)
    return reader.steps


def _where(event: WorldEvent) -> str:
    """Where somebody did something, so that it can follow what they did."""
    if event.path.startswith("slack:@"):
        return "in a direct message"
    if event.app == "gmail":
        return "by mail"
    leads_to = destination_of(event.path)
    if leads_to is None:
        return f"in {app_title(event.app)}" if event.app else ""
    return f"in {leads_to.label}" if leads_to.surface == "chat" else leads_to.label


def bands_of(steps: Sequence[ReplayStep]) -> list[tuple[int, int]]:
    """The outages of a run as first and last step."""
    begun: dict[str, int] = {}
    bands = []
    for step in steps:
        if isinstance(step.event, OutageEvent) and step.event.edge == "began":
            begun[step.event.name] = step.number
        elif isinstance(step.event, OutageEvent) and step.event.edge == "ended":
            bands.append((begun.pop(step.event.name, 1), step.number))
    return [*bands, *((first, len(steps)) for first in begun.values())]


class _StepReader:
    def __init__(self, events: Sequence[Event], names: Mapping[str, str], target_title: Callable[[str], str]) -> None:
        self.steps: list[ReplayStep] = []
        self._names = names
        self._target_title = target_title
        self._results = {event.call_id: event for event in events if isinstance(event, ResultEvent)}
        self._notices = {event.notice.id: event.notice for event in events if isinstance(event, NoticeEvent)}
        self._thought = ""
        self._calls = 0
        self._has_failed = False
        self._submitted = ""
        self._agent = next((event.actor for event in events if isinstance(event, HeaderEvent)), "")

    def take(self, event: Event) -> None:
        """Add what an event shows, if it shows anything by itself."""
        match event:
            case ModelEvent():
                self._thought = "\n\n".join(part for part in (self._thought, event.text.strip()) if part)
            case ToolCallEvent():
                self._call(event)
            case SayEvent():
                if event.text != self._submitted:
                    self._add(event, "agent", "Said to the requester", badge="answer" if event.final else "")
            case ReplyEvent():
                notices = tuple(self._notices[key] for key in event.notices if key in self._notices)
                self._add(event, "coworker", "The requester replied", notices=notices)
            case WorldEvent():
                self._deed(event)
            case OutageEvent():
                self._outage(event)
            case ClockEvent() if event.reason == "settle":
                self._add(event, "environment", f"The world runs on for {duration_text(event.at - event.since)}")
            case StopEvent():
                self._add(event, "task", f"The episode ends: {_ENDS.get(event.reason, event.reason)}")
            case GapEvent():
                self._add(event, "environment", "Something is missing here", is_error=True, badge="gap")
            case _:
                pass

    def _call(self, event: ToolCallEvent) -> None:
        self._calls += 1
        result = self._results.get(event.call_id)
        is_error = result is not None and result.is_error
        badge = ""
        if is_error:
            badge = "error" if self._has_failed else "first error"
            self._has_failed = True
        elif result is None:
            badge = "no answer"
        if event.name == "submit":
            self._submitted = str(event.arguments.get("answer", ""))
        notices = tuple(self._notices[key] for key in result.notices if key in self._notices) if result else ()
        self._add(
            event,
            "agent",
            event.name,
            is_error=is_error,
            badge=badge,
            result=result,
            thought=self._thought,
            notices=notices,
        )
        self._thought = ""

    def _outage(self, event: OutageEvent) -> None:
        """An outage's begin or end; or that a service's health changed, unless that is the same news again."""
        if event.edge in ("began", "ended"):
            word = "begins" if event.edge == "began" else "is over"
            self._add(event, "environment", f"Outage of {self._target_title(event.target)} {word}", badge="outage")
            return
        before = self.steps[-1].event if self.steps else None
        if isinstance(before, OutageEvent) and (before.at, before.target) == (event.at, event.target):
            return
        word = "works again" if event.edge == "ok" else f"is {_HEALTH.get(event.edge, event.edge)}"
        self._add(
            event,
            "environment",
            f"{self._target_title(event.target)} {word}",
            badge="" if event.edge == "ok" else event.edge,
        )

    def _deed(self, event: WorldEvent) -> None:
        name = self._names.get(event.who, event.who)
        if event.outcome == "done":
            did = f"{_DID.get(event.act, event.act)} {_where(event)}".strip()
            if event.who == self._agent:
                self._add(event, "environment", f"Follows from a call: {did}")
            else:
                self._add(event, "coworker", f"{name} {did}")
        else:
            self._add(event, "coworker", f"{name} could not {event.act}", badge=event.outcome.partition(":")[0])

    def _add(
        self,
        event: Event,
        actor: Actor,
        title: str,
        *,
        is_error: bool = False,
        badge: str = "",
        result: ResultEvent | None = None,
        thought: str = "",
        notices: tuple[Notice, ...] = (),
    ) -> None:
        wrote = event.effects if isinstance(event, WorldEvent) else result.effects if result else ()
        self.steps.append(
            ReplayStep(
                number=len(self.steps) + 1,
                at=event.at,
                actor=actor,
                title=title,
                calls=self._calls,
                changes=sum(not effect.harmless for effect in wrote),
                is_error=is_error,
                badge=badge,
                event=event,
                result=result,
                thought=thought,
                notices=notices,
            )
        )
