"""A reference solution uses nothing that it could not know: every name and number was asked for or seen before."""

from pathlib import Path

import pytest

from brownout.core.trajectory import ToolCallEvent
from brownout.engine.world import World
from brownout.qa.unknown_literals import unknown_literals
from brownout.rollouts.recorder import read_run
from tests.functional.playing import marked_tasks, play


@pytest.mark.parametrize("task", marked_tasks())
def test_every_literal_was_known(tiny: World, tmp_path: Path, task: str) -> None:
    play(tiny, tmp_path / "run", task, "oracle")
    session = tiny.open_session(task)

    assert unknown_literals(session.instructions, session.tools, read_run(tmp_path / "run").events) == []


@pytest.mark.parametrize(
    ("label", "unknown"),
    [
        ("until-2026-07-22", []),
        ("2026/07/22", []),
        ("since-2026-07-22", ["since-2026-07-22"]),
        ("until-2026-07", ["until-2026-07"]),
    ],
)
def test_a_day_may_be_counted(label: str, unknown: list[str]) -> None:
    call = ToolCallEvent(seq=1, at=0, call_id="1", name="jira_update_issue", arguments={"labels": [label]}, turn=1)

    assert [found.word for found in unknown_literals("Three months until then.", [], [call])] == unknown
