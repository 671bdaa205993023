"""Replay: one run, step by step: what the agent did and saw, what it changed, what it was worth."""

import streamlit as st

from brownout.annotations import read_taxonomy
from brownout.core.errors import UsageError
from brownout.core.reward_words import reward_text
from brownout.core.vocabulary import alike
from studio.episodes.annotation_context import annotations, likely_author
from studio.episodes.run_charts import waterfall_bars, waterfall_chart
from studio.episodes.run_list import Run, find_run, list_runs
from studio.known_worlds import find_world, package_of_run
from studio.near_pages import WayOn
from studio.page_frame import Badge, empty_state, follow_run, header, plain
from studio.pages import page_path
from studio.panes import replay_pane
from studio.seed_words import RUN_SEED_SAYS
from studio.serving.request_guard import TOKEN
from studio.start_options import choices
from studio.start_run_dialog import run_again_button

_PANE = "replay_pane"
_TABS = ("change", "saw", "reward")
"""Parts of the right column that a link can name."""


def show() -> None:
    """The page."""
    name = st.query_params.get("run") or st.session_state.get("replay_run", "")
    follow_run(find_run(choices().runs, name) if name else None)
    if not name:
        _choose()
        return
    run = find_run(choices().runs, name)
    if run is None:
        header("Replay")
        near = alike(name, [one.id for one in list_runs(choices().runs).runs])
        ways = [WayOn(f"Replay {one}", "replay", {"run": one}) for one in near]
        empty_state(f"Run {name} not found", f"There is no such run in {choices().runs}.", icon="search_off", ways=ways)
        return
    st.session_state["replay_run"] = name
    if "run" not in st.query_params:
        st.query_params["run"] = name
    row = header(run.id, *_badges(run))
    with row:
        _annotate_switch()
        run_again_button(run)
        st.page_link(page_path("compare"), label="Compare", icon=":material/compare:", query_params={"runs": run.id})
    _task(run)
    if run.problem:
        st.error(plain(run.problem), icon=":material/broken_image:")
    elif run.reward is None:
        st.markdown(f":orange[:material/do_not_disturb_on:] **No reward.** {plain(run.why_null)}")
    _steps(run)
    _waterfall(run)


def _waterfall(run: Run) -> None:
    """Where its reward came from, criterion by criterion."""
    bars = waterfall_bars(run.result.ledger) if run.result is not None and run.reward is not None else []
    if bars:
        with st.expander("Where the reward came from", icon=":material/waterfall_chart:", on_change="rerun") as place:
            if place.open:
                st.altair_chart(waterfall_chart(bars), alt="Points of each criterion, one after the other")


def _annotate_switch() -> None:
    """The mode in which steps are annotated; links that come from a queue have it on."""
    if "annotate" in st.query_params:
        st.session_state["annotate_on"] = st.query_params["annotate"] == "1"
    if st.toggle("Annotate", key="annotate_on", persist_state="session", disabled=choices().read_only):
        st.query_params["annotate"] = "1"
    elif "annotate" in st.query_params:
        del st.query_params["annotate"]


def _annotating() -> dict[str, object] | None:
    """What the pane needs in order to annotate, None where it is not to."""
    if not st.session_state.get("annotate_on") or choices().read_only:
        return None
    try:
        taxonomy = read_taxonomy(annotations().folder)
    except UsageError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None
    return {
        "author": st.session_state.get("annotator") or likely_author(),
        "queue": st.query_params.get("queue", ""),
        "taxonomy": taxonomy.id,
        "labels": [one.model_dump() for one in taxonomy.labels],
    }


def _next_run() -> None:
    """Open the next run of the queue."""
    wanted = (st.session_state[_PANE].get("next") or {}).get("run", "")
    if wanted:
        st.query_params["run"] = str(wanted)
        st.query_params["step"] = "1"
        st.session_state["replay_wanted"] = True


def _task(run: Run) -> None:
    """What the agent was asked, folded away until somebody wants to know."""
    package = package_of_run(run.folder, run.result.package, run.result) if run.result else None
    if run.result is None or package is None or run.result.task not in package.tasks:
        return
    task = package.tasks[run.result.task]
    with st.expander(plain(task.title), icon=":material/assignment:"):
        st.markdown(f":gray[Difficulty:] {plain(task.hard_because)}")
        st.text(task.prompt)


def _choose() -> None:
    """No run was named: offer the latest ones."""
    header("Replay")
    runs = list_runs(choices().runs).runs[:8]
    if not runs:
        empty_state("No run to replay", f"There are no runs in {choices().runs} yet.", icon="movie")
        return
    with st.container(border=True, key="choose_run"):
        st.markdown("**Choose a run**  \n:gray[The latest ones; all of them are under Runs.]")
        rows = st.container(gap=None)
        for run in runs:
            reward = f"null, {run.why_null}" if run.reward is None else reward_text(run.reward)
            label = f"{plain(run.id)} :gray[reward {plain(reward)}]"
            if rows.button(label, key=f"replay_{run.id}", type="tertiary", icon=":material/movie:"):
                st.switch_page(page_path("replay"), query_params={"run": run.id})


def _badges(run: Run) -> list[Badge]:
    badges: list[Badge] = []
    if run.reward is not None:
        badges.append(
            (f"reward {reward_text(run.reward)}", "green" if run.resolved else "orange" if run.reward else "red", "")
        )
    else:
        badges.append(("no reward", "gray", ":material/do_not_disturb_on:", run.why_null))
    if run.result is not None and run.result.answered_by:
        was = "no reward" if run.result.before is None else reward_text(run.result.before)
        badges.append(
            (f"answered by {', '.join(run.result.answered_by)}, was {was}", "violet", ":material/how_to_reg:")
        )
    if run.result is not None:
        badges.append((f"{run.result.world} / {run.result.task}", "blue", ""))
        badges.append((f"{run.player} · run seed {run.result.seed}", "gray", "", RUN_SEED_SAYS))
    if run.status != "ok":
        badges.append((run.status.replace("_", " "), "red" if run.status != "not finished" else "orange", ""))
    return badges


@st.fragment
def _steps(run: Run) -> None:
    world = run.result.world if run.result else ""
    known = find_world(world)
    replay_pane(
        key=_PANE,
        data={
            "token": TOKEN,
            "run": run.id,
            "stamp": run.changed,
            "preview": f"/preview?world={known.name}" if known else "",
            "jump": _jump(run),
            "annotate": _annotating(),
        },
        on_next_change=_next_run,
    )
    if st.session_state.pop("replay_wanted", False):
        st.rerun()


def _jump(run: Run) -> dict[str, int | str]:
    """Where the pane is to begin, 0 where it was last, and a number that changes only when the link was changed outside of it.

    The pane writes where it stands into the browser's address itself; what is seen of the link here is what the page was opened
    with.
    """
    state = st.session_state
    given, tab = st.query_params.get("step", ""), st.query_params.get("tab", "")
    step = int(given) if given.isdigit() else 0
    if (run.id, step) != state.get("replay_told"):
        state["replay_told"] = (run.id, step)
        state["replay_rev"] = state.get("replay_rev", 0) + bool(step)
    return {"rev": state.get("replay_rev", 0), "step": step, "tab": tab if tab in _TABS else ""}


show()
