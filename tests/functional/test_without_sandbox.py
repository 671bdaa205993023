"""Where there is no sandbox: what needs one is refused before it begins, and one that goes away midway leaves a record."""

from pathlib import Path

import pytest

from brownout.core.errors import SandboxUnavailable
from brownout.engine.session import Session
from brownout.engine.world import World
from brownout.rollouts import runner
from brownout.rollouts.agent_options import AgentOptions
from brownout.rollouts.agents import Agent, OracleAgent
from brownout.rollouts.recorder import read_run
from brownout.rollouts.replay import regrade, replay
from brownout.rollouts.sandbox_needs import check_sandbox, code_runners
from brownout.sandbox.launch import BUBBLEWRAP
from tests.functional.playing import NEEDS_SANDBOX, play

TASK = "release-the-seats"


@pytest.fixture
def hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bubblewrap is not there, however it is looked for."""
    monkeypatch.setenv(BUBBLEWRAP, str(tmp_path / "bwrap"))


def test_the_tasks_that_need_a_sandbox_are_known(tiny: World) -> None:
    assert {task for task in tiny.package.tasks if code_runners(tiny.package, task)} == NEEDS_SANDBOX
    assert code_runners(tiny.package, TASK) == ["terminal", "unit_tests"]
    assert code_runners(tiny.package, TASK, frozenset({"unit_tests"})) == ["terminal"]


def test_nothing_is_written_where_a_task_cannot_be_played(tiny: World, tmp_path: Path, hidden: None) -> None:
    with pytest.raises(SandboxUnavailable, match=r"release-the-seats runs code .*apt-get install bubblewrap"):
        play(tiny, tmp_path / "run", TASK, "noop")

    assert not (tmp_path / "run").exists()
    check_sandbox(tiny.package, "find-the-change")


class Typist:
    """An agent that runs a command."""

    async def play(self, session: Session) -> None:
        session.call("terminal_run", {"command": "true"})
        session.submit("Done.")


@pytest.mark.parametrize("agent", [Typist(), OracleAgent(AgentOptions())])
def test_a_sandbox_that_goes_away_leaves_a_record_with_the_reason(
    tiny: World, tmp_path: Path, hidden: None, monkeypatch: pytest.MonkeyPatch, agent: Agent
) -> None:
    monkeypatch.setattr(runner, "check_sandbox", lambda *_: None)
    monkeypatch.setattr(runner, "make_agent", lambda *_: agent)
    result = play(tiny, tmp_path / "run", TASK, "any")

    assert result.reward is None
    assert "sandbox_unavailable: " in str(result.failure)
    assert "apt-get install bubblewrap" in str(result.failure)
    assert read_run(tmp_path / "run").result == result


def test_a_run_that_ran_code_is_neither_replayed_nor_judged(
    tiny: World, tmp_path: Path, hidden: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(runner, "check_sandbox", lambda *_: None)
        play(tiny, tmp_path / "run", TASK, "noop", answer="Done.")
    stored = read_run(tmp_path / "run")

    for again in (replay, regrade):
        with pytest.raises(SandboxUnavailable, match="release-the-seats runs code"):
            again(tiny, stored)
