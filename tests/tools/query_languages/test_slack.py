from datetime import UTC, datetime

import pytest

from brownout.core.instants import Instant, from_datetime
from tools.query_languages.ast import ME, And, Field, Not, Op, Or, Search, TextNode, TimeSpan, Word
from tools.query_languages.slack import parse, unparse

NOW = from_datetime(datetime(2026, 4, 14, 22, 30, tzinfo=UTC))
"""Half past midnight on the 15th in Berlin."""


def read(query: str) -> Search:
    return parse(query, now=NOW, zone="Europe/Berlin")


def at(*moment: int) -> Instant:
    return from_datetime(datetime(*moment, tzinfo=UTC))  # type: ignore[misc,arg-type]


def place(text: str) -> Field:
    return Field("conversation", "=", Word(text), "in")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("deploy", TextNode(("deploy",))),
        ('"rolling restart"', TextNode(("rolling", "restart"), phrase=True)),
        ("deplo*", TextNode(("deplo",), prefix=True)),
        ("de*", TextNode(("de*",))),
        ("-standup", Not(TextNode(("standup",)))),
        ("in:#infra", place("#infra")),
        ("in:infra", place("#infra")),
        ("in:<#C0123|infra>", place("#C0123")),
        ("in:@mara", place("@mara")),
        ("in:<@U0123>", place("@U0123")),
        ("-in:#random", Not(place("#random"))),
        ("from:@mara", Field("sender", "=", Word("mara"), "from")),
        ("from:<@U0123>", Field("sender", "=", Word("U0123"), "from")),
        ('from:"Mara Lind"', Field("sender", "=", Word("Mara Lind"), "from")),
        ("from:me", Field("sender", "=", ME, "from")),
        ("FROM:@Me", Field("sender", "=", ME, "from")),
        ("to:me", Field("to", "=", ME, "to")),
        ("with:@jonas", Field("participant", "=", Word("jonas"), "with")),
        ("has:link", Field("has", "=", Word("link"), "has")),
        ("has:reaction", Field("has", "=", Word("reaction"), "has")),
        ("has:pin", Field("has", "=", Word("pin"), "has")),
        ("has::eyes:", Field("reaction", "=", Word("eyes"), "has")),
        ("has::+1:", Field("reaction", "=", Word("+1"), "has")),
        ("hasmy::white_check_mark:", Field("my_reaction", "=", Word("white_check_mark"), "hasmy")),
        ("is:thread", Field("is", "=", Word("thread"), "is")),
        ("is:saved", Field("is", "=", Word("saved"), "is")),
        ("is:dm", Field("is", "=", Word("dm"), "is")),
    ],
)
def test_each_modifier_means_what_the_help_page_says(query: str, expected: object) -> None:
    assert read(query).condition == expected


@pytest.mark.parametrize(
    ("query", "op", "start", "end"),
    [
        ("on:2026-03-01", "=", at(2026, 2, 28, 23), at(2026, 3, 1, 23)),
        ("before:2026-03-01", "<", at(2026, 2, 28, 23), at(2026, 3, 1, 23)),
        ("after:2026-03-01", ">", at(2026, 2, 28, 23), at(2026, 3, 1, 23)),
        ("on:03/01/2026", "=", at(2026, 2, 28, 23), at(2026, 3, 1, 23)),
        ("on:today", "=", at(2026, 4, 14, 22), at(2026, 4, 15, 22)),
        ("after:Yesterday", ">", at(2026, 4, 13, 22), at(2026, 4, 14, 22)),
        ("during:march", "=", at(2026, 2, 28, 23), at(2026, 3, 31, 22)),
        ("during:Apr", "=", at(2026, 3, 31, 22), at(2026, 4, 30, 22)),
        ("during:august", "=", at(2025, 7, 31, 22), at(2025, 8, 31, 22)),
        ("before:2026-02", "<", at(2026, 1, 31, 23), at(2026, 2, 28, 23)),
        ("during:2025", "=", at(2024, 12, 31, 23), at(2025, 12, 31, 23)),
    ],
)
def test_dates_are_whole_days_months_and_years_of_the_searcher(query: str, op: Op, start: int, end: int) -> None:
    name, _, source = query.partition(":")
    assert read(query).condition == Field("date", op, TimeSpan(start, end, source), name)


def test_the_day_on_which_clocks_change_is_as_long_as_it_is() -> None:
    found = read("on:2026-03-29").condition
    assert isinstance(found, Field)
    assert found.value == TimeSpan(at(2026, 3, 28, 23), at(2026, 3, 29, 22), "2026-03-29")


def test_words_must_all_occur_and_or_is_a_word() -> None:
    assert read("payments OR billing").condition == And(
        (TextNode(("payments",)), TextNode(("OR",)), TextNode(("billing",)))
    )


def test_several_channels_or_several_authors_widen_the_search() -> None:
    mara, jonas = (Field("sender", "=", Word(name), "from") for name in ("mara", "jonas"))
    expected = And(
        (Or((mara, jonas)), TextNode(("outage",)), Or((place("#infra"), place("#ops"))), Not(place("#random")))
    )
    found = read("from:@mara outage in:#infra in:#ops -in:#random from:@jonas").condition
    assert found == expected


@pytest.mark.parametrize("query", ["colour:red", "on:someday", "before:2026-13-01", "hasmy:pin"])
def test_what_is_no_modifier_is_looked_for_as_words(query: str) -> None:
    assert read(query).condition == TextNode((query,))


@pytest.mark.parametrize("query", ["", " ", "-", '"', "::"])
def test_a_query_without_content_asks_for_everything(query: str) -> None:
    assert read(query) == Search(None)


def test_a_search_can_be_written_again() -> None:
    query = '"rolling restart" deplo* in:infra from:me has::eyes: -to:jonas after:yesterday'
    again = '"rolling restart" deplo* in:#infra from:me has::eyes: -to:@jonas after:yesterday'
    assert unparse(read(query)) == again
