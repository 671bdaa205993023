"""The panes: what is drawn by the browser itself, each from a folder of plain JavaScript and CSS."""

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from studio.serving.script_bundles import asset_address

__all__ = [
    "entries_pane", "figures_pane", "files_pane", "keys_pane", "preview_pane", "replay_pane", "sketch_pane", "table_pane",
]  # fmt: skip

_LOADER = """
const loading = import(new URL("%s", document.baseURI));
export default (component) => {
  let stop = null, isOver = false;
  loading.then(
    (pane) => { if (!isOver) stop = pane.default(component); },
    () => { component.parentElement.textContent = "This page is of an earlier studio; reload it."; });
  return () => { isOver = true; stop?.(); };
};
"""


def _pane(name: str) -> ComponentRenderer:
    """A component whose script is fetched once: what is written here is sent again whenever its data changes."""
    return st.components.v2.component(f"brownout_{name}", js=_LOADER % asset_address(name))


preview_pane = _pane("preview")
replay_pane = _pane("replay")
keys_pane = _pane("keys")
entries_pane = _pane("entries")
sketch_pane = _pane("sketch")
figures_pane = _pane("figures")
files_pane = _pane("files")
table_pane = _pane("table")
