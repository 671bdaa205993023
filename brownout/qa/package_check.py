"""How thoroughly a package is checked: each tier is a set of rules, and the tasks that can be played here."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Final

from brownout.core.errors import SandboxUnavailable
from brownout.engine.world import World
from brownout.qa.played_episodes import Plays
from brownout.qa.rule_results import RuleResult, TaskReport
from brownout.qa.rules import SMOKE, Rule
from brownout.qa.seed_variants import Variants
from brownout.rollouts.agent_options import AS_RECORDED, GradingOptions
from brownout.rollouts.sandbox_needs import check_sandbox
from worlds.spec import WorldSpec

__all__ = ["TIERS", "check_package", "check_task"]

TIERS: Final[Mapping[str, Mapping[str, Rule]]] = {"smoke": SMOKE}
"""The rules of each tier by its name."""


def check_package(
    world: World,
    *,
    tasks: Sequence[str] = (),
    tier: str = "smoke",
    grading: GradingOptions = AS_RECORDED,
    spec: WorldSpec | None = None,
    rules: Sequence[str] = (),
    keep: Path | None = None,
    progress: Callable[[str, RuleResult], None] = lambda task, result: None,
) -> list[TaskReport]:
    """What was found out about each task of a world.

    Args:
        tasks: the ones to play; all of them where none is named.
        spec: the text that the world was built of, for rules that need another seed; they are left out without it.
        rules: the ones to check; all of the tier's where none is named.
        keep: an empty folder, where the runs by which a rule is broken stay; without it, or where the check is ended
            before its end, nothing stays.
        progress: is given each result when it is there.

    Raises:
        UnknownTask: the world has none of that name.
    """
    chosen = [world.package.task(task).id for task in tasks] or [*world.package.tasks]
    try:
        return [
            check_task(world, task, tier=tier, grading=grading, spec=spec, rules=rules, keep=keep, progress=progress)
            for task in chosen
        ]
    except BaseException:
        if keep is not None:
            rmtree(keep, ignore_errors=True)
        raise


def check_task(
    world: World,
    task: str,
    *,
    tier: str = "smoke",
    grading: GradingOptions = AS_RECORDED,
    spec: WorldSpec | None = None,
    rules: Sequence[str] = (),
    keep: Path | None = None,
    progress: Callable[[str, RuleResult], None] = lambda task, result: None,
) -> TaskReport:
    """What was found out about one task; where it needs a sandbox and there is none it is not played."""
    try:
        check_sandbox(world.package, task, grading.skip)
    except SandboxUnavailable as error:
        return TaskReport(task, (), skipped=str(error))
    results = []
    with TemporaryDirectory(prefix="brownout-qa-") as folder, ExitStack() as stack:
        variants = stack.enter_context(Variants(spec, Path(folder))) if spec is not None else None
        plays = Plays(world, task, keep or Path(folder), grading, variants)
        for name, rule in TIERS[tier].items():
            if not rules or name in rules:
                results.append(rule(plays))
                progress(task, results[-1])
        if keep is not None:
            plays.forget(but=[run for result in results for run in result.failed])
        else:
            results = [replace(result, failed=()) for result in results]
    return TaskReport(task, tuple(results))
