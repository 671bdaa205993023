"""Search over a mailbox: operators by hand, and all of them against their plain meaning."""

from collections.abc import Iterator
from contextlib import suppress

import orjson
import pytest
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st

from brownout.core.instants import DAY, HOUR
from brownout.store import Pool
from tests.tools.gmail.office import Office, refused
from tools.gmail import app
from tools.gmail.addresses import parse_addresses
from tools.gmail.errors import GmailError
from tools.query_languages.ast import Function
from tools.query_languages.gmail import hides_spam_and_trash, parse
from tools.query_languages.reference_evaluation import Record, matches


def subjects(office: Office, q: str, person: str = "wren") -> list[str]:
    found = office.do(person, "search", q=q, max_results=100)["messages"]
    return [header["value"] for one in found for header in one["payload"]["headers"] if header["name"] == "Subject"]


@pytest.fixture(scope="module")
def full(mail_pool: Pool) -> Iterator[Office]:
    """Wren's mailbox with some of everything in it."""
    office = Office(app, mail_pool)
    office.do("ida", "send", to=["wren@penny.test"], subject="Invoice March", body="The late fee is due. Über alles.")
    office.now += 2 * DAY
    office.do(
        "gareth", "send", to=["all@penny.test"], cc=["support@penny.test"], subject="Sold out?", body="190 of 320"
    )
    office.do(
        "tomas", "send", to=["marcus@penny.test"], cc=["Wren <wren@penny.test>"], subject="Re-deploy", body="late"
    )
    office.do("wren", "send", to=["ida@penny.test"], bcc=["marcus@penny.test"], subject="Fee waived", body="No fee.")
    office.do("wren", "create_draft", to=["tomas@penny.test"], subject="Half", body="unfinished fee")
    sent = office.do("wren", "create_draft", to=["tomas@penny.test"], subject="Done", body="finished")
    office.do("wren", "send_draft", draft_id=sent["id"])
    office.now += 3 * HOUR
    office.do("marcus", "send", to=["wren@penny.test"], subject="Win a prize", body="click here " * 900)
    office.do("marcus", "send", to=["wren@penny.test"], subject="Old news", body="paid invoice")
    office.do("marcus", "send", to=["wren@penny.test", "ida@penny.test"], subject="", body='quotes " OR NEAR(a b) *')
    ids = {subject: one["id"] for subject, one in _by_subject(office).items()}
    office.do("wren", "create_label", name="My Clients/Big")
    office.do(
        "wren", "modify_labels", message_id=ids["Win a prize"], add_label_ids=["SPAM"], remove_label_ids=["INBOX"]
    )
    office.do("wren", "trash_message", message_id=ids["Old news"])
    office.do("wren", "modify_labels", message_id=ids["Sold out?"], add_label_ids=["Label_1", "IMPORTANT"])
    office.do("wren", "modify_labels", message_id=ids["Re-deploy"], remove_label_ids=["INBOX"])
    office.do("wren", "star_message", message_id=ids["Invoice March"])
    office.do("wren", "mark_read", message_ids=[ids["Invoice March"], ids["Re-deploy"]])
    yield office


def _by_subject(office: Office) -> dict[str, dict[str, str]]:
    found = office.do("wren", "search", q="in:anywhere", max_results=100)["messages"]
    return {one["payload"]["headers"][-3]["value"]: one for one in found}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["", "Done", "Half", "Fee waived", "Re-deploy", "Sold out?", "Invoice March"]),
        ("in:inbox", ["", "Sold out?", "Invoice March"]),
        ("in:sent", ["Done", "Fee waived"]),
        ("in:drafts", ["Half"]),
        ("in:trash", ["Old news"]),
        ("in:spam", ["Win a prize"]),
        ("in:anywhere prize OR news", ["Old news", "Win a prize"]),
        ("is:unread", ["", "Sold out?"]),
        ("is:read in:inbox", ["Invoice March"]),
        ("is:starred", ["Invoice March"]),
        ("is:important", ["Sold out?"]),
        ("label:my-clients-big", ["Sold out?"]),
        ('label:"My Clients/Big"', ["Sold out?"]),
        ("has:userlabels", ["Sold out?"]),
        ("from:ida", ["Invoice March"]),
        ("from:lindqvist", ["Invoice March"]),
        ("from:herrera subject:deploy", ["Re-deploy"]),
        ("from:me", ["Done", "Half", "Fee waived"]),
        ("to:me", ["", "Re-deploy", "Invoice March"]),
        ("cc:me", ["Re-deploy"]),
        ("to:support@penny.test", ["Sold out?"]),
        ("bcc:marcus", ["Fee waived"]),
        ("list:all", ["Sold out?"]),
        ("deliveredto:me list:all", ["Sold out?"]),
        ('"late fee"', ["Invoice March"]),
        ('"fee late"', []),
        ("uber", ["Invoice March"]),
        ("fee -in:sent", ["Half", "Invoice March"]),
        ("subject:(fee OR invoice)", ["Fee waived", "Invoice March"]),
        ("{subject:half subject:sold}", ["Half", "Sold out?"]),
        ("-{from:me is:unread}", ["Re-deploy", "Invoice March"]),
        ("newer_than:1d", ["", "Done", "Half", "Fee waived", "Re-deploy", "Sold out?"]),
        ("older_than:1d", ["Invoice March"]),
        ("before:2026/03/03", ["Invoice March"]),
        ("after:2026/03/04 before:2026/03/05 from:gareth", ["Sold out?"]),
        ("larger:9K in:anywhere", ["Win a prize"]),
        ("smaller:2K from:ida", ["Invoice March"]),
        ("has:attachment", []),
        ("filename:pdf", []),
        ("'\"; DROP TABLE", []),
        ("NEAR quotes", [""]),
    ],
)
def test_an_operator_finds_what_gmail_s_would(full: Office, query: str, expected: list[str]) -> None:
    assert subjects(full, query) == expected


def test_a_message_is_found_by_its_own_id(full: Office) -> None:
    first = full.table("gmail_message")[0]["rfc_id"]
    assert subjects(full, f"rfc822msgid:<{first}>") == ["Invoice March"]


def test_days_begin_where_the_reader_is(mail_pool: Pool) -> None:
    office = Office(app, mail_pool)
    office.now = 1_772_503_200_000_000  # 2026-03-03 02:00 in Lisbon, the evening before in New York
    office.do("gareth", "send", to=["ida@penny.test", "marcus@penny.test"], subject="Late")

    assert subjects(office, "before:2026-03-03", "ida") == []
    assert subjects(office, "before:2026-03-03", "marcus") == ["Late"]


ATOMS = st.sampled_from(
    [
        "fee", "late", "invoice", "penny", "deploy", '"late fee"', '"penny test"', "ÜBER", "re", "320", "support",
        "from:me", "from:ida", "from:herrera", "to:me", "to:support", "to:ida", "cc:me", "cc:support", "bcc:marcus",
        "bcc:me", "subject:fee", 'subject:"sold out"', "subject:re-deploy", "in:inbox", "in:sent", "in:drafts", "in:trash",
        "in:spam", "in:anywhere", "is:unread", "is:read", "is:starred", "is:important", "label:my-clients-big",
        "label:none", "has:userlabels", "has:nouserlabels", "list:all", "deliveredto:me", "deliveredto:all",
        "category:primary", "newer_than:1d", "older_than:3h", "before:2026/3/4", "after:1772442001", "larger:1K",
        "smaller:650", "size:608", "filename:x", "flavour:cherry", "is:odd",
    ]
)  # fmt: skip
QUERIES = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        inner.map(lambda part: f"-({part})"),
        st.lists(inner, min_size=2, max_size=3).map(" ".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: " OR ".join(f"({part})" for part in parts)),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: "{" + " ".join(parts) + "}"),
    ),
    max_leaves=5,
)


def records(office: Office) -> dict[str, Record]:
    """Every message in Wren's mailbox as the evaluator reads it, by its id there."""
    groups = {row["id"]: row["email"] for row in office.table("gmail_group")}
    messages = {row["id"]: row for row in office.table("gmail_message")}
    gone = {row["draft"] for row in messages.values()}
    found: dict[str, Record] = {}
    for copy in office.table("gmail_copy"):
        message = messages[copy["message"]]
        if copy["owner"] != 5 or message["id"] in gone:
            continue
        lists = {name: orjson.loads(str(message[name])) for name in ("to", "cc", "bcc")}
        emails = {name: [one.email for one in parse_addresses(texts)] for name, texts in lists.items()}
        is_mine = message["author"] == 5
        labels = [name.lower() for name in orjson.loads(str(copy["labels"]))]
        came_in = not message["is_draft"] and "sent" not in labels
        marks = [
            "read" if copy["is_read"] else "unread",
            *(["starred"] if copy["is_starred"] else []),
            *(["trash"] if copy["is_trashed"] else []),
            *(["drafts"] if message["is_draft"] else []),
            *(["my-clients-big"] if "label_1" in labels else []),
        ]
        body, subject = str(message["body"]), str(message["subject"])
        via = groups.get(copy["via"])
        found[str(copy["gmail_id"])] = {
            "text": [subject, body, str(message["sender"]), *lists["to"], *lists["cc"]],
            "sender": [str(message["sender"]), *(["wren@penny.test"] if is_mine else [])],
            "to": [*lists["to"], *lists["cc"], *emails["to"], *emails["cc"]],
            "cc": [*lists["cc"], *emails["cc"]],
            "bcc": [*lists["bcc"], *emails["bcc"]] if is_mine else None,
            "subject": subject,
            "label": [*labels, *marks],
            "is": [*labels, *marks],
            "has": "userlabels" if "label_1" in labels else "nouserlabels",
            "category": "primary" if came_in else None,
            "scope": "anywhere",
            "list": str(via) if via else None,
            "delivered_to": [*(["wren@penny.test"] if came_in else []), *([str(via)] if via else [])],
            "date": int(str(message["at_us"])),
            "size": 600 + len(body.encode()) + len(subject.encode()),
        }
    return found


def _me(function: Function) -> list[str]:
    assert function.name == "currentUser"
    return ["wren@penny.test"]


@settings(max_examples=150, deadline=None)
@given(query=QUERIES)
@example(query="-to:me")
@example(query="-(in:trash OR in:spam)")
def test_search_finds_what_its_plain_meaning_does(full: Office, query: str) -> None:
    wanted = parse(query, now=full.now, zone="Europe/Lisbon")
    try:
        full.do("wren", "search", q=query)
    except GmailError:
        reject()
    hides = hides_spam_and_trash(wanted)
    expected = {
        gmail_id
        for gmail_id, record in records(full).items()
        if matches(wanted, record, resolve=_me) and not (hides and {"spam", "trash"} & set(record["label"]))  # type: ignore[arg-type]
    }

    found = full.do("wren", "search", q=query, max_results=100)
    threads = full.do("wren", "list_threads", q=query, max_results=100)

    assert {one["id"] for one in found["messages"]} == expected
    assert found["resultSizeEstimate"] == len(expected)
    assert {one["id"] for one in threads["threads"]} == {one["threadId"] for one in found["messages"]}


@settings(max_examples=150, deadline=None)
@given(query=st.text(max_size=30))
@example(query='from:"\x00"')
def test_no_query_breaks_the_search(full: Office, query: str) -> None:
    for operation in ("search", "list_threads"):
        with suppress(GmailError):
            full.do("wren", operation, q=query)


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("in:inbxo", "in: cannot be 'inbxo'; did you mean 'inbox'?"),
        ("label:venue", "label: cannot be 'venue'"),
        ("is:unraed", "is: cannot be 'unraed'; did you mean 'unread'?"),
        ("has:atachment", "has: cannot be 'atachment'; did you mean 'attachment'?"),
        ("after:lunch", "after: cannot be 'lunch'; expected a day such as 2026-03-19"),
        ("newer_than:soon", "newer_than: cannot be 'soon'; expected an age such as 2d, 1m or 1y"),
        (
            "form:ida -larger:much",
            "there is no 'form'; did you mean 'from:'?; larger: cannot be 'much'; expected a size",
        ),
        ("a NOT b", "there is no NOT here; write -word"),
    ],
)
def test_what_is_misspelt_is_refused(full: Office, query: str, problem: str) -> None:
    status, body = refused(full, "wren", "search", q=query)
    assert status == 400
    assert f"Invalid query: {problem}" in str(body)


@pytest.mark.parametrize("query", ["to:nobody", '"OR" "form:ida"', "re:hello 10:30 http://a.test", "in:anywhere"])
def test_addresses_and_words_are_free(full: Office, query: str) -> None:
    full.do("wren", "search", q=query)
