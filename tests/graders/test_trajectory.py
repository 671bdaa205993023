"""How it was done: counts, order, waiting, reading before writing."""

import pytest

from brownout.core.apps import Thing
from brownout.core.grading import CallRecord, GradingContext, Verdict
from brownout.core.instants import MINUTE
from brownout.core.values import Json
from graders.trajectory import trajectory
from tests.graders.world import START, Ended, act, wrote

RUNBOOK = Thing("docs:ENG.page/98305", {"title": "Runbook: failover", "body": "…"})
TICKET = Thing("jira:BOX.issue/BOX-3", {"key": "BOX-3"})


def judged(*acts: CallRecord, by: int | None = None, **asks: Json) -> Verdict:
    end = Ended(acts=acts, things={"docs": [RUNBOOK], "jira": [TICKET]})
    return trajectory.judge(end, asks, by, GradingContext())


def at(minutes: int) -> int:
    return START + minutes * MINUTE


FAILOVER = act("ops_failover", at=at(10), effects=wrote())
FAILED = act("ops_failover", at=at(5), is_error=True)


def test_calls_that_succeeded_are_counted() -> None:
    assert judged(FAILED, FAILOVER, calls={"ops_failover": "1..2"}).passed
    assert not judged(FAILED, calls={"ops_failover": "1..2"}).passed
    many = judged(*[FAILOVER] * 3, calls={"ops_failover": "1..2", "ops_*": ">= 3"})
    assert (many.share, many.reason) == (0.5, "ops_failover was called 3 times, expected 1 to 2")
    assert not judged(FAILOVER, by=at(9), calls={"ops_failover": 1}).passed


def test_order_wants_every_call() -> None:
    merge = act("github_merge_pull", at=at(3))
    deploy = act("ops_deploy", at=at(8))
    order: Json = ["github_merge*", "ops_deploy"]

    assert judged(merge, deploy, before=order).passed
    assert judged(deploy, merge, before=order).reason == "ops_deploy came before github_merge*"
    assert judged(deploy, before=order).reason == "github_merge* was not called"
    assert not judged(before=order).passed


def test_never_counts_attempts() -> None:
    refused = act("slack_delete_message", is_error=True)

    assert judged(FAILOVER, never=["slack_delete*"]).passed
    assert judged(refused, never=["slack_delete*"]).reason == "slack_delete_message was called"


def test_waiting_is_added_up() -> None:
    waits = [act("wait", at=at(n), lasts=20 * MINUTE) for n in (0, 30)]

    assert judged(*waits, waited="<= 40m").passed
    assert judged(*waits, waited="<= 39m").reason == "40m were spent waiting, expected <= 39m"
    assert judged(*waits[:1], waited="<= 30m").passed
    assert not judged(*waits, waited=">= 1h").passed


@pytest.mark.parametrize(
    "reading",
    [
        act("docs_get_page", {"page": "98305"}),
        act("docs_search", {"query": "failover"}, content='{"results":[{"id":"98305"}]}'),
        act("docs_search", {"query": "failover"}, content='{"results":[{"title":"Runbook: failover"}]}'),
    ],
)
def test_reading_comes_before_the_first_change(reading: CallRecord) -> None:
    draft = act("gmail_create_draft", effects=wrote("gmail_message", harmless=True))

    assert judged(draft, reading, FAILOVER, read=["docs:98305"]).passed
    late = judged(FAILOVER, reading, read=["docs:98305"])
    assert (late.passed, late.reason) == (False, "docs:98305 was not read before the first change")


@pytest.mark.parametrize(
    "other",
    [
        act("docs_get_page", {"page": "983050"}),
        act("slack_read_channel", {"channel": "#ops"}, content="98305"),
        act("docs_get_page", {"page": "98305"}, is_error=True),
        act("docs_search", {"query": "x"}, content='{"id":"1983051"}'),
        act("docs_search", {"query": "x"}, notices="Ida mentioned you on page 98305"),
    ],
)
def test_what_is_not_the_thing_was_not_read(other: CallRecord) -> None:
    assert judged(other, read=["docs:98305"]).reason == "docs:98305 was not read"
    assert not judged(read=["jira:BOX-3"]).passed
    assert not judged(act("jira_get_issue", {"issue": "BOX-33"}), read=["jira:BOX-3"]).passed


def test_grading_twice_is_equal() -> None:
    acts = (FAILED, FAILOVER)

    assert judged(*acts, calls={"*": 1}, never=["x"]) == judged(*acts, calls={"*": 1}, never=["x"])
