"""`brownout qa`: play a package to find out whether its rewards can be trusted."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import typer

from brownout.api import open_world
from brownout.catalog import code_digest, spec_of
from brownout.cli.output import console, print_json, table
from brownout.cli.progress import ProgressFile
from brownout.core.errors import UsageError
from brownout.core.values import Json
from brownout.qa import TIERS, RuleResult, TaskReport, check_package
from brownout.qa.kept_results import KeptResults
from brownout.rollouts.agent_options import grading_options
from worlds.package import TaskRecord

__all__ = ["qa"]

_MARKS = {True: "[green]✓[/]", False: "[red]✗[/]", None: "[yellow]–[/]"}


def qa(
    package: str,
    task: list[str] | None,
    tier: str,
    rule: list[str] | None,
    keep: Path | None,
    results: Path | None,
    skip: list[str] | None,
    strict: bool,
    judge_model: str,
    judge_base_url: str,
    judge_key_env: str,
    as_json: bool,
) -> None:
    """Play every task's oracle, idlers, lazy scripts and chance, and say whether the rewards are what they must be."""
    if tier not in TIERS:
        raise UsageError(f"there is no tier {tier!r} yet; there is {', '.join(TIERS)}")
    if unknown := [name for name in rule or () if name not in TIERS[tier]]:
        raise UsageError(f"there is no rule {unknown[0]!r}; there is {', '.join(TIERS[tier])}")
    if keep is not None and keep.exists() and (not keep.is_dir() or any(keep.iterdir())):
        raise UsageError(f"--keep {keep} is there already and not empty; name a new folder")
    grading = grading_options(
        skip=skip or (), strict=strict,
        judge_model=judge_model, judge_base_url=judge_base_url, judge_key_env=judge_key_env,
    )  # fmt: skip
    with open_world(package) as world:
        spec = spec_of(package, world.package)
        chosen = task or [*world.package.tasks]
        reports = check_package(
            world,
            tasks=task or (),
            tier=tier,
            grading=grading,
            spec=spec,
            rules=rule or (),
            keep=keep.absolute() if keep is not None else None,
            progress=_teller(world.package.tasks, chosen),
        )
        if results is not None and not rule:
            KeptResults(results, world.package.manifest.digest, code_digest()).keep(reports)
        name, digest = world.setting.world, world.package.manifest.digest
    passed = all(report.passed for report in reports)
    if as_json:
        listed: list[Json] = [report.document() for report in reports]
        print_json({"world": name, "digest": digest, "tier": tier, "passed": passed, "tasks": listed})
    else:
        _show(reports)
    raise typer.Exit(0 if passed else 1)


def _teller(tasks: Mapping[str, TaskRecord], chosen: Sequence[str]) -> Callable[[str, RuleResult], None]:
    """What is given each result, and tells whoever waits which task is played, by how many results."""
    told = ProgressFile({name: tasks[name].title for name in chosen if name in tasks})
    seen: list[str] = []

    def tell(task: str, result: RuleResult) -> None:
        if seen and seen[-1] != task:
            told(seen[-1], 1.0)
        if not seen or seen[-1] != task:
            seen.append(task)
        told(
            task,
            0.0,
            f"{result.rule}: {'passed' if result.passed else 'failed' if result.passed is False else 'skipped'}",
        )

    return tell


def _show(reports: list[TaskReport]) -> None:
    shown = table("", "task", "rule", "found")
    for report in reports:
        if report.skipped:
            shown.add_row(_MARKS[None], report.task, "", f"not played: {report.skipped}".replace("[", r"\["))
        for result in report.results:
            shown.add_row(_MARKS[result.passed], report.task, result.rule, result.detail.replace("[", r"\["))
            for run in result.failed:
                shown.add_row("", "", "", f"kept: {run}".replace("[", r"\["))
    console.print(shown)
