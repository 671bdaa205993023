from datetime import UTC, datetime

import pytest

from brownout.core.instants import Instant, from_datetime
from tools.query_languages.ast import (
    EMPTY,
    ME,
    And,
    Field,
    Not,
    NumberValue,
    Op,
    Or,
    Order,
    Range,
    Search,
    TextNode,
    TimeSpan,
    Values,
    Word,
)
from tools.query_languages.github import parse, unparse


def read(query: str) -> Search:
    return parse(query, now=0, zone="UTC")


def at(*moment: int) -> Instant:
    return from_datetime(datetime(*moment, tzinfo=UTC))  # type: ignore[misc,arg-type]


def named(written: str, text: str, name: str = "") -> Field:
    return Field(name or written, "=", Word(text), written)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("repo:larkspur/boxcar", named("repo", "larkspur/boxcar", "repository")),
        ("org:larkspur", named("org", "larkspur", "owner")),
        ("user:mara", named("user", "mara", "owner")),
        ("is:issue", named("is", "issue", "type")),
        ("is:pr", named("is", "pr", "type")),
        ("is:pull-request", named("is", "pr", "type")),
        ("type:pr", named("type", "pr")),
        ("type:Bug", named("type", "Bug")),
        ("is:open", named("is", "open", "state")),
        ("state:closed", named("state", "closed")),
        ("is:merged", named("is", "merged")),
        ("author:mara", named("author", "mara")),
        ("author:@mara", named("author", "mara")),
        ("author:app/dependabot", named("author", "app/dependabot")),
        ("assignee:@me", Field("assignee", "=", ME, "assignee")),
        ("assignee:*", Field("assignee", "is not", EMPTY, "assignee")),
        ("mentions:jonas", named("mentions", "jonas", "mention")),
        ("commenter:jonas", named("commenter", "jonas")),
        ("involves:@me", Field("involved", "=", ME, "involves")),
        ("review-requested:@me", Field("requested_reviewer", "=", ME, "review-requested")),
        ("label:bug", named("label", "bug")),
        ('label:"help wanted"', named("label", "help wanted")),
        ('label:"bug fix",wip', Field("label", "in", Values((Word("bug fix"), Word("wip"))), "label")),
        ('milestone:"Q2 launch"', named("milestone", "Q2 launch")),
        ("no:label", Field("label", "is", EMPTY, "no")),
        ("no:assignee", Field("assignee", "is", EMPTY, "no")),
        ("-no:milestone", Not(Field("milestone", "is", EMPTY, "no"))),
        ("-author:octocat", Not(named("author", "octocat"))),
        ("NOT author:octocat", Not(named("author", "octocat"))),
        ("comments:5", Field("comments", "=", NumberValue(5), "comments")),
        ("comments:>5", Field("comments", ">", NumberValue(5), "comments")),
        ("comments:<=5", Field("comments", "<=", NumberValue(5), "comments")),
        ("comments:5..10", Field("comments", "=", Range(5, 10), "comments")),
        ("comments:*..10", Field("comments", "=", Range(None, 10), "comments")),
        ("reactions:10..*", Field("reactions", "=", Range(10, None), "reactions")),
        ("filename:retry.py", named("filename", "retry.py")),
        ("path:src/queue", named("path", "src/queue")),
        ("extension:py", named("extension", "py")),
        ("language:c++", named("language", "c++")),
        ("retry", TextNode(("retry",))),
        ('"hello world"', TextNode(("hello", "world"), phrase=True)),
        ('cats NOT "hello world"', And((TextNode(("cats",)), Not(TextNode(("hello", "world"), phrase=True))))),
    ],
)
def test_each_qualifier_means_what_the_docs_say(query: str, expected: object) -> None:
    assert read(query).condition == expected


@pytest.mark.parametrize(
    ("query", "op", "source", "start", "end"),
    [
        ("created:2026-03-01", "=", "2026-03-01", at(2026, 3, 1), at(2026, 3, 2)),
        ("created:>2026-03-01", ">", "2026-03-01", at(2026, 3, 1), at(2026, 3, 2)),
        ("updated:>=2026-03-01", ">=", "2026-03-01", at(2026, 3, 1), at(2026, 3, 2)),
        ("closed:<2026-03-01", "<", "2026-03-01", at(2026, 3, 1), at(2026, 3, 2)),
        ("merged:2026-03-01..2026-03-07", "=", "2026-03-01..2026-03-07", at(2026, 3, 1), at(2026, 3, 8)),
        ("created:*..2026-03-07", "=", "*..2026-03-07", None, at(2026, 3, 8)),
        ("created:2026-03-01..*", "=", "2026-03-01..*", at(2026, 3, 1), None),
        (
            "created:<=2026-03-01T10:00:00+02:00", "<=", "2026-03-01T10:00:00+02:00",
            at(2026, 3, 1, 8), at(2026, 3, 1, 8, 0, 1),
        ),
        ("created:>2026-03-01T08:00:00Z", ">", "2026-03-01T08:00:00Z", at(2026, 3, 1, 8), at(2026, 3, 1, 8, 0, 1)),
    ],
)  # fmt: skip
def test_dates_are_days_or_seconds_and_may_be_ranges(
    query: str, op: Op, source: str, start: int | None, end: int | None
) -> None:
    name = query.partition(":")[0]
    assert read(query).condition == Field(name, op, TimeSpan(start, end, source), name)


def test_in_says_where_words_are_looked_for() -> None:
    expected = And((TextNode(("error",), within=("title", "body")), named("is", "open", "state")))
    assert read("error in:title,body is:open").condition == expected
    assert read("in:title in:body error is:open").condition == expected


@pytest.mark.parametrize(
    ("query", "order"),
    [
        ("sort:updated", Order("updated", True, "updated")),
        ("sort:updated-desc", Order("updated", True, "updated")),
        ("sort:created-asc", Order("created", False, "created")),
        ("sort:reactions-+1", Order("reactions-+1", True, "reactions-+1")),
    ],
)
def test_sort_is_an_order_and_no_condition(query: str, order: Order) -> None:
    assert read(f"is:open {query}") == Search(named("is", "open", "state"), (order,))


def test_repositories_and_owners_side_by_side_widen_the_search() -> None:
    owners = Or((named("repo", "larkspur/boxcar", "repository"), named("org", "blueharbor", "owner")))
    assert read("repo:larkspur/boxcar retry org:blueharbor").condition == And((owners, TextNode(("retry",))))


def test_repositories_joined_by_and_do_not_widen_the_search() -> None:
    both = And((named("repo", "a/b", "repository"), named("repo", "a/c", "repository")))
    assert read("repo:a/b AND repo:a/c").condition == both


def test_labels_side_by_side_must_all_be_there() -> None:
    assert read("label:bug label:resolved").condition == And((named("label", "bug"), named("label", "resolved")))


def test_and_binds_tighter_than_or() -> None:
    expected = Or((TextNode(("a",)), And((TextNode(("b",)), TextNode(("c",))))))
    assert read("a OR b AND c").condition == read("a OR b c").condition == expected


def test_brackets_group() -> None:
    bugs = And((named("type", "Bug"), named("assignee", "octocat")))
    rest = And((named("type", "Enhancement"), named("assignee", "hubot")))
    query = '(type:"Bug" AND assignee:octocat) OR (type:"Enhancement" AND assignee:hubot)'
    assert read(query).condition == Or((bugs, rest))
    assert read("-(label:bug label:wip)").condition == Not(And((named("label", "bug"), named("label", "wip"))))


@pytest.mark.parametrize(
    "query", ["fix:retry", "created:yesterday", "created:2026-02-30", "comments:many", "comments:*..*", "no:sense"]
)
def test_what_is_no_qualifier_is_looked_for_as_words(query: str) -> None:
    assert read(query).condition == TextNode((query,))


@pytest.mark.parametrize("query", ["", "OR", "AND NOT", "()", "in:title", "-", '""'])
def test_a_query_without_content_asks_for_everything(query: str) -> None:
    assert read(query) == Search(None)


def test_a_search_can_be_written_again() -> None:
    query = (
        'is:issue (repo:a/b OR label:"help wanted",bug) -author:@me retry in:title created:>=2026-03-01 sort:updated'
    )
    again = (
        'is:issue (repo:a/b OR label:"help wanted",bug) -author:@me retry created:>=2026-03-01'
        " in:title sort:updated-desc"
    )
    assert unparse(read(query)) == again
