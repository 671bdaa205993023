"""Check: whether a world's text is sound and its rewards can be trusted, with what to do where they cannot."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from brownout.core.errors import Mistake
from brownout.core.values import Json, objects_in
from brownout.qa import TIERS
from studio.authoring.problems import TextProblem, problems_of
from studio.escaped_markdown import plain
from studio.jobs import Job, job_panel, latest_job, start_or_say
from studio.known_worlds import KnownWorld, built_state, package_of, read_text
from studio.page_frame import chosen_world, world_header
from studio.problem_links import problem_rows, problems_button
from studio.qa_results import RULES, failed_runs, keeping_results, last_check
from studio.start_options import choices
from studio.terminal_commands import terminal_command
from studio.unsaved_texts import unsaved_of
from worlds.package import Package

_SEEDS = 20
_STATES = {
    True: ("Passed", "green", ":material/check_circle:"),
    False: ("Failed", "red", ":material/error:"),
    None: ("Nothing to check", "gray", ":material/remove:"),
}


def show() -> None:
    """The page."""
    world = chosen_world("Check")
    package = package_of(world)
    actions = world_header("Check", world, read_text(world), package)
    _text(world)
    _rewards(world, package, actions)


# -- the text -----------------------------------------------------------------------------------------------


def _text(world: KnownWorld) -> None:
    problems = problems_of(world)
    row = st.container(horizontal=True, vertical_alignment="center")
    row.subheader("Text", anchor=False, width="content")
    with row:
        _text_state(world, problems)
        if unsaved := unsaved_of(world).said:
            st.markdown(f":orange[:material/edit_note: {plain(unsaved)}; this is what is on disk]", width="content")
    row.space("stretch")
    job = latest_job("validate", folder=str(world.folder))
    if row.button(
        f"Try {_SEEDS} world seeds",
        icon=":material/casino:",
        key="try_seeds",
        disabled=choices().read_only or (job is not None and not job.is_over),
        help="Reads the text with each of them: what is drawn of it (people, days, figures) is drawn anew",
    ):
        words = ["validate", str(world.folder), "--seeds", str(_SEEDS), "--json"]
        start_or_say("validate", f"Check {world.name} with {_SEEDS} world seeds", words, folder=str(world.folder))
    if problems:
        _problems(world, problems)
    else:
        st.markdown(":gray[Every file can be read, every name names something, every time is in the calendar.]")
    if job is not None:
        _seeds(job)


def _text_state(world: KnownWorld, problems: Sequence[TextProblem]) -> None:
    if errors := _mistakes(problems, "error"):
        problems_button(world.name, errors[0], len(errors), key="check")
    elif problems:
        hints = f"{len(problems)} hint{'s' if len(problems) > 1 else ''}"
        st.badge(f"Valid, {hints}", color="orange", icon=":material/lightbulb:")
    else:
        st.badge("Valid", color="green", icon=":material/check:")


def _mistakes(problems: Sequence[TextProblem], severity: str) -> list[Mistake]:
    return [Mistake(one.file, one.line, one.message) for one in problems if one.severity == severity]


def _problems(world: KnownWorld, problems: Sequence[TextProblem]) -> None:
    with st.container(border=True, gap="small", key="check_problems"):
        for severity in ("error", "warning"):
            problem_rows(world.name, _mistakes(problems, severity), key=f"check_{severity}", severity=severity)


def _seeds(job: Job) -> None:
    """How the last check with several seeds went."""
    if job.state != "done" and not isinstance(job.result, dict):
        job_panel(job)
        return
    result = job.result
    if not isinstance(result, dict):
        return
    found = [one for name in ("mistakes", "warnings") for one in objects_in(result.get(name))]
    if not found:
        st.markdown(f":green[:material/check:] {_SEEDS} world seeds: no mistakes, no hints.")
        return
    with st.expander(f"{len(found)} found with {_SEEDS} world seeds", icon=":material/casino:", expanded=True):
        for one in found[:30]:
            st.markdown(
                f"`{one.get('file')}:{one.get('line')}` world seed {one.get('seed')}: {plain(str(one.get('message')))}"
            )


# -- the rewards --------------------------------------------------------------------------------------------


def _rewards(world: KnownWorld, package: Package | None, actions: DeltaGenerator) -> None:
    job = latest_job("qa", folder=str(world.folder))
    is_going = job is not None and not job.is_over
    row = st.container(horizontal=True, vertical_alignment="center", key="rewards_row")
    row.subheader("Rewards", anchor=False, width="content")
    if package is None:
        st.markdown(
            ":gray[Build the world, then every task is played by its solution, by idlers, by cheats and by chance.]"
        )
        return
    with actions:
        tier = _tier(is_going=is_going)
        if st.button(
            "Run all checks",
            type="primary",
            icon=":material/fact_check:",
            disabled=is_going or choices().read_only,
            key="run_checks",
        ):
            words = keeping_results(world, package, ["qa", str(world.folder), "--tier", tier, "--json"])
            start_or_say("qa", f"Check {world.name}", words, folder=str(world.folder))
    result = last_check(world, package) or last_check(world)
    if job is not None and (is_going or job.result != result):
        job_panel(job)
    if result is None:
        if not is_going:
            row.badge("Not checked yet", color="gray", icon=":material/pending:")
            _unchecked(tier)
        return
    tasks = objects_in(result.get("tasks"))
    failed = sum(one.get("passed") is False for one in tasks)
    row.badge(
        f"{failed} of {len(tasks)} tasks fail" if failed else "All tasks pass",
        color="red" if failed else "green",
        icon=":material/error:" if failed else ":material/check:",
    )
    if result.get("digest") != package.manifest.digest or built_state(world, package).value != "Built":
        st.warning("The world has changed since it was checked; run the checks again.", icon=":material/update:")
    _rules(world, tasks)


def _unchecked(tier: str) -> None:
    """What the rules will look at, before anything was played."""
    st.markdown(":gray[Every task is played by its solution, by idlers, by cheats and by chance. The rules are:]")
    with st.grid(3, min_column_width=300, gap="small", key="rules"):
        for rule in TIERS[tier]:
            title, says = RULES.get(rule, (rule.capitalize(), ""))
            with st.container(border=True, height="stretch", gap="small", key=f"rule_{rule}"):
                st.markdown(f"**{title}**  \n:gray[{says}]")


def _tier(*, is_going: bool) -> str:
    """How thoroughly is checked; nothing is asked while there is only one way."""
    names = [*TIERS]
    if len(names) == 1:
        return names[0]
    chosen = st.selectbox(
        "How thoroughly", names, key="tier", label_visibility="collapsed", width=140, disabled=is_going,
        filter_mode="contains",
        persist_state="session", format_func=str.capitalize, help="The tiers of brownout qa: each is a set of rules",
    )  # fmt: skip
    return str(chosen or names[0])


def _rules(world: KnownWorld, tasks: list[dict[str, Json]]) -> None:
    """A card a rule: what it plays, and what came of it for each task."""
    by_rule: dict[str, list[tuple[str, dict[str, Json]]]] = {}
    for task in tasks:
        for one in objects_in(task.get("results")):
            by_rule.setdefault(str(one.get("rule")), []).append((str(task.get("task")), one))
    with st.grid(3, min_column_width=300, gap="small", key="rules"):
        for rule, found in by_rule.items():
            _rule(world, rule, found)
    for task in tasks:
        if task.get("skipped"):
            st.markdown(f":gray[:material/skip_next: {plain(str(task['task']))}: {plain(str(task['skipped']))}]")


def _rule(world: KnownWorld, rule: str, found: list[tuple[str, dict[str, Json]]]) -> None:
    title, says = RULES.get(rule, (rule.capitalize(), ""))
    passed = [one.get("passed") for _, one in found]
    state = False if False in passed else True if True in passed else None
    label, colour, icon = _STATES[state]
    with st.container(border=True, height="stretch", gap="small", key=f"rule_{rule}"):
        row = st.container(horizontal=True, vertical_alignment="center")
        row.markdown(f"**{title}**", width="content")
        row.space("stretch")
        row.badge(label, color=colour, icon=icon)  # type: ignore[arg-type]
        st.markdown(f":gray[{says}]")
        for task, one in found:
            sign = {True: ":green[:material/check:]", False: ":red[:material/close:]"}.get(
                bool(one["passed"]) if one.get("passed") is not None else None,  # type: ignore[arg-type]
                ":gray[:material/remove:]",
            )
            if one.get("passed") is not False:
                st.markdown(f"{sign} **{plain(task)}** :gray[{plain(str(one.get('detail')))}]")
            else:
                st.markdown(f"{sign} **{plain(task)}**")
                st.code(str(one.get("detail")), language=None, wrap_lines=True)
                command = terminal_command(["qa", str(world.folder), "--task", task, "--rule", rule])
                st.code(command, language=None, wrap_lines=True)
                failed_runs(world, one)


show()
