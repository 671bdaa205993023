"""A reference solution uses nothing that it could not know: every name and number was asked for or seen before."""

from pathlib import Path

import pytest

from brownout.engine.world import World
from brownout.qa.literals import unknown_literals
from brownout.rollouts.recorder import read_run
from tests.functional.playing import marked_tasks, play


@pytest.mark.parametrize("task", marked_tasks())
def test_every_literal_was_known(tiny: World, tmp_path: Path, task: str) -> None:
    play(tiny, tmp_path / "run", task, "oracle")
    session = tiny.open_session(task)

    assert unknown_literals(session.instructions, session.tools, read_run(tmp_path / "run").events) == []
