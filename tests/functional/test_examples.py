"""Every operation of a world shows an answer of it, or says why there is none."""

import pytest

from brownout.engine.world import World
from brownout.rollouts.operation_examples import Examples

_MOST_WITHOUT = 10
"""Percent of the operations for which the world may have no example."""


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("github_compare", "commits"),
        ("ops_get_metrics", "points"),
        ("slack_send_message", "message"),
        ("jira_create_issue", "key"),
        ("customers_list_notes", "results"),
        ("gmail_update_draft", "message"),
        ("calendar_get_event", "start"),
    ],
)
def test_reads_and_writes_are_really_answered(tiny: World, larkspur: World, name: str, field: str) -> None:
    world = tiny if name in tiny.setting.operations else larkspur
    task = next(iter(world.package.tasks))
    with world.open_session(task) as session:
        before = session.digest()
        with session.trial() as trial, Examples(world, trial) as examples:
            example = examples.of(name)
        assert isinstance(example.answer, dict)
        assert field in example.answer
        assert session.digest() == before


def test_what_the_world_does_not_have_is_said(tiny: World) -> None:
    with tiny.open_session("find-the-change") as session, session.trial() as trial, Examples(tiny, trial) as examples:
        example = examples.of("ops_set_flag")
    assert example.answer is None
    assert "There is no flag" in example.why_not


@pytest.mark.release
@pytest.mark.sandbox
@pytest.mark.parametrize("name", ["tiny", "larkspur"])
def test_every_operation_shows_an_answer_or_says_why_not(tiny: World, larkspur: World, name: str) -> None:
    world = {"tiny": tiny, "larkspur": larkspur}[name]
    preview = world.preview()
    preview.go(world.package.manifest.calendar[1])
    with preview.trial() as trial, Examples(world, trial) as examples:
        found = {operation: examples.of(operation) for operation in world.setting.operations}
    preview.close()

    assert [operation for operation, each in found.items() if each.answer is None and not each.why_not] == []
    without = [operation for operation, each in found.items() if not each.is_full]
    assert 100 * len(without) <= _MOST_WITHOUT * len(found), without
