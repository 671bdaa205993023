"""Plays episodes of one task into a folder, for the rules to look at."""

import asyncio
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from shutil import rmtree

from brownout.engine.world import World
from brownout.qa.seed_variants import Variants
from brownout.rollouts.agent_options import AS_RECORDED, AgentOptions, GradingOptions
from brownout.rollouts.recorder import RunResult, StoredRun, read_run
from brownout.rollouts.runner import Episode, run_episodes

__all__ = ["Plays"]


@dataclass
class Plays:
    """One task of an open world, and the runs that were made of it.

    Attributes:
        variants: the same text with other seeds; None where the text is not at hand.
    """

    world: World
    task: str
    folder: Path
    grading: GradingOptions = AS_RECORDED
    variants: Variants | None = None
    _count: int = field(default=0, init=False)

    def play(self, agent: str, *, seed: int = 0, answer: str = "", stop_after: int | None = None) -> RunResult:
        """What came of one episode."""
        return self.play_all([self.episode(agent, seed=seed, answer=answer, stop_after=stop_after)])[0]

    def episode(self, agent: str, *, seed: int = 0, answer: str = "", stop_after: int | None = None) -> Episode:
        """An episode that is to be played."""
        self._count += 1
        options = AgentOptions(answer=answer, stop_after=stop_after, seed=seed)
        return Episode(self.task, agent, seed, options, self._place(self._count), self.grading)

    def play_all(self, episodes: Iterable[Episode]) -> list[RunResult]:
        """What came of episodes, in their order."""
        return asyncio.run(run_episodes(self.world, [*episodes]))

    def forget(self, *, but: Collection[str]) -> None:
        """Remove the runs that were played, but for the folders named."""
        kept = {Path(run).resolve() for run in but}
        for number in range(1, self._count + 1):
            folder = self._place(number)
            if folder.resolve() not in kept:
                rmtree(folder, ignore_errors=True)

    def _place(self, number: int) -> Path:
        return self.folder / f"{self.task}-{number}"

    def read(self, result: RunResult) -> StoredRun:
        """The record of a run."""
        return read_run(Path(result.run))
