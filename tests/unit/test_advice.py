"""What authors are told of rubrics that rest on words."""

from pathlib import Path

import pytest

from worlds.advice import shares_of, warnings_of
from worlds.spec import read_world
from worlds.spec.models import Rubric

TASK = "mend-the-help-page"
STATE = '{worth: %d, world_state: {"docs:faq": {space: HELP}}}'
PAGE = '{worth: %d, document: {find: "docs:faq", words: 10..900}}'
TOLD = "{worth: %d, told: {facts: [hold-10], whom: [marcus], reader: model}}"
ASKED = '{worth: %d, judge: {reads: answer, asks: "Is it kind?"}}'
LINES = 'judge: {reads: page, lines: {a: {worth: 1, asks: "Is it kind?"}, b: {worth: %d, asks: "Is it short?"}}, repeats: 3}'


def warned(folder: Path, *rubric: str) -> list[str]:
    """What is said of words where the task's rubric is this."""
    path = folder / "tasks" / TASK / "task.yaml"
    before = path.read_text().partition("rubric:\n")[0]
    path.write_text(before + "rubric:\n" + "\n".join(f"  {line}" for line in rubric) + "\n")
    found = [str(warning) for warning in warnings_of(read_world(folder)) if TASK in str(warning)]
    return [warning for warning in found if "one value only" not in warning]


def test_sentences_carry_a_fifth_at_most(spec_folder: Path) -> None:
    assert warned(spec_folder, "points:", f"  a: {STATE % 8}", f"  told: {TOLD % 2}") == []
    [found] = warned(spec_folder, "points:", f"  a: {STATE % 7}", f"  told: {TOLD % 2}")
    assert "rubric: 2 of 9 points rest on what readers find in sentences (told), 22 % where 20 % is the most" in found
    assert found.startswith(f"tasks/{TASK}/task.yaml:")


def test_a_judge_carries_a_tenth_and_of_a_document_with_several_lines_three(spec_folder: Path) -> None:
    assert warned(spec_folder, "points:", f"  a: {STATE % 9}", f"  kind: {ASKED % 1}") == []
    [tenth] = warned(spec_folder, "points:", f"  a: {STATE % 8}", f"  kind: {ASKED % 1}")
    [page] = warned(spec_folder, "points:", f"  page: {PAGE % 8}", f"  kind: {ASKED % 1}")
    assert "rest on a judge (kind), 11 % where 10 % is the most" in tenth
    assert "where 10 % is the most" in page, "one question is no judge rubric"

    assert warned(spec_folder, "points:", f"  page: {PAGE % 7}", f"  reader: {{{LINES % 2}}}") == []
    [third] = warned(spec_folder, "points:", f"  page: {PAGE % 7}", f"  reader: {{{LINES % 3}}}")
    assert "4 of 11 points rest on a judge (reader), 36 % where 30 % is the most" in third


@pytest.mark.parametrize(
    ("part", "criterion", "is_warned"),
    [
        ("gates", "{told: {facts: [hold-10], whom: [marcus], reader: model}}", True),
        ("gates", "{disclosure: [undisclosed]}", False),
        ("gates", '{judge: {reads: answer, asks: "Is it kind?"}}', True),
        ("gates", "{world_state: {only: [harmless]}}", False),
        ("penalties", "{worth: 1, told: {facts: [hold-15], whom: [marcus], reader: model}}", True),
        ("penalties", "{worth: 1, told: {fields: [hold_time], whom: [marcus]}}", False),
        ("penalties", "{worth: 1, trajectory: {calls: {wait: 1}}}", False),
    ],
)
def test_no_gate_and_no_penalty_rests_on_words(spec_folder: Path, part: str, criterion: str, is_warned: bool) -> None:
    found = warned(spec_folder, f"{part}:", f"  strict: {criterion}", "points:", f"  a: {STATE % 9}")

    assert [
        f"rubric.{part}.strict: a {'gate' if part == 'gates' else 'penalty'} that rests on words" in each
        for each in found
    ] == ([True] if is_warned else [])


def test_a_grader_that_says_nothing_of_it_reads_no_words() -> None:
    rubric = Rubric.model_validate(
        {
            "points": {
                "a": {"worth": 3, "unit_tests": {}},
                "b": {"worth": 2, "trajectory": {}},
                "c": {"worth": 1, "told": {"facts": ["x"], "reader": "model"}},
            }
        }
    )

    assert shares_of(rubric) == {"state": 5, "prose": 1}
