"""Pages: writing, reading, history, comments, and what Confluence refuses."""

from typing import Any

import pytest
from pydantic import ValidationError

from tests.tools.gmail.office import Office, refused
from tools.docs import app
from tools.docs.operations import BODY_LIMIT
from tools.page_cursors import encode_cursor


def error(status: int, code: str, title: str, detail: str | None = None) -> tuple[int, object]:
    return status, {"errors": [{"status": status, "code": code, "title": title, "detail": detail}]}


NOT_FOUND = error(404, "NOT_FOUND", "Not Found")
NO_SPACE = error(404, "NOT_FOUND", "Cannot find [space] entity with key [NOPE]")
TAKEN = error(
    400,
    "INVALID_REQUEST_PARAMETER",
    "A page with this title already exists: A page already exists with the same TITLE in this space",
)
TOO_LARGE = error(413, "REQUEST_ENTITY_TOO_LARGE", f"Body is larger than the limit of {BODY_LIMIT} bytes")
BAD_CURSOR = error(400, "INVALID_REQUEST_PARAMETER", "Invalid cursor provided")
UNAUTHORIZED = (401, {"statusCode": 401, "message": "Unauthorized"})


def stale(current: int, provided: int) -> tuple[int, object]:
    title = f"Version must be incremented when updating a page. Current Version: [{current}]. Provided version: [{provided}]"
    return error(409, "CONFLICT", title)


def runbook(office: Office, person: str = "ida", title: str = "Runbook", body: str = "Step one.") -> str:
    page_id: str = office.do(person, "create_page", space="ENG", title=title, body=body)["id"]
    return page_id


def test_a_page_is_written_and_read(office: Office) -> None:
    made = office.do(
        "wren", "create_page", space="eng", title=" Runbook: fail over ", body="# Do\n\nIt.", message="New"
    )

    page = office.do("ida", "get_page", page=made["id"])

    body = page.pop("body")
    assert page == made
    assert body == {"representation": "markdown", "value": "# Do\n\nIt."}
    author = {"authorId": page["authorId"], "authorName": "Wren"}
    assert page == {
        "id": "98305",
        "status": "current",
        "title": "Runbook: fail over",
        "spaceId": "32769",
        "spaceKey": "ENG",
        **author,
        "createdAt": "2026-03-02T09:00:00.000Z",
        "version": {"number": 1, "message": "New", **author, "createdAt": "2026-03-02T09:00:00.000Z"},
        "_links": {"webui": "/spaces/ENG/pages/98305/Runbook%3A+fail+over"},
    }
    assert office.do("ida", "get_page", page="runbook: FAIL over", space="Engineering")["id"] == made["id"]


def test_an_account_has_jira_s_id(office: Office) -> None:
    made = office.do("wren", "create_page", space="ENG", title="x")
    assert made["authorId"] == "5b" + office.call("wren").stream("jira", "user", "wren").hex(22)


def test_spaces_are_listed(office: Office) -> None:
    assert office.do("wren", "list_spaces")["results"] == [
        {
            "id": "32769",
            "key": "ENG",
            "name": "Engineering",
            "type": "global",
            "status": "current",
            "description": "How it works.",
        },
        {
            "id": "32770",
            "key": "OPS",
            "name": "Operations",
            "type": "global",
            "status": "current",
            "description": "",
        },
    ]


def test_a_title_is_one_page_s_in_its_space(office: Office) -> None:
    runbook(office)
    other = office.do("wren", "create_page", space="OPS", title="Runbook")["id"]
    second = runbook(office, title="Second")

    assert refused(office, "wren", "create_page", space="ENG", title=" runBOOK") == TAKEN
    assert refused(office, "wren", "update_page", page=second, version=1, title="Runbook") == TAKEN
    assert office.do("wren", "update_page", page=second, version=1, title="SECOND")["title"] == "SECOND"
    expected = error(
        400,
        "INVALID_REQUEST_PARAMETER",
        "More than one page is titled 'Runbook'",
        "Name the space, or use the page's id.",
    )
    assert refused(office, "wren", "get_page", page="Runbook") == expected
    assert office.do("wren", "get_page", page="Runbook", space="OPS")["id"] == other


@pytest.mark.parametrize("page", ["99999", "98304", "Nothing", "٣", str(10**30), "-1"])
@pytest.mark.parametrize(
    ("operation", "more"),
    [
        ("get_page", {}),
        ("get_history", {}),
        ("get_version", {"number": 1}),
        ("list_comments", {}),
        ("update_page", {"version": 1, "body": "x"}),
        ("append_to_page", {"text": "x"}),
        ("add_comment", {"body": "x"}),
        ("delete_page", {}),
    ],
)
def test_a_page_that_is_not_there_is_not_found(office: Office, operation: str, more: Any, page: str) -> None:
    runbook(office)
    assert refused(office, "wren", operation, page=page, **more) == NOT_FOUND


@pytest.mark.parametrize(
    ("operation", "arguments"),
    [
        ("create_page", {"title": "x"}),
        ("list_pages", {}),
        ("search", {"query": "x"}),
        ("get_page", {"page": "x"}),
    ],
)
def test_a_space_that_is_not_there_is_named(office: Office, operation: str, arguments: Any) -> None:
    assert refused(office, "wren", operation, space="NOPE", **arguments) == NO_SPACE


@pytest.mark.parametrize("operation", sorted(app.operations))
def test_who_has_no_account_is_turned_away(office: Office, operation: str) -> None:
    runbook(office)
    given = {"query": "x", "page": "Runbook", "space": "ENG", "title": "x", "version": 1, "number": 1}
    given |= {"body": "x", "text": "x"}
    fields = app.operations[operation].arguments.model_fields
    wanted = {name: given[name] for name, field in fields.items() if field.is_required()}

    assert refused(office, "gareth", operation.removeprefix("docs_"), **wanted) == UNAUTHORIZED


# -- changes ------------------------------------------------------------------------------------------------


def test_a_change_is_the_next_version(office: Office) -> None:
    page = runbook(office)
    changed = office.do("wren", "update_page", page=page, version=1, body="Step two.", title="Runbook 2", message="Fix")

    assert (changed["title"], changed["version"]["number"], changed["version"]["authorName"]) == (
        "Runbook 2",
        2,
        "Wren",
    )
    assert changed["authorName"] == "Ida Lindqvist"
    assert office.do("ida", "get_page", page=page)["body"]["value"] == "Step two."
    then = office.do("ida", "get_version", page=page, number=1)
    assert (then["title"], then["body"]["value"], then["version"]["number"]) == ("Runbook", "Step one.", 1)
    history = office.do("ida", "get_history", page="Runbook 2")["results"]
    assert [(one["number"], one["message"], one["authorName"]) for one in history] == [
        (2, "Fix", "Wren"),
        (1, "", "Ida Lindqvist"),
    ]
    assert refused(office, "ida", "get_version", page=page, number=3) == NOT_FOUND


def test_a_change_of_what_has_changed_since_is_a_conflict(office: Office) -> None:
    page = runbook(office)
    office.do("ida", "update_page", page=page, version=1, body="Step two.")

    assert refused(office, "wren", "update_page", page=page, version=1, body="Mine.") == stale(2, 1)
    assert refused(office, "wren", "update_page", page=page, version=3, body="Mine.") == stale(2, 3)


def test_a_change_of_nothing_is_none(office: Office) -> None:
    page = runbook(office)
    same = office.do("wren", "update_page", page=page, version=1, body="Step one.", title="Runbook")

    assert same["version"]["number"] == 1
    assert office.effects == ()


def test_text_is_added_below_whatever_the_version(office: Office) -> None:
    page = runbook(office, body="One.\n")
    office.do("wren", "append_to_page", page=page, text="- 10:12 down", message="Timeline")
    office.do("wren", "append_to_page", page=page, text="- 10:40 up")
    empty = runbook(office, title="Empty", body="")
    office.do("wren", "append_to_page", page=empty, text="First.")

    found = office.do("ida", "get_page", page=page)
    assert found["body"]["value"] == "One.\n\n- 10:12 down\n\n- 10:40 up"
    assert found["version"]["number"] == 3
    assert office.do("ida", "get_page", page=empty)["body"]["value"] == "First."


def test_texts_have_a_limit(office: Office) -> None:
    most, more = "é" * (BODY_LIMIT // 2), "é" * (BODY_LIMIT // 2) + "x"
    page = runbook(office, body=most)

    assert refused(office, "wren", "create_page", space="ENG", title="Long", body=more) == TOO_LARGE
    assert refused(office, "wren", "update_page", page=page, version=1, body=more) == TOO_LARGE
    assert refused(office, "wren", "append_to_page", page=page, text="x") == TOO_LARGE
    assert refused(office, "wren", "add_comment", page=page, body=more) == TOO_LARGE


def test_a_deleted_page_is_gone_and_its_title_free(office: Office) -> None:
    page = runbook(office, body="Phantom seats.")

    assert office.do("wren", "delete_page", page=page) == {"id": page, "status": "trashed"}
    assert refused(office, "ida", "get_page", page=page) == NOT_FOUND
    assert office.do("ida", "search", query="phantom")["results"] == []
    assert office.do("ida", "list_pages")["results"] == []
    assert runbook(office) != page


def test_pages_are_listed_in_pages(office: Office) -> None:
    for title in ("Beta", "Alpha", "Gamma"):
        runbook(office, title=title)
    office.do("wren", "create_page", space="OPS", title="Delta")
    office.do("wren", "update_page", page="Beta", version=1, body="New.")

    def titles(**arguments: object) -> list[str]:
        return [one["title"] for one in office.do("wren", "list_pages", **arguments)["results"]]

    assert titles() == ["Beta", "Delta", "Gamma", "Alpha"]
    assert titles(sort="title", space="ENG") == ["Alpha", "Beta", "Gamma"]
    assert titles(sort="-created-date") == ["Delta", "Gamma", "Alpha", "Beta"]
    first = office.do("wren", "list_pages", limit=3)
    assert titles(limit=3, cursor=first["nextCursor"]) == ["Alpha"]
    assert "nextCursor" not in office.do("wren", "list_pages", limit=4)


def test_history_and_comments_come_in_pages(office: Office) -> None:
    page = runbook(office)
    for number in range(3):
        office.do("ida", "append_to_page", page=page, text=str(number))
        office.do("ida", "add_comment", page=page, body=str(number))
    first = office.do("wren", "get_history", page=page, limit=3)
    rest = office.do("wren", "get_history", page=page, limit=3, cursor=first["nextCursor"])
    assert [one["number"] for one in (*first["results"], *rest["results"])] == [4, 3, 2, 1]
    first = office.do("wren", "list_comments", page=page, limit=2)
    rest = office.do("wren", "list_comments", page=page, limit=2, cursor=first["nextCursor"])
    assert [one["body"]["value"] for one in (*first["results"], *rest["results"])] == ["0", "1", "2"]
    assert "nextCursor" not in rest


@pytest.mark.parametrize("position", [-1, 10**40, None])
def test_a_cursor_that_was_made_up_is_refused(office: Office, position: int | None) -> None:
    page = runbook(office)
    for operation, kind, arguments in (
        ("list_pages", "pages", {}),
        ("search", "search", {"query": "step"}),
        ("get_history", "versions", {"page": page}),
        ("list_comments", "comments", {"page": page}),
    ):
        cursor = "nonsense" if position is None else encode_cursor(kind, position)
        assert refused(office, "wren", operation, cursor=cursor, **arguments) == BAD_CURSOR


# -- comments and those who are told ------------------------------------------------------------------------


def test_comments_stand_below_a_page(office: Office) -> None:
    page = runbook(office)
    made = office.do("wren", "add_comment", page=page, body="Is this still so?")

    assert office.do("ida", "list_comments", page="Runbook")["results"] == [made]
    assert made == {
        "id": "1048577",
        "status": "current",
        "pageId": page,
        "authorId": made["authorId"],
        "authorName": "Wren",
        "createdAt": "2026-03-02T09:00:01.000Z",
        "body": {"representation": "markdown", "value": "Is this still so?"},
    }


def test_authors_and_those_mentioned_are_told_once(office: Office) -> None:
    page = runbook(office, body="Ask @tomas or @nobody, not mail@tomas.")
    office.do("wren", "add_comment", page=page, body="@ida @marcus see below")
    office.do("wren", "update_page", page=page, version=1, body="Ask @tomas or @nobody, not mail@tomas.\nOr @marcus.")
    office.do("ida", "append_to_page", page=page, text="@ida")

    path = f"docs:Runbook.page/{page}"
    assert {one.path for one in office.reached} == {path}
    assert [(one.person, one.kind, one.text) for one in office.reached] == [
        ("tomas", "mention", "Ida Lindqvist mentioned you in Runbook: Ask @tomas or @nobody, not mail@tomas."),
        ("ida", "mention", "Wren mentioned you in Runbook: @ida @marcus see below"),
        ("marcus", "mention", "Wren mentioned you in Runbook: @ida @marcus see below"),
        ("marcus", "mention", "Wren mentioned you in Runbook: Or @marcus."),
        ("ida", "reply", "Wren edited Runbook"),
    ]


# -- search -------------------------------------------------------------------------------------------------


def found(office: Office, query: str, **more: object) -> list[str]:
    return [one["content"]["title"] for one in office.do("wren", "search", query=query, **more)["results"]]


def test_search_takes_words_phrases_and_minus(office: Office) -> None:
    runbook(office, title="Standby regions", body="Where a database may go.")
    runbook(office, title="Failover", body="Move the database to the standby.\n\nThe standby is in Dublin.")
    office.do("wren", "create_page", space="OPS", title="Café", body="Lunch; the database of menus. OR nothing")

    assert found(office, "database") == ["Café", "Failover", "Standby regions"]
    assert found(office, "standby") == ["Standby regions", "Failover"]
    assert found(office, "database standby") == ["Failover", "Standby regions"]
    assert found(office, '"standby is"') == ["Failover"]
    assert found(office, "database -standby") == ["Café"]
    assert found(office, "-standby") == ["Café"]
    assert found(office, "cafe", space="OPS") == ["Café"]
    assert found(office, "database", space="ENG") == ["Failover", "Standby regions"]
    assert found(office, 'title:database "OR" x') == []
    assert "there is no OR here; search once for each" in str(refused(office, "wren", "search", query="a OR b"))
    assert found(office, "!!! ???") == []
    result = office.do("wren", "search", query="dublin")["results"][0]
    assert result["excerpt"] == "The standby is in Dublin."
    assert result["lastModified"] == "2026-03-02T09:00:01.000Z"
    first = office.do("wren", "search", query="database", limit=2)
    assert first["totalSize"] == 3
    assert found(office, "database", limit=2, cursor=first["nextCursor"]) == ["Standby regions"]


def test_search_follows_changes(office: Office) -> None:
    page = runbook(office, body="old words")
    office.do("wren", "update_page", page=page, version=1, body="new words")

    assert found(office, "old") == []
    assert found(office, "new words") == ["Runbook"]


@pytest.mark.parametrize(
    "query", ['"', "a or (b", "NEAR(a b)", "* ^x", "a\0b", "{title body}: x", "-", "'; DROP TABLE"]
)
def test_no_query_breaks_the_search(office: Office, query: str) -> None:
    runbook(office)
    office.do("wren", "search", query=query)


TEXTS = [
    (name, field)
    for name, operation in app.operations.items()
    for field, schema in operation.schema["properties"].items()  # type: ignore[union-attr]
    if "string" in str(schema) and "enum" not in str(schema)
]


@pytest.mark.parametrize(("operation", "field"), TEXTS)
def test_half_a_character_is_refused_wherever_text_is_taken(operation: str, field: str) -> None:
    with pytest.raises(ValidationError, match="unicode"):
        app.operations[operation].arguments.model_validate({field: "\ud800"})


def test_a_page_says_again_what_it_said(office: Office) -> None:
    page = runbook(office)
    office.do("wren", "update_page", page=page, version=1, title="Failover", body="Nothing left.")
    restored = office.do("ida", "restore_version", page=page, number=1)

    assert office.do("ida", "get_page", page=page)["body"]["value"] == "Step one."
    assert (restored["title"], restored["version"]["number"]) == ("Failover", 3)
    assert restored["version"]["message"] == "Reverted from v. 1"
    again = office.do("ida", "restore_version", page=page, number=1, message="Its name, too", restore_title=True)
    assert (again["title"], again["version"]["message"]) == ("Runbook", "Its name, too")


def test_a_version_or_a_title_that_cannot_be_had_is_refused(office: Office) -> None:
    page = runbook(office)
    office.do("ida", "update_page", page=page, version=1, title="Failover")
    runbook(office)

    assert refused(office, "ida", "restore_version", page=page, number=9) == NOT_FOUND
    assert refused(office, "ida", "restore_version", page=page, number=1, restore_title=True) == TAKEN
    assert refused(office, "gareth", "restore_version", page=page, number=1) == UNAUTHORIZED
