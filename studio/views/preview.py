"""Preview: the company at any moment of its calendar, through the eyes of any of its people."""

import secrets

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from studio.company.people import PersonOption, busiest_of, faces_of
from studio.company.preview_position import PARAMETERS, Position, read_position
from studio.company.surfaces import tabs_of
from studio.company.timeline import timeline_of
from studio.known_worlds import KnownWorld, package_of, why_closed
from studio.page_frame import empty_state, not_built_state, plain, stale_note, world_header, world_or_stop
from studio.panes import preview_pane
from studio.serving.request_guard import TOKEN
from studio.start_options import choices
from worlds.package import Package

_LOOK_SECONDS = 0.25


def show() -> None:
    """The page."""
    world, text, package = world_or_stop("Preview")
    actions = world_header("Preview", world, text, package)
    if package is None:
        not_built_state(
            world, text, "Preview shows what was built; a small world takes a second.", icon="deployed_code"
        )
        return
    if closed := why_closed(package):
        empty_state("This package was built by another version", f"Build it to look at it. ({closed})", icon="update")
        return
    if choices().follows:
        _follow(world, package.manifest.digest)
    else:
        stale_note(world, package)
    _company(world, package, faces_of(package), actions)


@st.fragment(run_every=_LOOK_SECONDS)
def _follow(world: KnownWorld, shown: str) -> None:
    """Show the world anew once somebody has built what was saved."""
    newer = package_of(world)
    if newer is not None and newer.manifest.digest != shown:
        st.rerun()


@st.fragment
def _company(world: KnownWorld, package: Package, faces: tuple[PersonOption, ...], actions: DeltaGenerator) -> None:
    tabs = tabs_of(package)
    position, rev = _position(world, package)
    named = st.query_params.get("as", "")
    wrong = list(position.wrong)
    if named and named not in [face.person for face in faces]:
        wrong.append(f"Person {named} not found")
    with actions:
        person = _view_as(faces, busiest_of(package))
        is_true = st.toggle("Ground truth", key="ground_truth", persist_state="session")
    if wrong:
        st.warning(plain(". ".join(wrong) + "."), icon=":material/search_off:")
    preview_pane(
        key=f"preview_{world.name}",
        data={
            "token": TOKEN,
            "viewer": st.session_state.setdefault("viewer", secrets.token_urlsafe(8)),
            "world": world.name,
            "package": package.manifest.digest,
            "company": package.manifest.company,
            "products": [tab.product for tab in tabs if tab.product and tab.surface != "status"],
            "person": person,
            "truth": is_true,
            "tabs": [{"surface": tab.surface, "label": tab.label, "product": tab.product} for tab in tabs],
            "start": {**position.document(rev), "given": bool(st.session_state["preview_told"][world.name])},
        },
    )


# -- who looks ----------------------------------------------------------------------------------------------


def _view_as(faces: tuple[PersonOption, ...], busiest: str) -> str:
    """The person whose eyes are used: the link's, the one chosen before, or somebody with a full day."""
    labels = {face.person: face.label for face in faces}
    named = st.query_params.get("as")
    if named in labels and st.session_state.get("view_as") != named:
        st.session_state["view_as"] = named
    elif st.session_state.get("view_as") not in labels:
        st.session_state["view_as"] = busiest or faces[0].person
    st.markdown(":gray[View as]", width="content")
    return st.selectbox(
        "View as",
        list(labels),
        format_func=lambda person: labels.get(person, person),
        key="view_as",
        persist_state="session",
        label_visibility="collapsed",
        filter_mode="contains",
        width=230,
        on_change=_look_as,
    )


def _look_as() -> None:
    st.query_params["as"] = st.session_state["view_as"]


# -- where the pane stands ----------------------------------------------------------------------------------


def _position(world: KnownWorld, package: Package) -> tuple[Position, int]:
    """Where the pane is to begin, and a number that changes only when the link was changed outside of it.

    The pane writes where it stands into the browser's address itself. What is seen of the link here is what the page was opened
    with, so one that is as it was says nothing.
    """
    state = st.session_state
    link = {name: st.query_params[name] for name in PARAMETERS if name in st.query_params}
    told: dict[str, dict[str, str]] = state.setdefault("preview_told", {})
    if link != told.get(world.name):
        told[world.name] = link
        state["preview_rev"] = state.get("preview_rev", 0) + bool(link)
    return read_position(link, timeline_of(package), tabs_of(package)), state.get("preview_rev", 0)


show()
