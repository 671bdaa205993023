"""What a host does beside what its clients ask: room, idleness, and an environment that fails."""

from collections.abc import Callable

import pytest

from brownout.client import SessionClient
from brownout.client.errors import AtCapacity, EnvironmentFailed, SessionGone, SessionInUse
from brownout.client.requests import CallTool
from brownout.core.blocking_steps import BlockingSteps
from brownout.core.calls import ToolCall
from brownout.core.errors import SandboxError, StoreLost
from brownout.engine.session import Session
from brownout.engine.simulation import CallAnswer
from brownout.engine.world import World
from brownout.serve.host import Host
from tests.serve.scripts import TASK


class Watch:
    """A clock that stands still until it is told."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_session_that_nobody_asks_is_closed_and_one_that_is_used_stays(tiny: World) -> None:
    watch = Watch()
    host = Host(tiny, idle_seconds=60, clock=watch)
    client = SessionClient(host)
    client.create("idle", TASK)
    client.create("used", TASK)
    watch.now = 50
    client.state("used")
    watch.now = 61

    assert host.expire() == ["idle"]
    with pytest.raises(SessionGone, match="idle for more than 60 seconds"):
        client.create("idle", TASK)
    assert client.state("used").calls == 0
    assert (client.metrics().live, client.metrics().expired) == (1, 1)


def test_a_full_host_refuses_one_more_session_and_keeps_the_others(tiny: World) -> None:
    client = SessionClient(Host(tiny, capacity=1))
    opened = client.create("a", TASK)

    with pytest.raises(AtCapacity) as refused:
        client.create("b", TASK)
    with pytest.raises(AtCapacity):
        client.fork("a", "c")

    assert refused.value.retryable
    assert client.create("a", TASK) == opened
    client.close_session("a")
    assert client.create("b", TASK).task == TASK


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (SandboxError("no namespace"), "sandbox_failed"),
        (StoreLost("the file is gone"), "storage_failed"),
        (MemoryError("none"), "machine_failed"),
    ],
)
def test_an_environment_that_fails_ends_the_episode_without_a_reward(
    tiny: World, monkeypatch: pytest.MonkeyPatch, error: Exception, kind: str
) -> None:
    client = SessionClient(Host(tiny))
    client.create("a", TASK)
    client.create("b", TASK)

    def fail(*_: object) -> BlockingSteps[None]:
        yield from ()
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(Session, "steps", fail)
        with pytest.raises(EnvironmentFailed) as refused:
            client.call("a", "slack_list_channels", {}, call_id="c1")

    assert refused.value.failure_kind == kind
    grade = client.grade("a")
    assert (grade.reward, grade.failure_kind) == (None, kind)
    with pytest.raises(EnvironmentFailed):
        client.call("a", "slack_list_channels", {}, call_id="c1")
    assert not client.call("b", "slack_list_channels", {}).is_error
    assert client.metrics().failed == 1


def test_a_second_call_while_one_waits_outside_is_refused_and_changes_nothing(
    tiny: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = Host(tiny)
    client = SessionClient(host)
    client.create("a", TASK)
    within: list[Callable[[], object]] = []
    real = Session._ask

    def outside(session: Session, call: ToolCall) -> BlockingSteps[CallAnswer]:
        yield lambda: None
        return (yield from real(session, call))

    monkeypatch.setattr(Session, "_ask", outside)
    first = host.steps(CallTool(session_id="a", name="slack_list_channels", call_id="c1"))
    within.append(next(first))

    with pytest.raises(SessionInUse):
        client.call("a", "slack_list_channels", {}, call_id="c2")
    with pytest.raises(SessionInUse):
        client.state("a")

    with pytest.raises(StopIteration) as done:
        first.send(None)
    assert not done.value.value.is_error
    assert client.state("a").calls == 1
