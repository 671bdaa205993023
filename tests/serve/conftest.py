"""One server of `tiny` for each module, and a client on each transport."""

import asyncio
import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from itertools import count
from threading import Thread

import pytest

from brownout.client import HttpTransport, SessionClient
from brownout.engine.world import World
from brownout.serve.host import Host
from brownout.serve.server import ServerOptions, SessionServer, running
from brownout.serve.worker import WorkerSettings
from worlds.package import Package

TASK = "find-the-change"


@contextmanager
def serving(
    package: Package, *, workers: int = 1, capacity: int = 50, idle_seconds: float = 3600.0, task: str = ""
) -> Iterator[SessionServer]:
    """A server in a thread of this process, with workers of its own."""
    settings = WorkerSettings(
        package=package.folder, capacity=capacity, idle_seconds=idle_seconds, hot=8, key=secrets.token_hex()
    )
    ready: Future[tuple[SessionServer, asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def serve() -> None:
        stopped = asyncio.Event()
        async with running(settings, ServerOptions(workers=workers, task=task)) as server:
            ready.set_result((server, asyncio.get_running_loop(), stopped))
            await stopped.wait()

    def run() -> None:
        try:
            asyncio.run(serve())
        except BaseException as error:
            if ready.done():
                raise
            ready.set_exception(error)

    thread = Thread(target=run)
    thread.start()
    try:
        server, loop, stopped = ready.result()
        try:
            yield server
        finally:
            loop.call_soon_threadsafe(stopped.set)
    finally:
        thread.join()


def client_of(server: SessionServer) -> SessionClient:
    return SessionClient(HttpTransport(server.base_url, server.token, server.admin_url, server.admin_token))


@pytest.fixture(scope="module")
def server(tiny_package: Package) -> Iterator[SessionServer]:
    with serving(tiny_package) as server:
        yield server


@pytest.fixture(scope="module")
def over_http(server: SessionServer) -> Iterator[SessionClient]:
    with client_of(server) as client:
        yield client


@pytest.fixture(scope="module")
def in_process(tiny_package: Package) -> Iterator[SessionClient]:
    with World(tiny_package, hot=8) as world:
        host = Host(world, capacity=50)
        yield SessionClient(host)
        host.close()


@pytest.fixture(params=["in process", "over http"])
def client(request: pytest.FixtureRequest) -> SessionClient:
    """The same client on each transport."""
    return request.getfixturevalue("in_process" if request.param == "in process" else "over_http")  # type: ignore[no-any-return]


_numbers = count()


@pytest.fixture
def session(request: pytest.FixtureRequest) -> Iterator[Callable[[], str]]:
    """Gives ids that no other test has."""
    made = lambda: f"{request.node.originalname}-{next(_numbers)}"[-120:]  # noqa: E731
    yield made
