from datetime import UTC, datetime

import pytest

from brownout.core.instants import DAY, HOUR, MINUTE, Instant, from_datetime
from tools.query_languages.ast import (
    EMPTY,
    ME,
    And,
    Field,
    Function,
    Match,
    Not,
    NumberValue,
    Op,
    Or,
    Order,
    PastValue,
    Predicate,
    Search,
    TextNode,
    TimeSpan,
    Values,
    Word,
)
from tools.query_languages.jql import JqlField, parse, unparse

NOW = from_datetime(datetime(2026, 4, 14, 10, 12, tzinfo=UTC))
"""A Tuesday; 12:12 in Berlin."""

FIELDS = {
    "project": JqlField("project", "name"),
    "status": JqlField("status", "name", has_history=True),
    "assignee": JqlField("assignee", "name", has_history=True),
    "labels": JqlField("label", "name"),
    "sprint": JqlField("sprint", "name"),
    "priority": JqlField("priority", "name", is_ordered=True, is_descending=True),
    "summary": JqlField("summary", "text"),
    "text": JqlField("text", "text"),
    "created": JqlField("created", "date", is_descending=True),
    "updated": JqlField("updated", "date", is_descending=True),
    "due": JqlField("due", "date"),
    "duedate": JqlField("due", "date"),
    "story points": JqlField("points", "number"),
    "cf[10011]": JqlField("points", "number"),
}


def read(query: str) -> Search:
    return parse(query, now=NOW, zone="Europe/Berlin", fields=FIELDS)


def at(*moment: int) -> Instant:
    return from_datetime(datetime(*moment, tzinfo=UTC))  # type: ignore[misc,arg-type]


def point(moment: Instant, source: str | Function) -> TimeSpan:
    return TimeSpan(moment, moment + 1, source)


DONE = Field("status", "=", Word("Done"), "status")
BOX = Field("project", "=", Word("BOX"), "project")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("project = BOX", BOX),
        ("Project=BOX", Field("project", "=", Word("BOX"), "Project")),
        ("status != 'In Progress'", Field("status", "!=", Word("In Progress"), "status")),
        (
            'status in (Open, "In Progress")',
            Field("status", "in", Values((Word("Open"), Word("In Progress"))), "status"),
        ),
        ("status NOT IN (Done)", Field("status", "not in", Values((Word("Done"),)), "status")),
        ("status in ((a, b), c)", Field("status", "in", Values((Word("a"), Word("b"), Word("c"))), "status")),
        ("assignee is EMPTY", Field("assignee", "is", EMPTY, "assignee")),
        ("assignee IS NOT null", Field("assignee", "is not", EMPTY, "assignee")),
        ("assignee in (EMPTY, mara)", Field("assignee", "in", Values((EMPTY, Word("mara"))), "assignee")),
        ("assignee = currentUser()", Field("assignee", "=", ME, "assignee")),
        ("assignee = CURRENTUSER()", Field("assignee", "=", ME, "assignee")),
        (
            'assignee in membersOf("site reliability")',
            Field("assignee", "in", Function("membersOf", ("site reliability",)), "assignee"),
        ),
        ("sprint in openSprints()", Field("sprint", "in", Function("openSprints"), "sprint")),
        ('"Story Points" >= 5', Field("points", ">=", NumberValue(5), "Story Points")),
        ("cf[10011] < -3", Field("points", "<", NumberValue(-3), "cf[10011]")),
        ('project = "10000"', Field("project", "=", Word("10000"), "project")),
        ("colour = red", Field("colour", "=", Word("red"), "colour")),
        ("status was Open", Field("status", "was", PastValue(Word("Open")), "status")),
        ("status was not Open", Field("status", "was not", PastValue(Word("Open")), "status")),
        (
            "status was in (Open, Done)",
            Field("status", "was in", PastValue(Values((Word("Open"), Word("Done")))), "status"),
        ),
        ("status WAS NOT IN (Open)", Field("status", "was not in", PastValue(Values((Word("Open"),))), "status")),
        ("assignee changed", Field("assignee", "changed", PastValue(None), "assignee")),
        (
            "status changed from Open to Done by currentUser()",
            Field(
                "status",
                "changed",
                PastValue(
                    None,
                    (Predicate("from", Word("Open")), Predicate("to", Word("Done")), Predicate("by", ME)),
                ),
                "status",
            ),
        ),
    ],
)
def test_each_operator_means_what_the_reference_says(query: str, expected: object) -> None:
    assert read(query).condition == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("retry", Match((TextNode(("retry",)),))),
        ('"retry queue"', Match((TextNode(("retry",)), TextNode(("queue",))))),
        (r'"\"rolling restart\" node"', Match((TextNode(("rolling", "restart"), phrase=True), TextNode(("node",))))),
        ('"deplo*"', Match((TextNode(("deplo",), prefix=True),))),
        ('"timeout OR latency"', Match((TextNode(("timeout",)), TextNode(("latency",))), any=True)),
        ('"timeout AND latency"', Match((TextNode(("timeout",)), TextNode(("latency",))))),
        ("404", Match((TextNode(("404",)),))),
        ('"!!"', Match(())),
    ],
)
def test_a_tilde_looks_for_the_words_of_its_text(text: str, expected: Match) -> None:
    assert read(f"summary ~ {text}").condition == Field("summary", "~", expected, "summary")
    assert read(f"summary !~ {text}").condition == Field("summary", "!~", expected, "summary")


def test_and_binds_tighter_than_or_and_not_tightest() -> None:
    mara = Field("assignee", "=", Word("mara"), "assignee")
    assert read("status = Done or project = BOX and not assignee = mara").condition == Or((DONE, And((BOX, Not(mara)))))
    assert read("status = Done || project = BOX && !assignee = mara").condition == Or((DONE, And((BOX, Not(mara)))))
    assert read("NOT (status = Done OR project = BOX)").condition == Not(Or((DONE, BOX)))
    assert read("(status = Done) AND ((project = BOX))").condition == And((DONE, BOX))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (r'"say \"no\""', 'say "no"'),
        (r"'it\'s'", "it's"),
        (r'"a\\b"', "a\\b"),
        (r'"one\ntwo"', "one\ntwo"),
        (r"caf\u00e9", "café"),
        (r"two\ words", "two words"),
        (r'"\ud83d\ude80"', "🚀"),
        (r'"\ud83d"', "\N{REPLACEMENT CHARACTER}"),
        ("'two\nlines'", "two\nlines"),
        ("naïve-name_1.2", "naïve-name_1.2"),
    ],
)
def test_strings_may_be_quoted_and_escaped(typed: str, meant: str) -> None:
    assert read(f"labels = {typed}").condition == Field("label", "=", Word(meant), "labels")


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("-7d", NOW - 7 * DAY),
        ('"-7D"', NOW - 7 * DAY),
        ("-4w", NOW - 28 * DAY),
        ('"-4w 2d"', NOW - 30 * DAY),
        ('"-10weeks, 3minutes"', NOW - 70 * DAY - 3 * MINUTE),
        ("-90m", NOW - 90 * MINUTE),
        ('"-90M"', NOW - 90 * MINUTE),
        ("2h", NOW + 2 * HOUR),
        ('"+1d"', NOW + DAY),
        ("2026-03-01", at(2026, 2, 28, 23)),
        ('"2026/03/01"', at(2026, 2, 28, 23)),
        ('"2026-03-01 10:00"', at(2026, 3, 1, 9)),
        ('"2026/03/29 03:30"', at(2026, 3, 29, 1, 30)),
    ],
)
def test_dates_are_moments_relative_to_now_or_in_the_zone(value: str, moment: Instant) -> None:
    assert read(f"created >= {value}").condition == Field("created", ">=", point(moment, value.strip('"')), "created")


@pytest.mark.parametrize(
    ("call", "moment"),
    [
        ("now()", NOW),
        ("startOfDay()", at(2026, 4, 13, 22)),
        ("startOfDay(-1)", at(2026, 4, 12, 22)),
        ("startOfDay(-1d)", at(2026, 4, 12, 22)),
        ("startOfDay('+2h')", at(2026, 4, 14, 0)),
        ("endOfDay()", at(2026, 4, 14, 22) - 1000),
        ("endOfDay(1)", at(2026, 4, 15, 22) - 1000),
        ("startOfWeek()", at(2026, 4, 11, 22)),
        ("startOfWeek(-1w)", at(2026, 4, 4, 22)),
        ("endOfWeek()", at(2026, 4, 18, 22) - 1000),
        ("startOfMonth()", at(2026, 3, 31, 22)),
        ("startOfMonth(-1)", at(2026, 2, 28, 23)),
        ("startOfMonth('+14d')", at(2026, 4, 14, 22)),
        ("endOfMonth()", at(2026, 4, 30, 22) - 1000),
        ("startOfYear()", at(2025, 12, 31, 23)),
        ("startOfYear(-1y)", at(2024, 12, 31, 23)),
        ("endOfYear(1M)", at(2027, 1, 31, 23) - 1000),
    ],
)
def test_date_functions_count_from_the_edge_of_the_current_period(call: str, moment: Instant) -> None:
    found = read(f"due < {call}").condition
    assert isinstance(found, Field)
    assert isinstance(found.value, TimeSpan)
    assert (found.value.start, found.value.end) == (moment, moment + 1)


def test_a_week_may_start_on_monday() -> None:
    found = parse("due < startOfWeek()", now=NOW, zone="UTC", fields=FIELDS, week_starts="monday").condition
    assert found == Field("due", "<", point(at(2026, 4, 13), Function("startOfWeek")), "due")


def test_dates_of_predicates_are_moments_and_on_is_a_whole_day() -> None:
    found = read('status was Open after -2d on "2026-04-10 08:00" during (2026-04-01, endOfMonth())').condition
    assert isinstance(found, Field)
    assert found.value == PastValue(
        Word("Open"),
        (
            Predicate("after", point(NOW - 2 * DAY, "-2d")),
            Predicate("on", TimeSpan(at(2026, 4, 9, 22), at(2026, 4, 10, 22), "2026-04-10 08:00")),
            Predicate(
                "during",
                Values(
                    (
                        point(at(2026, 3, 31, 22), "2026-04-01"),
                        point(at(2026, 4, 30, 22) - 1000, Function("endOfMonth")),
                    )
                ),
            ),
        ),
    )


def test_what_looks_like_a_date_stays_a_name_in_a_field_of_names() -> None:
    assert read("labels = -7d").condition == Field("label", "=", Word("-7d"), "labels")
    assert read("labels = now()").condition == Field("label", "=", Function("now"), "labels")


@pytest.mark.parametrize(("field", "op"), [("duedate", "<="), ("Due", ">")])
def test_spellings_of_a_field_share_our_name_and_keep_their_own(field: str, op: Op) -> None:
    assert read(f"{field} {op} -1d").condition == Field("due", op, point(NOW - DAY, "-1d"), field)


@pytest.mark.parametrize(
    ("query", "order"),
    [
        (
            "ORDER BY created DESC, priority ASC",
            (Order("created", True, "created"), Order("priority", False, "priority")),
        ),
        ("order by created, due", (Order("created", True, "created"), Order("due", False, "due"))),
        ('order by "Story Points" desc', (Order("points", True, "Story Points"),)),
        ("order by cf[10011]", (Order("points", False, "cf[10011]"),)),
        ("order by rank", (Order("rank", False, "rank"),)),
    ],
)
def test_an_order_may_stand_alone_or_follow_a_condition(query: str, order: tuple[Order, ...]) -> None:
    assert read(query) == Search(None, order)
    assert read(f"project = BOX {query}") == Search(BOX, order)


def test_an_empty_query_asks_for_everything() -> None:
    assert read(" \n") == Search(None)


@pytest.mark.parametrize(
    ("query", "again"),
    [
        (
            "project=BOX and(status='Done'or labels in (a,'b c'))",
            'project = BOX AND (status = Done OR labels IN (a, "b c"))',
        ),
        ("not(a=b and c=d)", "NOT (a = b AND c = d)"),
        ('created>= "-7d"', "created >= -7d"),
        ('created >= "2026-03-01 10:00"', 'created >= "2026-03-01 10:00"'),
        ("due < startofday('-1d') order by due", "due < startOfDay(-1d) ORDER BY due ASC"),
        (r'summary ~ "\"drop cap\" retr*"', r'summary ~ "\"drop cap\" retr*"'),
        ("assignee was currentuser() before -1w", "assignee WAS currentUser() BEFORE -1w"),
        ('labels = "and" or labels = "123"', 'labels = "and" OR labels = "123"'),
        (r'labels = "tab\there\u0007"', r'labels = "tab\u0009here\u0007"'),
    ],
)
def test_a_search_can_be_written_again(query: str, again: str) -> None:
    assert unparse(read(query)) == again
    assert read(again) == read(query)
