"""What pages that change a world's text have in common: what a pane is told of the world, and who may change it."""

import streamlit as st

from studio.authoring.world_folders import duplicate_world, free_name
from studio.escaped_markdown import plain
from studio.known_worlds import KnownWorld
from studio.serving.request_guard import TOKEN
from studio.start_options import choices

__all__ = ["pane_data", "read_only_note"]


def pane_data(world: KnownWorld) -> dict[str, object]:
    """What every pane of a world's text is told."""
    why = (
        f"{world.name} comes with Brownout: duplicate it to change it"
        if world.is_shipped
        else "the studio was started read-only"
    )
    model = choices().drafter
    drafter = {"model": model.name, "at": model.base_url} if model is not None and world.can_change else None
    return {"token": TOKEN, "world": world.name, "why": why, "drafter": drafter}


def read_only_note(world: KnownWorld) -> None:
    """Say why a world cannot be changed, and offer the way to one that can."""
    if world.can_change:
        return
    row = st.container(horizontal=True, vertical_alignment="center", border=True, key="read_only_note")
    if choices().read_only:
        row.markdown(":gray[:material/lock:] **Read-only.** The studio was started with --read-only.")
        return
    row.markdown(
        f":gray[:material/lock:] **{plain(world.name)} comes with Brownout** and stays as it is. Duplicate to change it."
    )
    row.space("stretch")
    row.button(
        "Duplicate to change",
        icon=":material/content_copy:",
        key="duplicate_to_change",
        type="primary",
        on_click=_duplicate,
        args=(world,),
    )


def _duplicate(world: KnownWorld) -> None:
    """A copy under another name, which is chosen then."""
    copy = duplicate_world(world, free_name(f"my-{world.name}"))
    st.session_state["world"] = st.session_state["world_choice"] = copy.name
    st.query_params["world"] = copy.name
