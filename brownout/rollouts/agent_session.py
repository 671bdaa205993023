"""What an agent plays in: all that it sees of a session, whether that is in this process or behind a server."""

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from brownout.core.blocking_steps import run_threaded
from brownout.core.calls import ToolCall
from brownout.core.instants import Instant
from brownout.core.trajectory import Event
from brownout.core.values import JsonObject
from brownout.engine.session import Session

__all__ = ["AgentAnywhere", "AgentSession", "LocalSession"]


class AgentSession(Protocol):
    """An episode as its agent sees it."""

    @property
    def instructions(self) -> str: ...
    @property
    def tools(self) -> Sequence[JsonObject]: ...
    @property
    def now(self) -> Instant: ...
    @property
    def ended(self) -> str:
        """Why it ended; empty while it goes on."""
        ...

    async def turn(self, calls: Sequence[ToolCall]) -> list[str]:
        """Make the calls of one turn; what a model reads of each answer."""
        ...

    async def say(self, text: str) -> str:
        """Say something to the requester; what they answer, empty where that ended the episode."""
        ...

    async def stop(self, reason: str, detail: str = "") -> None:
        """End the episode because the agent does not go on; harmless where it has ended."""
        ...

    async def log(self, event: Callable[[int], Event]) -> None:
        """Put an event of the agent's own into the episode's log, under the number that it is given."""
        ...


@runtime_checkable
class AgentAnywhere(Protocol):
    """An agent that needs no more than what an agent sees, so that it can play on a server too."""

    async def play_anywhere(self, session: AgentSession) -> None:
        """Act until the episode ends, or stop it with a reason."""
        ...


class LocalSession:
    """A session of this process."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def instructions(self) -> str:
        """What the agent is told."""
        return self._session.instructions

    @property
    def tools(self) -> Sequence[JsonObject]:
        """Function tools: `{"name", "description", "input_schema"}` each."""
        return self._session.tools

    @property
    def now(self) -> Instant:
        """World time."""
        return self._session.now

    @property
    def ended(self) -> str:
        """Why it ended; empty while it goes on."""
        return self._session.ended

    async def turn(self, calls: Sequence[ToolCall]) -> list[str]:
        """Make the calls of one turn."""
        return [answer.content for answer in await run_threaded(self._session.steps(calls))]

    async def say(self, text: str) -> str:
        """Say something to the requester."""
        answer = self._session.say(text)
        return "" if self._session.ended else answer.content

    async def stop(self, reason: str, detail: str = "") -> None:
        """End the episode."""
        self._session.stop(reason, detail)

    async def log(self, event: Callable[[int], Event]) -> None:
        """Put an event of the agent's own into the log."""
        self._session.simulation.log(event)
