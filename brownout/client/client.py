"""The client of sessions, wherever they are: in this process or behind a server.

    client = SessionClient(HttpTransport(base_url, token, admin_url, admin_token))      # or SessionClient(host)
    opened = client.create("episode-1", "find-the-change", seed=7)
    answer = client.call("episode-1", "slack_list_channels", {}, call_id="c1")
    client.submit("episode-1", "Done.")
    client.grade("episode-1").reward

Every method raises a `RequestRefused` where it was not done what was asked. Whoever has an event loop asks with
`await client.ask(request)`: what waits is done in threads.
"""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from pydantic import BaseModel

from brownout.client.answers import (
    Closed,
    GradeAnswer,
    ServerMetrics,
    SessionLog,
    SessionOpened,
    SessionState,
    ToolAnswer,
    TurnTaken,
)
from brownout.client.requests import (
    CallTool,
    CloseSession,
    CreateSession,
    ForkSession,
    GradeSession,
    ReadLog,
    ReadMetrics,
    ReadState,
    SessionRequest,
    StopSession,
    SubmitAnswer,
    TakeTurn,
    TurnCall,
)
from brownout.core.blocking_steps import BlockingSteps, run_inline, run_threaded
from brownout.core.values import JsonObject

__all__ = ["SessionClient", "Transport"]

A = TypeVar("A", bound=BaseModel)


class Transport(Protocol):
    """Carries a request to the sessions, and the answer back."""

    def steps(self, request: SessionRequest[A]) -> BlockingSteps[A]:
        """The answer; work that waits for something outside is yielded, to be done where waiting harms nobody.

        Raises:
            RequestRefused: it was not done what was asked.
        """
        ...

    def close(self) -> None:
        """Let go of what the transport holds; a second close is harmless."""
        ...


class SessionClient:
    """Asks over a transport. Over HTTP any number of threads may use one; in a process one at a time."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def do(self, request: SessionRequest[A]) -> A:
        """The answer to a request; whoever calls waits for it."""
        return run_inline(self._transport.steps(request))

    async def ask(self, request: SessionRequest[A]) -> A:
        """The answer to a request; an event loop goes on meanwhile."""
        return await run_threaded(self._transport.steps(request))

    def create(self, session_id: str, task: str, *, seed: int = 0) -> SessionOpened:
        """A session under that id, new or, if the same was asked before, the one that there is."""
        return self.do(CreateSession(session_id=session_id, task=task, seed=seed))

    def call(self, session_id: str, name: str, arguments: JsonObject, *, call_id: str = "") -> ToolAnswer:
        """Make one call as a turn of its own; with an id it is made once, however often it is sent."""
        return self.do(CallTool(session_id=session_id, name=name, arguments=arguments, call_id=call_id))

    def turn(self, session_id: str, calls: Sequence[TurnCall], *, text: str = "") -> TurnTaken:
        """Make the calls of one turn in their order."""
        return self.do(TakeTurn(session_id=session_id, text=text, calls=tuple(calls)))

    def say(self, session_id: str, text: str, *, turn_id: str = "") -> TurnTaken:
        """Say something to the requester; where they do not reply, this ends the episode."""
        return self.do(TakeTurn(session_id=session_id, text=text, turn_id=turn_id))

    def submit(self, session_id: str, answer: str) -> ToolAnswer:
        """Hand in the answer and end."""
        return self.do(SubmitAnswer(session_id=session_id, answer=answer))

    def stop(self, session_id: str, reason: str, detail: str = "") -> SessionState:
        """End an episode because its agent does not go on."""
        return self.do(StopSession(session_id=session_id, reason=reason, detail=detail))

    def grade(self, session_id: str, *, skip: Sequence[str] = (), strict: bool = False) -> GradeAnswer:
        """Judge an episode that has ended. Where the environment failed the reward is None, with the reason."""
        return self.do(GradeSession(session_id=session_id, skip=tuple(skip), strict=strict))

    def state(self, session_id: str) -> SessionState:
        """How far a session has come, and what differs from its start."""
        return self.do(ReadState(session_id=session_id))

    def log(self, session_id: str, *, since: int = 0) -> SessionLog:
        """The events of the trajectory from a `seq` on."""
        return self.do(ReadLog(session_id=session_id, since=since))

    def fork(self, session_id: str, to: str) -> SessionOpened:
        """A second session that has come as far as this one."""
        return self.do(ForkSession(session_id=session_id, to=to))

    def close_session(self, session_id: str) -> Closed:
        """Give a session's room back."""
        return self.do(CloseSession(session_id=session_id))

    def metrics(self) -> ServerMetrics:
        """Counts since the server started."""
        return self.do(ReadMetrics())

    def close(self) -> None:
        """Let the transport go; the sessions stay where they are."""
        self._transport.close()

    def __enter__(self) -> "SessionClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
