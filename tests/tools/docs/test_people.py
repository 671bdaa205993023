"""What people want carried as pages, what graders see of it, and the app as the registry has it."""

from pathlib import Path
from typing import Any

import pytest

from brownout.core.apps import Refusal
from brownout.core.errors import AuthoringError
from brownout.core.instants import SECOND
from brownout.core.plugins import load_plugin
from brownout.store import Pool
from tests.tools.gmail.office import Office, build_office
from tools.docs import app

TABLES = ("docs_page", "docs_version", "docs_comment")
EVERYONE = {"ida", "tomas", "marcus", "wren", "pager"}


def test_it_is_found_by_its_name() -> None:
    assert load_plugin("apps", "docs") is app
    assert {"write", "comment"} == set(app.intents)
    assert all(name.startswith("docs_") for name in (*app.operations, *app.tables.tables))


def test_a_carrier_and_an_operation_leave_the_same_rows(wiki_pool: Pool) -> None:
    carried, done = Office(app, wiki_pool), Office(app, wiki_pool)
    path = carried.carry("write", "ida", subject="Runbook", text="One.", details={"space": "OPS", "message": "New"})
    carried.carry("write", "tomas", subject="runbook", text="Two, @ida.", details={"message": "Fix"})
    carried.carry("write", "tomas", subject="Runbook", text="Three.", details={"append": True})
    carried.carry("comment", "marcus", thing=path, text="Thanks.")
    page = done.do("ida", "create_page", space="OPS", title="Runbook", body="One.", message="New")["id"]
    done.do("tomas", "update_page", page=page, version=1, body="Two, @ida.", message="Fix")
    done.do("tomas", "append_to_page", page=page, text="Three.")
    done.do("marcus", "add_comment", page=page, body="Thanks.")

    for table in TABLES:
        assert carried.table(table) == done.table(table)
        assert carried.table(table)
    assert carried.reached == done.reached
    assert path == f"docs:Runbook.page/{page}"


def test_a_page_of_no_space_stands_in_the_first(office: Office) -> None:
    office.carry("write", "ida", key="wiki/first", subject="Plan", text="One.")
    office.carry("comment", "tomas", thing="wiki/first", text="Good.")

    assert [row["space"] for row in office.table("docs_page")] == [1]
    assert [row["body"] for row in office.table("docs_comment")] == ["Good."]


@pytest.mark.parametrize(
    ("kind", "who", "intent", "said"),
    [
        ("write", "ida", {"text": "x"}, "a page needs a title"),
        ("write", "ida", {"subject": "x", "details": {"space": "NOPE"}}, "no space 'NOPE'"),
        ("write", "gareth", {"subject": "x"}, "gareth has no account"),
        ("comment", "ida", {"thing": "nothing"}, "no page stands for 'nothing'"),
        ("comment", "ida", {"thing": "docs:Gone.page/98399"}, "no page stands for"),
        ("comment", "ida", {"thing": "docs:space/98305"}, "no page stands for"),
    ],
)
def test_what_cannot_be_written_is_not_carried(office: Office, kind: str, who: str, intent: Any, said: str) -> None:
    office.carry("write", "ida", subject="Runbook", text="x")
    with pytest.raises(LookupError, match=said):
        office.carry(kind, who, **intent)


def test_a_wiki_without_settings_has_one_space(tmp_path: Path, wiki_pool: Pool) -> None:
    build_office(tmp_path / "world.sqlite", app, {})
    for settings, said in (({"spaces": {}}, "at least one space"), ({"spaces": {"A-B": {"name": "x"}}}, "'A-B'")):
        with pytest.raises(AuthoringError, match=said):
            build_office(tmp_path / "wrong.sqlite", app, settings)  # type: ignore[arg-type]


# -- what graders see ---------------------------------------------------------------------------------------


def test_what_was_written_is_said_to_everyone_with_an_account(office: Office) -> None:
    page = office.do("wren", "create_page", space="ENG", title="Postmortem", body="Holds are 10 minutes.")["id"]
    assert office.said() == [("Postmortem\nHolds are 10 minutes.", EVERYONE)]
    office.do("wren", "add_comment", page=page, body="Done.")
    assert office.said() == [("Done.", EVERYONE)]
    office.do("wren", "delete_page", page=page)
    assert office.said() == []


def test_only_what_a_change_adds_was_said(office: Office) -> None:
    page = office.do("ida", "create_page", space="ENG", title="Runbook", body="Stale.\n\nTypo heer.")["id"]
    office.do("wren", "update_page", page=page, version=1, body="Stale.\n\nTypo here.")
    assert [text for text, _ in office.said()] == ["Typo here."]
    office.do("wren", "update_page", page=page, version=2, title="Runbook, checked")
    assert [text for text, _ in office.said()] == ["Runbook, checked"]
    office.do("wren", "update_page", page=page, version=3, body="Stale.")
    assert office.said() == []


def test_every_row_has_a_path(office: Office) -> None:
    page = office.do("wren", "create_page", space="ENG", title="a/b.message/c", body="x")["id"]
    place = f"docs:a-b.message-c.page/{page}"
    assert office.paths() == [place, f"{place}.version/1"]
    office.do("wren", "add_comment", page=page, body="x")
    assert office.paths() == [f"{place}.comment/1"]
    rows = {name: office.rows.get(app.tables.tables[name], 1) for name in ("docs_user", "docs_space")}
    assert [app.path_of(office.rows, name, row) for name, row in rows.items() if row] == [
        "docs:user/ida",
        "docs:space/ENG",
    ]


def test_renaming_does_not_move_a_page_into_what_is_allowed(office: Office) -> None:
    page = office.do("ida", "create_page", space="ENG", title="Runbook", body="x")["id"]
    office.do("wren", "update_page", page=page, version=1, title="Postmortem", body="y")

    assert all(path.startswith(f"docs:Runbook.page/{page}") for path in office.paths())


def test_a_selector_finds_pages_by_title_and_by_path(office: Office) -> None:
    path = office.carry("write", "ida", subject="Runbook [old]: holds", text="Ten.")
    office.do("wren", "append_to_page", page="Runbook [old]: holds", text="More.")
    office.do("wren", "create_page", space="OPS", title="Postmortem", body="x")
    office.do("tomas", "add_comment", page="Postmortem", body="x")

    [thing] = app.find(office.rows, "Runbook*")
    assert (thing.path, thing.rows) == (path, (("docs_page", 1),))
    assert thing.fields == {
        "title": "Runbook [old]: holds",
        "space": "ENG",
        "body": "Ten.\n\nMore.",
        "author": "ida",
        "editor": "wren",
        "created": "2026-03-02T09:00:00Z",
        "updated": "2026-03-02T09:00:01Z",
        "version": 2,
        "comments": 0,
    }
    assert app.find(office.rows, path.removeprefix("docs:")) == [thing]
    assert app.find(office.rows, "Runbook [old]: holds") == [thing]
    assert [one.fields["comments"] for one in app.find(office.rows, "*")] == [0, 1]
    office.do("wren", "delete_page", page="Postmortem")
    assert app.find(office.rows, "Postmortem") == []


@pytest.mark.parametrize(
    ("refusal", "status"),
    [
        (Refusal("unavailable"), 503),
        (Refusal("timeout"), 504),
        (Refusal("rate_limited", retry_after=12 * SECOND), 429),
        (Refusal("read_only"), 405),
        (Refusal("auth_expired"), 401),
    ],
)
def test_an_outage_is_told_in_the_gateway_s_words(refusal: Refusal, status: int) -> None:
    error = app.refuse(refusal)

    assert error.status == status
    assert set(error.content) == {"statusCode", "message"}
    assert error.headers.get("Retry-After") == ("12" if status == 429 else None)


def test_arguments_that_do_not_fit_are_told_in_confluence_s_words() -> None:
    content: Any = app.invalid("page: Field required").content
    assert content["errors"][0]["title"] == "page: Field required"
