"""Larkspur's tasks: what the reference solution is worth, and doing nothing. `make qa` asks for more."""

from pathlib import Path

import pytest

from brownout.catalog import find_spec
from brownout.core.errors import SandboxUnavailable
from brownout.engine.world import World
from brownout.qa.unknown_literals import unknown_literals
from brownout.rollouts.recorder import read_run
from brownout.rollouts.sandbox_needs import check_sandbox
from tests.functional.playing import play

TASKS = sorted(path.name for path in (find_spec("larkspur") / "tasks").iterdir())


@pytest.fixture
def task(request: pytest.FixtureRequest, larkspur: World) -> str:
    """A task's name; one that runs code is skipped, saying what to install, where there is no sandbox."""
    try:
        check_sandbox(larkspur.package, request.param)
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    return str(request.param)


@pytest.mark.parametrize("task", TASKS, indirect=True)
def test_the_reference_solution_earns_everything_with_what_it_could_know(
    larkspur: World, tmp_path: Path, task: str
) -> None:
    result = play(larkspur, tmp_path / "run", task, "oracle")

    assert (result.reward, result.failure) == (1.0, None), result.ledger
    with larkspur.open_session(task) as session:
        assert unknown_literals(session.instructions, session.tools, read_run(tmp_path / "run").events) == []


@pytest.mark.parametrize("task", TASKS, indirect=True)
def test_saying_that_it_is_done_earns_nothing(larkspur: World, tmp_path: Path, task: str) -> None:
    result = play(larkspur, tmp_path / "run", task, "noop", answer="Done, resolved.")

    assert result.reward == 0.0, result.ledger
