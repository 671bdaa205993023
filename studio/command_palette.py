"""Going anywhere by its name, and the keys that there are."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import streamlit as st

from studio.authoring.edit_history import hash_of
from studio.checked_texts import fingerprint_of
from studio.episodes.run_list import list_runs
from studio.known_worlds import known_worlds, read_text
from studio.pages import PAGES, page_path
from studio.panes import keys_pane
from studio.serving.request_guard import TOKEN
from studio.start_options import choices
from studio.unsaved_texts import hear_of_unsaved, save_asked, show_asked, unsaved_of

__all__ = ["quick_actions"]

_RUNS_LISTED = 500
_KEYS = {
    "Everywhere": {"Ctrl+K": "Go to…", "?": "This list"},
    "Preview": {
        "← →": "On the calendar: move the time",
        "Page up, Page down": "On the calendar: a day",
        "J K ↑ ↓": "Next and previous message",
        "/": "Search",
        "Esc": "Leave the search",
    },
    "Time line": {
        "← → ↑ ↓": "Next thing, next lane",
        "Alt+← Alt+→": "Move what is chosen; with Shift by ten",
        "+ - 0": "Zoom in, out, everything",
        "Alt while dragging": "Single minutes",
        "Esc": "Put back what is being dragged",
    },
    "Editor": {"Ctrl+S": "Save", "Ctrl+Space": "Complete", "Ctrl+F": "Find", "Esc Tab": "Leave the editor"},
    "Replay": {
        "← → J K": "Previous and next step",
        "[ ]": "Previous and next state change",
        "E": "Next failed call",
        "X": "First failed call",
        "S": "Next answer that showed something out of date",
        "Home, End": "First and last step",
        "/": "Search steps",
    },
    "Annotate": {
        "1 to 9": "Label of this step",
        "F": "Mark this step as the first error",
        "D": "Mark this step as the decisive one",
        "G B": "Good step, bad step",
        "H": "Mark the selected words",
        "N": "Note",
        "U": "Undo",
        "Ctrl+Enter": "Submit and next",
    },
}


@dataclass(frozen=True, slots=True)
class _Destination:
    """Somewhere to go."""

    label: str
    page: str
    link: dict[str, str] = field(default_factory=dict)


def quick_actions() -> None:
    """The buttons at the foot of the sidebar, each with its key."""
    world = st.session_state.get("world")
    with st.container(key="quick_actions"):
        if st.button("Go to…", shortcut="Ctrl+K", icon=":material/search:", type="tertiary", key="go_to"):
            _go_to()
        told = keys_pane(
            key="keys",
            data={"token": TOKEN, "world": world, "save": save_asked(), "show": show_asked(), "stamp": _stamp(world)},
            on_asked_change=lambda: None, on_unsaved_change=lambda: None, on_saved_change=lambda: None, height=1,
        )  # fmt: skip
        hear_of_unsaved(told)
        if st.button("Keyboard shortcuts", icon=":material/keyboard:", type="tertiary", key="shortcuts") or told.get(
            "asked"
        ):
            _shortcuts()


def _stamp(name: object) -> str:
    """What changes with a world's files, where something typed in it is not saved: it is checked anew then."""
    world = known_worlds().get(str(name))
    return hash_of(repr(fingerprint_of(world.folder))) if world is not None and unsaved_of(world).files else ""


@st.dialog("Go to…")
def _go_to() -> None:
    places = list(_places())
    chosen = st.selectbox(
        "A page, a world, a task, a person or a run",
        range(len(places)),
        index=None,
        format_func=lambda number: places[number].label,
        placeholder="Type a name",
        key="go_to_choice",
        filter_mode="contains",
    )
    if chosen is not None:
        st.switch_page(page_path(places[chosen].page), query_params=places[chosen].link)


def _places() -> Iterator[_Destination]:
    world = st.session_state.get("world")
    here = {"world": str(world)} if world in known_worlds() else {}
    for page in (each for each in PAGES if each.is_part):
        yield _Destination(f"Page · {page.title}", page.file, here if page.with_world else {})
    for name, known in known_worlds().items():
        spec = read_text(known).spec
        yield _Destination(f"World · {spec.world.title if spec else name}", "overview", {"world": name})
        for task, written in spec.tasks.items() if spec else ():
            yield _Destination(f"Task · {written.title} ({name})", "overview", {"world": name, "task": task})
        for person, profile in spec.people.items() if spec else ():
            yield _Destination(
                f"Person · {profile.name}, {profile.role} ({name})", "preview", {"world": name, "as": person}
            )
    for run in list_runs(choices().runs).runs[:_RUNS_LISTED]:
        yield _Destination(f"Run · {run.id}", "replay", {"run": run.id})


@st.dialog("Keyboard shortcuts")
def _shortcuts() -> None:
    for place, keys in _KEYS.items():
        st.markdown(f"**{place}**")
        for key, what in keys.items():
            names = " ".join(f"`{name}`" for name in key.replace(",", "").split(" "))
            st.markdown(f"{names} &nbsp; {what}" if len(key) < 12 else f"`{key}` &nbsp; {what}")
