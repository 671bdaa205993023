"""New world: five questions, what they give, and a company on screen in a minute.

What was answered stands in the address, so that a reload, or Home's way back, loses nothing.
"""

import re
import unicodedata
from dataclasses import asdict, dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from brownout.core.errors import BrownoutError
from generators.authoring.company import products_in_use
from generators.authoring.storyline_kinds import kind_names, load_kind
from generators.authoring.trades import load_trade, trade_names
from generators.authoring.world_request import WorldRequest
from studio.app_titles import app_title
from studio.authoring.company_sketch import Sketch, sketch_of
from studio.authoring.edit_history import hash_of
from studio.authoring.world_folders import free_name, make_world, name_problem
from studio.escaped_markdown import plain
from studio.jobs import JobRefused, start_job
from studio.page_frame import header
from studio.pages import is_come_to, page_path
from studio.panes import sketch_pane
from studio.seed_words import WORLD_SEED, WORLD_SEED_SAYS
from studio.serving.script_bundles import asset_address
from studio.start_options import choices

_ZONES = (
    "Europe/Berlin", "Europe/London", "Europe/Lisbon", "Europe/Warsaw", "Europe/Istanbul", "America/New_York",
    "America/Sao_Paulo", "Asia/Kolkata", "Asia/Tokyo", "Australia/Sydney",
)  # fmt: skip


_ANSWERED = "answers_of_new_world"
_SHORT = 30
"""Characters of a short name that is made of a company's."""


@dataclass(frozen=True, slots=True)
class _Answers:
    """What was answered."""

    name: str
    trade: str
    company: str
    people: int
    days: int
    zones: tuple[str, ...]
    customers: int
    storylines: tuple[str, ...]
    outages: tuple[str, ...]
    tasks: int
    seed: int

    @property
    def request(self) -> WorldRequest:
        """The company that is asked for."""
        return WorldRequest(**asdict(self))


def show() -> None:
    """The page."""
    actions = header("New world")
    if choices().read_only:
        st.info("The studio was started read-only; nothing can be made.", icon=":material/lock:")
        return
    _take_up()
    refused = st.container()
    asked, given = st.columns([5, 7], gap="medium")
    with asked:
        questions = st.container(border=True, gap="small", key="questions")
    with given:
        seed = _seed()
    with questions:
        answers = _questions(seed)
    _keep()
    try:
        sketch = sketch_of(answers.request)
    except BrownoutError as error:
        with given, st.container(border=True, key="no_company"):
            st.markdown(f":orange[:material/info:] **No company can be like that yet**  \n{plain(str(error))}")
        return
    with given:
        _show_sketch(sketch)
    _make_button(answers, actions, refused)


def _take_up() -> None:
    """Go to the address with the answers that were given before somebody went to another page; Back leads to one without."""
    answered = st.session_state.get(_ANSWERED)
    if answered and is_come_to() and not st.query_params:
        st.switch_page(page_path("new_world"), query_params=answered)


def _keep() -> None:
    """Remember the answers until the company is made."""
    st.session_state[_ANSWERED] = {key: st.query_params.get_all(key) for key in st.query_params}


# -- the five questions -------------------------------------------------------------------------------------


def _questions(seed: int) -> _Answers:
    trade = _trade()
    left, right = st.columns(2)
    with left:
        company = _company()
    with right:
        name = _name(company)
    people, days, zones, customers = _size()
    outages = _outages(trade)
    storylines, tasks = _stories()
    return _Answers(name, trade, company, people, days, zones, customers, storylines, outages, tasks, seed)


def _heading(number: int, title: str) -> None:
    st.markdown(f":blue-badge[{number}] **{title}**")


def _trade() -> str:
    _heading(1, "What does the company do?")
    titles = {name: load_trade(name).title for name in trade_names()}
    chosen = st.pills(
        "Trade",
        list(titles),
        format_func=lambda name: titles[name],
        default="food-delivery",
        required=True,
        key="new_trade",
        bind="query-params",
        label_visibility="collapsed",
    )
    return str(chosen or "food-delivery")


def _company() -> str:
    return st.text_input(
        "Company's name",
        key="new_company",
        bind="query-params",
        placeholder="One of the trade's",
        live=True,
        help="What the company is called. Left empty, the world seed chooses.",
    ).strip()


def _name(company: str) -> str:
    """The short name: the company's, until somebody types another one."""
    state = st.session_state
    default = free_name(_short(company) or "acme")
    if state.get("new_name", st.query_params.get("new_name", "")) in ("", state.get("new_name_default", "")):
        state["new_name"] = default
    state["new_name_default"] = default
    name = st.text_input(
        "Short name",
        key="new_name",
        bind="query-params",
        validate=(r"^[a-z][a-z0-9-]*$", "Lower-case letters, digits and hyphens, such as acme"),
        live=True,
        help="The world's folder, and what it is called in links. It changes nothing else.",
    )
    name = str(name.strip() or default)
    if problem := name_problem(name):
        st.markdown(f":red[:small[{plain(problem)}]]")
    return name


def _short(company: str) -> str:
    """`tidewater-freight` of `Tidewater Freight`; empty where nothing is left of it."""
    letters = unicodedata.normalize("NFKD", company).encode("ascii", "ignore").decode().casefold()
    return re.sub(r"[^a-z0-9]+", "-", letters).strip("-0123456789")[:_SHORT].strip("-")


def _size() -> tuple[int, int, tuple[str, ...], int]:
    _heading(2, "How many people, for how long?")
    first, second, third = st.columns(3)
    # without bounds, for a number beyond one is not told here: the request says what is wrong with it
    people = first.number_input("People", value=24, key="new_people", bind="query-params")
    days = second.number_input("Days", value=60, step=7, key="new_days", bind="query-params")
    customers = third.number_input("Customers", value=20, key="new_customers", bind="query-params")
    zones = st.multiselect(
        "Where they work, the company's own place first",
        _ZONES,
        default=[_ZONES[0]],
        accept_new_options=True,
        key="new_zones",
        bind="query-params",
        filter_mode="contains",
    )
    return people, days, tuple(zones), customers


def _outages(trade: str) -> tuple[str, ...]:
    _heading(3, "What breaks?")
    vendors, products = [*load_trade(trade).outages], [*products_in_use()]
    chosen = st.pills(
        "What breaks",
        [*vendors, *products],
        selection_mode="multi",
        default=vendors[:1] + products[:1],
        format_func=lambda name: app_title(name) if name in products else name.replace("-", " ").capitalize(),
        key=f"new_outages_{trade}",
        bind="query-params",
        label_visibility="collapsed",
    )
    if chosen:
        st.caption(
            "Each begins while an agent is at a task: a vendor's some minutes after the start, a product's when whoever knows"
            " the way is done."
        )
    return tuple(chosen)


def _stories() -> tuple[tuple[str, ...], int]:
    _heading(4, "Which stories are told?")
    titles = {name: load_kind(name).title for name in kind_names()}
    chosen = st.pills(
        "Stories",
        list(titles),
        selection_mode="multi",
        format_func=lambda name: titles[name],
        key="new_stories",
        bind="query-params",
        label_visibility="collapsed",
    )
    tasks = st.slider(
        "Tasks for agents",
        0,
        10,
        3,
        key="new_tasks",
        bind="query-params",
        help="Each is a story of its own; what is not chosen above is drawn.",
    )
    drawn = tasks - len(chosen)
    if drawn > 0:
        more = f"{drawn} more {'is' if drawn == 1 else 'are'} picked for you"
        said = more if chosen else "None chosen: one a task is picked for you"
        st.caption(f"{said}, by the world seed.")
    return tuple(chosen), max(tasks, len(chosen))


def _seed() -> int:
    """The last question stands above what it gives, so that it is in sight whatever the others need."""
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="seed_row")
    with row:
        _heading(5, "Which of all such companies?")
    seed = row.number_input(
        WORLD_SEED, 1, 999_999, 1, key="new_seed", bind="query-params", width=160, help=WORLD_SEED_SAYS
    )
    row.button("Another one", icon=":material/casino:", key="new_another", on_click=_another)
    return seed


def _another() -> None:
    st.session_state["new_seed"] = st.session_state.get("new_seed", 1) % 999_999 + 1


# -- what they give -----------------------------------------------------------------------------------------


def _show_sketch(sketch: Sketch) -> None:
    st.markdown(f"#### {plain(sketch.company)}  \n:gray[{plain(sketch.does)}]")
    figures = {
        "People": len(sketch.people.items),
        "Customers": sketch.customers,
        "Services": len(sketch.services),
        "Outages": len(sketch.outages),
        "Tasks": len(sketch.stories),
        "Files": sketch.files,
    }
    with st.grid(len(figures), min_column_width=76, gap="small", key="sketch_figures"):
        for name, value in figures.items():
            st.metric(name, value, border=True)
    shown = st.segmented_control(
        "Show",
        ["Org chart", "Calendar of events"],
        default="Org chart",
        required=True,
        key="sketch_shows",
        label_visibility="collapsed",
    )
    is_people = shown == "Org chart"
    calendar = {
        "items": [_mark(asdict(item)) for item in sketch.calendar.items if item.at is not None and item.kind != "fact"],
        "first": sketch.calendar.first,
        "last": sketch.calendar.last,
        "zone": sketch.calendar.zone,
    }
    sketch_pane(
        key="sketch",
        height=400,
        data={
            "rev": hash_of(f"{shown} {sketch.people.nodes} {sketch.calendar.first} {sketch.stories} {sketch.outages}")[
                :12
            ],
            "show": "people" if is_people else "calendar",
            "graph": asset_address("graph"),
            "nodes": [asdict(node) for node in sketch.people.nodes] if is_people else [],
            "edges": [asdict(edge) for edge in sketch.people.edges] if is_people else [],
            "calendar": {} if is_people else calendar,
        },
    )
    if sketch.stories:
        st.markdown("**What agents are asked**")
        st.markdown("\n".join(f"- {plain(title)} :gray[task {plain(name)}]" for name, title in sketch.stories))


def _mark(item: dict[str, object]) -> dict[str, object]:
    """An event of the calendar as the time line draws it: outages and tasks in lanes of their own."""
    lane = {"outage": "Outages", "task": "Tasks"}.get(str(item["kind"]), str(item["lane"]))
    return {name: item[name] for name in ("id", "kind", "title", "subtitle", "at", "until")} | {
        "lane": lane,
        "field": "",
    }


def _make_button(answers: _Answers, place: DeltaGenerator, refused: DeltaGenerator) -> None:
    """The button that makes the world and begins its build; why that cannot be stands above the questions."""
    if not place.button(
        "Make this company", type="primary", icon=":material/add:", key="make_world",
        disabled=bool(name_problem(answers.name)),
    ):  # fmt: skip
        return
    try:
        folder = make_world(answers.request)
        start_job("build", f"Build {folder.name}", ["build", str(folder), "--json"], folder=str(folder))
    except (BrownoutError, JobRefused) as error:
        refused.error(plain(str(error)), icon=":material/error:")
        return
    del st.session_state["new_name_default"], st.session_state[_ANSWERED]
    st.switch_page(page_path("overview"), query_params={"world": folder.name})


show()
