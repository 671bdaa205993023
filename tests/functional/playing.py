"""Plays one episode and returns what came of it."""

import asyncio
from pathlib import Path

from brownout.engine.world import World
from brownout.rollouts.options import AgentOptions
from brownout.rollouts.recorder import RunResult
from brownout.rollouts.runner import Episode, run_episodes


def play(world: World, folder: Path, task: str, agent: str, *, seed: int = 0, **options: object) -> RunResult:
    episode = Episode(task, agent, seed, AgentOptions(**options), folder)  # type: ignore[arg-type]
    return asyncio.run(run_episodes(world, [episode]))[0]
