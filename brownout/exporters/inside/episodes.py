"""The episodes that a framework plays in its own process, each under an id that the framework gave it.

Exports carry this module; it knows no framework. A framework opens an episode, makes turns, says things and asks for
the outcome; grading stays on this side of it, and so does everything that an agent must not see.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

import orjson

from brownout.client.requests import TurnCall
from brownout.core.blocking_steps import BlockingSteps, run_inline, run_threaded
from brownout.core.calls import CallIds, Observation, ToolCall
from brownout.core.errors import Failure, GradingError, SessionBusy, SessionClosed, SessionError, is_environments
from brownout.core.grading import Grade
from brownout.core.instants import MINUTE
from brownout.core.trajectory import Event, dump_event, load_event
from brownout.core.values import JsonObject
from brownout.engine.session import Session
from brownout.engine.world import World
from brownout.rollouts.agent_options import AS_RECORDED, GradingOptions
from brownout.rollouts.recorder import StoredRun
from brownout.rollouts.replay import header_of, regrading
from brownout.rollouts.sandbox_needs import check_sandbox
from worlds.package import open_package

__all__ = ["EpisodeOutcome", "Episodes", "ExportedEpisode"]

_OVER = "The episode has ended; this call was not made."


@dataclass(frozen=True, slots=True)
class EpisodeOutcome:
    """What came of an episode.

    Attributes:
        reward: 0 to 1; there is no outcome without one.
        scores: by criterion, as `Grade.scores` has them.
        answer: what was submitted, or last said to the requester.
    """

    reward: float
    scores: dict[str, float]
    grade: Grade
    answer: str

    def document(self) -> JsonObject:
        """The outcome as JSON: `reward`, `criteria` (each one's value), `answer`, and the grade with its ledger."""
        return {**self.grade.document(), "reward": self.reward, "criteria": {**self.scores}, "answer": self.answer}


class ExportedEpisode:
    """One session and what has happened in it.

    Attributes:
        trajectory: every event so far, as JSON; it grows while the episode goes on.
        failure: what the machine failed at, None where it did not. Such an episode has no reward, whether or not the framework
            that was told so goes on with it.
    """

    def __init__(self, open_session: Callable[[Callable[[Event], None]], Session]) -> None:
        """Begin.

        Args:
            open_session: opens the session that tells its events to what it is given.
        """
        self.trajectory: list[JsonObject] = []
        self.failure: Failure | None = None
        self.listener: Callable[[JsonObject], None] = _nobody
        self._ids = CallIds()
        self.session = open_session(self._note)

    @property
    def ended(self) -> str:
        """Why it ended; empty while it goes on."""
        return self.session.ended

    def call(self, name: str, arguments: JsonObject, call_id: str = "") -> Observation:
        """Make one call, which is a turn of its own."""
        [answer] = run_inline(self._turn([ToolCall(name, arguments, call_id)]))
        return answer

    async def turn(self, calls: Sequence[ToolCall | TurnCall]) -> list[Observation]:
        """Make the calls of one turn in their order; what is wrong with one is its answer. After the end none is made.

        A model may use an id again for another call: each call here is made.
        """
        return await run_threaded(self._turn(calls))

    def _turn(self, calls: Sequence[ToolCall | TurnCall]) -> BlockingSteps[list[Observation]]:
        if self.ended:
            now = self.session.now
            return [Observation(call.call_id, call.name, True, _OVER, "", now) for call in calls]
        with self._noting():
            plain = [ToolCall(call.name, call.arguments, call.call_id) for call in calls]
            return (yield from self.session.steps([self._ids.own(call) for call in plain]))

    def say(self, text: str) -> str:
        """Say something to the requester; what they answer, empty where that ended the episode."""
        with self._noting():
            answer = self.session.say(text)
        return "" if self.ended else answer.content

    def finish(self, grading: GradingOptions = AS_RECORDED) -> EpisodeOutcome:
        """The outcome; where the episode still goes on it is ended, for the agent does not go on.

        Args:
            grading: who judges, and what is left out.

        Raises:
            GradingError: it could not be judged. That is no reward of 0: it is none at all.
        """
        return run_inline(self.outcome(grading))

    def outcome(self, grading: GradingOptions = AS_RECORDED) -> BlockingSteps[EpisodeOutcome]:
        """The steps of `finish`; they yield the questions (`brownout.llm.Questions`) that a model must answer."""
        if self.failure:
            raise _null(self.failure)
        try:
            with self._noting():
                self.session.stop("unfinished", "the agent does not go on")
                judge = grading.judge(None)
                grade = yield from self.session.grading(judge=judge, skip=grading.skip, strict=grading.strict)
                return _outcome(grade, self.session.end_state().answer)
        except Exception as error:
            if not self.failure:
                raise
            raise _null(self.failure) from error

    @contextmanager
    def _noting(self) -> Iterator[None]:
        """Note what the machine fails at, for a framework may show it to the model and go on."""
        try:
            yield
        except Exception as error:
            if is_environments(error) and not isinstance(error, SessionBusy | SessionClosed):
                self.failure = self.failure or Failure.of(error)
            raise

    @property
    def facts(self) -> JsonObject:
        """What a report of the episode begins with."""
        session = self.session
        return {
            "world": session.setting.world,
            "package": session.package.manifest.digest,
            "task": session.task.id,
            "seed": session.seed,
            "stop": session.ended,
            "calls": len(session.acts),
            "sim_minutes": (session.now - session.task.start) / MINUTE,
        }

    def _note(self, event: Event) -> None:
        document: JsonObject = orjson.loads(dump_event(event))
        self.trajectory.append(document)
        self.listener(document)


class Episodes:
    """An exported world, opened for a process. One thread at a time may use it."""

    def __init__(self, folder: Path, *, hot: int = 64) -> None:
        """Open a package.

        Args:
            folder: the package's. Where its files may not be written a private copy is used: SQLite opens a database
                for writing even when nothing is written.
            hot: how many episodes may be acting at the same time without being swapped.

        Raises:
            PackageError: the package is damaged.
        """
        self._copy: TemporaryDirectory[str] | None = None
        if not os.access(folder / "world.sqlite", os.W_OK):
            self._copy = TemporaryDirectory(prefix="brownout-world-")
            folder = Path(copytree(folder, Path(self._copy.name) / "world", copy_function=_copy_bytes))
        self.world = World(open_package(folder), hot=hot)
        self._live: dict[str, ExportedEpisode] = {}

    @property
    def tasks(self) -> tuple[str, ...]:
        """Every task of the world."""
        return tuple(self.world.package.tasks)

    def criteria(self, task: str) -> tuple[str, ...]:
        """What the task is judged by: gates, points, penalties."""
        rubric = self.world.package.rubric(task)
        return (*rubric.gates, *rubric.points, *rubric.penalties)

    def check(self, task: str, skip: frozenset[str] = frozenset()) -> None:
        """Return if this machine can play a task.

        Args:
            skip: graders that are left out.

        Raises:
            UnknownTask: the world has no such task.
            SandboxUnavailable: it runs code, and there is no sandbox; the message says what to install.
        """
        check_sandbox(self.world.package, task, skip)

    def instructions(self, task: str) -> str:
        """What an agent is told at the start of a task."""
        with self.world.open_session(task) as session:
            return session.instructions

    def tools(self, task: str) -> list[JsonObject]:
        """The tools of a task: `{"name", "description", "input_schema"}` each."""
        with self.world.open_session(task) as session:
            return session.tools

    def open(
        self, key: str, task: str, *, seed: int = 0, listener: Callable[[JsonObject], None] | None = None
    ) -> ExportedEpisode:
        """A new episode under an id of the framework's choice.

        Args:
            listener: is told each event as it happens.

        Raises:
            UnknownTask: the world has no such task.
            SessionError: an episode of that id goes on.
        """
        if key in self._live:
            raise SessionError(f"an episode {key} goes on already; release it first")
        episode = ExportedEpisode(lambda sink: self.world.open_session(task, seed=seed, sink=sink))
        episode.listener = listener or _nobody
        for event in episode.trajectory:
            episode.listener(event)
        self._live[key] = episode
        return episode

    def find(self, key: str) -> ExportedEpisode | None:
        """The episode of that id; None where none was opened, or it was released."""
        return self._live.get(key)

    def outcome_of(
        self, trajectory: Sequence[JsonObject], grading: GradingOptions = AS_RECORDED
    ) -> BlockingSteps[EpisodeOutcome]:
        """The steps to the outcome of a recorded episode by the graders as they are: its calls are made again.

        Raises:
            RunError: it is of another world, or does not come out as it was recorded.
            GradingError: it could not be judged.
        """
        run = StoredRun(Path("recorded"), None, [load_event(orjson.dumps(event)) for event in trajectory])
        header_of(run)
        said = [str(event.get("text", "")) for event in trajectory if event.get("kind") == "say"]
        grade = yield from regrading(self.world, run, grading)
        return _outcome(grade, said[-1] if said else "")

    def release(self, key: str) -> None:
        """Give an episode's storage back; harmless where there is none of that id."""
        episode = self._live.pop(key, None)
        if episode is not None:
            episode.session.close()

    def close(self) -> None:
        """Close the world and every episode; a second close is harmless."""
        for key in list(self._live):
            self.release(key)
        self.world.close()
        if self._copy is not None:
            self._copy.cleanup()
            self._copy = None


def _outcome(grade: Grade, answer: str) -> EpisodeOutcome:
    if grade.reward is None:
        raise _null(Failure(grade.failure_kind or "grader_failed", grade.failure or "no reason was given"))
    return EpisodeOutcome(grade.reward, grade.scores, grade, answer)


def _null(failure: Failure) -> GradingError:
    return GradingError(f"the reward is null: {failure}", failure.kind)


def _nobody(event: JsonObject) -> None:
    """Listens to nothing."""


def _copy_bytes(source: str, target: str) -> None:
    Path(target).write_bytes(Path(source).read_bytes())
