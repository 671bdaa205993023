"""The verifiers export, run by its own commands: validated without a model, and evaluated with a scripted one."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from brownout.exporters.exporter import export_world
from tests.frameworks.environment import Environment, environment_for, readme_commands
from tests.frameworks.parity import Recorded, ledger_of, recorded_actions
from tests.frameworks.policy import ScriptedPolicy, Step
from worlds.package import Package

pytestmark = [pytest.mark.frameworks, pytest.mark.sandbox]


@pytest.fixture(scope="module")
def export(tiny_package: Package, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export_world("verifiers", tiny_package, tmp_path_factory.mktemp("verifiers") / "tiny")


@pytest.fixture(scope="module")
def verifiers(export: Path) -> Iterator[Environment]:
    with environment_for(export) as environment:
        yield replace(environment, settings={"BROWNOUT_EVALUATION": str(export / "brownout_tiny-evaluation.zip")})


@pytest.fixture(scope="module")
def recorded(tiny_package: Package, tmp_path_factory: pytest.TempPathFactory) -> list[Recorded]:
    return recorded_actions(tiny_package, tmp_path_factory.mktemp("recorded"), seed=0)


def test_the_frameworks_own_validation_passes(verifiers: Environment, tmp_path: Path) -> None:
    done = verifiers.run("vf-validate brownout-tiny --runtime.type subprocess --no-rich", cwd=tmp_path)
    [results] = tmp_path.rglob("results.jsonl")
    rows = [json.loads(line) for line in results.read_text().splitlines()]

    assert done.returncode == 0, done.stdout + done.stderr
    assert [row["reason"] for row in rows] == ["valid"] * 3


def test_a_machine_without_solutions_can_still_check_that_idling_earns_nothing(
    verifiers: Environment, tmp_path: Path
) -> None:
    command = "vf-validate brownout-tiny --only-noop --runtime.type subprocess --no-rich"
    done = verifiers.run(command, cwd=tmp_path, BROWNOUT_EVALUATION=str(tmp_path / "nowhere"))

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("number", [0, 1, 5])
def test_a_policy_is_worth_there_what_its_actions_are_worth_here(
    verifiers: Environment, export: Path, tiny_package: Package, recorded: list[Recorded], number: int, tmp_path: Path
) -> None:
    chosen = {each.script.row.task: each for each in recorded[number::7]}
    scripts: dict[str, list[Step]] = {
        tiny_package.task(task).prompt[:30]: [*([(call.name, call.arguments)] for call in each.script.calls), ""]
        for task, each in chosen.items()
    }
    with ScriptedPolicy(scripts) as policy:
        variables = {"POLICY_BASE_URL": policy.base_url, "POLICY_API_KEY": "any", "POLICY_MODEL": "scripted"}
        done = verifiers.run(readme_commands(export)[2], cwd=tmp_path, **variables)
    traces = [trace for path in tmp_path.rglob("traces.jsonl") for trace in read_traces(path)]

    assert done.returncode == 0, done.stdout + done.stderr
    assert len(traces) == len(chosen) == 3, done.stdout
    for trace in traces:
        report = trace["info"]["brownout"]
        here = chosen[trace["task"]["data"]["row"]["task"]].result
        assert report["reward"] == pytest.approx(here.reward, abs=1e-9)
        assert ledger_of(report) == ledger_of(here)
        assert trace["rewards"]["reward"]["score"] == pytest.approx(here.reward, abs=1e-9)


def read_traces(path: Path) -> list[Any]:
    """The traces of a file of episodes."""
    episodes = [json.loads(line) for line in path.read_text().splitlines()]
    return [trace for episode in episodes for trace in episode.get("traces", [episode])]
