"""Episodes played in several processes."""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from types import ModuleType

import orjson
import pytest

from brownout.core.errors import RunTaken, UsageError
from brownout.engine.world import World
from brownout.rollouts.agent_options import AgentOptions
from brownout.rollouts.recorder import Recorder, RunResult
from brownout.rollouts.runner import Episode, run_episodes
from brownout.rollouts.workers import run_in_workers
from tests.functional.commands import Commands
from worlds.package import Package


@pytest.fixture(autouse=True)
def a_main_without_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """A spawned process runs the file of `__main__`, which is a page of the studio where one was drawn in this process before."""
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))


def _plan(folder: Path, seeds: range, agent: str = "random") -> list[Episode]:
    return [Episode("find-the-change", agent, seed, AgentOptions(seed=seed), folder / f"s{seed}") for seed in seeds]


def _comparable(results: list[RunResult]) -> list[dict[str, object]]:
    return [result.model_dump(exclude={"run", "package_folder"}) for result in results]


def test_one_process_and_three_give_the_same_results_and_the_same_logs(tiny_package: Package, tmp_path: Path) -> None:
    with World(tiny_package, hot=4) as world:
        alone = asyncio.run(run_episodes(world, _plan(tmp_path / "alone", range(4))))
    told: list[int] = []
    shared = run_in_workers(
        tiny_package, _plan(tmp_path / "shared", range(4)), workers=3, progress=lambda result: told.append(result.seed)
    )
    assert _comparable(shared) == _comparable(alone)
    assert sorted(told) == [0, 1, 2, 3]
    for seed in range(4):
        logs = [(tmp_path / kind / f"s{seed}" / "trajectory.jsonl").read_bytes() for kind in ("alone", "shared")]
        assert logs[0] == logs[1]


def test_killed_workers_cost_their_own_episodes_only(tiny_package: Package, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    ended: list[RunResult] = []

    def kill_all_once(result: RunResult) -> None:
        ended.append(result)
        if not victim.exists():
            victim.touch()
            children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
            players = [pid for pid in children if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text()]
            for player in players:
                os.kill(int(player), signal.SIGKILL)

    results = run_in_workers(
        tiny_package, _plan(tmp_path / "runs", range(8)), workers=2, concurrency=2, progress=kill_all_once
    )
    lost = [result for result in results if result.failure is not None]
    assert len(results) == 8 == len(ended)
    assert 1 <= len(lost) <= 2
    for result in lost:
        assert (result.status, result.reward) == ("env_error", None)
        assert result.failure is not None and result.failure.startswith("worker_lost: ")
        assert not (Path(result.run) / "run.json").exists()  # so that --resume plays it


def test_an_episode_that_cannot_be_played_is_refused_before_any_process_begins(
    tiny_package: Package, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="needs --model"):
        run_in_workers(tiny_package, _plan(tmp_path, range(3), agent="llm"), workers=2)
    assert not any(tmp_path.iterdir())


def test_a_second_runner_on_a_run_is_refused_and_touches_nothing(tiny_package: Package, tmp_path: Path) -> None:
    folder = tmp_path / "s0"
    with (
        World(tiny_package, hot=2) as world,
        Recorder(folder) as first,
        world.open_session("find-the-change", sink=first),
    ):
        before = (folder / "trajectory.jsonl").read_bytes()
        assert before
        with pytest.raises(RunTaken, match="another runner is writing"):
            Recorder(folder)
        (result,) = asyncio.run(run_episodes(world, _plan(tmp_path, range(1))))
        assert result.reward is None and result.failure is not None and result.failure.startswith("run_taken: ")
        assert (folder / "trajectory.jsonl").read_bytes() == before
    Recorder(folder).close()


def test_the_command_line_plays_in_workers(tmp_path: Path, command: Commands) -> None:
    words = ("run", "tiny", "--task", "find-the-change", "--agent", "noop", "--episodes", "3", "--workers", "2")
    done = command(*words, "--out", str(tmp_path), "--json")
    runs = orjson.loads(done.out)["runs"]
    assert done.code == 0 and [run["reward"] for run in runs] == [0.0, 0.0, 0.0]
    assert json.loads((tmp_path / "find-the-change-noop-s2" / "run.json").read_text())["seed"] == 2
