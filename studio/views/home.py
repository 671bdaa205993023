"""Home: the worlds to open, and what came of the runs in the runs folder."""

from collections.abc import Callable, Mapping
from pathlib import Path

import streamlit as st

from brownout.core.errors import BrownoutError
from brownout.core.instants import DAY, Instant
from brownout.core.reward_words import reward_text
from studio.authoring.world_folders import delete_world, duplicate_world, free_name, import_world, trash_folder
from studio.company.calendar_strip import strip_of, strip_text
from studio.company.timeline import timeline_of
from studio.episodes.run_list import Listing, Run, list_runs
from studio.known_worlds import BuildState, KnownWorld, built_state, known_worlds, package_of, read_text
from studio.last_place import last_place
from studio.page_frame import Badge, header, plain, text_badge
from studio.pages import PAGES, page_path
from studio.start_options import choices
from worlds.expressions import parse_moment
from worlds.spec import WorldSpec

_CARD_WIDTH = 296
_RECENT = 5
_BUILT = {BuildState.BUILT: "green", BuildState.OUT_OF_DATE: "orange", BuildState.NOT_BUILT: "gray"}


def show() -> None:
    """The page."""
    actions = header("Home")
    if not choices().read_only:
        with actions:
            if st.button("Import a folder", icon=":material/drive_folder_upload:", key="import_world"):
                _import()
            if st.button("New world", icon=":material/add:", type="primary", key="new_world"):
                st.switch_page(page_path("new_world"))
    st.markdown(":gray[Simulated companies, to look at, to let agents work in, and to break on schedule.]")
    worlds, listed = known_worlds(), list_runs(choices().runs)
    _continue(worlds, listed)
    own = [world for world in worlds.values() if not world.is_shipped]
    if not own and not choices().read_only and not listed.runs:
        _first_steps()
    if own:
        _cards("Your worlds", own)
    _cards("Shipped worlds", [world for world in worlds.values() if world.is_shipped])
    _runs(listed)


_FIRST = (
    ("1", "Make a company", "New world asks five questions and builds it in a minute. Or open a shipped one below."),
    ("2", "Break it", "Outages says what fails and when; Tasks what an agent is asked meanwhile."),
    ("3", "Look around", "Preview is the company at any moment, as any of its people: mail, chat, tickets, code."),
    ("4", "Let agents try", "Start run on Runs plays a task; Replay shows what the agent saw and what was so."),
    ("5", "Take it away", "Export writes the world as a package of a training framework."),
)


def _first_steps() -> None:
    """What there is to do here, for somebody who has made nothing and played nothing yet."""
    with st.container(border=True, gap="small", key="first_steps"):
        st.markdown("**New here?** This is the way from nothing to a graded run; each step is a page at the left.")
        with st.grid(len(_FIRST), min_column_width=150, gap="medium", key="first_steps_row"):
            for number, title, text in _FIRST:
                st.markdown(f":blue-badge[{number}] **{title}**  \n:gray[:small[{text}]]")


def _continue(worlds: Mapping[str, KnownWorld], listed: Listing) -> None:
    """The way back to where somebody was last, if what was shown there still exists."""
    place = last_place()
    known = next((page for page in PAGES if place is not None and page.file == place.page), None)
    if place is None or known is None or not _shows(place.query, worlds, listed):
        return
    what = _of_what(place.query)
    st.page_link(
        page_path(known.file),
        label=f"Continue: {known.title}" + (f" of {plain(what)}" if what else ""),
        icon=":material/history:",
        query_params=place.query,
    )


def _runs_of(query: Mapping[str, str]) -> list[str]:
    """The runs of a link: the one it shows, or those it compares."""
    return [run for run in (query.get("run", ""), *query.get("runs", "").split(",")) if run]


def _shows(query: Mapping[str, str], worlds: Mapping[str, KnownWorld], listed: Listing) -> bool:
    """Whether the world and the runs of a link are still there."""
    return query.get("world", "") in {"", *worlds} and set(_runs_of(query)) <= {run.id for run in listed.runs}


def _of_what(query: Mapping[str, str]) -> str:
    """What a link shows: its run, the runs it compares, or its world with the entry or file of it that is open."""
    runs = _runs_of(query)
    whole = " and ".join(runs) or query.get("world", "")
    entry = query.get("file") or query.get("item", "").rpartition("#")[2]
    return f"{whole}, {entry}" if query.get("world") and entry and not runs and "surface" not in query else whole


def _cards(title: str, worlds: list[KnownWorld]) -> None:
    st.subheader(title, anchor=False)
    with st.grid(min_column_width=_CARD_WIDTH, columns="auto", gap="medium", key=f"cards_{title}"):
        for world in worlds:
            _card(world)


def _card(world: KnownWorld) -> None:
    text = read_text(world)
    with st.container(border=True, gap="small", height="stretch", key=f"card_{world.name}"):
        spec = text.spec
        st.markdown(f"#### {plain(spec.world.title if spec else world.name)}")
        st.markdown(f":gray[{plain(_does(spec))}]")
        package = package_of(world)
        state = built_state(world, package)
        with st.container(horizontal=True, gap="xsmall"):
            st.badge(plain(world.name), color="gray")
            text_badge(world, text, key=world.name)
            st.badge(state.value, color=_BUILT[state])  # type: ignore[arg-type]
        st.space("stretch")
        if package is not None:
            timeline = timeline_of(package)
            st.image(strip_of(timeline), width="stretch", alt=strip_text(timeline))
            if not timeline.is_whole:
                st.caption("Bars without everyday life, which is not counted yet")
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            for name, value in _figures(spec):
                st.markdown(f"**{value}**  \n:gray[:small[{name}]]", width="content")
            st.space("stretch")
            if not choices().read_only:
                _more(world)
            if st.button("Open", key=f"open_{world.name}", type="primary", help=f"Open {world.name}"):
                st.switch_page(page_path("overview"), query_params={"world": world.name})


def _more(world: KnownWorld) -> None:
    """What else can be done with a world."""
    actions = ["Duplicate"] if world.is_shipped else ["Duplicate", "Delete"]
    chosen = st.menu_button(
        "",
        actions,
        icon=":material/more_horiz:",
        type="tertiary",
        key=f"more_{world.name}",
        help=f"More of {world.name}",
    )
    if chosen == "Duplicate":
        _duplicate(world)
    elif chosen == "Delete":
        _delete(world)


@st.dialog("Duplicate")
def _duplicate(world: KnownWorld) -> None:
    st.markdown(f"A copy of **{plain(world.name)}** that you own: its text, not what was built of it.")
    with st.form("duplicate", border=False):  # Enter in its field is its button
        own = free_name(f"my-{world.name}".replace("my-my-", "my-"))
        name = st.text_input("Short name", value=own, key="duplicate_name")
        is_sent = st.form_submit_button("Duplicate", type="primary", key="duplicate_now")
    if is_sent:
        _open_made(lambda: duplicate_world(world, name.strip()))


@st.dialog("Import a folder")
def _import() -> None:
    st.markdown(
        "The folder of a world on this machine, with its world.yaml. It is copied; the original stays as it is."
    )
    with st.form("import", border=False):
        folder = st.text_input("Folder", placeholder="~/worlds/acme", key="import_folder")
        is_sent = st.form_submit_button("Import", type="primary", key="import_now")
    if is_sent and not folder.strip():
        st.error("Name the folder first.", icon=":material/error:")
    elif is_sent:
        _open_made(lambda: import_world(Path(folder.strip())))


@st.dialog("Delete this world?")
def _delete(world: KnownWorld) -> None:
    st.markdown(
        f"**{plain(world.name)}** goes to `{trash_folder()}`, from where it can be taken back by hand. "
        "Runs that were played in it stay."
    )
    if st.button("Delete", type="primary", icon=":material/delete:", key="delete_now"):
        try:
            delete_world(world)
        except BrownoutError as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
        if st.session_state.get("world") == world.name:
            del st.session_state["world"]
        st.toast(f"Deleted {world.name}; it lies in the trash folder", icon=":material/delete:")
        st.rerun()


def _open_made(make: Callable[[], Path]) -> None:
    """Make a world and open it, or say why that cannot be."""
    try:
        folder = make()
    except BrownoutError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.switch_page(page_path("overview"), query_params={"world": folder.name})


def _does(spec: WorldSpec | None) -> str:
    if spec is None:
        return "This world cannot be read yet; open it to see what is wrong."
    company = spec.world.company
    return f"{company.name}. {company.does}" if company.does else company.name


def _figures(spec: WorldSpec | None) -> list[tuple[str, str]]:
    if spec is None:
        return []
    return [
        ("people", str(len(spec.people))),
        ("days", str(_days(spec))),
        ("tasks" if len(spec.tasks) != 1 else "task", str(len(spec.tasks))),
    ]


def _days(spec: WorldSpec) -> int:
    clock = spec.world.clock
    first, last = parse_moment(clock.start, clock.zone), parse_moment(clock.until, clock.zone)
    return round((last - first) / DAY) if isinstance(first, Instant) and isinstance(last, Instant) else 0


def _runs(listing: Listing) -> None:
    st.subheader("Runs", anchor=False)
    if not listing.runs:
        with st.container(border=True, gap="small", key="no_runs"):
            st.markdown(
                f"**No runs yet** in `{choices().runs}`. Let the reference solution play a task, by **Start run** on the page Runs or "
                "in a terminal; it needs no model:"
            )
            st.page_link(page_path("runs"), label="Go to Runs", icon=":material/play_arrow:")
            st.code(_suggestion(), language=None, wrap_lines=True)
        return
    graded = [run for run in listing.runs if run.reward is not None]
    with st.grid(4, min_column_width=130, gap="medium", key="runs_in_short"):
        st.metric("Runs", len(listing.runs), border=True)
        st.metric("Passed", f"{sum(run.resolved for run in graded)} of {len(graded)}", border=True)
        mean = f"{sum(run.reward or 0 for run in graded) / len(graded):.2f}" if graded else "none graded"
        st.metric("Mean reward", mean, border=True)
        st.metric("Ungraded", len(listing.runs) - len(graded), border=True)
    _recent(listing)
    st.page_link(page_path("runs"), label="See all runs", icon=":material/arrow_forward:", icon_position="right")


def _recent(listing: Listing) -> None:
    """The runs that changed last, with their outcome; each leads to its replay."""
    with st.container(border=True, gap="xsmall", key="recent_runs"):
        for run in listing.runs[:_RECENT]:
            label, colour, icon, *_ = _outcome(run)
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.page_link(
                    page_path("replay"),
                    label=plain(run.id),
                    icon=":material/movie:",
                    query_params={"run": run.id},
                )
                st.badge(label, color=colour, icon=icon)  # type: ignore[arg-type]
                st.space("stretch")
                about = f"{run.result.task} · {run.player}" if run.result else run.status
                st.markdown(f":gray[:small[{plain(about)}]]", width="content")


def _outcome(run: Run) -> Badge:
    if run.reward is None:
        return ("Ungraded", "gray", ":material/help:")
    if run.resolved:
        return ("Passed", "green", ":material/check:")
    return (f"Failed · {reward_text(run.reward)}", "red", ":material/close:")


def _suggestion() -> str:
    """A run to begin with, in the smallest world that has a task: it is built soonest."""
    texts = [(world.name, read_text(world).spec) for world in known_worlds().values()]
    played = [(len(spec.people), name, next(iter(spec.tasks))) for name, spec in texts if spec and spec.tasks]
    for _, name, task in sorted(played)[:1]:
        return f"brownout run {name} --task {task} --agent oracle --out {choices().runs}"
    return "brownout run WORLD --task TASK --agent oracle"


show()
