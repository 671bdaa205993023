"""Where the studio itself fails: what happened is said, with the way on, and nothing else breaks."""

import asyncio
from collections.abc import Mapping

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import Message, Scope
from streamlit.testing.v1 import AppTest

import studio.serving.authoring_routes
import studio.serving.script_bundles
from studio.failures import FailedRequests
from tests.studio.asking import Post, asked

HOSTILE = "<script>alert(1)</script>"


def _failing_page() -> None:
    from studio.failures import show_failure

    show_failure(KeyError("slack-noon"))


def test_a_page_that_failed_says_what_happened_and_leads_on() -> None:
    app = AppTest.from_function(_failing_page).run()

    assert not app.exception
    said = "\n".join(str(one.value) for one in app.markdown).replace("\\", "")
    assert "This page could not be shown" in said
    assert "KeyError: 'slack-noon'." in said
    assert "What was saved is saved" in said
    assert [one.label for one in app.button] == ["Try again"]
    assert 'href="./"' in app.get("html")[0].proto.body
    assert "Details" in app.expander[0].label
    assert "KeyError" in app.code[0].value
    app.button(key="try_again").click().run()
    assert not app.exception


def test_a_route_that_failed_gives_a_pane_the_sentence_and_the_trace(
    post: Post, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(world: object) -> object:
        raise RuntimeError("no room on the disk")

    monkeypatch.setattr(studio.serving.authoring_routes, "file_tree", broken)

    status, told = post("/api/author/tiny/files", method="GET")

    assert status == 500
    assert told["error"].startswith("The studio could not do this: RuntimeError: no room on the disk.")
    assert "Traceback" in told["details"]
    assert "no room on the disk" in caplog.text


async def _breaks(request: Request) -> PlainTextResponse:
    raise ValueError(HOSTILE)


@pytest.mark.parametrize(
    ("accept", "kind"), [("text/html,application/xhtml+xml", "text/html"), ("*/*", "application/json")]
)
def test_no_answer_is_a_bare_error(accept: str, kind: str, caplog: pytest.LogCaptureFixture) -> None:
    app = Starlette(routes=[Route("/breaks", _breaks)], middleware=[Middleware(FailedRequests)])

    status, headers, body = asyncio.run(_get(app, "/breaks", {"accept": accept}))

    assert status == 500
    assert headers["content-type"].startswith(kind)
    if kind == "text/html":
        assert HOSTILE not in body
        assert "Go to Home" in body
        assert "Details" in body
    assert "/breaks failed" in caplog.text


async def _get(app: Starlette, path: str, headers: Mapping[str, str]) -> tuple[int, dict[str, str], str]:
    sent: list[Message] = []
    scope: Scope = {
        "type": "http", "http_version": "1.1", "method": "GET", "scheme": "http", "path": path, "raw_path": path.encode(),
        "query_string": b"", "headers": [(k.encode(), v.encode()) for k, v in headers.items()], "server": ("127.0.0.1", 80),
    }  # fmt: skip

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    start, *rest = sent
    return (
        start["status"],
        {k.decode(): v.decode() for k, v in start["headers"]},
        b"".join(one.get("body", b"") for one in rest).decode(),
    )


def test_the_studio_has_this_around_everything(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(name: str) -> str:
        raise OSError("the disk is gone")

    monkeypatch.setattr(studio.serving.script_bundles, "_hash", broken)

    answer = asked("/assets/keys-1.js", headers={"host": "127.0.0.1:8501", "accept": "text/html"})

    assert answer.status == 500
    assert b"OSError: the disk is gone." in answer.body
    assert "failed" in caplog.text
