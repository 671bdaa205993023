"""Calls that no wire could carry, or that hold what no table could: an observation, and nothing else happens."""

import asyncio
from pathlib import Path
from typing import Any

import orjson
import pytest

from brownout.core.call_validation import admitted
from brownout.core.calls import ToolCall
from brownout.core.errors import SessionError
from brownout.core.trajectory import dump_event, load_event
from brownout.core.values import Json
from brownout.engine.session import Session
from brownout.engine.world import World
from brownout.rollouts.agent_options import AgentOptions
from brownout.rollouts.recorder import StoredRun
from brownout.rollouts.replay import replay
from brownout.rollouts.runner import Episode, run_episodes

TASK = "mend-the-help-page"


def nested(levels: int) -> Json:
    value: Json = 1
    for _ in range(levels):
        value = [value]
    return value


HOSTILE: dict[str, Any] = {
    "a number over 64 bits": {"number": 1 << 63},
    "a huge number": {"number": -(10**400)},
    "no number": {"number": float("nan")},
    "infinity": {"number": float("inf")},
    "deep lists": {"number": nested(300)},
    "very deep lists": {"number": nested(20_000)},
    "a name that is no text": {1: "x"},
    "bytes": {"number": b"x"},
    "too much": {"number": "x" * 5_000_000},
    "a list": ["number", 1],
    "nothing": None,
}


@pytest.mark.parametrize("arguments", HOSTILE.values(), ids=list(HOSTILE))
def test_what_cannot_be_stored_is_refused_and_recorded(tiny: World, arguments: Any) -> None:
    with tiny.open_session(TASK) as session:
        answer = session.call("github_get_pull", arguments)
        session.submit("x")

        assert answer.is_error
        assert "cannot be read" in answer.content
        assert replayed(tiny, session)


def test_texts_that_are_no_utf8_are_mended_wherever_they_stand(tiny: World) -> None:
    with tiny.open_session(TASK) as session:
        session.turn([ToolCall("to\ud800ol", {"te\udfffxt": ["\ud800"]}, "i\ud800d")])
        session.say("hello \ud800")
        session.submit("x")

        assert replayed(tiny, session)


def test_what_can_be_stored_is_left_as_it_is() -> None:
    call = ToolCall("a", {"n": 2**63 - 1, "t": "é", "l": [{"x": None, "y": 1.5}]}, "c")

    assert admitted(call) == call


def test_ids_of_the_sessions_own_making_are_free_ones(tiny: World) -> None:
    with tiny.open_session(TASK) as session:
        session.call("notices_list", {}, call_id="call-2")
        second = session.call("wait", {"minutes": 1})
        session.submit("x")

        assert second.call_id == "call-3"
        assert replayed(tiny, session)


def test_a_turn_of_no_calls_is_none(tiny: World) -> None:
    with tiny.open_session(TASK) as session:
        before = session.now

        assert session.turn([]) == []
        assert session.now == before


def test_an_answer_that_is_too_long_is_said_to_be(tiny: World) -> None:
    with tiny.open_session(TASK) as session:
        with pytest.raises(SessionError, match="not accepted"):
            session.submit("x" * 30_000)
        session.say("then in short")
        session.submit("x")

        assert session.ended == "submit"
        assert replayed(tiny, session)


def test_waiting_stops_at_the_tasks_world_time(tiny: World) -> None:
    with tiny.open_session(TASK) as session:
        session.call("wait", {"minutes": 1440, "until_notice": False})

        assert session.ended == "sim"
        assert session.now - session.task.start == session.task.limit_sim + session.task.settle


@pytest.mark.parametrize("ts", ["²", "1" * 5000, "1775.²", "1775.1.1", "-1.0", "٣.٤"])
def test_a_timestamp_that_is_none_is_an_observation(tiny: World, ts: str) -> None:
    with tiny.open_session(TASK) as session:
        assert session.call("slack_add_reaction", {"channel": "#ops", "timestamp": ts, "name": "eyes"}).is_error


def test_an_episode_that_breaks_does_not_take_the_others_along(
    tiny: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = Session.steps

    def broken(self: Session, calls: Any) -> Any:
        if self.seed == 1:
            raise OverflowError("too large")
        return steps(self, calls)

    monkeypatch.setattr(Session, "steps", broken)
    plan = [Episode(TASK, "oracle", seed, AgentOptions(), tmp_path / str(seed)) for seed in range(3)]
    results = asyncio.run(run_episodes(tiny, plan))

    assert [result.status for result in results] == ["ok", "env_error", "ok"]
    assert results[1].reward is None
    assert "OverflowError: too large" in str(results[1].failure)


def replayed(world: World, session: Session) -> bool:
    """Whether the session's events survive being stored, and come out the same again."""
    events = [load_event(dump_event(event)) for event in session.events]
    assert orjson.dumps(session.tools)
    report = replay(world, StoredRun(Path("nowhere"), None, events))
    assert report.matches, report.first_divergence
    return True
