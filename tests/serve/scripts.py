"""A task's reference solution, played through anything that makes calls."""

from collections.abc import Callable, Iterator

from brownout.client import SessionClient
from brownout.core.values import Json, JsonObject
from brownout.engine.world import World
from brownout.rollouts.named_facts import truth_of
from brownout.rollouts.script_language import fill, keep
from worlds.package import Package

TASK = "find-the-change"


def oracle_calls(
    package: Package, task: str = TASK
) -> Iterator[tuple[str, Callable[[], JsonObject], Callable[[Json], None]]]:
    """The calls of the reference solution: a tool, its arguments when those before are answered, and what takes its answer."""
    kept: dict[str, str] = {}
    with World(package, hot=1) as world, world.open_session(task) as aside:
        truth = truth_of(aside)
        for step in package.oracle(task):
            yield (
                step.call,
                lambda step=step: fill(step.arguments, kept, truth),  # type: ignore[misc]
                lambda answer, step=step: kept.update(keep(step.keep, answer)),  # type: ignore[misc]
            )


def play_oracle(client: SessionClient, session_id: str, package: Package, task: str = TASK) -> None:
    """Make every call of the reference solution in a session."""
    for number, (name, given, take) in enumerate(oracle_calls(package, task)):
        take(client.call(session_id, name, given(), call_id=f"step-{number}").structured)
