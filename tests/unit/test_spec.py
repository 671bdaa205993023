"""Bad authoring: every mistake at once, with its place and what was meant."""

import re
from pathlib import Path

import pytest

from brownout.core.errors import AuthoringError
from generators.timetable import make_timetable
from worlds.advice import warnings_of
from worlds.lint import lint
from worlds.spec import read_world
from worlds.spec.yaml_loading import BrokenText, load_yaml


def spoil(folder: Path, name: str, old: str, new: str) -> None:
    path = folder / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def mistakes(folder: Path) -> list[str]:
    try:
        spec = read_world(folder)
        found = [str(mistake) for mistake in lint(spec)]
        make_timetable(spec)
        return found
    except AuthoringError as error:
        return [str(mistake) for mistake in error.mistakes]


def test_the_shipped_world_has_no_mistakes(spec_folder: Path) -> None:
    assert mistakes(spec_folder) == []


def test_a_fact_that_nothing_competes_with_is_warned_of(spec_folder: Path) -> None:
    def warned() -> list[str]:
        return [str(warning) for warning in warnings_of(read_world(spec_folder))]

    assert not any("one value only" in warning for warning in warned())
    spoil(
        spec_folder,
        "storylines/holds.yaml",
        '{artefact: "github:Simplify hold store"}\n    rivals: commits\n',
        "{choice: simplify}\n",
    )
    found = [warning for warning in warned() if "boxoffice.stuck_holds_cause has one value only" in warning]
    assert ["rubric.told:" in found[0], "rubric.told-room:" in found[1], len(found)] == [True, True, 2]
    assert found[0].startswith("tasks/find-the-change/task.yaml:")
    spoil(spec_folder, "storylines/holds.yaml", "{choice: simplify}\n", "{choice: simplify}\n    rivals: none\n")
    assert not any("one value only" in warning for warning in warned())


def test_a_harness_is_a_list_of_files(spec_folder: Path) -> None:
    (spec_folder / "repos/boxoffice/hidden/harness.yaml").write_text("- ../outside.py\n")

    assert any("hidden/harness.yaml: expected a list of files" in mistake for mistake in mistakes(spec_folder))


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("people.yaml", "voice: dry", "vioce: dry", "people.yaml:34: ida.vioce: unknown word; did you mean 'voice'?"),
        ("world.yaml", "flagship: find-the-change", "flagship: find-a-change", "did you mean 'find-the-change'?"),
        (
            "storylines/holds.yaml",
            "since: simplify-hold-store",
            "since: simplify-hold-stare",
            "did you mean 'simplify-hold-store'?",
        ),
        (
            "storylines/holds.yaml",
            "since: simplify-hold-store",
            "since: holds/simplify-hold-store",
            "expected a time such as",
        ),
        ("people.yaml", "manager: ida", "manager: idda", "did you mean 'ida'?"),
        ("people.yaml", 'hours: "09:30-18:00"', 'hours: "18:00-09:30"', "expected hours such as"),
        ("people.yaml", "reads: [slack, gmail]", "reads: [slak]", "did you mean 'slack'?"),
        ("storylines/holds.yaml", "at: 2026-03-24 10:48", "at: 2026-02-30 10:48", "is not a moment"),
        ("storylines/holds.yaml", "at: 2026-03-24 10:48", "at: second-complaint - 5x", "expected a duration"),
        ("storylines/holds.yaml", "at: 2026-03-24 10:48", "at: suspicoin + 5m", "did you mean 'suspicion'?"),
        ("storylines/holds.yaml", "makes: [hold-10]", "makes: [hold-11]", "did you mean 'hold-1"),
        ("storylines/holds.yaml", "until: shorten-hold", "audience: [markus]", "hold-15.audience: there is no person"),
        ("storylines/holds.yaml", "until: shorten-hold", 'audience: ["#suport"]', "did you mean '#support'?"),
        (
            "storylines/holds.yaml",
            "until: shorten-hold",
            "audience: [team enginering]",
            "did you mean 'team engineering'?",
        ),
        ("storylines/holds.yaml", "until: shorten-hold", "audience: []", "audience"),
        ("storylines/holds.yaml", "who: yuki", "who: yukki", "did you mean 'yuki'?"),
        ("storylines/holds.yaml", "decides:", "decidse:", "decidse: unknown word; did you mean 'decides'?"),
        ("world.yaml", "until: 2026-04-01", "until: 2026-02-01", "is not after from"),
        ("world.yaml", "zone: Europe/Lisbon", "zone: Europe/Lisboa", "Europe/Lisboa"),
        ("world.yaml", "format: 1", "format: 9", "world.yaml:2: format"),
        ("tasks/find-the-change/task.yaml", "start: 2026-03-24", "start: 2027-03-24", "outside the world's calendar"),
        (
            "tasks/find-the-change/task.yaml",
            "told: {facts: [stuck-holds]",
            "told: {facts: [stuck-hold]",
            "did you mean",
        ),
        (
            "tasks/find-the-change/task.yaml",
            "duplicate: {worth: 1, world_state",
            "duplicate: {worth: 1, world_sate",
            "did you mean 'world_state'",
        ),
        ("tasks/find-the-change/task.yaml", "person: marcus", "person: markus", "did you mean 'marcus'?"),
    ],
)
def test_a_mistake_is_named_with_its_place(spec_folder: Path, file: str, old: str, new: str, expected: str) -> None:
    spoil(spec_folder, file, old, new)

    found = mistakes(spec_folder)

    assert any(file in line and expected in line for line in found), found


def test_a_fact_may_be_for_people_channels_teams_customers_and_the_company(spec_folder: Path) -> None:
    audience = 'audience: [yuki, wren, blue-lantern, "#support", team engineering, customers, company]'
    spoil(spec_folder, "storylines/holds.yaml", "until: shorten-hold", audience)

    assert mistakes(spec_folder) == []


def test_broken_yaml_is_named_with_its_line(spec_folder: Path) -> None:
    spoil(spec_folder, "people.yaml", "voice: dry", "voice: [dry")

    assert any(line.startswith("people.yaml:") and "broken YAML" in line for line in mistakes(spec_folder))


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("a: 1\nb:\n  x: {on: g, from: 3\n  y: {on: c}\n", 3, "the `{` of line 3 is not closed"),
        ("x: [1, 2\ny: 3\n", 1, "the `[` of line 1 is not closed"),
        ("x: {a: {b: 1}\ny: 2\n", 1, "the `{` of line 1 is not closed"),
        ("- {a: 1\n- {b: 2}\n", 1, "the `{` of line 1 is not closed"),
        ("x: {a: 1,\n  b: 2 c: 3}\ny: 1\n", 2, "did not find expected ',' or '}'"),
        ("x: {a: 1 b: 2}\n", 1, "did not find expected ',' or '}'"),
    ],
)
def test_a_bracket_that_is_not_closed_is_named_where_it_was_opened(text: str, line: int, said: str) -> None:
    with pytest.raises(BrokenText, match=re.escape(f"broken YAML: {said}")) as caught:
        load_yaml(text.encode())

    assert caught.value.line == line


def test_a_task_without_its_oracle_is_named(spec_folder: Path) -> None:
    (spec_folder / "tasks/find-the-change/oracle.yaml").unlink()

    assert any("oracle.yaml: expected the task's reference solution" in line for line in mistakes(spec_folder))


def test_times_that_hang_on_each_other_are_named(spec_folder: Path) -> None:
    spoil(spec_folder, "storylines/holds.yaml", "at: 2026-03-24 10:48", "at: second-complaint + 1m")
    spoil(spec_folder, "storylines/holds.yaml", "at: 2026-03-24 11:26", "at: suspicion + 1m")

    assert any("hangs on itself: suspicion -> second-complaint -> suspicion" in line for line in mistakes(spec_folder))


def test_managers_in_a_circle_are_named(spec_folder: Path) -> None:
    spoil(spec_folder, "people.yaml", "manager: priya", "manager: tomas")

    assert any("comes back to itself: tomas -> tomas" in line for line in mistakes(spec_folder))


def test_all_mistakes_are_reported_at_once(spec_folder: Path) -> None:
    spoil(spec_folder, "people.yaml", "voice: dry", "vioce: dry")
    spoil(spec_folder, "world.yaml", "format: 1", "format: 9")

    assert len({line.split(":")[0] for line in mistakes(spec_folder)}) == 2
