"""Tasks: what agents are asked, and by whom; and letting one play."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from studio.entry_pages import entries_page
from studio.known_worlds import KnownWorld, package_of
from studio.start_run_dialog import start_run_button


def _play(world: KnownWorld, actions: DeltaGenerator) -> str:
    """A button that starts a run of the task that is chosen."""
    file = st.query_params.get("item", "").partition("#")[0]
    package = package_of(world)
    task = next((name for name in package.tasks if file == f"tasks/{name}/task.yaml"), "") if package else ""
    start_run_button(actions, task=task, is_built=package is not None and bool(package.tasks))
    return ""


entries_page("Tasks", "tasks", actions=_play)
