"""A world as a taskset: sessions live in one server that each worker of the framework starts, under the ids of its traces.

The tool server is another process. It gets the session's address and its token, which grades nothing.
"""
# mypy: disable-error-code="import-not-found,misc,untyped-decorator"

import asyncio
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, cast
from uuid import uuid4

import verifiers.v1 as vf
from mcp.server.mcpserver import Context, MCPServer
from mcp.types import CallToolResult, TextContent, Tool
from pydantic import Field

from brownout.client import SessionClient
from brownout.client.requests import CallTool, CreateSession
from brownout.core.errors import GradingError, PackageError
from brownout.core.values import JsonObject
from brownout.exporters.export_request import ExportRow
from brownout.exporters.inside.local_server import LocalServer, client_of, graded
from brownout.exporters.inside.opened_export import open_export
from brownout.exporters.smoke_test import Script, solution

__all__ = ["CompanyConfig", "CompanyTask", "CompanyTaskset", "CompanyToolset", "RolloutState", "call_tool"]

_REPORT = "brownout"
_lock = threading.Lock()


class RolloutState(vf.State):
    """What the tool server knows of a rollout."""

    base_url: str = ""
    session_id: str = ""
    token: str = ""
    tools: list[dict[str, Any]] = Field(default_factory=list)


class CompanyData(vf.TaskData):
    """A row of the export, and where that lies."""

    row: ExportRow
    folder: str


class CompanyConfig(vf.TasksetConfig):
    """Which rows are loaded, and where the tools are served.

    Attributes:
        split: of the rows; every one where none is named.
    """

    split: str = ""
    tools: vf.SharedToolsetConfig = vf.SharedToolsetConfig()
    task: vf.TaskConfig = vf.TaskConfig()


class CompanyToolset(vf.Toolset[vf.SharedToolsetConfig, RolloutState]):
    """The tools of whichever session calls: each task offers its own."""

    TOOL_PREFIX = None

    def register(self, mcp: MCPServer) -> None:
        """Answer for the tools ourselves, for they differ from rollout to rollout."""
        server = cast(Any, mcp)
        server.list_tools = self._with_state(self.list_tools)
        server.call_tool = self._with_state(self.call_tool)

    async def list_tools(self) -> list[Tool]:
        """The tools of the rollout's session."""
        return [Tool.model_validate(tool) for tool in self.state.tools]

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Context | None = None) -> CallToolResult:
        """Make a call, a turn of its own."""
        content, is_error = await call_tool(self.state, name, arguments)
        return CallToolResult(content=[TextContent(type="text", text=content)], is_error=is_error)


async def call_tool(state: RolloutState, name: str, arguments: JsonObject) -> tuple[str, bool]:
    """What a call is answered, and whether that is an error."""
    client = _agents_client(state.base_url, state.token)
    answer = await client.ask(CallTool(session_id=state.session_id, name=name, arguments=arguments, call_id=""))
    return answer.content, answer.is_error


@cache
def _agents_client(base_url: str, token: str) -> SessionClient:
    return client_of(base_url, token)


class CompanyTask(vf.Task[CompanyData, RolloutState, vf.TaskConfig]):
    """One row: a session is opened, the agent works, its last words are said, it is graded."""

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Open the session under the trace's id."""
        server, row = _server(self.data.folder), self.data.row
        opened = await server.client.ask(CreateSession(session_id=trace.id, task=row.task, seed=row.seed))
        trace.state.base_url = server.base_url
        trace.state.session_id = trace.id
        trace.state.token = opened.token
        trace.state.tools = [tool.model_dump() for tool in opened.tools]

    async def finalize(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Grade, and put the whole report into the trace's `info`."""
        grade = await graded(_server(self.data.folder).client, trace.id, trace.last_reply)
        trace.info[_REPORT] = grade.document()

    @vf.reward(weight=1.0)
    async def reward(self, trace: vf.Trace) -> float:
        """Points earned over points possible.

        Raises:
            GradingError: the environment is at fault; there is no reward then, rather than 0.
        """
        report = trace.info[_REPORT]
        if report["reward"] is None:
            raise GradingError(f"the reward is null: {report['failure']}", report["failure_kind"])
        return float(report["reward"])

    @vf.metric
    async def criteria(self, trace: vf.Trace) -> dict[str, float]:
        """The value of each criterion."""
        return dict(trace.info[_REPORT]["components"])

    async def validate(self, runtime: vf.Runtime) -> bool | None:
        """Whether the reference solution earns everything; None where it is not on this machine."""
        try:
            script = await asyncio.to_thread(_solution, self.data.folder, self.data.row)
        except PackageError:
            return None
        client, key = _server(self.data.folder).client, f"validate-{uuid4().hex}"
        await client.ask(CreateSession(session_id=key, task=self.data.row.task, seed=self.data.row.seed))
        for call in script.calls:
            await client.ask(CallTool(session_id=key, name=call.name, arguments=call.arguments, call_id=""))
        return (await graded(client, key, "")).reward == 1.0


class CompanyTaskset(vf.Taskset[CompanyTask, CompanyConfig]):
    """The rows of an export.

    Attributes:
        folder: of the export's Python package.
    """

    folder: ClassVar[Path]

    @classmethod
    def toolsets(cls, config: CompanyConfig) -> list[vf.Toolset]:
        """One tool server for all rollouts of a worker."""
        return [CompanyToolset(config.tools)]

    def load(self) -> Iterator[CompanyTask]:
        """The tasks, in the rows' order."""
        with open_export(self.folder, hot=2) as world:
            rows = world.rows
        for row in rows:
            if row.split == self.config.split or not self.config.split:
                yield CompanyTask(task_data(self.folder, row), self.config.task)


def task_data(folder: Path, row: ExportRow) -> CompanyData:
    """A row as the framework's data."""
    return CompanyData(id=row.id, name=row.id, prompt=row.prompt, row=row, folder=str(folder))


def _server(folder: str) -> LocalServer:
    """The one server of this process for an export."""
    with _lock:
        return _started(folder)


@cache
def _started(folder: str) -> LocalServer:
    return LocalServer(Path(folder) / "world")


@cache
def _solution(folder: str, row: ExportRow) -> Script:
    with open_export(folder, hot=2) as world:
        return solution(world, row)


if __name__ == "__main__":
    CompanyToolset.run()
