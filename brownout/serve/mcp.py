"""The Model Context Protocol for one session: JSON-RPC in, JSON-RPC out, nothing kept between two messages.

Both ways of beginning are answered: `initialize` of the revisions up to 2025-11-25, and the requests of 2026-07-28 that
carry their revision themselves. Whatever the tools answer is a result; an error is what no tool answered.
"""

from dataclasses import dataclass
from typing import Final, cast

import orjson

from brownout.client.answers import SessionOpened, ToolAnswer
from brownout.client.errors import BadRequest, EpisodeEnded, RequestRefused
from brownout.client.requests import CallTool, request_of
from brownout.core.blocking_steps import BlockingSteps
from brownout.core.values import Json, JsonObject
from brownout.serve.host import Host

__all__ = ["RpcAnswer", "mcp_steps"]

_HANDSHAKES: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
_STATELESS: Final = "2026-07-28"
_VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
_SERVER_KEY: Final = "io.modelcontextprotocol/serverInfo"
_CALL_ID_KEY: Final = "brownout/callId"
_PARSE, _INVALID, _NO_METHOD, _PARAMS, _OURS, _NO_VERSION, _REFUSED = (
    -32700, -32600, -32601, -32602, -32603, -32022, -32000,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RpcAnswer:
    """What is answered to a message.

    Attributes:
        status: of the HTTP answer.
        body: JSON; empty where a notification is acknowledged.
    """

    status: int
    body: bytes


class _RpcError(Exception):
    def __init__(self, code: int, message: str, data: Json = None, status: int = 200) -> None:
        super().__init__(message)
        self.code, self.data, self.status = code, data, status


def mcp_steps(host: Host, session_id: str, body: bytes) -> BlockingSteps[RpcAnswer]:
    """The answer to one message of a client of a session."""
    number: Json = None
    try:
        message = _message(body)
        if "id" not in message:
            host.opened(session_id)
            return RpcAnswer(202, b"")
        number = message["id"]
        result = yield from _result(host, session_id, message)
    except _RpcError as error:
        told: JsonObject = {"code": error.code, "message": str(error)}
        told |= {"data": error.data} if error.data is not None else {}
        return _rpc(number, error.status, error=told)
    except RequestRefused as error:
        status = error.status if error.status in (404, 409, 410) else 200
        data: JsonObject = {"code": error.code, "retryable": error.retryable}
        code = _PARAMS if isinstance(error, BadRequest) else _REFUSED
        return _rpc(number, status, error={"code": code, "message": str(error), "data": data})
    return _rpc(number, 200, result=result)


def _message(body: bytes) -> JsonObject:
    try:
        message = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise _RpcError(_PARSE, f"expected JSON: {error}", status=400) from error
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise _RpcError(_INVALID, "expected one JSON-RPC 2.0 message", status=400)
    if not isinstance(message.get("id", 0), str | int) or isinstance(message.get("id"), bool):
        raise _RpcError(_INVALID, "expected an id that is a text or a whole number", status=400)
    if not isinstance(message.get("method"), str):
        raise _RpcError(_INVALID, "expected a method; a server that asks for nothing takes no results", status=400)
    return message


def _result(host: Host, session_id: str, message: JsonObject) -> BlockingSteps[JsonObject]:
    method, params = message["method"], message.get("params")
    if params is None:
        params = {}
    if not isinstance(params, dict):
        raise _RpcError(_PARAMS, "expected params that are an object")
    opened = host.opened(session_id)
    is_stateless = _is_stateless(params)
    if method == "tools/call":
        return _finished((yield from _called(host, session_id, params)), is_stateless)
    if method == "tools/list":
        return _finished({"tools": [_tool(each) for each in _listed(opened)]}, is_stateless, is_kept=True)
    if method == "server/discover":
        versions: list[Json] = [_STATELESS, *_HANDSHAKES]
        told = _server(opened)
        about: JsonObject = {_SERVER_KEY: told.pop("serverInfo")}
        return _finished({"supportedVersions": versions, **told, "_meta": about}, stateless=True, is_kept=True)
    if method == "initialize":
        asked = params.get("protocolVersion")
        return {"protocolVersion": asked if asked in _HANDSHAKES else _HANDSHAKES[0], **_server(opened)}
    if method == "ping":
        return _finished({}, is_stateless)
    raise _RpcError(_NO_METHOD, f"this server has no {method}: it offers tools", status=404 if is_stateless else 200)


def _is_stateless(params: JsonObject) -> bool:
    """Whether the message carries its revision itself."""
    meta = params.get("_meta")
    asked = meta.get(_VERSION_KEY) if isinstance(meta, dict) else None
    if asked is None:
        return False
    if asked not in (_STATELESS, *_HANDSHAKES):
        data: JsonObject = {"supported": [_STATELESS, *_HANDSHAKES], "requested": asked}
        raise _RpcError(_NO_VERSION, f"this server does not speak {asked}", data, status=400)
    return asked == _STATELESS


def _finished(result: JsonObject, stateless: bool, *, is_kept: bool = False) -> JsonObject:
    """A result with what the revision of 2026-07-28 asks of every one, and of those that a client may keep."""
    if not stateless:
        return result
    kept: JsonObject = {"ttlMs": 3_600_000, "cacheScope": "private"} if is_kept else {}
    return {"resultType": "complete", **result, **kept}


def _server(opened: SessionOpened) -> JsonObject:
    return {
        "capabilities": {"tools": {}},
        "serverInfo": {"name": f"brownout/{opened.world}", "version": opened.package[:12]},
        "instructions": opened.instructions,
    }


def _listed(opened: SessionOpened) -> list[JsonObject]:
    return [cast(JsonObject, tool.model_dump()) for tool in opened.tools]


def _tool(tool: JsonObject) -> JsonObject:
    return {"name": tool["name"], "description": tool["description"], "inputSchema": tool["input_schema"]}


def _called(host: Host, session_id: str, params: JsonObject) -> BlockingSteps[JsonObject]:
    meta = params.get("_meta")
    call_id = meta.get(_CALL_ID_KEY, "") if isinstance(meta, dict) else ""
    given: JsonObject = {"session_id": session_id, "name": params.get("name"), "call_id": call_id}
    if params.get("arguments") is not None:
        given["arguments"] = params["arguments"]
    request = request_of(CallTool, given)
    try:
        answer: ToolAnswer = yield from host.steps(request)
    except EpisodeEnded as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}
    return {"content": [{"type": "text", "text": text} for text in _texts(answer)], "isError": answer.is_error}


def _texts(answer: ToolAnswer) -> list[str]:
    """The answer, which is JSON, and after it what has reached the agent meanwhile."""
    body = orjson.dumps(answer.structured).decode()
    if not answer.content.startswith(body):
        return [answer.content]
    return [body, *([notices] if (notices := answer.content[len(body) :].strip("\n")) else [])]


def _rpc(number: Json, status: int, **told: Json) -> RpcAnswer:
    return RpcAnswer(status, orjson.dumps({"jsonrpc": "2.0", "id": number, **told}))
