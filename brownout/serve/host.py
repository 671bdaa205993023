"""A host: the sessions of one open package in one process, each under an id that its creator chose.

It is a transport of `brownout.client.Client`: `SessionClient(Host(world))` plays in this process what the same client plays over
HTTP on a server, whose workers are hosts too. It knows no HTTP, and one thread at a time may use it.
"""

from collections import OrderedDict
from collections.abc import Callable
from functools import singledispatchmethod
from time import monotonic
from typing import Final, TypeVar, cast

from pydantic import BaseModel

from brownout.client.answers import Closed, ServerMetrics, SessionOpened, SessionState, SessionTool
from brownout.client.errors import (
    AtCapacity,
    BadRequest,
    EnvironmentFailed,
    NoSuchSession,
    NoSuchTask,
    SessionConflict,
    SessionGone,
    SessionInUse,
)
from brownout.client.requests import (
    AnySession,
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
from brownout.core.blocking_steps import BlockingSteps
from brownout.core.errors import BrownoutError, Failure, SessionBusy, UnknownTask, is_environments
from brownout.engine.session import Session
from brownout.engine.world import World
from brownout.rollouts.agent_options import AS_RECORDED, GradingOptions
from brownout.rollouts.sandbox_needs import check_sandbox
from brownout.serve.hosted_session import HostedSession
from brownout.serve.session_answers import opening

__all__ = ["CAPACITY", "IDLE_SECONDS", "Host"]

A = TypeVar("A", bound=BaseModel)
CAPACITY: Final = 10_000
IDLE_SECONDS: Final = 3600.0
_TOMBSTONES: Final = 200_000
"""How many closed ids are remembered; the oldest are forgotten first."""


class Host:
    """Creates, serves and closes sessions; a `Transport`."""

    def __init__(
        self,
        world: World,
        *,
        grading: GradingOptions = AS_RECORDED,
        capacity: int = CAPACITY,
        idle_seconds: float = IDLE_SECONDS,
        token_of: Callable[[str], str] = lambda session_id: "",
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Serve the sessions of a world; the caller closes the world after the host.

        Args:
            grading: who judges, and what is left out.
            capacity: how many sessions there may be at once.
            idle_seconds: a session that nobody asks anything for so long is closed by `expire`.
            token_of: what opens a session on the agent's port.
            clock: seconds of real time.
        """
        self._world = world
        self._grading = grading
        self._capacity = capacity
        self._idle_seconds = idle_seconds
        self._token_of = token_of
        self._clock = clock
        self._live: OrderedDict[str, HostedSession] = OrderedDict()  # the one that was idle longest comes first
        self._gone: OrderedDict[str, str] = OrderedDict()
        self._tools: dict[str, tuple[SessionTool, ...]] = {}
        self._counts = dict.fromkeys(("opened", "closed", "expired", "failed", "calls", "grades"), 0)

    @property
    def live(self) -> int:
        """How many sessions there are."""
        return len(self._live)

    def steps(self, request: SessionRequest[A]) -> BlockingSteps[A]:
        """The answer; sandboxes and models are waited for in the work that is yielded.

        Raises:
            RequestRefused: it was not done what was asked.
        """
        return cast(BlockingSteps[A], self._do(request))

    def opened(self, session_id: str) -> SessionOpened:
        """What the creator of a session was told.

        Raises:
            NoSuchSession: there is none.
            SessionGone: it was closed.
        """
        return self._find(session_id).opened

    def expire(self) -> list[str]:
        """Close the sessions that were idle for too long; their ids."""
        latest = self._clock() - self._idle_seconds
        idle = [hosted.id for hosted in self._live.values() if hosted.last_use <= latest]
        for session_id in idle:
            self._close(session_id, f"idle for more than {self._idle_seconds:g} seconds")
        self._counts["expired"] += len(idle)
        return idle

    def close(self) -> None:
        """Close every session; a second close is harmless."""
        for session_id in list(self._live):
            self._close(session_id, "the host was closed")

    # -- what is asked ------------------------------------------------------------------------------------

    @singledispatchmethod
    def _do(self, request: object) -> BlockingSteps[BaseModel]:
        raise BadRequest(f"nobody answers a {type(request).__name__}")

    @_do.register
    def _(self, request: CreateSession) -> BlockingSteps[BaseModel]:
        return _at_once(lambda: self._known(request.session_id, request) or self._create(request))

    @_do.register
    def _(self, request: ForkSession) -> BlockingSteps[BaseModel]:
        return _at_once(lambda: self._known(request.to, request) or self._fork(request))

    @_do.register
    def _(self, request: CallTool) -> BlockingSteps[BaseModel]:
        self._counts["calls"] += 1
        call = TurnCall.model_construct(name=request.name, arguments=request.arguments, call_id=request.call_id)
        return self._acting(request, lambda hosted: hosted.call(call))

    @_do.register
    def _(self, request: TakeTurn) -> BlockingSteps[BaseModel]:
        self._counts["calls"] += len(request.calls)
        if request.calls:
            return self._acting(request, lambda hosted: hosted.turn(request.calls))
        return self._acting(request, lambda hosted: hosted.say(request.text, request.turn_id))

    @_do.register
    def _(self, request: SubmitAnswer) -> BlockingSteps[BaseModel]:
        return self._acting(request, lambda hosted: hosted.submit(request.answer))

    @_do.register
    def _(self, request: GradeSession) -> BlockingSteps[BaseModel]:
        self._counts["grades"] += 1
        return self._find(request.session_id).grade(request)

    @_do.register
    def _(self, request: StopSession) -> BlockingSteps[BaseModel]:
        return _at_once(lambda: self._stop(request))

    @_do.register
    def _(self, request: ReadState) -> BlockingSteps[BaseModel]:
        return _at_once(lambda: self._find(request.session_id).state())

    @_do.register
    def _(self, request: ReadLog) -> BlockingSteps[BaseModel]:
        return _at_once(lambda: self._find(request.session_id).log(request.since, request.most))

    @_do.register
    def _(self, request: CloseSession) -> BlockingSteps[BaseModel]:
        return _at_once(lambda: self._close(request.session_id, "closed by its owner"))

    @_do.register
    def _(self, request: ReadMetrics) -> BlockingSteps[BaseModel]:
        return _at_once(self._metrics)

    # -- inner --------------------------------------------------------------------------------------------

    def _stop(self, request: StopSession) -> SessionState:
        hosted = self._find(request.session_id)
        hosted.stop(request.reason, request.detail)
        return hosted.state()

    def _metrics(self) -> ServerMetrics:
        stats = self._world.stats
        return ServerMetrics(
            workers=1,
            live=self.live,
            capacity=self._capacity,
            lost=0,
            refusals=0,
            restarts=0,
            hot=stats.hot,
            swaps=stats.swaps,
            **self._counts,
        )

    def _acting(
        self, request: AnySession[A], act: Callable[[HostedSession], BlockingSteps[A]]
    ) -> BlockingSteps[BaseModel]:
        hosted = self._find(request.session_id)
        was_sound = not hosted.failure
        try:
            return (yield from act(hosted))
        except EnvironmentFailed:
            self._counts["failed"] += was_sound
            raise

    def _known(self, session_id: str, source: object) -> SessionOpened | None:
        """What was told of the session that those arguments made, None where there is none of that id."""
        hosted = self._live.get(session_id)
        if hosted is None:
            if session_id in self._gone:
                raise SessionGone(self._why_gone(session_id))
            return None
        if hosted.source != source:
            raise SessionConflict(f"there is a session {session_id} with other arguments: {hosted.source!r}")
        self._touch(hosted)
        return hosted.opened

    def _create(self, request: CreateSession) -> SessionOpened:
        self._need_room()
        try:
            check_sandbox(self._world.package, request.task, self._grading.skip)
            session = self._world.open_session(request.task, seed=request.seed)
        except UnknownTask as error:
            raise NoSuchTask(str(error)) from error
        except BrownoutError as error:
            failure = Failure.of(error)
            raise EnvironmentFailed(failure.reason, failure.kind) from error
        return self._admit(session, request.session_id, request).opened

    def _fork(self, request: ForkSession) -> SessionOpened:
        first = self._find(request.session_id)
        self._need_room()
        try:
            session = first.session.fork()
        except SessionBusy as error:
            raise SessionInUse(str(error)) from error
        hosted = self._admit(session, request.to, request)
        hosted.take_over(first)
        return hosted.opened

    def _admit(self, session: Session, session_id: str, source: SessionRequest[SessionOpened]) -> HostedSession:
        try:
            opened = opening(session_id, session, self._tools_of(session), self._token_of(session_id))
        except Exception as error:
            session.close()
            if is_environments(error):
                failure = Failure.of(error)
                raise EnvironmentFailed(failure.reason, failure.kind) from error
            raise
        hosted = self._live[session_id] = HostedSession(session, opened, source, self._grading)
        self._touch(hosted)
        self._counts["opened"] += 1
        return hosted

    def _tools_of(self, session: Session) -> tuple[SessionTool, ...]:
        known = self._tools.get(session.task.id)
        if known is None:
            known = tuple(SessionTool.model_validate(tool) for tool in session.tools)
            self._tools[session.task.id] = known
        return known

    def _find(self, session_id: str) -> HostedSession:
        hosted = self._live.get(session_id)
        if hosted is None:
            if session_id in self._gone:
                raise SessionGone(self._why_gone(session_id))
            raise NoSuchSession(f"there is no session {session_id}; create it first")
        self._touch(hosted)
        return hosted

    def _why_gone(self, session_id: str) -> str:
        return f"session {session_id} is over ({self._gone[session_id]}), and its id is not given out again"

    def _touch(self, hosted: HostedSession) -> None:
        hosted.last_use = self._clock()
        self._live.move_to_end(hosted.id)

    def _need_room(self) -> None:
        if len(self._live) >= self._capacity:
            raise AtCapacity(f"{self._capacity} sessions are open, which is all there may be; close some, or ask again")

    def _close(self, session_id: str, why: str) -> Closed:
        hosted = self._live.pop(session_id, None)
        if hosted is not None:
            hosted.session.close()
            self._counts["closed"] += 1
        if session_id not in self._gone:
            self._gone[session_id] = why
        while len(self._gone) > _TOMBSTONES:
            self._gone.popitem(last=False)
        return Closed(session_id=session_id, was_open=hosted is not None)


def _at_once(work: Callable[[], A]) -> BlockingSteps[A]:
    """What waits for nothing, as steps."""
    yield from ()
    return work()
