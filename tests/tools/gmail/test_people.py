"""What people want carried as mail, what graders see of it, and the app as the registry has it."""

from pathlib import Path
from typing import Any

import pytest

from brownout.core.apps import Refusal
from brownout.core.errors import AuthoringError
from brownout.core.instants import SECOND
from brownout.core.plugins import load_plugin
from brownout.store import Pool
from tests.tools.gmail.office import Office, build_office
from tests.tools.gmail.test_mail import headers
from tools.gmail import app

TABLES = ("gmail_message", "gmail_copy")


def test_it_is_found_by_its_name() -> None:
    assert load_plugin("apps", "gmail") is app
    assert {"tell", "ask", "answer", "acknowledge", "read"} == set(app.intents)
    assert all(name.startswith("gmail_") for name in (*app.operations, *app.tables.tables))


def test_a_carrier_and_an_operation_leave_the_same_rows(mail_pool: Pool) -> None:
    carried, done = Office(app, mail_pool), Office(app, mail_pool)
    path = carried.carry(
        "tell",
        "marcus",
        to=("ida", "support", "gareth@cornerhall.test", "nadia@penny.test"),
        subject="Seats",
        text="Look.",
        details={"cc": ["wren"], "bcc": "tomas"},
    )
    sent = done.do(
        "marcus",
        "send",
        to=["ida@penny.test", "support@penny.test", "Gareth <gareth@cornerhall.test>", "nadia@penny.test"],
        subject="Seats",
        body="Look.",
        cc=["wren@penny.test"],
        bcc=["tomas@penny.test"],
    )
    carried.carry("answer", "ida", text="Looking.", details={"thread": path})
    answered = done.do("ida", "search", q="subject:seats")["messages"][0]
    done.do("ida", "reply", message_id=answered["id"], body="Looking.")

    for table in TABLES:
        assert carried.table(table) == done.table(table)
        assert carried.table(table)
    assert carried.reached == done.reached
    assert path == f"gmail:marcus.message/{sent['id']}"


def test_an_answer_follows_a_logical_name(office: Office) -> None:
    office.carry("ask", "gareth", key="seats/complaint", to=("support",), text="Why is the map grey?\nGareth")
    office.carry(
        "acknowledge", "marcus", key="seats/ack", to=("gareth",), text="On it.", details={"thread": "seats/complaint"}
    )
    office.carry("tell", "gareth", key="seats/more", text="Also the stalls.", details={"thread": "seats/complaint"})

    thread = office.do("gareth", "list_threads")["threads"]
    assert [(one["subject"], one["messages"]) for one in thread] == [("Why is the map grey?", 3)]
    found = office.do("marcus", "search", q="from:gareth")["messages"]
    assert [headers(one)["To"] for one in found] == ["support@penny.test", "support@penny.test"]


def test_a_cause_that_was_no_mail_begins_a_thread(office: Office) -> None:
    office.call("ida").bind("seats/chat", "slack:#ops.message/1771234567.000100")
    for thread in ("seats/chat", "seats/unknown", "gmail:nobody.message/0123456789abcdef"):
        office.carry("tell", "ida", to=("tomas",), text="x", details={"thread": thread})

    assert [row["thread"] for row in office.table("gmail_message")] == [None, None, None]


def test_a_mail_without_a_subject_takes_its_beginning(office: Office) -> None:
    long = "The hold store still keeps seats after a payment that nobody finished, see below."
    office.carry("tell", "ida", to=("tomas",), text=long)

    assert office.table("gmail_message")[0]["subject"] == "The hold store still keeps seats after a payment that…"


@pytest.mark.parametrize(
    ("to", "said"),
    [
        (("nadia",), "nobody with mail and no group is called 'nadia'"),
        (("#ops",), "nobody with mail and no group is called '#ops'"),
        (("pager",), "nobody with mail"),
        (("a b@c",), "is no mail address"),
        ((), "needs somebody"),
    ],
)
def test_a_mail_that_cannot_be_addressed_is_not_carried(office: Office, to: tuple[str, ...], said: str) -> None:
    with pytest.raises(LookupError, match=said):
        office.carry("tell", "ida", to=to, text="x")
    with pytest.raises(LookupError, match="pager has no mail"):
        office.carry("tell", "pager", to=("ida",), text="x")


def test_groups_of_nobody_are_mistakes_told_at_once(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"groups": {"support": ["markus", "pager"], "ida": ["tomas"]}}

    with pytest.raises(AuthoringError) as caught:
        build_office(tmp_path / "world.sqlite", app, settings)

    assert [mistake.message for mistake in caught.value.mistakes] == [
        "apps.gmail.groups.support: expected somebody with mail, found 'markus'",
        "apps.gmail.groups.support: expected somebody with mail, found 'pager'",
        "apps.gmail.groups.ida: ida@penny.test is somebody's already",
    ]


# -- what graders see ---------------------------------------------------------------------------------------


def test_what_was_said_reached_those_who_got_it(office: Office) -> None:
    office.do(
        "wren",
        "send",
        to=["support@penny.test", "x@far.example"],
        bcc=["ida@penny.test"],
        subject="Hold",
        body="Is 10.",
    )

    expected = {"wren", "ida", "tomas", "marcus", "support", "support@penny.test", "x@far.example", "ida@penny.test"}
    assert office.said() == [("Hold\nIs 10.", expected)]


def test_an_answer_says_its_body_only(office: Office) -> None:
    office.do("ida", "send", to=["wren@penny.test"], subject="Holds are 10 minutes")
    first = office.do("wren", "search")["messages"][0]
    office.do("wren", "reply", message_id=first["id"], body="Thanks.")

    assert [text for text, _ in office.said()] == ["Thanks."]


def test_sending_touches_only_own_messages(office: Office) -> None:
    sent = office.do("wren", "send", to=["ida@penny.test", "nadia@penny.test"], subject="x")

    assert {effect.kind for effect in office.effects} == {"insert"}
    assert all(".message/" in path for path in office.paths())
    assert office.paths()[:3:2] == [f"gmail:wren.message/{sent['id']}", office.reached[0].path]


def test_every_row_has_a_path(office: Office) -> None:
    mine = office.do("wren", "create_draft", subject="x")
    office.do("wren", "create_label", name="Later")
    assert office.paths() == ["gmail:wren.label/Label_1"]
    rows = {name: office.rows.execute(f"SELECT min(id) FROM {name}")[0][0] for name in app.tables.tables}
    found = [
        app.path_of(office.rows, name, row)
        for name, key in rows.items()
        if (row := office.rows.get(app.tables.tables[name], key))  # type: ignore[arg-type]
    ]
    assert found == [
        "gmail:mailbox/ida",
        "gmail:group/support",
        "gmail:group/support.member/marcus",
        "gmail:wren.label/Label_1",
        f"gmail:wren.draft/{mine['id']}",
        f"gmail:wren.draft/{mine['id']}",
    ]
    office.do("wren", "delete_draft", draft_id=mine["id"])
    assert all(path.startswith("gmail:wren.draft/") for path in office.paths())


def test_a_selector_finds_mail_by_subject_and_by_path(office: Office) -> None:
    path = office.carry("tell", "gareth", to=("support", "x@far.example"), subject="Refund [BOX-41]", text="Please.")
    mine = office.do("marcus", "search")["messages"][0]
    office.do("marcus", "reply", message_id=mine["id"], body="Done.")
    office.do("marcus", "mark_read", message_ids=[mine["id"]])

    [thing] = app.find(office.rows, "Refund*")
    assert thing.path == path
    assert thing.fields == {
        "subject": "Refund [BOX-41]",
        "body": "Please.",
        "from": "gareth",
        "to": ["support", "x@far.example"],
        "cc": [],
        "bcc": [],
        "sent": "2026-03-02T09:00:00Z",
        "labels": ["SENT"],
        "read": True,
        "starred": False,
        "trashed": False,
        "thread": "",
        "attachments": [],
        "answered_by": ["marcus"],
    }
    assert ("gmail_message", 2) in thing.rows
    [copy] = app.find(office.rows, f"marcus.message/{mine['id']}")
    assert (copy.fields["labels"], copy.fields["read"]) == (["INBOX"], True)
    assert [found.path for found in app.find(office.rows, "tomas.message/*")] == [
        str(one.path) for one in office.reached if one.person == "tomas"
    ]
    assert app.find(office.rows, "marcus.message/0000000000000000") == []
    assert app.find(office.rows, "Nothing") == []


@pytest.mark.parametrize(
    ("refusal", "status", "word"),
    [
        (Refusal("unavailable"), 503, "UNAVAILABLE"),
        (Refusal("timeout"), 504, "DEADLINE_EXCEEDED"),
        (Refusal("rate_limited", retry_after=12 * SECOND), 429, "RESOURCE_EXHAUSTED"),
        (Refusal("read_only"), 400, "FAILED_PRECONDITION"),
        (Refusal("auth_expired"), 401, "UNAUTHENTICATED"),
    ],
)
def test_an_outage_is_told_in_google_s_words(refusal: Refusal, status: int, word: str) -> None:
    error = app.refuse(refusal)
    content: Any = error.content

    assert (error.status, content["error"]["code"], content["error"]["status"]) == (status, status, word)
    assert content["error"]["errors"][0]["message"] == content["error"]["message"]
    assert error.headers == ({"Retry-After": "12"} if status == 429 else {})


def test_arguments_that_do_not_fit_are_told_in_google_s_words() -> None:
    content: Any = app.invalid("to: Field required").content
    assert content["error"]["message"] == "Invalid JSON payload received. to: Field required"


def test_a_mail_is_read_when_it_is_opened(office: Office) -> None:
    path = office.carry("tell", "gareth", key="seats/complaint", to=("ida",), subject="Seats", text="Grey.")
    [unread] = office.do("ida", "search", q="is:unread")["messages"]
    office.carry("read", "ida", thing=path)

    assert "UNREAD" in unread["labelIds"]
    assert office.do("ida", "search", q="is:unread").get("messages", []) == []
