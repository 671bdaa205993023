"""Every Jira operation, succeeding and failing as Jira does."""

from collections.abc import Iterator

import pytest

import brownout
from brownout.core.apps import VendorError
from brownout.core.values import Json, JsonObject
from brownout.engine.session import Session


@pytest.fixture
def session() -> Iterator[Session]:
    with brownout.open_session("tiny", task="mend-the-help-page") as opened:
        yield opened


def ok(session: Session, name: str, **arguments: Json) -> JsonObject:
    answer = session.call(f"jira_{name}", arguments)
    assert not answer.is_error, answer.content
    assert isinstance(answer.structured, dict)
    return answer.structured


def error(session: Session, name: str, **arguments: Json) -> str:
    answer = session.call(f"jira_{name}", arguments)
    assert answer.is_error, answer.content
    assert isinstance(answer.structured, dict)
    assert {"errorMessages", "errors"} <= answer.structured.keys()
    return str(answer.structured)


def keys(found: JsonObject) -> list[str]:
    issues = found["issues"]
    assert isinstance(issues, list)
    return [str(issue["key"]) for issue in issues if isinstance(issue, dict)]


def fields(session: Session, key: str) -> JsonObject:
    found = ok(session, "get_issue", issue=key)["fields"]
    assert isinstance(found, dict)
    return found


def test_projects_and_users_are_found(session: Session) -> None:
    assert "Boxoffice" in str(ok(session, "list_projects"))
    assert "Marcus Bell" in session.call("jira_search_users", {"query": "marc"}).content
    assert session.call("jira_search_users", {"query": "nobody"}).structured == []


@pytest.mark.parametrize(
    ("jql", "expected"),
    [
        ("project = BOX AND created > 2026-03-01 ORDER BY key", ["BOX-31", "BOX-32", "BOX-33"]),
        ('text ~ "sold out"', ["BOX-32"]),
        ("type = Bug AND status != Done ORDER BY created ASC", ["BOX-32", "BOX-33"]),
        ("reporter = yuki AND created > 2026-03-01", ["BOX-31"]),
        ("resolution = Unresolved AND priority < Medium", ["BOX-33"]),
        ("status was Done AND created > 2026-03-01", ["BOX-31"]),
        ("assignee is EMPTY ORDER BY key DESC", ["BOX-33", "BOX-32"]),
        ('created >= "2026-03-24" AND created < "2026-03-25" ORDER BY key', ["BOX-32", "BOX-33"]),
    ],
)
def test_jql_finds_what_it_asks_for(session: Session, jql: str, expected: list[str]) -> None:
    assert keys(ok(session, "search_issues", jql=jql)) == expected


@pytest.mark.parametrize("jql", ["project = ", "colour = blue", "project BOX", "ORDER BY colour", "key in ("])
def test_jql_that_cannot_be_read_is_refused(session: Session, jql: str) -> None:
    error(session, "search_issues", jql=jql)


def test_a_search_goes_on_where_it_ended(session: Session) -> None:
    first = ok(session, "search_issues", jql="created > 2026-03-01 ORDER BY key", max_results=2)
    rest = ok(
        session,
        "search_issues",
        jql="created > 2026-03-01 ORDER BY key",
        max_results=2,
        next_page_token=first["nextPageToken"],
    )

    assert keys(first) + keys(rest) == ["BOX-31", "BOX-32", "BOX-33"]
    assert rest["isLast"] is True
    assert "invalid or has expired" in error(session, "search_issues", jql="", next_page_token="x")


def test_an_issue_is_made_changed_and_moved(session: Session) -> None:
    key = str(ok(session, "create_issue", project="BOX", summary="Write it up", assignee="ida")["key"])
    assert key == "BOX-34"
    ok(session, "update_issue", issue=key, priority="low", labels=["later"], due_date="2026-04-01")
    ok(session, "transition_issue", issue=key, transition="In Progress")
    ok(session, "add_comment", issue=key, body="begun")
    found = fields(session, key)

    assert found["priority"] == {"name": "Low"}
    assert found["labels"] == ["later"]
    assert found["duedate"] == "2026-04-01"
    assert "In Progress" in str(found["status"])
    assert "begun" in str(found["comment"])
    assert "In Progress" in str(ok(session, "get_changelog", issue=key))
    assert "Done" in str(ok(session, "list_transitions", issue=key))


def test_what_does_not_fit_is_refused_in_jiras_words(session: Session) -> None:
    assert "valid project is required" in error(session, "create_issue", project="NO", summary="x")
    assert "Issue does not exist" in error(session, "get_issue", issue="BOX-999")
    assert "Issue does not exist" in error(session, "get_changelog", issue="BOX-999")
    assert "Issue does not exist" in error(session, "list_transitions", issue="BOX-999")
    assert "is not valid" in error(session, "update_issue", issue="BOX-32", priority="urgent")
    assert "does not exist" in error(session, "update_issue", issue="BOX-32", assignee="nobody")
    assert "not possible to transition" in error(session, "transition_issue", issue="BOX-32", transition="In Review")
    assert "Issue does not exist" in error(session, "add_comment", issue="BOX-999", body="x")
    assert "link an issue to itself" in error(
        session, "link_issues", link_type="Blocks", issue="BOX-32", other="BOX-32"
    )


def test_a_link_is_seen_from_both_ends(session: Session) -> None:
    ok(session, "link_issues", link_type="Duplicate", issue="BOX-33", other="BOX-32")

    assert "BOX-32" in str(fields(session, "BOX-33")["issuelinks"])
    assert "BOX-33" in str(fields(session, "BOX-32")["issuelinks"])


@pytest.mark.parametrize("text", ["\ud800", "\x00", '"', "a" * 5000, "'; DROP TABLE jira_issue; --"])
def test_strange_texts_are_answered_not_crashed(session: Session, text: str) -> None:
    session.call("jira_search_issues", {"jql": f'text ~ "{text}"'})
    session.call("jira_search_issues", {"jql": text})
    session.call("jira_get_issue", {"issue": text})
    session.call("jira_add_comment", {"issue": "BOX-32", "body": text})

    assert not session.call("jira_get_issue", {"issue": "BOX-32"}).is_error


@pytest.mark.parametrize(
    ("operation", "arguments"),
    [
        ("jira_list_projects", {}),
        ("jira_search_issues", {"jql": "project = BOX"}),
        ("jira_get_issue", {"issue": "BOX-32"}),
        ("jira_get_changelog", {"issue": "BOX-32"}),
        ("jira_list_transitions", {"issue": "BOX-32"}),
        ("jira_search_users", {"query": "Ida"}),
    ],
)
def test_who_has_no_account_reads_nothing(operation: str, arguments: JsonObject) -> None:
    with brownout.open_world("tiny", hot=1) as world:
        preview = world.preview()
        try:
            preview.go(world.package.manifest.start)
            assert preview.ask(operation, arguments, "ida")
            with pytest.raises(VendorError) as refused:
                preview.ask(operation, arguments, "blue-lantern")
        finally:
            preview.close()

    assert (refused.value.status, refused.value.line) == (
        401,
        "Client must be authenticated to access this resource.",
    )


def test_an_own_comment_is_edited(session: Session) -> None:
    before = session.digest()
    made = ok(session, "add_comment", issue="BOX-32", body="x")
    changed = ok(session, "update_comment", issue="BOX-32", comment=made["id"], body="y")

    assert (changed["id"], changed["body"]) == (made["id"], "y")
    assert str(changed["updated"]) > str(changed["created"])
    session.reset()
    assert session.digest() == before


def test_a_comment_of_somebody_else_is_not_edited(session: Session) -> None:
    comment = fields(session, "BOX-32")["comment"]
    assert isinstance(comment, dict)
    comments = comment["comments"]
    assert isinstance(comments, list)
    assert isinstance(comments[0], dict)
    found = comments[0]["id"]

    assert "Wren, you do not have the permission" in error(
        session, "update_comment", issue="BOX-32", comment=found, body="x"
    )
    assert "Can not find a comment" in error(session, "update_comment", issue="BOX-31", comment=found, body="x")


@pytest.mark.parametrize(
    ("jql", "problem"),
    [
        ("status = Dnoe", "The value 'Dnoe' does not exist for the field 'status'; did you mean 'Done'?"),
        ("assignee in (ida, idda)", "The value 'idda' does not exist for the field 'assignee'; did you mean 'ida'?"),
        ("project != BXO", "The value 'BXO' does not exist for the field 'project'; did you mean 'BOX'?"),
        ("labels = nonsense", "The value 'nonsense' does not exist for the field 'labels'."),
        ("key = BOX-999", "An issue with key 'BOX-999' does not exist for field 'key'."),
        ("status was Dnoe AND type = Bgu", "does not exist for the field 'type'; did you mean 'Bug'?"),
    ],
)
def test_a_value_that_does_not_exist_is_refused(session: Session, jql: str, problem: str) -> None:
    assert problem in error(session, "search_issues", jql=jql).replace('"', "'")
