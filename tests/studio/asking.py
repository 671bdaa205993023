"""Asks the studio's routes as a server would, without one."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from starlette.types import Message

from studio.app import app

__all__ = ["Answer", "Post", "asked"]

Post = Callable[..., tuple[int, Any]]
"""Sends a document to a route as a page of the studio would; gives the status and the answer."""

_PIECE = 65_536


@dataclass(frozen=True, slots=True)
class Answer:
    """What a route answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """Its document; its bytes where it is none."""
        return orjson.loads(self.body) if self.headers.get("content-type") == "application/json" else self.body


def asked(path: str, *, method: str = "GET", data: bytes = b"", query: str = "", headers: Mapping[str, str]) -> Answer:
    """Ask a route of the studio, with just these headers; those that are empty are not sent."""
    return asyncio.run(_asked(path, method, data, query, headers))


async def _asked(path: str, method: str, data: bytes, query: str, headers: Mapping[str, str]) -> Answer:
    sent: list[Message] = []
    pieces = [data[at : at + _PIECE] for at in range(0, len(data), _PIECE)] or [b""]

    async def receive() -> Message:
        if not pieces:
            await asyncio.Event().wait()  # whoever asked stays until there is an answer
        return {"type": "http.request", "body": pieces.pop(0), "more_body": bool(pieces)}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": query.encode(), "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items() if value], "client": None,
        "server": None,
    }  # fmt: skip
    handler = app._build_starlette_app() if app._starlette_app is None else app._starlette_app
    app._starlette_app = handler
    await handler(scope, receive, send)
    told = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Answer(sent[0]["status"], told, b"".join(message.get("body", b"") for message in sent[1:]))
