"""Plays episodes on session servers: the agents are here, the companies are there, and what happened is recorded here.

An agent sees a session through a client as it would see it in its own process. Whoever is free takes the next episode, on whichever
server has room; what comes out is what comes out in one process, for an episode rests on its package, task and seed alone.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from uuid import uuid4

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from brownout.client import HttpTransport, SessionClient
from brownout.client.answers import SessionOpened
from brownout.client.errors import AtCapacity, RequestRefused
from brownout.client.requests import (
    CloseSession,
    CreateSession,
    GradeSession,
    ReadLog,
    ReadState,
    StopSession,
    TakeTurn,
    TurnCall,
)
from brownout.core.calls import ToolCall
from brownout.core.errors import ModelError, OtherPackage, UsageError
from brownout.core.instants import MINUTE, Instant
from brownout.core.trajectory import DefectEvent, Event, GradeEvent, ResultEvent, load_event
from brownout.core.values import JsonObject
from brownout.rollouts.agent_session import AgentAnywhere
from brownout.rollouts.recorder import Recorder, RunResult, finished_result
from brownout.rollouts.runner import Ending, Episode, agent_of, lost_episode, result_of, what_broke
from worlds.package import Package

__all__ = ["RemoteSession", "ServerAddress", "read_servers", "run_on_servers"]

_LOG = logging.getLogger(__name__)
_OF_A_GRADE = (
    "reward",
    "points",
    "possible",
    "resolved",
    "complete",
    "failure",
    "failure_kind",
    "left_out",
    "models",
    "ledger",
)
"""What a log has of a grade, in its order (`Grade.document`)."""
_FULL_SECONDS = 0.5
"""How long to wait before a server that has no room is asked again."""


class ServerAddress(BaseModel):
    """The line that `brownout serve` prints when it is ready, as far as it is needed here."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    base_url: str
    token: str
    admin_url: str
    admin_token: str


def read_servers(file: Path) -> list[ServerAddress]:
    """The servers of a file with one line for each, as `brownout serve` prints it.

    Raises:
        UsageError: it cannot be read, or has none.
    """
    try:
        lines = [line for line in file.read_bytes().splitlines() if line.strip()]
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error
    if not lines:
        raise UsageError(f"{file} is empty; it takes a line of `brownout serve` for each server")
    servers = []
    for number, line in enumerate(lines, start=1):
        try:
            servers.append(ServerAddress.model_validate_json(line))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(str(part) for part in first["loc"])
            raise UsageError(
                f"{file}:{number}: expected the line that `brownout serve` prints: {where} {first['msg']}".strip()
            ) from error
    return servers


async def run_on_servers(
    package: Package,
    servers: Sequence[ServerAddress],
    episodes: Sequence[Episode],
    *,
    concurrency: int = 4,
    progress: Callable[[RunResult], None] = lambda result: None,
) -> list[RunResult]:
    """The results of all episodes, in their order. A failing episode is a result, not an exception.

    Args:
        package: what the servers must serve.
        concurrency: how many at a time, over all servers; at least one on each.

    Raises:
        UsageError: an agent cannot play on a server, or was not told what it needs; nothing was written then.
    """
    for episode in episodes:
        _agent(episode)
    waiting = asyncio.Queue[int]()
    for number in range(len(episodes)):
        waiting.put_nowait(number)
    results: dict[int, RunResult] = {}

    async def play_on(client: SessionClient) -> None:
        while not waiting.empty():
            number = waiting.get_nowait()
            result = await _play(client, package, episodes[number])
            results[number] = result
            progress(result)

    each = max(1, -(-concurrency // len(servers)))
    clients = [SessionClient(HttpTransport(one.base_url, one.token, one.admin_url, one.admin_token)) for one in servers]
    try:
        await asyncio.gather(*(play_on(client) for client in clients for _ in range(each)))
    finally:
        for client in clients:
            client.close()
    return [results[number] for number in range(len(episodes))]


def _agent(episode: Episode) -> AgentAnywhere:
    agent = agent_of(episode)
    if not isinstance(agent, AgentAnywhere):
        raise UsageError(
            f"the {episode.agent} agent reads what agents do not see, so it plays in one process with its session; "
            "leave --servers out"
        )
    return agent


async def _play(client: SessionClient, package: Package, episode: Episode) -> RunResult:
    finished = finished_result(episode.folder)
    if finished is not None:
        return finished
    try:
        with Recorder(episode.folder) as recorder:
            session = await RemoteSession.begin(client, package, episode, recorder)
            try:
                result = await _played(session, package, episode)
            finally:
                await session.close()
            return recorder.finish(result)
    except Exception as error:  # it could not be begun or recorded; the other episodes go on
        return lost_episode(package, episode, error)


async def _played(session: "RemoteSession", package: Package, episode: Episode) -> RunResult:
    status, failure, grade = "ok", None, None
    try:
        await _agent(episode).play_anywhere(session)
    except Exception as error:
        status = "agent_error" if isinstance(error, ModelError) else "env_error"
        failure = what_broke(episode, error)
    acted = session.now
    try:
        if failure is None:
            grade = await session.grade(episode)
        else:
            await session.stop(status, failure.reason)
    except RequestRefused as error:
        if failure is None:
            status, failure = "env_error", what_broke(episode, error)
    ending = Ending(
        status=status,
        failure=failure,
        grade=grade,
        stop=session.ended,
        steps=session.calls,
        sim_minutes=(acted - session.began) / MINUTE,
        defects=session.defects,
    )
    return result_of(package, episode, ending)


class RemoteSession:
    """A session behind a server, as its agent sees it; what happens in it is recorded as it is asked for.

    Attributes:
        began: world time at the task's start.
        calls: how many have been made.
        defects: mistakes that calls ran into.
    """

    def __init__(self, client: SessionClient, opened: SessionOpened, recorder: Recorder) -> None:
        self._client = client
        self._opened = opened
        self._recorder = recorder
        self._read = 0  # events that the server has told
        self._written = 0  # events in the log here
        self.defects: list[DefectEvent] = []
        self.calls = 0
        self.began = self.now = opened.now
        self.ended = ""
        self.instructions = opened.instructions
        self.tools: Sequence[JsonObject] = [tool.model_dump() for tool in opened.tools]

    @classmethod
    async def begin(
        cls, client: SessionClient, package: Package, episode: Episode, recorder: Recorder
    ) -> "RemoteSession":
        """A new session on the server, once it has room.

        Raises:
            OtherPackage: the server serves another one.
            RequestRefused: it does not open one.
        """
        request = CreateSession(session_id=f"run-{uuid4().hex}", task=episode.task, seed=episode.seed)
        told = False
        while True:
            try:
                opened = await client.ask(request)
                break
            except AtCapacity as error:
                if not told:
                    _LOG.warning("%s waits: %s", episode.folder, error)
                    told = True
                await asyncio.sleep(_FULL_SECONDS)
        session = cls(client, opened, recorder)
        if opened.package != package.manifest.digest:
            await session.close()
            raise OtherPackage(
                f"the server plays package {opened.package} of {opened.world}; here it is {package.manifest.digest}"
            )
        await session._pull()
        return session

    async def turn(self, calls: Sequence[ToolCall]) -> list[str]:
        """Make the calls of one turn; what a model reads of each answer."""
        made = tuple(
            TurnCall(name=call.name, arguments=call.arguments, call_id=call.call_id or f"call-{uuid4().hex}")
            for call in calls
        )
        taken = await self._client.ask(TakeTurn(session_id=self._opened.session_id, calls=made))
        self._note(taken.sim_time, taken.ended)
        await self._pull()
        return [answer.content for answer in taken.answers]

    async def say(self, text: str) -> str:
        """Say something to the requester; what they answer, empty where that ended the episode."""
        request = TakeTurn(session_id=self._opened.session_id, text=text, turn_id=f"turn-{uuid4().hex}")
        taken = await self._client.ask(request)
        self._note(taken.sim_time, taken.ended)
        await self._pull()
        return taken.reply

    async def stop(self, reason: str, detail: str = "") -> None:
        """End the episode; harmless where it has ended."""
        state = await self._client.ask(
            StopSession(session_id=self._opened.session_id, reason=reason, detail=detail[:2000])
        )
        self._note(state.now, state.ended)
        await self._pull()

    async def log(self, event: Callable[[int], Event]) -> None:
        """Put an event of the agent's own into the log here; the server's numbers go on behind it."""
        self._write(event)

    async def grade(self, episode: Episode) -> JsonObject:
        """What the server's graders say, as logs have it; it stands in the log here.

        Raises:
            RequestRefused: the server does not answer.
        """
        options = episode.grading
        session_id = self._opened.session_id
        answer = await self._client.ask(
            GradeSession(session_id=session_id, skip=tuple(sorted(options.skip)), strict=options.strict)
        )
        await self._pull()
        settled = (await self._client.ask(ReadState(session_id=session_id))).now
        told = answer.document()
        grade: JsonObject = {name: told[name] for name in _OF_A_GRADE}
        self._write(lambda seq: GradeEvent(seq=seq, at=settled, grade=grade))
        return grade

    async def close(self) -> None:
        """Give the session's room back, whatever became of it."""
        try:
            await self._client.ask(CloseSession(session_id=self._opened.session_id))
        except RequestRefused:
            return  # it is gone already

    def _note(self, now: Instant, ended: str) -> None:
        self.now, self.ended = now, ended

    async def _pull(self) -> None:
        """Record what has happened since it was last asked for."""
        log = await self._client.ask(ReadLog(session_id=self._opened.session_id, since=self._read))
        self._read = log.next
        for document in log.events:
            event = load_event(orjson.dumps(document))
            self.calls += isinstance(event, ResultEvent)
            if isinstance(event, DefectEvent):
                self.defects.append(event)
            if not isinstance(event, GradeEvent):
                self._write(partial(_numbered, event))

    def _write(self, event: Callable[[int], Event]) -> None:
        self._recorder(event(self._written))
        self._written += 1


def _numbered(event: Event, seq: int) -> Event:
    return replace(event, seq=seq)
