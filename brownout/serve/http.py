"""The two ports: what they let in, and how a request becomes one of a worker's.

The agent's port knows no address of the admin's. A request must be for this server's own name, carry a token that opens
the address, and be small enough; everything else is refused in one form: `{"error": {"code", "message", "retryable"}}`.
"""

import asyncio
import hmac
from collections.abc import Awaitable, Callable
from typing import Final

import orjson
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from brownout.client.answers import ServerMetrics
from brownout.client.errors import (
    BadRequest,
    BodyTooLarge,
    ForeignHost,
    NoSuchPath,
    RequestRefused,
    Unauthorized,
    WrongMethod,
)
from brownout.client.requests import REQUESTS, ReadMetrics
from brownout.serve.worker import MCP, session_token
from brownout.serve.workers import Workers

__all__ = ["LARGEST_BODY", "Door", "admin_app", "agent_app"]

LARGEST_BODY: Final = 8 << 20
"""Bytes of a request's body. Arguments of a call may have four million characters."""
_DRAINED: Final = 64 << 20
"""Bytes that are read and dropped, so that whoever sends too much can read that it is too much."""
_ARRIVES_WITHIN_SECONDS: Final = 60.0
_LOCAL: Final = frozenset({"127.0.0.1", "localhost", "[::1]"})


class Door:
    """Who may come in.

    Attributes:
        names: of hosts that the server answers for, without a port.
    """

    def __init__(self, token: str, *, names: frozenset[str] = frozenset(), key: str = "") -> None:
        """Make it.

        Args:
            token: opens every address of the port.
            names: of hosts beside this machine's own.
            key: sessions' own tokens are made with it; without one there are none.
        """
        self._token = token
        self._key = key
        self.names = _LOCAL | names

    def check(self, scope: Scope) -> None:
        """Return if a request may come in.

        Raises:
            ForeignHost: it is for another host, or a page of another one sent it.
            Unauthorized: it has no token that opens the address.
        """
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get("host", "")
        if _name(host) not in self.names:
            raise ForeignHost(f"this server answers for {', '.join(sorted(self.names))}, not for {host[:200]!r}")
        origin = headers.get("origin")
        if origin is not None and _name(origin.partition("://")[2]) not in self.names:
            raise ForeignHost(f"pages of {origin[:200]!r} may not ask this server")
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer" or not self._opens(token.strip(), scope["path"]):
            raise Unauthorized("expected the header `Authorization: Bearer TOKEN` with a token that opens this address")

    def _opens(self, token: str, path: str) -> bool:
        if _same(token, self._token):
            return True
        parts = path.split("/")
        is_sessions = self._key and len(parts) > 4 and parts[1:3] == ["v1", "sessions"]
        return bool(is_sessions) and _same(token, session_token(self._key, parts[3]))


def agent_app(workers: Workers, door: Door) -> ASGIApp:
    """What answers on the agent's port: creating sessions, and acting in them."""
    routes = [_route(workers, kind) for kind in REQUESTS if not kind.endpoint.is_admin]
    mcp = Route("/v1/sessions/{session_id}/mcp", _endpoint(workers, MCP), methods=["POST"])
    return _Guarded([*routes, mcp], door)


def admin_app(workers: Workers, door: Door) -> ASGIApp:
    """What answers on the admin's port: grades, states, logs, copies, ends, counts."""
    routes = [_route(workers, kind) for kind in REQUESTS if kind.endpoint.is_admin]
    metrics = Route("/metrics", _metrics(workers), methods=["GET"])
    return _Guarded([*routes, metrics], door)


class _Guarded:
    """Routes behind a door; every refusal has the same form."""

    def __init__(self, routes: list[Route], door: Door) -> None:
        self._door = door
        self._app = Starlette(routes=routes, exception_handlers={HTTPException: _no_such, RequestRefused: _refused})
        self._app.router.redirect_slashes = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        try:
            self._door.check(scope)
        except RequestRefused as error:
            await _refusal(error)(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _route(workers: Workers, kind: type) -> Route:
    where = kind.endpoint  # type: ignore[attr-defined]
    path = where.path.replace("{name}", "{name:path}")  # whatever a model calls a tool
    return Route(path, _endpoint(workers, kind.__name__), methods=[where.method])


def _endpoint(workers: Workers, kind: str) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        body = await _body(request)
        path = {name: str(value) for name, value in request.path_params.items()}
        status, answer = await workers.ask(kind, path, body)
        headers = {"Retry-After": "1"} if status == 503 else None
        return Response(answer, status, headers, media_type="application/json" if answer else None)

    return endpoint


def _metrics(workers: Workers) -> Callable[[Request], Awaitable[Response]]:
    """Counts in the text format that Prometheus reads."""

    async def endpoint(request: Request) -> Response:
        _, body = await workers.ask(ReadMetrics.__name__, {}, b"")
        counts = ServerMetrics.model_validate_json(body).model_dump()
        gauges = {"workers", "live", "capacity", "hot"}
        lines = []
        for name, value in counts.items():
            kind, full = ("gauge", name) if name in gauges else ("counter", f"{name}_total")
            lines += [f"# TYPE brownout_{full} {kind}", f"brownout_{full} {value}"]
        return Response("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")

    return endpoint


async def _body(request: Request) -> bytes:
    """The whole body.

    Raises:
        BodyTooLarge: it is longer than the server reads.
        BadRequest: it does not arrive.
    """
    parts: list[bytes] = []
    length = 0
    try:
        async with asyncio.timeout(_ARRIVES_WITHIN_SECONDS):
            async for part in request.stream():
                length += len(part)
                if length <= LARGEST_BODY:
                    parts.append(part)
                elif length > _DRAINED:
                    break
    except TimeoutError as error:
        raise BadRequest(f"the body did not arrive within {_ARRIVES_WITHIN_SECONDS:g} seconds") from error
    except ClientDisconnect as error:
        raise BadRequest("the connection was closed before the body had arrived") from error
    if length > LARGEST_BODY:
        raise BodyTooLarge(f"the body has more than {LARGEST_BODY} bytes, which is all that this server reads")
    return b"".join(parts)


def _no_such(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    if status == 405:
        return _refusal(WrongMethod(f"{request.url.path} is not asked with {request.method}"))
    return _refusal(NoSuchPath(f"there is nothing at {request.url.path[:300]}"))


def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestRefused)
    return _refusal(error)


def _refusal(error: RequestRefused) -> Response:
    headers = {"WWW-Authenticate": "Bearer"} if isinstance(error, Unauthorized) else None
    return Response(orjson.dumps(error.document()), error.status, headers, media_type="application/json")


def _name(host: str) -> str:
    """A host's name without its port."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).lower()


def _same(given: str, right: str) -> bool:
    return bool(right) and hmac.compare_digest(given.encode(), right.encode())
