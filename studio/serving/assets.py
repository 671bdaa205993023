"""The vendored scripts, which panes import when they need them: by the hash of their content, so that a browser keeps them."""

import gzip
from functools import cache
from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

__all__ = ["asset_address", "asset_routes"]

_VENDORED = Path(__file__).parent.parent / "vendor" / "dist"


@cache
def asset_address(name: str) -> str:
    """Where a vendored script is served: `assets/editor-1f2e3d4c5b6a.js`, below the page's own address."""
    return f"assets/{name}-{_hash(name)}.js"


def asset_routes() -> list[Route]:
    """The route that serves them."""
    return [Route("/assets/{file}", _asset, methods=["GET"])]


@cache
def _hash(name: str) -> str:
    return sha256(_script(name)).hexdigest()[:12]


@cache
def _script(name: str) -> bytes:
    return (_VENDORED / f"{name}.js").read_bytes()


@cache
def _zipped(name: str) -> bytes:
    return gzip.compress(_script(name), mtime=0)


async def _asset(request: Request) -> Response:
    file = request.path_params["file"]
    name = next((one for one in ("editor", "graph") if file == f"{one}-{_hash(one)}.js"), "")
    if not name:
        return Response("not found", 404)
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(_zipped(name), 200, {**headers, "Content-Encoding": "gzip"}, "text/javascript")
    return Response(_script(name), 200, headers, "text/javascript")
