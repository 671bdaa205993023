"""A model's ids: each call is made, whatever the model calls it."""

from brownout.core.calls import CallIds, ToolCall


def test_an_id_that_comes_again_is_another_call() -> None:
    ids = CallIds()
    names = [ids.own(ToolCall("wait", {}, name)).call_id for name in ("c0", "c1", "c0", "c0", "c0#2")]

    assert names == ["c0", "c1", "c0#2", "c0#3", "c0#2#2"]


def test_a_call_without_an_id_is_left_to_the_session() -> None:
    ids = CallIds()

    assert [ids.own(ToolCall("wait", {}, "")).call_id for _ in range(2)] == ["", ""]
