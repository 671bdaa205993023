"""Runs: every recorded run, which of them to look at, how often each agent passes each task; and starting more."""

import csv
from collections.abc import Callable, Iterable
from datetime import datetime
from io import StringIO

import altair as alt
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from brownout.core.reward_words import reward_text
from studio.episodes.run_charts import cost_chart, cost_points, criteria_cells, criteria_chart
from studio.episodes.run_list import Run, list_runs
from studio.jobs import job_panel, list_jobs
from studio.page_frame import empty_state, header
from studio.pages import page_path
from studio.seed_words import RUN_SEED
from studio.start_options import choices
from studio.start_run_dialog import ask_to_start
from studio.tables import Cell, Column, TableBadge, TableBar, ticked_table
from studio.terminal_commands import short_path

_REFRESH_SECONDS = 3
_PAGE = 100
"""Rows of the table that are shown at a time."""
_JOBS_SHOWN = 3
_NAMED = 4
"""Criteria of a run that are named in its row."""
_MOST_COMPARED = 24
"""Runs in the matrix of criteria."""
_AGENTS_BESIDE = 3
"""Agents up to which their pass rates stand beside another picture."""
_CELL, _NARROWEST, _CELLS = 110, 56, 520
"""Pixels of a cell of the pass rates, of the narrowest, and of all in a row."""
_FILTERS = ("world", "task", "agent", "status", "outcome")
_COLUMNS = (
    "Run", "Outcome", "Reward", "Task", "Agent", "Status", "Calls", "World time", "When", "Tokens", "Cost", "Stop",
    "World", RUN_SEED, "Note",
)  # fmt: skip
_OUTCOMES = {"Passed": "green", "Failed": "red", "Ungraded": "gray"}
_LOOKS = {
    one.label: one
    for one in (
        Column("Run", "strong", "20%"), Column("Outcome"), Column("Reward"), Column("Task", width="15%"), Column("Agent"),
        Column("Status"), Column("Calls", "number"), Column("World time", "short"), Column("When", "short"),
        Column("Tokens", "number"), Column("Cost", "number"), Column("Stop"), Column("World"), Column(RUN_SEED, "number"),
        Column("Note", "soft", "20%"),
    )
}  # fmt: skip
_SHOWN_FIRST = ("Run", "Outcome", "Reward", "Task", "Agent", "Calls", "World time", "When", RUN_SEED, "Note")


def show() -> None:
    """The page."""
    row = header("Runs", (short_path(choices().runs), "gray", ":material/folder:"))
    with row:
        if st.button(
            "Start run", type="primary", icon=":material/play_arrow:", disabled=choices().read_only, key="start_run"
        ):
            ask_to_start()
    jobs = list_jobs("run")
    for job in jobs[:_JOBS_SHOWN]:
        if job.state not in ("done", "cancelled") and (not job.is_over or job == jobs[0]):
            job_panel(job)
    listing = list_runs(choices().runs)
    if not listing.runs:
        if any(not job.is_over for job in jobs):
            return
        empty_state(
            "No runs yet",
            f"Runs are read from {choices().runs}. Start one above, or in a terminal; the reference solution needs no model:",
            icon="list_alt",
            code=f"brownout run WORLD --task TASK --agent oracle --out {choices().runs}",
        )
        return
    if any(run.status == "not finished" for run in listing.runs) and any(not job.is_over for job in jobs):
        st.fragment(_body, run_every=_REFRESH_SECONDS)()
    else:
        _body()


# -- what is shown ------------------------------------------------------------------------------------------


def _body() -> None:
    runs = list_runs(choices().runs).runs
    shown = _filtered(runs)
    _figures(shown)
    if not shown:
        st.info("No run fits these filters.", icon=":material/filter_alt_off:")
        return
    _table(shown)
    _pictures(shown)


def _filtered(runs: tuple[Run, ...]) -> list[Run]:
    """The runs that fit the filters, which live in the link."""
    values: dict[str, list[str]] = {
        "world": _values(runs, "world"),
        "task": _values(runs, "task"),
        "agent": sorted({run.player for run in runs if run.result}),
        "status": sorted({run.status.replace("_", " ") for run in runs}),
        "outcome": [*_OUTCOMES],
    }
    _from_link(values)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="run_filters"):
        q = st.text_input("Search runs", type="search", live=True, key="runs_q", placeholder="Search runs", width=180)
        for name in _FILTERS:
            st.multiselect(
                name.capitalize(),
                values[name],
                key=f"runs_{name}",
                width=138,
                placeholder=f"Any {name}",
                filter_mode="contains",
            )
    chosen = {name: st.session_state[f"runs_{name}"] for name in _FILTERS}
    _to_link({**chosen, "q": q or ""})
    wanted = (q or "").casefold()
    told = _told(chosen)
    return [run for run in runs if wanted in run.id.casefold() and all(fits(run) for fits in told)]


def _told(chosen: dict[str, list[str]]) -> list[Callable[[Run], bool]]:
    reads: dict[str, Callable[[Run], str]] = {
        "world": lambda run: run.result.world if run.result else "",
        "task": lambda run: run.result.task if run.result else "",
        "agent": lambda run: run.player,
        "status": lambda run: run.status.replace("_", " "),
        "outcome": outcome_of,
    }
    return [
        lambda run, read=reads[name], wanted=wanted: read(run) in wanted  # type: ignore[misc]
        for name, wanted in chosen.items()
        if wanted
    ]


def outcome_of(run: Run) -> str:
    """`Passed`, `Failed`, or `Ungraded`."""
    return "Ungraded" if run.reward is None else "Passed" if run.resolved else "Failed"


def _from_link(values: dict[str, list[str]]) -> None:
    """Take the filters of the link, once for each link; what it names and there is not is left out."""
    state, link = st.session_state, st.query_params
    asked = {name: link.get(name, "") for name in (*_FILTERS, "q")}
    if asked == state.get("runs_told"):
        return
    for name in _FILTERS:
        state[f"runs_{name}"] = [one for one in asked[name].split(",") if one in values[name]]
    state["runs_q"] = asked["q"]


def _to_link(chosen: dict[str, list[str] | str]) -> None:
    told = {name: value if isinstance(value, str) else ",".join(value) for name, value in chosen.items()}
    for name, value in told.items():
        if value and st.query_params.get(name) != value:
            st.query_params[name] = value
        elif not value and name in st.query_params:
            del st.query_params[name]
    st.session_state["runs_told"] = {name: told.get(name, "") for name in (*_FILTERS, "q")}


def _values(runs: Iterable[Run], field: str) -> list[str]:
    return sorted({str(getattr(run.result, field)) for run in runs if run.result})


def _figures(runs: list[Run]) -> None:
    graded = [run for run in runs if run.reward is not None]
    with st.grid(5, min_column_width=112, gap="small", key="run_figures"):
        st.metric("Runs", f"{len(runs):,}", border=True)
        passed = f"{sum(run.resolved for run in graded)} of {len(graded)}" if graded else None
        st.metric("Passed", passed, border=True, help="Every gate passed and every point was earned.")
        mean = sum(run.reward or 0 for run in graded) / len(graded) if graded else None
        st.metric(
            "Mean reward", None if mean is None else f"{mean:.2f}", border=True, help="Of the runs that were graded."
        )
        st.metric("Ungraded", len(runs) - len(graded), border=True, help="Without a reward; the table says why.")
        costs = [cost for run in runs if (cost := usage_of(run)[1]) is not None]
        st.metric(
            "Cost",
            f"${sum(costs):.2f}" if costs else None,
            border=True,
            help="Of agents' and judging models, where it is known.",
        )


def _table(runs: list[Run]) -> None:
    sorted_by = _sorted_by()
    ordered = _ordered(runs, sorted_by)
    pages = max(1, -(-len(ordered) // _PAGE))
    page = min(int(st.session_state.get("runs_page") or 1), pages)
    row = st.container(horizontal=True, vertical_alignment="center", gap="small")
    row.caption("Click a run to replay it; tick two to compare them.")
    row.space("stretch")
    row.download_button(
        "CSV", lambda: _csv(ordered), "runs.csv", "text/csv", key="runs_csv", icon=":material/download:",
        on_click="ignore", help="Every column of every run that fits the filters",
    )  # fmt: skip
    with row.popover("Columns", icon=":material/view_column:"):
        columns = st.multiselect(
            "Columns",
            _COLUMNS,
            default=_SHOWN_FIRST,
            key="runs_columns",
            persist_state="session",
            label_visibility="collapsed",
            filter_mode="contains",
        )
    names = [name for name in _COLUMNS if name in columns] or [*_SHOWN_FIRST]
    shown = ordered[(page - 1) * _PAGE : page * _PAGE]
    cells = {run.id: tuple(_cell(name, value) for name, value in _row(run).items() if name in names) for run in shown}
    ticked = [name for name in st.session_state.get("runs_ticked", ()) if any(run.id == name for run in runs)]
    _follow_ticks(st.container(), ticked)
    wish = ticked_table(
        [_LOOKS[name] for name in names], cells, key="runs_table", alt="Runs", ticked=ticked, sorted_by=sorted_by,
        act="" if choices().read_only else "Run again with …",
    )  # fmt: skip
    if pages > 1:
        st.pagination(pages, key="runs_page")
    if wish.chosen:
        st.switch_page(page_path("replay"), query_params={"run": wish.chosen})
    if again := next((run for run in runs if run.id == wish.acted_on), None):
        ask_to_start(again)
    if wish.ticked:
        ticked = [name for name in ticked if name != wish.ticked] if wish.ticked in ticked else [*ticked, wish.ticked]
        st.session_state["runs_ticked"] = ticked
        st.rerun()
    if wish.sorts_by:
        st.query_params["sort"] = wish.sorts_by
        st.rerun()


def _sorted_by() -> str:
    """The column of the link by which runs stand; the newest come first where it names none."""
    asked = st.query_params.get("sort", "")
    return asked if asked.removeprefix("-") in _COLUMNS else "-When"


def _ordered(runs: list[Run], sorted_by: str) -> list[Run]:
    """Runs by a column; those that have nothing in it come last."""
    name = sorted_by.removeprefix("-")
    if name == "When":
        return sorted(runs, key=lambda run: run.changed, reverse=sorted_by.startswith("-"))
    values = {run.id: _row(run)[name] for run in runs}
    known = [run for run in runs if values[run.id] is not None]
    known.sort(key=lambda run: _rank(values[run.id]), reverse=sorted_by.startswith("-"))
    return [*known, *(run for run in runs if values[run.id] is None)]


def _rank(value: object) -> tuple[float, str]:
    return (float(value), "") if isinstance(value, int | float) else (0.0, str(value).casefold())


def _csv(runs: list[Run]) -> bytes:
    """Every column of some runs, numbers unrounded."""
    text = StringIO()
    writer = csv.DictWriter(text, _COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(_row(run) for run in runs)
    return text.getvalue().encode()


def _follow_ticks(place: DeltaGenerator, ticked: list[str]) -> None:
    """What can be done with the runs that are ticked."""
    row = place.container(horizontal=True, vertical_alignment="center", gap="small")
    if len(ticked) >= 2:
        first, second = ticked[-2:]
        if row.button(f"Compare {first} with {second}", icon=":material/compare:", type="primary", key="compare_two"):
            st.switch_page(page_path("compare"), query_params={"runs": f"{first},{second}"})
    elif ticked:
        if row.button("Replay it", icon=":material/movie:", key="replay_one"):
            st.switch_page(page_path("replay"), query_params={"run": ticked[0]})
        row.caption("Tick another one to compare them.", width="content")


def _cell(name: str, value: object) -> Cell:
    """What a column shows of its value."""
    match name, value:
        case _, None:
            return None
        case "Outcome", str():
            return TableBadge(value, _OUTCOMES[value])
        case "Reward", float() | int():
            return TableBar(reward_text(value), value)
        case "World time", float() | int():
            return f"{value:.1f} min"
        case "Cost", float() | int():
            return f"${value:.4f}"
        case "Tokens", int():
            return f"{value:,}"
        case "When", datetime():
            return f"{value.day} {value:%b %H:%M}"
        case _:
            return value if isinstance(value, int | float) else str(value)


def _row(run: Run) -> dict[str, object]:
    """What there is to say of a run, by the heading of its column."""
    result = run.result
    tokens, cost = usage_of(run)
    found: dict[str, object] = {
        "Run": run.id,
        "Outcome": outcome_of(run),
        "Reward": run.reward,
        "Task": result.task if result else None,
        "Agent": run.player or None,
        RUN_SEED: result.seed if result else None,
        "Status": run.status.replace("_", " "),
        "Note": _note(run),
        "Calls": result.steps if result else None,
        "World time": result.sim_minutes if result else None,
        "Tokens": tokens,
        "Cost": cost,
        "Stop": result.stop if result else None,
        "World": result.world if result else None,
        "When": datetime.fromtimestamp(run.changed),  # noqa: DTZ006 (the reader's own clock)
    }
    return {name: found[name] for name in _COLUMNS}


def usage_of(run: Run) -> tuple[int | None, float | None]:
    """Tokens and dollars of a run's models, the agent's and those that judged it; None where nobody knows."""
    models = [run.result.usage, *run.result.models] if run.result else []
    tokens = [
        value for one in models for name in ("input_tokens", "output_tokens") if isinstance(value := one.get(name), int)
    ]
    costs = [float(value) for one in models if isinstance(value := one.get("cost_usd"), int | float)]
    return (sum(tokens) if tokens else None), (sum(costs) if costs else None)


def _note(run: Run) -> str:
    """Why there is no reward, or what it lacks."""
    if run.why_null:
        return f"ungraded: {run.why_null}"
    ledger = run.result.ledger if run.result else []
    lost = [str(line.get("criterion")) for line in ledger if line.get("penalty") and line.get("passed")]
    unmet = [line for line in ledger if not line.get("penalty") and not line.get("passed")]
    gates = [str(line.get("criterion")) for line in unmet if line.get("gate")]
    if gates:
        return f"gate failed: {few(gates)}"
    said = [f"lacks {few(str(line.get('criterion')) for line in unmet)}"] if unmet else []
    left = [str(one["criterion"]) for one in run.result.left_out] if run.result else []
    said += [f"loses by {few(lost)}"] * bool(lost) + [f"without {few(left)}"] * bool(left)
    if run.result and run.result.answered_by:
        said.append(f"answered by {', '.join(run.result.answered_by)}")
    return "; ".join(said) or "passed"


def few(names: Iterable[str]) -> str:
    """Names in a row's breath: `told, fixed, noted and 12 more`; all of them are in Replay."""
    every = [*names]
    return ", ".join(every[:_NAMED]) + (f" and {len(every) - _NAMED} more" if len(every) > _NAMED else "")


def _pictures(runs: list[Run]) -> None:
    cells = pass_rates(runs)
    if not cells:
        return
    are_many = len({cell["agent"] for cell in cells}) > _AGENTS_BESIDE
    left, right = (st.container(), st.container()) if are_many else st.columns(2, gap="large")
    with left:
        st.subheader("Pass rate, by task and agent", anchor=False)
        with st.container(key="pass_rates", width="content"):
            st.altair_chart(matrix_chart(cells), alt="Share of passed runs for each task and agent", width="content")
    title, points = cost_points((run, *usage_of(run)) for run in runs)
    if points:
        with right:
            st.subheader(f"Reward against {title.split()[0].lower()}", anchor=False)
            st.altair_chart(cost_chart(title, points), alt=f"Reward of each run against its {title.lower()}")
    _criteria(runs)


def _criteria(runs: list[Run]) -> None:
    """Which run met which criterion, for one task."""
    tasks = _values([run for run in runs if run.reward is not None], "task")
    row = st.container(horizontal=True, vertical_alignment="center", gap="small")
    row.subheader("Criteria, by run", anchor=False, width="content")
    row.space("stretch")
    if st.session_state.get("criteria_task") not in tasks:
        st.session_state["criteria_task"] = tasks[0]
    task = row.selectbox(
        "Task of the criteria",
        tasks,
        key="criteria_task",
        label_visibility="collapsed",
        filter_mode="contains",
        width=240,
    )
    fitting = [run for run in runs if run.result is not None and run.result.task == task]
    cells = criteria_cells(fitting[:_MOST_COMPARED])
    if len(fitting) > _MOST_COMPARED:
        st.caption(f"The newest {_MOST_COMPARED} of {len(fitting)} runs.")
    st.altair_chart(criteria_chart(cells), alt=f"Which run of {task} met which criterion")


def pass_rates(runs: Iterable[Run]) -> list[dict[str, object]]:
    """How often each agent passed each task, among its graded runs."""
    found: dict[tuple[str, str], list[bool]] = {}
    for run in runs:
        if run.result is not None and run.reward is not None:
            found.setdefault((run.result.task, run.agent), []).append(run.resolved)
    return [
        {"task": task, "agent": agent, "rate": sum(each) / len(each), "label": f"{sum(each)} / {len(each)}"}
        for (task, agent), each in sorted(found.items())
    ]


def matrix_chart(cells: list[dict[str, object]]) -> alt.LayerChart | alt.FacetChart:
    """A cell for each task and agent, the greener the more often it was passed."""
    tasks, agents = {cell["task"] for cell in cells}, {cell["agent"] for cell in cells}
    width = max(min(_CELL, _CELLS // len(agents)), _NARROWEST)
    base = alt.Chart({"values": cells}).encode(
        x=alt.X(
            "agent:N",
            title=None,
            scale=alt.Scale(paddingInner=0.05),
            axis=alt.Axis(orient="top", labelAngle=0, domain=False, ticks=False, labelLimit=width),
        ),
        y=alt.Y(
            "task:N",
            title=None,
            scale=alt.Scale(paddingInner=0.12),
            axis=alt.Axis(domain=False, ticks=False, labelLimit=260, labelPadding=8),
        ),
        tooltip=["task:N", "agent:N", alt.Tooltip("rate:Q", format=".0%", title="passed"), "label:N"],
    )
    colour = alt.Color(
        "rate:Q", legend=None, scale=alt.Scale(domain=[0, 0.5, 1], range=["#D6454F", "#E0A93B", "#0E9F6E"])
    )
    boxes = base.mark_rect(cornerRadius=4, stroke="transparent").encode(
        color=colour, opacity=alt.condition("datum.rate > 0", alt.value(0.9), alt.value(0.75))
    )
    words = base.mark_text(color="white", fontWeight=600).encode(text="label:N")
    return alt.layer(boxes, words).properties(width=max(width * len(agents), 180), height=44 * len(tasks) + 36)


show()
