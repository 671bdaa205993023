"""Files that go with a mail: read with it, passed on with it, looked for, and the same whether written one by one or together."""

from base64 import b64encode

import pytest

from brownout.core.apps import Intent
from brownout.core.values import Json, JsonObject
from tests.tools.gmail.office import Office
from tools.gmail.intent_batches import write_many

CSV: dict[str, Json] = {"filename": "rooms.csv", "mime_type": "text/csv", "content": "Room,Seats\nÅ,12\n"}
PNG: dict[str, Json] = {"filename": "plan.png", "mime_type": "image/png", "content": b64encode(b"\x89PNG\xff").decode()}
FILES: JsonObject = {"attachments": [dict(CSV), dict(PNG)]}


def _sent(office: Office) -> str:
    office.carry("tell", "gareth", to=("wren",), subject="Seats", text="See the files.", details=FILES)
    return str(office.do("wren", "search")["messages"][0]["id"])


def test_a_message_read_in_full_has_its_files(office: Office) -> None:
    message = _sent(office)
    payload = office.do("wren", "get_message", message_id=message)["payload"]

    assert (payload["mimeType"], payload["body"]) == ("multipart/mixed", {"size": 0})
    assert payload["parts"] == [
        {"partId": "0", "mimeType": "text/plain", "filename": "", "body": {"size": 14, "data": "See the files."}},
        {
            "partId": "1", "mimeType": "text/csv", "filename": "rooms.csv",
            "body": {"attachmentId": f"{message}.1", "size": 17, "data": "Room,Seats\nÅ,12\n"},
        },
        {
            "partId": "2", "mimeType": "image/png", "filename": "plan.png",
            "body": {"attachmentId": f"{message}.2", "size": 5, "data": "iVBOR_8="},
        },
    ]  # fmt: skip
    assert office.do("wren", "get_thread", thread_id=message)["messages"][0]["payload"] == payload
    assert "parts" not in office.do("wren", "get_message", message_id=message, format="metadata")["payload"]


def test_what_is_forwarded_takes_its_files_along(office: Office) -> None:
    passed = office.do("wren", "forward", message_id=_sent(office), to=["ida@penny.test"])
    parts = office.do("wren", "get_message", message_id=passed["id"])["payload"]["parts"]

    assert [part["filename"] for part in parts] == ["", "rooms.csv", "plan.png"]
    assert f"gmail:wren.message/{passed['id']}.attachment/rooms.csv" in office.paths()
    assert office.do("wren", "reply", message_id=passed["id"], body="Thanks.")
    assert len(office.table("gmail_attachment")) == 4


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("has:attachment", True), ("-has:attachment", False), ("filename:csv", True), ("filename:plan.png", True),
        ("filename:rooms", True), ("filename:pdf", False),
    ],
)  # fmt: skip
def test_mail_is_found_by_its_files(query: str, found: bool, office: Office) -> None:
    _sent(office)
    office.carry("tell", "ida", key="story/other", to=("marcus",), subject="Plain", text="Nothing with it.")

    assert len(office.do("wren", "search", q=query)["messages"]) == found


def test_files_are_written_together_as_they_are_one_by_one(office: Office) -> None:
    intent = Intent("tell", "x/0", "ida", to=("marcus",), via="gmail", subject="Seats", text="See.", details=FILES)
    one_by_one = office.carry("tell", "ida", to=("marcus",), subject="Seats", text="See.", details=FILES)
    [together] = write_many(lambda at: office.call("ida"), [(office.now, intent)])

    rows = office.table("gmail_attachment", "id")
    assert [{**row, "message": 1} for row in rows[2:]] == [{**row, "message": 1} for row in rows[:2]]
    assert {row["message"] for row in rows} == {1, 2}
    assert [app_fields(office, path) for path in (one_by_one, together)] == [["rooms.csv", "plan.png"]] * 2


def app_fields(office: Office, path: str) -> object:
    [thing] = office.app.find(office.rows, path.removeprefix("gmail:"))
    return thing.fields["attachments"]
