"""Drafts, labels, marks, trash: what one does in one's own mailbox."""

import pytest

from tests.tools.gmail.office import Office, refused
from tests.tools.gmail.test_mail import NOT_FOUND, bad, error, headers


def received(office: Office, subject: str = "Hello") -> str:
    """The id of a mail that Wren got."""
    office.do("ida", "send", to=["wren@penny.test"], subject=subject, body="x")
    return str(office.do("wren", "search")["messages"][0]["id"])


def labels(office: Office, message_id: str, person: str = "wren") -> list[str]:
    found: list[str] = office.do(person, "get_message", message_id=message_id)["labelIds"]
    return found


# -- drafts -------------------------------------------------------------------------------------------------


def test_a_draft_is_its_writer_s_alone_until_it_is_sent(office: Office) -> None:
    draft = office.do("wren", "create_draft", to=["ida@penny.test"], subject="Plan", body="Soon.")

    assert draft["message"]["labelIds"] == ["DRAFT"]
    assert all(effect.harmless for effect in office.effects)
    assert office.said() == []
    assert office.reached == []
    assert office.do("ida", "search", q="in:anywhere")["messages"] == []
    assert refused(office, "ida", "send_draft", draft_id=draft["id"]) == NOT_FOUND
    assert office.do("wren", "get_message", message_id=draft["message"]["id"])["payload"]["body"]["data"] == "Soon."

    sent = office.do("wren", "send_draft", draft_id=draft["id"])

    assert sent["labelIds"] == ["SENT"]
    assert sent["id"] != draft["message"]["id"]
    assert sent["threadId"] == draft["message"]["threadId"]
    assert headers(office.do("ida", "search")["messages"][0])["Subject"] == "Plan"
    assert refused(office, "wren", "send_draft", draft_id=draft["id"]) == NOT_FOUND
    assert refused(office, "wren", "get_message", message_id=draft["message"]["id"]) == NOT_FOUND
    assert office.do("wren", "list_drafts")["drafts"] == []
    assert len(office.do("wren", "get_thread", thread_id=sent["threadId"])["messages"]) == 1
    assert office.do("wren", "get_profile")["messagesTotal"] == 1


def test_sending_a_draft_only_adds(office: Office) -> None:
    draft = office.do("wren", "create_draft", to=["ida@penny.test"], subject="Plan", body="Soon.")
    office.do("wren", "send_draft", draft_id=draft["id"])

    assert {effect.kind for effect in office.effects} == {"insert"}
    assert all(".message/" in path for path in office.paths())
    assert office.said() == [("Plan\nSoon.", {"ida", "wren", "ida@penny.test"})]


def test_a_draft_is_written_anew(office: Office) -> None:
    draft = office.do("wren", "create_draft", subject="Plan")
    office.do("wren", "update_draft", draft_id=draft["id"], to=["ida@penny.test"], subject="Other", body="Better.")

    assert all(effect.harmless for effect in office.effects)
    [found] = office.do("wren", "list_drafts")["drafts"]
    assert found["id"] == draft["id"]
    assert headers(found["message"])["Subject"] == "Other"
    assert found["message"]["payload"]["body"]["data"] == "Better."
    assert office.do("wren", "search", q="better in:drafts")["resultSizeEstimate"] == 1
    nowhere = {"to": [], "subject": "", "body": ""}
    assert refused(office, "wren", "update_draft", draft_id="r1", **nowhere) == NOT_FOUND
    wrong = {"to": ["ida at penny"], "subject": "", "body": ""}
    assert refused(office, "wren", "update_draft", draft_id=draft["id"], **wrong) == bad("Invalid To header")


def test_a_draft_to_nobody_is_kept_but_not_sent(office: Office) -> None:
    draft = office.do("wren", "create_draft", subject="To whom?")

    assert refused(office, "wren", "send_draft", draft_id=draft["id"]) == bad("Recipient address required")


def test_a_draft_answers_in_its_thread(office: Office) -> None:
    first = received(office)
    draft = office.do("wren", "create_draft", to=["ida@penny.test"], body="Yes.", thread_id=first)
    sent = office.do("wren", "send_draft", draft_id=draft["id"])

    assert draft["message"]["threadId"] == sent["threadId"] == first
    assert [headers(one)["Subject"] for one in office.do("ida", "search", q="is:unread")["messages"]] == ["Re: Hello"]
    theirs = office.do("ida", "list_threads")["threads"]
    assert [one["messages"] for one in theirs] == [2]
    assert refused(office, "wren", "create_draft", thread_id="ffffffffffffffff") == NOT_FOUND
    assert refused(office, "wren", "create_draft", to=["@"]) == bad("Invalid To header")


def test_a_thrown_away_draft_leaves_nothing(office: Office) -> None:
    draft = office.do("wren", "create_draft", to=["ida@penny.test"], subject="Plan")
    office.do("wren", "delete_draft", draft_id=draft["id"])

    assert all(effect.harmless for effect in office.effects)
    assert office.table("gmail_message") == office.table("gmail_copy") == []
    assert refused(office, "wren", "delete_draft", draft_id=draft["id"]) == NOT_FOUND
    sent = office.do("wren", "send", to=["ida@penny.test"], subject="x")
    number = f"r{int(sent['id'], 16)}"
    assert refused(office, "wren", "delete_draft", draft_id=number) == NOT_FOUND
    assert refused(office, "wren", "delete_draft", draft_id="r٣") == NOT_FOUND


def test_drafts_come_in_pages(office: Office) -> None:
    for number in range(3):
        office.do("wren", "create_draft", subject=str(number))
    page = office.do("wren", "list_drafts", max_results=2)
    rest = office.do("wren", "list_drafts", max_results=2, page_token=page["nextPageToken"])

    shown = [headers(one["message"])["Subject"] for one in (*page["drafts"], *rest["drafts"])]
    assert shown == ["2", "1", "0"]
    assert refused(office, "wren", "list_drafts", page_token="no") == bad("Invalid pageToken")


# -- marks --------------------------------------------------------------------------------------------------


def test_reading_marks_are_harmless_and_one_s_own(office: Office) -> None:
    office.do("ida", "send", to=["wren@penny.test", "tomas@penny.test"], subject="Hello")
    mine = office.do("wren", "search")["messages"][0]["id"]

    found = office.do("wren", "mark_read", message_ids=[mine, mine])

    assert found == {"messages": [{"id": mine, "threadId": mine, "labelIds": ["INBOX"]}]}
    assert [effect.harmless for effect in office.effects] == [True]
    assert office.do("tomas", "search", q="is:unread")["resultSizeEstimate"] == 1
    office.do("wren", "mark_read", message_ids=[mine])
    assert office.effects == ()
    assert office.do("wren", "mark_read", message_ids=[mine], read=False)["messages"][0]["labelIds"] == [
        "UNREAD",
        "INBOX",
    ]


def test_nothing_is_marked_where_one_of_several_is_unknown(office: Office) -> None:
    mine = received(office)

    assert refused(office, "wren", "mark_read", message_ids=[mine, "ffffffffffffffff"]) == NOT_FOUND
    assert labels(office, mine) == ["UNREAD", "INBOX"]


def test_a_star_is_put_on_and_taken_off(office: Office) -> None:
    mine = received(office)

    assert office.do("wren", "star_message", message_id=mine)["labelIds"] == ["UNREAD", "STARRED", "INBOX"]
    assert all(effect.harmless for effect in office.effects)
    assert office.do("wren", "star_message", message_id=mine, starred=False)["labelIds"] == ["UNREAD", "INBOX"]
    assert refused(office, "wren", "star_message", message_id="no") == NOT_FOUND


def test_trash_hides_and_gives_back_as_it_was(office: Office) -> None:
    mine = received(office)

    assert office.do("wren", "trash_message", message_id=mine)["labelIds"] == ["UNREAD", "TRASH", "INBOX"]
    assert not any(effect.harmless for effect in office.effects)
    assert office.do("wren", "search", q="in:inbox")["messages"] == []
    assert office.do("wren", "untrash_message", message_id=mine)["labelIds"] == ["UNREAD", "INBOX"]
    assert refused(office, "wren", "trash_message", message_id="no") == NOT_FOUND
    assert refused(office, "wren", "untrash_message", message_id="no") == NOT_FOUND


# -- labels -------------------------------------------------------------------------------------------------


def test_labels_are_made_put_on_and_counted(office: Office) -> None:
    mine = received(office)
    made = office.do("wren", "create_label", name=" Clients/Big ")
    office.do("wren", "create_label", name="Later")

    assert made == {"id": "Label_1", "name": "Clients/Big", "type": "user"}
    changed = office.do("wren", "modify_labels", message_id=mine, add_label_ids=["clients/big", "Label_2"])
    assert changed["labelIds"] == ["UNREAD", "INBOX", "Label_1", "Label_2"]
    shown = {one["id"]: one for one in office.do("wren", "list_labels")["labels"]}
    assert shown["Label_1"] == {**made, "messagesTotal": 1, "messagesUnread": 1}
    assert shown["INBOX"] == {
        "id": "INBOX",
        "name": "INBOX",
        "type": "system",
        "messagesTotal": 1,
        "messagesUnread": 1,
    }
    assert shown["SENT"]["messagesTotal"] == 0
    assert [one for one in office.do("ida", "list_labels")["labels"] if one["type"] == "user"] == []


def test_archiving_is_taking_the_inbox_off(office: Office) -> None:
    mine = received(office)

    assert office.do("wren", "modify_labels", message_id=mine, remove_label_ids=["INBOX", "UNREAD"])["labelIds"] == []
    assert not any(effect.harmless for effect in office.effects)
    assert office.do("wren", "search", q="in:inbox")["messages"] == []
    assert office.do("wren", "search")["resultSizeEstimate"] == 1
    back = office.do("wren", "modify_labels", message_id=mine, add_label_ids=["inbox", "starred", "TRASH"])
    assert back["labelIds"] == ["STARRED", "TRASH", "INBOX"]


def test_labels_that_change_nothing_leave_no_effect(office: Office) -> None:
    mine = received(office)
    office.do("wren", "modify_labels", message_id=mine, add_label_ids=["INBOX"], remove_label_ids=["SPAM"])

    assert office.effects == ()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "No label add or removes specified"),
        ({"add_label_ids": ["Label_1"]}, "Invalid label: Label_1"),
        ({"add_label_ids": ["SENT"]}, "Invalid label: SENT"),
        ({"remove_label_ids": ["DRAFT"]}, "Invalid label: DRAFT"),
        ({"add_label_ids": ["INBOX"], "remove_label_ids": ["inbox"]}, "Cannot both add and remove the same label"),
    ],
)
def test_labels_that_cannot_be_changed_are_refused(
    office: Office, arguments: dict[str, list[str]], message: str
) -> None:
    mine = received(office)
    assert refused(office, "wren", "modify_labels", message_id=mine, **arguments) == bad(message)


def test_a_label_s_name_is_its_owner_s_only_one(office: Office) -> None:
    office.do("wren", "create_label", name="Later")
    taken = error(409, "Label name exists or conflicts", "aborted", "ABORTED")

    assert refused(office, "wren", "create_label", name="later") == taken
    assert refused(office, "wren", "create_label", name="Inbox") == taken
    assert refused(office, "wren", "create_label", name=" / ") == bad("Invalid label name")
    assert office.do("ida", "create_label", name="Later")["id"] == "Label_1"
    assert refused(office, "wren", "modify_labels", message_id="no", add_label_ids=["Later"]) == NOT_FOUND
