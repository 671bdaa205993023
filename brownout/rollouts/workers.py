"""Plays episodes in several processes, so that all cores play.

Each worker opens the package once and plays a bounded number of episodes at a time; whoever is free takes the next one, so nobody waits
for a slow episode. What comes out is the same for any number of workers: an episode rests on its package, task and seed alone.
A worker that dies takes its own episodes along, as results without a reward; another one takes its place.
"""

import asyncio
import signal
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path

from brownout.core.errors import WorkerLost
from brownout.engine.world import World
from brownout.rollouts.recorder import RunResult
from brownout.rollouts.runner import Episode, check_episodes, lost_episode, play_episode
from worlds.package import Package, open_package

__all__ = ["run_in_workers"]

_SPAWN = get_context("spawn")  # a fork would share open databases and the event loop


@dataclass(slots=True)
class _WorkerProcess:
    """A process, the pipe to it, and the numbers of the episodes that it plays now."""

    process: SpawnProcess
    pipe: "Connection[tuple[int, Episode], tuple[int, RunResult]]"
    playing: set[int] = field(default_factory=set)


def run_in_workers(
    package: Package,
    episodes: Sequence[Episode],
    *,
    workers: int,
    concurrency: int = 4,
    progress: Callable[[RunResult], None] = lambda result: None,
) -> list[RunResult]:
    """The results of all episodes, in their order. A failing episode is a result, not an exception.

    Args:
        workers: how many processes.
        concurrency: how many episodes at a time, in all of them together; at least one in each.

    Raises:
        UsageError: as `run_episodes` does; nothing was written then.
    """
    with World(package, hot=1) as world:
        check_episodes(world, episodes)
    each = max(1, -(-concurrency // workers))
    waiting = deque(range(len(episodes)))
    results: dict[int, RunResult] = {}
    alive = [_started(package.folder, each) for _ in range(min(workers, len(episodes)))]
    try:
        while len(results) < len(episodes):
            for worker in alive:
                while waiting and len(worker.playing) < each:
                    number = waiting.popleft()
                    worker.playing.add(number)
                    worker.pipe.send((number, episodes[number]))
            for worker in _heard(alive):
                for number, result in _told(worker, episodes, package):
                    worker.playing.discard(number)
                    results[number] = result
                    progress(result)
            alive = [worker for worker in alive if worker.process.is_alive() or worker.playing]
            while waiting and len(alive) < workers:
                alive.append(_started(package.folder, each))
    finally:
        for worker in alive:
            _stop(worker)
    return [results[number] for number in range(len(episodes))]


def _started(folder: Path, concurrency: int) -> _WorkerProcess:
    ours, theirs = _SPAWN.Pipe()
    process = _SPAWN.Process(target=_work, args=(folder, concurrency, theirs), daemon=True)
    process.start()
    theirs.close()  # so that the pipe ends with the process
    return _WorkerProcess(process, ours)


def _heard(workers: Sequence[_WorkerProcess]) -> list[_WorkerProcess]:
    """The workers that have something to say, or have ended."""
    ready = wait([worker.pipe for worker in workers])
    return [worker for worker in workers if worker.pipe in ready]


def _told(worker: _WorkerProcess, episodes: Sequence[Episode], package: Package) -> list[tuple[int, RunResult]]:
    """What a worker says: a result; or, where it has died, that its episodes are lost."""
    try:
        number, result = worker.pipe.recv()
    except (EOFError, OSError):
        worker.process.join()
        error = WorkerLost(f"the process that played it ended: {_how(worker.process.exitcode)}")
        return [(number, lost_episode(package, episodes[number], error)) for number in sorted(worker.playing)]
    return [(number, result)]


def _how(code: int | None) -> str:
    if code is not None and code < 0:
        return f"killed by {signal.Signals(-code).name}"
    return f"exit code {code}"


def _stop(worker: _WorkerProcess) -> None:
    """End a worker: one that has nothing to do by closing its pipe, one that plays still by killing it."""
    worker.pipe.close()
    if worker.playing:
        worker.process.terminate()
    worker.process.join()


def _work(folder: Path, concurrency: int, pipe: "Connection[tuple[int, RunResult], tuple[int, Episode]]") -> None:
    """What a worker's process does until its pipe ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's; it ends us
    with World(open_package(folder), hot=max(4, concurrency)) as world:
        asyncio.run(_play_what_comes(world, pipe))


async def _play_what_comes(world: World, pipe: "Connection[tuple[int, RunResult], tuple[int, Episode]]") -> None:
    async def play(number: int, episode: Episode) -> None:
        pipe.send((number, await play_episode(world, episode)))

    async with asyncio.TaskGroup() as playing:
        while True:
            try:
                number, episode = await asyncio.to_thread(pipe.recv)
            except EOFError:
                return
            playing.create_task(play(number, episode))
