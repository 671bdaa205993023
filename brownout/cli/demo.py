"""`brownout demo`: what a world's flagship is worth to somebody who solves it, and to somebody who does nothing."""

import asyncio
from pathlib import Path

import typer
from rich.markup import escape

from brownout.api import open_package
from brownout.cli.output import complain, console, print_json
from brownout.cli.runs import free_folder, run_summary, show_replay, show_result, world_folder
from brownout.core.errors import SandboxUnavailable
from brownout.core.values import Json
from brownout.engine.world import World
from brownout.rollouts.agent_options import AgentOptions
from brownout.rollouts.recorder import RunResult, read_run
from brownout.rollouts.replay import ReplayReport, replay
from brownout.rollouts.runner import Episode, run_episodes
from brownout.rollouts.sandbox_needs import check_sandbox
from worlds.package import Package

__all__ = ["demo"]

_NOTHING = "Done, resolved."


def demo(package: str, task: str, out: Path, as_json: bool) -> None:
    """Play a world's flagship task twice, with its reference solution and doing nothing, and replay the first."""
    opened = open_package(package)
    chosen = opened.task(task).id if task else _playable(opened)
    if not as_json:
        console.print(f"[bold]{escape(opened.manifest.title)}[/]\n{escape(opened.task(chosen).title)}\n")
    with World(opened, hot=2) as world:
        solved = _play(world, package, chosen, out, "oracle")
        idle = _play(world, package, chosen, out, "noop", _NOTHING)
        report = replay(world, read_run(Path(solved.run))) if solved.reward is not None else None
    if as_json:
        runs: list[Json] = [run_summary(solved), run_summary(idle)]
        print_json({"task": chosen, "runs": runs, "matches": report.matches if report else None})
    else:
        _show(solved, idle, report, out)
    raise typer.Exit(0 if report is not None and report.matches and idle.reward is not None else 1)


def _show(solved: RunResult, idle: RunResult, report: ReplayReport | None, out: Path) -> None:
    show_result(solved)
    show_result(idle)
    if report is not None:
        show_replay(report)
    console.print(f"\nLook at them: [bold]brownout studio --runs {escape(str(out))}[/]", soft_wrap=True)


def _playable(package: Package) -> str:
    """The world's flagship; where that runs code and this machine cannot, the first task that runs none."""
    flagship = package.manifest.flagship or next(iter(package.tasks), "")
    reason = ""
    for name in dict.fromkeys((package.task(flagship).id, *package.tasks)):
        try:
            check_sandbox(package, name)
        except SandboxUnavailable as error:
            reason = reason or str(error)
            continue
        if reason:
            complain(f"{reason}\nPlaying {name} instead.")
        return name
    raise SandboxUnavailable(reason)


def _play(world: World, package: str, task: str, out: Path, agent: str, answer: str = "") -> RunResult:
    folder = free_folder(out, f"{task}-{agent}-s0")
    episode = Episode(task, agent, 0, AgentOptions(answer=answer), folder, world_folder=world_folder(package))
    [result] = asyncio.run(run_episodes(world, [episode]))
    return result
