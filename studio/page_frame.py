"""What pages have in common: navigation, the header row, empty states, plain text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import Page

from studio.command_palette import quick_actions
from studio.company.living_ahead import live_ahead
from studio.escaped_markdown import plain
from studio.jobs import job_panel, latest_job, start_or_say
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
from studio.start_options import choices
from worlds.package import Package

__all__ = [
    "PAGES",
    "Badge",
    "KnownPage",
    "empty_state",
    "header",
    "lay_out",
    "page_path",
    "plain",
    "sidebar",
    "stale_note",
    "text_badge",
    "world_header",
    "world_or_stop",
]

_HERE = Path(__file__).parent
Badge: TypeAlias = tuple[str, str, str]
"""Label, colour, icon."""


@dataclass(frozen=True, slots=True)
class KnownPage:
    """A page of the studio.

    Attributes:
        section: the heading it stands under in the sidebar.
        with_world: links to it carry the chosen world.
        is_listed: it stands in the sidebar; others are led to by a button.
    """

    file: str
    title: str
    icon: str
    section: str
    with_world: bool
    help: str
    is_listed: bool = True

    def page(self) -> Page:
        """The page as Streamlit knows it."""
        return st.Page(
            page_path(self.file), title=self.title, icon=self.icon, help=self.help, default=self.file == "home"
        )


PAGES = (
    KnownPage("home", "Home", ":material/home:", "", False, "Worlds to open, and what came of runs in them."),
    KnownPage("new_world", "New world", ":material/add:", "", False, "A company from five questions.", is_listed=False),
    KnownPage(
        "overview", "Overview", ":material/fact_check:", "Author", True, "A world's text, people, tasks and outages."
    ),
    KnownPage("company", "Company", ":material/domain:", "Author", True, "The company, its calendar and its products."),
    KnownPage(
        "people", "People", ":material/group:", "Author", True, "Who works at the company, and who answers to whom."
    ),
    KnownPage("customers", "Customers", ":material/storefront:", "Author", True, "Whom the company works for."),
    KnownPage("systems", "Systems", ":material/account_tree:", "Author", True, "What runs, and what it needs."),
    KnownPage(
        "storylines", "Storylines", ":material/auto_stories:", "Author", True, "Facts, and who says and does what when."
    ),
    KnownPage("outages", "Outages", ":material/bolt:", "Author", True, "What breaks, when and how."),
    KnownPage("tasks", "Tasks", ":material/task_alt:", "Author", True, "What agents are asked."),
    KnownPage("graders", "Graders", ":material/rule:", "Author", True, "What each task is judged by."),
    KnownPage("files", "Files", ":material/folder_open:", "Author", True, "The text itself, in an editor."),
    KnownPage(
        "preview", "Preview", ":material/inbox:", "World", True, "The company at any moment, as any of its people."
    ),
    KnownPage(
        "check", "Check", ":material/rule_settings:", "World", True, "Is the text sound, can the rewards be trusted?"
    ),
    KnownPage("report", "Report", ":material/query_stats:", "World", True, "How real the company is, in figures."),
    KnownPage(
        "runs", "Runs", ":material/list_alt:", "Runs", False, "Every recorded run, and how often agents succeed."
    ),
    KnownPage("replay", "Replay", ":material/movie:", "Runs", False, "One run, step by step."),
    KnownPage("compare", "Compare", ":material/compare:", "Runs", False, "Two runs, side by side."),
    KnownPage(
        "annotate",
        "Annotate",
        ":material/rate_review:",
        "Runs",
        False,
        "What people say of runs, and how far they agree.",
    ),
    KnownPage(
        "export", "Export", ":material/package_2:", "Ship", True, "A world as a package of a training framework."
    ),
)


def page_path(file: str) -> Path:
    """The script of a page."""
    return _HERE / "views" / f"{file}.py"


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
        badges.append((f"seed {package.manifest.seed}", "gray", ""))
    row = _title_row(title, [*badges, text_badge(text)])
    _built(world, built_state(world, package), row, text_is_wrong=bool(text.mistakes))
    return _actions(row)


def _actions(row: DeltaGenerator) -> DeltaGenerator:
    """The place at the right of a title row. In a narrow window it goes below the title as a whole."""
    row.space("stretch")
    return row.container(horizontal=True, vertical_alignment="center", gap="small", width="content", key="page_actions")


def _title_row(title: str, badges: Sequence[Badge]) -> DeltaGenerator:
    row = st.container(horizontal=True, vertical_alignment="center", gap="small", key="page_header")
    with row:
        st.title(plain(title), anchor=False, width="content")
        for label, colour, icon in badges:
            st.badge(plain(label), icon=icon or None, color=colour)  # type: ignore[arg-type]
    return row


def text_badge(text: WorldText) -> Badge:
    """`Valid`, or how many problems there are."""
    count = len(text.mistakes)
    if not count:
        return ("Valid", "green", ":material/check:")
    return (f"{count} problem" + ("s" if count > 1 else ""), "red", ":material/error:")


# -- building -----------------------------------------------------------------------------------------------


def _built(world: KnownWorld, state: BuildState, place: DeltaGenerator, *, text_is_wrong: bool) -> None:
    """Whether a world is built, as a badge; where it is not, as the button that builds it.

    Where the text is wrong the page lists its problems, so that a failed build's log, which repeats them, stays closed.
    """
    build = latest_job("build", folder=str(world.folder))
    is_going = build is not None and not build.is_over
    if state is BuildState.BUILT and not is_going:
        place.badge(state.value, icon=":material/deployed_code:", color="green")
    elif place.button(
        "Building" if is_going else f"{state.value} · Build",
        type="secondary" if state is BuildState.OUT_OF_DATE or is_going else "primary",
        icon=":material/progress_activity:" if is_going else ":material/deployed_code:",
        disabled=choices().read_only or is_going,
        key="build",
        help=None if is_going else "Builds the company from its text as it is now",
    ):
        start_or_say("build", f"Build {world.name}", ["build", str(world.folder), "--json"], folder=str(world.folder))
    if build is not None and (is_going or (state is not BuildState.BUILT and build.state not in ("done", "cancelled"))):
        job_panel(build, opens_log=not text_is_wrong)


def stale_note(world: KnownWorld, package: Package) -> None:
    """Say that the text has changed since the package was built."""
    if built_state(world, package) is BuildState.OUT_OF_DATE:
        with st.container(border=True, key="stale_note"):
            st.markdown(
                ":orange[:material/update:] **Spec changed since this build.** You see the company as it was built."
            )


# -- states of a page ---------------------------------------------------------------------------------------


def world_or_stop(page: str) -> tuple[KnownWorld, WorldText, Package | None]:
    """The chosen world; without one the page says so and ends here."""
    worlds = known_worlds()
    name = st.session_state.get("world")
    if name not in worlds:
        header(page)
        if name is None:
            empty_state("Choose a world", "Pick one at the top left, or open one from Home.", icon="public")
        else:
            there_are = f"There are: {', '.join(worlds) or 'none'}."
            empty_state(f"World {name} not found", there_are, icon="travel_explore")
        st.stop()
    world = worlds[name]
    package = package_of(world)
    if package is not None:
        live_ahead(package)
    return world, read_text(world), package


def empty_state(title: str, text: str, *, icon: str = "inbox", code: str = "", leads_home: bool = True) -> None:
    """One sentence about what is not here, and the way on, unless the page has that itself."""
    with st.container(border=True, horizontal_alignment="center", gap="small", key="empty_state"):
        st.space("small")
        with st.container(key="empty_icon", width="content"):
            st.markdown(f":gray[:material/{icon}:]")
        st.markdown(f"**{plain(title)}**", text_alignment="center", width="content")
        st.markdown(f":gray[{plain(text)}]", text_alignment="center", width="content")
        if code:
            st.code(code, language=None, width="content")
        if leads_home:
            st.page_link(page_path("home"), label="Go to Home", icon=":material/arrow_back:")
        st.space("small")
