from datetime import UTC, datetime

import pytest

from brownout.core.instants import DAY, HOUR, Instant, from_datetime
from tools.query_languages.ast import ME, And, Field, Match, Not, NumberValue, Op, Or, Search, TextNode, TimeSpan, Word
from tools.query_languages.gmail import hides_spam_and_trash, label_key, parse, unparse

NOW = from_datetime(datetime(2026, 4, 14, 10, 12, tzinfo=UTC))
PACIFIC = "America/Los_Angeles"


def read(query: str) -> Search:
    return parse(query, now=NOW, zone=PACIFIC)


def at(*moment: int) -> Instant:
    return from_datetime(datetime(*moment, tzinfo=UTC))  # type: ignore[misc,arg-type]


def sought(name: str, *words: str, written: str = "", phrase: bool = False) -> Field:
    return Field(name, "~", Match((TextNode(words, phrase=phrase),)), written or name)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("from:mara", sought("sender", "mara", written="from")),
        ("from:mara@larkspur.dev", sought("sender", "mara@larkspur.dev", written="from")),
        ("From:@larkspur.dev", sought("sender", "@larkspur.dev", written="from")),
        ("from:me", Field("sender", "=", ME, "from")),
        ("to:me", Field("to", "=", ME, "to")),
        ("cc:jonas", sought("cc", "jonas")),
        ("bcc:jonas", sought("bcc", "jonas")),
        ("deliveredto:ops@larkspur.dev", sought("delivered_to", "ops@larkspur.dev", written="deliveredto")),
        ("subject:outage", sought("subject", "outage")),
        ('subject:"drop cap"', sought("subject", "drop", "cap", phrase=True)),
        ("filename:pdf", sought("attachment", "pdf", written="filename")),
        ("filename:invoice-07.pdf", sought("attachment", "invoice-07.pdf", written="filename")),
        ("list:announce@larkspur.dev", sought("list", "announce@larkspur.dev")),
        ("label:friends", Field("label", "=", Word("friends"), "label")),
        ('label:"My Family"', Field("label", "=", Word("my-family"), "label")),
        ("label:Work/Clients", Field("label", "=", Word("work-clients"), "label")),
        ("in:inbox", Field("label", "=", Word("inbox"), "in")),
        ("in:sent", Field("label", "=", Word("sent"), "in")),
        ("in:anywhere", Field("scope", "=", Word("anywhere"), "in")),
        ("is:unread", Field("is", "=", Word("unread"), "is")),
        ("is:STARRED", Field("is", "=", Word("starred"), "is")),
        ("has:attachment", Field("has", "=", Word("attachment"), "has")),
        ("category:promotions", Field("category", "=", Word("promotions"), "category")),
        ("rfc822msgid:<200503292@example.com>", Field("message_id", "=", Word("200503292@example.com"), "rfc822msgid")),
        ("larger:10M", Field("size", ">", NumberValue(10 * 1024 * 1024), "larger")),
        ("smaller:512K", Field("size", "<", NumberValue(512 * 1024), "smaller")),
        ("size:1000000", Field("size", "=", NumberValue(1_000_000), "size")),
        ("deploy", TextNode(("deploy",))),
        ('"rolling restart"', TextNode(("rolling", "restart"), phrase=True)),
        ("+unicorn", TextNode(("unicorn",), phrase=True)),
        ("-movie", Not(TextNode(("movie",)))),
        ('-"rolling restart"', Not(TextNode(("rolling", "restart"), phrase=True))),
        ("-from:jonas", Not(sought("sender", "jonas", written="from"))),
    ],
)
def test_each_operator_means_what_the_help_page_says(query: str, expected: object) -> None:
    assert read(query).condition == expected


@pytest.mark.parametrize(
    ("query", "op", "start", "end"),
    [
        ("after:2026/03/01", ">=", at(2026, 3, 1, 8), at(2026, 3, 2, 8)),
        ("after:03/01/2026", ">=", at(2026, 3, 1, 8), at(2026, 3, 2, 8)),
        ("newer:2026-03-01", ">=", at(2026, 3, 1, 8), at(2026, 3, 2, 8)),
        ("before:2026/4/2", "<", at(2026, 4, 2, 7), at(2026, 4, 3, 7)),
        ("older:2026/4/2", "<", at(2026, 4, 2, 7), at(2026, 4, 3, 7)),
        ("after:1772352000", ">=", at(2026, 3, 1, 8), at(2026, 3, 1, 8, 0, 1)),
        ("newer_than:2d", ">=", NOW - 2 * DAY, NOW - 2 * DAY + 1),
        ("newer_than:6h", ">=", NOW - 6 * HOUR, NOW - 6 * HOUR + 1),
        ("older_than:1m", "<", at(2026, 3, 14, 10, 12), at(2026, 3, 14, 10, 12) + 1),
        ("older_than:1y", "<", at(2025, 4, 14, 10, 12), at(2025, 4, 14, 10, 12) + 1),
    ],
)
def test_dates_are_midnights_in_the_zone_and_ages_count_from_now(query: str, op: Op, start: int, end: int) -> None:
    name, _, source = query.partition(":")
    assert read(query).condition == Field("date", op, TimeSpan(start, end, source), name)


def test_the_31st_a_month_ago_is_the_last_of_a_shorter_month() -> None:
    found = parse("older_than:1m", now=at(2026, 3, 31, 12), zone="UTC").condition
    assert found == Field("date", "<", TimeSpan(at(2026, 2, 28, 12), at(2026, 2, 28, 12) + 1, "1m"), "older_than")


def test_terms_side_by_side_must_all_hold() -> None:
    both = And((TextNode(("payments",)), TextNode(("timeout",))))
    assert read("payments timeout").condition == read("payments AND timeout").condition == both


def test_or_binds_tighter_than_the_space_between_terms() -> None:
    people = Or((sought("sender", "amy", written="from"), sought("sender", "david", written="from")))
    assert read("from:amy OR from:david subject:dinner").condition == And((people, sought("subject", "dinner")))


def test_braces_are_a_choice() -> None:
    assert read("{from:amy from:david}").condition == read("from:amy OR from:david").condition
    assert read("dinner -{amy david}").condition == read("dinner -(amy OR david)").condition


def test_an_operator_reaches_into_the_group_that_follows_it() -> None:
    assert read("subject:(dinner movie)").condition == read("subject:dinner subject:movie").condition
    assert read("from:(amy OR david)").condition == read("from:amy OR from:david").condition
    assert read("subject:{dinner -movie}").condition == read("subject:dinner OR -subject:movie").condition
    assert read("in:{inbox sent}").condition == read("in:inbox OR in:sent").condition


def test_a_space_after_the_colon_does_not_count() -> None:
    assert read("from: mara subject: outage").condition == read("from:mara subject:outage").condition


def test_joining_words_count_only_in_capitals() -> None:
    assert read("this or that").condition == And((TextNode(("this",)), TextNode(("or",)), TextNode(("that",))))


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("flavour:cherry", ("flavour:cherry",)),
        ("after:tomorrow", ("after:tomorrow",)),
        ("after:2026/02/30", ("after:2026/02/30",)),
        ("newer_than:soon", ("newer_than:soon",)),
        ("larger:huge", ("larger:huge",)),
        ("from:", ("from",)),
    ],
)
def test_what_is_no_operator_is_looked_for_as_words(query: str, words: tuple[str, ...]) -> None:
    assert read(query).condition == TextNode(words)


@pytest.mark.parametrize("query", ["", "   ", "-", "- -", '""', "()", "{}", "OR", "!!! ???", ")("])
def test_a_query_without_content_asks_for_everything(query: str) -> None:
    assert read(query) == Search(None)


def test_what_was_left_open_is_closed_at_the_end() -> None:
    assert read('("rolling restart').condition == TextNode(("rolling", "restart"), phrase=True)
    assert read("(payments OR billing) refund)").condition == read("(payments OR billing) refund").condition


@pytest.mark.parametrize(
    ("query", "hides"),
    [
        ("from:mara", True),
        ("label:inbox", True),
        ("in:anywhere refund", False),
        ("in:spam", False),
        ("label:trash OR label:inbox", False),
    ],
)
def test_spam_and_trash_are_left_out_unless_named(query: str, hides: bool) -> None:
    assert hides_spam_and_trash(read(query)) is hides


def test_labels_are_spelled_as_in_queries() -> None:
    assert label_key(" Customers/Blue Harbor ") == "customers-blue-harbor"


def test_a_search_can_be_written_again() -> None:
    query = 'from:(amy OR "david k") -{spam offers} subject:"drop cap" after:2026/03/01 larger:2M in:sent'
    again = 'from:amy OR from:"david k" -(spam OR offers) subject:"drop cap" after:2026/03/01 larger:2097152 in:sent'
    assert unparse(read(query)) == again
