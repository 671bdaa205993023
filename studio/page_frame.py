"""What pages have in common: navigation, the header row, empty states, plain text."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from brownout.core.vocabulary import alike
from studio.command_palette import quick_actions
from studio.company.living_ahead import live_ahead
from studio.episodes.run_list import Run
from studio.escaped_markdown import plain
from studio.jobs import Job, job_line, job_panel, latest_job, start_or_say
from studio.known_worlds import (
    BuildState,
    KnownWorld,
    WorldText,
    built_state,
    find_world,
    known_worlds,
    package_of,
    read_text,
)
from studio.near_pages import WayOn
from studio.pages import PAGES, page_path
from studio.problem_links import counted_problems, problem_rows, problems_button
from studio.seed_words import WORLD_SEED_SAYS
from studio.start_options import choices
from studio.unsaved_texts import RefusedField, Unsaved, ask_to_save, ask_to_show, save_asked, saved_texts, unsaved_of
from worlds.package import Package

__all__ = [
    "Badge",
    "chosen_world",
    "empty_state",
    "follow_run",
    "header",
    "lay_out",
    "not_built_state",
    "plain",
    "sidebar",
    "stale_note",
    "text_badge",
    "world_header",
    "world_or_stop",
]

_HERE = Path(__file__).parent
_ABOUT_BUILDS = ("Overview", "Check")
"""Pages on which the whole of a failed build is shown; on others it is a line, for something else is looked at there."""
Badge: TypeAlias = tuple[str, str, str] | tuple[str, str, str, str]
"""Label, colour, icon; then what is said of it where somebody points at it."""


def lay_out() -> None:
    """What has to be said before anything is shown."""
    st.set_page_config(page_title="Brownout", page_icon=_HERE / "art" / "mark.svg", layout="wide")
    st.logo(str(_HERE / "art" / "mark.svg"), size="medium")
    st.html(_HERE / "style.css")


# -- the sidebar --------------------------------------------------------------------------------------------


def sidebar(title: str) -> None:
    """The world switcher and the pages."""
    worlds = known_worlds()
    _remember_world(worlds)
    with st.sidebar:
        _world_switch(worlds)
        with st.container(key="navigation"):
            _navigation()
        quick_actions()
        if choices().read_only:
            st.badge("Read-only", icon=":material/lock:", color="gray")


def _navigation() -> None:
    section = ""
    for known in (each for each in PAGES if each.is_listed):
        if known.section != section:
            section = known.section
            st.caption(section)
        world = st.session_state.get("world") if known.with_world else None
        link = {"world": world} if world else None
        st.page_link(page_path(known.file), icon=known.icon, width="stretch", query_params=link)


def _remember_world(worlds: Mapping[str, KnownWorld]) -> None:
    """The world of the link, else the last one chosen."""
    named = st.query_params.get("world")
    if wanted := st.session_state.pop("world_wanted", None):
        st.session_state["world_choice"] = wanted
    if named is not None:
        found = find_world(named)
        st.session_state["world"] = found.name if found else named
        st.session_state["world_choice"] = found.name if found else None
    elif len(worlds) == 1 and "world" not in st.session_state:
        st.session_state["world"] = next(iter(worlds))
        st.session_state["world_choice"] = st.session_state["world"]


def follow_run(run: Run | None) -> None:
    """Let the sidebar know the world of the run that is open."""
    known = find_world(run.result.world) if run is not None and run.result is not None else None
    if known is not None and st.session_state.get("world") != known.name:
        st.session_state["world"] = st.session_state["world_wanted"] = known.name
        st.rerun()


def _world_switch(worlds: Mapping[str, KnownWorld]) -> None:
    st.selectbox(
        "World",
        list(worlds),
        index=None,
        key="world_choice",
        persist_state="session",
        placeholder="Choose a world",
        on_change=_switch_world,
        label_visibility="collapsed",
        filter_mode="contains",
    )


def _switch_world() -> None:
    chosen = st.session_state.get("world_choice")
    if chosen is not None:
        st.session_state["world"] = chosen
        st.query_params.from_dict({"world": chosen})


# -- the header row -----------------------------------------------------------------------------------------


def header(title: str, *badges: Badge) -> DeltaGenerator:
    """The page's title and badges; returns the place at the right for actions."""
    return _actions(_title_row(title, badges))


def world_header(title: str, world: KnownWorld, text: WorldText, package: Package | None) -> DeltaGenerator:
    """The title of a page about a world, with its states; returns the place at the right for actions.

    The last state is whether it is built. Where it is not, that is the button that builds it, the only one there is, and how the
    build goes stands below.
    """
    badges: list[Badge] = [(world.name, "blue", ":material/public:")]
    if package is not None:
        badges.append((f"world seed {package.manifest.seed}", "gray", "", WORLD_SEED_SAYS))
    row = _title_row(title, badges)
    with row:
        text_badge(world, text, key="here")
    below = st.container(
        gap="small", key="build_state"
    )  # always there, so that what it says moves nothing to another place
    _built(title, world, text, built_state(world, package), row, below)
    with row:
        _refused_button(
            world, unsaved_of(world), title
        )  # the last one: it comes and goes beside what somebody is about to click
    return _actions(row)


def _actions(row: DeltaGenerator) -> DeltaGenerator:
    """The place at the right of a title row. In a narrow window it goes below the title as a whole."""
    row.space("stretch")
    return row.container(horizontal=True, vertical_alignment="center", gap="small", width="content", key="page_actions")


def _title_row(title: str, badges: Sequence[Badge]) -> DeltaGenerator:
    row = st.container(horizontal=True, vertical_alignment="center", gap="small", key="page_header")
    with row:
        st.title(plain(title), anchor=False, width="content")
        for label, colour, icon, *more in badges:
            st.badge(plain(label), icon=icon or None, color=colour, help=plain(more[0]) if more else None)  # type: ignore[arg-type]
    return row


def text_badge(world: KnownWorld, text: WorldText, *, key: str) -> None:
    """`Valid`, or how many problems there are, which leads to them: of the text as it is typed, where that is not saved."""
    unsaved = unsaved_of(world)
    if unsaved.files and unsaved.problems is None:
        st.badge(
            "Checking", color="gray", icon=":material/hourglass_empty:", help="What was typed and is not saved yet"
        )
    elif unsaved.files and unsaved.first is not None:
        problems_button(world.name, unsaved.first, unsaved.problems or 1, key=key, is_saved=False)
    elif unsaved.files:
        st.badge(
            "Valid, not saved", color="green", icon=":material/check:", help=f"With {', '.join(unsaved.files)} as typed"
        )
    elif text.mistakes:
        problems_button(world.name, text.mistakes[0], len(text.mistakes), key=key)
    else:
        st.badge("Valid", color="green", icon=":material/check:")


def _refused_button(world: KnownWorld, unsaved: Unsaved, title: str) -> None:
    """How many fields of forms are wrong and in no file, as the button that leads to one of them, on this page if there is one."""
    if not unsaved.fields:
        return
    count = len(unsaved.fields)
    if st.button(
        f"{count} field{'' if count == 1 else 's'} not written", icon=":material/error:", key="problems_fields",
        help=plain(f"{_named(unsaved.fields)}: what was typed there would make a mistake. Go to it"),
    ):  # fmt: skip
        here = next((one.file for one in PAGES if one.title == title), "")
        first = next((one for one in unsaved.fields if one.page == here), unsaved.fields[0])
        ask_to_show()
        if first.page == here:
            st.rerun()
        st.switch_page(page_path(first.page), query_params={"world": world.name, "item": first.item})


def _named(fields: Sequence[RefusedField]) -> str:
    return ", ".join(one.said for one in fields)


# -- building -----------------------------------------------------------------------------------------------


def _built(
    title: str, world: KnownWorld, text: WorldText, state: BuildState, place: DeltaGenerator, below: DeltaGenerator
) -> None:
    """Whether a world is built, as a badge; where it is not, or something typed is not saved, as the button that builds it.

    What is built is what the files say: where somebody has typed something else, the button says so and saves it first.
    """
    build = latest_job("build", folder=str(world.folder))
    is_going = build is not None and not build.is_over
    unsaved, is_saving = unsaved_of(world), save_asked() is not None
    refused = saved_texts(world)
    if state is BuildState.BUILT and not is_going and not unsaved.said and not is_saving:
        place.badge(state.value, icon=":material/deployed_code:", color="green")
    elif place.button(
        "Building" if is_going else "Saving" if is_saving else _build_label(state, unsaved),
        type="secondary" if state is not BuildState.NOT_BUILT or is_going else "primary",
        icon=":material/progress_activity:" if is_going or is_saving else ":material/deployed_code:",
        disabled=choices().read_only or is_going or is_saving,
        key="build",
        help=None if is_going else _build_help(unsaved),
    ):
        _save_and_build(world, unsaved)
    with below:
        if refused:
            with st.container(border=True, gap="small", key="save_refused"):
                st.markdown("**Nothing was built**, for not everything that was typed could be saved.")
                problem_rows(world.name, refused, key="save_refused_row")
        elif refused is not None:
            _start_build(world)
        if build is not None and (is_going or _still_says(world, build, text, state)):
            changed = "" if is_going or not _is_changed_since(world, build) else "The text has changed since"
            if is_going or title in _ABOUT_BUILDS:
                job_panel(
                    build,
                    note=changed and f"{changed}: this is what the build said of it as it was then.",
                    can_close=True,
                )
            else:
                job_line(build, changed.lower())


def _build_label(state: BuildState, unsaved: Unsaved) -> str:
    return f"{unsaved.said} · Save and build" if unsaved.said else f"{state.value} · Build"


def _build_help(unsaved: Unsaved) -> str:
    if unsaved.files:
        return f"Saves {', '.join(unsaved.files)} as typed (Ctrl+S saves without building), then builds the company"
    if unsaved.fields:
        return f"Builds without what was typed in {_named(unsaved.fields)}: it is wrong, and in no file"
    return "Builds the company from its text as it is now"


def _still_says(world: KnownWorld, build: Job, text: WorldText, state: BuildState) -> bool:
    """Whether a build that ended otherwise than well is worth showing: not where what it failed by has been mended since."""
    if state is BuildState.BUILT or build.state in ("done", "cancelled") or build.is_closed:
        return False
    is_mended = any(one.file for one in build.reasons) and not text.mistakes and _is_changed_since(world, build)
    return not is_mended


def _is_changed_since(world: KnownWorld, build: Job) -> bool:
    """Whether a file of a world was written, or came or went, after a build of it was asked for."""
    try:
        places = [place for place in world.folder.rglob("*") if ".studio" not in place.parts[len(world.folder.parts) :]]
        return any(place.stat().st_mtime > build.made for place in places)
    except OSError:
        return True


def _save_and_build(world: KnownWorld, unsaved: Unsaved) -> None:
    """Build a world; what is typed and not saved is saved first, and the build starts when it is."""
    if unsaved.files:
        ask_to_save(world, unsaved.files)
        st.rerun()
    _start_build(world)


def _start_build(world: KnownWorld) -> None:
    start_or_say("build", f"Build {world.name}", ["build", str(world.folder), "--json"], folder=str(world.folder))


def stale_note(world: KnownWorld, package: Package) -> None:
    """Say that the text has changed since the package was built."""
    with st.container():  # always there, so that what follows keeps its place
        if built_state(world, package) is BuildState.OUT_OF_DATE:
            with st.container(border=True, key="stale_note"):
                st.markdown(
                    ":orange[:material/update:] **The text has changed since this build.** You see the company as it was built."
                )


# -- states of a page ---------------------------------------------------------------------------------------


def world_or_stop(page: str) -> tuple[KnownWorld, WorldText, Package | None]:
    """The chosen world, its text and what was built of it; without one the page says so and ends here."""
    world = chosen_world(page)
    package = package_of(world)
    if package is not None:
        live_ahead(package)
    return world, read_text(world), package


def chosen_world(page: str) -> KnownWorld:
    """The chosen world; without one the page of that title says so, with the nearest there is, and ends here."""
    worlds = known_worlds()
    name = st.session_state.get("world")
    if name not in worlds:
        header(page)
        if name is None:
            empty_state("Choose a world", "Pick one at the top left, or open one from Home.", icon="public")
        else:
            here = next((one.file for one in PAGES if one.title == page), "overview")
            ways = [WayOn(f"{page} of {near}", here, {"world": near}) for near in alike(name, worlds)]
            there_are = f"There are: {', '.join(worlds) or 'none'}."
            empty_state(f"World {name} not found", there_are, icon="travel_explore", ways=ways)
        st.stop()
    return worlds[name]


def not_built_state(world: KnownWorld, text: WorldText, why: str, *, icon: str) -> None:
    """What a page says that shows what was built, where nothing was: how to build it, or what keeps it from being built.

    Args:
        why: what it is built for here.
    """
    if text.mistakes:
        says = f"It cannot be built before {'this is' if len(text.mistakes) == 1 else 'these are'} mended."
        empty_state(f"{world.name} has {counted_problems(len(text.mistakes))}", says, icon="error", leads_home=False)
        problem_rows(world.name, text.mistakes, key="not_built_problem")
        return
    build = latest_job("build", folder=str(world.folder))
    is_going = (build is not None and not build.is_over) or save_asked() is not None
    unsaved = unsaved_of(world)
    with empty_state(f"{world.name} is not built", why, icon=icon, leads_home=False):
        if st.button(
            "Building" if is_going else "Save and build" if unsaved.files else "Build",
            icon=":material/progress_activity:" if is_going else ":material/deployed_code:",
            type="primary", disabled=choices().read_only or is_going, key="build_here",
        ):  # fmt: skip
            _save_and_build(world, unsaved)


def empty_state(
    title: str, text: str, *, icon: str = "inbox", code: str = "", leads_home: bool = True, ways: Sequence[WayOn] = ()
) -> DeltaGenerator:
    """One sentence about what is not here, and the way on, unless the page has that itself.

    Args:
        ways: to what may have been meant instead.

    Returns:
        The place below the sentence, for what the page offers.
    """
    with st.container(border=True, horizontal_alignment="center", gap="small", key="empty_state"):
        st.space("small")
        with st.container(key="empty_icon", width="content"):
            st.markdown(f":gray[:material/{icon}:]")
        st.markdown(f"**{plain(title)}**", text_alignment="center", width="content")
        st.markdown(f":gray[{plain(text)}]", text_alignment="center", width="content")
        if code:
            st.code(code, language=None, width="content")
        offer = st.container(horizontal_alignment="center", width="content")
        for way in ways:
            st.page_link(
                page_path(way.page),
                label=plain(way.label),
                icon=":material/arrow_forward:",
                query_params=dict(way.link),
            )
        if leads_home:
            st.page_link(page_path("home"), label="Go to Home", icon=":material/arrow_back:")
        st.space("small")
    return offer
