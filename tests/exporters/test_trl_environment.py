"""TRL's environments without TRL: what is at fault when there is no reward, and which tokens a trainer showed."""

import errno
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from brownout.core.errors import ExportError, GradingError, SandboxUnavailable, StoreLost
from brownout.core.values import JsonObject
from brownout.engine.session import Session
from brownout.exporters.trl.environment import TaskEnvironment, criterion_functions, environments, reward
from brownout.exporters.trl.tokens import log_tokens
from brownout.sandbox.launch import BUBBLEWRAP
from brownout.trajectories.growing_prompts import check_token_file

TASK = "find-the-change"
DONE: list[list[JsonObject]] = [[{"role": "assistant", "content": "Done."}]]


@pytest.fixture
def environment(exported: Path) -> TaskEnvironment:
    found = environments(exported / "brownout_tiny")[TASK]()
    found.reset(seed=0)
    return found


def all_rewards(exported: Path, environment: TaskEnvironment) -> list[float | None]:
    """The reward, and every criterion's value."""
    functions = [reward, *criterion_functions(exported / "brownout_tiny")]
    return [function(DONE, [environment])[0] for function in functions]


def test_a_task_that_needs_a_sandbox_is_refused_at_its_reset_where_there_is_none(
    exported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(BUBBLEWRAP, str(tmp_path / "bwrap"))
    found = environments(exported / "brownout_tiny")

    with pytest.raises(SandboxUnavailable, match=r"release-the-seats runs code .*apt-get install bubblewrap"):
        found["release-the-seats"]().reset(seed=0)
    found[TASK]().reset(seed=0)


@pytest.mark.parametrize("error", [StoreLost("gone"), OSError(errno.ENOSPC, "full"), MemoryError()])
def test_a_call_that_the_machine_fails_at_leaves_no_reward_though_trl_goes_on(
    error: Exception, exported: Path, environment: TaskEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(Session, "steps", fail)
        with pytest.raises(type(error)):  # TRL shows it to the model
            environment._call("notices_list", {})
    environment._call("notices_list", {})

    assert set(all_rewards(exported, environment)) == {None}
    environment.reset(seed=0)
    assert all_rewards(exported, environment)[0] == 0.0


@pytest.mark.parametrize("error", [StoreLost("gone"), GradingError("no"), OSError(errno.EIO, "broken")])
def test_an_episode_that_cannot_be_judged_has_no_reward_and_the_others_have_theirs(
    error: Exception, exported: Path, environment: TaskEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    other = environments(exported / "brownout_tiny")[TASK]()
    other.reset(seed=1)
    assert other._finish("Done.") is not None
    monkeypatch.setattr(Session, "grading", fail)

    assert reward([*DONE, *DONE], [environment, other]) == [None, 0.0]


def test_a_mistake_in_our_own_code_is_not_hidden_as_the_environments(
    environment: TaskEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Session, "grading", fail)

    with pytest.raises(ZeroDivisionError):
        reward(DONE, [environment])


def test_hostile_arguments_are_answered_and_cost_the_agent_not_the_run(
    exported: Path, environment: TaskEnvironment
) -> None:
    hostile: list[JsonObject] = [
        {"body": "x" * 10_000_000},
        {"channel": {"a": [1, 2]}},
        {"channel": 3},
        {"nothing": None},
    ]
    for arguments in hostile:
        assert "error" in environment._call("slack_send_message", arguments).lower()
    assert environment._call("no_such_tool", {})

    assert all_rewards(exported, environment)[0] == 0.0


class Trainer:
    """Samples as TRL's trainer does: a batch of prompts, then those rollouts that go on, as it is told."""

    def __init__(self, turns: Sequence[list[list[int]]]) -> None:
        self.turns = turns

    def _generate(self) -> None:
        for prompts in self.turns:
            self._generate_single_turn([*prompts], None)

    def _generate_single_turn(self, prompt_ids: list[list[int]], images: None) -> tuple[list[list[int]], None]:
        return [[9] for _ in prompt_ids], None


def test_each_rollouts_tokens_are_noted_as_an_episode_of_its_own(tmp_path: Path) -> None:
    trainer = Trainer([[[1], [1], [2]], [[1, 9, 5], [2, 9, 6]], [[2, 9, 6, 9, 7]]])
    log_tokens(trainer, tmp_path / "log" / "tokens.jsonl")
    trainer._generate()
    trainer._generate()
    lines = [json.loads(line) for line in (tmp_path / "log" / "tokens.jsonl").read_text().splitlines()]

    assert [line["episode"] for line in lines] == ["1", "2", "3", "1", "3", "3", "4", "5", "6", "4", "6", "6"]
    report = check_token_file(tmp_path / "log" / "tokens.jsonl")
    assert (report.episodes, report.prompts, report.breaks) == (6, 12, ())


def test_a_prompt_that_breaks_with_its_past_is_noted_under_the_rollout_it_is_most_like(tmp_path: Path) -> None:
    trainer = Trainer([[[1, 2, 3, 4], [5, 6, 7, 8]], [[5, 6, 7, 0, 9]]])
    log_tokens(trainer, tmp_path / "tokens.jsonl")
    trainer._generate()

    [found] = check_token_file(tmp_path / "tokens.jsonl").breaks
    assert (found.episode, found.prompt, found.why) == ("2", 2, "has 0 as token 3, which was 8 before")


def test_a_trainer_that_samples_elsewhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"expected the GRPOTrainer of trl==1.16.0"):
        log_tokens(object(), tmp_path / "tokens.jsonl")
