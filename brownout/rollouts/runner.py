"""Plays episodes, a bounded number at a time, and records each in a folder of its own.

A finished episode has a run.json. One that was cut short has none and is played again: the same seed and calls give
the same episode, and a model's answers are taken from its record.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from brownout.core.errors import BrownoutError, ModelError
from brownout.core.grading import Grade
from brownout.core.instants import MINUTE
from brownout.core.steps import run_threaded
from brownout.core.trajectory import GradeEvent
from brownout.engine.session import Session
from brownout.engine.world import World
from brownout.rollouts.agents import make_agent
from brownout.rollouts.options import AS_RECORDED, AgentOptions, GradingOptions
from brownout.rollouts.recorder import Recorder, RunResult, finished_result

__all__ = ["Episode", "run_episodes"]

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Episode:
    """One episode to be played."""

    task: str
    agent: str
    seed: int
    options: AgentOptions
    folder: Path
    grading: GradingOptions = AS_RECORDED


async def run_episodes(
    world: World,
    episodes: Sequence[Episode],
    *,
    concurrency: int = 4,
    progress: Callable[[RunResult], None] = lambda result: None,
) -> list[RunResult]:
    """The results of all episodes, in their order. A failing episode is a result, not an exception."""
    gate = asyncio.Semaphore(concurrency)

    async def play(episode: Episode) -> RunResult:
        async with gate:
            result = await _play(world, episode)
            progress(result)
            return result

    return list(await asyncio.gather(*(play(episode) for episode in episodes)))


async def _play(world: World, episode: Episode) -> RunResult:
    finished = finished_result(episode.folder)
    if finished is not None:
        return finished
    agent = make_agent(episode.agent, replace(episode.options, folder=episode.folder))
    with (
        Recorder(episode.folder) as recorder,
        world.open_session(episode.task, seed=episode.seed, sink=recorder) as session,
    ):
        status, failure = "ok", ""
        try:
            await agent.play(session)
        except ModelError as error:
            status, failure = "agent_error", str(error)
        except BrownoutError as error:
            status, failure = "env_error", str(error)
        except Exception as error:  # one episode's trouble must not take the others along
            _LOG.exception("%s broke off", episode.folder)
            status, failure = "env_error", f"{type(error).__name__}: {error}"
        if status != "ok":
            failure = _stopped(session, status, failure)
        result = await _result(world, episode, session, status, failure)
        recorder.finish(result)
        return result


def _stopped(session: Session, status: str, failure: str) -> str:
    """What went wrong, once the session was stopped for it; one that is broken may not even stop."""
    try:
        session.stop(status, failure)
    except Exception as error:
        return f"{failure}; it could not be stopped either: {type(error).__name__}: {error}"
    return failure


async def _result(world: World, episode: Episode, session: Session, status: str, failure: str) -> RunResult:
    grade = None
    if status == "ok":
        try:
            judge = episode.grading.judge(episode.folder)
            grade = await run_threaded(session.grading(judge=judge, skip=episode.grading.skip))
        except BrownoutError as error:
            grade = Grade(None, 0, 0, False, (), failure=str(error))
        document = grade.document()
        session.simulation.log(lambda seq: GradeEvent(seq=seq, at=session.now, grade=document))
    return RunResult(
        run=str(episode.folder),
        world=world.setting.world,
        package=world.package.manifest.digest,
        task=episode.task,
        agent=episode.agent,
        seed=episode.seed,
        status=status,
        reward=grade.reward if grade else None,
        resolved=grade.resolved if grade else False,
        ledger=grade.document()["ledger"] if grade else [],
        failure=failure or (grade.failure if grade else "") or None,
        notes=list(grade.notes) if grade else [],
        stop=session.ended,
        steps=len(session.acts),
        sim_minutes=(session.now - session.task.start) / MINUTE,
    )
