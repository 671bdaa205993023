"""Routes that show a run: its steps, one step, and what it was worth at any of its calls."""

import asyncio
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from starlette.requests import Request
from starlette.routing import Route

from brownout.core.calls import Effect
from brownout.core.errors import BrownoutError
from brownout.core.trajectory import HeaderEvent
from brownout.core.values import JsonObject
from brownout.rollouts.recorder import StoredRun, read_run
from brownout.rollouts.replay import header_of
from studio.company.people import faces_of
from studio.episodes.listing import find_run
from studio.episodes.replayer import Replayer
from studio.episodes.showing import StepInShort, StepShown, final_grade, in_short, shown
from studio.episodes.stale_read import seen_in
from studio.episodes.steps import ReplayStep, bands_of, steps_of
from studio.options import choices
from studio.registry import package_of_run
from studio.serving.answers import NotFound, answering, integer
from studio.serving.worker import Worker
from worlds.package import Package

__all__ = ["run_routes"]

_TAPES = 4
_Key = tuple[str, int, int]
"""Folder of a run, and when and how large its log last was."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """A run that was read."""

    key: _Key
    stored: StoredRun
    header: HeaderEvent
    package: Package | None
    steps: list[ReplayStep]


@dataclass(frozen=True, slots=True)
class Steps:
    """A run in short.

    Attributes:
        zone: of the world's clock.
        can_replay: the very package it was recorded on is here, so that it can be played again.
        bands: outages as first and last step.
        grade: the one it was given, None where it was given none.
        is_live: it has not ended yet.
    """

    zone: str
    can_replay: bool
    is_live: bool
    grade: JsonObject | None
    bands: list[tuple[int, int]]
    steps: list[StepInShort]


_worker: Worker[_Key, Replayer] = Worker("tapes", lambda key: _tape(key), most=_TAPES)


def run_routes() -> list[Route]:
    """The routes."""
    found = {"steps": _steps, "step": _step, "reward": _reward}
    return [Route(f"/api/runs/{name}", answering(work), methods=["GET"]) for name, work in found.items()]


async def _steps(request: Request) -> object:
    run = await asyncio.to_thread(_open, request)
    return Steps(
        zone=run.package.manifest.zone if run.package else "UTC",
        can_replay=run.package is not None,
        is_live=run.stored.result is None,
        grade=final_grade(run.stored.events),
        bands=bands_of(run.steps),
        steps=[in_short(step) for step in run.steps],
    )


async def _step(request: Request) -> object:
    run = await asyncio.to_thread(_open, request)
    number = integer(request, "step", 1)
    if not 1 <= number <= len(run.steps):
        raise NotFound(f"Step {number} not found; the run has {len(run.steps)}")
    step = run.steps[number - 1]
    if run.package is None:
        return shown(step, [], _row_path)

    def told(replayer: Replayer) -> StepShown:
        return shown(step, saw, replayer.path_of)

    saw = seen_in(run.package, step.result, run.stored.events) if step.result else []
    if not step.changes:
        return shown(step, saw, _row_path)
    return await asyncio.wrap_future(_worker.ask(run.key, told))


async def _reward(request: Request) -> object:
    run = await asyncio.to_thread(_open, request)
    calls = integer(request, "calls")
    total = sum(step.event.kind == "call" for step in run.steps)
    if run.package is None:
        raise NotFound("The package of this run is not here, so its prefixes cannot be graded")
    if not 0 <= calls <= total:
        raise NotFound(f"Call {calls} not found; the agent made {total}")
    return await asyncio.wrap_future(_worker.ask(run.key, lambda replayer: replayer.grade_after(calls)))


def _row_path(effect: Effect) -> str:
    return f"{effect.table}/{effect.key}"


# -- opening ------------------------------------------------------------------------------------------------


def _open(request: Request) -> _Opened:
    name = request.query_params.get("run", "")
    found = find_run(choices().runs, name)
    if found is None:
        raise NotFound(f"Run {name} not found")
    stat = (found.folder / "trajectory.jsonl").stat()
    return _opened((str(found.folder), stat.st_mtime_ns, stat.st_size))


@lru_cache(maxsize=8)
def _opened(key: _Key) -> _Opened:
    stored = read_run(Path(key[0]))
    header = header_of(stored)
    package = package_of_run(stored.folder, header.package, stored.result)
    names: dict[str, str] = {}
    if package is not None:
        try:
            names = {face.person: face.name for face in faces_of(package)}
        except BrownoutError:
            package = None
    return _Opened(key, stored, header, package, steps_of(stored.events, names))


def _tape(key: _Key) -> Replayer:
    run = _opened(key)
    if run.package is None:
        raise NotFound("The package of this run is not here")
    return Replayer(run.package, run.stored)
