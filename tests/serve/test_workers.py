"""Worker processes: sessions are spread over them, one that is killed takes its own sessions along, and none is left."""

import asyncio
import dataclasses
import os
import select
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from brownout.client import SessionClient
from brownout.client.errors import RequestRefused, SessionGone, SessionLost
from brownout.core.errors import BrownoutError
from brownout.serve.server import SessionServer
from brownout.serve.worker import WorkerSettings
from brownout.serve.worker_process import WorkerFailed, WorkerProcess
from tests.serve.conftest import client_of, serving
from tests.serve.scripts import TASK
from worlds.package import Package


@pytest.fixture(scope="module")
def server(tiny_package: Package) -> Iterator[SessionServer]:
    with serving(tiny_package, workers=2) as server:
        yield server


def killed_by(server: SessionServer, client: SessionClient, names: list[str]) -> tuple[list[str], list[str]]:
    """Kill a worker; the sessions that went with it, and the others."""
    os.kill(server.workers.processes[0], signal.SIGKILL)
    gone: list[str] = []
    left: list[str] = []
    while not gone:
        for name in names:
            try:
                client.state(name)
            except SessionLost:
                gone.append(name)
            else:
                left.append(name)
        left = left if gone else []
    return gone, left


@pytest.mark.parametrize("package", ["tiny", "nowhere"])
def test_a_worker_whose_server_is_gone_before_it_is_ready_ends_in_silence(
    package: str, tiny_package: Package, tmp_path: Path
) -> None:
    folder = tiny_package.folder if package == "tiny" else tmp_path
    settings = WorkerSettings(package=folder, capacity=1, idle_seconds=60, hot=1, key="k")
    ours, theirs = socket.socketpair()
    with ours, theirs:
        body = settings.model_dump_json().encode()
        ours.sendall(struct.pack(">II", 2, len(body)) + b"{}" + body)
        command = [sys.executable, "-P", "-m", "brownout.serve.worker", str(theirs.fileno())]
        worker = subprocess.Popen(command, pass_fds=[theirs.fileno()], stderr=subprocess.PIPE, text=True)
    said = worker.communicate(timeout=60)[1]

    assert (worker.returncode, said) == (0, "")


def test_an_interrupted_terminal_does_not_tell_workers_that_start(tiny_package: Package, tmp_path: Path) -> None:
    async def start() -> int:
        settings = WorkerSettings(package=tiny_package.folder, capacity=1, idle_seconds=60, hot=1, key="k")
        worker = await WorkerProcess.start(settings)
        try:
            return os.getpgid(worker.process.pid)
        finally:
            await worker.end()

    assert asyncio.run(start()) != os.getpgid(0)


def test_a_killed_worker_takes_its_own_sessions_and_no_others(
    server: SessionServer, over_http: SessionClient, session: Callable[[], str]
) -> None:
    names = [session() for _ in range(6)]
    opened = [over_http.create(name, TASK) for name in names]

    gone, left = killed_by(server, over_http, names)

    assert len(gone) == len(left) == 3
    for name in left:
        assert not over_http.call(name, "slack_list_channels", {}).is_error
    for name in gone:
        for ask in (
            lambda name=name: over_http.call(name, "slack_list_channels", {}, call_id="c1"),
            lambda name=name: over_http.create(name, TASK),
            lambda name=name: over_http.submit(name, "Done."),
            lambda name=name: over_http.log(name),
        ):
            with pytest.raises(SessionLost) as refused:
                ask()
            assert refused.value.is_environments
        grade = over_http.grade(name)
        assert (grade.reward, grade.resolved, grade.failure_kind) == (None, False, "session_lost")
        assert not over_http.close_session(name).was_open
    assert [over_http.create(name, TASK) for name in left] == [one for one in opened if one.session_id in left]
    new = [over_http.create(session(), TASK) for _ in range(4)]
    assert {one.digest for one in new} == {opened[0].digest}
    assert over_http.metrics().lost == 3


def test_a_call_that_its_worker_does_not_survive_is_told_so(
    server: SessionServer, over_http: SessionClient, session: Callable[[], str]
) -> None:
    names = [session() for _ in range(len(server.workers.processes))]
    for name in names:
        over_http.create(name, TASK)
    hanging = server.workers.processes
    for process in hanging:
        os.kill(process, signal.SIGSTOP)

    with ThreadPoolExecutor(len(names)) as threads:
        calls = [threads.submit(over_http.call, name, "slack_list_channels", {}, call_id="c1") for name in names]
        for process in hanging:
            os.kill(process, signal.SIGKILL)
        broke = [call.exception() for call in calls]

    assert [type(error) for error in broke] == [SessionLost] * len(names)
    assert over_http.create(session(), TASK).task == TASK, "the server waits for its next worker"


def test_calls_that_arrive_at_once_are_made_one_after_the_other_and_each_once(
    over_http: SessionClient, session: Callable[[], str]
) -> None:
    names = [session() for _ in range(4)]
    for name in names:
        over_http.create(name, TASK)
    calls = [(name, f"c{number % 5}") for number in range(10) for name in names]

    with ThreadPoolExecutor(8) as threads:
        answers = list(
            threads.map(lambda each: over_http.call(each[0], "slack_list_channels", {}, call_id=each[1]), calls)
        )

    assert (
        len({(name, answer.call_id, answer.sim_time) for (name, _), answer in zip(calls, answers, strict=True)}) == 20
    )
    assert [over_http.state(name).calls for name in names] == [5] * 4


def test_sessions_are_spread_and_the_room_of_all_workers_counts_together(tiny_package: Package) -> None:
    with serving(tiny_package, workers=2, capacity=4) as server, client_of(server) as client:
        for number in range(4):
            client.create(f"s{number}", TASK)
        with pytest.raises(RequestRefused) as refused:
            client.create("s4", TASK)

        assert (refused.value.code, refused.value.retryable) == ("at_capacity", True)
        client.close_session("s2")
        assert client.create("s5", TASK).session_id == "s5"
        assert client.metrics().live == client.metrics().capacity == 4


def test_a_session_that_nobody_asks_is_closed_by_its_worker(tiny_package: Package) -> None:
    with serving(tiny_package, capacity=1, idle_seconds=0.1) as server, client_of(server) as client:
        client.create("idle", TASK)
        while not client.metrics().expired:
            pass

        for ask in (lambda: client.create("idle", TASK), lambda: client.grade("idle")):
            with pytest.raises(SessionGone, match="idle"):
                ask()
        assert client.create("next", TASK).task == TASK


def test_no_worker_is_left_when_a_server_ends(tiny_package: Package) -> None:
    with serving(tiny_package, workers=2) as server:
        processes = server.workers.processes
        assert len(processes) == 2

    assert not any(_runs(process) for process in processes)


def test_no_worker_is_left_when_a_server_ends_while_it_starts_one(tiny_package: Package) -> None:
    before = _children()
    with serving(tiny_package) as server, client_of(server) as client:
        (process,) = server.workers.processes
        os.kill(process, signal.SIGKILL)
        while not _children() - before - {process}:
            client.metrics()

    assert _children() <= before


def test_no_worker_is_left_when_a_server_is_killed(tiny_package: Package) -> None:
    program = "from brownout.cli import main; main()"
    command = [sys.executable, "-c", program, "serve", str(tiny_package.folder), "--workers", "1", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdout is not None
        server.stdout.readline()
        workers = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
        assert len(workers) == 1
        watching = os.pidfd_open(int(workers[0]))
        server.kill()

    try:
        _ended(watching)
    finally:
        os.close(watching)


def test_a_package_that_cannot_be_opened_leaves_nothing_running(tmp_path: Path, tiny_package: Package) -> None:
    missing = dataclasses.replace(tiny_package, folder=tmp_path / "missing")

    with pytest.raises(BrownoutError, match="missing"), serving(missing):
        pass


def _children() -> set[int]:
    """The processes that this one has started, in whichever thread."""
    return {int(each) for file in Path("/proc/self/task").glob("*/children") for each in file.read_text().split()}


def _runs(process: int) -> bool:
    return Path(f"/proc/{process}").exists()


def _ended(process: int) -> None:
    """Wait until a process has ended."""
    select.select([process], [], [])


def test_a_worker_that_is_slow_to_open_its_package_is_not_said_to_have_ended(
    tiny_package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brownout.serve.worker_process._READY_WITHIN_SECONDS", 0.001)

    with pytest.raises(WorkerFailed, match=r"was not ready within 0\.001 seconds"), serving(tiny_package):
        pass
