"""A folder of worlds and runs in every state that the studio shows, made once by Brownout's own commands."""

import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import copytree, rmtree
from typing import Final

from brownout.annotations import AnnotationStore, Draft
from brownout.catalog import find_spec

__all__ = ["EMPTY", "FULL", "made_folders"]

FULL: Final = "full"
EMPTY: Final = "empty"
_TASK: Final = "aws-down-slack-down"
_SMALL_TASK: Final = "find-the-change"
_RUNS: Final = (
    ("lark", _TASK, "oracle"),
    ("lark", _TASK, "oracle", "--stop-after", "12"),
    ("lark", _TASK, "noop"),
    ("lark", _TASK, "lazy", "--answer", "status-page-only"),
    ("lark", "who-decided", "oracle"),
    ("penny", _SMALL_TASK, "oracle"),
    ("penny", _SMALL_TASK, "noop"),
    ("penny", _SMALL_TASK, "lazy", "--answer", "last-to-touch-the-code"),
    ("penny", _SMALL_TASK, "llm", "--model", "openai/nobody", "--base-url", "http://127.0.0.1:9/v1", "--patience", "0"),
    ("penny", "mend-the-help-page", "oracle"),
    ("penny", "release-the-seats", "noop"),
)


def made_folders(home: Path) -> None:
    """Make what is not there yet.

    `full/worlds` has lark (larkspur's text, built), penny (tiny's, built), stale (changed since it was built), fresh (never built), broken (two
    mistakes) and loose (a lazy script earns everything); `full/runs` has runs that passed, failed, were given up by the environment and
    never ended, with what two annotators say of them. `empty` has neither worlds nor runs.
    """
    full = home / FULL
    for folder in (home / EMPTY / "worlds", home / EMPTY / "runs"):
        folder.mkdir(parents=True, exist_ok=True)
    if (full / "made").is_file():
        return
    rmtree(full, ignore_errors=True)
    lark = _copied(full, "larkspur", "lark")
    penny, stale, _, broken, loose = (
        _copied(full, "tiny", name) for name in ("penny", "stale", "fresh", "broken", "loose")
    )
    solution = loose / "tasks" / _SMALL_TASK / "oracle.yaml"
    (solution.parent / "lazy" / "as-the-solution.yaml").write_bytes(solution.read_bytes())
    for folder in (lark, penny, stale, loose):
        _brownout(full, "build", str(folder))
    _replaced(stale / "world.yaml", "small rooms", "very small rooms")
    _replaced(broken / "people.yaml", "manager: priya", "manager: priyq")
    _replaced(broken / "people.yaml", "voice: terse", "voise: terse")
    for world, task, agent, *more in _RUNS:
        _brownout(full, "run", f"worlds/{world}", "--task", task, "--agent", agent, *more)
    copytree(full / "runs" / f"{_SMALL_TASK}-oracle-s0", full / "runs" / "cut-off")
    (full / "runs" / "cut-off" / "run.json").unlink()
    _annotated(full / "runs")
    (full / "made").touch()


def _copied(home: Path, world: str, name: str) -> Path:
    folder = home / "worlds" / name
    copytree(find_spec(world), folder)
    text = (folder / "world.yaml").read_text("utf-8")
    (folder / "world.yaml").write_text(re.sub(r"(?m)^world: .*$", f"world: {name}", text, count=1), "utf-8")
    return folder


def _replaced(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    if old not in text:
        raise SystemExit(f"{path} no longer says {old!r}")
    path.write_text(text.replace(old, new, 1), "utf-8")


def _brownout(home: Path, *words: str) -> None:
    """A run that fails to be graded is what is wanted of some, so the code is not looked at."""
    print(f"brownout {' '.join(words)}", flush=True)
    command = [sys.executable, "-c", "from brownout.cli import main; main()", *words]
    subprocess.run(command, cwd=home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def _annotated(runs: Path) -> None:
    """Two people's annotations, alike and not."""
    at = datetime(2026, 11, 25, 9, tzinfo=UTC)
    store = AnnotationStore(runs / "annotations", now=lambda: at)
    for number, (author, wrong, label) in enumerate(
        (("Ada Byrne", 40, "left-undone"), ("Ben Osei", 43, "missed-surface"))
    ):
        at += timedelta(minutes=number)
        for run in (f"{_TASK}-lazy-s0", f"{_TASK}-oracle-s0-2", f"{_SMALL_TASK}-noop-s0"):
            same = run.endswith("noop-s0")
            store.add(
                author,
                Draft(run=run, kind="first_error", step=wrong, call=10 if same else wrong // 4),
                Draft(run=run, kind="label", step=wrong, call=10 if same else wrong // 4, value=label),
                Draft(run=run, kind="note", text="It told the status page and nobody else."),
                Draft(run=run, kind="done"),
            )
