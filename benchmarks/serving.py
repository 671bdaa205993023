"""The session server as its clients meet it: live sessions, calls, memory, and how often its environment fails.

python -m benchmarks.serving [--sessions 1000] [--calls 10000] [--episodes 2000] [--workers 2] [--clients 16] [--world tiny]

Clients are threads of this process, so they share the machine with what they measure. An episode is the reference solution of
a task, whole: it must earn 1, and anything else than a reward is a failure of the environment.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from math import comb
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import TypeVar

import brownout
from brownout.client import HttpTransport, SessionClient
from brownout.client.errors import RequestRefused
from brownout.core.values import JsonObject
from brownout.rollouts.agent_options import AgentOptions
from brownout.rollouts.agents import make_agent
from worlds.package import Package

T = TypeVar("T")
READS: tuple[tuple[str, JsonObject], ...] = (
    ("slack_list_channels", {}),
    ("jira_search_issues", {"jql": "type = Bug ORDER BY created DESC"}),
    ("slack_send_message", {"channel": "#support", "text": "Looking into it."}),
    ("github_list_repositories", {}),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--world", default="tiny")
    parser.add_argument("--task", default="")
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--episodes", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--clients", type=int, default=16)
    given = parser.parse_args()
    package = brownout.open_package(given.world)
    task = given.task or next(iter(package.tasks))
    with served(package, given.workers) as (client, process):
        live_sessions(client, process, task, given.sessions, given.calls, given.clients)
        episodes(client, package, task, given.episodes, given.clients)
        print(f"server: {client.metrics().model_dump_json()}")


@contextmanager
def served(package: Package, workers: int) -> Iterator[tuple[SessionClient, int]]:
    """A server in processes of its own, a client of it, and the server's id."""
    program = "from brownout.cli import main; main()"
    command = [sys.executable, "-c", program, "serve", str(package.folder), "--workers", str(workers), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        told = json.loads(server.stdout.readline())
        transport = HttpTransport(told["base_url"], told["token"], told["admin_url"], told["admin_token"])
        try:
            with SessionClient(transport) as client:
                yield client, server.pid
        finally:
            server.terminate()


def live_sessions(client: SessionClient, process: int, task: str, count: int, calls: int, clients: int) -> None:
    """So many sessions open at once, each acted in."""
    names = [f"live-{number}" for number in range(count)]
    with ThreadPoolExecutor(clients) as threads:
        warm_up(client, threads, task)
        empty = held_bytes(process)
        say("create", timed(threads, lambda name: client.create(name, task), names))
        jobs = [(names[number % count], *READS[number // count % len(READS)]) for number in range(calls)]
        say("call", timed(threads, lambda job: client.call(*job), jobs))
        full = held_bytes(process)
        print(
            f"{count} live sessions: {full >> 20} MiB in all, {empty >> 20} MiB of them without any, {(full - empty) / count / 1024:.0f} KiB a session"
        )
        say("close", timed(threads, client.close_session, names))


def warm_up(client: SessionClient, threads: ThreadPoolExecutor, task: str) -> None:
    """Have every worker open the connections that its sessions share."""
    names = [f"warm-{number}" for number in range(64 * client.metrics().workers)]
    list(threads.map(lambda name: client.create(name, task), names))
    for tool, arguments in READS:
        list(threads.map(lambda name: client.call(name, tool, arguments), names))  # noqa: B023
    list(threads.map(client.close_session, names))


def episodes(client: SessionClient, package: Package, task: str, count: int, clients: int) -> None:
    """Whole episodes, and which share of them the environment failed."""
    script = list(recorded(package, task))

    def play(number: int) -> float | None:
        name = f"episode-{number}"
        try:
            client.create(name, task)
            for step, (tool, arguments) in enumerate(script):
                client.call(name, tool, arguments, call_id=f"c{step}")
            return client.grade(name).reward
        except RequestRefused as error:
            print(f"{name}: {error.code}: {error}", file=sys.stderr)
            return None
        finally:
            client.close_session(name)

    before = perf_counter()
    with ThreadPoolExecutor(clients) as threads:
        rewards = list(threads.map(play, range(count)))
    took = perf_counter() - before
    failed = rewards.count(None)
    low, high = clopper_pearson(failed, count)
    print(f"{count} episodes of {len(script)} calls: {count / took:.1f} a second, {rewards.count(1.0)} earned 1")
    print(f"the environment failed in {failed} of {count}: {failed / count:.3%}, 95 % interval {low:.3%} to {high:.3%}")


def recorded(package: Package, task: str) -> Iterator[tuple[str, JsonObject]]:
    """The calls of the reference solution with the arguments that they have in this world."""
    with brownout.open_session(package, task=task) as session:
        asyncio.run(make_agent("oracle", AgentOptions()).play(session))
        for act in session.acts:
            yield act.call.name, act.call.arguments


def timed(threads: ThreadPoolExecutor, work: Callable[[T], object], jobs: Sequence[T]) -> tuple[float, list[float]]:
    """Seconds for all jobs, and for each."""

    def one(job: T) -> float:
        since = perf_counter()
        work(job)
        return perf_counter() - since

    before = perf_counter()
    each = list(threads.map(one, jobs))
    return perf_counter() - before, each


def say(what: str, measured: tuple[float, list[float]]) -> None:
    took, each = measured
    cuts = quantiles(each, n=100)
    rate = len(each) / took
    print(f"{what}: {rate:.0f} a second, p50 {1000 * cuts[49]:.1f} ms, p95 {1000 * cuts[94]:.1f} ms")


def held_bytes(process: int) -> int:
    """What a process and its children hold, pages that they share counted by parts (PSS)."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return sum(_pss(one) for one in (str(process), *children))


def _pss(process: str) -> int:
    for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return 1024 * int(line.split()[1])
    return 0


def clopper_pearson(failed: int, count: int, confidence: float = 0.95) -> tuple[float, float]:
    """The exact interval of a share: what is outside of it would give as many failures, or as few, too rarely."""
    tail = (1 - confidence) / 2
    low = 0.0 if failed == 0 else _where(lambda share: 1 - _at_most(failed - 1, count, share) < tail)
    high = 1.0 if failed == count else _where(lambda share: _at_most(failed, count, share) > tail)
    return low, high


def _at_most(failed: int, count: int, share: float) -> float:
    return float(sum(comb(count, each) * share**each * (1 - share) ** (count - each) for each in range(failed + 1)))


def _where(holds: Callable[[float], bool]) -> float:
    """The share up to which something holds, to twelve digits."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


if __name__ == "__main__":
    main()
