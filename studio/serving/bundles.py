"""The scripts that browsers load: the vendored ones, and each pane's, put together from plain JavaScript and CSS."""

from functools import cache
from pathlib import Path

import orjson

__all__ = ["BUNDLES", "bundle"]

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
}
"""Each pane's own scripts, in the order in which they build on each other; those of other folders bring their style."""
BUNDLES = frozenset({"editor", "graph", *_PARTS})


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
