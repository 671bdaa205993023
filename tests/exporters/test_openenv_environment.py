"""OpenEnv's environment without OpenEnv, whose few classes stand here: what it says where the machine is at fault."""

import asyncio
import errno
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from brownout.core.errors import SandboxError, SandboxUnavailable, StoreLost
from brownout.engine.session import Session
from brownout.exporters.inside.opened_export import open_export
from brownout.sandbox.launch import BUBBLEWRAP

ADAPTER = "brownout.exporters.openenv.environment"
TASK = "find-the-change"


class Shown(BaseModel):
    """An action, an observation, a state: whatever has these fields."""

    model_config = ConfigDict(extra="allow")
    done: bool = False
    reward: float | None = None
    metadata: dict[str, Any] = {}
    step_count: int = 0


class Framework:
    """What environments are."""


@pytest.fixture
def environment(exported: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    classes: dict[str, dict[str, object]] = {
        "http_server": {"create_app": lambda make, *_, **__: make()},
        "interfaces": {"Environment": Framework},
        "mcp_types": {"CallToolObservation": Shown, "ListToolsObservation": Shown, "Tool": Shown},
        "types": {"Action": Shown, "Observation": Shown, "State": Shown},
    }
    for name in ("openenv", "openenv.core", "openenv.core.env_server"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    for name, found in classes.items():
        module = ModuleType(name)
        module.__dict__.update(found)
        monkeypatch.setitem(sys.modules, f"openenv.core.env_server.{name}", module)
    monkeypatch.delitem(sys.modules, ADAPTER, raising=False)
    adapter = import_module(ADAPTER)
    with open_export(exported / "brownout_tiny") as world:
        found = adapter.company_app(world, "tiny")
        found.action = adapter.CompanyAction
        yield found
    sys.modules.pop(ADAPTER, None)


def test_a_task_that_needs_a_sandbox_is_refused_at_its_reset_where_there_is_none(
    environment: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(BUBBLEWRAP, str(tmp_path / "bwrap"))

    with pytest.raises(SandboxUnavailable, match=r"release-the-seats runs code .*apt-get install bubblewrap"):
        asyncio.run(environment.reset_async(task="release-the-seats"))
    assert asyncio.run(environment.reset_async(task=TASK)).metadata["tools"]


@pytest.mark.parametrize(
    "action",
    [
        {"type": "call_tool", "tool_name": "submit", "arguments": {"answer": "x"}},
        {"calls": [{"name": "submit"}]},
        {"text": "Done."},
    ],
)
@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (SandboxError("bubblewrap failed"), "sandbox_failed"),
        (StoreLost("gone"), "storage_failed"),
        (OSError(errno.EMFILE, "Too many open files"), "machine_failed"),
    ],
)
def test_a_step_that_the_machine_fails_at_is_the_last_one_and_says_why(
    error: Exception, kind: str, action: dict[str, Any], environment: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    async def play() -> list[Any]:
        await environment.reset_async(task=TASK)
        monkeypatch.setattr(Session, "steps", fail)
        monkeypatch.setattr(Session, "say", fail)
        return [await environment.step_async(environment.action(**action)) for _ in range(2)]

    for found in asyncio.run(play()):
        assert (found.done, found.reward) == (True, None)
        assert found.metadata["failure_kind"] == kind
        assert str(error) in found.metadata["failure"]
    assert environment.state.ended == "env_error"


def test_an_error_of_ours_is_no_end(environment: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    async def play() -> None:
        await environment.reset_async(task=TASK)
        monkeypatch.setattr(Session, "say", fail)
        await environment.step_async(environment.action(text="Hello."))

    with pytest.raises(ZeroDivisionError):
        asyncio.run(play())


def test_the_step_that_ends_an_episode_has_its_reward(environment: Any) -> None:
    async def play() -> Any:
        await environment.reset_async(task=TASK)
        return await environment.step_async(
            environment.action(calls=[{"name": "submit", "arguments": {"answer": "x"}}])
        )

    found = asyncio.run(play())
    assert (found.done, found.reward) == (True, 0.0)
    assert found.metadata["ledger"]
