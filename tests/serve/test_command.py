"""`brownout serve` as a process: its one line, its end, and what it refuses before it serves anything."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from brownout.client import HttpTransport, SessionClient
from tests.functional.commands import Commands
from tests.serve.scripts import TASK
from worlds.package import Package


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_one_line_says_where_it_is_and_a_signal_ends_it(tiny_package: Package, number: signal.Signals) -> None:
    program = "from brownout.cli import main; main()"
    options = ("--task", TASK, "--workers", "1", "--json")
    command = [sys.executable, "-c", program, "serve", str(tiny_package.folder), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as server:
        assert server.stdout is not None
        told = json.loads(server.stdout.readline())
        workers = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
        session = told["session"]
        with SessionClient(HttpTransport(told["base_url"], session["token"])) as agent:
            assert not agent.call(session["id"], "slack_list_channels", {}).is_error
        os.killpg(server.pid, number)  # as a terminal or a supervisor does
        rest, complaints = server.communicate()

    assert server.returncode == 0
    assert (rest, complaints) == (b"", b"")
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)
    assert told.keys() == {
        "base_url", "token", "admin_url", "admin_token", "proxy_url", "ca_file", "session", "env",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        (("--stdio",), "usage_error"),
        (("--task", "find-nothing"), "unknown_task"),
        (("--task", "find-nothing", "--stdio"), "unknown_task"),
        (("--skip", "nobody"), "unknown_plugin"),
        (("--workers", "0"), "usage_error"),
        (("--host", "192.0.2.1", "--workers", "1"), "usage_error"),
    ],
)
def test_what_cannot_be_served_is_refused(
    command: Commands, tiny_package: Package, options: tuple[str, ...], kind: str
) -> None:
    done = command("serve", tiny_package.folder, *options, "--json")

    assert done.code == 2
    error = done.document["error"]
    assert isinstance(error, dict)
    assert error["kind"] == kind


def test_a_port_that_is_taken_is_said(command: Commands, tiny_package: Package) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = command("serve", tiny_package.folder, "--port", port, "--workers", "1")

    assert done.code == 2
    assert str(port) in done.err
