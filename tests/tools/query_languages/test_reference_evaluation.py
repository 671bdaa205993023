from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from brownout.core.instants import DAY, from_datetime
from tools.query_languages import github, gmail, jql, slack
from tools.query_languages.ast import EMPTY, ME, And, Field, Function, Not, NumberValue, PastValue, Search, Values, Word
from tools.query_languages.jql import JqlField
from tools.query_languages.reference_evaluation import Record, Stay, matches
from tools.query_languages.resolved_calls import resolved

NOW = from_datetime(datetime(2026, 4, 14, 10, 12, tzinfo=UTC))


def on(year: int, month: int, day: int, hour: int = 12) -> int:
    return from_datetime(datetime(year, month, day, hour, tzinfo=UTC))


def answer(call: Function) -> Sequence[str | int]:
    return {"currentUser": ["mara"], "membersOf": ["mara", "jonas"]}.get(call.name, [])


MAIL: Record = {
    "sender": "Mara Lind <mara@larkspur.dev>",
    "to": ["ops@larkspur.dev", "jonas@larkspur.dev"],
    "subject": "Drop cap: retry storm",
    "text": ["Drop cap: retry storm", "We saw the retry queue grow, see the report.", "Mara Lind <mara@larkspur.dev>"],
    "attachment": ["retries.pdf"],
    "label": ["inbox", "customers-blue-harbor"],
    "is": ["unread", "important"],
    "has": ["attachment"],
    "scope": "anywhere",
    "date": on(2026, 3, 1),
    "size": 3_000_000,
    "message_id": "20260301.1@larkspur.dev",
}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("from:mara", True),
        ("from:mara@larkspur.dev", True),
        ("from:larkspur.dev", True),
        ("from:jonas", False),
        ("to:jonas -to:mara", True),
        ("subject:(retry storm)", True),
        ('subject:"storm retry"', False),
        ('"retry queue"', True),
        ("retries", False),
        ("filename:pdf has:attachment", True),
        ("filename:retries.pdf", True),
        ('label:"Customers/Blue Harbor"', True),
        ("in:inbox is:unread -is:starred", True),
        ("in:anywhere report", True),
        ("{storm calm} -calm", True),
        ("after:2026/03/01 before:2026/03/02", True),
        ("before:2026/03/01", False),
        ("older_than:1m", True),
        ("newer_than:1m", False),
        ("larger:2M smaller:3M", True),
        ("rfc822msgid:<20260301.1@larkspur.dev>", True),
        ("flavour:cherry", False),
        ("", True),
    ],
)
def test_mail_is_found_as_gmail_finds_it(query: str, found: bool) -> None:
    assert matches(gmail.parse(query, now=NOW, zone="UTC"), MAIL) is found


MESSAGE: Record = {
    "text": "Deploying boxcar again, see https://status.larkspur.dev",
    "sender": "mara",
    "conversation": "#infra",
    "has": ["link", "reaction"],
    "reaction": ["eyes", "+1"],
    "is": ["thread"],
    "date": on(2026, 4, 13),
}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("deploy", False),
        ("deploy* boxcar", True),
        ("from:me in:#infra", True),
        ("from:@jonas from:@mara", True),
        ("in:#ops in:infra", True),
        ("-in:#infra", False),
        ("has:link has::eyes: -has:pin", True),
        ("is:thread on:yesterday", True),
        ("after:2026-04-13", False),
        ("after:2026-04-12 before:2026-04-14", True),
        ("during:april", True),
    ],
)
def test_messages_are_found_as_slack_finds_them(query: str, found: bool) -> None:
    assert matches(slack.parse(query, now=NOW, zone="UTC"), MESSAGE, resolve=answer) is found


ISSUE: Record = {
    "title": "Retry queue grows",
    "body": "Cap the retries at five.",
    "text": ["Retry queue grows", "Cap the retries at five."],
    "repository": "larkspur/boxcar",
    "owner": "larkspur",
    "type": "issue",
    "state": "open",
    "author": "mara",
    "label": ["bug", "Help Wanted"],
    "comments": 7,
    "created": on(2026, 3, 1),
}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("is:issue is:open author:@me", True),
        ("repo:larkspur/boxcar repo:larkspur/freight retry", True),
        ("org:blueharbor OR org:larkspur", True),
        ('label:"help wanted" label:bug', True),
        ("label:wip,bug", True),
        ("label:wip label:bug", False),
        ("retry in:title", True),
        ("retries in:title", False),
        ("retries in:title,body", True),
        ("no:assignee -no:label", True),
        ("assignee:*", False),
        ("comments:5..10 comments:>6 comments:<8", True),
        ("comments:>=8", False),
        ("created:2026-03-01..2026-03-02", True),
        ("created:>2026-03-01", False),
        ("-author:mara", False),
        ("NOT (is:closed OR is:pr)", True),
    ],
)
def test_issues_are_found_as_github_finds_them(query: str, found: bool) -> None:
    assert matches(github.parse(query, now=NOW, zone="UTC"), ISSUE, resolve=answer) is found


FIELDS = {
    "status": JqlField("status", "name", has_history=True),
    "assignee": JqlField("assignee", "name"),
    "labels": JqlField("label", "name"),
    "summary": JqlField("summary", "text"),
    "created": JqlField("created", "date"),
    "due": JqlField("due", "date"),
    "points": JqlField("points", "number"),
}
TICKET: Record = {
    "status": "In Progress",
    "status history": (
        Stay("Open", on(2026, 4, 1), "mara"),
        Stay("Done", on(2026, 4, 5), "jonas"),
        Stay("In Progress", on(2026, 4, 9), "mara"),
    ),
    "assignee": None,
    "label": ["retries", "P1"],
    "summary": "Retry queue grows",
    "created": on(2026, 4, 1),
    "points": 5,
}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ('status = "in progress"', True),
        ("status in (Open, Done)", False),
        ("status not in (Open, Done)", True),
        ("assignee is EMPTY", True),
        ("assignee = EMPTY", True),
        ("assignee != mara", False),
        ("NOT assignee = mara", True),
        ("assignee not in (mara, jonas)", False),
        ("assignee in (mara, EMPTY)", True),
        ("assignee is not EMPTY", False),
        ("labels = p1 AND labels != P2", True),
        ("labels != P1", False),
        ('summary ~ "queue retry"', True),
        ('summary ~ "\\"queue retry\\""', False),
        ('summary ~ "storm OR gro*"', True),
        ("summary !~ storm", True),
        ("created >= -14d", True),
        ("created > '2026-04-01' AND created < '2026-04-02'", True),
        ("created > endOfMonth(-1M)", True),
        ("due < now()", False),
        ("due != '2026-04-01'", False),
        ("points > 4 AND points <= 5 AND points != 6", True),
        ("assignee in membersOf(ops) OR points in (3, 5)", True),
        ("status was Done", True),
        ("status was not Done", False),
        ("status was not in (Blocked)", True),
        ("status was in (Blocked, Open) by mara", True),
        ("status was Done by mara", False),
        ("status was Done before '2026-04-05'", False),
        ("status was Done before '2026-04-06'", True),
        ("status was Done after '2026-04-09 13:00'", False),
        ("status was Done on '2026-04-07'", True),
        ("status was Open on '2026-04-07'", False),
        ("status was 'In Progress' after -1d", True),
        ("status was Done during ('2026-04-06', '2026-04-07')", True),
        ("status changed", True),
        ("assignee changed", False),
        ("status changed from Open", True),
        ("status changed from Open to 'In Progress'", False),
        ("status changed to Done by jonas on '2026-04-05'", True),
        ("status changed to Done after -7d", False),
        ("status changed by currentUser() after -7d", True),
        ("colour = red", False),
        ("colour is empty", True),
    ],
)
def test_issues_are_found_as_jira_finds_them(query: str, found: bool) -> None:
    search = jql.parse(query, now=NOW, zone="UTC", fields=FIELDS)
    assert matches(search, TICKET, resolve=answer) is found


def test_a_function_that_nobody_resolves_is_an_error() -> None:
    with pytest.raises(LookupError, match="currentUser"):
        matches(Field("assignee", "=", ME), {"assignee": "mara"})


def test_functions_become_the_values_they_stand_for() -> None:
    team = Function("membersOf", ("ops",))
    search = Search(
        And(
            (
                Field("assignee", "=", ME),
                Field("reporter", "!=", team),
                Not(Field("owner", "in", Values((team, EMPTY)))),
                Field("status", "was", PastValue(Function("nothing"))),
            )
        )
    )
    mara, jonas = Word("mara"), Word("jonas")
    assert resolved(search, answer).condition == And(
        (
            Field("assignee", "=", mara),
            Field("reporter", "not in", Values((mara, jonas))),
            Not(Field("owner", "in", Values((mara, jonas, EMPTY)))),
            Field("status", "was in", PastValue(Values(()))),
        )
    )
    assert resolved(Search(Field("id", "=", Function("f"))), lambda _call: [5]).condition == Field(
        "id", "=", NumberValue(5)
    )


def test_a_condition_alone_can_be_asked() -> None:
    recent = gmail.parse("newer_than:2d", now=NOW, zone="UTC").condition
    assert recent is not None
    assert matches(recent, {"date": NOW - DAY})
    assert not matches(recent, {"date": NOW - 3 * DAY})
