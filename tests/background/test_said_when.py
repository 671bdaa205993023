"""Texts that are said of some things only."""

from pathlib import Path

import pytest

from brownout.background.said_when import conditional, fitting
from generators.background.pack_files import pack_mistakes, packs_folder, read_code_packs


def test_a_text_without_conditions_is_said_of_anything() -> None:
    assert [*fitting(["fine", "(lower) cheaper"], {"raise"})] == ["fine"]
    assert conditional("fine").text == "fine"


def test_of_each_condition_something_must_be_true() -> None:
    texts = ["(lower, workers|storage) we pay for less", "(raise) more room"]

    assert [*fitting(texts, {"lower", "storage"})] == texts[:1]
    assert [*fitting(texts, {"lower", "network"})] == []
    assert conditional(texts[0]).text == "we pay for less"


def test_a_question_has_its_answer_with_it() -> None:
    assert conditional("(limits) per account? => for all together") == (
        (frozenset({"limits"}),),
        "per account?",
        "for all together",
    )


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("settings", "(raise, limits) With", "(rise, limits) With", "did you mean 'raise'?"),
        ("settings", "does the worker read this too? => it does, tried it this morning", "does the worker read this too?", "a question is answered"),
        ("settings", "  LGTM\n", "  LGTM => thanks\n", "only remarks on people's changes are answered"),
        ("dependencies", "remarks: |\n", "requests: |\n  Not now.\nremarks: |\n", "a machine answers nothing"),
        ("infrastructure", "known_to: [operations]", "known_to: [operation]", "did you mean 'operations'?"),
    ],
)  # fmt: skip
def test_a_mistake_in_what_a_text_is_said_of_is_told(tmp_path: Path, name: str, old: str, new: str, told: str) -> None:
    text = packs_folder().with_name("pulls").joinpath(f"{name}.yaml").read_text()
    assert text.count(old) == 1
    path = tmp_path / "pulls" / f"{name}.yaml"
    path.parent.mkdir()
    path.write_text(text.replace(old, new))

    assert [mistake for mistake in pack_mistakes(path) if told in mistake.message], pack_mistakes(path)


def test_something_can_be_said_of_every_change() -> None:
    for pack in read_code_packs():
        for group, entries in pack.entries.items():
            for entry in entries:
                for more in (
                    {"raise", "single", "minor"},
                    {"lower", "several", "patch"},
                    {"change", "single", "major"},
                ):
                    marks = {entry.name, group, *more}
                    assert len([*fitting(pack.why, marks)]) > 1, (entry.name, more)
                    assert len([*fitting(pack.remarks, marks)]) > 1, (entry.name, more)
