"""Commands about runs: run, replay."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from brownout.api import open_package
from brownout.catalog import built_package
from brownout.cli.output import complain, console, errors, print_json, show_ledger
from brownout.cli.worlds import AsJson, Package
from brownout.core.errors import PackageError
from brownout.core.values import Json
from brownout.engine.world import World
from brownout.rollouts.options import AgentOptions, ModelOptions, grading_options
from brownout.rollouts.recorder import RunResult, read_run
from brownout.rollouts.replay import ReplayReport, header_of, regrade, replay
from brownout.rollouts.runner import Episode, run_episodes

__all__ = ["register"]

Skip: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(help="A grader to leave out, `judge` say; the rest is graded, and the grade says so."),
]
JudgeModel: TypeAlias = Annotated[
    str, typer.Option(help="Model that judges what only a reader can judge, as litellm names it: openai/NAME.")
]
JudgeBaseUrl: TypeAlias = Annotated[str, typer.Option(help="Its endpoint; empty for the provider's own.")]
JudgeKeyEnv: TypeAlias = Annotated[str, typer.Option(help="Environment variable that holds its key.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(run)
    app.command("replay")(replay_run)
    app.command("grade")(grade_run)


def run(
    package: Package,
    task: Annotated[str, typer.Option(help="The task's id; see `brownout tasks`.")],
    agent: Annotated[str, typer.Option(help="oracle, noop, or another agent's name.")],
    answer: Annotated[str, typer.Option(help="What the noop agent submits.")] = "",
    model: Annotated[str, typer.Option(help="The llm agent's model.")] = "",
    base_url: Annotated[str, typer.Option(help="Its OpenAI-compatible endpoint, e.g. http://127.0.0.1:8000/v1.")] = "",
    api_key_env: Annotated[str, typer.Option(help="Environment variable that holds its key.")] = "OPENAI_API_KEY",
    timeout: Annotated[float, typer.Option(help="Seconds to wait for one completion.")] = 300.0,
    stop_after: Annotated[int | None, typer.Option(help="Stop the oracle after so many calls.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the (first) session.")] = 0,
    episodes: Annotated[int, typer.Option(min=1, help="How many sessions, with successive seeds.")] = 1,
    concurrency: Annotated[int, typer.Option(min=1, help="How many at a time.")] = 4,
    out: Annotated[Path, typer.Option(help="Folder for the runs.")] = Path("runs"),
    skip: Skip = None,
    judge_model: JudgeModel = "",
    judge_base_url: JudgeBaseUrl = "",
    judge_key_env: JudgeKeyEnv = "",
    resume: Annotated[
        bool, typer.Option("--resume", help="Keep finished runs of the same name, play the rest.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Run an agent through a task and print its reward."""
    opened = open_package(package)
    opened.task(task)
    grading = grading_options(
        skip=skip or (), judge_model=judge_model, judge_base_url=judge_base_url, judge_key_env=judge_key_env
    )
    settings = ModelOptions(model, base_url, os.environ.get(api_key_env, ""), timeout_seconds=timeout)
    options = AgentOptions(answer=answer, stop_after=stop_after, seed=seed, model=settings)
    with World(opened, hot=max(4, concurrency)) as world:
        plan = [
            Episode(
                task, agent, seed + number, options, _folder(out, f"{task}-{agent}-s{seed + number}", resume), grading
            )
            for number in range(episodes)
        ]
        with Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), console=errors, transient=True,
            disable=as_json or episodes == 1,
        ) as bar:  # fmt: skip
            line = bar.add_task(f"{task} · {agent}", total=episodes)
            results = asyncio.run(
                run_episodes(world, plan, concurrency=concurrency, progress=lambda result: bar.advance(line))
            )
    if as_json:
        print_json({"runs": [_summary(result) for result in results]})
    else:
        for result in results:
            _show(result)
    if any(result.status != "ok" for result in results):
        raise typer.Exit(1)


def replay_run(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")],
    check: Annotated[bool, typer.Option("--check", help="Run it again and compare every observation.")] = False,
    package: Annotated[str, typer.Option(help="The package, where it is not the shipped world's.")] = "",
    as_json: AsJson = False,
) -> None:
    """Replay a recorded run; with --check, compare every observation."""
    stored = read_run(folder)
    header = header_of(stored)
    opened = open_package(package) if package else built_package(header.world, seed=header.world_seed)
    if not check:
        raise PackageError("expected --check; to look at a run, open the studio")
    with World(opened, hot=2) as world:
        report = replay(world, stored)
    if as_json:
        print_json(
            {"matches": report.matches, "steps": report.steps, "first_divergence": _json(report.first_divergence)}
        )
    else:
        _show_replay(report)
    raise typer.Exit(0 if report.matches else 1)


def grade_run(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")],
    package: Annotated[str, typer.Option(help="The package, where it is not the shipped world's.")] = "",
    skip: Skip = None,
    judge_model: JudgeModel = "",
    judge_base_url: JudgeBaseUrl = "",
    judge_key_env: JudgeKeyEnv = "",
    as_json: AsJson = False,
) -> None:
    """Judge a recorded run again with today's graders, and show what that changes."""
    grading = grading_options(
        skip=skip or (), judge_model=judge_model, judge_base_url=judge_base_url, judge_key_env=judge_key_env
    )
    stored = read_run(folder)
    header = header_of(stored)
    opened = open_package(package) if package else built_package(header.world, seed=header.world_seed)
    with World(opened, hot=2) as world:
        grade = regrade(world, stored, grading)
    before = stored.result.reward if stored.result else None
    document = grade.document()
    if as_json:
        print_json({"run": str(folder), "before": before, **document})
        return
    change = "unchanged" if before == grade.reward else f"it was {before}"
    console.print(f"reward {grade.reward} ({change})")
    _show_grading(grade.notes, grade.failure, document["ledger"])


def _show_replay(report: ReplayReport) -> None:
    if report.matches:
        console.print(f"[green]✓[/] all {report.steps} steps came out as recorded")
        return
    found = report.first_divergence or {}
    complain(f"step {found.get('step')} differs in {found.get('field')}")
    console.print(f"  recorded: {found.get('recorded')}\n  replayed: {found.get('replayed')}", markup=False)


def _json(value: object) -> Json:
    return value if isinstance(value, dict) else None


def _folder(out: Path, name: str, resume: bool) -> Path:
    """A folder for a run: one that holds none yet, or on resuming the one of that name."""
    folder, number = out / name, 2
    while folder.exists() and not resume:
        folder, number = out / f"{name}-{number}", number + 1
    return folder


def _summary(result: RunResult) -> Json:
    ledger: list[Json] = [*result.ledger]
    return {
        "run": result.run,
        "task": result.task,
        "agent": result.agent,
        "seed": result.seed,
        "status": result.status,
        "reward": result.reward,
        "ledger": ledger,
        "steps": result.steps,
        "sim_minutes": result.sim_minutes,
        "failure": result.failure,
        "notes": [*result.notes],
    }


def _show(result: RunResult) -> None:
    reward = "null" if result.reward is None else f"{result.reward:.3f}"
    colour = "green" if result.reward == 1 else "yellow" if result.reward else "red"
    console.print(
        f"[{colour}]reward {reward}[/]  {result.task} · {result.agent} · seed {result.seed} · "
        f"{result.steps} calls · {result.sim_minutes:.0f} min of world time · {result.run}"
    )
    _show_grading(result.notes, result.failure, [*result.ledger])


def _show_grading(notes: Sequence[str], failure: str | None, ledger: Json) -> None:
    for note in notes:
        console.print(note, markup=False)
    if failure:
        advice = "; name a judge with --judge-model, or leave it out with --skip judge"
        complain(failure + advice * ("judge_unavailable" in failure))
    show_ledger(ledger)
