"""The scripts of the panes and what they import: by the hash of their content, so that a browser keeps them."""

import gzip
from functools import cache
from hashlib import sha256
from pathlib import Path

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

__all__ = ["BUNDLES", "asset_address", "asset_routes", "bundle"]

_PANES = Path(__file__).parent.parent / "panes"
_VENDORED = Path(__file__).parent.parent / "vendor" / "dist"
_AUTHOR = ("author/client", "author/editor", "author/completion")
_PARTS = {
    "entries": (*_AUTHOR, "entries/form", "entries/timeline", "entries/graph", "entries/draft", "entries/entries"),
    "figures": ("figures/figures",),
    "files": (*_AUTHOR, "files/files"),
    "keys": ("keys/keys",),
    "preview": tuple(
        f"preview/{part}" for part in ("scrubber", "list", "feed", "week", "reading", "status", "truth", "preview")
    ),
    "replay": tuple(f"replay/{part}" for part in ("lanes", "steps", "detail", "annotate", "replay")),
    "sketch": ("author/client", "entries/timeline", "entries/graph", "sketch/sketch"),
    "table": ("table/table",),
}
"""Each pane's own scripts, in the order in which they build on each other; those of other folders bring their style."""
BUNDLES = frozenset({"editor", "graph", *_PARTS})


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


@cache
def bundle(name: str) -> bytes:
    """One script, whole: a module of a vendored library, or a pane's, which has its style in it as `SHEET`."""
    if name not in _PARTS:
        return (_VENDORED / f"{name}.js").read_bytes()
    parts = ["shared/kit", "shared/prose", *_PARTS[name]]
    folders = dict.fromkeys(part.partition("/")[0] for part in parts)
    sheets = (_PANES / folder / f"{'pane' if folder == 'shared' else folder}.css" for folder in folders)
    style = "\n".join(sheet.read_text("utf-8") for sheet in sheets if sheet.is_file())
    scripts = (
        f"const SHEET = {orjson.dumps(style).decode()};",
        *((_PANES / f"{part}.js").read_text("utf-8") for part in parts),
    )
    return "\n".join(scripts).encode()
