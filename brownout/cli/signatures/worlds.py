"""What the commands about a world and its package take: validate, fmt, build, tasks, qa, report, record-judge, export."""

from pathlib import Path
from typing import Annotated

import typer

from brownout.cli.arguments import AsJson, JudgeBaseUrl, JudgeKeyEnv, JudgeModel, Package, Skip, Strict, World
from brownout.cli.commands import done_by
from brownout.core.plugins import plugin_names

__all__ = ["build", "export", "fmt", "qa", "record_judge", "report", "tasks", "validate"]


@done_by("brownout.cli.build:validate")
def validate(
    world: World,
    seeds: Annotated[int, typer.Option(min=1, help="With how many world seeds, from the author's own on.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Check a world's text; every mistake is reported at once with its file and line, then what could be better."""


@done_by("brownout.cli.fmt:fmt")
def fmt(
    world: Annotated[str, typer.Argument(help="The folder of the world.")],
    check: Annotated[
        bool, typer.Option("--check", help="Only say which files are not tidy; exit with 1 where one is.")
    ] = False,
    width: Annotated[
        int | None,
        typer.Option(
            min=40, help="Write mappings on one line ({a: 1, b: 2}) over several where it is longer than this."
        ),
    ] = None,
) -> None:
    """Tidy the YAML of a world's folder without changing what it says: line ends, trailing spaces, the last line."""


@done_by("brownout.cli.build:build")
def build(
    world: World,
    seed: Annotated[
        int | None, typer.Option(help="World seed, which the company is drawn by; the author's where none is given.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Where to write the package; the cache where none is given.")] = None,
    background: Annotated[
        str | None,
        typer.Option(help="Volume of everyday life, 0.5, or by layer: people=1,work=0.5; else the author's."),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Build it though the cache has it.")] = False,
    twice: Annotated[
        bool, typer.Option("--twice", help="Build it a second time in another process, and say what differs.")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Say how many rows each table has.")] = False,
    as_json: AsJson = False,
) -> None:
    """Build a world package."""


@done_by("brownout.cli.build:tasks")
def tasks(
    package: Package,
    why: Annotated[
        bool, typer.Option("--why", help="Say why each is hard. For authors: it gives away a part.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List a world's tasks."""


@done_by("brownout.cli.qa:qa")
def qa(
    package: Package,
    task: Annotated[list[str] | None, typer.Option(help="A task to play; all of them where none is named.")] = None,
    tier: Annotated[str, typer.Option(help="How thoroughly: smoke.")] = "smoke",
    rule: Annotated[list[str] | None, typer.Option(help="A rule to check; all of them where none is named.")] = None,
    keep: Annotated[Path | None, typer.Option(help="A new folder, where runs stay by which a rule is broken.")] = None,
    results: Annotated[
        Path | None, typer.Option(help="A file that keeps what was found; `brownout export` plays none of it again.")
    ] = None,
    skip: Skip = None,
    strict: Strict = False,
    judge_model: JudgeModel = "",
    judge_base_url: JudgeBaseUrl = "",
    judge_key_env: JudgeKeyEnv = "",
    as_json: AsJson = False,
) -> None:
    """Play every task's oracle, idlers, lazy scripts and chance, and say whether the rewards are what they must be."""


@done_by("brownout.cli.report:report")
def report(
    package: Package,
    task: Annotated[
        str, typer.Option(help="Read the company at this task's start; at the latest start without it.")
    ] = "",
    html: Annotated[Path | None, typer.Option(help="Write a page with plots to this file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say how real a built world is: every figure beside what is usual, and what does not hold together."""


@done_by("brownout.cli.record_judge:record_judge")
def record_judge(
    world: World,
    task: Annotated[list[str] | None, typer.Option(help="A task; all of them where none is named.")] = None,
    judge_model: JudgeModel = "",
    judge_base_url: JudgeBaseUrl = "",
    judge_key_env: JudgeKeyEnv = "",
    as_json: AsJson = False,
) -> None:
    """Record what a judge says of a task's reference solution and cases; without a model, list what is to be answered."""


@done_by("brownout.cli.export:export")
def export(
    package: Package,
    to: Annotated[str, typer.Option(help=f"The framework: {', '.join(plugin_names('exporters'))}; or all.")],
    out: Annotated[Path, typer.Option(help="A new folder, an empty one, or an earlier export to replace.")],
    task: Annotated[list[str] | None, typer.Option(help="A task to offer; may be given again. All without.")] = None,
    tasks: Annotated[str, typer.Option(help="Tasks to offer, with commas between them.")] = "",
    seeds: Annotated[
        str, typer.Option(help="Run seeds of the sessions: 0-9,42. Each task is offered with each.")
    ] = "0",
    split: Annotated[
        str, typer.Option(help="Shares of the tasks: train=0.8,test=0.2. A task is in one with all its seeds.")
    ] = "train=1",
    allow: Annotated[
        list[str] | None, typer.Option(metavar="RULE", help="A rule of `brownout qa` that may be broken.")
    ] = None,
    keep: Annotated[Path | None, typer.Option(help="A new folder, where runs stay by which a rule is broken.")] = None,
    results: Annotated[
        Path | None,
        typer.Option(help="A file that keeps what was found: tasks of this very package in it are not played again."),
    ] = None,
    smoke: Annotated[
        bool, typer.Option("--smoke", help="Play solutions and nothing at all in what was written, without a model.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check a world's rewards, and write it as a package of a framework; its runtime comes with it."""
