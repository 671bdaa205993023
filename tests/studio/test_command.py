"""The command that starts the studio."""

import os
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import studio
from brownout.cli import ports
from brownout.cli.ports import free_port
from tests.functional.commands import Commands


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Commands:
    return Commands(capsys, monkeypatch)


@pytest.fixture
def taken() -> Iterator[int]:
    """A port on which somebody listens."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening.getsockname()[1]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What the command was replaced by."""
    found: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda program, arguments: found.append(arguments))
    return found


def test_a_port_in_use_is_said_and_nothing_is_started(command: Commands, taken: int, started: list[list[str]]) -> None:
    done = command("studio", "--port", taken)

    assert done.code == 2
    assert f"port {taken} is in use" in done.err
    assert started == []


def test_the_studio_replaces_the_command_and_says_where_it_is(command: Commands, started: list[list[str]]) -> None:
    assert command("studio", "--port", "0", "--read-only").code == 2
    port = free_port()
    done = command("studio", "--port", port, "--runs", "elsewhere", "--read-only")

    assert f"http://127.0.0.1:{port}" in done.out
    assert started[0][1:] == [
        "-P",
        "-m",
        "studio.__main__",
        "--port",
        str(port),
        "--runs",
        "elsewhere",
        "--worlds",
        ".",
        "--read-only",
    ]


def test_without_a_port_the_first_free_one_is_taken(
    command: Commands, taken: int, started: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ports, "FIRST_PORT", taken)
    done = command("studio")

    chosen = int(started[0][started[0].index("--port") + 1])
    assert taken < chosen < taken + 100
    assert f"http://127.0.0.1:{chosen}" in done.out


def test_a_port_is_found_before_anything_is_built(taken: int) -> None:
    def asked(*arguments: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "brownout.cli.ports", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True)

    assert int(asked().stdout) >= ports.FIRST_PORT
    assert [asked(wrong).returncode for wrong in (taken, "0", "65536", "http", "-1")] == [2] * 5
    assert f"port {taken} is in use" in asked(taken).stderr


def test_what_is_told_to_streamlit_is_known_to_it(tmp_path: Path) -> None:
    """Every option of settings.toml exists in the installed Streamlit, wherever it is started from."""
    names = list(_dotted(tomllib.loads(Path(studio.__file__).with_name("settings.toml").read_text())))
    code = (
        "import sys; from streamlit import config; "
        "print([name for name in sys.argv[1:] if name not in config._config_options_template])"
    )
    found = subprocess.run(
        [sys.executable, "-c", code, *names], capture_output=True, text=True, check=True, cwd=tmp_path
    )

    assert found.stdout.strip() == "[]"


def _dotted(tree: dict[str, object], above: str = "") -> list[str]:
    found = []
    for name, value in tree.items():
        found += _dotted(value, f"{above}{name}.") if isinstance(value, dict) else [f"{above}{name}"]
    return found
