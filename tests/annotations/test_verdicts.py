"""Verdicts of people make a grade anew; the old one stays."""

import pytest

from brownout.annotations import Annotation, answers_of, graded_with
from brownout.core.values import Json, JsonObject


def said(author: str, about: str, value: str) -> Annotation:
    return Annotation(
        run="r", kind="verdict", about=about, value=value, author=author, id=f"{author}/{about}", at="2026-11-24"
    )


def line(name: str, worth: int, counted: int, **more: Json) -> JsonObject:
    return {"criterion": name, "worth": worth, "counted": counted, "passed": counted == worth, **more}


def grade(*ledger: JsonObject) -> JsonObject:
    return {
        "reward": 0.75, "complete": False, "ledger": [*ledger],
        "left_out": [
            {"criterion": "tone", "grader": "judge", "worth": 2, "because": "unread", "why": "nobody reads it"},
            {"criterion": "tests", "grader": "unit_tests", "worth": 5, "because": "skipped", "why": "skipped"},
        ],
    }  # fmt: skip


OPEN = grade(line("told", 6, 6), line("closed", 2, 0))


@pytest.mark.parametrize(("value", "reward"), [("met", 0.8), ("not met", 0.6)])
def test_an_answer_counts_and_names_who_gave_it(value: str, reward: float) -> None:
    found = graded_with(OPEN, answers_of([said("ida", "tone", value)], "r"))

    assert found["reward"] == pytest.approx(reward)
    assert (found["before"], found["answered_by"]) == (0.75, ["ida"])
    assert [one["criterion"] for one in found["left_out"]] == ["tests"]  # type: ignore[union-attr, index, call-overload]
    assert OPEN["reward"] == 0.75
    assert len(OPEN["left_out"]) == 2  # type: ignore[arg-type]


def test_the_majority_counts_and_a_tie_stays_open() -> None:
    two = [said("ida", "tone", "met"), said("max", "tone", "not met")]

    assert answers_of(two, "r") == {}
    assert answers_of([*two, said("lea", "tone", "met")], "r") == {"tone": (True, ("ida", "lea"))}
    assert answers_of(two, "another run") == {}


def test_what_was_skipped_or_judged_is_not_answered() -> None:
    assert graded_with(OPEN, {"tests": (True, ("ida",)), "told": (False, ("ida",))}) == OPEN


def test_a_failed_gate_forfeits_an_answer_too() -> None:
    failed = grade(line("untouched", 0, 0, gate=True, passed=False), line("told", 6, 0))

    assert graded_with(failed, {"tone": (True, ("ida",))})["reward"] == 0
