"""Runs: every recorded run, which of them to look at, and how often each agent solves each task."""

from collections.abc import Iterable
from datetime import datetime

import altair as alt
import streamlit as st

from studio.episodes.listing import Run, list_runs
from studio.frame import empty_state, header, page_path
from studio.options import choices

_REFRESH_SECONDS = 4
_MOST = 5_000
"""How many rows the table holds; the filters reach all of them."""


def show() -> None:
    """The page."""
    listing = list_runs(choices().runs)
    header("Runs", (str(choices().runs), "gray", ":material/folder:"))
    if not listing.runs:
        empty_state(
            "No runs yet",
            f"Runs are read from {choices().runs}. The reference solution needs no model:",
            icon="list_alt",
            code=f"brownout run WORLD --task TASK --agent oracle --out {choices().runs}",
        )
        return
    if any(run.status == "not finished" for run in listing.runs):
        st.fragment(_body, run_every=_REFRESH_SECONDS)()
    else:
        _body()


def _body() -> None:
    runs = list_runs(choices().runs).runs
    shown = _filtered(runs)
    _figures(shown)
    if not shown:
        st.info("No run fits these filters.", icon=":material/filter_alt_off:")
        return
    _table(shown)
    _matrix(shown)


def _filtered(runs: tuple[Run, ...]) -> list[Run]:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="run_filters"):
        q = st.text_input("Search runs", type="search", live=True, key="runs_q", placeholder="Search runs", width=240)
        worlds = st.multiselect("World", _values(runs, "world"), key="runs_world", width=180, placeholder="Any world")
        tasks = st.multiselect("Task", _values(runs, "task"), key="runs_task", width=220, placeholder="Any task")
        agents = st.multiselect("Agent", _values(runs, "agent"), key="runs_agent", width=180, placeholder="Any agent")
        states = sorted({run.status for run in runs})
        status = st.multiselect("Status", states, key="runs_status", width=180, placeholder="Any status")
    wanted = (q or "").casefold()

    def fits(run: Run) -> bool:
        result = run.result
        named = (not worlds or (result and result.world in worlds)) and (not tasks or (result and result.task in tasks))
        by = not agents or (result and result.agent in agents)
        return bool(named and by and (not status or run.status in status) and wanted in run.id.casefold())

    return [run for run in runs if fits(run)]


def _values(runs: Iterable[Run], field: str) -> list[str]:
    return sorted({str(getattr(run.result, field)) for run in runs if run.result})


def _figures(runs: list[Run]) -> None:
    graded = [run for run in runs if run.reward is not None]
    with st.grid(4, min_column_width=140, gap="small", key="run_figures"):
        st.metric("Runs", f"{len(runs):,}", border=True)
        solved = f"{sum(run.resolved for run in graded)} of {len(graded)}" if graded else None
        st.metric("Solved", solved, border=True, help="Every gate held and every point was earned.")
        mean = sum(run.reward or 0 for run in graded) / len(graded) if graded else None
        st.metric(
            "Mean reward", None if mean is None else f"{mean:.2f}", border=True, help="Of the runs that were graded."
        )
        st.metric("Reward null", len(runs) - len(graded), border=True, help="Not judged; the table says why.")


def _table(runs: list[Run]) -> None:
    rows = [_row(run) for run in runs[:_MOST]]
    st.caption("Click a run to replay it." + (f" The newest {_MOST:,} are shown." if len(runs) > _MOST else ""))
    chosen = st.dataframe(
        rows,
        hide_index=True,
        on_select="rerun",
        selection_mode=["single-row", "single-cell"],
        key="runs_table",
        alt="Runs",
        column_config={
            "Reward": st.column_config.NumberColumn(format="%.2f", width="small"),
            "Steps": st.column_config.NumberColumn(width="small"),
            "Seed": st.column_config.NumberColumn(width="small"),
            "World time": st.column_config.NumberColumn(format="%.1f min", width="small"),
            "When": st.column_config.DatetimeColumn(format="D MMM HH:mm", width="small"),
            "Run": st.column_config.TextColumn(width="medium"),
            "Note": st.column_config.TextColumn(width="medium"),
        },
    )
    picked = [*chosen.selection.rows, *(row for row, _ in chosen.selection.cells)]
    if picked:
        st.switch_page(page_path("replay"), query_params={"run": runs[picked[0]].id})


def _row(run: Run) -> dict[str, object]:
    result = run.result
    return {
        "Run": run.id,
        "Task": result.task if result else None,
        "Agent": result.agent if result else None,
        "Seed": result.seed if result else None,
        "Status": run.status.replace("_", " "),
        "Reward": run.reward,
        "Note": _note(run),
        "Steps": result.steps if result else None,
        "Stop": result.stop if result else None,
        "World time": result.sim_minutes if result else None,
        "When": datetime.fromtimestamp(run.changed),  # noqa: DTZ006 (the reader's own clock)
    }


def _note(run: Run) -> str:
    """Why there is no reward, or what it lacks."""
    if run.why_null:
        return f"null: {run.why_null}"
    ledger = run.result.ledger if run.result else []
    lost = [str(line.get("criterion")) for line in ledger if line.get("penalty") and line.get("passed")]
    unmet = [line for line in ledger if not line.get("penalty") and not line.get("passed")]
    gates = [str(line.get("criterion")) for line in unmet if line.get("gate")]
    if gates:
        return f"gate failed: {', '.join(gates)}"
    said = [f"lacks {', '.join(str(line.get('criterion')) for line in unmet)}"] if unmet else []
    left = [str(one["criterion"]) for one in run.result.left_out] if run.result else []
    said += [f"loses by {', '.join(lost)}"] * bool(lost) + [f"without {', '.join(left)}"] * bool(left)
    return "; ".join(said) or "solved"


def _matrix(runs: list[Run]) -> None:
    cells = pass_rates(runs)
    if not cells:
        return
    st.subheader("Solved, by task and agent", anchor=False)
    st.altair_chart(matrix_chart(cells), alt="Share of solved runs for each task and agent", width="content")


def pass_rates(runs: Iterable[Run]) -> list[dict[str, object]]:
    """How often each agent solved each task, among its graded runs."""
    found: dict[tuple[str, str], list[bool]] = {}
    for run in runs:
        if run.result is not None and run.reward is not None:
            found.setdefault((run.result.task, run.result.agent), []).append(run.resolved)
    return [
        {"task": task, "agent": agent, "rate": sum(each) / len(each), "label": f"{sum(each)} / {len(each)}"}
        for (task, agent), each in sorted(found.items())
    ]


def matrix_chart(cells: list[dict[str, object]]) -> alt.LayerChart | alt.FacetChart:
    """A cell for each task and agent, the greener the more often it was solved."""
    tasks, agents = {cell["task"] for cell in cells}, {cell["agent"] for cell in cells}
    base = alt.Chart({"values": cells}).encode(
        x=alt.X(
            "agent:N",
            title=None,
            scale=alt.Scale(paddingInner=0.05),
            axis=alt.Axis(orient="top", labelAngle=0, domain=False, ticks=False, labelLimit=110),
        ),
        y=alt.Y(
            "task:N",
            title=None,
            scale=alt.Scale(paddingInner=0.12),
            axis=alt.Axis(domain=False, ticks=False, labelLimit=260, labelPadding=8),
        ),
        tooltip=["task:N", "agent:N", alt.Tooltip("rate:Q", format=".0%", title="solved"), "label:N"],
    )
    colour = alt.Color(
        "rate:Q", legend=None, scale=alt.Scale(domain=[0, 0.5, 1], range=["#D6454F", "#E0A93B", "#0E9F6E"])
    )
    boxes = base.mark_rect(cornerRadius=4, stroke="transparent").encode(
        color=colour, opacity=alt.condition("datum.rate > 0", alt.value(0.9), alt.value(0.75))
    )
    words = base.mark_text(color="white", fontWeight=600).encode(text="label:N")
    return alt.layer(boxes, words).properties(width=max(110 * len(agents), 180), height=44 * len(tasks) + 36)


show()
