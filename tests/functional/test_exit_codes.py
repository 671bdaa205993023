"""Exit codes: 0 ok, 1 failed, 2 usage or incomplete input; with --json one document on stdout, whatever happens."""

import socket
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest

from brownout.engine.world import World
from brownout.sandbox.launch import BUBBLEWRAP
from tests.functional.commands import Commands
from tests.functional.playing import play
from worlds.package import Package

TASK = "find-the-change"
RUN = ("run", "{package}", "--task", TASK, "--out", "{new}")
DEAD = ("--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--timeout", "1", "--patience", "0")

GOOD = [
    ("list",),
    ("validate", "tiny"),
    ("build", "tiny"),
    ("tasks", "{package}"),
    (*RUN, "--agent", "noop", "--answer", "Done."),
    (*RUN, "--agent", "lazy", "--answer", "close-the-tickets"),
    ("demo", "{package}", "--out", "{new}"),
    ("replay", "{run}"),
    ("replay", "{run}", "--check"),
    ("grade", "{run}"),
    ("export", "{package}", "--to", "inspect", "--task", TASK, "--out", "{new}"),
    ("show", "people", "{package}"),
    ("show", "timeline", "{package}"),
    ("show", "chat", "{package}", "#ops"),
    ("show", "mail", "{package}"),
    ("show", "issues", "{package}"),
    ("show", "code", "{package}"),
    ("show", "status", "{package}"),
    ("show", "why", "{package}", "BOX-32"),
]
FAILED = [
    (*RUN, "--agent", "llm", *DEAD),
    ("replay", "{torn}", "--check"),
    ("grade", "{torn}"),
    ("replay", "{damaged}"),
    ("replay", "{damaged}", "--check"),
    ("grade", "{damaged}"),
]
WRONG = [
    ("lisst",),
    ("validate", "nowhere"),
    ("build", "nowhere"),
    ("build", "tiny", "--sed", "3"),
    ("build", "tiny", "--out", "{full}"),
    ("tasks", "nowhere"),
    ("demo", "{package}", "--task", "no-such-task"),
    (*RUN, "--agent", "orakel"),
    (*RUN, "--agent", "lazy"),
    (*RUN, "--agent", "lazy", "--answer", "no-such-script"),
    (*RUN, "--agent", "llm"),
    (*RUN, "--agent", "noop", "--skip", "juge"),
    (*RUN, "--agent", "noop", "--episodes", "0"),
    ("run", "{package}", "--task", "no-such-task", "--agent", "noop", "--out", "{new}"),
    ("run", "nowhere", "--task", TASK, "--agent", "noop", "--out", "{new}"),
    ("replay", "nowhere"),
    ("replay", "nowhere", "--check"),
    ("replay", "{lost}", "--check"),
    ("replay", "{run}", "--check", "--package", "{other}"),
    ("grade", "nowhere"),
    ("grade", "{lost}"),
    ("grade", "{run}", "--package", "{other}"),
    ("export", "{package}", "--to", "inspect", "--out", "{full}"),
    ("export", "{package}", "--to", "nowhere", "--out", "{new}"),
    ("export", "{package}", "--to", "inspect", "--task", "no-such-task", "--out", "{new}"),
    ("show", "people", "nowhere"),
    ("show", "timeline", "nowhere"),
    ("show", "chat", "{package}", "#nope"),
    ("show", "chat", "{package}", "@nobody"),
    ("show", "chat", "{package}", "#ops", "--as", "nobody"),
    ("show", "chat", "{package}", "#ops", "--as", "blue-lantern"),
    ("show", "chat", "{package}", "#ops", "--at", "2019-01-01 12:00"),
    ("show", "chat", "{package}", "#ops", "--at", "2031-01-01 12:00"),
    ("show", "mail", "{package}", "--as", "nobody"),
    ("show", "mail", "{package}", "--at", "soon"),
    ("show", "issues", "{package}", "status is is open"),
    ("show", "issues", "{package}", "--as", "blue-lantern"),
    ("show", "code", "{package}", "no-such-repository"),
    ("show", "code", "{package}", "--as", "blue-lantern"),
    ("show", "status", "{package}", "--at", "soon"),
    ("show", "why", "{package}", "BOX-99999"),
]


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that is not there is asked again at once."""
    monkeypatch.setattr("brownout.llm.client.time.sleep", lambda seconds: None)


@pytest.fixture(scope="module")
def places(tiny_package: Package, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """What the commands are about; `{new}` is left to each test."""
    folder = tmp_path_factory.mktemp("commands")
    with World(tiny_package, hot=2) as world:
        play(world, folder / "run", TASK, "noop", answer="Done.")
    log = (folder / "run" / "trajectory.jsonl").read_bytes()
    made = {name: copytree(folder / "run", folder / name) for name in ("torn", "damaged", "lost")}
    (made["torn"] / "trajectory.jsonl").write_bytes(log[: len(log) // 2])
    (made["damaged"] / "trajectory.jsonl").write_bytes(log.replace(b'"kind":"call"', b'"kind":"cull"', 1))
    digest = tiny_package.manifest.digest
    for name in ("trajectory.jsonl", "run.json"):
        text = (made["lost"] / name).read_text()
        (made["lost"] / name).write_text(text.replace(digest, "0" * 32).replace('"tiny"', '"gone"'))
    (folder / "full").mkdir()
    (folder / "full" / "thesis.txt").write_text("twelve chapters")
    other = copytree(tiny_package.folder, folder / "other")
    manifest = (other / "manifest.json").read_text()
    (other / "manifest.json").write_text(manifest.replace(digest, "1" * 32))
    return {**made, "run": folder / "run", "package": tiny_package.folder, "full": folder / "full", "other": other}


def filled(arguments: tuple[str, ...], places: dict[str, Path], new: Path) -> list[str]:
    return [word.format(**places, new=new) for word in arguments]


def every(code: int, rows: list[tuple[str, ...]]) -> Iterator[object]:
    for row in rows:
        yield pytest.param(row, code, id=f"{code}-{'-'.join(row)}")


@pytest.mark.parametrize(("arguments", "code"), [*every(0, GOOD), *every(1, FAILED), *every(2, WRONG)])
def test_a_command_says_by_its_code_how_it_went(
    command: Commands, places: dict[str, Path], tmp_path: Path, arguments: tuple[str, ...], code: int
) -> None:
    plain = command(*filled(arguments, places, tmp_path / "plain"))
    asked = command(*filled(arguments, places, tmp_path / "asked"), "--json")

    assert (plain.code, asked.code) == (code, code), plain.err
    assert code == 1 or ("error" in asked.document) == (code == 2)
    if code == 2:
        error = asked.document["error"]
        assert isinstance(error, dict)
        assert set(error) == {"kind", "message"}
        assert error["message"]
        assert plain.out == ""
        assert plain.err
        assert not (tmp_path / "plain").exists()
        assert not (tmp_path / "asked").exists()
    assert "Traceback" not in plain.err
    assert "pydantic" not in plain.err


def test_a_run_without_a_reward_is_recorded_and_has_failed(
    command: Commands, places: dict[str, Path], tmp_path: Path
) -> None:
    done = command(*filled((*RUN, "--agent", "llm", *DEAD), places, tmp_path / "runs"), "--json")

    runs = done.document["runs"]
    assert isinstance(runs, list)
    assert (done.code, runs[0]["status"], runs[0]["reward"]) == (1, "agent_error", None)
    assert runs[0]["failure"].startswith("model_failure: cut: ")
    assert (Path(runs[0]["run"]) / "run.json").is_file()


def test_a_reference_solution_that_fails_has_failed(command: Commands, spec_folder: Path, tmp_path: Path) -> None:
    oracle = spec_folder / "tasks" / TASK / "oracle.yaml"
    oracle.write_text(oracle.read_text().replace("issue: $main}", "issue: BOX-3333}", 1))
    done = command("run", spec_folder, "--task", TASK, "--agent", "oracle", "--out", tmp_path / "runs", "--json")

    runs = done.document["runs"]
    assert isinstance(runs, list)
    assert (done.code, runs[0]["status"], runs[0]["reward"]) == (1, "env_error", None)
    assert runs[0]["failure"].startswith("run_error: ")


@pytest.mark.parametrize("as_json", [False, True])
def test_a_world_with_mistakes_is_incomplete(command: Commands, spec_folder: Path, as_json: bool) -> None:
    path = spec_folder / "outages.yaml"
    path.write_text(path.read_text().replace("mode: down", "mode: dawn"))
    done = command("validate", spec_folder, *(["--json"] if as_json else []))

    assert done.code == 2
    if as_json:
        assert done.document["valid"] is False
        assert done.document["mistakes"]


def test_a_port_in_use_is_said(command: Commands) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = command("studio", "--port", taken.getsockname()[1])

    assert (done.code, done.out) == (2, "")
    assert "is in use; stop what listens there" in done.err


def test_a_missing_channel_lists_those_there_are(command: Commands, places: dict[str, Path]) -> None:
    done = command("show", "chat", places["package"], "#nope")

    assert done.err == "brownout: tiny has no channel '#nope'; it has: #general, #ops, #product, #support"


def test_a_record_cut_in_the_middle_is_not_whole(command: Commands, places: dict[str, Path]) -> None:
    plain, asked = command("replay", places["torn"], "--check"), command("replay", places["torn"], "--check", "--json")

    assert "the record is not whole: the log ends in the middle of a line" in plain.err
    assert asked.document == {
        "matches": False,
        "steps": 1,
        "missing": "the log ends in the middle of a line",
        "first_divergence": None,
    }


def test_a_damaged_record_names_the_line_in_our_words(command: Commands, places: dict[str, Path]) -> None:
    done = command("replay", places["damaged"])

    assert "trajectory.jsonl:2 is damaged: it is no event: " in done.err
    assert "http" not in done.err


def test_the_steps_of_a_run_are_listed(command: Commands, places: dict[str, Path]) -> None:
    done = command("replay", places["run"])

    assert done.code == 0
    assert '  1  Tue 11:40  submit(answer="Done.")' in done.out
    assert all(len(line) <= 80 for line in done.out.splitlines())


def test_the_ledger_of_a_run_is_shown_with_its_steps(command: Commands, places: dict[str, Path]) -> None:
    done, asked = command("replay", places["run"]), command("replay", places["run"], "--json")

    assert "reward 0\n" in done.out
    assert "✗  assigned" in done.out
    result = asked.document["result"]
    assert isinstance(result, dict)
    assert result["reward"] == 0
    assert "assigned" in [line["criterion"] for line in result["ledger"]]


def test_why_a_task_is_hard_is_said_only_where_it_is_asked_for(command: Commands, places: dict[str, Path]) -> None:
    plain, asked = command("tasks", places["package"]), command("tasks", places["package"], "--json")
    why = command("tasks", places["package"], "--why", "--json")

    assert "stale" not in plain.out
    assert "hard" not in plain.out + asked.out
    assert "the help page's number for the hold is stale" in why.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "{package}", "--task", "release-the-seats", "--agent", "oracle", "--out", "{new}"),
        ("run", "{package}", "--task", "release-the-seats", "--agent", "noop", "--out", "{new}"),
    ],
)
def test_a_task_that_runs_code_is_not_begun_without_a_sandbox(
    command: Commands,
    places: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
) -> None:
    monkeypatch.setenv(BUBBLEWRAP, str(tmp_path / "bwrap"))
    done = command(*filled(arguments, places, tmp_path / "new"), "--json")

    error = done.document["error"]
    assert isinstance(error, dict)
    assert (done.code, error["kind"]) == (2, "sandbox_unavailable")
    assert "release-the-seats runs code (terminal, unit_tests)" in str(error["message"])
    assert "apt-get install bubblewrap" in str(error["message"])
    assert list(tmp_path.iterdir()) == []


def test_a_task_that_runs_no_code_needs_no_sandbox(
    command: Commands, places: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(BUBBLEWRAP, str(tmp_path / "bwrap"))
    done = command(*filled((*RUN, "--agent", "oracle"), places, tmp_path / "runs"), "--json")

    assert done.code == 0


def test_help_names_the_agents_and_gives_switches_no_value(command: Commands) -> None:
    done = command("run", "--help")

    assert done.code == 0
    words = " ".join(done.out.replace("│", " ").split())
    assert all(name in words for name in ("oracle", "noop", "random", "lazy", "llm"))
    assert "bool" not in words


def test_the_version_is_printed(command: Commands) -> None:
    done = command("--version")

    assert (done.code, done.out.split()[0]) == (0, "brownout")
