"""All mistakes in a request's arguments are told at once, with the names that were probably meant."""

from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from brownout.core.apps import Call
from brownout.core.arguments import meant, read_arguments
from brownout.core.call_validation import unreadable
from brownout.core.operations import Operations
from brownout.core.values import Json, JsonObject

operations = Operations("chat")


class Attachment(BaseModel):
    model_config = ConfigDict(extra="forbid")
    path: str
    kind: Literal["text", "image"] = "text"


@operations.read
def send(
    call: Call,
    channel: str,
    ts: str,
    count: Annotated[int, Field(ge=1)] = 1,
    state: Literal["open", "closed", "all"] = "open",
    files: list[Attachment] = [],  # noqa: B006 (a schema's default, never changed)
) -> Json:
    """Send."""
    return None


def told(**arguments: Json) -> str:
    operation = operations["chat_send"]
    found = read_arguments(operation.arguments, operation.schema, arguments)
    assert isinstance(found, str), found
    return found


def test_arguments_that_fit_are_read() -> None:
    operation = operations["chat_send"]
    given = read_arguments(operation.arguments, operation.schema, {"channel": "#a", "ts": "1"})
    assert not isinstance(given, str)
    assert given.__dict__ == {"channel": "#a", "ts": "1", "count": 1, "state": "open", "files": []}


def test_every_mistake_is_told_at_once() -> None:
    assert told(chanel="#a", count=0, state="opne") == (
        "no argument 'chanel'; did you mean 'channel'?; ts: Field required; "
        "count: Input should be greater than or equal to 1; "
        "state: Input should be 'open', 'closed' or 'all'; did you mean 'open'?"
    )


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"channel": "#a", "thread_ts": "1"}, "no argument 'thread_ts'; did you mean 'ts'?"),
        ({"channel": "#a", "when": "1"}, "no argument 'when'; did you mean 'ts'?"),
        (
            {"channel": "#a", "ts": "1", "colour": "blue"},
            "no argument 'colour'; expected one of: channel, ts, count, state, files",
        ),
        (
            {"channel": "#a", "ts": "1", "files": [{"pth": "a"}, {"path": "a", "kind": "txt"}]},
            "files.0: no argument 'pth'; did you mean 'path'?; files.1.kind: Input should be 'text' or 'image'; did you mean 'text'?",
        ),
    ],
)
def test_the_nearest_name_is_offered(given: JsonObject, expected: str) -> None:
    assert told(**given) == expected


def test_a_name_of_any_length_is_compared_and_shown_in_part_only() -> None:
    found = told(channel="#a", ts="1", **{"x" * 1_000_000: 1})
    assert found.startswith("no argument 'xxx")
    assert len(found) < 200


def test_no_more_than_eight_mistakes_are_told() -> None:
    names: JsonObject = {f"argument_{number}": number for number in range(12)}
    found = told(channel="#a", ts="1", **names)
    assert found.count("no argument") == 8
    assert found.endswith("; and 4 more")


def test_arguments_that_nobody_can_read_are_told_as_such() -> None:
    assert told(**unreadable("expected a JSON object")) == "The arguments cannot be read: expected a JSON object."


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("query", ["q", "max_results"], "q"),
        ("Dnoe", ["Done", "To Do"], "Done"),
        ("body", ["text", "channel"], ""),
        ("id", ["message_id", "format"], "message_id"),
        ("id", ["message_id", "thread_id"], ""),
    ],
)
def test_what_was_meant(name: str, known: list[str], expected: str) -> None:
    assert meant(name, known) == expected
