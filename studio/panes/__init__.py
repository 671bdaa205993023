"""The panes: what is drawn by the browser itself, each from a folder of plain JavaScript and CSS."""

from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

__all__ = ["keys_pane", "preview_pane", "replay_pane"]

_HERE = Path(__file__).parent


def _pane(name: str, *scripts: str) -> ComponentRenderer:
    """A component of the shared scripts and a folder's own, in the order in which they build on each other."""
    files = [_HERE / "shared" / "kit.js", _HERE / "shared" / "prose.js", *(_HERE / name / f"{s}.js" for s in scripts)]
    styles = [path for path in (_HERE / "shared" / "pane.css", _HERE / name / f"{name}.css") if path.is_file()]
    return st.components.v2.component(
        f"brownout_{name}",
        js="\n".join(path.read_text() for path in files),
        css="\n".join(path.read_text() for path in styles),
    )


preview_pane = _pane("preview", "scrubber", "list", "feed", "week", "reading", "status", "truth", "preview")
replay_pane = _pane("replay", "lanes", "steps", "detail", "replay")
keys_pane = _pane("keys", "keys")
