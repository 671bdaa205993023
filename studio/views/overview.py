"""Overview: what an author has written, whether it is sound, and what it came to when it was built."""

import altair as alt
import streamlit as st

from brownout.core.errors import Mistake
from brownout.core.instants import Instant, clock_text, duration_text, local
from brownout.core.vocabulary import alike
from brownout.engine.outages import words_of
from studio.app_titles import title_of_target
from studio.authoring.criterion_sentences import criterion_sentence
from studio.build_bar import build_bar
from studio.company.preview_position import link_time
from studio.company.timeline import CalendarBars, timeline_of
from studio.known_worlds import KnownWorld
from studio.page_frame import plain, stale_note, world_header, world_or_stop
from studio.pages import page_path
from studio.problem_links import counted_problems, problem_rows
from studio.tables import Cell, Column, TableBadge, table
from studio.terminal_commands import short_path
from worlds.package import Package
from worlds.spec import Task, WorldSpec
from worlds.spec.tasks import counted_calls

_PEOPLE = (
    Column("Name", "strong"), Column("Role"), Column("Team"), Column("Manager"), Column("Hours", "short"), Column("Reads", "soft"),
)  # fmt: skip
_OUTAGES = (
    Column("Outage", "strong"), Column("What"), Column("Begins", "short"), Column("Lasts", "short"), Column("Announced", "soft"),
)  # fmt: skip
_RUBRIC = (
    Column("Criterion", "strong"), Column("Points", "number"), Column("Judged by", "soft"), Column("Asks", width="44%"),
    Column("By", "soft"), Column("Needs", "soft"),
)  # fmt: skip
_BLUE, _RED, _VIOLET, _GRAY = "#8FA2EC", "#D6454F", "#9A56DB", "#6B7385"


def show() -> None:
    """The page."""
    world, text, package = world_or_stop("Overview")
    actions = world_header("Overview", world, text, package)
    # Each part has its place whether there is anything in it or not: none is seen twice while the page is drawn anew.
    notes, about, bar, figures, calendar = (st.container() for _ in range(5))
    with notes:
        if package is not None:
            stale_note(world, package)
            if actions.button("Open preview", type="primary", icon=":material/inbox:"):
                st.switch_page(page_path("preview"), query_params={"world": world.name})
        if text.mistakes:
            _problems(world, text.mistakes)
    if text.spec is None:
        return
    with about:
        _about(text.spec)
    with bar:
        build_bar(world, package)
    with figures:
        _figures(text.spec, package)
    with calendar:
        if package is not None:
            _calendar(timeline_of(package))
    _tasks(world, text.spec, package)
    _outages(text.spec, package)
    _people(text.spec)


def _about(spec: WorldSpec) -> None:
    company = spec.world.company
    st.markdown(f"**{plain(spec.world.title)}**  \n:gray[{plain(company.name)}. {plain(company.does)}]")


def _problems(world: KnownWorld, mistakes: tuple[Mistake, ...]) -> None:
    with st.container(border=True, gap="small", key="problems"):
        count = counted_problems(len(mistakes))
        st.markdown(f"**{count} in this world's text**  \n:gray[The files are in {plain(short_path(world.folder))}]")
        problem_rows(world.name, mistakes, key="overview_problem")


def _figures(spec: WorldSpec, package: Package | None) -> None:
    counts = package.manifest.counts if package else {}
    messages = sum(count for table, count in counts.items() if table.endswith("_message"))
    figures = {
        "People": len(spec.people),
        "Customers": len(spec.customers),
        "Storylines": len(spec.storylines),
        "Outages": len(spec.outages),
        "Tasks": len(spec.tasks),
        "Messages": messages if package else None,
    }
    with st.grid(len(figures), min_column_width=96, gap="small", key="figures"):
        for name, value in figures.items():
            note = "Once it is built" if value is None else "At the first task's start" if name == "Messages" else None
            st.metric(name, f"{value:,}" if value is not None else None, border=True, help=note)


# -- the calendar -------------------------------------------------------------------------------------------


def _calendar(timeline: CalendarBars) -> None:
    st.subheader("Calendar", anchor=False)
    st.altair_chart(calendar_chart(timeline), alt="Activity over the calendar, with outages and storyline events")
    with st.container(horizontal=True, gap="medium", key="legend"):
        activity = "activity" if timeline.is_whole else "activity that is written; everyday life is not counted yet"
        for sign in (":red[▌] outage", ":violet[▌] storyline event", ":gray[┊] task starts", f":blue[▌] {activity}"):
            st.caption(sign, width="content")


def calendar_chart(timeline: CalendarBars) -> alt.LayerChart:
    """Activity as bars, outages as red bands, storyline events as violet lines."""

    def moment(at: Instant) -> str:
        return local(at, timeline.zone).strftime("%Y-%m-%dT%H:%M:%S")

    def marks(kind: str) -> alt.Chart:
        shown = [mark for mark in timeline.marks if mark.kind == kind]
        values = [{"label": m.label, "at": moment(m.at), "until": moment(m.until or m.at)} for m in shown]
        tips = [alt.Tooltip("label:N", title=" "), alt.Tooltip("at:T", title="At", format="%-d %b %H:%M")]
        return alt.Chart({"values": values}).encode(x=alt.X("at:T"), tooltip=tips)

    bars = [
        {
            "at": moment(timeline.first + number * timeline.bin),
            "until": moment(timeline.first + (number + 1) * timeline.bin),
            "count": count,
        }
        for number, count in enumerate(timeline.bars)
    ]
    volume = (
        alt.Chart({"values": bars})
        .mark_rect(color=_BLUE)
        .encode(
            x=alt.X("at:T", axis=alt.Axis(title=None, format="%-d %b", grid=False, tickCount=12, labelOverlap=True)),
            x2="until:T",
            y=alt.Y("count:Q", axis=None, scale=alt.Scale(type="sqrt")),
            y2=alt.Y2Datum(0),
            tooltip=[alt.Tooltip("at:T", title="From", format="%-d %b %H:%M"), alt.Tooltip("count:Q", title="Actions")],
        )
    )
    layers = [
        volume,
        marks("outage").mark_rect(color=_RED, opacity=0.35).encode(x2="until:T"),
        marks("beat").mark_rule(color=_VIOLET, strokeWidth=2),
        marks("outage").mark_rule(color=_RED, strokeWidth=2.5),
        marks("task").mark_rule(color=_GRAY, strokeWidth=1.5, strokeDash=[4, 3]),
    ]
    return alt.LayerChart(layer=[layer for layer in layers if layer.data["values"]]).properties(height=110)


# -- tables -------------------------------------------------------------------------------------------------


def _tasks(world: KnownWorld, spec: WorldSpec, package: Package | None) -> None:
    st.subheader("Tasks", anchor=False)
    if not spec.tasks:
        st.markdown(":gray[This world has no tasks yet. A task is a folder below `tasks/` with a task.yaml.]")
        return
    names = [*spec.tasks]
    rows = [
        (
            task.title,
            name,
            clock_text(package.tasks[name].start, package.manifest.zone)
            if package and name in package.tasks
            else task.start,
            counted_calls(spec.oracles.get(name, ())),
            task.hard_because,
        )
        for name, task in spec.tasks.items()
    ]
    columns = (
        Column("Task", "strong", "24%"),
        Column("Name", "code"),
        Column("Starts", "short"),
        Column("Solution", "short"),
        Column("Difficulty", "soft", "40%"),
    )
    name = st.query_params.get("task", "")
    chosen = table(
        columns, rows, key=f"tasks_{world.name}", alt="Tasks", chooses=True,
        chosen=names.index(name) if name in names else None,
    )  # fmt: skip
    if chosen is not None:
        st.query_params["task"] = names[chosen]
        st.rerun()
    if name in spec.tasks:
        _task(world, spec, name, package)
    elif name:
        near = alike(name, spec.tasks)
        st.warning(
            f"Task {plain(name)} not found" + (f". Did you mean {plain(near[0])}?" if near else ""),
            icon=":material/search_off:",
        )


def _task(world: KnownWorld, spec: WorldSpec, name: str, package: Package | None) -> None:
    task = spec.tasks[name]
    with st.container(border=True, key="task"):
        words, action = st.columns([6, 1], vertical_alignment="center")
        words.markdown(f"**{plain(task.title)}**  \n:gray[{plain(task.hard_because)}]")
        if package is not None and name in package.tasks:
            at = link_time(package.tasks[name].start, package.manifest.zone)
            link = {"world": world.name, "at": at, "as": task.actor.person}
            if action.button("See its start", icon=":material/inbox:", key="see_start", width="stretch"):
                st.switch_page(page_path("preview"), query_params=link)
        st.code(task.prompt.strip(), language=None, wrap_lines=True)
        table(_RUBRIC, _rubric(task), key="rubric", alt="What the task is judged by")
        requester = spec.people.get(task.requester.person)
        st.caption(
            f"{plain(task.actor.name or task.actor.person)} works for "
            f"{plain(requester.name if requester else task.requester.person)}, with at most {task.limits.calls} calls "
            f"and {duration_text(task.limits.sim)} of world time."
        )


def _rubric(task: Task) -> list[tuple[Cell, ...]]:
    """What earns points and what forfeits them, a row for each criterion."""
    criteria = [(name, criterion, "gate") for name, criterion in task.rubric.gates.items()]
    criteria += [(name, criterion, str(criterion.worth)) for name, criterion in task.rubric.points.items()]
    return [
        (
            name,
            TableBadge(worth, "violet") if worth == "gate" else worth,
            criterion.grader.replace("_", " "),
            criterion_sentence(criterion),
            criterion.by,
            ", ".join(criterion.needs),
        )
        for name, criterion, worth in criteria
    ]


def _people(spec: WorldSpec) -> None:
    st.subheader("People", anchor=False)
    rows = [
        (
            person.name,
            person.role,
            person.team,
            spec.people[person.manager].name if person.manager and person.manager in spec.people else "",
            person.hours,
            ", ".join(person.reads),
        )
        for person in spec.people.values()
    ]
    table(_PEOPLE, rows, key="people", alt="People")


def _outages(spec: WorldSpec, package: Package | None) -> None:
    st.subheader("Outages", anchor=False)
    if not spec.outages:
        st.markdown(":gray[Nothing breaks in this world. Outages are written in outages.yaml.]")
        return
    starts = {outage.name: outage.start for outage in package.outages} if package else {}
    zone = spec.world.clock.zone
    rows = []
    for name, outage in spec.outages.items():
        start = starts.get(name)
        begins = clock_text(start, zone) if start is not None else outage.start or f"when {outage.when}"
        what = f"{title_of_target(outage.on, spec)} {words_of(outage.mode).said}"
        rows.append((name, what, begins, duration_text(outage.lasts), outage.announced))
    table(_OUTAGES, rows, key="outages", alt="Outages")


show()
