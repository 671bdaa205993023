"""Runs in the formats of others, held against the others' own readers and validators."""

import asyncio
import json
import subprocess
from pathlib import Path

import pytest

from brownout.engine.world import World
from brownout.rollouts.agent_options import AgentOptions
from brownout.rollouts.recorder import read_run
from brownout.rollouts.runner import Episode, run_episodes
from brownout.trajectories.conversation import conversation_of
from brownout.trajectories.formats import convert_run
from brownout.trajectories.inspect_log import to_inspect
from tests.frameworks.environment import Environment, environment_with
from worlds.package import Package

pytestmark = pytest.mark.frameworks

_WRITES = """
import json, sys
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
write_eval_log(EvalLog.model_validate(json.load(open(sys.argv[1]))), sys.argv[2])
log = read_eval_log(sys.argv[2])
sample = log.samples[0]
print(json.dumps({"status": log.status, "reward": sample.scores["reward"].value, "messages": len(sample.messages)}))
"""
_VALIDATES = """
import json, sys
from harbor.models.trajectories import Trajectory
print(len(Trajectory.model_validate(json.load(open(sys.argv[1]))).steps))
"""


@pytest.fixture(scope="module")
def played(tiny_package: Package, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played") / "find"
    with World(tiny_package, hot=2) as world:
        asyncio.run(run_episodes(world, [Episode("find-the-change", "oracle", 0, AgentOptions(), folder)]))
    return folder


def _said(environment: Environment, script: str, *arguments: Path) -> str:
    done = subprocess.run(
        [str(environment.python), "-c", script, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_inspect_reads_the_log_of_a_run(played: Path, tmp_path: Path) -> None:
    talk = conversation_of(read_run(played))
    source = tmp_path / "document.json"
    source.write_text(json.dumps(to_inspect(talk, "find")))
    with environment_with(["inspect-ai==0.3.285"]) as inspect:
        said = json.loads(_said(inspect, _WRITES, source, tmp_path / "run.eval"))
    assert said["status"] == "success" and said["reward"] == 1.0 and said["messages"] > 20


def test_an_atif_document_passes_harbors_validator(played: Path, tmp_path: Path) -> None:
    place = convert_run(read_run(played), "atif", tmp_path / "run.json")
    # what Harbor itself asks for does not resolve everywhere; its models need no more than this
    pydantic = [
        "pydantic==2.14.4",
        "pydantic-core==2.50.5",
        "annotated-types",
        "typing-extensions",
        "typing-inspection",
    ]
    with environment_with(["harbor==0.24.0", *pydantic], "--no-deps", "--ignore-requires-python") as harbor:
        said = _said(harbor, _VALIDATES, place)
    assert int(said) == len(json.loads(place.read_bytes())["steps"])
