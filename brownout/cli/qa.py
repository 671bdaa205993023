"""`brownout qa`: play a package to find out whether its rewards can be trusted."""

from typing import Annotated

import typer

from brownout.api import open_world
from brownout.catalog import spec_of
from brownout.cli.arguments import AsJson, JudgeBaseUrl, JudgeKeyEnv, JudgeModel, Package, Skip, Strict
from brownout.cli.output import console, print_json, table
from brownout.core.errors import UsageError
from brownout.core.values import Json
from brownout.qa import TIERS, TaskReport, check_package
from brownout.rollouts.options import grading_options

__all__ = ["qa"]

_MARKS = {True: "[green]✓[/]", False: "[red]✗[/]", None: "[yellow]–[/]"}


def qa(
    package: Package,
    task: Annotated[list[str] | None, typer.Option(help="A task to play; all of them where none is named.")] = None,
    tier: Annotated[str, typer.Option(help=f"How thoroughly: {', '.join(TIERS)}.")] = "smoke",
    skip: Skip = None,
    strict: Strict = False,
    judge_model: JudgeModel = "",
    judge_base_url: JudgeBaseUrl = "",
    judge_key_env: JudgeKeyEnv = "",
    as_json: AsJson = False,
) -> None:
    """Play every task's oracle, idlers, lazy scripts and chance, and say whether the rewards are what they must be."""
    if tier not in TIERS:
        raise UsageError(f"there is no tier {tier!r} yet; there is {', '.join(TIERS)}")
    grading = grading_options(
        skip=skip or (), strict=strict,
        judge_model=judge_model, judge_base_url=judge_base_url, judge_key_env=judge_key_env,
    )  # fmt: skip
    with open_world(package) as world:
        spec = spec_of(package, world.package)
        reports = check_package(world, tasks=task or (), tier=tier, grading=grading, spec=spec)
        name, digest = world.setting.world, world.package.manifest.digest
    passed = all(report.passed for report in reports)
    if as_json:
        listed: list[Json] = [report.document() for report in reports]
        print_json({"world": name, "digest": digest, "tier": tier, "passed": passed, "tasks": listed})
    else:
        _show(reports)
    raise typer.Exit(0 if passed else 1)


def _show(reports: list[TaskReport]) -> None:
    shown = table("", "task", "rule", "found")
    for report in reports:
        if report.skipped:
            shown.add_row(_MARKS[None], report.task, "", f"not played: {report.skipped}".replace("[", r"\["))
        for finding in report.findings:
            shown.add_row(_MARKS[finding.passed], report.task, finding.rule, finding.detail.replace("[", r"\["))
    console.print(shown)
