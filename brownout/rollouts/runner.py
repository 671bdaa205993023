"""Plays episodes, a bounded number at a time, and records each in a folder of its own.

What cannot be played is refused before anything is written; what breaks later is a run without a reward. A finished episode has a run.json. One that was cut short has none and is played again: the same seed and calls give
the same episode, and a model's answers are taken from its record.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from brownout.core.blocking_steps import run_threaded
from brownout.core.errors import BrokenApp, BrownoutError, Failure, ModelError, failure_kind_of
from brownout.core.grading import Grade
from brownout.core.instants import MINUTE
from brownout.core.trajectory import DefectEvent, GradeEvent
from brownout.core.values import JsonObject
from brownout.engine.session import Session
from brownout.engine.world import World
from brownout.rollouts.agent_options import AS_RECORDED, AgentOptions, GradingOptions
from brownout.rollouts.agents import Agent, ChoosyAgent, make_agent
from brownout.rollouts.grade_preparation import Anticipation, beforehand
from brownout.rollouts.recorder import Recorder, RunResult, finished_result, seen_from
from brownout.rollouts.sandbox_needs import check_sandbox
from worlds.package import Package

__all__ = [
    "Ending",
    "Episode",
    "agent_of",
    "check_episodes",
    "lost_episode",
    "play_episode",
    "result_of",
    "run_episodes",
    "what_broke",
]

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Episode:
    """One episode to be played.

    Attributes:
        folder: where it is recorded.
        world_folder: the author's folder that the package was built of, None where it was not built of one.
    """

    task: str
    agent: str
    seed: int
    options: AgentOptions
    folder: Path
    grading: GradingOptions = AS_RECORDED
    world_folder: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How an episode ended, wherever it was played.

    Attributes:
        status: `ok`, `env_error` or `agent_error`, as in run.json.
        grade: as logs have it (`Grade.document`), None where it was not judged.
        stop: why it ended, empty where it never began.
        sim_minutes: world time from the task's start to the end of the episode, what it ran on after the last call included.
    """

    status: str
    failure: Failure | None = None
    grade: JsonObject | None = None
    stop: str = ""
    steps: int = 0
    sim_minutes: float = 0.0
    defects: Sequence[DefectEvent] = ()


_NO_GRADE: Final[JsonObject] = {
    "reward": None,
    "resolved": False,
    "complete": False,
    "left_out": [],
    "models": [],
    "ledger": [],
    "failure": None,
    "failure_kind": None,
}
"""What run.json says of an episode that was not judged."""


async def run_episodes(
    world: World,
    episodes: Sequence[Episode],
    *,
    concurrency: int = 4,
    progress: Callable[[RunResult], None] = lambda result: None,
) -> list[RunResult]:
    """The results of all episodes, in their order. A failing episode is a result, not an exception.

    Raises:
        UsageError: an agent cannot play its task, or was not told what it needs.
        UnknownPlugin: there is no such agent.
        UnknownTask: there is no such task.
        SandboxUnavailable: a task runs code, and there is no sandbox. In all these cases nothing was written.
    """
    check_episodes(world, episodes)
    gate = asyncio.Semaphore(concurrency)

    async def play(episode: Episode) -> RunResult:
        async with gate:
            result = await play_episode(world, episode, is_alone=len(episodes) == 1)
            progress(result)
            return result

    return list(await asyncio.gather(*(play(episode) for episode in episodes)))


def check_episodes(world: World, episodes: Sequence[Episode]) -> None:
    """Return if all episodes can be begun.

    Raises:
        UsageError: as `run_episodes` does.
    """
    for task, skip in dict.fromkeys((episode.task, episode.grading.skip) for episode in episodes):
        check_sandbox(world.package, task, skip)
    for episode in episodes:
        agent = agent_of(episode)
        if isinstance(agent, ChoosyAgent):
            agent.check(world.package, episode.task)


def agent_of(episode: Episode) -> Agent:
    """The episode's agent.

    Raises:
        UnknownPlugin: there is none of that name.
        UsageError: it was not told what it needs.
    """
    return make_agent(episode.agent, replace(episode.options, folder=episode.folder))


async def play_episode(world: World, episode: Episode, *, is_alone: bool = False) -> RunResult:
    """The result of one episode, which may be that it could not be played; one that was finished before is taken as it is.

    Args:
        is_alone: nothing else waits for the machine, so that what the grade may need is begun where it may be in vain.
    """
    finished = finished_result(episode.folder)
    if finished is not None:
        return finished
    try:
        rubric, skip = world.package.rubric(episode.task), episode.grading.skip
        with Recorder(episode.folder) as recorder:
            anticipation = Anticipation(recorder, rubric, skip)
            with (
                world.open_session(
                    episode.task, seed=episode.seed, sink=anticipation if is_alone else recorder
                ) as session,
                beforehand(session, rubric, skip),
                anticipation.following(session),
            ):
                result = await _played(world, episode, session)
            return recorder.finish(result)
    except Exception as error:  # it could not be begun or recorded; the other episodes go on
        return lost_episode(world.package, episode, error)


def lost_episode(package: Package, episode: Episode, error: Exception) -> RunResult:
    """The result of an episode that could not be begun, recorded or brought to its end."""
    return result_of(package, episode, Ending(status="env_error", failure=what_broke(episode, error)))


async def _played(world: World, episode: Episode, session: Session) -> RunResult:
    status, failure, grade = "ok", None, None
    try:
        await agent_of(episode).play(session)
    except ModelError as error:
        status, failure = "agent_error", Failure.of(error)
    except Exception as error:
        status, failure = "env_error", what_broke(episode, error)
    acted = session.now
    if failure is not None:
        failure = _stopped(session, status, failure)
    else:
        grade = await _graded(episode, session)
    ending = Ending(
        status=status,
        failure=failure,
        grade=grade,
        stop=session.ended,
        steps=len(session.acts),
        sim_minutes=(acted - session.task.start) / MINUTE,
        defects=tuple(session.simulation.defects),
    )
    return result_of(world.package, episode, ending)


def what_broke(episode: Episode, error: Exception) -> Failure:
    """Why there is no reward; what nobody foresaw is logged with its trace."""
    if isinstance(error, BrownoutError):
        return Failure.of(error)
    _LOG.error("%s broke off", episode.folder, exc_info=error)
    return Failure(failure_kind_of(error), f"{type(error).__name__}: {error}")


def _stopped(session: Session, status: str, failure: Failure) -> Failure:
    """What went wrong, once the session was stopped for it; one that is broken may not even stop."""
    try:
        session.stop(status, failure.reason)
    except Exception as error:
        return failure.and_then(f"it could not be stopped either: {type(error).__name__}: {error}")
    return failure


async def _graded(episode: Episode, session: Session) -> JsonObject:
    try:
        options = episode.grading
        judge = options.judge(episode.folder)
        grade = await run_threaded(session.grading(judge=judge, skip=options.skip, strict=options.strict))
    except BrownoutError as error:
        grade = Grade.null(Failure.of(error))
    document = grade.document()
    session.simulation.log(lambda seq: GradeEvent(seq=seq, at=session.now, grade=document))
    return document


def result_of(package: Package, episode: Episode, ending: Ending) -> RunResult:
    """What run.json says of an episode."""
    grade = ending.grade or _NO_GRADE
    return RunResult.model_validate(
        {
            "run": str(episode.folder),
            "world": package.manifest.world,
            "package": package.manifest.digest,
            "package_folder": seen_from(episode.folder, package.folder),
            "world_folder": seen_from(episode.folder, episode.world_folder) if episode.world_folder else "",
            "task": episode.task,
            "agent": episode.agent,
            "answer": episode.options.answer,
            "model": episode.options.model.name if episode.options.model is not None else "",
            "seed": episode.seed,
            "status": ending.status,
            **{name: grade[name] for name in _NO_GRADE},
            **_why_none(ending.failure),
            "defects": [f"{_whose(one)} in {one.where}: {one.error}" for one in ending.defects],
            "stop": ending.stop,
            "steps": ending.steps,
            "sim_minutes": ending.sim_minutes,
        }
    )


def _why_none(failure: Failure | None) -> JsonObject:
    """What run.json says of an episode that broke off; nothing of another one, whose grade says it."""
    return {} if failure is None else {"failure": failure.reason, "failure_kind": failure.kind}


def _whose(defect: DefectEvent) -> str:
    """Who has to mend it: an error of a stranger's app names the app itself."""
    return "a mistake" if defect.error.startswith(f"{BrokenApp.__name__}:") else "a mistake of ours"
