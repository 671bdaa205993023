"""The scripts of the panes and what they import: by the hash of their content, so that a browser keeps them."""

import gzip
from functools import cache
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from studio.serving.bundles import BUNDLES, bundle

__all__ = ["asset_address", "asset_routes"]


@cache
def asset_address(name: str) -> str:
    """Where a script is served: `assets/editor-1f2e3d4c5b6a.js`, below the page's own address."""
    return f"assets/{name}-{_hash(name)}.js"


def asset_routes() -> list[Route]:
    """The route that serves them."""
    return [Route("/assets/{file}", _asset, methods=["GET"])]


@cache
def _hash(name: str) -> str:
    return sha256(bundle(name)).hexdigest()[:12]


@cache
def _zipped(name: str) -> bytes:
    return gzip.compress(bundle(name), mtime=0)


async def _asset(request: Request) -> Response:
    name, _, rest = request.path_params["file"].partition("-")
    if name not in BUNDLES or rest != f"{_hash(name)}.js":
        return Response("not found", 404)
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(_zipped(name), 200, {**headers, "Content-Encoding": "gzip"}, "text/javascript")
    return Response(bundle(name), 200, headers, "text/javascript")
