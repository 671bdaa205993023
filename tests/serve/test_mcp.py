"""Sessions over MCP, by the official client and by hand."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.types import TextContent

from brownout.client import SessionClient
from brownout.core.values import Json, JsonObject
from brownout.serve.server import SessionServer
from tests.serve.scripts import TASK, oracle_calls
from worlds.package import Package

Ids = Callable[[], str]
MODES = ("legacy", "2026-07-28", "auto")


@asynccontextmanager
async def connected(server: SessionServer, session_id: str, token: str, mode: str = "auto") -> AsyncIterator[Client]:
    """The official client, at a session."""
    url = f"{server.base_url}/v1/sessions/{session_id}/mcp"
    async with (
        create_mcp_http_client(headers={"Authorization": f"Bearer {token}"}) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        yield client


async def replay(client: Client, package: Package, task: str = TASK) -> list[str]:
    """Make the calls of the reference solution; the texts of the last answer."""
    texts: list[str] = []
    for name, given, take in oracle_calls(package, task):
        result = await client.call_tool(name, given())
        texts = [part.text for part in result.content if isinstance(part, TextContent)]
        take(json.loads(texts[0]))
    return texts


@pytest.mark.parametrize("mode", MODES)
def test_the_official_client_plays_a_task_to_its_end(
    server: SessionServer, over_http: SessionClient, session: Ids, tiny_package: Package, mode: str
) -> None:
    opened = over_http.create(session(), TASK)

    async def play() -> None:
        async with connected(server, opened.session_id, opened.token, mode) as client:
            tools = (await client.list_tools()).tools
            assert {tool.name for tool in tools} == {tool.name for tool in opened.tools}
            await replay(client, tiny_package)

    asyncio.run(play())

    assert over_http.grade(opened.session_id).reward == 1


def test_a_desktop_client_plays_a_task_over_stdio(tiny_package: Package) -> None:
    program = "from brownout.cli import main; main()"
    arguments = ["-c", program, "serve", str(tiny_package.folder), "--task", TASK, "--stdio"]

    async def play() -> Json:
        transport = stdio_client(StdioServerParameters(command=sys.executable, args=arguments))
        async with Client(transport) as client:
            await replay(client, tiny_package)
            return (await client.call_tool("slack_list_channels", {})).is_error

    assert asyncio.run(play()) is True, "the episode has ended"


def test_what_reaches_the_agent_follows_the_answer_as_a_text_of_its_own(
    server: SessionServer, over_http: SessionClient, session: Ids, tiny_package: Package
) -> None:
    opened = over_http.create(session(), "mend-the-help-page")

    async def play() -> list[str]:
        async with connected(server, opened.session_id, opened.token) as client:
            return await replay(client, tiny_package, opened.task)

    answer, notices = asyncio.run(play())

    assert json.loads(answer) == {"ok": True}
    assert "Marcus" in notices


def test_mistakes_of_an_agent_are_results_that_say_so(
    server: SessionServer, over_http: SessionClient, session: Ids
) -> None:
    opened = over_http.create(session(), TASK)

    async def err() -> list[tuple[bool | None, str]]:
        told = []
        async with connected(server, opened.session_id, opened.token) as client:
            for name, given in (("nothing", {}), ("slack_send_message", {"channel": 7}), ("submit", {"answer": "x"})):
                result = await client.call_tool(name, given)
                told.append((result.is_error, str(result.content[0])))
            result = await client.call_tool("wait", {})
            return [*told, (result.is_error, str(result.content[0]))]

    told = asyncio.run(err())

    assert [is_error for is_error, _ in told] == [True, True, False, True]
    assert "There is no tool called nothing" in told[0][1]
    assert "The episode has ended" in told[3][1] or "the episode has ended" in told[3][1]


def post(server: SessionServer, session_id: str, body: bytes, method: str = "POST") -> tuple[int, JsonObject]:
    connection = HTTPConnection(urlsplit(server.base_url).netloc)
    headers = {"Authorization": f"Bearer {server.token}"}
    connection.request(method, f"/v1/sessions/{session_id}/mcp", body, headers)
    answer = connection.getresponse()
    told = answer.read()
    connection.close()
    return answer.status, json.loads(told) if told else {}


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, -32700),
        (b"[]", 400, -32600),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', 400, -32600),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}', 400, -32600),
        (b'{"jsonrpc": "2.0", "id": 1}', 400, -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "resources/list"}', 200, -32601),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": []}', 200, -32602),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {}}', 200, -32602),
        (
            b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "wait", "arguments": 7}}',
            200,
            -32602,
        ),
        (
            b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1"}}}',
            400,
            -32022,
        ),
    ],
)
def test_a_message_that_is_none_of_the_protocols_is_an_error_of_its(
    server: SessionServer, over_http: SessionClient, session: Ids, body: bytes, status: int, code: int
) -> None:
    over_http.create(name := session(), TASK)
    before = over_http.state(name)

    found, told = post(server, name, body)

    assert (found, told["error"]["code"]) == (status, code)  # type: ignore[index, call-overload]
    assert over_http.state(name) == before


def test_arguments_that_are_too_deep_are_answered_as_the_agents_mistake(
    server: SessionServer, over_http: SessionClient, session: Ids
) -> None:
    over_http.create(name := session(), TASK)
    deep = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "wait", "arguments": {"minutes": '
    status, told = post(server, name, deep + b"[" * 400 + b"]" * 400 + b"}}}")

    assert status == 200 and isinstance(told["result"], dict)
    assert told["result"]["isError"] and "expected at most 64 levels" in json.dumps(told["result"])


def test_ten_megabytes_of_arguments_are_refused_and_cost_nothing(
    server: SessionServer, over_http: SessionClient, session: Ids
) -> None:
    over_http.create(name := session(), TASK)
    before = over_http.state(name)
    call: JsonObject = {"name": "slack_send_message", "arguments": {"channel": "#support", "text": "x" * 10_000_000}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}

    assert post(server, name, json.dumps(message).encode())[0] == 413
    assert over_http.state(name) == before


def test_a_notification_is_acknowledged_and_a_stream_is_not_offered(
    server: SessionServer, over_http: SessionClient, session: Ids
) -> None:
    over_http.create(name := session(), TASK)

    assert post(server, name, b'{"jsonrpc": "2.0", "method": "notifications/initialized"}') == (202, {})
    assert post(server, name, b"", "GET")[0] == 405
    assert post(server, name, b"", "DELETE")[0] == 405


def test_a_session_that_there_is_not_is_a_404(server: SessionServer, session: Ids) -> None:
    assert post(server, session(), b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}')[0] == 404


def test_a_call_that_carries_an_id_is_made_once(server: SessionServer, over_http: SessionClient, session: Ids) -> None:
    over_http.create(name := session(), TASK)
    call = {"name": "slack_list_channels", "_meta": {"brownout/callId": "c1"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}).encode()

    assert post(server, name, body) == post(server, name, body)
    assert over_http.state(name).calls == 1
