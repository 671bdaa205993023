"""One worker process, as the server that started it sees it: started, asked, listened to, ended."""

import asyncio
import socket
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from time import monotonic
from typing import Final

from brownout.client.errors import SessionLost
from brownout.core.errors import BrownoutError
from brownout.serve.worker import WorkerSettings
from brownout.serve.worker_messages import WorkerMessage, read_message, write_message

__all__ = ["STARTS_WITHIN_SECONDS", "Answer", "WorkerFailed", "WorkerProcess", "lost"]

Answer = tuple[int, bytes]
"""A status of HTTP and a body of JSON."""
STARTS_WITHIN_SECONDS: Final = 60.0
"""How long a request waits for a worker that starts."""
_READY_WITHIN_SECONDS: Final = 300.0
"""How long one may take to open the package, on a machine that has other things to do."""
_ENDS_WITHIN_SECONDS: Final = 5.0


class WorkerFailed(BrownoutError):
    """A worker process cannot begin."""


class WorkerProcess:
    """One worker process.

    Attributes:
        live: how many sessions it has, those that it was just given included.
        is_dead: it ended; what it held is lost.
    """

    def __init__(self, process: asyncio.subprocess.Process, reader: asyncio.StreamReader, writer: asyncio.StreamWriter):
        self.process = process
        self.live = 0
        self.is_dead = False
        self.since = monotonic()
        self._reader = reader
        self._writer = writer
        self._waiting: dict[int, asyncio.Future[Answer]] = {}
        self._number = 0

    @classmethod
    async def start(cls, settings: WorkerSettings) -> "WorkerProcess":
        """A worker that has opened the package.

        Raises:
            WorkerFailed: it could not.
        """
        ours, theirs = socket.socketpair()
        with theirs:
            command = (sys.executable, "-P", "-m", "brownout.serve.worker", str(theirs.fileno()))
            nothing = asyncio.subprocess.DEVNULL
            process = await asyncio.create_subprocess_exec(
                *command,
                pass_fds=[theirs.fileno()],
                stdin=nothing,
                stdout=nothing,
                process_group=0,  # a terminal's Ctrl-C is the server's alone, also while a worker starts
            )
        reader, writer = await asyncio.open_connection(sock=ours)
        try:
            await _greet(reader, writer, settings)
        except BaseException:  # also where nobody waits for it any more
            writer.close()
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
            raise
        return cls(process, reader, writer)

    async def ask(self, kind: str, session_id: str, path: dict[str, str], body: bytes) -> Answer:
        """The worker's answer.

        Raises:
            SessionLost: it died before it answered.
        """
        if self.is_dead:
            raise lost(session_id)
        self._number += 1
        number = self._number
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            await write_message(
                self._writer,
                WorkerMessage({"number": number, "kind": kind, "session": session_id, "path": {**path}}, body),
            )
            return await answer
        except ConnectionError as error:
            raise lost(session_id) from error
        finally:
            self._waiting.pop(number, None)

    async def listen(self, expired: Callable[[Iterable[str]], None]) -> None:
        """Hand over the answers until the process ends.

        Args:
            expired: is told the ids of sessions that the worker closed by itself.
        """
        while (frame := await read_message(self._reader)) is not None:
            self.live = int(str(frame.head["live"]))
            if isinstance(gone := frame.head.get("gone"), list):
                expired(map(str, gone))
            waiting = self._waiting.get(int(str(frame.head["number"])))
            if waiting is not None and not waiting.done():
                waiting.set_result((int(str(frame.head["status"])), frame.body))
        self.is_dead = True
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(lost(""))
        self._writer.close()

    async def end(self) -> None:
        """Let the process end, or make it."""
        self._writer.close()
        try:
            await asyncio.wait_for(self.process.wait(), _ENDS_WITHIN_SECONDS)
        except TimeoutError:
            with suppress(ProcessLookupError):
                self.process.kill()
            await self.process.wait()


async def _greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, settings: WorkerSettings) -> None:
    """Tell a worker what it is to be, and wait until it is.

    Raises:
        WorkerFailed: it cannot be.
    """
    try:
        await write_message(writer, WorkerMessage({"number": 0}, settings.model_dump_json().encode()))
        told = await asyncio.wait_for(read_message(reader), _READY_WITHIN_SECONDS)
    except TimeoutError as error:
        raise WorkerFailed(f"a worker process was not ready within {_READY_WITHIN_SECONDS:g} seconds") from error
    except ConnectionError:
        told = None
    if told is None:
        raise WorkerFailed("a worker process ended before it was ready")
    if not told.head.get("ready"):
        raise WorkerFailed(str(told.head["failed"]))


def lost(session_id: str) -> SessionLost:
    """The error of a session whose worker died."""
    return SessionLost(f"the worker process that held session {session_id or 'it'} ended; the session is lost")
