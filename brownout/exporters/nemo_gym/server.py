"""A world as a resources server: its sessions live in a session server that it starts, under the ids of its cookies.

Agents carry the cookie, post to `/TOOL`, and get the very text that a model reads. `verify` says an agent's last words to
the person who asked, and grades.
"""
# mypy: disable-error-code="import-not-found,misc"

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Final, TypeVar

import orjson
from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import PlainTextResponse
from nemo_gym.base_resources_server import (
    BaseMultiRewardVerifyResponse,
    BaseResourcesServerConfig,
    BaseSeedSessionRequest,
    BaseSeedSessionResponse,
    BaseVerifyRequest,
    ResourcesCloseSessionRequest,
    ResourcesCloseSessionResponse,
    ResourcesSeedSessionRequest,
    ResourcesSeedSessionResponse,
    ReverifyMode,
    SimpleResourcesServer,
)
from nemo_gym.server_utils import SESSION_ID_KEY
from pydantic import BaseModel, ConfigDict, PrivateAttr, ValidationError, field_validator

from brownout.client.answers import GradeAnswer
from brownout.client.errors import RequestRefused, SessionGone
from brownout.client.requests import CallTool, CloseSession, CreateSession, SessionRequest
from brownout.core.call_validation import NO_OBJECT, unreadable
from brownout.core.errors import Failure, FailureKind
from brownout.core.values import JsonObject
from brownout.exporters.inside.local_server import LocalServer, graded
from brownout.exporters.inside.opened_export import open_export

__all__ = ["CompanyServer", "CompanyServerConfig", "CompanyVerifyRequest"]

A = TypeVar("A", bound=BaseModel)

_KEPT: Final = 4096
"""Grades that are kept for agents who ask again because an answer was lost."""

_KINDS: Final[Mapping[FailureKind, str]] = {
    "model_failed": "judge_failed",
    "model_unavailable": "judge_failed",
    "sandbox_failed": "provider_unavailable",
    "sandbox_unavailable": "provider_unavailable",
    "session_gone": "session_expired",
    "session_lost": "session_lost",
    "unreachable": "transport_unreachable",
}
"""What our failures are called in NeMo Gym's vocabulary; any other is the verifier's."""


class CompanyServerConfig(BaseResourcesServerConfig):
    """Settings of the server."""

    REVERIFY_MODE: ClassVar[ReverifyMode] = ReverifyMode.UNSUPPORTED

    @field_validator("num_workers")
    @classmethod
    def _one_process(cls, value: int | None) -> int | None:
        if value not in (None, 1):
            raise ValueError("expected num_workers 1: one process knows all cookies, and its sessions use all cores")
        return value


class CompanySeed(BaseSeedSessionRequest):
    """What a row asks for."""

    model_config = ConfigDict(extra="ignore")

    task: str
    seed: int = 0


class CompanyVerifyRequest(BaseVerifyRequest):
    """What an agent made of a row; the row's own fields come back with the verdict."""

    model_config = ConfigDict(extra="allow")


class CompanyVerifyResponse(BaseMultiRewardVerifyResponse):
    """The verdict, with `criteria/NAME` for each criterion's value, and the whole report in `brownout`."""

    model_config = ConfigDict(extra="allow")

    resolved: bool
    brownout: dict[str, Any]


class CompanyServer(SimpleResourcesServer):
    """The resources server of an export.

    Attributes:
        folder: of the export's Python package.
    """

    ray_enabled: ClassVar[bool | None] = False
    folder: ClassVar[Path]
    config: CompanyServerConfig
    _server: LocalServer = PrivateAttr()
    _tools: dict[str, list[JsonObject]] = PrivateAttr()
    _grades: OrderedDict[str, asyncio.Task[GradeAnswer]] = PrivateAttr(default_factory=OrderedDict)

    def setup_webserver(self) -> FastAPI:
        """The app. Tools differ from task to task, so one route takes every name, and the session says what there is."""
        with open_export(self.folder, hot=2) as world:
            self._tools = {row.task: world.tools(row.task) for row in world.rows}
        self._server = LocalServer(self.folder / "world")
        app = super().setup_webserver()
        app.post("/{tool}")(self.call)
        return app

    async def seed_session(
        self, request: Request, body: ResourcesSeedSessionRequest | CompanySeed
    ) -> ResourcesSeedSessionResponse | BaseSeedSessionResponse:
        """Open the row's session, under the id that an environment server chose, or else the cookie's own."""
        if not isinstance(body, ResourcesSeedSessionRequest):
            await self._open(request.session[SESSION_ID_KEY], body)
            return BaseSeedSessionResponse()
        await self._open(body.resources_session_id, _seed_of(body.task_data))
        request.session[SESSION_ID_KEY] = body.resources_session_id
        return ResourcesSeedSessionResponse(resources_session_id=body.resources_session_id)

    async def call(self, tool: str, request: Request) -> PlainTextResponse:
        """Make a call, a turn of its own; what is wrong with it is its answer."""
        try:
            given = orjson.loads(await request.body())
        except orjson.JSONDecodeError:
            given = None
        arguments = given if isinstance(given, dict) else unreadable(NO_OBJECT)
        key = request.session[SESSION_ID_KEY]
        answer = await self._ask(CallTool(session_id=key, name=tool, arguments=arguments))
        return PlainTextResponse(answer.content)

    async def verify(self, request: Request, body: CompanyVerifyRequest) -> CompanyVerifyResponse:
        """The verdict; where the environment is at fault the sample is masked, and its reward of 0 means nothing."""
        try:
            grade = await self._graded(request.session[SESSION_ID_KEY], _last_words(body.response.output))
        except RequestRefused as error:
            if not (error.is_environments or isinstance(error, SessionGone)):
                raise _refused(error) from error
            return _masked(body, Failure.of(error))
        if grade.reward is None:
            return _masked(body, Failure(grade.failure_kind or "defect", grade.failure))
        return _verdict(body, grade)

    async def close_resources_session(self, body: ResourcesCloseSessionRequest) -> ResourcesCloseSessionResponse:
        """Close a session for good; harmless where it is closed, or was never there."""
        await self._ask(CloseSession(session_id=body.resources_session_id))
        self._grades.pop(body.resources_session_id, None)
        return ResourcesCloseSessionResponse(resources_session_id=body.resources_session_id)

    def mcp_tools(self, harvested: list[Any], catchall: Any) -> list[Any]:
        """Every tool that some task offers; each session is told of its own."""
        known = {tool["name"]: tool for tools in self._tools.values() for tool in tools}
        return [catchall.tool(name, tool["input_schema"], tool["description"]) for name, tool in known.items()]

    def mcp_allowed_tools_for_session(self, seed_body: JsonObject) -> list[str] | None:
        """The names of the tools that a row's task offers."""
        return [str(tool["name"]) for tool in self._tools.get(str(seed_body.get("task")), [])]

    async def _open(self, key: str, row: CompanySeed) -> None:
        try:
            asked = CreateSession(session_id=key, task=row.task, seed=row.seed)
        except ValidationError as error:
            raise HTTPException(422, str(error)) from error
        await self._ask(asked)

    async def _graded(self, key: str, said: str) -> GradeAnswer:
        """The grade of a session, which is then closed; asked again, the same."""
        if key not in self._grades:
            self._grades[key] = asyncio.create_task(graded(self._server.client, key, said))
            while len(self._grades) > _KEPT:
                self._grades.popitem(last=False)
        return await asyncio.shield(self._grades[key])

    async def _ask(self, request: SessionRequest[A]) -> A:
        try:
            return await self._server.client.ask(request)
        except RequestRefused as error:
            raise _refused(error) from error


def _seed_of(task_data: JsonObject) -> CompanySeed:
    try:
        row: CompanySeed = CompanySeed.model_validate(task_data)
    except ValidationError as error:
        raise HTTPException(422, str(error)) from error
    return row


def _refused(error: RequestRefused) -> HTTPException:
    return HTTPException(error.status or 503, str(error))


def _last_words(output: list[Any]) -> str:
    """What an agent said at the end; empty where its last act was something else."""
    last = output[-1] if output else None
    if last is None or last.type != "message" or last.role != "assistant":
        return ""
    return "".join(part.text for part in last.content if part.type == "output_text")


def _verdict(body: CompanyVerifyRequest, grade: GradeAnswer) -> CompanyVerifyResponse:
    measured: dict[str, Any] = {
        "reward": grade.reward,
        "reward_components": {"points": grade.points / grade.possible if grade.possible else 0.0},
        "resolved": grade.resolved,
        **{f"criteria/{name}": value for name, value in grade.components.items()},
        "brownout": grade.document(),
    }
    return CompanyVerifyResponse(**{**body.model_dump(), **measured})


def _masked(body: CompanyVerifyRequest, failure: Failure) -> CompanyVerifyResponse:
    """The answer where nothing was measured, for the environment is at fault."""
    masked: dict[str, Any] = {
        "reward": 0.0,
        "mask_sample": True,
        "failure_kind": _KINDS.get(failure.kind, "verifier_error"),
        "failure_reason": failure.reason,
        "reward_components": {"points": 0.0},
        "resolved": False,
        "brownout": {"failure": failure.reason, "failure_kind": failure.kind},
    }
    return CompanyVerifyResponse(**{**body.model_dump(), **masked})
