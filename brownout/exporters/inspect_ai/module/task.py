"""The task: one sample for each piece of work in the world."""
# mypy: disable-error-code="import-not-found,untyped-decorator"

import json

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample

from brownout.core.errors import PluginError, SandboxUnavailable
from brownout.exporters.inspect_ai.module.opening import FOLDER, episodes
from brownout.exporters.inspect_ai.module.playing import begin, close, play
from brownout.exporters.inspect_ai.module.refusing import refusal
from brownout.exporters.inspect_ai.module.scoring import criteria_of, graded
from brownout.rollouts.options import grading_options

__all__ = ["world"]

OFFERED: list[str] = json.loads((FOLDER / "tasks.json").read_text("utf-8"))


@task
def world(
    task: str | list[str] = "",
    seed: int = 0,
    epochs: int = 1,
    skip: str | list[str] = "",
    strict: bool = False,
) -> Task:
    """Work in a company whose services fail.

    Args:
        task: which of the tasks, several with commas between them; all of them where none is named.
        seed: of the sessions; epoch n plays with seed + n - 1, so that epochs differ and each can be played again.
        epochs: how often each task is played.
        skip: graders to leave out; their points are neither earned nor possible.
        strict: where a criterion would be left out because no model can be asked, the sample is an error instead.
    """
    named = task if isinstance(task, list) else str(task).split(",") if task else OFFERED  # `-T task=a,b` is a list
    _check(named, frozenset([skip] if isinstance(skip, str) and skip else skip))
    manifest = episodes().world.package.manifest
    return Task(
        dataset=MemoryDataset(
            [Sample(id=name, input=episodes().instructions(name)) for name in named], name=manifest.world
        ),
        setup=begin(seed=seed),
        solver=play(),
        scorer=graded(criteria=criteria_of(named), skip=skip, strict=strict),
        cleanup=close,
        epochs=epochs,
        version=manifest.digest,
        metadata={"world": manifest.world, "seed": seed},
    )


def _check(named: list[str], skip: frozenset[str]) -> None:
    """Refuse before anything is played: a task or a grader that is not there, code to run and no sandbox for it."""
    unknown = [name for name in named if name not in OFFERED]
    if unknown:
        raise refusal(f"expected tasks out of {', '.join(OFFERED)}; found {', '.join(unknown)}")
    missing: dict[str, str] = {}
    try:
        grading_options(skip=skip)
        for name in named:
            try:
                episodes().check(name, skip)
            except SandboxUnavailable as error:
                missing[name] = str(error)
    except PluginError as error:
        raise refusal(error) from error
    if missing:
        others = ",".join(name for name in OFFERED if name not in missing)
        raise refusal("\n".join([*missing.values(), *([f"Without it: -T task={others}"] if others else [])]))
