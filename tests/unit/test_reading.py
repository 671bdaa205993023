"""Texts are hostile: reading them never fails, and sees what a person would see."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.test_phrasings import HOLD, SILENT, TELLS, WORLD
from worlds.facts import said_in, stated, visible
from worlds.facts.visible_statements import statements

PLAIN = ["We hold seats for 10 minutes.", "Seats are held for ten minutes.", "We use a 10-minute hold."]
HOSTILE = st.text(st.sampled_from(list("holds seat 105 min\n.,;:-—'\"()<>*~`!?\u200b\u0336е")), max_size=200)


@settings(max_examples=150, deadline=None)
@given(HOSTILE | st.text(max_size=120))
def test_any_text_can_be_read(text: str) -> None:
    assert stated(text, HOLD, WORLD) == stated(text, HOLD, WORLD)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(PLAIN), st.lists(st.sampled_from(["\u200b", "\u2060", "\u00ad", "\ufeff"]), max_size=4), st.data()
)
def test_invisible_characters_change_nothing(text: str, marks: list[str], data: st.DataObject) -> None:
    for mark in marks:
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + mark + text[at:]

    assert stated(text, HOLD, WORLD).states


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(PLAIN), st.sampled_from([str.upper, str.title, str.lower]), st.sampled_from(["", "*", "**", "_"])
)
def test_case_and_emphasis_change_nothing(text: str, cased: object, mark: str) -> None:
    assert callable(cased)

    assert stated(f"{mark}{cased(text)}{mark}", HOLD, WORLD).states


@pytest.mark.parametrize("other", ["The lift works again.", "Thanks for asking!", "- one\n- two", "See you on Monday."])
def test_what_is_said_of_something_else_changes_nothing(other: str) -> None:
    for told in TELLS:
        assert stated(f"{other}\n\n{told}\n\n{other}", HOLD, WORLD).states, told
    for silent in SILENT:
        assert not stated(f"{other}\n\n{silent}\n\n{other}", HOLD, WORLD).states, silent


@pytest.mark.parametrize("text", TELLS)
def test_a_text_that_states_another_value_too_states_neither(text: str) -> None:
    assert not stated(f"{text}\nSeats are held for 20 minutes.", HOLD, WORLD).states


def test_sentences_end_where_people_end_them() -> None:
    text = "It took approx. 10 minutes. Done!\nNext line\n\na long line that goes on and on until it wraps over to the next\nline here; and more"

    assert [each.text for each in statements(text)] == [
        "It took approx. 10 minutes.",
        "Done!",
        "Next line",
        "a long line that goes on and on until it wraps over to the next line here;",
        "and more",
    ]


def test_a_title_and_a_german_day_end_no_sentence() -> None:
    assert [each.text for each in statements("It was decided by Dr. Sander. Mr. Byrne knows, Prof. Lim too.")] == [
        "It was decided by Dr. Sander.",
        "Mr. Byrne knows, Prof. Lim too.",
    ]
    assert len(statements("Behoben ist es seit dem 17. Februar. Danke!")) == 2


def test_what_is_quoted_is_not_said() -> None:
    text = "We hold seats.\n> somebody else said so\n~~not this~~ but that"

    assert "somebody" not in said_in(text)
    assert [each.text for each in statements(text, is_quoted=True)] == ["somebody else said so", "not this"]


HIDDEN = [
    "<!--\n{}\n-->",
    "---\nnote: |\n  {}\n---\nIt depends.",
    "<div hidden>\n{}\n</div>\nIt depends.",
    '<div style="color: red; display:none"><div>a</div>\n{}\n</div>\nIt depends.',
    "<span style='display: none'>{}</span>",
    "![{}](x.png)",
    "[x]: # ({})",
    '[there](/page "{}")',
    "<template>{}</template>",
    "<p hidden>{}",
]


@pytest.mark.parametrize("frame", HIDDEN)
def test_what_a_reader_does_not_see_states_nothing(frame: str) -> None:
    hidden = frame.format("We hold seats for 10 minutes.")

    assert not stated(hidden, HOLD, WORLD).states
    assert "10" not in visible(hidden)
    if "hidden>We" not in hidden:
        assert stated(f"{hidden}\n\nWe hold seats for 10 minutes.", HOLD, WORLD).states


@pytest.mark.parametrize(
    "text", ["a < b and c > d", "---\n\nA rule above.\n\n---", "[x] done, [see](y) and <b>bold</b>", "1 <hidden"]
)
def test_what_a_reader_sees_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("While somebody pays seats are held:\n- 10 minutes online\n- at the door as long as it takes", True),
        ("Seats are held:\n\n1. 10 minutes online.\n2. At the door as long as it takes.", True),
        ("Outdated:\n- Seats are held for 10 minutes.\n- The fee is 1.20.", False),
        ("Candidates:\n- Seats are held for 10 minutes.", False),
        ("Outdated:\n- The fee is 1.20.\n\nSeats are held for 10 minutes.", True),
        ("Seats are held:\n- 5 minutes\n- 10 minutes\n- 20 minutes", False),
        ("**Wrong:** seats are held:\n- 10 minutes", False),
    ],
)
def test_an_item_of_a_list_is_read_with_the_line_above_it(text: str, is_told: bool) -> None:
    assert stated(text, HOLD, WORLD).states == is_told
