"""What a task grades and what only comes about after its end: a mistake, whichever value is drawn."""

from pathlib import Path
from shutil import copytree

import pytest

from brownout.catalog import find_spec
from generators.authoring.new_world import write_world
from generators.authoring.world_request import WorldRequest
from generators.world_check import mistakes_in

LINE = "storylines/policy-changed.yaml"
TASK = "tasks/policy-changed/task.yaml"


def line_of(folder: Path, name: str, text: str) -> int:
    return 1 + (folder / name).read_text().partition(text)[0].count("\n")


def change(folder: Path, name: str, old: str, new: str) -> None:
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("written") / "shops"
    write_world(WorldRequest(name="shops", trade="shops", people=6), folder)
    return folder


@pytest.fixture
def shops(written: Path, tmp_path: Path) -> Path:
    return Path(copytree(written, tmp_path / "shops"))


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return Path(copytree(find_spec("tiny"), tmp_path / "tiny"))


DRAWN = "decided: {date: 2026-02-02..2026-02-13"


def test_what_is_decided_after_the_task_is_told_once_at_its_slot(shops: Path) -> None:
    change(shops, LINE, DRAWN, "decided: {date: 2026-03-02..2026-03-12")

    [mistake] = mistakes_in(shops)

    assert (mistake.file, mistake.line) == (LINE, line_of(shops, LINE, "  decided:"))
    assert "drawn.decided: expected a time before the task policy-changed ends, Wed 18 Feb 2026 14:10" in str(mistake)
    assert all(name in str(mistake) for name in ("policy-changed-new", "policy-changed-day", "policy-changed-decision"))
    assert f"{TASK}:{line_of(shops, TASK, 'start:')}" in str(mistake)


def test_one_day_too_many_of_a_range_is_found_whatever_the_authors_seed_draws(shops: Path) -> None:
    change(shops, LINE, DRAWN, "decided: {date: 2026-02-02..2026-02-19")

    [mistake] = mistakes_in(shops)

    assert mistake.line == line_of(shops, LINE, "  decided:")
    assert "where {{policy-changed.decided}} is 2026-02-19, as with seed" in str(mistake)


def test_what_comes_about_while_the_task_is_played_is_in_time(shops: Path) -> None:
    change(shops, LINE, DRAWN, "decided: {date: 2026-02-02..2026-02-18")

    assert mistakes_in(shops) == []


def test_a_question_that_is_to_be_answered_and_comes_later_is_found(shops: Path) -> None:
    change(shops, LINE, "at: 2026-02-17 16:17", "at: 2026-02-24 16:17")

    [mistake] = mistakes_in(shops)

    assert (mistake.file, mistake.line) == (LINE, line_of(shops, LINE, "at: 2026-02-24 16:17"))
    assert "customers:How long can shoppers send things back?" in str(mistake)


def test_a_fact_that_begins_after_the_task_is_found_where_that_stands(tiny: Path) -> None:
    task, story = "tasks/find-the-change/task.yaml", "storylines/holds.yaml"
    change(tiny, story, "    since: saltworks-mail\n", "    since: 2026-03-25 09:00\n")

    [mistake] = [each for each in mistakes_in(tiny) if "expected a time before the task" in each.message]

    assert (mistake.file, mistake.line) == (story, line_of(tiny, story, "since: 2026-03-25"))
    assert f"({task}:{line_of(tiny, task, '  stuck:')})" in mistake.message


def test_what_waits_for_something_may_come_about_at_any_time(shops: Path) -> None:
    change(shops, LINE, 'at: "{{decided}} 11:40"', "when: checkout.down for 20m")

    assert mistakes_in(shops) == []
