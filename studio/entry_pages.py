"""The pages of a world's text that have entries: one pane for all of them, told which page it is."""

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from studio.known_worlds import KnownWorld, package_of, read_text
from studio.page_frame import chosen_world, world_header
from studio.pages import page_path
from studio.panes import entries_pane
from studio.serving.script_bundles import asset_address
from studio.world_text_pages import pane_data, read_only_note

__all__ = ["entries_page"]

_PARAMETERS = ("item", "view")


def entries_page(
    title: str, page: str, *, actions: Callable[[KnownWorld, DeltaGenerator], str] = lambda world, place: ""
) -> None:
    """The page of that title, with the chosen entry and the view in its link. The pane writes them there itself, as Preview does.

    Args:
        actions: puts what the page can do beside its title; the entries are read anew when it returns something else.
    """
    world = chosen_world(title)
    place = world_header(title, world, read_text(world), package_of(world))
    read_only_note(world)
    told = actions(world, place)
    key = f"entries_{page}_{world.name}"
    asked = {name: st.query_params.get(name, "") for name in _PARAMETERS}
    if asked != st.session_state.get(f"{key}_told"):
        st.session_state[f"{key}_told"] = asked
        st.session_state[f"{key}_rev"] = st.session_state.get(f"{key}_rev", 0) + 1
    pane = entries_pane(
        key=key,
        data={
            **pane_data(world),
            "page": page,
            "told": told,
            "editor": asset_address("editor"),
            "graph": asset_address("graph"),
            "start": {**asked, "rev": st.session_state[f"{key}_rev"]},
        },
        on_changed_change=lambda: None,
        on_opened_change=lambda: None,
    )
    if wanted := pane.opened:
        link = {"world": world.name, "file": str(wanted.get("file")), "line": str(wanted.get("line") or 0)}
        st.switch_page(page_path("files"), query_params=link)
