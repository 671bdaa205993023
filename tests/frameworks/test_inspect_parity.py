"""Inspect gives the same actions the same reward, to the letter of the ledger, however many samples play at once."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from brownout.core.values import JsonObject
from brownout.exporters.export_request import ExportRequest
from brownout.exporters.exporter import export_world
from brownout.testing.fake_openai import FakeOpenAI, Reply
from tests.frameworks.environment import Environment, environment_for
from tests.frameworks.inspect_log import Log, read_log
from tests.frameworks.parity import Recorded, ledger_of, recorded_actions
from tests.frameworks.policy import completion_of
from tests.frameworks.test_parity import OUTAGE
from worlds.package import Package

pytestmark = [pytest.mark.frameworks, pytest.mark.sandbox]

TASK = "mend-the-help-page"
AT_ONCE = 50


class RecordedPolicy(FakeOpenAI):
    """Plays recorded episodes: which one is said by the model's name and the task's prompt.

    Where one ends the conversation no longer fits the model. So the agent stops as the recorded one did, without a word.
    """

    def __init__(self, recorded: Mapping[tuple[str, str], Recorded]) -> None:
        super().__init__("unused")
        self._recorded = recorded

    def next_reply(self, body: JsonObject) -> Reply:
        self.requests.append(body)
        messages = json.loads(json.dumps(body["messages"]))
        asked = messages[0]["content"]
        calls = next(
            each.script.calls
            for (model, prompt), each in self._recorded.items()
            if model == body["model"] and prompt in asked
        )
        turn = [message["role"] for message in messages].count("assistant")
        if turn < len(calls):
            step = [(calls[turn].name, dict(calls[turn].arguments))]
            return Reply(json.dumps(completion_of(step, turn)), is_raw=True)
        error = {"message": "too long", "type": "invalid_request_error", "code": "context_length_exceeded"}
        return Reply(json.dumps({"error": error}), status=400, is_raw=True)


@dataclass(frozen=True)
class Evaluated:
    """Recorded episodes and what an evaluation made of them, in the same order."""

    recorded: Sequence[Recorded]
    log: Log


def evaluated(
    inspect: Environment, module: str, package: Package, recorded: Sequence[Recorded], folder: Path
) -> list[Evaluated]:
    """What Inspect makes of recorded episodes: the first one of each task in one evaluation, the second ones in another …"""
    ofs = {task: [each for each in recorded if each.script.row.task == task] for task in package.tasks}
    found = []
    for number in range(max(map(len, ofs.values()))):
        chosen = [each[number] for each in ofs.values() if number < len(each)]
        scripts = {("recorded", package.task(each.script.row.task).prompt[:30]): each for each in chosen}
        place = folder / str(number)
        place.mkdir(parents=True)
        with RecordedPolicy(scripts) as policy:
            tasks = ",".join(each.script.row.task for each in chosen)
            command = f"inspect eval {module}/world --model openai-api/policy/recorded -T seed=3 -T task={tasks}"
            done = inspect.run(command, cwd=place, POLICY_BASE_URL=policy.base_url, POLICY_API_KEY="any")
        assert done.returncode == 0, done.stdout + done.stderr
        found.append(Evaluated(chosen, read_log(place)))
    return found


def assert_same(evaluations: Sequence[Evaluated]) -> None:
    for each in evaluations:
        samples = {str(sample.trajectory[0]["task"]): sample for sample in each.log.samples}
        for recorded in each.recorded:
            sample = samples[recorded.script.row.task]
            assert sample.reward == pytest.approx(recorded.result.reward, abs=1e-9)
            assert ledger_of(sample.score.metadata) == ledger_of(recorded.result)


@pytest.fixture(scope="module")
def inspect(tiny_package: Package, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Environment]:
    export = export_world("inspect", tiny_package, tmp_path_factory.mktemp("inspect") / "tiny")
    with environment_for(export) as environment:
        yield replace(environment, settings={"BROWNOUT_EVALUATION": str(export / "brownout_tiny-evaluation.zip")})


@pytest.fixture(scope="module")
def tiny_actions(tiny_package: Package, tmp_path_factory: pytest.TempPathFactory) -> list[Recorded]:
    return recorded_actions(tiny_package, tmp_path_factory.mktemp("recorded"))


def test_recorded_actions_are_worth_what_they_were_here(
    inspect: Environment, tiny_package: Package, tiny_actions: list[Recorded], tmp_path: Path
) -> None:
    evaluations = evaluated(inspect, "brownout_tiny", tiny_package, tiny_actions, tmp_path)

    assert sum(len(each.log.samples) for each in evaluations) == len(tiny_actions) > 15
    assert {each.result.reward for each in tiny_actions} > {0.0, 1.0}
    assert_same(evaluations)


def test_so_are_those_of_a_task_with_an_outage(
    inspect: Environment, larkspur_package: Package, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    recorded = recorded_actions(larkspur_package, tmp_path_factory.mktemp("recorded"), tasks=[OUTAGE])
    export = export_world("inspect", larkspur_package, tmp_path / "larkspur", ExportRequest([OUTAGE]))
    installed = inspect.run("python -m pip install --no-deps runtime/*.whl .", cwd=export)
    assert installed.returncode == 0, installed.stderr
    evaluations = evaluated(inspect, "brownout_larkspur", larkspur_package, recorded, tmp_path / "played")

    assert sum(len(each.log.samples) for each in evaluations) == len(recorded) > 3
    assert_same(evaluations)


def test_fifty_samples_at_once_are_worth_what_each_is_alone(
    inspect: Environment, tiny_package: Package, tiny_actions: list[Recorded], tmp_path: Path
) -> None:
    solved = next(each for each in tiny_actions if each.script.row.task == TASK and each.result.reward == 1.0)
    with RecordedPolicy({("recorded", tiny_package.task(TASK).prompt[:30]): solved}) as policy:
        at_once = f"--epochs {AT_ONCE} --max-samples {AT_ONCE} --max-connections {AT_ONCE}"
        command = f"inspect eval brownout_tiny/world --model openai-api/policy/recorded -T task={TASK} {at_once}"
        done = inspect.run(command, cwd=tmp_path, POLICY_BASE_URL=policy.base_url, POLICY_API_KEY="any")
    log = read_log(tmp_path)

    assert done.returncode == 0, done.stdout + done.stderr
    assert log.rewards == [1.0] * AT_ONCE
    turns = [json.dumps(body["messages"]).count('"role": "assistant"') for body in policy.requests]
    everybody_began = [number for number, turn in enumerate(turns) if turn == 0][-1]
    assert len(solved.script.calls) not in turns[:everybody_began]
