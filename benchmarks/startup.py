"""How long commands take to start, as multiples of a Python that does nothing; `python -m benchmarks.startup`."""

import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from statistics import median

__all__ = ["Cost", "cost_of"]

_TIMES = 9
_MAIN = "from brownout.cli import main; main()"
_COMMANDS = ("--help", "--version", "list", "list --json", "show --help", "run --help", "tasks tiny")


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of the clock and of the processor in user mode, each the median of several runs."""

    wall: float
    user: float


def cost_of(*arguments: str, times: int = _TIMES) -> Cost:
    """What it costs to start Python with these arguments; the first run only fills the caches."""
    walls, users = [], []
    for number in range(times + 1):
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime, time.perf_counter()
        command = [sys.executable, *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "COLUMNS": "100"})
        if number:
            walls.append(time.perf_counter() - began)
            users.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    return Cost(median(walls), median(users))


def main() -> None:
    nothing = cost_of("-c", "pass")
    print(f"{'':24}{'wall':>8}{'user':>8}   times `python -c pass` (wall)")
    print(f"{'python -c pass':24}{nothing.wall:8.3f}{nothing.user:8.3f}")
    for words in _COMMANDS:
        cost = cost_of("-c", _MAIN, *words.split())
        print(f"{'brownout ' + words:24}{cost.wall:8.3f}{cost.user:8.3f}{cost.wall / nothing.wall:8.1f}")


if __name__ == "__main__":
    main()
