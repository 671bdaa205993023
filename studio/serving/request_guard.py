"""Who may ask the routes: this process's own pages, by a token that no other site can read.

What changes something comes by POST, from the studio's own origin, as JSON of a bounded length, and never where the studio
was started read-only.
"""

import secrets
from hmac import compare_digest

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from studio.start_options import choices

__all__ = ["MOST_BYTES", "READS_BY_POST", "TOKEN", "TOKEN_HEADER", "Guard", "TooLong"]

TOKEN = secrets.token_urlsafe(24)
"""Of this process; the pages get it over Streamlit's own connection."""
TOKEN_HEADER = "x-studio-token"
MOST_BYTES = 2 << 20
"""Of what is sent to a route."""
READS_BY_POST = frozenset({"check", "place", "preview"})
"""Last parts of routes that are sent something and change nothing then; they answer a read-only studio too."""
_PREFIX = "/api/"


class TooLong(Exception):
    """More was sent than a route takes."""


class Guard:
    """Lets only the studio's own requests through to the routes, and labels every answer as what it is."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if str(scope["path"]).startswith(_PREFIX):
            refusal = _refusal(scope)
            if refusal is not None:
                await refusal(scope, receive, send)
                return

        counted = 0

        async def bounded() -> Message:
            nonlocal counted
            message = await receive()
            counted += len(message.get("body", b""))
            if counted > MOST_BYTES and str(scope["path"]).startswith(_PREFIX):
                raise TooLong
            return message

        has_begun = False

        async def labelled(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                headers = MutableHeaders(scope=message)
                headers["X-Content-Type-Options"] = "nosniff"
                headers["Referrer-Policy"] = "no-referrer"
                headers.setdefault("X-Frame-Options", "SAMEORIGIN")
            await send(message)

        try:
            await self._app(scope, bounded, labelled)
        except TooLong:
            if not has_begun:
                await _error(413, f"expected at most {MOST_BYTES >> 20} MiB")(scope, receive, labelled)


def _refusal(scope: Scope) -> JSONResponse | None:
    headers = Headers(scope=scope)
    if scope["method"] not in ("GET", "POST"):
        return JSONResponse({"error": "the studio's routes know GET and POST"}, 405, {"Allow": "GET, POST"})
    if not compare_digest(headers.get(TOKEN_HEADER, "").encode(), TOKEN.encode()):
        return _error(403, "this page is of an earlier studio; reload it")
    return _refused_change(scope, headers) if scope["method"] == "POST" else None


def _refused_change(scope: Scope, headers: Headers) -> JSONResponse | None:
    own = f"{scope.get('scheme', 'http')}://{headers.get('host', '')}"
    if headers.get("origin") != own or headers.get("sec-fetch-site", "same-origin") != "same-origin":
        return _error(403, "only the studio's own pages may change something")
    if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return _error(415, "expected JSON")
    if not headers.get("content-length", "0").isdigit() or int(headers.get("content-length", "0")) > MOST_BYTES:
        return _error(413, f"expected at most {MOST_BYTES >> 20} MiB")
    if choices().read_only and str(scope["path"]).rpartition("/")[2] not in READS_BY_POST:
        return _error(403, "the studio was started read-only")
    return None


def _error(status: int, text: str) -> JSONResponse:
    return JSONResponse({"error": text}, status)
