"""The transport to a session server over HTTP, with what every Python has."""

from collections.abc import Callable
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import Lock
from time import monotonic
from typing import Final, TypeVar, cast
from urllib.parse import quote, urlsplit

import orjson
from pydantic import BaseModel, ValidationError

from brownout.client.errors import BadRequest, RequestRefused, ServerDefect, Unreachable, refusal_of
from brownout.client.requests import SessionRequest
from brownout.core.blocking_steps import BlockingSteps

__all__ = ["HttpTransport"]

A = TypeVar("A", bound=BaseModel)
_TRIES: Final = 3
_IDLE_SECONDS: Final = 30.0
"""A connection that was not used for longer is not used again: the server may be about to close it."""


class HttpTransport:
    """Requests to one server; connections are kept and shared by threads.

    What is repeatable (`SessionRequest.is_repeatable`) is sent again, at most twice, where a connection breaks. Nothing else
    ever is: whether it was carried out is not known then, and `Unreachable` says so.
    """

    def __init__(
        self,
        base_url: str,
        token: str,
        admin_url: str = "",
        admin_token: str = "",
        *,
        timeout_seconds: float = 600.0,
    ) -> None:
        """Talk to a server; nothing is sent yet.

        Args:
            base_url: of the agent's port: `http://127.0.0.1:8600`.
            admin_url: of the admin's; without it nothing can be graded, read or closed.
            timeout_seconds: to wait for an answer; hidden tests and judges take theirs.
        """
        self._agent = _Port(base_url, token, timeout_seconds)
        self._admin = _Port(admin_url, admin_token, timeout_seconds) if admin_url else None

    def steps(self, request: SessionRequest[A]) -> BlockingSteps[A]:
        """The answer of the server; sending and waiting is the work that is yielded.

        Raises:
            RequestRefused: as the server says, or `Unreachable` where no answer came.
        """
        status, body = cast(tuple[int, bytes], (yield partial(self._send, request)))
        if status != 200:
            raise _refusal(status, body)
        try:
            return cast(A, request.endpoint.answer.model_validate_json(body))
        except ValidationError as error:
            wrong = error.errors(include_url=False, include_input=False)[0]
            name = request.endpoint.answer.__name__
            raise ServerDefect(f"the server's answer is no {name}: {wrong['loc']}: {wrong['msg']}") from error

    def close(self) -> None:
        """Close all connections; a second close is harmless."""
        self._agent.close()
        if self._admin is not None:
            self._admin.close()

    def _send(self, request: SessionRequest[A]) -> tuple[int, bytes]:
        endpoint = self._admin if request.endpoint.is_admin else self._agent
        if endpoint is None:
            raise BadRequest(f"{type(request).__name__} is asked on the admin's port, and this client was given none")
        path, body = _written(request)
        tries = _TRIES if request.is_repeatable else 1
        for left in reversed(range(tries)):
            try:
                return endpoint.send(request.endpoint.method, path, body)
            except (OSError, HTTPException) as error:
                if not left:
                    raise Unreachable(f"{endpoint.url}{path}: {type(error).__name__}: {error}") from error
        raise AssertionError("a request is tried at least once")


class _Port:
    """One port of a server, and the connections to it that are free."""

    def __init__(self, url: str, token: str, timeout_seconds: float) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadRequest(f"expected a server's URL, such as http://127.0.0.1:8600, found {url!r}")
        self.url = url.rstrip("/")
        self._prefix = parts.path.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._connect: Callable[[], HTTPConnection] = partial(kind, parts.hostname, parts.port, timeout=timeout_seconds)
        self._lock = Lock()
        self._free: list[tuple[HTTPConnection, float]] = []

    def send(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        connection = self._take()
        try:
            try:
                connection.request(method, self._prefix + path, body, self._headers)
            except (BrokenPipeError, ConnectionResetError):  # refused while it was being sent: the answer says why
                if connection.sock is None:
                    raise
            answer = connection.getresponse()
            found = answer.status, answer.read()
        except BaseException:
            connection.close()
            raise
        if connection.sock is not None:
            with self._lock:
                self._free.append((connection, monotonic()))
        return found

    def close(self) -> None:
        with self._lock:
            free, self._free = self._free, []
        for connection, _ in free:
            connection.close()

    def _take(self) -> HTTPConnection:
        while True:
            with self._lock:
                if not self._free:
                    return self._connect()
                connection, since = self._free.pop()
            if monotonic() - since < _IDLE_SECONDS:
                return connection
            connection.close()


def _written(request: SessionRequest[A]) -> tuple[str, bytes]:
    """A request's path and body."""
    given = request.model_dump(mode="json")
    path = request.endpoint.path
    for name in [name for name in given if f"{{{name}}}" in path]:
        path = path.replace(f"{{{name}}}", quote(str(given.pop(name)), safe=""))
    return path, orjson.dumps(given)


def _refusal(status: int, body: bytes) -> RequestRefused:
    try:
        return refusal_of(orjson.loads(body)["error"])
    except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError):
        return ServerDefect(f"the server answered {status}: {body[:300].decode(errors='replace')}")
