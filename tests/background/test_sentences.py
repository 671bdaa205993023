"""Fragments put into sentences and lines."""

import pytest

from brownout.background.sentences import begun, broken, capitalized, has_code, has_doubt, joined, marked
from brownout.core.seeds import Stream

HEAD, TAIL = "the nightly run has been red since this morning", "nobody knows yet what it was that changed"


def test_longer_parts_stand_mostly_in_one_sentence() -> None:
    joints = [", ", ". ", " - "]
    said = [joined(HEAD, TAIL, joints, Stream(number), asks=False) for number in range(200)]

    assert all(text.startswith(HEAD) for text in said)
    assert 0 < sum(". " in text for text in said) < 30


def test_nothing_is_put_into_a_question() -> None:
    said = {joined(HEAD, TAIL, [", "], Stream(number), asks=True) for number in range(100)}

    assert said == {f"{HEAD}? N{TAIL[1:]}"}


def test_a_head_that_ends_a_sentence_is_left_alone() -> None:
    assert joined("done!", "at last", [", "], Stream(1), asks=False) == "done! At last"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the max_attempts of it", "the `max_attempts` of it"),
        ("a KeyError with --dry-run", "a `KeyError` with `--dry-run`"),
        ("set LOG_LEVEL first", "set `LOG_LEVEL` first"),
        ("Monday at nine, well-known to us", "Monday at nine, well-known to us"),
        ("`max_attempts` already, https://docs.example/max_attempts", "`max_attempts` already, https://docs.example/max_attempts"),
    ],
)  # fmt: skip
def test_what_only_code_is_spelt_like_is_marked(text: str, expected: str) -> None:
    assert marked(text) == expected


def test_a_passage_is_broken_after_a_sentence() -> None:
    assert broken("One is here. Two is there.", Stream(1)) == "One is here.\nTwo is there."
    assert broken("only one", Stream(1)) == "only one"


def test_a_text_begins_without_its_last_sentence() -> None:
    assert begun("One is here. Two? Three.") == ("One is here. Two?", "One is here. Two? Three.")
    assert begun("only one") == ("only one", "")


def test_a_sentence_begins_with_a_capital_unless_a_name_of_code_does() -> None:
    assert capitalized("raise it") == "Raise it"
    assert capitalized("keep_days of the cache") == "keep_days of the cache"
    assert capitalized("https://docs.example/a is gone") == "https://docs.example/a is gone"
    assert capitalized("") == ""


@pytest.mark.parametrize(
    "text", ["right after `make`", "right after {command}", "the max_attempts of it", "with --dry-run"]
)
def test_a_fragment_with_code_is_known(text: str) -> None:
    assert has_code(text)
    assert not has_code("the {component} of it, since Monday")


@pytest.mark.parametrize(
    "text", ["it's probably the cache", "I think so", "could be me, could be everybody", "as far as I know"]
)
def test_a_fragment_that_doubts_is_known(text: str) -> None:
    assert has_doubt(text)
    assert not has_doubt("it has been red since Monday")
