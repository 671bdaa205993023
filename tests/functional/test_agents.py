"""Agents and the runner: chance earns nothing, a killed run loses and doubles nothing."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import brownout
from brownout.engine.world import World
from brownout.rollouts.recorder import read_run, read_runs
from tests.functional.playing import marked, marked_tasks, play
from worlds.package import Package
from worlds.spec.case_scripts import CaseKind


@pytest.mark.parametrize("task", marked_tasks())
def test_chance_earns_nothing(tiny: World, tmp_path: Path, task: str) -> None:
    rewards = [play(tiny, tmp_path / str(seed), task, "random", seed=seed).reward or 0.0 for seed in range(20)]

    assert sum(rewards) / len(rewards) <= 0.05
    assert max(rewards) <= 0.2


def scripts(kind: CaseKind) -> list[object]:
    package = brownout.open_package("tiny")
    return [marked(task, name) for task in package.tasks for name in package.cases(task, kind)]


@pytest.mark.parametrize(("task", "script"), scripts("lazy"))
def test_laziness_does_not_pay(tiny: World, tmp_path: Path, task: str, script: str) -> None:
    result = play(tiny, tmp_path / "run", task, "lazy", answer=script)

    assert result.status == "ok", result.failure
    assert result.reward is not None
    assert result.reward <= 0.2, result.ledger


def test_every_task_has_five_lazy_scripts(tiny_package: Package) -> None:
    assert all(len(tiny_package.cases(task, "lazy")) >= 5 for task in tiny_package.tasks)


@pytest.mark.parametrize(("task", "script"), scripts("good"))
def test_honest_work_of_another_kind_pays_in_full(tiny: World, tmp_path: Path, task: str, script: str) -> None:
    result = play(tiny, tmp_path / "run", task, "good", answer=script)

    assert result.reward == 1.0, (result.failure, result.ledger)


def test_every_task_has_six_good_scripts(tiny_package: Package) -> None:
    assert all(len(tiny_package.cases(task, "good")) >= 6 for task in tiny_package.tasks)


def command(out: Path, *more: str) -> list[str]:
    run = ["run", "tiny", "--task", "find-the-change", "--agent", "random", "--episodes", "12", "--concurrency", "2"]
    return [str(Path(sys.executable).parent / "brownout"), *run, "--out", str(out), "--json", *more]


def rewards(stdout: str) -> list[tuple[int, float, int]]:
    return [(run["seed"], run["reward"], run["steps"]) for run in json.loads(stdout)["runs"]]


def test_a_killed_run_goes_on_with_nothing_lost_or_doubled(tmp_path: Path) -> None:
    whole = subprocess.run(command(tmp_path / "whole"), capture_output=True, text=True, check=True)
    killed = subprocess.Popen(command(tmp_path / "killed", "--resume"), stdout=subprocess.DEVNULL)
    while len(list((tmp_path / "killed").glob("*/run.json"))) < 3 and killed.poll() is None:
        time.sleep(0.002)
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    finished = {path: path.stat().st_mtime_ns for path in (tmp_path / "killed").glob("*/run.json")}

    again = subprocess.run(command(tmp_path / "killed", "--resume"), capture_output=True, text=True, check=True)

    assert rewards(again.stdout) == rewards(whole.stdout)
    assert len(read_runs(tmp_path / "killed")) == 12
    assert all(path.stat().st_mtime_ns == then for path, then in finished.items())


def test_a_log_cut_in_the_middle_is_a_gap_not_a_crash(tiny: World, tmp_path: Path) -> None:
    play(tiny, tmp_path / "run", "find-the-change", "oracle")
    log = tmp_path / "run" / "trajectory.jsonl"
    log.write_bytes(log.read_bytes()[:-40])

    assert read_run(tmp_path / "run").events[-1].kind == "gap"
