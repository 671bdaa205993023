"""The support inbox and the mail that it is made of: the same conversations, the same counts."""

from typing import Any, cast

import pytest

import brownout
from brownout.engine.session import Session
from tests.tools.customers.test_register_operations import ask, refused
from tests.tools.larger import TASK, write_spec


def conversations(session: Session, query: str = "") -> list[Any]:
    return cast(list[Any], ask(session, "list_conversations", query=query, limit=100)["results"])


def one(session: Session, query: str) -> Any:
    [found] = conversations(session, query)
    return ask(session, "get_conversation", conversation=found["id"])


def test_a_thread_of_mails_is_one_conversation(session: Session) -> None:
    grey = one(session, '"C is grey"')

    assert [(m["direction"], m["sender"]["name"], m["text"]) for m in grey["messages"]] == [
        ("INCOMING", "Inês Carvalho", "Row C is grey and nobody bought it."),
        ("OUTGOING", "Marcus Bell", "Looking at it now."),
        ("INCOMING", "Inês Carvalho", "Still grey."),
    ]
    assert (grey["account"], grey["assignee"], grey["status"]) == ("saltworks", "marcus", "open")


def test_every_mail_of_a_customer_to_support_is_in_the_inbox_once(session: Session) -> None:
    rows = session.simulation.rows()
    to_support = (
        "SELECT m.id FROM gmail_message m JOIN gmail_mailbox b ON b.id = m.author "
        "WHERE b.is_outside = 1 AND m.thread IS NULL AND m.\"to\" LIKE '%support@%'"
    )
    mails = rows.execute(
        "SELECT count(*) FROM gmail_message m JOIN gmail_mailbox b ON b.id = m.author "
        f"WHERE b.is_outside = 1 AND m.is_draft = 0 AND coalesce(m.thread, m.id) IN ({to_support})"
    )[0][0]
    theirs = rows.execute("SELECT count(*) FROM customers_message WHERE is_ours = 0")[0][0]
    threads = rows.execute("SELECT count(DISTINCT thread), count(*) FROM customers_conversation")[0]

    assert mails == theirs
    assert int(str(theirs)) > 10
    assert threads[0] == threads[1]


def test_complaints_of_an_outage_are_conversations(session: Session) -> None:
    evening = conversations(session, "created>=2026-03-23 created<2026-03-24 -fado")

    assert {each["account"] for each in evening} <= {"saltworks", "corner-hall", "blue-lantern", "foundry-stage"}
    assert len(evening) >= 3


def test_a_contact_without_authority_writes_under_their_own_name(session: Session) -> None:
    asked = one(session, "from:polly@cornerhall.test contract")

    assert (asked["account"], asked["contact"]["name"]) == ("corner-hall", "Polly Reed")
    assert [(note["by"], note["text"]) for note in asked["notes"]] == [
        ("marcus", "Polly may not end it; I rang Gareth."),
        ("marcus", "Gareth knows."),
    ]
    assert (asked["status"], asked["assignee"]) == ("solved", "marcus"), "whoever closes what nobody had has done it"


def test_who_only_works_for_a_customer_leaves_complaining_to_whoever_speaks_for_it(session: Session) -> None:
    assert len(conversations(session, "from:polly@cornerhall.test")) == 1


def test_an_answer_goes_out_as_a_mail_in_the_same_thread(session: Session) -> None:
    grey = one(session, '"C is grey"')
    answer = session.call(
        "customers_reply_to_conversation", {"conversation": grey["id"], "text": "It is free again.", "status": "solved"}
    )
    session.call("wait", {"minutes": 1, "until_notice": False})
    after = one(session, '"C is grey"')
    [sent] = cast(Any, session.call("gmail_search", {"q": "in:sent"}).structured)["messages"]
    headers = {header["name"]: header["value"] for header in sent["payload"]["headers"]}

    assert not answer.is_error
    assert (headers["To"], headers["Subject"]) == ("Inês Carvalho <ines@saltworks.test>", "Re: Row C is grey")
    assert "In-Reply-To" in headers
    assert [m["text"] for m in after["messages"]].count("It is free again.") == 1
    assert after["status"] == "solved"
    assert [(said.text, said.to) for said in session.said] == [
        ("It is free again.", frozenset({"saltworks", "ines@saltworks.test"}))
    ]


def test_an_answer_by_mail_is_in_the_inbox_and_no_damage(session: Session) -> None:
    session.call("gmail_send", {"to": ["support@pennywhistle.test"], "subject": "Zebra", "body": "Not a customer's."})
    assert conversations(session, "zebra") == []
    grey = one(session, '"C is grey"')
    ask(session, "reply_to_conversation", conversation=grey["id"], text="One.")
    session.call("wait", {"minutes": 1, "until_notice": False})
    [mine] = cast(Any, session.call("gmail_search", {"q": "in:sent one"}).structured)["messages"]
    again = session.call("gmail_reply", {"message_id": mine["id"], "body": "Two."})

    assert [effect.harmless for effect in again.effects if effect.table.startswith("customers_")] == [True, True]
    assert [m["text"] for m in one(session, '"C is grey"')["messages"]][-2:] == ["One.", "Two."]


def test_a_conversation_is_given_noted_tagged_and_merged(session: Session) -> None:
    grey, sold = one(session, '"C is grey"'), conversations(session, "account:saltworks sold")[0]
    sold = ask(session, "get_conversation", conversation=sold["id"])
    ask(session, "assign_conversation", conversation=grey["id"], assignee="Owen Fitch")
    ask(session, "add_note", conversation=grey["id"], text="Known trouble.")
    ask(session, "tag", conversation=grey["id"], add=["seats", "urgent"], remove=["urgent"])
    merged = ask(session, "merge_conversations", conversation=sold["id"], into=grey["id"])

    assert merged["assignee"] == "owen"
    assert merged["tags"] == ["seats", "urgent"]
    assert [note["text"] for note in merged["notes"]] == ["Known trouble."]
    assert len(merged["messages"]) == len(grey["messages"]) + len(sold["messages"])
    assert sold["id"] not in [each["id"] for each in conversations(session)]
    assert refused(session, "set_conversation_status", conversation=sold["id"], status="open")[0] == "CONFLICT"
    lantern = conversations(session, "account:blue-lantern")[0]
    assert (
        "different customers" in refused(session, "merge_conversations", conversation=lantern["id"], into=grey["id"])[1]
    )


def test_a_call_is_noted_by_hand(session: Session) -> None:
    made = ask(
        session,
        "create_conversation",
        account="blue-lantern",
        subject="Dora rang",
        text="About Saturday.",
        priority="high",
    )

    assert (made["channel"], made["account"], made["contact"]["email"]) == (
        "phone",
        "blue-lantern",
        "dora@bluelantern.test",
    )
    assert [each["id"] for each in conversations(session, "channel:phone priority:high")] == [made["id"]]
    assert (
        refused(session, "create_conversation", subject="x", text="x", contact="who@nowhere.test")[0]
        == "VALIDATION_ERROR"
    )
    assert (
        refused(
            session, "create_conversation", subject="x", text="x", account="saltworks", contact="dora@bluelantern.test"
        )[0]
        == "VALIDATION_ERROR"
    )


def test_a_list_goes_on_where_it_ended(session: Session) -> None:
    first = ask(session, "list_conversations", limit=5)
    rest = ask(session, "list_conversations", limit=100, after=first["paging"]["next"]["after"])

    assert len(first["results"]) == 5
    assert [each["id"] for each in first["results"] + rest["results"]] == [
        each["id"] for each in conversations(session)
    ]
    assert refused(session, "list_conversations", after="?")[0] == "VALIDATION_ERROR"


def test_an_answer_waits_until_mail_works(tmp_path: Any) -> None:
    folder = write_spec(tmp_path / "spec")
    with (folder / "outages.yaml").open("a") as outages:
        outages.write("mail: {on: google, from: 2026-03-24 13:00, for: 3h, mode: down}\n")
    with brownout.open_session(brownout.build(folder, out=tmp_path / "package"), task=TASK) as session:
        grey = one(session, '"C is grey"')
        ask(session, "reply_to_conversation", conversation=grey["id"], text="It is free again.")
        session.call("wait", {"minutes": 5, "until_notice": False})
        assert session.call("gmail_search", {"q": "in:sent"}).is_error
        assert one(session, '"C is grey"')["messages"][-1]["text"] == "It is free again."
        session.call("wait", {"minutes": 240, "until_notice": False})
        sent = cast(Any, session.call("gmail_search", {"q": "in:sent"}).structured)["messages"]
        assert len(sent) == 1
        assert [m["text"] for m in one(session, '"C is grey"')["messages"]].count("It is free again.") == 1


@pytest.mark.parametrize("mode", ["delayed_delivery"])
def test_a_mail_that_is_held_back_comes_into_the_inbox_when_it_arrives(tmp_path: Any, mode: str) -> None:
    folder = write_spec(tmp_path / "spec")
    with (folder / "outages.yaml").open("a") as outages:
        outages.write(f"mail: {{on: google, from: 2026-03-18 10:00, for: 30m, mode: {mode}, by: 2h}}\n")
    with brownout.open_session(brownout.build(folder, out=tmp_path / "package"), task=TASK) as session:
        grey = one(session, '"C is grey"')

    assert grey["created_at"] > "2026-03-18T10:05:00Z"
    assert grey["messages"][0]["text"] == "Row C is grey and nobody bought it."
