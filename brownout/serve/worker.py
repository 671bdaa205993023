"""A worker process: one host, asked through a socket by the server that started it. `python -m brownout.serve.worker FD`.

Requests to one session are done one after the other, in the order in which they came: whoever sends one again because the
answer was late finds the first one done. The process ends when its server does, however that ended.
"""

import asyncio
import hmac
import logging
import signal
import socket
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Final, cast

import orjson
from pydantic import BaseModel, ConfigDict

from brownout.client.errors import NoSuchPath, RequestRefused, ServerDefect
from brownout.client.requests import REQUESTS, SessionRequest, read_request
from brownout.core.blocking_steps import run_threaded
from brownout.core.errors import BrownoutError, kind_of
from brownout.core.values import JsonObject
from brownout.engine.world import World
from brownout.llm import Model
from brownout.rollouts.agent_options import GradingOptions
from brownout.serve.host import Host
from brownout.serve.mcp import mcp_steps
from brownout.serve.worker_messages import WorkerMessage, read_message, write_message
from worlds.package import open_package

__all__ = ["MCP", "WorkerSettings", "session_token"]

MCP: Final = "mcp"
"""The kind of a message that is for a session's MCP."""
_KINDS: Final[dict[str, type[BaseModel]]] = {kind.__name__: kind for kind in REQUESTS}
_LOOKS_EVERY_SECONDS: Final = 5.0
_LOG = logging.getLogger(__name__)


class WorkerSettings(BaseModel):
    """What a worker is told when it starts.

    Attributes:
        package: the package's folder.
        capacity: how many sessions it may have.
        hot: how many of them keep a connection.
        key: sessions' tokens are made with it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    package: Path
    capacity: int
    idle_seconds: float
    hot: int
    key: str
    judge: Model | None = None
    skip: tuple[str, ...] = ()
    strict: bool = False

    @property
    def grading(self) -> GradingOptions:
        """How episodes are graded."""
        return GradingOptions(self.judge, frozenset(self.skip), self.strict)


def session_token(key: str, session_id: str) -> str:
    """What opens one session on the agent's port."""
    return hmac.new(key.encode(), session_id.encode(), sha256).hexdigest()


class _Queues:
    """Lets requests to a session by one after the other, first come, first served."""

    def __init__(self) -> None:
        self._locks: dict[str, tuple[asyncio.Lock, int]] = {}

    @asynccontextmanager
    async def turn_of(self, session_id: str) -> AsyncIterator[None]:
        lock, waiting = self._locks.get(session_id) or (asyncio.Lock(), 0)
        self._locks[session_id] = lock, waiting + 1
        try:
            async with lock:
                yield
        finally:
            lock, waiting = self._locks[session_id]
            if waiting == 1:
                del self._locks[session_id]
            else:
                self._locks[session_id] = lock, waiting - 1


class _SessionWorker:
    def __init__(self, host: Host, writer: asyncio.StreamWriter, idle_seconds: float) -> None:
        self._host = host
        self._idle_seconds = idle_seconds
        self._writer = writer
        self._queues = _Queues()
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader) -> None:
        """Do what is asked until nobody is left to ask."""
        self._begin(self._expire())
        while (frame := await read_message(reader)) is not None:
            self._begin(self._answer(frame))
        for task in self._tasks:
            task.cancel()

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, frame: WorkerMessage) -> None:
        status, body = await self._done(frame)
        await self._send({"number": frame.head["number"], "status": status}, body)

    async def _done(self, frame: WorkerMessage) -> tuple[int, bytes]:
        path = {str(name): str(value) for name, value in dict(frame.head["path"]).items()}  # type: ignore[arg-type]
        kind = str(frame.head["kind"])
        async with self._queues.turn_of(str(frame.head["session"])):
            try:
                return await self._did(kind, path, frame.body)
            except RequestRefused as error:
                return error.status, orjson.dumps(error.document())
            except Exception as error:
                _LOG.error("%s of %s broke off", kind, path, exc_info=error)
                defect = ServerDefect(f"something went wrong on our side: {type(error).__name__}")
                return defect.status, orjson.dumps(defect.document())

    async def _did(self, kind: str, path: dict[str, str], body: bytes) -> tuple[int, bytes]:
        if kind == MCP:
            told = await run_threaded(mcp_steps(self._host, path["session_id"], body))
            return told.status, told.body
        if kind not in _KINDS:
            raise NoSuchPath(f"there is no {kind}")
        request = cast(SessionRequest[BaseModel], read_request(_KINDS[kind], path, body))
        answer = await run_threaded(self._host.steps(request))
        return 200, answer.model_dump_json().encode()

    async def _expire(self) -> None:
        while True:
            await asyncio.sleep(min(_LOOKS_EVERY_SECONDS, self._idle_seconds / 4))
            if gone := self._host.expire():
                await self._send({"number": 0, "gone": list(gone)}, b"")

    async def _send(self, head: JsonObject, body: bytes) -> None:
        await _tell(self._writer, head | {"live": self._host.live}, body)


async def _tell(writer: asyncio.StreamWriter, head: JsonObject, body: bytes = b"") -> None:
    """Send the server a message; one that is gone needs none, and what is read next says that it is."""
    with suppress(ConnectionError):
        await write_message(writer, WorkerMessage(head, body))


async def _run(handle: int) -> None:
    reader, writer = await asyncio.open_connection(sock=socket.socket(fileno=handle))
    first = await read_message(reader)
    if first is None:
        return
    settings = WorkerSettings.model_validate_json(first.body)
    try:
        world = World(open_package(settings.package), hot=settings.hot)
    except BrownoutError as error:
        await _tell(writer, {"number": 0, "failed": f"{kind_of(error)}: {error}"})
        return
    with world:
        host = Host(
            world,
            grading=settings.grading,
            capacity=settings.capacity,
            idle_seconds=settings.idle_seconds,
            token_of=lambda session_id: session_token(settings.key, session_id),
        )
        await _tell(writer, {"number": 0, "ready": True})
        await _SessionWorker(host, writer, settings.idle_seconds).serve(reader)
        host.close()


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM):  # a supervisor may tell every process; the server says when
        signal.signal(number, signal.SIG_IGN)
    asyncio.run(_run(int(sys.argv[1])))
