"""The worker processes of a server: started, asked, and started again where one was killed.

A session lives in one worker from its creation to its end; a table says in which. What is asked of the sessions of a worker
that died is answered with `SessionLost`, and their grade is none, for that reason; all others go on.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Iterable
from time import monotonic
from typing import Final

import orjson

from brownout.client.answers import Closed, ServerMetrics
from brownout.client.errors import (
    NoSuchSession,
    RequestRefused,
    SessionConflict,
    SessionLost,
    Unavailable,
)
from brownout.client.requests import (
    CloseSession,
    CreateSession,
    ForkSession,
    GradeSession,
    ReadMetrics,
    read_request,
)
from brownout.core.errors import Failure
from brownout.core.grading import Grade
from brownout.serve.session_answers import grade_answer
from brownout.serve.worker import WorkerSettings
from brownout.serve.worker_process import STARTS_WITHIN_SECONDS, Answer, WorkerFailed, WorkerProcess, lost

__all__ = ["Workers"]

_REMEMBERED: Final = 200_000
"""How many sessions that are over are remembered, to be told from those that never were."""
_SOUND_SECONDS: Final = 10.0
"""A worker that lived for less is started again only after a pause, which doubles."""
_LONGEST_PAUSE: Final = 30.0
_LOG = logging.getLogger(__name__)


class Workers:
    """As many worker processes as were asked for, and which session is where."""

    def __init__(self, settings: WorkerSettings, count: int) -> None:
        """Nothing is started yet.

        Args:
            settings: of every worker; its capacity is that of all of them together.
        """
        self._capacity = settings.capacity
        self._settings = settings.model_copy(update={"capacity": -(-settings.capacity // count)})
        self._count = count
        self._slots: list[WorkerProcess | None] = [None] * count
        self._keepers: list[asyncio.Task[None]] = []
        self._changed = asyncio.Condition()
        self._places: dict[str, WorkerProcess] = {}
        self._over: OrderedDict[str, WorkerProcess] = OrderedDict()
        self._counts = dict.fromkeys(("lost", "refusals", "restarts"), 0)
        self._ending = False

    @property
    def processes(self) -> list[int]:
        """The ids of the worker processes that run."""
        return [one.process.pid for one in self._slots if one is not None and not one.is_dead]

    async def start(self) -> None:
        """Start all workers.

        Raises:
            WorkerFailed: one cannot begin; none is left running.
        """
        started = await asyncio.gather(
            *(WorkerProcess.start(self._settings) for _ in range(self._count)), return_exceptions=True
        )
        failed = [one for one in started if isinstance(one, BaseException)]
        running = [one for one in started if isinstance(one, WorkerProcess)]
        if failed:
            await asyncio.gather(*(one.end() for one in running))
            raise failed[0]
        self._slots = [*running]
        self._keepers = [asyncio.create_task(self._keep(slot, one)) for slot, one in enumerate(running)]

    async def end(self) -> None:
        """End all workers; a second time is harmless."""
        self._ending = True
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        await asyncio.gather(*(one.end() for one in self._slots if one is not None))
        self._slots = [None] * self._count

    async def ask(self, kind: str, path: dict[str, str], body: bytes) -> Answer:
        """The answer to a request, which is only read where it says in which worker it belongs.

        Args:
            kind: the name of the request's class, or `mcp`.
            path: the fields that stood in its path.
        """
        try:
            if self._ending:
                raise Unavailable("the server is stopping")
            status, answer = await self._routed(kind, path, body)
        except RequestRefused as error:
            status, answer = error.status, orjson.dumps(error.document())
        self._counts["refusals"] += status >= 400
        return status, answer

    # -- where a request goes -----------------------------------------------------------------------------

    async def _routed(self, kind: str, path: dict[str, str], body: bytes) -> Answer:
        if kind == CreateSession.__name__:
            return await self._create(kind, path, body)
        if kind == ReadMetrics.__name__:
            return 200, (await self._metrics()).model_dump_json().encode()
        session_id = path["session_id"]
        if kind == ForkSession.__name__:
            return await self._fork(kind, path, body)
        if kind == CloseSession.__name__:
            return await self._close(kind, path, body)
        place = self._place(session_id)
        if place is None:
            raise NoSuchSession(f"there is no session {session_id}; create it first")
        try:
            return await place.ask(kind, session_id, path, body)
        except SessionLost as error:
            if kind == GradeSession.__name__:
                return 200, grade_answer(session_id, Grade.null(Failure.of(error))).model_dump_json().encode()
            raise lost(session_id) from error

    async def _create(self, kind: str, path: dict[str, str], body: bytes) -> Answer:
        session_id = read_request(CreateSession, path, body).session_id
        return await self._settle(session_id, self._place(session_id) or await self._emptiest(), kind, path, body)

    async def _fork(self, kind: str, path: dict[str, str], body: bytes) -> Answer:
        to = read_request(ForkSession, path, body).to
        place = self._place(path["session_id"])
        if place is None:
            raise NoSuchSession(f"there is no session {path['session_id']}; create it first")
        if self._place(to) not in (None, place):
            raise SessionConflict(f"there is, or was, a session {to} that is no copy of {path['session_id']}")
        return await self._settle(to, place, kind, path, body)

    async def _settle(
        self, session_id: str, place: WorkerProcess, kind: str, path: dict[str, str], body: bytes
    ) -> Answer:
        """Make a session in a worker; where none comes about, the table does not know its id."""
        is_new = self._place(session_id) is None
        if is_new:
            self._places[session_id] = place
            place.live += 1
        status, answer = 0, b""
        try:
            status, answer = await place.ask(kind, path.get("session_id", session_id), path, body)
        finally:
            if is_new and status != 200 and not place.is_dead:
                self._places.pop(session_id, None)
        return status, answer

    async def _close(self, kind: str, path: dict[str, str], body: bytes) -> Answer:
        session_id = read_request(CloseSession, path, body).session_id
        place = self._place(session_id) or await self._emptiest()
        try:
            status, answer = await place.ask(kind, session_id, path, body)
        except SessionLost:
            status, answer = 200, Closed(session_id=session_id, was_open=False).model_dump_json().encode()
        if status == 200:
            self._places.pop(session_id, None)
            self._remember(session_id, place)
        return status, answer

    async def _metrics(self) -> ServerMetrics:
        path: dict[str, str] = {}
        running = [one for one in self._slots if one is not None and not one.is_dead]
        told = await asyncio.gather(
            *(one.ask(ReadMetrics.__name__, "", path, b"") for one in running), return_exceptions=True
        )
        parts = [orjson.loads(one[1]) for one in told if isinstance(one, tuple) and one[0] == 200]
        total = {name: sum(part[name] for part in parts) for name in ServerMetrics.model_fields}
        return ServerMetrics.model_validate(
            total | {"capacity": self._capacity} | self._counts | {"workers": len(running)}
        )

    def _place(self, session_id: str) -> WorkerProcess | None:
        """The worker that has the session, or had it."""
        return self._places.get(session_id) or self._over.get(session_id)

    async def _emptiest(self) -> WorkerProcess:
        """The worker with the fewest sessions; where all of them are starting, the first one that is ready."""
        async with self._changed:
            try:
                await asyncio.wait_for(self._changed.wait_for(lambda: bool(self.processes)), STARTS_WITHIN_SECONDS)
            except TimeoutError as error:
                raise Unavailable("no worker process is running; the server starts one") from error
        return min((one for one in self._slots if one and not one.is_dead), key=lambda one: one.live)

    def _expired(self, gone: Iterable[str]) -> None:
        for session_id in gone:
            place = self._places.pop(session_id, None)
            if place is not None:
                self._remember(session_id, place)

    def _remember(self, session_id: str, place: WorkerProcess) -> None:
        self._over[session_id] = place
        while len(self._over) > _REMEMBERED:
            self._over.popitem(last=False)

    # -- keeping workers alive ----------------------------------------------------------------------------

    async def _keep(self, slot: int, running: WorkerProcess) -> None:
        """Listen to a worker; when it dies, note what is lost and start another one."""
        pause = 1.0
        while True:
            await running.listen(self._expired)
            await running.process.wait()
            self._lose(running)
            if monotonic() - running.since < _SOUND_SECONDS:
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
            else:
                pause = 1.0
            running = await self._start_again(slot)

    async def _start_again(self, slot: int) -> WorkerProcess:
        pause = 1.0
        while True:
            try:
                started = await WorkerProcess.start(self._settings)
                break
            except (WorkerFailed, OSError) as error:
                _LOG.error("a worker cannot be started again: %s", error)
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
        self._slots[slot] = started
        self._counts["restarts"] += 1
        async with self._changed:
            self._changed.notify_all()
        return started

    def _lose(self, dead: WorkerProcess) -> None:
        held = [session_id for session_id, place in self._places.items() if place is dead]
        for session_id in held:
            del self._places[session_id]
            self._remember(session_id, dead)
        self._counts["lost"] += len(held)
        _LOG.error(
            "worker process %s ended with %s; %s sessions are lost",
            dead.process.pid,
            dead.process.returncode,
            len(held),
        )
