"""Texts that are said of some things only."""

from pathlib import Path

import pytest

from brownout.background.said_when import conditional, fitting
from generators.background.pack_files import pack_mistakes, packs_folder, read_code_packs

QUESTION = "(fr, delete-confirm) is there a non-breaking space in front of the question mark? => yes, it's in there"


def test_a_text_without_conditions_is_said_of_anything() -> None:
    assert [*fitting(["fine", "(minor) nothing breaks"], {"major"})] == ["fine"]
    assert conditional("fine").text == "fine"


def test_of_each_condition_something_must_be_true() -> None:
    texts = ["(minor, runtime|development) nothing breaks", "(major) read the notes first"]

    assert [*fitting(texts, {"minor", "runtime"})] == texts[:1]
    assert [*fitting(texts, {"minor", "build"})] == []
    assert conditional(texts[0]).text == "nothing breaks"


def test_a_question_has_its_answer_with_it() -> None:
    assert conditional("(limits) per account? => for all together") == (
        (frozenset({"limits"}),),
        "per account?",
        "for all together",
    )


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("settings", "(approved) Merging", "(aproved) Merging", "did you mean 'approved'?"),
        ("translations", QUESTION, QUESTION.partition(" => ")[0], "a question is answered"),
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


def test_something_can_be_said_of_every_change_that_is_not_written_whole() -> None:
    for pack in read_code_packs():
        for group, entries in pack.entries.items():
            for entry in (one for one in entries if one.name not in pack.written):
                for more in ("minor", "patch", "major"):
                    marks = {entry.name, group, more}
                    assert len([*fitting(pack.why, marks)]) > 1, (entry.name, more)
                    assert len([*fitting(pack.remarks, marks)]) > 1, (entry.name, more)
