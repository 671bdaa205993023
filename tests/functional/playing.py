"""Plays one episode and returns what came of it."""

import asyncio
from pathlib import Path

import pytest

import brownout
from brownout.catalog import find_spec
from brownout.engine.world import World
from brownout.rollouts.agent_options import AgentOptions
from brownout.rollouts.recorder import RunResult
from brownout.rollouts.runner import Episode, run_episodes
from generators.world_check import read_whole
from worlds.spec import BackgroundSpec, WorldSpec


def play(world: World, folder: Path, task: str, agent: str, *, seed: int = 0, **options: object) -> RunResult:
    episode = Episode(task, agent, seed, AgentOptions(**options), folder)  # type: ignore[arg-type]
    return asyncio.run(run_episodes(world, [episode]))[0]


def lively_spec(volume: float = 3.0, folder: Path | None = None) -> WorldSpec:
    """A world, `tiny` where none is given, with so much everyday life."""
    background = BackgroundSpec(machines=volume, work=volume, people=volume)
    return read_whole(folder or find_spec("tiny")).with_background(background)


NEEDS_SANDBOX = frozenset({"release-the-seats"})
"""Tasks whose grading runs code."""


def marked(task: str, *more: str) -> object:
    """The task as a parameter; one that runs code is skipped, saying why, where the sandbox cannot run."""
    return pytest.param(task, *more, marks=[pytest.mark.sandbox] if task in NEEDS_SANDBOX else [])


def marked_tasks() -> list[object]:
    """Every task of the shipped world as parameters."""
    return [marked(task) for task in brownout.open_package("tiny").tasks]
