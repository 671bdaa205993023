"""Many intents at once by their handlers: names within a batch, and what is refused."""

from contextlib import nullcontext
from types import SimpleNamespace
from typing import cast

from brownout.core.apps import Call, Intent
from brownout.core.instants import Instant
from tools.intent_batches import writes_many


def _call_at(at: Instant) -> Call:
    return cast(Call, SimpleNamespace(now=at, rows=SimpleNamespace(savepoint=nullcontext)))


def _open(call: Call, intent: Intent) -> str:
    if not intent.subject:
        raise LookupError("nothing to open")
    return f"tracker:{intent.subject}@{call.now}"


def _comment(call: Call, intent: Intent) -> str:
    if not intent.thing.startswith("tracker:"):
        raise LookupError(f"no thing is called {intent.thing}")
    return f"{intent.thing}/comment"


def test_a_thing_of_the_same_batch_goes_by_its_path() -> None:
    role = writes_many({"open": _open, "comment": _comment}, lambda call, intent, people: True)
    deeds = [(5, Intent("open", "a", "ida", subject="A-1")), (9, Intent("comment", "b", "ida", thing="a"))]

    assert role.write(_call_at, deeds) == ["tracker:A-1@5", "tracker:A-1@5/comment"]


def test_what_is_refused_has_no_path_and_neither_has_what_goes_on_with_it() -> None:
    role = writes_many({"open": _open, "comment": _comment}, lambda call, intent, people: True)
    deeds = [
        (1, Intent("open", "a", "ida")),
        (2, Intent("comment", "b", "ida", thing="a")),
        (3, Intent("comment", "c", "ida", thing="elsewhere")),
        (4, Intent("open", "d", "ida", subject="A-2")),
    ]

    assert role.write(_call_at, deeds) == ["", "", "", "tracker:A-2@4"]
