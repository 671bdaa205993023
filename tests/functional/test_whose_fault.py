"""Who pays for what goes wrong: null is for our faults alone, and no arguments can bring one about."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from brownout.core.apps import OutsideWork
from brownout.core.calls import Observation, ToolCall
from brownout.core.errors import (
    BeyondLimits,
    ModelError,
    RunError,
    SandboxError,
    SandboxUnavailable,
    SessionBusy,
    StoreError,
    StoreLost,
)
from brownout.core.trajectory import DefectEvent, dump_event, load_event
from brownout.engine.session import Session
from brownout.engine.world import World
from brownout.rollouts.agent_options import AgentOptions
from brownout.rollouts.agents import OracleAgent
from brownout.rollouts.recorder import RunResult
from brownout.rollouts.runner import Episode, run_episodes

TASK = "mend-the-help-page"
OURS = [
    SandboxError("the sandbox ended"),
    SandboxUnavailable("no bubblewrap"),
    StoreLost("the transaction was ended"),
    ModelError("the endpoint hangs"),
    RunError("the disk is full"),
    MemoryError(),
    OSError(28, "No space left on device"),
]
"""What no arguments bring about: the reward is null."""
FOUND = [
    ValueError("a month of 13"),
    OverflowError("too large"),
    RecursionError(),
    KeyError("x"),
    AssertionError(),
    StoreError("a constraint is broken"),
    OSError(36, "File name too long"),
    UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed"),
]
"""What an operation fails at because of what it was given: an observation."""


@contextmanager
def broken(world: World, name: str, fail: Callable[..., Any]) -> Iterator[None]:
    operation = world.setting.operations[name]
    run = operation.run
    object.__setattr__(operation, "run", fail)
    try:
        yield
    finally:
        object.__setattr__(operation, "run", run)


def raising(error: BaseException) -> Callable[..., Any]:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


@pytest.mark.parametrize("error", OURS, ids=lambda error: type(error).__name__)
def test_what_the_environment_fails_at_leaves_the_reward_null(tiny: World, tmp_path: Path, error: Exception) -> None:
    with broken(tiny, tiny.package.oracle(TASK)[0].call, raising(error)):
        result = played(tiny, tmp_path)

    assert result.reward is None
    assert result.status in ("env_error", "agent_error")
    assert result.failure_kind in (
        "sandbox_failed",
        "sandbox_unavailable",
        "storage_failed",
        "machine_failed",
        "model_failed",
        "defect",
    )
    assert str(result.failure).lower().replace("_", "").startswith(type(error).__name__.lower())


@pytest.mark.parametrize("error", FOUND, ids=lambda error: type(error).__name__)
def test_what_an_operation_fails_at_leaves_a_reward_and_a_note(tiny: World, tmp_path: Path, error: Exception) -> None:
    name = tiny.package.oracle(TASK)[0].call

    async def goes_on(self: OracleAgent, session: Session) -> None:
        session.call(name, dict(tiny.package.oracle(TASK)[0].arguments))
        session.submit("x")

    with broken(tiny, name, raising(error)), pytest.MonkeyPatch.context() as patch:
        patch.setattr(OracleAgent, "play", goes_on)
        result = played(tiny, tmp_path)

    assert isinstance(result.reward, float)
    assert result.status == "ok"
    assert any(f"a mistake of ours in {name}: {type(error).__name__}" in note for note in result.defects)


@pytest.mark.parametrize("error", FOUND, ids=lambda error: type(error).__name__)
def test_what_an_operation_fails_at_is_an_observation_that_we_see(tiny: World, error: Exception) -> None:
    with tiny.open_session(TASK) as session:
        with broken(tiny, "slack_list_channels", raising(error)):
            answer = session.call("slack_list_channels", {})
        session.submit("x")
        grade = session.grade()

        assert answer.is_error
        assert answer.structured == {
            "ok": False,
            "error": "service_unavailable",
            "response_metadata": {"messages": ["Slack is experiencing an outage."]},
        }
        assert isinstance(grade.reward, float)
        defect = next(event for event in session.events if isinstance(event, DefectEvent))
        assert session.simulation.defects == [defect]
        assert defect.where == "slack_list_channels"
        assert defect.error.startswith(type(error).__name__)
        assert any("simulation.py" in line for line in defect.trace)
        assert load_event(dump_event(defect)) == defect


def test_what_a_failing_operation_wrote_is_taken_back(tiny: World) -> None:
    run = tiny.setting.operations["slack_send_message"].run

    def writes_and_fails(*given: object, **named: object) -> None:
        run(*given, **named)
        raise ValueError("afterwards")

    with tiny.open_session(TASK) as session:
        with broken(tiny, "slack_send_message", writes_and_fails):
            answer = session.call("slack_send_message", {"channel": "#ops", "text": "hello"})

        assert answer.is_error
        assert answer.effects == ()
        assert "hello" not in session.call("slack_read_channel", {"channel": "#ops"}).content


def test_what_is_beyond_limits_is_refused_in_the_vendors_words_and_is_no_mistake_of_ours(tiny: World) -> None:
    with tiny.open_session(TASK) as session:
        with broken(tiny, "github_get_pull", raising(BeyondLimits("that is too much"))):
            answer = session.call("github_get_pull", {"repo": "boxoffice", "number": 1})

        assert answer.is_error
        assert answer.structured["message"] == "Invalid request.\n\nthat is too much"  # type: ignore[index,call-overload]
        assert session.simulation.defects == []


def test_a_coworker_whose_code_fails_does_not_end_the_episode(tiny: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with tiny.open_session(TASK) as session:
        handlers = dict(session.simulation.handlers)
        session.simulation.handlers = {kind: raising(ValueError(kind)) for kind in handlers}
        session.call("wait", {"minutes": 600, "until_notice": False})

        assert session.simulation.defects
        assert session.simulation.defects[0].error.startswith("ValueError")


def test_a_second_thread_is_told_that_the_session_is_busy(tiny: World) -> None:
    entered, go_on = threading.Event(), threading.Event()
    run = tiny.setting.operations["slack_list_channels"].run

    def slow(*given: object, **named: object) -> object:
        entered.set()
        assert go_on.wait(30)
        return run(*given, **named)

    found: list[Observation] = []
    with tiny.open_session(TASK) as session, broken(tiny, "slack_list_channels", slow):
        thread = threading.Thread(target=lambda: found.append(session.call("slack_list_channels", {})))
        thread.start()
        assert entered.wait(30)
        for ask in asked_of(session):
            with pytest.raises(SessionBusy, match="fork"):
                ask()
        go_on.set()
        thread.join()

        assert not found[0].is_error
        assert session.call("notices_list", {}).call_id == "call-2"
        assert session.submit("x") is None  # type: ignore[func-returns-value]


def asked_of(session: Session) -> list[Callable[[], object]]:
    return [
        lambda: session.call("notices_list", {}),
        lambda: session.say("hello"),
        lambda: session.stop("done"),
        session.fork,
        session.reset,
        session.digest,
        session.diff,
        lambda: session.notices,
    ]


def test_a_second_task_is_told_while_work_outside_goes_on(tiny: World) -> None:
    def outside(*_: object, **__: object) -> OutsideWork:
        return OutsideWork(lambda: None, lambda call, done: {"ok": True})

    with tiny.open_session(TASK) as session, broken(tiny, "slack_list_channels", outside):
        steps = session.steps([ToolCall("slack_list_channels", {}, "a")])
        work = next(steps)
        with pytest.raises(SessionBusy):
            session.call("notices_list", {})
        with pytest.raises(StopIteration) as done:
            steps.send(work())

        assert done.value.value[0].structured == {"ok": True}
        assert not session.call("notices_list", {}).is_error


def test_work_that_was_given_up_leaves_the_session_free(tiny: World) -> None:
    with tiny.open_session(TASK) as session:
        steps = session.steps([ToolCall("notices_list", {}, "a")])
        steps.close()

        assert not session.call("notices_list", {}).is_error


def played(world: World, folder: Path) -> RunResult:
    return asyncio.run(run_episodes(world, [Episode(TASK, "oracle", 0, AgentOptions(), folder / "run")]))[0]
