"""The task: one sample for each piece of work in the world."""
# mypy: disable-error-code="import-not-found"

from collections.abc import Awaitable, Callable, Sequence

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Scorer
from inspect_ai.solver import Solver, TaskState

from brownout.core.errors import PluginError, SandboxUnavailable
from brownout.exporters.inside.opened_export import ExportedWorld
from brownout.exporters.inspect_ai.refusals import refusal
from brownout.rollouts.agent_options import grading_options

__all__ = ["make_task", "named", "skipped"]


def named(world: ExportedWorld, task: str | list[str]) -> list[str]:
    """The tasks that `-T task=a,b` names; all that are offered where it names none."""
    found = task if isinstance(task, list) else str(task).split(",") if task else offered(world)
    unknown = [name for name in found if name not in offered(world)]
    if unknown:
        raise refusal(f"expected tasks out of {', '.join(offered(world))}; found {', '.join(unknown)}")
    return found


def offered(world: ExportedWorld) -> list[str]:
    """The tasks of the export."""
    return list(dict.fromkeys(row.task for row in world.rows))


def skipped(skip: str | Sequence[str]) -> list[str]:
    """The graders that `-T skip=…` names."""
    return [skip] if isinstance(skip, str) and skip else [*skip]


def make_task(
    world: ExportedWorld,
    tasks: Sequence[str],
    *,
    seed: int,
    epochs: int,
    skip: Sequence[str],
    setup: Solver,
    solver: Solver,
    scorer: Scorer,
) -> Task:
    """The task. Refused before anything is played: a grader that is not there, code to run and no sandbox for it."""
    _check(world, tasks, frozenset(skip))
    manifest = world.world.package.manifest
    return Task(
        dataset=MemoryDataset([Sample(id=name, input=world.instructions(name)) for name in tasks], name=manifest.world),
        setup=setup,
        solver=solver,
        scorer=scorer,
        cleanup=_closing(world),
        epochs=epochs,
        version=manifest.digest,
        metadata={"world": manifest.world, "seed": seed},
    )


def _closing(world: ExportedWorld) -> Callable[[TaskState], Awaitable[None]]:
    async def close(state: TaskState) -> None:
        """Give the sample's session back."""
        world.release(state.uuid)

    return close


def _check(world: ExportedWorld, tasks: Sequence[str], skip: frozenset[str]) -> None:
    missing: dict[str, str] = {}
    try:
        grading_options(skip=skip)
        for name in tasks:
            try:
                world.check(name, skip)
            except SandboxUnavailable as error:
                missing[name] = str(error)
    except PluginError as error:
        raise refusal(error) from error
    if missing:
        others = ",".join(name for name in offered(world) if name not in missing)
        raise refusal("\n".join([*missing.values(), *([f"Without it: -T task={others}"] if others else [])]))
