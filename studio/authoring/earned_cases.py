"""What the oracle and the author's good and lazy scripts earn, criterion by criterion, as the last check has left it on disk."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from brownout.core.values import Json, objects_in
from studio.jobs import Job, list_jobs
from studio.known_worlds import BuildState, KnownWorld, built_state, package_of

__all__ = ["CASES", "EarnedCases", "cases_jobs", "cases_of"]

CASES = ("oracle", "good", "lazy")
"""The rules of `brownout qa` that play what the author has written."""


@dataclass(frozen=True, slots=True)
class EarnedCases:
    """What a task's scripts earned.

    Attributes:
        rules: by rule, what `brownout qa` told of each script: `{"good": [{"name": "by-mail", "earned": {"cause": [2, 2]}}]}`.
        is_stale: the text says something else by now.
    """

    rules: dict[str, list[Json]]
    is_stale: bool


def cases_jobs(world: KnownWorld) -> list[Job]:
    """The jobs that play a world's scripts, the newest first."""
    found = [*list_jobs("qa", folder=str(world.folder)), *list_jobs("cases", folder=str(world.folder))]
    return sorted(found, key=lambda job: (-job.made, job.id))


def cases_of(world: KnownWorld) -> dict[str, EarnedCases]:
    """By task, what its scripts earned when they were played last; nothing where they never were."""
    package = package_of(world)
    is_built = package is not None and built_state(world, package) is BuildState.BUILT
    now = package.manifest.digest if package is not None and is_built else ""
    found: dict[str, EarnedCases] = {}
    for job in cases_jobs(world):
        result = job.result
        if not isinstance(result, dict):
            continue
        for task in objects_in(result.get("tasks")):
            rules = dict(_played(objects_in(task.get("results"))))
            if rules:
                found.setdefault(str(task.get("task")), EarnedCases(rules, result.get("digest") != now))
    return found


def _played(results: Sequence[dict[str, Json]]) -> Iterator[tuple[str, list[Json]]]:
    for result in results:
        cases = result.get("cases")
        if result.get("rule") in CASES and isinstance(cases, list) and cases:
            yield str(result["rule"]), cases
