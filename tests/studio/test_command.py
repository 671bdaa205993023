"""The command that starts the studio."""

import os
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

import studio
from brownout.cli.main import app
from brownout.core.errors import UsageError


def test_a_port_in_use_is_said_and_nothing_is_started() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = CliRunner().invoke(app, ["studio", "--port", str(port)])

    assert isinstance(result.exception, UsageError)
    assert f"port {port} is in use" in str(result.exception)


def test_the_studio_replaces_the_command_and_says_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda program, arguments: started.append(arguments))
    result = CliRunner().invoke(app, ["studio", "--port", "0", "--read-only"])
    assert result.exit_code == 2

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    result = CliRunner().invoke(app, ["studio", "--port", str(port), "--runs", "elsewhere", "--read-only"])

    assert f"http://127.0.0.1:{port}" in result.stdout
    assert started[0][1:] == ["-P", "-m", "studio", "--port", str(port), "--runs", "elsewhere", "--read-only"]


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
