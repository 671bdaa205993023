"""Plays scripts through a taskset's own hooks and its tools, as an episode of the framework does, without a model."""
# mypy: disable-error-code="import-not-found"

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from uuid import uuid4

from brownout.core.values import JsonObject
from brownout.exporters.smoke_test import Play, Script
from brownout.exporters.verifiers.taskset import CompanyTask, RolloutState, call_tool, task_data

__all__ = ["play_hooks"]


def play_hooks(folder: Path) -> Play:
    """A player for an export."""

    async def play(script: Script) -> JsonObject:
        task = CompanyTask(task_data(folder, script.row))
        trace = cast(Any, SimpleNamespace(id=uuid4().hex, state=RolloutState(), info={}, last_reply=script.answer))
        await task.setup(trace, None)
        for call in script.calls:
            await call_tool(trace.state, call.name, call.arguments)
        await task.finalize(trace, None)
        report: JsonObject = trace.info["brownout"]
        return {**report, "reward": await task.reward(trace)}

    return play
