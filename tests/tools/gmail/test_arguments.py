"""What an agent may type: nothing reaches the store that it cannot hold."""

from typing import Any

import pytest
from pydantic import ValidationError

from tests.tools.gmail.office import Office, refused
from tests.tools.gmail.test_mail import bad
from tools.gmail import app
from tools.page_cursors import encode_cursor

TEXTS = [
    (name, field, schema)
    for name, operation in app.operations.items()
    for field, schema in operation.schema["properties"].items()  # type: ignore[union-attr]
    if "string" in str(schema) and "enum" not in str(schema)
]


@pytest.mark.parametrize(("operation", "field", "schema"), TEXTS)
def test_half_a_character_is_refused_wherever_text_is_taken(operation: str, field: str, schema: Any) -> None:
    value: object = ["\ud800"] if schema.get("type") == "array" else "\ud800"
    with pytest.raises(ValidationError, match="unicode"):
        app.operations[operation].arguments.model_validate({field: value})


@pytest.mark.parametrize("position", [-1, 1 << 62, 10**40])
def test_a_token_that_was_made_up_is_refused(office: Office, position: int) -> None:
    message, thread = encode_cursor("message", position), encode_cursor("thread", position)

    assert refused(office, "wren", "search", page_token=message) == bad("Invalid pageToken")
    assert refused(office, "wren", "list_threads", page_token=thread) == bad("Invalid pageToken")
    assert refused(office, "wren", "search", page_token=encode_cursor("thread", 1)) == bad("Invalid pageToken")


@pytest.mark.parametrize("text", ["\0", "a\0b", "'; DROP TABLE gmail_copy; --", "%s{0}", "<script>", "‮"])
def test_odd_text_is_kept_as_it_is(office: Office, text: str) -> None:
    sent = office.do("wren", "send", to=["ida@penny.test"], subject=text, body=text)
    found = office.do("ida", "search")["messages"][0]
    shown = office.do("ida", "get_message", message_id=found["id"])

    assert shown["payload"]["body"]["data"] == text
    assert office.do("wren", "get_thread", thread_id=sent["threadId"])["messages"][0]["snippet"] == text
