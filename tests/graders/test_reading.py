"""Texts are hostile: reading them is linear, never fails, and sees what a person would see."""

from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graders.claims import states, untrue_claims
from tests.graders.test_phrasings import LIES, NO_CAUSE, SILENT, TELLS
from tests.graders.world import FACTS, START
from worlds.facts import Stance, is_stated, mentions, pattern_mistake, sentences, visible

TEN = FACTS["hold-10"]
PLAIN = ["We hold seats for 10 minutes.", "Seats are held for ten minutes.", "We use a 10-minute hold."]
HOSTILE = st.text(st.sampled_from(list("holds seat 105 min\n.,;:-—'\"()<>*~`!?\u200b\u0336е")), max_size=200)


@settings(max_examples=150, deadline=None)
@given(HOSTILE | st.text(max_size=120))
def test_any_text_can_be_read(text: str) -> None:
    for each in (TEN, FACTS["hold-15"]):
        states(text, each, FACTS)
    assert untrue_claims(text, START, FACTS) == untrue_claims(text, START, FACTS)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(PLAIN), st.lists(st.sampled_from(["\u200b", "\u2060", "\u00ad", "\ufeff"]), max_size=4), st.data()
)
def test_invisible_characters_change_nothing(text: str, marks: list[str], data: st.DataObject) -> None:
    for mark in marks:
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + mark + text[at:]

    assert states(text, TEN, FACTS)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(PLAIN), st.sampled_from([str.upper, str.title, str.swapcase]), st.sampled_from(["*", "_", "**", ""])
)
def test_case_and_emphasis_change_nothing(text: str, cased: object, mark: str) -> None:
    assert callable(cased)
    shown = " ".join(f"{mark}{word}{mark}" for word in cased(text).rstrip(".").split())

    assert states(shown, TEN, FACTS)


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(PLAIN), st.sampled_from(SILENT[:12] + NO_CAUSE), st.booleans())
def test_what_else_is_said_of_something_else_changes_nothing(text: str, other: str, before: bool) -> None:
    extra = "Saltworks is not sold out. Did Corner Hall answer?"
    assert states(f"{extra}\n\n{text}" if before else f"{text}\n\n{extra}", TEN, FACTS)
    assert not states(f"{other}\n\n{extra}" if before else f"{extra}\n\n{other}", TEN, FACTS)


@pytest.mark.parametrize("text", PLAIN + TELLS[:5])
@pytest.mark.parametrize("lie", LIES[:3])
def test_a_text_that_states_two_values_states_neither(text: str, lie: str) -> None:
    assert not states(f"{text}\n{lie}", TEN, FACTS)
    assert not states(f"{lie}\n{text}", FACTS["hold-15"], FACTS)
    assert [claim.fact for claim in untrue_claims(f"{text}\n{lie}", START, FACTS)] == ["hold-15"]


@pytest.mark.parametrize(
    "denial", ["It is not true that {}", "Nobody said that {}", "It's a myth that {}", "{} That is wrong."]
)
@pytest.mark.parametrize("text", PLAIN)
def test_whatever_is_stated_can_be_denied(denial: str, text: str) -> None:
    assert not states(denial.format(text[0].lower() + text[1:]), TEN, FACTS)


@pytest.mark.parametrize(
    "text",
    [
        "hold " + "-" * 200_000,
        "hold " + "' - " * 50_000,
        "hold " * 50_000,
        "hold 10 " * 40_000,
        "held " + "\u0336" * 100_000,
        "<!--" * 50_000,
        "~~" * 100_000,
        "~a" * 100_000,
        "```" * 60_000,
        "<a" * 100_000,
        "(" * 100_000,
        "not " * 100_000 + "hold 10 minutes",
        "hold 10 minutes is " + "just " * 50_000 + "wrong",
        "1" * 300_000 + " min hold",
        "seats, " * 60_000,
        "\n" * 300_000,
        "seats are held for 10 minutes. " * 5_000,
    ],
    ids=lambda text: f"{text[:12]!r} {len(text)}",
)
def test_a_huge_text_is_read_in_time_proportional_to_its_length(text: str) -> None:
    begun = process_time()
    for each in FACTS.values():
        states(text, each, FACTS)
    untrue_claims(text, START, FACTS)

    assert process_time() - begun < 5


def test_what_is_shown_but_not_said_is_marked() -> None:
    found = mentions("We hold seats for 10 minutes.\n> we hold seats for 10 minutes", TEN.said, "10")

    assert [each.stance for each in found] == [Stance.ASSERTED, Stance.QUOTED]


def test_a_pattern_alone_is_enough() -> None:
    assert is_stated("unbounded retries since yesterday", ["(unbounded|unlimited) retr*"])
    assert not is_stated("we never had unbounded retries", ["(unbounded|unlimited) retr*"])
    assert is_stated("There's no retry cap.", ["no retr* (cap|limit)"])


@pytest.mark.parametrize("pattern", ["", "*", " * * ", "(a|b", "()", "(a|)", "--"])
def test_a_pattern_that_means_nothing_is_a_mistake(pattern: str) -> None:
    assert pattern_mistake(pattern)


@pytest.mark.parametrize("pattern", ["retr* (cap|limit) * dropped", "eu-west-1", "1.8.2", "don't", "a*"])
def test_a_pattern_with_a_word_is_none(pattern: str) -> None:
    assert pattern_mistake(pattern) == ""


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("eu-west-1", "moved to eu-west-1 today", True),
        ("eu-west-1", "moved to eu-west-10", False),
        ("1.8.2", "on 1.8.2.", True),
        ("1.8.2", "on 11.8.2", False),
        ("10 min*", "a 10-minute wait", True),
        ("10 min*", "a 10min wait", True),
        ("10 min*", "a 110 min wait", False),
        ("retr* * dropped", "the retry cap of the client was dropped", True),
        ("retr* * dropped", "retry one two three four five six seven eight nine dropped", False),
        ("hold store", "the hold's store", True),
        ("roll* back", "rolled it back", False),
    ],
)
def test_patterns_match_whole_words(pattern: str, text: str, found: bool) -> None:
    assert bool(mentions(text, [pattern])) is found


def test_sentences_end_where_people_end_them() -> None:
    text = "It took approx. 10 minutes. Done!\nNext line\n\na long line that goes on and on until it wraps over to the next\nline here; and more"

    assert sentences(text) == [
        "It took approx. 10 minutes.",
        "Done!",
        "Next line",
        "a long line that goes on and on until it wraps over to the next line here;",
        "and more",
    ]


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

    assert not states(hidden, TEN, FACTS)
    assert "10" not in visible(hidden)
    if "hidden>We" not in hidden:
        assert states(f"{hidden}\n\nWe hold seats for 10 minutes.", TEN, FACTS)


@pytest.mark.parametrize(
    "text", ["a < b and c > d", "---\n\nA rule above.\n\n---", "[x] done, [see](y) and <b>bold</b>", "1 <hidden"]
)
def test_what_a_reader_sees_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


def test_a_title_ends_no_sentence() -> None:
    assert sentences("It was decided by Dr. Sander. Mr. Byrne knows, Prof. Lim too.") == [
        "It was decided by Dr. Sander.",
        "Mr. Byrne knows, Prof. Lim too.",
    ]


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("While somebody pays seats are held:\n- 10 minutes online\n- at the door as long as it takes", True),
        ("Seats are held:\n\n1. 10 minutes online.\n2. At the door as long as it takes.", True),
        ("What does not hold:\n- Seats are held for 10 minutes.", False),
        ("Outdated:\n- Seats are held for 10 minutes.\n- The fee is 1.20.", False),
        ("Candidates:\n- Seats are held for 10 minutes.", False),
        ("Outdated:\n- The fee is 1.20.\n\nSeats are held for 10 minutes.", True),
        ("Seats are held:\nThat is all.\n- 10 minutes", False),
        ("Seats are held:\n- 5 minutes\n- 10 minutes\n- 20 minutes", False),
        ("Seats are not held:\n- 10 minutes", False),
        ("Are seats held, and for how long:\n- 10 minutes", False),
        ("**Wrong:** seats are held:\n- 10 minutes", False),
    ],
)
def test_an_item_of_a_list_is_read_with_the_line_above_it(text: str, is_told: bool) -> None:
    assert states(text, TEN, FACTS) == is_told
