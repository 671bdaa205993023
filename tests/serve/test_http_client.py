"""The transport over HTTP when the other side misbehaves, and what the client's room costs to import."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from brownout.client import HttpTransport, SessionClient
from brownout.client.errors import BadRequest, RequestRefused, ServerDefect, Unreachable

ANSWER = {
    "call_id": "c1",
    "name": "wait",
    "is_error": False,
    "content": "{}",
    "structured": {},
    "sim_time": 1,
}


@contextmanager
def misbehaving(*replies: tuple[int, bytes] | None) -> Iterator[tuple[SessionClient, list[str]]]:
    """A client of a server that gives these replies in turn, the last one for ever; for None it hangs up."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            asked.append(self.path)
            reply = replies[min(len(asked), len(replies)) - 1]
            if reply is None:
                self.close_connection = True
                return
            self.send_response(reply[0])
            self.send_header("Content-Length", str(len(reply[1])))
            self.end_headers()
            self.wfile.write(reply[1])

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            with SessionClient(HttpTransport(f"http://127.0.0.1:{server.server_port}", "token")) as client:
                yield client, asked
        finally:
            server.shutdown()
            thread.join()


def test_a_call_with_an_id_is_sent_again_when_its_connection_breaks() -> None:
    with misbehaving(None, None, (200, json.dumps(ANSWER).encode())) as (client, asked):
        assert client.call("a", "wait", {}, call_id="c1").content == "{}"
    assert len(asked) == 3


def test_what_a_newer_server_adds_to_an_answer_is_passed_over() -> None:
    with misbehaving((200, json.dumps(ANSWER | {"mood": "good"}).encode())) as (client, _):
        assert client.call("a", "wait", {}, call_id="c1").content == "{}"


def test_a_call_without_an_id_is_never_sent_again() -> None:
    with misbehaving(None, None, (200, json.dumps(ANSWER).encode())) as (client, asked):
        with pytest.raises(Unreachable):
            client.call("a", "wait", {})
        with pytest.raises(Unreachable):
            client.say("a", "Hello")
    assert len(asked) == 2


@pytest.mark.parametrize("reply", [b"", b"<html>", b"{", b"[]", b'{"call_id": 7}'])
def test_an_answer_that_is_none_is_a_defect_of_the_server(reply: bytes) -> None:
    with misbehaving((200, reply)) as (client, _), pytest.raises(ServerDefect):
        client.call("a", "wait", {}, call_id="c1")


@pytest.mark.parametrize(
    ("status", "reply", "code"),
    [
        (502, b"<html>Bad gateway</html>", "server_defect"),
        (503, b'{"error": {"code": "at_capacity", "message": "full", "retryable": true}}', "at_capacity"),
        (418, b'{"error": {"code": "made_of_tea", "message": "short"}}', "server_defect"),
        (400, b'{"error": "no"}', "server_defect"),
    ],
)
def test_a_refusal_is_raised_as_what_it_says(status: int, reply: bytes, code: str) -> None:
    with misbehaving((status, reply)) as (client, asked), pytest.raises(RequestRefused) as refused:
        client.call("a", "wait", {}, call_id="c1")
    assert refused.value.code == code
    assert len(asked) == 1


@pytest.mark.parametrize("url", ["", "127.0.0.1:80", "ftp://127.0.0.1", "http://"])
def test_an_address_that_is_none_is_refused_at_once(url: str) -> None:
    with pytest.raises(BadRequest, match="URL"):
        HttpTransport(url, "token")


def test_without_the_admins_port_nothing_is_asked_of_it() -> None:
    with misbehaving((200, b"{}")) as (client, asked), pytest.raises(BadRequest, match="admin"):
        client.grade("a")
    assert asked == []


def test_the_clients_room_imports_nothing_heavy() -> None:
    code = "import sys, brownout.client; print(*{name.partition('.')[0] for name in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()

    assert {"apsw", "sqlalchemy", "starlette", "uvicorn", "mcp", "worlds", "tools", "litellm"}.isdisjoint(loaded)
