"""Who may ask the routes: this process's own pages, by a token that no other site can read."""

import secrets
from hmac import compare_digest

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["TOKEN", "TOKEN_HEADER", "Guard"]

TOKEN = secrets.token_urlsafe(24)
"""Of this process; the pages get it over Streamlit's own connection."""
TOKEN_HEADER = "x-studio-token"
_PREFIX = "/api/"


class Guard:
    """Lets only GET requests with the token through to the routes, and labels every answer as what it is."""

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

        async def labelled(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["X-Content-Type-Options"] = "nosniff"
                headers["Referrer-Policy"] = "no-referrer"
                headers.setdefault("X-Frame-Options", "SAMEORIGIN")
            await send(message)

        await self._app(scope, receive, labelled)


def _refusal(scope: Scope) -> JSONResponse | None:
    if scope["method"] != "GET":
        return JSONResponse({"error": "the studio's routes only read"}, 405, {"Allow": "GET"})
    given = Headers(scope=scope).get(TOKEN_HEADER, "")
    if not compare_digest(given.encode(), TOKEN.encode()):
        return JSONResponse({"error": "this page is of an earlier studio; reload it"}, 403)
    return None
