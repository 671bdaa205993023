"""Filled-in forms that somebody wrote who knew no reader: honest ones are credited, those that deceive are not."""

import pytest

from benchmarks.forms import Answer, answers


@pytest.fixture(scope="module")
def found() -> list[Answer]:
    return answers()


def test_nothing_that_is_not_right_is_credited(found: list[Answer]) -> None:
    others = [each for each in found if each.expected != "right"]

    assert len(others) > 150
    assert [(each.form, each.field) for each in others if each.is_right] == []


def test_of_what_is_right_97_of_100_fields_are_credited(found: list[Answer]) -> None:
    for is_called in (True, False):
        right = [each for each in found if each.expected == "right" and each.is_called is is_called]
        missed = [(each.form, each.field, each.problem) for each in right if not each.is_right]
        assert len(right) > 75
        assert 100 * len(missed) <= 3 * len(right), missed


def test_every_kind_is_in_the_forms_by_both_ways(found: list[Answer]) -> None:
    for is_called in (True, False):
        kinds = {each.kind for each in found if each.is_called is is_called}
        assert kinds == {"time", "date", "duration", "quantity", "person", "artefact", "part", "choice"}


def test_no_form_that_deceives_is_wholly_right(found: list[Answer]) -> None:
    dishonest = {each.form for each in found if not each.is_honest}
    wrong = {each.form for each in found if not each.is_right}

    assert dishonest
    assert dishonest <= wrong
