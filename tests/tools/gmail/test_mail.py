"""Sending, reading, threads, groups, bounces."""

import pytest

from tests.tools.gmail.office import Office, refused

INVALID = "invalidArgument"


def headers(message: dict[str, dict[str, list[dict[str, str]]]]) -> dict[str, str]:
    return {one["name"]: one["value"] for one in message["payload"]["headers"]}


def inbox(office: Office, person: str, q: str = "in:inbox") -> list[str]:
    return [headers(one)["Subject"] for one in office.do(person, "search", q=q)["messages"]]


def error(code: int, message: str, reason: str, status: str) -> tuple[int, object]:
    errors = [{"message": message, "domain": "global", "reason": reason}]
    return code, {"error": {"code": code, "message": message, "errors": errors, "status": status}}


NOT_FOUND = error(404, "Requested entity was not found.", "notFound", "NOT_FOUND")


def bad(message: str) -> tuple[int, object]:
    return error(400, message, INVALID, "INVALID_ARGUMENT")


def test_a_mail_is_stored_once_and_everyone_has_a_copy(office: Office) -> None:
    sent = office.do("wren", "send", to=["ida@penny.test"], cc=["Tomas <tomas@penny.test>"], subject="Hi", body="One.")

    assert sent["labelIds"] == ["SENT"]
    assert sent["threadId"] == sent["id"]
    assert [row["subject"] for row in office.table("gmail_message")] == ["Hi"]
    assert [(row["owner"], row["is_read"]) for row in office.table("gmail_copy")] == [(5, 1), (1, 0), (2, 0)]
    mine = office.do("ida", "search")["messages"][0]
    assert mine["labelIds"] == ["UNREAD", "INBOX"]
    assert mine["id"] != sent["id"]
    assert headers(mine)["From"] == "Wren <wren@penny.test>"
    assert headers(mine)["Cc"] == "Tomás Herrera <tomas@penny.test>"


def test_a_message_read_in_full_is_the_api_s(office: Office) -> None:
    sent = office.do("ida", "send", to=["wren@penny.test"], subject="Hold", body="Ten minutes.\n\nIda")
    found = office.do("wren", "search")["messages"][0]["id"]

    message = office.do("wren", "get_message", message_id=found)

    assert message.pop("payload") == {
        "mimeType": "text/plain",
        "headers": [
            {"name": "From", "value": "Ida Lindqvist <ida@penny.test>"},
            {"name": "To", "value": "Wren <wren@penny.test>"},
            {"name": "Subject", "value": "Hold"},
            {"name": "Date", "value": "Mon, 02 Mar 2026 09:00:00 +0000"},
            {"name": "Message-ID", "value": f"<{office.table('gmail_message')[0]['rfc_id']}>"},
        ],
        "body": {"size": 17, "data": "Ten minutes.\n\nIda"},
    }
    assert message == {
        "id": found,
        "threadId": found,
        "labelIds": ["UNREAD", "INBOX"],
        "snippet": "Ten minutes. Ida",
        "historyId": "1772442000000",
        "internalDate": "1772442000000",
    }
    assert int(found[:11], 16) == 1_772_442_000_000
    assert len(found) == 16
    assert "payload" not in office.do("wren", "get_message", message_id=found, format="minimal")
    assert "body" not in office.do("wren", "get_message", message_id=found, format="metadata")["payload"]
    assert found != sent["id"]


def test_a_message_of_somebody_else_is_not_found(office: Office) -> None:
    sent = office.do("ida", "send", to=["tomas@penny.test"], subject="Private")

    assert refused(office, "wren", "get_message", message_id=sent["id"]) == NOT_FOUND
    assert refused(office, "wren", "get_message", message_id="nothing like it") == NOT_FOUND
    assert refused(office, "wren", "get_thread", thread_id=sent["id"]) == NOT_FOUND


def test_a_bcc_is_seen_by_its_sender_only(office: Office) -> None:
    office.do("wren", "send", to=["ida@penny.test"], bcc=["tomas@penny.test"], subject="Quiet")

    assert inbox(office, "tomas") == ["Quiet"]
    assert "Bcc" not in headers(office.do("ida", "search")["messages"][0])
    assert "Bcc" not in headers(office.do("tomas", "search")["messages"][0])
    assert headers(office.do("wren", "search", q="in:sent")["messages"][0])["Bcc"] == "Tomás Herrera <tomas@penny.test>"
    assert inbox(office, "ida", "tomas") == []
    assert inbox(office, "ida", "bcc:tomas") == []
    assert inbox(office, "wren", "bcc:tomas") == ["Quiet"]


def test_a_group_s_mail_goes_to_its_members_once(office: Office) -> None:
    office.do("gareth", "send", to=["support@penny.test", "marcus@penny.test"], subject="Grey seats")

    assert inbox(office, "marcus") == inbox(office, "tomas") == ["Grey seats"]
    assert inbox(office, "ida") == []
    assert len(office.table("gmail_copy")) == 3
    assert inbox(office, "tomas", "list:support@penny.test") == ["Grey seats"]
    assert inbox(office, "marcus", "list:support") == []


def test_a_member_who_writes_to_the_group_has_it_in_sent_only(office: Office) -> None:
    office.do("marcus", "send", to=["all@penny.test"], subject="Lunch")

    assert inbox(office, "marcus") == []
    assert inbox(office, "marcus", "in:sent") == ["Lunch"]
    assert inbox(office, "wren") == inbox(office, "ida") == ["Lunch"]
    assert office.do("gareth", "search")["messages"] == []


def test_a_mail_to_oneself_is_both_sent_and_received(office: Office) -> None:
    sent = office.do("wren", "send", to=["wren@penny.test"], subject="Note")

    assert sent["labelIds"] == ["UNREAD", "SENT", "INBOX"]
    assert office.reached == []


def test_a_plus_address_is_its_owner_s(office: Office) -> None:
    office.do("gareth", "send", to=["ida+tickets@penny.test"], subject="Plus")

    assert inbox(office, "ida") == ["Plus"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"to": []}, "Recipient address required"),
        ({"to": ["ida"]}, "Invalid To header"),
        ({"to": ["ida@penny.test"], "cc": ["<>"]}, "Invalid Cc header"),
        ({"to": ["ida@penny.test"], "bcc": ["a b@penny.test"]}, "Invalid Bcc header"),
        ({"to": ["a" * 300 + "@penny.test"]}, "Invalid To header"),
    ],
)
def test_a_letter_without_a_proper_address_is_refused(
    office: Office, arguments: dict[str, list[str]], message: str
) -> None:
    assert refused(office, "wren", "send", subject="x", body="y", **arguments) == bad(message)


def test_who_has_no_mailbox_cannot_use_it(office: Office) -> None:
    expected = error(400, "Mail service not enabled", "failedPrecondition", "FAILED_PRECONDITION")
    assert refused(office, "pager", "get_profile") == expected


def test_mail_to_nobody_at_the_company_comes_back(office: Office) -> None:
    sent = office.do("wren", "send", to=["ida@penny.test", "nadia@penny.test"], subject="Welcome", body="Hello.")

    thread = office.do("wren", "get_thread", thread_id=sent["threadId"])
    assert [headers(one)["Subject"] for one in thread["messages"]] == [
        "Welcome",
        "Delivery Status Notification (Failure)",
    ]
    notice = thread["messages"][1]
    assert headers(notice)["From"] == "Mail Delivery Subsystem <mailer-daemon@googlemail.com>"
    assert "550 5.1.1 The email account that you tried to reach does not exist" in notice["payload"]["body"]["data"]
    assert "nadia@penny.test" in notice["payload"]["body"]["data"]
    assert notice["labelIds"] == ["UNREAD", "INBOX"]
    assert inbox(office, "ida") == ["Welcome"]
    assert [(one.person, one.kind) for one in office.reached] == [("ida", "mail"), ("wren", "mail")]
    assert [text for text, _ in office.said()] == ["Welcome\nHello."]


def test_mail_to_strangers_outside_is_just_accepted(office: Office) -> None:
    office.do("wren", "send", to=["someone@elsewhere.example", "other@cornerhall.test"], subject="Hello?")

    assert len(office.table("gmail_message")) == 1
    assert office.reached == []


def test_those_who_get_mail_are_told(office: Office) -> None:
    office.do("ida", "send", to=["wren@penny.test", "support@penny.test"], subject="Deploy", body="At noon.\nIda")

    assert [(one.person, one.kind, one.text) for one in office.reached] == [
        ("tomas", "mail", "Ida Lindqvist: Deploy - At noon. Ida"),
        ("marcus", "mail", "Ida Lindqvist: Deploy - At noon. Ida"),
        ("wren", "mail", "Ida Lindqvist: Deploy - At noon. Ida"),
    ]
    mine = office.do("wren", "search")["messages"][0]
    assert office.reached[-1].path == f"gmail:wren.message/{mine['id']}"


def test_a_long_mail_is_told_in_part(office: Office) -> None:
    office.do("ida", "send", to=["wren@penny.test"], subject="Long", body="word " * 10_000)

    assert len(office.reached[0].text) == 1_001


def test_an_answer_is_in_its_thread_in_every_mailbox(office: Office) -> None:
    office.do("gareth", "send", to=["support@penny.test"], cc=["ida@penny.test"], subject="Grey seats", body="Help.")
    first = office.do("marcus", "search")["messages"][0]

    answer = office.do("marcus", "reply", message_id=first["id"], body="Looking.", reply_all=True)

    assert answer["threadId"] == first["threadId"]
    assert inbox(office, "gareth") == inbox(office, "tomas", "re") == ["Re: Grey seats"]
    thread = office.do("ida", "get_thread", thread_id=office.do("ida", "search")["messages"][0]["threadId"])
    shown = headers(thread["messages"][1])
    assert len(thread["messages"]) == 2
    assert shown["To"] == "Gareth Moss <gareth@cornerhall.test>"
    assert shown["Cc"] == "support@penny.test, Ida Lindqvist <ida@penny.test>"
    assert shown["In-Reply-To"] == shown["References"] == headers(thread["messages"][0])["Message-ID"]


def test_an_answer_to_one_s_own_mail_goes_to_those_it_went_to(office: Office) -> None:
    sent = office.do("wren", "send", to=["ida@penny.test"], subject="Ping")
    office.do("wren", "reply", message_id=sent["id"], body="Again.", cc=["tomas@penny.test"])

    assert inbox(office, "ida") == ["Re: Ping", "Ping"]
    assert inbox(office, "tomas") == ["Re: Ping"]


def test_an_answer_to_what_is_not_there_is_refused(office: Office) -> None:
    assert refused(office, "wren", "reply", message_id="0123456789abcdef", body="x") == NOT_FOUND
    draft = office.do("wren", "create_draft", to=["ida@penny.test"], subject="x")
    assert refused(office, "wren", "reply", message_id=draft["message"]["id"], body="x") == NOT_FOUND


def test_who_joins_later_has_a_thread_of_their_own_from_there_on(office: Office) -> None:
    sent = office.do("ida", "send", to=["tomas@penny.test"], subject="Plan")
    office.do("ida", "send", to=["wren@penny.test"], thread_id=sent["threadId"], body="Wren, please see below.")

    mine = office.do("wren", "search")["messages"]
    assert [headers(one)["Subject"] for one in mine] == ["Re: Plan"]
    assert mine[0]["threadId"] == mine[0]["id"] != sent["threadId"]


def test_a_thread_goes_on_under_its_subject_and_ends_with_another(office: Office) -> None:
    sent = office.do("wren", "send", to=["ida@penny.test"], subject="Plan")
    on = office.do("wren", "send", to=["ida@penny.test"], subject="RE: plan", thread_id=sent["threadId"])
    off = office.do("wren", "send", to=["ida@penny.test"], subject="Lunch", thread_id=sent["threadId"])

    assert on["threadId"] == sent["threadId"]
    assert off["threadId"] == off["id"]
    assert refused(office, "wren", "send", to=["ida@penny.test"], thread_id="ffffffffffffffff") == NOT_FOUND


def test_threads_are_listed_newest_first(office: Office) -> None:
    first = office.do("wren", "send", to=["ida@penny.test"], subject="One", body="first")
    second = office.do("wren", "send", to=["ida@penny.test"], subject="Two", body="second")
    office.do("wren", "reply", message_id=first["id"], body="more of one")

    listed = office.do("wren", "list_threads")

    assert [(one["id"], one["messages"], one["snippet"]) for one in listed["threads"]] == [
        (first["id"], 2, "more of one"),
        (second["id"], 1, "second"),
    ]
    assert listed["resultSizeEstimate"] == 2
    page = office.do("wren", "list_threads", max_results=1)
    rest = office.do("wren", "list_threads", max_results=1, page_token=page["nextPageToken"])
    assert [one["id"] for one in rest["threads"]] == [second["id"]]
    assert "nextPageToken" not in rest
    assert refused(office, "wren", "list_threads", page_token="zzz") == bad("Invalid pageToken")


def test_pages_of_messages_do_not_repeat_while_mail_comes_in(office: Office) -> None:
    for number in range(5):
        office.do("ida", "send", to=["wren@penny.test"], subject=f"n{number}")
    page = office.do("wren", "search", max_results=2)
    office.do("ida", "send", to=["wren@penny.test"], subject="new")
    second = office.do("wren", "search", max_results=2, page_token=page["nextPageToken"])
    third = office.do("wren", "search", max_results=2, page_token=second["nextPageToken"])

    subjects = [headers(one)["Subject"] for shown in (page, second, third) for one in shown["messages"]]
    assert subjects == ["n4", "n3", "n2", "n1", "n0"]
    assert "nextPageToken" not in third
    assert page["resultSizeEstimate"] == 5
    assert refused(office, "wren", "search", page_token=page["nextPageToken"][:-3]) == bad("Invalid pageToken")


def test_a_profile_counts_the_mailbox(office: Office) -> None:
    assert office.do("wren", "get_profile") == {
        "emailAddress": "wren@penny.test",
        "messagesTotal": 0,
        "threadsTotal": 0,
        "historyId": "0",
    }
    sent = office.do("wren", "send", to=["ida@penny.test"], subject="One")
    office.do("wren", "reply", message_id=sent["id"], body="More.")
    found = office.do("wren", "get_profile")
    assert (found["messagesTotal"], found["threadsTotal"]) == (2, 1)
    assert int(found["historyId"]) == (office.now - 1_000_000) // 1_000


def test_the_directory_has_the_company_s_people_and_groups(office: Office) -> None:
    everyone = office.do("wren", "search_directory")
    assert [one["emailAddresses"][0]["value"] for one in everyone["people"]] == [
        "ida@penny.test",
        "tomas@penny.test",
        "marcus@penny.test",
        "wren@penny.test",
        "support@penny.test",
        "all@penny.test",
    ]
    assert office.do("wren", "search_directory", query="LINDQ")["people"] == [
        {
            "names": [{"displayName": "Ida Lindqvist"}],
            "emailAddresses": [{"value": "ida@penny.test"}],
            "sourceType": "PROFILE",
        }
    ]
    assert office.do("wren", "search_directory", query="gareth") == {"people": [], "totalSize": 0}


def test_two_mails_in_one_moment_have_ids_of_their_own(office: Office) -> None:
    calls = [office.do("ida", "send", to=["wren@penny.test"], subject="Same")]
    office.now -= 1_000_000
    calls.append(office.do("ida", "send", to=["wren@penny.test"], subject="Same"))

    assert calls[0]["id"] != calls[1]["id"]
    assert len({row["rfc_id"] for row in office.table("gmail_message")}) == 2


def test_a_message_is_passed_on_with_its_header(office: Office) -> None:
    office.do("ida", "send", to=["wren@penny.test"], cc=["tomas@penny.test"], subject="Hold", body="Ten minutes.")
    found = office.do("wren", "search")["messages"][0]
    sent = office.do("wren", "forward", message_id=found["id"], to=["marcus@penny.test"], body="For you.")

    [got] = office.do("marcus", "search")["messages"]
    whole = office.do("marcus", "get_message", message_id=got["id"])
    assert headers(whole)["Subject"] == "Fwd: Hold"
    assert "In-Reply-To" not in headers(whole)
    assert whole["payload"]["body"]["data"] == (
        "For you.\n\n---------- Forwarded message ---------\nFrom: Ida Lindqvist <ida@penny.test>\n"
        "Date: Mon, 02 Mar 2026 09:00:00 +0000\nSubject: Hold\nTo: Wren <wren@penny.test>\n"
        "Cc: Tomás Herrera <tomas@penny.test>\n\nTen minutes."
    )
    assert sent["threadId"] == found["threadId"], "it stays in the thread of who passes it on"
    assert got["threadId"] == got["id"], "and begins one where it goes"
    assert inbox(office, "ida") == []


def test_a_message_is_not_passed_on_to_nobody_or_by_somebody_else(office: Office) -> None:
    sent = office.do("ida", "send", to=["tomas@penny.test"], subject="Private")

    assert refused(office, "wren", "forward", message_id=sent["id"], to=["marcus@penny.test"]) == NOT_FOUND
    assert refused(office, "ida", "forward", message_id=sent["id"], to=[]) == bad("Recipient address required")
    assert refused(office, "ida", "forward", message_id=sent["id"], to=["nobody"]) == bad("Invalid To header")
