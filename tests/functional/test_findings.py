"""`record_findings` in a session: there where a task asks for it, refused with every mistake at once, kept as the session is."""

from collections.abc import Iterator

import orjson
import pytest

from brownout.core.values import JsonObject
from brownout.engine.session import Session
from brownout.engine.world import World
from brownout.rollouts.named_facts import truth_of
from brownout.rollouts.script_language import OracleMismatch, fill

TASK = "find-the-change"
RIGHT: JsonObject = {"cause": "'Simplify hold store'", "hold_time": "10 minutes"}


@pytest.fixture
def session(tiny: World) -> Iterator[Session]:
    with tiny.open_session(TASK) as opened:
        yield opened


def recorded(session: Session) -> dict[str, str]:
    return {name: text for name, (text, _) in session.end_state().findings.items()}


def test_the_tool_is_there_where_a_task_asks_for_findings(tiny: World) -> None:
    for task, is_asked in ((TASK, True), ("release-the-seats", False), ("mend-the-help-page", False)):
        with tiny.open_session(task) as session:
            assert ("record_findings" in [tool["name"] for tool in session.tools]) is is_asked
            refused = session.call("record_findings", RIGHT)
            assert ("unknown_tool" in refused.content) is not is_asked


def test_what_was_understood_is_answered_and_costs_a_call(session: Session) -> None:
    before = session.now
    found = session.call("record_findings", RIGHT)

    assert not found.is_error
    recorded_ = orjson.loads(found.body)["recorded"]
    assert recorded_["cause"] == RIGHT["cause"]
    assert set(recorded_) == {"cause", "hold_time"}
    assert session.now > before
    assert recorded(session) == RIGHT


def test_what_was_recorded_last_counts_field_by_field(session: Session) -> None:
    session.call("record_findings", {"cause": "unknown", "stuck": "126", "hold_time": "10 minutes"})
    session.call("record_findings", {"cause": "Simplify hold store"})

    assert recorded(session) == {"cause": "Simplify hold store", "stuck": "126", "hold_time": "10 minutes"}
    session.submit("done")
    passed = {line.criterion: line.passed for line in session.grade().ledger}
    assert (passed["hold"], passed["cause"]) == (True, True)


def test_nothing_of_a_refused_call_is_kept_and_every_mistake_is_named(session: Session) -> None:
    found = session.call(
        "record_findings", {"cause": "Simplify hold store", "hold_time": "10 or 15 minutes", "why": "x"}
    )

    assert found.is_error
    assert "hold_time: expected one value, found several; why: there is no such field" in found.content
    assert recorded(session) == {}


def test_findings_are_of_the_session_and_come_back_with_it(session: Session) -> None:
    session.call("record_findings", RIGHT)
    with session.fork() as other:
        assert recorded(other) == RIGHT
        other.call("record_findings", {"hold_time": "15 minutes"})
        assert recorded(other)["hold_time"] == "15 minutes"
    assert recorded(session) == RIGHT

    session.reset()
    assert recorded(session) == {}


def test_a_session_that_is_played_again_records_the_same(tiny: World) -> None:
    calls: list[JsonObject] = [RIGHT, {"cause": "?"}]

    def played() -> tuple[str, dict[str, str]]:
        with tiny.open_session(TASK, seed=3) as session:
            answers = [session.call("record_findings", arguments).content for arguments in calls]
            return "".join(answers), recorded(session)

    assert played() == played()


def test_a_script_names_facts_and_moments_by_name(session: Session) -> None:
    truth = truth_of(session)
    written: JsonObject = {
        "a": "${fact:hold-10}, $x",
        "b": ["${fact:slow-evening}"],
        "c": {"d": "${time:rds-evening.from}"},
    }

    assert fill(written, {"x": "y"}, truth) == {"a": "10 minutes, y", "b": ["19:10"], "c": {"d": "19:10"}}
    for unknown in ("${fact:hold-11}", "${time:moon.from}"):
        with pytest.raises(OracleMismatch):
            fill({"a": unknown}, {}, truth)
