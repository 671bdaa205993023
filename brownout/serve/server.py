"""A running session server: two ports in front of worker processes."""

import asyncio
import contextlib
import secrets
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import orjson
import uvicorn
from starlette.types import ASGIApp

from brownout.client.answers import SessionOpened
from brownout.client.errors import refusal_of
from brownout.client.requests import CreateSession
from brownout.core.errors import UsageError
from brownout.core.values import JsonObject
from brownout.serve.http import Door, admin_app, agent_app
from brownout.serve.worker import WorkerSettings
from brownout.serve.workers import Workers

__all__ = ["ServerOptions", "SessionServer", "running", "serve_until_stopped"]

_KEEP_ALIVE_SECONDS: Final = 120
_LETS_FINISH_SECONDS: Final = 5
_TASK_SESSION: Final = "session"


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """How a server is reached.

    Attributes:
        port: of the agent; 0 takes a free one.
        workers: how many processes.
        names: of hosts that it answers for, beside this machine's own.
        task: a session of it is opened at once; empty opens none.
    """

    host: str = "127.0.0.1"
    port: int = 0
    admin_port: int = 0
    workers: int = 1
    names: tuple[str, ...] = ()
    task: str = ""
    seed: int = 0


class SessionServer:
    """What is known of a server that runs.

    Attributes:
        base_url: of the agent's port.
        token: opens all of it; a session's own token opens that session.
        session: that was opened at once, None where no task was named.
    """

    def __init__(self, host: str, ports: tuple[int, int], tokens: tuple[str, str], workers: Workers) -> None:
        self.base_url, self.admin_url = (f"http://{_in_url(host)}:{port}" for port in ports)
        self.token, self.admin_token = tokens
        self.workers = workers
        self.session: SessionOpened | None = None

    def document(self) -> JsonObject:
        """What is printed when the server is ready.

        `env` is for the process of an agent that plays the session that was opened. Vendors' own clients are not served
        yet, so there is no proxy.
        """
        session: JsonObject | None = None
        env: JsonObject = {}
        if self.session is not None:
            url = f"{self.base_url}/v1/sessions/{self.session.session_id}"
            session = {"id": self.session.session_id, "url": url, "mcp_url": f"{url}/mcp", "token": self.session.token}
            env = {"BROWNOUT_SESSION_URL": url, "BROWNOUT_SESSION_TOKEN": self.session.token}
        return {
            "base_url": self.base_url,
            "token": self.token,
            "admin_url": self.admin_url,
            "admin_token": self.admin_token,
            "proxy_url": None,
            "ca_file": None,
            "session": session,
            "env": env,
        }


@asynccontextmanager
async def running(settings: WorkerSettings, options: ServerOptions) -> AsyncIterator[SessionServer]:
    """A server that answers while the block lasts; when it ends, no process of it is left.

    Raises:
        UsageError: a port is taken, or the host is not this machine's.
        WorkerFailed: a worker process cannot begin.
        RequestRefused: the task's session cannot be opened.
    """
    with _listening(options.host, options.port) as agents, _listening(options.host, options.admin_port) as admins:
        tokens = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        workers = Workers(settings, options.workers)
        names = frozenset({*options.names, _in_url(options.host)})
        await workers.start()
        try:
            ports = agents.getsockname()[1], admins.getsockname()[1]
            server = SessionServer(options.host, ports, tokens, workers)
            if options.task:
                server.session = await _open(workers, options)
            agent = agent_app(workers, Door(tokens[0], names=names, key=settings.key))
            admin = admin_app(workers, Door(tokens[1], names=names))
            async with _answering(agent, agents), _answering(admin, admins):
                yield server
        finally:
            await workers.end()


async def serve_until_stopped(
    settings: WorkerSettings, options: ServerOptions, ready: Callable[[SessionServer], None]
) -> None:
    """Serve until SIGTERM or SIGINT.

    Args:
        ready: is told the server when it answers.

    Raises:
        BrownoutError: as `running` does.
    """
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    async with running(settings, options) as server:
        ready(server)
        await stopped.wait()


async def _open(workers: Workers, options: ServerOptions) -> SessionOpened:
    request = CreateSession(session_id=_TASK_SESSION, task=options.task, seed=options.seed)
    status, body = await workers.ask(CreateSession.__name__, {}, request.model_dump_json().encode())
    if status != 200:
        raise refusal_of(orjson.loads(body)["error"])
    return SessionOpened.model_validate_json(body)


class _Quiet(uvicorn.Server):
    """A server that leaves signals to whoever runs it."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def _answering(app: ASGIApp, listening: socket.socket) -> AsyncIterator[None]:
    config = uvicorn.Config(
        app,
        loop="asyncio",
        http="h11",
        ws="none",
        lifespan="off",
        log_level="error",
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=_LETS_FINISH_SECONDS,
    )
    server = _Quiet(config)
    serving = asyncio.create_task(server.serve([listening]))
    try:
        yield
    finally:
        server.should_exit = True
        await serving


@contextlib.contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(
        family, socket.SOCK_STREAM, socket.IPPROTO_TCP
    ) as made:  # of what is not named TCP, asyncio waits 40 ms
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, port))
            made.listen(2048)
        except OSError as error:
            raise UsageError(
                f"cannot listen on {host}:{port}: {error.strerror}; name another --host or --port"
            ) from error
        yield made


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
