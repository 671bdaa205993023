"""What `brownout qa` found of a package's tasks: kept by its digest, shown the same wherever it stands, and no dead end."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st

from brownout.catalog import code_digest
from brownout.core.values import Json, JsonObject, objects_in
from brownout.qa.kept_findings import KeptFindings
from studio.escaped_markdown import plain
from studio.jobs import latest_job
from studio.known_worlds import KnownWorld
from studio.pages import page_path
from studio.start_options import choices
from worlds.package import Package

__all__ = [
    "RULES",
    "allowances",
    "broken_rules",
    "failed_runs",
    "findings_file",
    "known_findings",
    "show_task",
    "with_findings",
]

RULES = {
    "oracle": ("Reference solution", "It earns exactly 1, with several seeds."),
    "nothing": ("Doing nothing", "It earns exactly 0, also when it says that all is done."),
    "stopped": ("Stopping early", "It never pays more than going on."),
    "lazy": ("Lazy scripts", "What wants to be paid for nothing is not."),
    "good": ("Other honest ways", "Each earns everything."),
    "random": ("Chance", "Calls drawn at random earn next to nothing."),
    "replay": ("Recording", "A recorded run plays again, step for step."),
    "known": ("Nothing out of the blue", "The solution uses only what it asked for or saw."),
    "transfer": ("Another seed", "What was learned by heart is no help there."),
}
_SIGNS = {True: ":green[:material/check:]", False: ":red[:material/close:]", None: ":gray[:material/remove:]"}


def findings_file(package: Package) -> Path:
    """Where the findings of a package are kept, for jobs to read and write."""
    return choices().here / ".studio" / "findings" / f"{package.manifest.digest}.json"


def with_findings(world: KnownWorld, package: Package, words: Sequence[str]) -> list[str]:
    """A command that plays tasks, with where its findings and the runs that break a rule are kept.

    Runs go below the folder of runs, so that Replay opens them.
    """
    runs = choices().runs / "checks" / f"{world.name}-{time.strftime('%Y%m%d-%H%M%S')}"
    return [*words, "--keep", str(runs), "--findings", str(findings_file(package))]


def known_findings(world: KnownWorld, package: Package) -> dict[str, JsonObject]:
    """What is known of each task of a package, as `brownout qa --json` says it."""
    job = latest_job("qa", folder=str(world.folder))
    result = job.result if job is not None else None
    last = (
        objects_in(result.get("tasks"))
        if isinstance(result, dict) and result.get("digest") == package.manifest.digest
        else []
    )
    kept = KeptFindings(findings_file(package), package.manifest.digest, code_digest())
    return {**{str(one["task"]): one for one in last}, **kept.documents()}


def broken_rules(task: Mapping[str, Json]) -> list[str]:
    """The rules that a task breaks."""
    return [str(one.get("rule")) for one in objects_in(task.get("findings")) if one.get("passed") is False]


def show_task(world: KnownWorld, package: Package, task: Mapping[str, Json], allowed: Sequence[str] = ()) -> None:
    """A task by its title, how many rules it keeps, and of each that it breaks the reason and the runs to open."""
    findings, name = objects_in(task.get("findings")), str(task.get("task"))
    broken = broken_rules(task)
    sign = _SIGNS[False if [*set(broken) - set(allowed)] else True if findings else None]
    passed = f"{len(findings) - len(broken)} of {len(findings)} rules" if findings else str(task.get("skipped") or "")
    title = package.tasks[name].title if name in package.tasks else name
    st.markdown(f"{sign} **{plain(title)}** :gray[{plain(name)} · {plain(passed)}]")
    for one in findings:
        if one.get("passed") is False:
            rule = str(one.get("rule"))
            st.markdown(f":red[{plain(RULES.get(rule, (rule, ''))[0])}] :gray[{plain(rule)}]")
            st.code(str(one.get("detail")), language=None, wrap_lines=True)
            failed_runs(world, one)


def allowances(tasks: Sequence[Mapping[str, Json]]) -> tuple[str, ...]:
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


def failed_runs(world: KnownWorld, finding: Mapping[str, Json]) -> None:
    """Links to the runs by which a rule is broken, where they are still there."""
    failed = finding.get("failed")
    root = choices().runs.resolve()
    for place in (failed if isinstance(failed, list) else [])[:3]:
        run = Path(str(place)).resolve()
        if not run.is_relative_to(root) or not run.is_dir():
            continue
        name = run.relative_to(root).as_posix()
        link = {"world": world.name, "run": name}
        st.page_link(page_path("replay"), label=f"Replay {run.name}", icon=":material/replay:", query_params=link)
