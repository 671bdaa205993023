"""The panes: what is drawn by the browser itself, each from a folder of plain JavaScript and CSS."""

from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

__all__ = ["entries_pane", "figures_pane", "files_pane", "keys_pane", "preview_pane", "replay_pane", "sketch_pane"]

_HERE = Path(__file__).parent


_AUTHOR = ("author/client", "author/editor", "author/completion")


def _pane(name: str, *scripts: str, shared: tuple[str, ...] = ()) -> ComponentRenderer:
    """A component of the shared scripts and a folder's own, in the order in which they build on each other.

    Args:
        shared: scripts of other folders, `folder/name`, that come before its own; their folder's style comes too.
    """
    names = ["shared/kit", "shared/prose", *shared, *(f"{name}/{script}" for script in scripts)]
    folders = dict.fromkeys(each.partition("/")[0] for each in names)
    sheets = (_HERE / folder / f"{'pane' if folder == 'shared' else folder}.css" for folder in folders)
    return st.components.v2.component(
        f"brownout_{name}",
        js="\n".join((_HERE / f"{each}.js").read_text() for each in names),
        css="\n".join(sheet.read_text() for sheet in sheets if sheet.is_file()),
    )


preview_pane = _pane("preview", "scrubber", "list", "feed", "week", "reading", "status", "truth", "preview")
replay_pane = _pane("replay", "lanes", "steps", "detail", "annotate", "replay")
keys_pane = _pane("keys", "keys")
entries_pane = _pane("entries", "form", "timeline", "graph", "entries", shared=_AUTHOR)
sketch_pane = _pane("sketch", "sketch", shared=("author/client", "entries/timeline", "entries/graph"))
figures_pane = _pane("figures", "figures")
files_pane = _pane("files", "files", shared=_AUTHOR)
