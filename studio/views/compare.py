"""Compare: two runs side by side, and where they part."""

from functools import lru_cache

import streamlit as st

from brownout.core.instants import local
from brownout.core.reward_words import reward_text
from brownout.core.vocabulary import alike
from studio.episodes.replay_steps import ReplayStep
from studio.episodes.run_comparison import (
    AlignedStep,
    CriterionPair,
    StateDifference,
    align,
    criteria_of,
    first_divergence,
    left_behind,
)
from studio.episodes.run_list import Run, find_run, list_runs
from studio.episodes.shown_steps import in_short
from studio.known_worlds import package_of_run
from studio.near_pages import WayOn
from studio.page_frame import empty_state, follow_run, header, plain
from studio.pages import page_path
from studio.serving.run_routes import events_of_run, paths_of_run, steps_of_run
from studio.start_options import choices
from studio.tables import Cell, Column, TableBadge, TableHint, table

_MOST_ROWS = 400
_MOST_STATE = 120
_REFRESH_SECONDS = 1.0
_CRITERIA = (
    Column("Criterion", "strong"), Column(""), Column("First", "short"), Column("Second", "short"),
    Column("Why the first", "soft", "32%"), Column("Why the second", "soft", "32%"),
)  # fmt: skip
_STEPS = (
    Column("First at", "short"), Column("First run", width="38%"), Column(""), Column("Second at", "short"),
    Column("Second run", width="38%"),
)  # fmt: skip
_LEFT = (
    Column("What", "strong", "30%"), Column("Field"), Column("First", width="25%"), Column("Second", width="25%"),
    Column("Touched by", "soft"),
)  # fmt: skip


def show() -> None:
    """The page."""
    row = header("Compare")
    runs = list_runs(choices().runs).runs
    if len(runs) < 2:
        empty_state("Nothing to compare yet", f"There are fewer than two runs in {choices().runs}.", icon="compare")
        return
    named = [name for name in st.query_params.get("runs", "").split(",") if name]
    missing = [name for name in named if find_run(choices().runs, name) is None]
    if missing:
        ways = [
            WayOn(
                f"Compare with {one}",
                "compare",
                {"runs": ",".join([*(each for each in named if each not in missing), one])},
            )
            for one in alike(missing[0], [run.id for run in runs])
        ]
        empty_state(
            f"Run {missing[0]} not found", f"There is no such run in {choices().runs}.", icon="search_off", ways=ways
        )
        return
    first, second = _choose(runs, named)
    with row:
        can_swap = first is not None and second is not None
        st.button("Swap", icon=":material/swap_horiz:", key="swap", disabled=not can_swap, on_click=_swap)
    if first is None or second is None:
        st.markdown(":gray[Choose two runs; two of the same task say most.]")
        return
    st.query_params["runs"] = f"{first.id},{second.id}"
    follow_run(first)
    if first.result and second.result and first.result.task != second.result.task:
        st.warning("These runs are of different tasks.", icon=":material/warning:")
    _scores(first, second)
    _parting(first, second)
    parts = {"Criteria": _criteria, "Steps": _steps, "State difference": _state}
    for place, part in zip(
        st.tabs([*parts], key="part", on_change="rerun", bind="query-params"), parts.values(), strict=True
    ):
        with place:
            if place.open:
                part(first, second)


def _swap() -> None:
    state = st.session_state
    state["compare_first"], state["compare_second"] = state["compare_second"], state["compare_first"]


def _choose(runs: tuple[Run, ...], named: list[str]) -> tuple[Run | None, Run | None]:
    known = {run.id: run for run in runs}
    ids = [*known]
    for number, key in enumerate(("compare_first", "compare_second")):
        if key not in st.session_state and number < len(named):
            st.session_state[key] = named[number]
    left, right = st.columns(2)
    one = left.selectbox(
        "First run",
        ids,
        index=None,
        key="compare_first",
        placeholder="Choose a run",
        filter_mode="contains",
        format_func=lambda name: _label(known[name]),
    )
    task = _task(known.get(one or ""))
    others = sorted((name for name in ids if name != one), key=lambda name: _task(known[name]) != task)
    if st.session_state.get("compare_second") == one:
        st.session_state["compare_second"] = None
    same = [name for name in others if task and _task(known[name]) == task]
    if one and len(same) == 1 and not st.session_state.get("compare_second"):
        st.session_state["compare_second"] = same[0]
    two = right.selectbox(
        "Second run",
        others,
        index=None,
        key="compare_second",
        placeholder="Choose a run",
        filter_mode="contains",
        format_func=lambda name: _label(known[name]),
    )
    return known.get(one or ""), known.get(two or "")


def _task(run: Run | None) -> str:
    return run.result.task if run is not None and run.result is not None else ""


def _label(run: Run) -> str:
    reward = "ungraded" if run.reward is None else reward_text(run.reward)
    return f"{run.id} ({reward})"


def _scores(first: Run, second: Run) -> None:
    with st.grid(4, min_column_width=150, gap="small", key="compare_figures"):
        one, two = first.reward, second.reward
        delta = None if one is None or two is None else f"{two - one:+.2f}"
        st.metric("Reward", f"{_reward(one)} → {_reward(two)}", delta=delta, border=True, height="stretch")
        a, b = first.result, second.result
        if a and b:
            st.metric("Calls", f"{a.steps} → {b.steps}", delta=b.steps - a.steps, delta_color="off", border=True)
            st.metric(
                "World time",
                f"{a.sim_minutes:.0f} → {b.sim_minutes:.0f} min",
                delta=f"{b.sim_minutes - a.sim_minutes:+.0f} min",
                delta_color="off",
                border=True,
            )
            flips = sum(pair.flipped for pair in criteria_of(a.ledger, b.ledger))
            st.metric(
                "Criteria flipped", flips, border=True, height="stretch", help="One run met them, the other did not."
            )


def _reward(reward: float | None) -> str:
    return "–" if reward is None else reward_text(reward)


# -- criteria -----------------------------------------------------------------------------------------------


def _criteria(first: Run, second: Run) -> None:
    if first.result is None or second.result is None:
        st.markdown(":gray[A run that has not ended was not judged.]")
        return
    pairs = criteria_of(first.result.ledger, second.result.ledger)
    only = st.toggle("Flips only", key="flips_only", bind="query-params", value=any(pair.flipped for pair in pairs))
    shown = [pair for pair in pairs if pair.flipped or not only]
    if not shown:
        st.markdown(":gray[No criterion flipped.]")
        return
    table(_CRITERIA, [_criterion(pair) for pair in shown], key="compare_criteria", alt="Criteria of both runs")


def _criterion(pair: CriterionPair) -> tuple[Cell, ...]:
    return (
        pair.name,
        TableBadge("flipped", "orange") if pair.flipped else "",
        pair.first,
        pair.second,
        pair.reasons[0],
        pair.reasons[1],
    )


# -- steps --------------------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _aligned(first: str, second: str, changed: tuple[float, float]) -> list[AlignedStep]:
    """The steps of two runs beside each other, as long as neither has changed."""
    return align(steps_of_run(first), steps_of_run(second))


def _rows(first: Run, second: Run) -> list[AlignedStep]:
    return _aligned(first.id, second.id, (first.changed, second.changed))


def _parting(first: Run, second: Run) -> None:
    """Where the runs part, which is what most people come for."""
    rows = _rows(first, second)
    parting = first_divergence(rows)
    if parting is None:
        st.success("Both agents did the same to the end.", icon=":material/check:")
    else:
        _divergence(rows[parting], first, second, _zone(first))


def _steps(first: Run, second: Run) -> None:
    rows = _rows(first, second)
    zone = _zone(first)
    parting = first_divergence(rows)
    same = sum(row.same for row in rows)
    st.caption(
        f"{len(rows)} rows, {same} the same. Equal calls stand in one row, the others in the order of world time."
    )
    chosen = table(
        _STEPS, [_row(row, number == parting, zone) for number, row in enumerate(rows[:_MOST_ROWS])],
        key="compare_steps", alt="Steps of both runs", chooses=True, chosen=parting, height=520,
    )  # fmt: skip
    if len(rows) > _MOST_ROWS:
        st.caption(f"The first {_MOST_ROWS} rows are shown.")
    if chosen is not None:
        step, run = (rows[chosen].first, first) if rows[chosen].first else (rows[chosen].second, second)
        if step is not None:
            st.switch_page(page_path("replay"), query_params={"run": run.id, "step": str(step.number)})


def _divergence(row: AlignedStep, first: Run, second: Run, zone: str) -> None:
    with st.container(border=True, gap="small", key="first_divergence"):
        when = local(row.at, zone).strftime("%a %H:%M:%S")
        st.markdown(f"**First divergence** :gray[at {when} world time]")
        for column, step, run in zip(st.columns(2), (row.first, row.second), (first, second), strict=True):
            with column:
                if step is None:
                    st.markdown(f":gray[{plain(run.id)} does nothing here.]")
                    continue
                st.markdown(f"{plain(step.title)} :gray[{plain(in_short(step).about)}]")
                st.page_link(
                    page_path("replay"), label=f"Open at step {step.number}", icon=":material/movie:",
                    query_params={"run": run.id, "step": str(step.number)},
                )  # fmt: skip


def _row(row: AlignedStep, is_first: bool, zone: str) -> tuple[Cell, ...]:
    sign = (
        TableBadge("same")
        if row.same
        else TableBadge("parts here", "orange")
        if is_first
        else TableBadge("differs", "blue")
    )
    return (_when(row.first, zone), _said(row.first), sign, _when(row.second, zone), _said(row.second))


def _when(step: ReplayStep | None, zone: str) -> str:
    return "" if step is None else local(step.at, zone).strftime("%H:%M:%S")


def _said(step: ReplayStep | None) -> str:
    if step is None:
        return ""
    return f"{step.title} · {in_short(step).about}" + (" · error" if step.is_error else "")


def _zone(run: Run) -> str:
    package = package_of_run(run.folder, run.result.package, run.result) if run.result else None
    return package.manifest.zone if package else "UTC"


# -- state --------------------------------------------------------------------------------------------------


def _state(first: Run, second: Run) -> None:
    paths = tuple(paths_of_run(run.id) for run in (first, second))
    if None in paths:
        st.fragment(_follow_names, run_every=_REFRESH_SECONDS)(first, second)
    ours, theirs = (one or {} for one in paths)
    found = left_behind(events_of_run(first.id), events_of_run(second.id), (ours, theirs))
    if not found:
        st.markdown(":gray[Both left the world in the same state.]")
        return
    by_agents = sum(one.by_agent for one in found)
    st.caption(
        f"{len(found)} rows of the world differ at the end, {by_agents} of them changed by an agent; those stand first."
        + (f" The first {_MOST_STATE} are shown." if len(found) > _MOST_STATE else "")
    )
    zone = _zone(first)
    rows = [row for one in found[:_MOST_STATE] for row in _left_rows(one, zone)]
    table(_LEFT, rows, key="compare_state", alt="What differs at the end", height=520)


def _follow_names(first: Run, second: Run) -> None:
    """Look again whether it is known what the runs changed, and show it then."""
    st.caption(":material/hourglass_empty: Finding out what the world calls what these runs changed …")
    if all(paths_of_run(run.id) is not None for run in (first, second)):
        st.rerun()


def _left_rows(one: StateDifference, zone: str) -> list[tuple[Cell, ...]]:
    """A line for each field that differs, the first with the name; one for what only one of the runs has."""
    name = TableHint(one.name, one.place)
    if one.made_by:
        ends = ("made", "not there")
        return [(name, "", *(ends if one.made_by == "first" else ends[::-1]), one.made_by)]
    by = " and ".join(one.by)
    return [
        (
            "" if number else name,
            field.removesuffix("_us").replace("_", " "),
            *(_state_text(field, each, zone) for each in ends),
            by,
        )
        for number, (field, *ends) in enumerate(one.fields)
    ]


def _state_text(field: str, value: str | None, zone: str) -> str:
    """A field's value as people read it: moments, which rows have in microseconds, on the company's clock."""
    if value and field.endswith("_us") and value.isdecimal():
        return local(int(value), zone).strftime("%-d %b %H:%M:%S")
    return value or ""


show()
