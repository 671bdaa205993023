"""Labelled lines: what a text says behind a label, in any of the ways in which people write one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worlds.findings import label_names, labelled

LABELS = {"since": label_names("since", ["began", "seit"]), "next_update": label_names("next_update", ["Next one"])}
SINCE = {"since": ["10:12"]}


def test_a_field_is_called_by_its_name_and_its_labels_whatever_their_case_and_accents() -> None:
    assert label_names("next_update", ["Próxima", "**ETA**"]) == {"next update", "proxima", "eta"}


@pytest.mark.parametrize(
    "text",
    [
        "Since: 10:12",
        "since:10:12",
        "  SINCE :  10:12  ",
        "**Since:** 10:12",
        "**Since**: 10:12",
        "*Since:* `10:12`",
        "__Since__ = 10:12",
        "- Since: 10:12",
        "1. Seit: 10:12",
        "• Began – 10:12",
        "Began — 10:12",
        "Since - 10:12",
        "| Since | 10:12 |",
        "| **Since** | 10:12 | our own figures |",
        "| Since: | 10:12 |",
        "## Since\n10:12",
        "### Since\n\n10:12\n",
        "h2. Since\n10:12",
        "Since:\n10:12",
        "Hi all,\n\nwe know more.\n\nSince: 10:12\n\nBest, Ana",
        "Since: ~~10:15~~ 10:12",
        "Since: 10:12\n> Since: 10:20",
        "```\nSince: 10:20\n```\nSince: 10:12",
        "<!-- Since: 10:20 -->Since: 10:12",
    ],
)
def test_a_line_is_found_in_any_form(text: str) -> None:
    found = labelled(text, LABELS)

    assert {name: [" ".join(value.split()) for value in values] for name, values in found.items()} == SINCE


@pytest.mark.parametrize(
    "text",
    [
        "",
        "It has been down since 10:12.",
        "Not since: 10:12",
        "> Since: 10:12",
        "~~Since: 10:12~~",
        "<!-- Since: 10:12 -->",
        "Sincerely: Ana",
        "Since",
        "Since:",
        "| Since |",
        "| 10:12 | Since |",
    ],
)
def test_what_is_no_line_is_none(text: str) -> None:
    assert labelled(text, LABELS) == {}


def test_several_fields_keep_their_values_in_order() -> None:
    text = "Since: 10:12\nNext update: 11:00\n\nlater\n\nNext one: 11:30"

    assert labelled(text, LABELS) == {"since": ["10:12"], "next_update": ["11:00", "11:30"]}


def test_a_value_below_its_label_ends_at_the_next_one() -> None:
    assert labelled("Since:\n10:12\n10:15\nNext update:\n11:00", LABELS) == {
        "since": ["10:12; 10:15"],
        "next_update": ["11:00"],
    }


def test_a_heading_of_a_section_gives_way_to_a_line_elsewhere() -> None:
    assert labelled("Since: 10:12\n\n## Since\n\nIt is a long story.", LABELS) == SINCE


def test_a_label_that_two_lines_share_has_both_values() -> None:
    assert labelled("Since: 10:12\nBegan: 10:20", LABELS) == {"since": ["10:12", "10:20"]}


def test_a_line_as_long_as_a_letter_is_cut() -> None:
    assert [len(value) for value in labelled("Since: " + "x" * 5000, LABELS)["since"]] == [400]


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from(list("Since: next|*_~`<>#-=\n10")), max_size=120) | st.text(max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    found = labelled(text, LABELS)

    assert set(found) <= set(LABELS)
    assert all(value for values in found.values() for value in values)
