"""What the two ports let in, and what they refuse."""

import json
import socket
from collections.abc import Callable
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from brownout.client import HttpTransport, SessionClient
from brownout.client.errors import BadRequest, BodyTooLarge, Unauthorized, Unreachable
from brownout.client.requests import REQUESTS, TakeTurn, read_request
from brownout.serve.server import SessionServer, _listening
from tests.serve.scripts import TASK

Ids = Callable[[], str]


def ask(
    url: str, path: str, body: bytes = b"{}", *, token: str = "", method: str = "POST", **headers: str
) -> tuple[int, str]:
    """The status and the code of the error, empty where there is none."""
    connection = HTTPConnection(urlsplit(url).netloc)
    try:
        bearer = {"Authorization": f"Bearer {token}"} if token else {}
        connection.request(method, path, body, bearer | headers)
        answer = connection.getresponse()
        told = answer.read()
    finally:
        connection.close()
    found = json.loads(told) if told.startswith(b"{") else {}
    return answer.status, str(found.get("error", {}).get("code", ""))


@pytest.mark.parametrize("kind", REQUESTS)
def test_an_address_is_known_on_one_port_alone(server: SessionServer, kind: type) -> None:
    path = kind.endpoint.path.format(session_id="nobody", name="x")  # type: ignore[attr-defined]
    ports = [(server.base_url, server.token), (server.admin_url, server.admin_token)]
    right, wrong = ports[::-1] if kind.endpoint.is_admin else ports  # type: ignore[attr-defined]

    assert ask(wrong[0], path, token=wrong[1]) == (404, "no_such_path")
    assert ask(right[0], path, token=right[1])[1] != "no_such_path"
    for token in ("", "wrong", wrong[1]):
        assert ask(right[0], path, token=token) == (401, "unauthorized")
    assert ask(right[0], path, token=right[1], method="PUT") == (405, "wrong_method")


def test_a_sessions_token_opens_that_session_and_nothing_else(
    server: SessionServer, over_http: SessionClient, session: Ids
) -> None:
    mine = over_http.create(first := session(), TASK)
    over_http.create(second := session(), TASK)
    alone = SessionClient(HttpTransport(server.base_url, mine.token, server.admin_url, mine.token))

    assert not alone.call(first, "slack_list_channels", {}).is_error
    for foreign in (
        lambda: alone.call(second, "slack_list_channels", {}),
        lambda: alone.create(session(), TASK),
        lambda: alone.grade(first),
        lambda: alone.state(first),
        lambda: alone.close_session(first),
        lambda: alone.metrics(),
    ):
        with pytest.raises(Unauthorized):
            foreign()
    alone.close()


@pytest.mark.parametrize("host", ["example.org", "slack.com:443", "127.0.0.1.example.org", ""])
def test_another_host_is_refused(server: SessionServer, host: str) -> None:
    assert ask(server.base_url, "/v1/sessions", token=server.token, Host=host) == (421, "foreign_host")
    assert ask(server.admin_url, "/v1/metrics", token=server.admin_token, Host=host) == (421, "foreign_host")


def test_a_page_of_another_host_is_refused(server: SessionServer) -> None:
    page = "https://example.org"

    assert ask(server.base_url, "/v1/sessions", token=server.token, Origin=page) == (421, "foreign_host")


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b"7",
        b"\xff\xfe",
        b'{"session_id": "x"}',
        b'{"session_id": "..", "task": "find-the-change"}',
        b'{"session_id": "a/b", "task": "find-the-change"}',
        b'{"session_id": "a", "task": 7}',
        b'{"session_id": "a", "task": "find-the-change", "seed": "7"}',
        b'{"session_id": "a", "task": "find-the-change", "seed": true}',
        b'{"session_id": "a", "task": "find-the-change", "more": 1}',
        b'{"session_id": "a", "task": "find-the-change", "seed": 1e99}',
        b"[" * 100_000,
    ],
)
def test_a_creation_that_cannot_be_read_is_refused(server: SessionServer, body: bytes) -> None:
    assert ask(server.base_url, "/v1/sessions", body, token=server.token) == (400, "bad_request")


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b'{"arguments": []}',
        b'{"arguments": {"a": NaN}}',
        b'{"call_id": 7}',
        b'{"name": "another"}',
        b'{"arguments": {"a": ' + b"[" * 100_000,
    ],
)
def test_a_call_that_cannot_be_read_is_refused_and_costs_nothing(
    server: SessionServer, over_http: SessionClient, session: Ids, body: bytes
) -> None:
    over_http.create(name := session(), TASK)
    before = over_http.state(name)

    path = f"/v1/sessions/{name}/tools/slack_list_channels"

    assert ask(server.base_url, path, body, token=server.token) == (400, "bad_request")
    assert over_http.state(name) == before


def test_an_empty_turn_does_not_end_an_episode_by_mistake(
    server: SessionServer, over_http: SessionClient, session: Ids
) -> None:
    over_http.create(name := session(), TASK)

    assert ask(server.base_url, f"/v1/sessions/{name}/turn", token=server.token) == (400, "bad_request")
    with pytest.raises(BadRequest, match=r"^expected calls, or a text for the requester, which may be empty$"):
        read_request(TakeTurn, {"session_id": name}, b"{}")
    assert not over_http.state(name).ended
    assert over_http.say(name, "").ended == "answer", "a model that says nothing has said so"


def test_ten_megabytes_of_arguments_are_refused_and_the_session_goes_on(over_http: SessionClient, session: Ids) -> None:
    over_http.create(name := session(), TASK)

    with pytest.raises(BodyTooLarge):
        over_http.call(name, "slack_send_message", {"channel": "#support", "text": "x" * 10_000_000})

    assert not over_http.call(name, "slack_list_channels", {}).is_error


def test_what_is_sent_in_halves_harms_nobody(server: SessionServer, over_http: SessionClient, session: Ids) -> None:
    over_http.create(name := session(), TASK)
    host, _, port = urlsplit(server.base_url).netloc.partition(":")
    for cut in (b"POST /v1/sess", b"nonsense\r\n\r\n", b"POST /v1/sessions HTTP/1.1\r\nContent-Length: 50\r\n\r\n{"):
        with socket.create_connection((host, int(port))) as connection:
            connection.sendall(cut)

    assert not over_http.call(name, "slack_list_channels", {}).is_error


def test_counts_can_be_read_by_prometheus(server: SessionServer) -> None:
    connection = HTTPConnection(urlsplit(server.admin_url).netloc)
    connection.request("GET", "/metrics", headers={"Authorization": f"Bearer {server.admin_token}"})
    text = connection.getresponse().read().decode()
    connection.close()

    assert "# TYPE brownout_live gauge" in text
    assert "brownout_refusals_total" in text


def test_a_server_that_is_not_there_is_said_to_be_unreachable() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    client = SessionClient(HttpTransport(f"http://127.0.0.1:{port}", "token"))

    with pytest.raises(Unreachable) as refused:
        client.create("a", TASK)

    assert refused.value.retryable


def test_answers_are_sent_at_once() -> None:
    with _listening("127.0.0.1", 0) as listening:
        assert listening.proto == socket.IPPROTO_TCP, "asyncio lets small packets of other protocols wait for 40 ms"
