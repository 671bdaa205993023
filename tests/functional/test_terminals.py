"""No command ends in a traceback: whatever the terminal can show, whatever is not installed, whatever nobody foresaw."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import brownout.cli.list_worlds
from brownout.core.extras import EXTRAS
from brownout.sandbox.launch import BUBBLEWRAP
from tests.functional.commands import Commands
from worlds.package import Package

TERMINALS = [
    {"PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "latin-1"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "TERM": "dumb", "COLUMNS": "30"},
]
COMMANDS = [
    ("--help",),
    ("show", "chat", "{package}", "#ops"),
    ("run", "{package}", "--task", "find-the-change", "--agent", "noop", "--answer", "Já está.", "--out", "{new}"),
    ("tasks", "{package}", "--why"),
]
ONE_BY_ONE = """
import json, sys
from brownout.cli import main

for words in json.loads(sys.argv[1]):
    sys.argv[1:] = words
    try:
        main()
    except SystemExit as stop:
        if stop.code:
            print("Error of", words, file=sys.stderr)
            raise
    print("=====")
"""
"""Runs commands in one process, which is started for each terminal."""
RUN = ("run", "{package}", "--task", "find-the-change", "--out", "{new}")
WITHOUT = [
    ("studio", ("studio",)),
    ("llm", (*RUN, "--agent", "llm", "--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--patience", "0")),
    ("llm", (*RUN, "--agent", "noop", "--judge-model", "openai/m")),
    ("llm", ("qa", "{package}", "--judge-model", "openai/m")),
    ("llm", ("record-judge", "tiny", "--judge-model", "openai/m")),
]


def run(
    *arguments: bytes | str, code: str = "from brownout.cli import main; main()", **variables: str
) -> tuple[int, str, str]:
    """A command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, env={**os.environ, **variables}
    )
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


@pytest.mark.parametrize("terminal", TERMINALS, ids=lambda terminal: "-".join(terminal.values()))
def test_a_terminal_that_lacks_characters_ends_no_command(
    tiny_package: Package, tmp_path: Path, terminal: dict[str, str]
) -> None:
    filled = [[word.format(package=tiny_package.folder, new=tmp_path / "runs") for word in words] for words in COMMANDS]
    code, out, err = run(json.dumps(filled), code=ONE_BY_ONE, **terminal)

    assert (code, "Traceback" in err, "Error" in err) == (0, False, False), err
    said = out.split("=====\n")
    assert len(said) == len(COMMANDS) + 1
    assert all(said[:-1])


def test_what_a_terminal_lacks_is_spelt_with_what_it_has() -> None:
    code = (
        "import sys; from brownout.cli.output import make_printable; make_printable(); "
        "print('✓ Já está – “São” 東 \\udcff …')"
    )

    assert run(code=code, PYTHONIOENCODING="ascii")[1].strip() == '+ Ja esta - "Sao" ? ? ~'
    assert run(code=code, PYTHONIOENCODING="utf-8")[1].strip() == "✓ Já está – “São” 東 ? …"


@pytest.mark.parametrize("switches", [[], ["--json"]])
def test_a_name_that_is_no_text_is_said_like_any_other(switches: list[str]) -> None:
    code, out, err = run("tasks", b"\xff\xfe", *switches)

    assert (code, "Traceback" in err) == (2, False)
    assert not switches or "expected a folder" in json.loads(out)["error"]["message"]


@pytest.mark.parametrize("switches", [[], ["--json"]])
def test_a_reader_that_goes_away_is_no_failure_of_ours(switches: list[str]) -> None:
    words = " ".join([f"{sys.executable} -c 'from brownout.cli import main; main()' list", *switches])
    done = subprocess.run(["bash", "-c", f"{words} | true"], capture_output=True, text=True)

    assert "Traceback" not in done.stderr
    assert "mistake in Brownout" not in done.stderr


@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize("switches", [[], ["--json"]])
def test_a_full_disk_is_said_in_one_line(switches: list[str], buffered: str) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", "from brownout.cli import main; main()", "list", *switches],
            stdout=full, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": buffered},
        )  # fmt: skip

    assert done.returncode == 1
    assert done.stderr.splitlines() == ["brownout: [Errno 28] No space left on device"]


@pytest.mark.parametrize(("extra", "words"), WITHOUT, ids=lambda value: value if isinstance(value, str) else value[0])
def test_a_missing_extra_is_named_with_what_installs_it(
    command: Commands,
    tiny_package: Package,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    extra: str,
    words: tuple[str, ...],
) -> None:
    for module in EXTRAS[extra]:
        hide(monkeypatch, module)
    filled = [word.format(package=tiny_package.folder, new=tmp_path / "runs") for word in words]
    plain, asked = command(*filled), command(*filled, "--json") if words != ("studio",) else None

    assert (plain.code, plain.out) == (2, "")
    assert f"pip install 'brownout[{extra}]'" in plain.err
    assert "Traceback" not in plain.err
    if asked is not None:
        error = asked.document["error"]
        assert isinstance(error, dict)
        assert error["kind"] == "missing_extra"
    assert not (tmp_path / "runs").exists()


def hide(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    """Have a package, and what of ours has imported it, look as if it were not installed."""
    for name in [name for name in sys.modules if name.partition(".")[0] == module]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    for name in ("brownout.rollouts.llm_agent", "brownout.rollouts.completions"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    from brownout.core.plugins import load_plugin

    load_plugin.cache_clear()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (KeyError("x"), "KeyError: 'x'"),
        (RecursionError("too deep"), "too deep"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (ModuleNotFoundError("No module named 'litellm'", name="litellm"), "pip install 'brownout[llm]'"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), "invalid start byte"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_what_nobody_foresaw_is_one_line_with_its_place(
    command: Commands, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr(brownout.cli.list_worlds, "shipped_worlds", fail)
    plain, asked = command("list"), command("list", "--json")
    monkeypatch.setenv("BROWNOUT_TRACEBACK", "1")
    long = command("list")

    assert plain.code == asked.code in (1, 2)
    assert said in plain.err
    assert "Traceback" not in plain.err + asked.err
    assert set(asked.document) == {"error"}
    assert "Traceback" in long.err


def test_a_sandbox_that_is_missing_is_said_and_no_more(
    command: Commands, tiny_package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(BUBBLEWRAP, str(tmp_path / "bwrap"))
    done = command(
        "run", tiny_package.folder, "--task", "release-the-seats", "--agent", "oracle", "--out", tmp_path / "runs"
    )

    assert done.code == 2
    assert "apt-get install bubblewrap" in done.err
    assert "Traceback" not in done.err
