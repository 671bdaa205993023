"""Routes that show a run: its steps, one step, and what it was worth at any of its calls."""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

from starlette.requests import Request
from starlette.routing import Route

from brownout.annotations import graded_with, kept_answers
from brownout.core.calls import Effect
from brownout.core.errors import BrownoutError
from brownout.core.trajectory import Event, GradeEvent, HeaderEvent
from brownout.core.values import JsonObject
from brownout.rollouts.recorder import StoredRun, read_run
from brownout.rollouts.replay import header_of
from studio.app_titles import title_of_target
from studio.company.people import faces_of
from studio.episodes.replay_steps import ReplayStep, bands_of, steps_of
from studio.episodes.run_list import find_run
from studio.episodes.shown_steps import StepInShort, in_short, shown
from studio.episodes.stale_read import is_stale_read, seen_in
from studio.known_worlds import package_of_run
from studio.serving.grading_processes import GradeFailed, GradeRequest, Grading, Working
from studio.serving.route_answers import NotFound, StillWorking, answering, integer
from studio.start_options import choices
from worlds.package import Package

__all__ = ["events_of_run", "grading", "paths_of_run", "run_routes", "steps_of_run"]

_PATIENCE_SECONDS = 0.5
_SHORT_SECONDS = 1.0
"""How long a step waits for the names of what it changed; without them it is shown at once."""
_LOOK_SECONDS = 0.04
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


_looked: dict[tuple[_Key, int], int] = {}
"""How far a search for what was no longer so has come, by run and where it began."""

grading = Grading()
"""The grading processes of this studio."""


def run_routes() -> list[Route]:
    """The routes."""
    found = {"steps": _steps, "step": _step, "stale": _stale, "reward": _reward}
    return [Route(f"/api/runs/{name}", answering(work), methods=["GET"]) for name, work in found.items()]


async def _steps(request: Request) -> object:
    run = await asyncio.to_thread(_open, request)
    if run.package is not None:
        await asyncio.to_thread(grading.warm_up)
    return Steps(
        zone=run.package.manifest.zone if run.package else "UTC",
        can_replay=run.package is not None,
        is_live=run.stored.result is None,
        grade=await asyncio.to_thread(_grade, run),
        bands=bands_of(run.steps),
        steps=[in_short(step) for step in run.steps],
    )


def _grade(run: _Opened) -> JsonObject | None:
    """The grade that the run was given, anew where people answered what nobody could read."""
    given = _final_grade(run.stored.events)
    return graded_with(given, kept_answers(run.stored.folder)) if given is not None else None


async def _step(request: Request) -> object:
    run = await asyncio.to_thread(_open, request)
    number = integer(request, "step", 1)
    if not 1 <= number <= len(run.steps):
        raise NotFound(f"Step {number} not found; the run has {len(run.steps)}")
    step = run.steps[number - 1]
    if run.package is None:
        return shown(step, [], _row_path)

    saw = seen_in(run.package, step.result, run.stored.events) if step.result else []
    if not step.changes:
        return shown(step, saw, _row_path)
    paths = await _paths(run, run.package)
    told = shown(step, saw, lambda effect: paths.get(_row_path(effect), _row_path(effect)))
    return replace(told, named=bool(paths))


async def _stale(request: Request) -> object:
    """The next step behind a given one whose answer showed the agent what was no longer so; 0 where there is none."""
    run = await asyncio.to_thread(_open, request)
    if run.package is None:
        raise NotFound("The package of this run is not here, so what it read cannot be compared")
    after = integer(request, "after")
    first = max(after, _looked.get((run.key, after), 0))

    def look() -> int:
        assert run.package is not None
        until = time.monotonic() + _PATIENCE_SECONDS
        for step in run.steps[first:]:
            if step.result is not None and is_stale_read(run.package, step.result, run.stored.events):
                return step.number
            _looked[run.key, after] = step.number
            if time.monotonic() > until:
                raise StillWorking("Comparing what was read", step.number / len(run.steps))
        return 0

    found = await asyncio.to_thread(look)
    _looked.pop((run.key, after), None)
    return {"step": found}


def paths_of_run(name: str) -> Mapping[str, str] | None:
    """What the world calls everything that a run of the studio's folder changed, by table and key: `jira_issue/12`.

    None while that is being found out, which whoever wants it asks again for; empty where the package of the run is not here.

    Raises:
        NotFound: there is no such run.
    """
    run = _open_named(name)
    if run.package is None:
        return {}
    try:
        found = grading.ask(GradeRequest(run.stored.folder, run.package.folder, run.package.manifest.digest, None))
    except GradeFailed:
        return {}
    return None if isinstance(found, Working) else {key: str(path) for key, path in found.items()}


async def _paths(run: _Opened, package: Package) -> dict[str, str]:
    """What the world calls everything that the run changed; as the tables call it, as long as that is being found out."""
    try:
        found = await _made(
            GradeRequest(run.stored.folder, package.folder, package.manifest.digest, None), _SHORT_SECONDS
        )
    except (StillWorking, GradeFailed):
        return {}
    return {key: str(path) for key, path in found.items()}


async def _reward(request: Request) -> object:
    run = await asyncio.to_thread(_open, request)
    calls = integer(request, "calls")
    total = sum(step.event.kind == "call" for step in run.steps)
    if run.package is None:
        raise NotFound("The package of this run is not here, so it cannot be graded at an earlier call")
    if not 0 <= calls <= total:
        raise NotFound(f"Call {calls} not found; the agent made {total}")
    asked = GradeRequest(run.stored.folder, run.package.folder, run.package.manifest.digest, calls)
    return await _made(asked, _PATIENCE_SECONDS, request)


async def _made(asked: GradeRequest, seconds: float, request: Request | None = None) -> JsonObject:
    """The answer of a grading process.

    Raises:
        GradeFailed: there is none.
        StillWorking: it takes longer than one request should.
    """
    until = time.monotonic() + seconds
    while True:
        found = await asyncio.to_thread(grading.ask, asked)
        if not isinstance(found, Working):
            return found
        if request is not None and await request.is_disconnected():
            grading.cancel(asked)
            raise StillWorking(found.doing, found.done)
        if time.monotonic() > until:
            raise StillWorking(found.doing, found.done)
        await asyncio.sleep(_LOOK_SECONDS)


def _row_path(effect: Effect) -> str:
    return f"{effect.table}/{effect.key}"


# -- opening ------------------------------------------------------------------------------------------------


def steps_of_run(name: str) -> list[ReplayStep]:
    """The steps of a run in the studio's folder.

    Raises:
        NotFound: there is no such run.
    """
    return _open_named(name).steps


def events_of_run(name: str) -> list[Event]:
    """All that is in the log of a run in the studio's folder.

    Raises:
        NotFound: there is no such run.
    """
    return _open_named(name).stored.events


def _open(request: Request) -> _Opened:
    return _open_named(request.query_params.get("run", ""))


def _open_named(name: str) -> _Opened:
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
    title: Callable[[str], str] = str
    if package is not None:
        try:
            names = {face.person: face.name for face in faces_of(package)}
            title = partial(title_of_target, world=package)
        except BrownoutError:
            package = None
    return _Opened(key, stored, header, package, steps_of(stored.events, names, title))


def _final_grade(events: list[Event]) -> JsonObject | None:
    """The last grade the run was given, None where it was given none."""
    return next((event.grade for event in reversed(events) if isinstance(event, GradeEvent)), None)
