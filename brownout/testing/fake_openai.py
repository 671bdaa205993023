"""An endpoint that speaks OpenAI's chat protocol on 127.0.0.1 and answers, or misbehaves, as it is told."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from types import TracebackType
from typing import Final, Literal, Self, TypeAlias

from brownout.core.values import JsonObject

__all__ = ["FakeOpenAI", "Reply"]

Trouble: TypeAlias = Literal["", "hang", "trickle", "cut", "half"]
_LONGEST_HANG: Final = 30.0


@dataclass(frozen=True, slots=True)
class Reply:
    """What the endpoint does with one request.

    Attributes:
        text: the assistant's message; the body as it is where `is_raw`.
        status: of the HTTP answer; other than 200 sends OpenAI's error body.
        trouble: `hang` never answers, `trickle` sends a byte now and then, `cut` closes without an answer, `half` in
            the middle of one.
        finish: why the model stopped.
        tokens: of the prompt and of the answer, as it counts them.
    """

    text: str = ""
    status: int = 200
    trouble: Trouble = ""
    finish: str = "stop"
    tokens: tuple[int, int] = (1, 1)
    is_raw: bool = False
    headers: dict[str, str] = field(default_factory=dict)


class FakeOpenAI:
    """The endpoint, while the `with` block lasts.

    Attributes:
        requests: the bodies received so far.
    """

    def __init__(self, *replies: Reply | str, answer: Callable[[JsonObject], str] | None = None) -> None:
        """Script it.

        Args:
            replies: one for each request; the last is repeated.
            answer: makes the assistant's message from a request's body, where no replies are given.
        """
        self.requests: list[JsonObject] = []
        self._replies: Sequence[Reply] = [Reply(each) if isinstance(each, str) else each for each in replies]
        self._answer = answer
        self._released = Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def base_url(self) -> str:
        """What a client is given."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._released.set()
        self._server.shutdown()
        self._server.server_close()

    def next_reply(self, body: JsonObject) -> Reply:
        """Note a request and choose what becomes of it."""
        self.requests.append(body)
        if not self._replies:
            return Reply(self._answer(body) if self._answer else "{}")
        return self._replies[min(len(self.requests), len(self._replies)) - 1]

    def pause(self, seconds: float) -> bool:
        """Wait; True once the endpoint is being closed."""
        return self._released.wait(seconds)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                size = int(self.headers.get("content-length", 0))
                reply = fake.next_reply(json.loads(self.rfile.read(size) or b"{}"))
                self.close_connection = True
                _send(self, fake, reply)

            def log_message(self, *_: object) -> None:
                pass

        return Handler


def _send(handler: BaseHTTPRequestHandler, fake: FakeOpenAI, reply: Reply) -> None:
    if reply.trouble == "hang":
        fake.pause(_LONGEST_HANG)
    if reply.trouble in ("hang", "cut"):
        return
    body = reply.text.encode() if reply.is_raw else json.dumps(_document(reply)).encode()
    handler.send_response(reply.status)
    for name, value in {"content-type": "application/json", "content-length": str(len(body)), **reply.headers}.items():
        handler.send_header(name, value)
    handler.end_headers()
    if reply.trouble == "trickle":
        for at in range(len(body)):
            handler.wfile.write(body[at : at + 1])
            handler.wfile.flush()
            if fake.pause(0.1):
                return
    else:
        handler.wfile.write(body[: len(body) // 2] if reply.trouble == "half" else body)


def _document(reply: Reply) -> JsonObject:
    if reply.status != 200:
        return {"error": {"message": reply.text or "scripted", "type": "scripted", "code": str(reply.status)}}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "fake",
        "choices": [
            {"index": 0, "finish_reason": reply.finish, "message": {"role": "assistant", "content": reply.text}}
        ],
        "usage": {
            "prompt_tokens": reply.tokens[0],
            "completion_tokens": reply.tokens[1],
            "total_tokens": sum(reply.tokens),
        },
    }
