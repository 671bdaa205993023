"""Addresses that no page has: whoever opens one is led to our own page, which says so and shows the nearest there is."""

from collections.abc import Sequence
from typing import Final
from urllib.parse import parse_qsl, quote, urlencode

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from studio.pages import PAGES

__all__ = ["ASKED", "UnknownAddresses"]

ASKED: Final = "asked"
"""The parameter of the page `not_found` that has the path which was asked for."""
_PAGES: Final = frozenset(page.file for page in PAGES)
_MOST: Final = 200
"""Characters of a path that are worth showing."""


class UnknownAddresses:
    """Leads a browser from an address without a page to the page that says so; `home` and a slash at the end are forgiven."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or lead elsewhere."""
        to = _elsewhere(scope) if scope["type"] == "http" else ""
        await (RedirectResponse(to, 307)(scope, receive, send) if to else self._app(scope, receive, send))


def _elsewhere(scope: Scope) -> str:
    """Where somebody is led instead, empty where they are right."""
    path, headers = str(scope["path"]), Headers(scope=scope)
    parts = path.strip("/").split("/")
    if scope["method"] != "GET" or "text/html" not in headers.get("accept", "") or _is_file(parts):
        return ""
    query = parse_qsl(scope["query_string"].decode("utf-8", "replace"), keep_blank_values=True)
    if parts == ["home"]:
        return _address("/", query)
    if parts[0] in _PAGES and len(parts) == 1:
        return "" if path == f"/{parts[0]}" else _address(f"/{quote(parts[0])}", query)
    return _address("/not_found", [(ASKED, path[:_MOST]), *((name, value) for name, value in query if name != ASKED)])


def _is_file(parts: Sequence[str]) -> bool:
    """Whether something else than a page is asked for: the first page, a route of ours or Streamlit's, a file with an ending."""
    first, last = parts[0], parts[-1]
    return first in ("", "api", "assets", "component", "media", "static", "_stcore") or "." in last


def _address(path: str, query: Sequence[tuple[str, str]]) -> str:
    return path + (f"?{urlencode(query)}" if query else "")
