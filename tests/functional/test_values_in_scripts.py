"""What scripts say by name: values that the world holds, in the form that somebody would write."""

import pytest

from brownout.core.values import JsonObject
from brownout.engine.world import World
from brownout.rollouts.named_facts import truth_of
from brownout.rollouts.script_language import OracleMismatch, fill


def said(world: World, text: str) -> str:
    with world.open_session("find-the-change") as session:
        return str(fill({"text": text}, {}, truth_of(session))["text"])


def test_a_moment_is_written_as_a_time_of_day_or_in_another_form(tiny: World) -> None:
    assert said(tiny, "at ${time:2026-03-24 09:05}") == "at 09:05"
    assert said(tiny, "am ${time:2026-03-24 09:05|%d.%m., %H.%M} Uhr") == "am 24.03., 09.05 Uhr"


def test_a_value_that_is_no_day_has_no_other_form(tiny: World) -> None:
    assert said(tiny, "${fact:hold-10}") == "10 minutes"
    with pytest.raises(OracleMismatch, match="only a day has a form"):
        said(tiny, "${fact:hold-10|%d.%m.}")


def test_a_form_is_handed_on_with_its_kind_and_name() -> None:
    asked: list[tuple[str, str, str]] = []

    def truth(kind: str, name: str, form: str) -> str:
        asked.append((kind, name, form))
        return "27.1."

    arguments: JsonObject = {"a": "since ${fact:day|%d.%m.}", "b": ["${time:outage.from}"]}
    assert fill(arguments, {}, truth) == {"a": "since 27.1.", "b": ["27.1."]}
    assert asked == [("fact", "day", "%d.%m."), ("time", "outage.from", "")]
