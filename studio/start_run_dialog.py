"""The dialog that starts runs: of any task by any agent, or filled in with what a run was played with."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from studio.episodes.run_list import Run
from studio.episodes.run_start import RunRequest, agents_for, cases_for, last_task, last_world, request_of, start_run
from studio.escaped_markdown import plain
from studio.jobs import JobRefused
from studio.known_worlds import KnownWorld, find_world, known_worlds, package_of
from studio.pages import page_path
from studio.seed_words import RUN_SEED, RUN_SEED_SAYS
from studio.start_options import choices
from studio.terminal_commands import terminal_command
from worlds.package import Package

__all__ = ["ask_to_start", "run_again_button", "start_run_button"]


def ask_to_start(again: Run | None = None, *, task: str = "") -> None:
    """Open the dialog.

    Args:
        again: the run whose task, agent and seed it begins with; None begins with what was chosen last.
        task: of the chosen world, that it begins with where no run is named.
    """
    if again is None or again.result is None:
        world = find_world(str(st.session_state.get("world", "")))
        wanted = RunRequest(task, "oracle") if task and world is not None else None
        st.dialog("Start run", width="medium")(_start)(wanted, world if wanted else None)
        return
    world = find_world(again.result.world) if again.result.world else None
    st.dialog(f"Run {plain(again.id)} again with …", width="medium")(_start)(request_of(again.result), world)


def start_run_button(place: DeltaGenerator, *, task: str, is_built: bool) -> None:
    """The button that opens the dialog with a task of the chosen world."""
    if place.button(
        "Start run", icon=":material/play_arrow:", key="start_run", disabled=not is_built or choices().read_only,
        help="Lets the reference solution, or another agent, play the chosen task" if is_built else "Build the world first",
    ):  # fmt: skip
        ask_to_start(task=task)


def run_again_button(run: Run) -> None:
    """The button that opens the dialog with a run; it cannot be pressed where its world is not here."""
    world = find_world(run.result.world) if run.result is not None and run.result.world else None
    if st.button(
        "Run again with …", icon=":material/replay:", type="tertiary", key="run_again", disabled=world is None or choices().read_only,
        help="The same task, with another agent or run seed or the same" if world is not None
        else "The world that it was played in is not here",
    ):  # fmt: skip
        ask_to_start(run)


def _start(again: RunRequest | None, played_in: KnownWorld | None) -> None:
    worlds = known_worlds()
    names = [*worlds]
    if again is not None and played_in is None:
        st.markdown(":orange[:material/info:] The world that it was played in is not here; choose another.")
    last = played_in.name if played_in is not None else last_world(names, st.session_state.get("world"))
    name = st.selectbox("World", names, index=names.index(last), key="start_world", filter_mode="contains")
    world, package = worlds[name], package_of(worlds[name])
    if package is None:
        st.markdown(f"{plain(name)} is not built yet.")
        st.page_link(page_path("overview"), label="Build it in Overview", query_params={"world": name})
        return
    if not package.tasks:
        st.markdown(f"{plain(name)} has no tasks yet; an agent plays a task.")
        st.page_link(page_path("tasks"), label="Add one in Tasks", query_params={"world": name})
        return
    wanted = _wanted(world, package, again)
    if wanted:
        st.caption("The same in a terminal:")
        st.code("\n".join(terminal_command(one.arguments(world)) for one in wanted), language=None, wrap_lines=True)
    if st.button(
        f"Start {len(wanted)} runs" if len(wanted) > 1 and all(one.episodes == 1 for one in wanted) else "Start",
        type="primary",
        icon=":material/play_arrow:",
        key="start_go",
        disabled=not wanted or any(one.agent == "llm" and not one.model for one in wanted),
    ):
        _go(world, wanted)


def _wanted(world: KnownWorld, package: Package, again: RunRequest | None) -> list[RunRequest]:
    """Who shall play what: a request for each agent that is chosen."""
    tasks = [*package.tasks]
    first = again.task if again is not None and again.task in tasks else last_task(world, package)
    if again is not None and again.task not in tasks:
        st.markdown(f":orange[:material/info:] The task {plain(again.task)} is in this world no more; choose another.")
    task = st.selectbox(
        "Task", tasks, index=tasks.index(first), format_func=lambda one: package.tasks[one].title, key="start_task",
        filter_mode="contains",
    )  # fmt: skip
    agents = agents_for(package, task)
    chosen = st.multiselect(
        "Agents",
        [*agents],
        default=[again.agent] if again is not None and again.agent in agents else [*agents][:1],
        format_func=lambda one: agents.get(one, one),
        key="start_agents",
        help="Each plays the task by itself.",
        filter_mode="contains",
    )
    scripts = {agent: _script(package, task, agent, again) for agent in chosen}
    endpoint = _endpoint(again) if "llm" in chosen else ()
    left, right = st.columns(2)
    episodes = left.number_input(
        "Episodes", min_value=1, max_value=1000, value=1, key="start_episodes",
        help="How often each agent plays it, each time with the next run seed.",
    )  # fmt: skip
    seed = right.number_input(
        RUN_SEED, min_value=0, value=again.seed if again is not None else 0, key="start_seed",
        help=f"{RUN_SEED_SAYS} It is the first episode's; the others follow it.",
    )  # fmt: skip
    return [
        RunRequest(task, agent, int(episodes), int(seed), scripts[agent], *(endpoint if agent == "llm" else ()))
        for agent in chosen
    ]


def _endpoint(again: RunRequest | None) -> tuple[str, str, str]:
    """A model, its endpoint, and the variable that holds its key."""
    was = again if again is not None and again.agent == "llm" else RunRequest("", "llm")
    model = st.text_input("Model", was.model, key="start_model", placeholder="openai/NAME", help="As litellm names it.")
    left, right = st.columns(2)
    base_url = left.text_input(
        "Endpoint",
        was.base_url,
        key="start_endpoint",
        placeholder="http://127.0.0.1:8000/v1",
        help="OpenAI-compatible; empty for the provider's own.",
    )
    key_env = right.text_input(
        "Key in variable",
        was.key_env,
        key="start_key",
        placeholder="OPENAI_API_KEY",
        help="The environment variable that holds the key; the key itself is never asked for.",
    )
    return model.strip(), base_url.strip(), key_env.strip()


def _script(package: Package, task: str, agent: str, again: RunRequest | None) -> str:
    """What an agent that plays by a script plays, and what one that does nothing submits; empty for others."""
    was = again.case if again is not None and again.agent == agent else ""
    if cases := cases_for(package, task, agent):
        first = cases.index(was) if was in cases else 0
        return str(
            st.selectbox(f"Script of {agent}", cases, index=first, key=f"start_case_{agent}", filter_mode="contains")
        )
    if agent == "noop":
        return st.text_input("noop submits", was, key="start_answer", placeholder="nothing")
    return ""


def _go(world: KnownWorld, wanted: list[RunRequest]) -> None:
    try:
        for one in wanted:
            start_run(world, one)
    except JobRefused as error:
        st.error(plain(str(error)))
    else:
        st.switch_page(page_path("runs"))  # where it is seen to go on
