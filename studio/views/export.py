"""Export: a world as a package of somebody else's framework, checked, written, played, and to be taken along."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import streamlit as st

from brownout.core.errors import BrownoutError
from brownout.core.reward_words import reward_text
from brownout.core.values import Json, JsonObject, objects_in
from studio.escaped_markdown import plain
from studio.jobs import Job, job_panel, latest_job, start_or_say
from studio.known_worlds import KnownWorld, package_of, read_text
from studio.page_frame import chosen_world, not_built_state, stale_note, world_header
from studio.pages import page_path
from studio.qa_results import RULES, broken_rules, failed_runs, keeping_results, known_results
from studio.seed_words import RUN_SEED, RUN_SEED_SAYS
from studio.start_options import choices
from studio.tables import Column, TableBadge, table
from studio.terminal_commands import short_path, terminal_command
from studio.wanted_export import WantedExport, archive_of, export_targets, files_of, shown_file
from worlds.package import Package

_FILES = (Column("File", "strong", "78%"), Column("Size", "number"))
_PLAYS = (
    Column("Task", "strong"), Column(RUN_SEED, "number"), Column("Played"), Column("Reward", "number"), Column("Expected", "number"),
    Column(""), Column("", "soft"),
)  # fmt: skip

_SIGNS = {True: ":green[:material/check:]", False: ":red[:material/close:]", None: ":gray[:material/remove:]"}


def show() -> None:
    """The page."""
    world = chosen_world("Export")
    text, package = read_text(world), package_of(world)
    actions = world_header("Export", world, text, package)
    if package is None:
        not_built_state(world, text, "What is exported is the package.", icon="package_2")
        return
    stale_note(world, package)
    targets = export_targets()
    left, right = st.columns([5, 4], gap="medium")
    with left:
        wanted = _wanted(package, targets)
    known = known_results(world, package)
    tasks = [known[name] for name in wanted.tasks or package.tasks if name in known]
    with right:
        wanted = replace(wanted, allow=_preflight(world, package, tasks))
    mistakes = wanted.mistakes([*package.tasks])
    st.code(terminal_command(wanted.arguments(world)), language=None, wrap_lines=True)
    job = latest_job("export", folder=str(world.folder), to=wanted.to)
    can_start = not mistakes and (job is None or job.is_over) and not choices().read_only
    with actions:
        if st.button(
            "Export package", type="primary", icon=":material/package_2:", key="export_package", disabled=not can_start
        ):
            _start(world, package, wanted, targets)
    failing = [str(one["task"]) for one in tasks if {*broken_rules(one)} - {*wanted.allow}]
    if failing:
        _without_failing(world, package, wanted, targets, failing, job, can_start=can_start)
    elif job is not None and (not job.is_over or job.state in ("failed", "cancelled", "lost")):
        job_panel(job)
    _written(wanted.folder(world), package, targets.get(wanted.to, wanted.to), job)


def _start(world: KnownWorld, package: Package, wanted: WantedExport, targets: dict[str, str]) -> None:
    title = f"Export {world.name} to {targets.get(wanted.to, wanted.to)}"
    words = keeping_results(world, package, wanted.arguments(world))
    start_or_say("export", title, words, folder=str(world.folder), to=wanted.to)


def _without_failing(
    world: KnownWorld, package: Package, wanted: WantedExport, targets: dict[str, str], failing: list[str], job: Job | None,
    *, can_start: bool,
) -> None:  # fmt: skip
    """Say that tasks fail, and offer the ways on: without them, or with their rules overridden."""
    if job is not None and not job.is_over:
        job_panel(job)
        return
    every = wanted.tasks or tuple(package.tasks)
    passing = tuple(name for name in every if name not in failing)
    with st.container(border=True, gap="small", key="export_refused"):
        titles = ", ".join(f"**{plain(package.tasks[name].title)}**" for name in failing)
        st.markdown(
            f":red[:material/error:] {len(failing)} of {len(every)} tasks fail the preflight: {titles}. Nothing is written "
            "with them. Mend them, leave them out, or allow what fails under Preflight."
        )
        row = st.container(horizontal=True, vertical_alignment="center", gap="small")
        if passing and row.button(
            f"Export the {len(passing)} task{'s' if len(passing) > 1 else ''} that pass{'' if len(passing) > 1 else 'es'}",
            icon=":material/package_2:", key="export_passing", disabled=not can_start,
        ):  # fmt: skip
            _start(world, package, replace(wanted, tasks=passing), targets)
        link = {"world": world.name}
        row.page_link(page_path("check"), label="Open Check", icon=":material/rule_settings:", query_params=link)
        row.page_link(page_path("tasks"), label="Open Tasks", icon=":material/task_alt:", query_params=link)


# -- what is wanted -----------------------------------------------------------------------------------------


def _wanted(package: Package, targets: dict[str, str]) -> WantedExport:
    names = [*targets]
    asked = st.query_params.get("to", "")
    if "export_to" not in st.session_state:
        st.session_state["export_to"] = asked if asked in names else names[0]
    to = st.pills("Target", names, format_func=lambda name: targets[name], key="export_to", required=True)
    st.query_params["to"] = str(to)
    tasks = st.multiselect(
        "Tasks", [*package.tasks], key="export_tasks", bind="query-params", placeholder=f"All {len(package.tasks)} tasks",
        format_func=lambda name: package.tasks[name].title, filter_mode="contains",
    )  # fmt: skip
    one, two = st.columns(2)
    seeds = one.text_input(
        f"{RUN_SEED}s", "0", key="export_seeds", bind="query-params", persist_state="session",
        help=f"{RUN_SEED_SAYS} Each task is offered with each of them: 0-9,42",
    )  # fmt: skip
    split = two.text_input(
        "Splits", "train=1", key="export_split", bind="query-params", persist_state="session",
        help="Shares of the tasks: train=0.8,test=0.2. A task is in one split.",
    )  # fmt: skip
    smoke = st.toggle(
        "Play it when it is written", True, key="export_smoke", bind="query-params", persist_state="session",
        help="Every task's reference solution must earn 1 in the package, and doing nothing 0. No model is asked.",
    )  # fmt: skip
    wanted = WantedExport(str(to), tuple(tasks), seeds.strip(), split.strip(), smoke)
    mistakes = wanted.mistakes([*package.tasks])
    for place, name in ((one, "seeds"), (two, "split")):
        if name in mistakes:
            place.markdown(f":red[{plain(mistakes[name])}]")
    return wanted


# -- preflight ----------------------------------------------------------------------------------------------


def _preflight(world: KnownWorld, package: Package, tasks: list[JsonObject]) -> tuple[str, ...]:
    """What `brownout qa` said of the tasks; the rules that may be broken all the same.

    An export plays only what is not known of this package, by its digest.
    """
    job = latest_job("qa", folder=str(world.folder))
    is_going = job is not None and not job.is_over
    allowed: tuple[str, ...] = ()
    with st.container(border=True, gap="small", key="preflight"):
        row = st.container(horizontal=True, vertical_alignment="center")
        row.markdown("**Preflight**", width="content")
        if tasks:
            failed = sum(bool(broken_rules(one)) for one in tasks)
            row.badge(
                f"{failed} of {len(tasks)} fail" if failed else "Ready",
                color="red" if failed else "green",
                icon=":material/error:" if failed else ":material/check:",
            )
        row.space("stretch")
        if row.button(
            "Run preflight", icon=":material/flight_takeoff:", key="run_preflight",
            disabled=is_going or choices().read_only,
        ):  # fmt: skip
            words = keeping_results(world, package, ["qa", str(world.folder), "--json"])
            start_or_say("qa", f"Check {world.name}", words, folder=str(world.folder))
        if is_going and job is not None:
            job_panel(job)
        if tasks:
            place = st.container(gap="small")
            allowed = _allowances(tasks)
            with place:
                for task in tasks:
                    _show_task(world, package, task, allowed)
        elif not is_going:
            st.markdown(
                ":gray[Every task is played by its solution, by idlers, by cheats and by chance. Nothing is written "
                "where a reward cannot be trusted.]"
            )
    return allowed


def _show_task(world: KnownWorld, package: Package, task: Mapping[str, Json], allowed: Sequence[str] = ()) -> None:
    """A task by its title, how many rules it keeps, and of each that it breaks the reason and the runs to open."""
    results, name = objects_in(task.get("results")), str(task.get("task"))
    broken = broken_rules(task)
    sign = _SIGNS[False if [*set(broken) - set(allowed)] else True if results else None]
    passed = f"{len(results) - len(broken)} of {len(results)} rules" if results else str(task.get("skipped") or "")
    title = package.tasks[name].title if name in package.tasks else name
    st.markdown(f"{sign} **{plain(title)}** :gray[{plain(name)} · {plain(passed)}]")
    for one in results:
        if one.get("passed") is False:
            rule = str(one.get("rule"))
            st.markdown(f":red[{plain(RULES.get(rule, (rule, ''))[0])}] :gray[{plain(rule)}]")
            st.code(str(one.get("detail")), language=None, wrap_lines=True)
            failed_runs(world, one)


def _allowances(tasks: Sequence[Mapping[str, Json]]) -> tuple[str, ...]:
    """A box for each rule that is broken, to be broken all the same; those that are ticked."""
    rules = list(dict.fromkeys(rule for task in tasks for rule in broken_rules(task)))
    return tuple(
        rule
        for rule in rules
        if st.checkbox(
            f"Export though “{RULES.get(rule, (rule, ''))[0]}” fails (`--allow {rule}`)", key=f"allow_{rule}",
            help="The rewards of such tasks cannot be trusted in this respect",
        )
    )  # fmt: skip


# -- what was written ---------------------------------------------------------------------------------------


def _written(folder: Path, package: Package, title: str, job: Job | None) -> None:
    try:
        files = files_of(folder)
    except BrownoutError:
        if job is None:
            st.markdown(":gray[Nothing was exported here yet.]")
        return
    size, count = sum(one.size for one in files), sum(one.files for one in files)
    row = st.container(horizontal=True, vertical_alignment="center", gap="small", key="export_row")
    row.subheader("Package", anchor=False, width="content")
    row.badge(title, color="blue")
    row.markdown(f":gray[{count} files · {_size(size)} · {plain(short_path(folder))}]", width="content")
    row.space("stretch")
    row.download_button(
        "Download", lambda: archive_of(folder), f"{folder.name}.zip", "application/zip",
        icon=":material/download:", key="export_download", on_click="ignore",
    )  # fmt: skip
    result = job.result if job is not None and job.is_over else None
    if isinstance(result, dict):
        if result.get("package") not in (None, package.manifest.digest):
            st.warning("The world was built anew since it was exported; export it again.", icon=":material/update:")
        _played(result, title)
    tree, text = st.columns([5, 6], gap="medium")
    with tree:
        names = [one.path for one in files]
        name = st.session_state.get("export_file", "")
        if name not in names:
            name = "README.md"
        rows = [(one.path + (f" ({one.files} files)" if one.files > 1 else ""), _size(one.size)) for one in files]
        chosen = table(
            _FILES, rows, key="export_files", alt="Files of the package", chooses=True, height=430,
            chosen=names.index(name) if name in names else None,
        )  # fmt: skip
        if chosen is not None:
            st.session_state["export_file"] = names[chosen]
            st.rerun()
    with text:
        _file(folder, name)


def _file(folder: Path, name: str) -> None:
    if name.endswith("/"):
        st.markdown(f":gray[{plain(name)} is a folder; its files come with the download.]")
        return
    try:
        text = shown_file(folder, name)
    except BrownoutError as error:
        st.markdown(f":gray[{plain(str(error))}]")
        return
    st.caption(plain(name))
    with st.container(height=395, border=False, key="export_text"):
        st.code(text, language=None, wrap_lines=True)


def _played(result: dict[str, Json], title: str) -> None:
    """What came of the smoke run."""
    plays = objects_in(result.get("smoke"))
    if not plays:
        return
    wrong = [one for one in plays if one.get("reward") != one.get("expected")]
    with st.container(border=True, gap="small", key="smoke_run"):
        row = st.container(horizontal=True, vertical_alignment="center")
        row.markdown("**Smoke run**", width="content")
        row.badge(
            f"{len(wrong)} of {len(plays)} earn something else" if wrong else "As expected",
            color="red" if wrong else "green",
            icon=":material/error:" if wrong else ":material/check:",
        )
        row.space("stretch")
        row.markdown(
            f":gray[Played in the package's own world. Through {plain(title)}, where it is installed:] "
            f"`python -m {result.get('module')}.smoke`",
            width="content",
        )
        rows = [
            (
                str(one.get("task")),
                str(one.get("seed")),
                str(one.get("script")),
                _reward(one.get("reward")),
                _reward(one.get("expected")),
                TableBadge("not as expected", "red") if one in wrong else TableBadge("as expected", "green"),
                str(one.get("why") or ""),
            )
            for one in plays
        ]
        table(_PLAYS, rows, key="smoke_rows", alt="Rewards of the smoke run", height=288)


def _reward(value: Json) -> str:
    return reward_text(value) if isinstance(value, int | float) else "–"


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.1f} kB" if count >= 1000 else f"{count} B"


show()
