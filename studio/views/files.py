"""Files: the text of a world as it lies on disk, in an editor that knows the format."""

import streamlit as st

from studio.known_worlds import package_of, read_text
from studio.page_frame import chosen_world, world_header
from studio.panes import files_pane
from studio.serving.script_bundles import asset_address
from studio.world_text_pages import pane_data, read_only_note


def show() -> None:
    """The page."""
    world = chosen_world("Files")
    world_header("Files", world, read_text(world), package_of(world))
    read_only_note(world)
    link = st.query_params
    told: tuple[str, str] = st.session_state.get("files_told", ("", ""))
    asked = (link.get("file", ""), link.get("line", ""))
    if asked != told:
        st.session_state["files_told"] = asked
        st.session_state["files_rev"] = st.session_state.get("files_rev", 0) + 1
    line = int(asked[1]) if asked[1].isdigit() else 0
    jump = {"rev": st.session_state.get("files_rev", 0), "file": asked[0], "line": line}
    files_pane(
        key=f"files_{world.name}",
        data={**pane_data(world), "editor": asset_address("editor"), "jump": jump},
        on_changed_change=lambda: None,
    )


show()
