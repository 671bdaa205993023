"""What the commands about runs do: run, replay, grade."""

import asyncio
import os
from pathlib import Path

import typer
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from brownout.annotations import graded_with, kept_answers
from brownout.api import open_package
from brownout.cli.output import (
    complain,
    console,
    counted,
    errors,
    print_json,
    show_ledger,
    show_left_out,
    show_models,
)
from brownout.cli.progress import ProgressFile
from brownout.cli.run_steps import list_steps, show_steps
from brownout.core.errors import UsageError
from brownout.core.extras import need_extra
from brownout.core.reward_words import reward_text
from brownout.core.values import Json, JsonObject
from brownout.engine.world import World
from brownout.llm import Model
from brownout.rollouts.agent_options import AgentOptions, grading_options
from brownout.rollouts.recorded_packages import find_package
from brownout.rollouts.recorder import RunResult, StoredRun, read_run
from brownout.rollouts.remote_rollouts import read_servers, run_on_servers
from brownout.rollouts.replay import ReplayReport, missing_in, regrade, replay
from brownout.rollouts.runner import Episode, run_episodes
from brownout.rollouts.workers import run_in_workers
from worlds.package import Package as BuiltPackage

__all__ = ["free_folder", "run_summary", "show_replay", "show_result", "world_folder"]


def run(
    package: str,
    task: str,
    agent: str,
    answer: str,
    model: str,
    base_url: str,
    api_key_env: str,
    timeout: float,
    patience: float,
    stop_after: int | None,
    seed: int,
    episodes: int,
    concurrency: int,
    workers: int | None,
    servers: Path | None,
    out: Path,
    skip: list[str] | None,
    strict: bool,
    judge_model: str,
    judge_base_url: str,
    judge_key_env: str,
    resume: bool,
    as_json: bool,
) -> None:
    """Run an agent through a task and print its reward."""
    if workers is not None and servers is not None:
        raise UsageError("--workers play on this machine and --servers elsewhere; say one of them")
    if judge_model and servers is not None:
        raise UsageError("a server has its own judge: say --judge-model to `brownout serve`")
    addresses = read_servers(servers) if servers is not None else []
    opened = open_package(package)
    opened.task(task)
    grading = grading_options(
        skip=skip or (), strict=strict,
        judge_model=judge_model, judge_base_url=judge_base_url, judge_key_env=judge_key_env,
    )  # fmt: skip
    player = _player(model, base_url, api_key_env, timeout, patience) if model else None
    options = AgentOptions(answer=answer, stop_after=stop_after, seed=seed, model=player)
    text = world_folder(package)
    plan = [
        Episode(task, agent, one, options, free_folder(out, f"{task}-{agent}-s{one}", resume=resume), grading, text)
        for one in range(seed, seed + episodes)
    ]
    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), console=errors, transient=True,
        disable=as_json or episodes == 1,
    ) as bar:  # fmt: skip
        line = bar.add_task(f"{task} · {agent}", total=episodes)
        told = ProgressFile({"episodes": f"{opened.task(task).title} · {agent}"})
        ended: list[RunResult] = []

        def tell(result: RunResult) -> None:
            ended.append(result)
            bar.advance(line)
            told("episodes", len(ended) / episodes, f"{len(ended)} of {episodes}")

        told("episodes", 0.0, f"0 of {episodes}")
        processes = workers or (_cores() if episodes > _cores() else 1)
        if addresses:
            results = asyncio.run(run_on_servers(opened, addresses, plan, concurrency=concurrency, progress=tell))
        elif processes == 1:
            with World(opened, hot=max(4, concurrency)) as world:
                results = asyncio.run(run_episodes(world, plan, concurrency=concurrency, progress=tell))
        else:
            results = run_in_workers(opened, plan, workers=processes, concurrency=concurrency, progress=tell)
    if as_json:
        print_json({"runs": [run_summary(result) for result in results]})
    else:
        for result in results:
            show_result(result)
    if any(result.reward is None for result in results):
        raise typer.Exit(1)


def _cores() -> int:
    """How many of the machine's cores this process may use."""
    return len(os.sched_getaffinity(0))


def _player(name: str, base_url: str, api_key_env: str, timeout: float, patience: float) -> Model:
    """The model that plays. An endpoint of one's own speaks OpenAI's protocol, and may want no key."""
    need_extra("the llm agent", "llm")
    if base_url and not name.startswith("openai/"):
        name = f"openai/{name}"
    key = api_key_env if os.environ.get(api_key_env) or not base_url else ""
    return Model(name=name, base_url=base_url, api_key_env=key, timeout_seconds=timeout, patience_seconds=patience)


def replay_run(
    folder: Path,
    check: bool,
    package: str,
    as_json: bool,
) -> None:
    """Show the steps of a recorded run; with --check, run it again and compare every observation."""
    stored = read_run(folder)
    if not check:
        _list(stored, as_json=as_json)
        return
    with World(_package_of(stored, package), hot=2) as world:
        report = replay(world, stored)
    if as_json:
        document = {"matches": report.matches, "steps": report.steps, "missing": report.missing or None}
        print_json({**document, "first_divergence": _json(report.first_divergence)})
    else:
        show_replay(report)
    raise typer.Exit(0 if report.matches else 1)


def _list(stored: StoredRun, *, as_json: bool) -> None:
    steps, missing = list_steps(stored), missing_in(stored.events)
    if as_json:
        result = run_summary(stored.result) if stored.result else None
        print_json({"run": str(stored.folder), "steps": [*steps], "missing": missing or None, "result": result})
        return
    show_steps(stored, steps)
    if stored.result is not None:
        console.print(f"\nreward {reward_text(stored.result.reward)}")
        _show_grading(stored.result.model_dump())
    if missing:
        complain(f"the record is not whole: {missing}")


def grade_run(
    folder: Path,
    package: str,
    skip: list[str] | None,
    strict: bool,
    judge_model: str,
    judge_base_url: str,
    judge_key_env: str,
    as_json: bool,
) -> None:
    """Judge a recorded run again with today's graders, and show what that changes."""
    grading = grading_options(
        skip=skip or (), strict=strict,
        judge_model=judge_model, judge_base_url=judge_base_url, judge_key_env=judge_key_env,
    )  # fmt: skip
    stored = read_run(folder)
    with World(_package_of(stored, package), hot=2) as world:
        grade = regrade(world, stored, grading)
    before = stored.result.reward if stored.result else None
    document = graded_with(grade.document(), kept_answers(folder))
    reward = _reward(document)
    if as_json:
        print_json({"run": str(folder), **document, "before": before})
    else:
        change = "unchanged" if before == reward else f"it was {reward_text(before)}"
        console.print(f"reward {reward_text(reward)} ({change})")
        _show_grading(document)
    if reward is None:
        raise typer.Exit(1)


def _reward(grade: JsonObject) -> float | None:
    reward = grade["reward"]
    return float(reward) if isinstance(reward, int | float) else None


def _package_of(stored: StoredRun, named: str) -> BuiltPackage:
    return open_package(named) if named else find_package(stored)


def world_folder(package: str) -> Path | None:
    """The author's folder where one was given instead of a package or a shipped world's name."""
    path = Path(package)
    return path if (path / "world.yaml").is_file() and not (path / "manifest.json").is_file() else None


def show_replay(report: ReplayReport) -> None:
    """Print whether everything came out as recorded, and where it did not first."""
    if report.matches:
        steps = "the one step" if report.steps == 1 else f"all {report.steps} steps"
        console.print(f"[green]✓[/] {steps} came out as recorded")
        return
    if report.missing:
        complain(f"the record is not whole: {report.missing}")
    if report.first_divergence is None:
        console.print(f"  {counted(report.steps, 'step')} before that came out as recorded")
        return
    found = report.first_divergence
    complain(f"step {found.get('step')} differs in {found.get('field')}")
    console.print(f"  recorded: {found.get('recorded')}\n  replayed: {found.get('replayed')}", markup=False)


def _json(value: object) -> Json:
    return value if isinstance(value, dict) else None


def free_folder(out: Path, name: str, *, resume: bool = False) -> Path:
    """A folder for a run: one that holds none yet, or on resuming the one of that name."""
    folder, number = out / name, 2
    while folder.exists() and not resume:
        folder, number = out / f"{name}-{number}", number + 1
    return folder


def run_summary(result: RunResult) -> Json:
    """What a run came to, as the commands print it with `--json`."""
    ledger: list[Json] = [*result.ledger]
    return {
        "run": result.run,
        "task": result.task,
        "agent": result.agent,
        "seed": result.seed,
        "status": result.status,
        "reward": result.reward,
        "complete": result.complete,
        "left_out": [*result.left_out],
        "models": [*result.models],
        "ledger": ledger,
        "steps": result.steps,
        "sim_minutes": result.sim_minutes,
        "failure": result.failure,
        "failure_kind": result.failure_kind,
    }


def show_result(result: RunResult) -> None:
    """Print what an episode was worth, and why."""
    colour = "green" if result.reward == 1 else "yellow" if result.reward else "red"
    console.print(
        f"[{colour}]reward {reward_text(result.reward)}[/]  {result.task} · {result.agent} · seed {result.seed} · "
        f"{counted(result.steps, 'call')} · {result.sim_minutes:.1f} min of world time · {escape(result.run)}",
        soft_wrap=True,
    )
    _show_grading(result.model_dump())


def _show_grading(grade: JsonObject) -> None:
    """Print why there is no reward, or what it was made of; `grade` is a grade's document or a run's."""
    if grade["failure"]:
        complain(str(grade["failure"]))
    show_ledger(grade["ledger"])
    show_left_out(grade["left_out"])
    people = grade.get("answered_by")
    if isinstance(people, list) and people:
        was = grade.get("before")
        before = reward_text(float(was) if isinstance(was, int | float) else None)
        console.print(f"Answered by {', '.join(map(str, people))}; without them it is {before}", markup=False)
    show_models(grade["models"])
