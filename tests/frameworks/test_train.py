"""docs/train.md, followed: one step of GRPO in TRL with a tiny random model on a CPU."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree
from statistics import mean

import pytest

from brownout.core.values import JsonObject
from brownout.exporters.exporter import export_world
from brownout.exporters.inside.opened_export import open_export
from brownout.exporters.smoke_test import solution
from brownout.trajectories.growing_prompts import check_token_file
from tests.frameworks.environment import Environment, environment_for
from worlds.package import Package

pytestmark = [pytest.mark.frameworks, pytest.mark.sandbox]

ROOT = Path(__file__).parents[2]
TASK = "find-the-change"


@dataclass(frozen=True)
class Trained:
    """A step that was taken.

    Attributes:
        export: its folder; `one_step` in it is what the script wrote.
        said: the script's last line.
    """

    export: Path
    environment: Environment
    said: JsonObject


def documented_commands() -> list[str]:
    """The shell blocks of docs/train.md: build and export, install, train, check."""
    return re.findall(r"^```sh\n(.*?)^```$", (ROOT / "docs" / "train.md").read_text(), re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def trained(tiny_package: Package, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trained]:
    room = tmp_path_factory.mktemp("train")
    copytree(ROOT / "examples" / "train", room / "examples" / "train")
    export = export_world("trl", tiny_package, room / "tiny-trl")
    with environment_for(export) as environment:
        done = environment.run(documented_commands()[2], cwd=export)
        assert done.returncode == 0, done.stdout + done.stderr
        yield Trained(export, environment, json.loads(done.stdout.splitlines()[-1]))


def earned(export: Path, solves: Sequence[bool]) -> list[dict[str, float]]:
    """What rollouts that solve the first task, or give up, are worth here: the reward and each criterion."""
    found = []
    with open_export(export / "brownout_tiny") as world:
        row = next(row for row in world.rows if row.task == TASK)
        for number, solved in enumerate(solves):
            episode = world.open(f"here {number}", TASK, seed=row.seed)
            for call in solution(world, row).calls if solved else ():
                episode.call(call.name, call.arguments)
            if not solved:
                episode.say("I do not know.")
            outcome = episode.finish(world.grading)
            found.append({"reward": outcome.reward, **outcome.scores})
            world.release(f"here {number}")
    return found


def test_the_trainer_finished_a_step_and_every_weight_moved(trained: Trained) -> None:
    assert trained.said["steps"] == 1
    assert trained.said["changed"] == trained.said["of"] == 25
    assert trained.said["grad_norm"] != 0.0


def test_rewards_and_criteria_are_those_of_the_same_actions_here(trained: Trained) -> None:
    here = earned(trained.export, [True, False])

    assert [each["reward"] for each in here] == [1.0, 0.0]
    for name in here[0]:
        assert trained.said[f"rewards/{name}/mean"] == pytest.approx(mean(each[name] for each in here)), name
    assert trained.said["tools/failure_frequency"] == 0.0


def test_each_prompt_of_the_step_begins_with_the_tokens_seen_before(trained: Trained) -> None:
    report = check_token_file(trained.export / "one_step" / "tokens.jsonl")
    done = trained.environment.run(documented_commands()[3], cwd=trained.export)

    assert (report.episodes, report.unit, report.breaks) == (2, "tokens", ())
    assert report.prompts > 20
    assert (done.returncode, done.stdout) == (
        0,
        f"{report.prompts} prompts in 2 episodes, compared by tokens: no breaks\n",
    )


def test_a_token_that_was_shown_otherwise_is_found_in_the_log(trained: Trained, tmp_path: Path) -> None:
    lines = (trained.export / "one_step" / "tokens.jsonl").read_text().splitlines()
    spoiled = json.loads(lines[-1])
    spoiled["prompt_ids"][1000] += 1
    (tmp_path / "tokens.jsonl").write_text("\n".join([*lines[:-1], json.dumps(spoiled)]))

    [found] = check_token_file(tmp_path / "tokens.jsonl").breaks
    assert (found.prompt, "as token 1000" in found.why) == (len(lines) - 1, True)
