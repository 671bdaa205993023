"""Whether any seed of a world gives a sound one: it builds, its reference solutions earn 1 and doing nothing earns 0.

python -m benchmarks.seeds [--seeds 1..20] [--world tiny ...]
"""

import argparse
import asyncio
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import brownout
from brownout.catalog import shipped_worlds
from brownout.core.errors import BrownoutError
from brownout.rollouts.agent_options import AgentOptions
from brownout.rollouts.runner import Episode, run_episodes


@dataclass(frozen=True)
class Found:
    """What became of one seed of a world.

    Attributes:
        wrong: what is not as it must be, empty where all is.
        seconds: real time to build it and to play it.
    """

    world: str
    seed: int
    digest: str
    events: int
    wrong: tuple[str, ...]
    seconds: tuple[float, float]


def tried(world: str, seed: int) -> Found:
    """Build a world with a seed, and play each of its tasks with the oracle and with nobody."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as name:
        try:
            package = brownout.build(world, seed=seed, out=Path(name) / "package")
        except BrownoutError as error:
            return Found(world, seed, "", 0, (str(error).replace("\n", " ")[:300],), (time.perf_counter() - began, 0.0))
        built = time.perf_counter()
        with brownout.open_world(Path(name) / "package") as opened:
            plans = [
                Episode(task, agent, seed, AgentOptions(answer="Done.", seed=seed), Path(name) / f"{task}-{agent}")
                for task in package.tasks
                for agent in ("oracle", "noop")
            ]
            wrong = tuple(
                f"{result.task} {result.agent}: {result.reward} {result.failure or ''}".strip()
                for result in asyncio.run(run_episodes(opened, plans, concurrency=1))
                if result.reward != (1.0 if result.agent == "oracle" else 0.0)
            )
        digest, events = package.manifest.digest, package.manifest.counts.get("events", 0)
        return Found(world, seed, digest, events, wrong, (built - began, time.perf_counter() - built))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", default="1..20")
    parser.add_argument("--world", action="append")
    arguments = parser.parse_args()
    first, _, last = arguments.seeds.partition("..")
    wanted = [
        (world, seed)
        for world in arguments.world or shipped_worlds()
        for seed in range(int(first), int(last or first) + 1)
    ]
    with ProcessPoolExecutor(2) as workers:
        found = []
        for one in workers.map(tried, *zip(*wanted, strict=True)):
            print(
                f"{one.world:>10} {one.seed:>3}  {one.digest[:12] or '-':<12} {one.events:>6} events"
                f"  {one.seconds[0]:6.1f} s {one.seconds[1]:6.1f} s  {'; '.join(one.wrong) or 'sound'}",
                flush=True,
            )
            found.append(one)
    sound = sum(not one.wrong for one in found)
    print(f"{sound} of {len(found)} are sound, {len({one.digest for one in found})} different packages")


if __name__ == "__main__":
    main()
