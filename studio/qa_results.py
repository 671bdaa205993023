"""The results of `brownout qa` for a package's tasks: what its rules are called, where results are kept by the package's digest, links to failed runs."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st

from brownout.catalog import code_digest
from brownout.core.values import Json, JsonObject, objects_in
from brownout.qa.kept_results import KeptResults
from studio.jobs import list_jobs
from studio.known_worlds import KnownWorld
from studio.pages import page_path
from studio.start_options import choices
from worlds.package import Package

__all__ = [
    "RULES",
    "broken_rules",
    "failed_runs",
    "keeping_results",
    "known_results",
    "last_check",
    "results_file",
]

RULES = {
    "oracle": ("Reference solution", "It earns exactly 1, with several run seeds."),
    "nothing": ("Doing nothing", "It earns exactly 0, also when it says that all is done."),
    "stopped": ("Stopping early", "It never pays more than going on."),
    "lazy": ("Lazy scripts", "What wants to be paid for nothing is not."),
    "good": ("Other honest ways", "Each earns everything."),
    "random": ("Chance", "Calls drawn at random earn next to nothing."),
    "replay": ("Recording", "A recorded run plays again, step for step."),
    "known": ("Nothing out of the blue", "The solution uses only what it asked for or saw."),
    "transfer": ("Another world seed", "What was learned by heart is no help there."),
}


def results_file(package: Package) -> Path:
    """Where the results of a package are kept, for jobs to read and write."""
    return choices().here / ".studio" / "results" / f"{package.manifest.digest}.json"


def keeping_results(world: KnownWorld, package: Package, words: Sequence[str]) -> list[str]:
    """A command that plays tasks, with where its results and the runs that break a rule are kept.

    Runs go into a hidden folder below the folder of runs: Replay opens them by a link, and no list counts them.
    """
    runs = choices().runs / ".checks" / f"{world.name}-{time.strftime('%Y%m%d-%H%M%S')}"
    return [*words, "--keep", str(runs), "--results", str(results_file(package))]


def last_check(world: KnownWorld, package: Package | None = None) -> JsonObject | None:
    """What the last check of a world found, as `brownout qa --json` says it; one that was cancelled or could not begin found nothing.

    Args:
        package: checks of other packages are left out; None takes those of any.
    """
    results = (job.result for job in list_jobs("qa", folder=str(world.folder)) if job.is_over)
    found = (result for result in results if isinstance(result, dict) and "tasks" in result)
    return next((one for one in found if package is None or one.get("digest") == package.manifest.digest), None)


def known_results(world: KnownWorld, package: Package) -> dict[str, JsonObject]:
    """What is known of each task of a package, as `brownout qa --json` says it."""
    result = last_check(world, package)
    last = objects_in(result.get("tasks")) if result is not None else []
    kept = KeptResults(results_file(package), package.manifest.digest, code_digest())
    return {**{str(one["task"]): one for one in last}, **kept.documents()}


def broken_rules(task: Mapping[str, Json]) -> list[str]:
    """The rules that a task breaks."""
    return [str(one.get("rule")) for one in objects_in(task.get("results")) if one.get("passed") is False]


def failed_runs(world: KnownWorld, result: Mapping[str, Json]) -> None:
    """Links to the runs by which a rule is broken, where they are still there."""
    failed = result.get("failed")
    root = choices().runs.resolve()
    for place in (failed if isinstance(failed, list) else [])[:3]:
        run = Path(str(place)).resolve()
        if not run.is_relative_to(root) or not run.is_dir():
            continue
        name = run.relative_to(root).as_posix()
        link = {"world": world.name, "run": name}
        st.page_link(page_path("replay"), label=f"Replay {run.name}", icon=":material/replay:", query_params=link)
