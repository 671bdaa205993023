"""Root causes and links: what they name, who finds them, and when each came to be so."""

from collections.abc import Iterator
from typing import Any, cast

import pytest

import brownout
from brownout.core.grading import EndState, GradingContext
from brownout.engine.session import Session
from graders.world_state import world_state
from tools.jira.link_targets import Reference, read_reference


@pytest.fixture
def session() -> Iterator[Session]:
    with brownout.open_session("tiny", task="mend-the-help-page") as opened:
        yield opened


def ok(session: Session, name: str, **arguments: Any) -> Any:
    answer = session.call(f"jira_{name}", arguments)
    assert not answer.is_error, answer.content
    return cast(Any, answer.structured)


def refused(session: Session, name: str, **arguments: Any) -> str:
    answer = session.call(f"jira_{name}", arguments)
    assert answer.is_error, answer.content
    assert answer.effects == ()
    return answer.content


@pytest.mark.parametrize(
    ("text", "kind", "target"),
    [
        ("shop/checkout#12", "pull", "shop/checkout#12"),
        (" https://github.com/shop/checkout/pull/12/files ", "pull", "shop/checkout#12"),
        ("github:shop/checkout.pull/12", "pull", "shop/checkout#12"),
        ("github.com/shop/check.out/pull/12#issuecomment-3", "pull", "shop/check.out#12"),
        ("shop/checkout@1A2B3C4", "commit", "shop/checkout@1a2b3c4"),
        ("https://github.com/shop/checkout/commit/1a2b3c4d5e", "commit", "shop/checkout@1a2b3c4d5e"),
        ("github:shop/checkout.commit/1a2b3c4d5e", "commit", "shop/checkout@1a2b3c4d5e"),
        ("ops-7", "issue", "OPS-7"),
        ("jira:OPS.issue/OPS-7", "issue", "OPS-7"),
        ("https://shop.atlassian.net/browse/OPS-7", "issue", "OPS-7"),
        ("https://wiki.test/page?x=1", "url", "https://wiki.test/page?x=1"),
    ],
)
def test_a_reference_is_written_in_one_way(text: str, kind: str, target: str) -> None:
    assert read_reference(text) == Reference(kind, target)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    ["", "#12", "checkout#12", "shop/checkout#0", "shop/checkout@12", "OPS-0", "the cap", "https://", "a/b#1 a/b#2"],
)
def test_what_names_nothing_is_no_reference(text: str) -> None:
    assert read_reference(text) is None


def test_a_root_cause_stands_on_the_issue_and_is_found(session: Session) -> None:
    ok(
        session,
        "update_issue",
        issue="BOX-32",
        root_cause=" Zebras ate the holds. ",
        root_cause_link="https://github.com/shop/checkout/pull/12",
    )
    fields = ok(session, "get_issue", issue="BOX-32")["fields"]
    history = ok(session, "get_changelog", issue="BOX-32")["values"]

    assert (fields["root_cause"], fields["root_cause_link"]) == ("Zebras ate the holds.", "shop/checkout#12")
    assert {each["items"][0]["field"] for each in history[-2:]} == {"root_cause", "root_cause_link"}
    for jql in ('"Root cause" ~ zebras', 'text ~ "zebras ate"', '"Root cause" is not EMPTY'):
        assert [each["key"] for each in ok(session, "search_issues", jql=jql)["issues"]] == ["BOX-32"]


@pytest.mark.parametrize("link", ["the cap", "https://wiki.test/page", "BOX-999", "BOX-32"])
def test_a_root_cause_links_to_what_there_can_be(session: Session, link: str) -> None:
    refused(session, "update_issue", issue="BOX-32", root_cause_link=link)


def test_links_come_and_go(session: Session) -> None:
    ok(session, "link_issues", link_type="Cause", issue="BOX-33", other="BOX-32")
    made = ok(session, "add_remote_link", issue="BOX-32", target="shop/checkout@1a2b3c4d5e6f", relationship="fixed by")
    again = ok(session, "add_remote_link", issue="BOX-32", target="shop/checkout@1a2b3c4d5e6f", title="The fix")
    [found] = session.end_state().find("jira", "BOX-32")

    assert made["id"] == again["id"]
    assert found.fields["links"] == ["is_caused_by BOX-33"]
    assert found.fields["is_caused_by"] == ["BOX-33"]
    assert found.fields["remote_links"] == ["shop/checkout@1a2b3c4"]
    [link] = ok(session, "get_issue", issue="BOX-32")["fields"]["issuelinks"]
    ok(session, "delete_link", link=link["id"])
    ok(session, "delete_remote_link", issue="BOX-32", link=made["id"])
    [found] = session.end_state().find("jira", "BOX-32")
    assert (found.fields["links"], found.fields["remote_links"]) == ([], [])
    for number in ("x", "9" * 20, "-1", link["id"]):
        refused(session, "delete_link", link=number)


def test_each_field_of_an_issue_is_dated_alone(session: Session) -> None:
    ok(session, "update_issue", issue="BOX-32", root_cause="Zebras.")
    session.call("wait", {"minutes": 30, "until_notice": False})
    ok(session, "update_issue", issue="BOX-32", priority="High", root_cause="Zebras.")
    ok(session, "add_comment", issue="BOX-32", body="So it was.")
    end = cast(EndState, session.end_state())

    def holds(field: str, value: str) -> bool:
        return world_state.judge(
            end, {f"jira:BOX-32.{field}": value}, end.moment("start + 15m"), GradingContext()
        ).passed

    assert holds("root_cause", "Zebras.")
    assert holds("status", "To Do")
    assert not holds("priority", "High")


def test_paths_of_links_lie_below_their_issue(session: Session) -> None:
    answer = session.call("jira_add_remote_link", {"issue": "BOX-32", "target": "shop/checkout#12"})
    end = session.end_state()

    assert [end.path_of(effect) for effect in answer.effects] == [
        "jira:BOX.issue/BOX-32.remote_link/1",
        "jira:BOX.issue/BOX-32",
    ]
