"""Customers, their contacts and contracts, and the language they are searched with."""

from typing import Any, cast

import pytest

from brownout.core.instants import Instant
from brownout.engine.session import Session
from tools.customers.query_language import parse
from tools.customers.search import ACCOUNT_FIELDS
from tools.query_languages.ast import ME, And, Field, NumberValue, Or, SearchError, TextNode, Word

NOW: Instant = 1_774_360_000_000_000


def ask(session: Session, name: str, /, **arguments: Any) -> Any:
    """The answer to a call that succeeds."""
    answer = session.call(f"customers_{name}", arguments)
    assert not answer.is_error, answer.content
    return cast(Any, answer.structured)


def refused(session: Session, name: str, /, **arguments: Any) -> tuple[str, str]:
    """The category and the words of a call that fails."""
    answer = session.call(f"customers_{name}", arguments)
    assert answer.is_error, answer.content
    body = cast(Any, answer.structured)
    return str(body["category"]), str(body["message"])


def found(session: Session, query: str) -> list[str]:
    return [each["short_name"] for each in ask(session, "search_accounts", query=query)["results"]]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["corner-hall", "foundry-stage", "saltworks", "blue-lantern"]),
        ("plan:house", ["corner-hall", "blue-lantern"]),
        ("plan:house region:eu", ["blue-lantern"]),
        ("renewal<2026-05-01", ["saltworks"]),
        ("renewal>=2026-05-31 OR sites>2", ["corner-hall", "saltworks", "blue-lantern"]),
        ("renewal:none", ["foundry-stage"]),
        ("notice<2026-03-24", ["saltworks", "blue-lantern"]),
        ("monthly>=20000 -health:watch", ["corner-hall"]),
        ("owner:marcus", ["corner-hall", "saltworks", "blue-lantern"]),
        ("owner:me", []),
        ("tag:choir", ["corner-hall"]),
        ('"small hall"', []),
        ('"call before every change"', ["corner-hall"]),
        ("one hall", ["corner-hall"]),
        ("lantern", ["blue-lantern"]),
        ("(plan:starter OR plan:festival) -saltworks", ["foundry-stage"]),
        ("health:at-risk", ["corner-hall"]),
    ],
)
def test_accounts_are_found(session: Session, query: str, expected: list[str]) -> None:
    assert found(session, query) == expected


@pytest.mark.parametrize("query", ["colour:blue", "plan<pro", "sites>many", "renewal<soon", "renewal<2026-02-30"])
def test_a_query_with_a_mistake_is_refused(session: Session, query: str) -> None:
    assert refused(session, "search_accounts", query=query)[0] == "VALIDATION_ERROR"


def test_a_query_is_read_once_for_all() -> None:
    search = parse('plan:pro sites>=3 owner:me region:"north east" -x OR "a b"', ACCOUNT_FIELDS, zone="UTC")

    assert isinstance(search.condition, Or)
    first, second = search.condition.parts
    assert isinstance(first, And)
    assert first.parts[:4] == (
        Field("plan", "=", Word("pro"), "plan"),
        Field("sites", ">=", NumberValue(3), "sites"),
        Field("owner", "=", ME, "owner"),
        Field("region", "=", Word("north east"), "region"),
    )
    assert second == TextNode(("a", "b"), phrase=True)


def test_an_unknown_name_lists_those_there_are() -> None:
    with pytest.raises(SearchError, match="no property 'colour'; expected one of: health, monthly, notice, owner"):
        parse("colour:blue", ACCOUNT_FIELDS, zone="UTC")


def test_an_account_has_what_the_author_wrote_and_what_happened_since(session: Session) -> None:
    account = ask(session, "get_account", account="Corner Hall")
    changes = ask(session, "list_account_changes", account=account["id"])["results"]

    assert (account["monthly_cents"], account["renewal"], account["notice_by"]) == (20_000, "2026-09-30", "2026-08-01")
    assert [(each["name"], each["may_decide"], each["is_primary"]) for each in account["contacts"]] == [
        ("Gareth Moss", ["contract", "data"], True),
        ("Polly Reed", [], False),
    ]
    assert [(each["field"], each["to"], each["by"]) for each in changes] == [
        ("tier", "silver", "marcus"),
        ("lead_hours", "12.5", "marcus"),
        ("contract", "version 2", "marcus"),
    ]
    assert [each["text"] for each in ask(session, "list_notes", account="corner-hall")["results"]] == [
        "Gareth wants a call before every change."
    ]


def test_every_change_of_an_account_is_logged_and_its_new_owner_told(session: Session) -> None:
    ask(session, "update_account", account="saltworks", sites=4, owner="wren", plan="festival")
    changes = ask(session, "list_account_changes", account="saltworks", limit=2)

    assert [(each["field"], each["from"], each["to"]) for each in changes["results"]] == [
        ("owner", "marcus", "wren"),
        ("sites", "3", "4"),
    ]
    assert "next" in changes["paging"]
    assert refused(session, "update_account", account="saltworks")[0] == "VALIDATION_ERROR"


def test_a_contract_keeps_its_versions(session: Session) -> None:
    ask(session, "change_contract", account="corner-hall", note="Gareth agreed by phone.", notice_days=30)
    versions = ask(session, "list_contract_versions", account="corner-hall")["results"]

    assert [(each["version"], each["notice_days"], each["monthly_cents"], each["by"]) for each in versions] == [
        (3, 30, 20_000, "wren"),
        (2, 60, 20_000, "marcus"),
        (1, 60, 24_000, None),
    ]
    assert ask(session, "get_contract", account="corner-hall", version=1)["terms"] == "Two halls, one invoice."
    assert (
        refused(session, "change_contract", account="corner-hall", note="x", notice_days=30)[1]
        == "Nothing of the contract would change."
    )
    assert (
        refused(session, "change_contract", account="corner-hall", note="x", until="2020-01-01")[0]
        == "VALIDATION_ERROR"
    )


def test_contacts_are_added_once(session: Session) -> None:
    ask(session, "add_contact", account="saltworks", name="Rui", email="Rui@saltworks.test", may_decide=["data"])

    assert refused(session, "add_contact", account="saltworks", name="Rui", email="rui@saltworks.test")[0] == "CONFLICT"
    assert refused(session, "add_contact", account="saltworks", name="Rui", email="rui")[0] == "VALIDATION_ERROR"


def test_what_was_done_has_paths(session: Session) -> None:
    answer = session.call("customers_update_account", {"account": "saltworks", "sites": 4})
    rows, app = session.simulation.rows(), session.setting.apps["customers"]
    paths = [app.path_of(rows, effect.table, effect.after) for effect in answer.effects if effect.after]

    assert paths[0].startswith("customers:saltworks.change/")
    assert paths[1] == "customers:saltworks"
    assert [thing.fields["sites"] for thing in app.find(rows, "saltworks")] == [4]


@pytest.mark.parametrize(
    "text", ["\ud800", "\x00", '"', "a" * 900, "'; DROP TABLE customers_account; --", "((((", "plan:" + "x" * 500]
)
def test_strange_texts_are_answered_not_crashed(session: Session, text: str) -> None:
    for name in ("search_accounts", "list_conversations"):
        session.call(f"customers_{name}", {"query": text})
    session.call("customers_get_account", {"account": text})
    session.call("customers_add_note", {"account": "saltworks", "text": text})
    session.call("customers_tag", {"account": "saltworks", "add": [text[:60]]})

    assert not session.call("customers_get_account", {"account": "saltworks"}).is_error
