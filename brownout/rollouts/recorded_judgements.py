"""Records with a task what a judge says of the texts of its own scripts, so that their rewards need no model.

A task's scripts are its reference solution and its cases. What was answered already is not asked again. Without a model the
questions are listed, each with the key under which a person may write the answer.
"""

from asyncio import to_thread
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from brownout.core.blocking_steps import run_awaiting
from brownout.core.errors import GradingError
from brownout.core.grading import Grade
from brownout.core.values import JsonObject
from brownout.engine.world import World
from brownout.llm import HAND, JudgeSettings, Model, ModelFailure, Question, Questions
from brownout.rollouts.agent_options import AgentOptions
from brownout.rollouts.agents import make_agent
from brownout.rollouts.sandbox_needs import check_sandbox
from worlds.package import Package
from worlds.spec.case_scripts import CASE_KINDS

__all__ = ["OpenQuestion", "record_judgements", "recording_of"]


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """Something that nobody has answered yet.

    Attributes:
        script: whose text it is about: `oracle`, or a case's name.
    """

    task: str
    script: str
    question: Question

    def document(self) -> JsonObject:
        """The question as JSON; `line` becomes a line of the recording once its answer is filled in."""
        prompt = self.question.prompt
        key, _ = self.question.key
        return {
            "task": self.task,
            "script": self.script,
            "prompt": prompt.name,
            "asked": prompt.messages[-1].content,
            "schema": self.question.schema,
            "line": {"format": 2, "key": key, "occurrence": 0, "by": HAND, "answer": {}},
        }


def recording_of(folder: Path, task: str) -> Path:
    """Where the answers that come with a task are kept."""
    return folder / "tasks" / task / "judged.jsonl"


async def record_judgements(world: World, folder: Path, task: str, model: Model | None) -> list[OpenQuestion]:
    """Play a task's scripts and have the texts in them judged; what stays open because there is no model.

    Args:
        folder: the author's, that the world was built of; the answers are added there.

    Raises:
        GradingError: the model failed; what it answered before is kept.
        RunError: the reference solution does not fit.
        SandboxUnavailable: the task runs code, and there is no sandbox.
    """
    check_sandbox(world.package, task)
    found: dict[tuple[str, int], OpenQuestion] = {}
    for agent, script in _scripts(world.package, task):
        player = make_agent(agent, AgentOptions(answer=script))
        asked: list[Question] = []
        settings = JudgeSettings(model or Model(name=HAND), recording_of(folder, task))
        with world.open_session(task) as session:
            await player.play(session)
            grade: Grade = await run_awaiting(
                session.grading(judge=settings), _noting(asked) if model is None else to_thread
            )
        if model is not None and grade.reward is None:
            raise GradingError(f"{task}, {script or agent}: {grade.failure}", grade.failure_kind or None)
        for question in asked:
            if question.prompt.repeat == 0:
                found.setdefault(question.key, OpenQuestion(task, script or agent, question))
    return list(found.values())


def _scripts(package: Package, task: str) -> Iterator[tuple[str, str]]:
    """Which agent plays what."""
    yield "oracle", ""
    yield from ((kind, name) for kind in CASE_KINDS for name in package.cases(task, kind))


def _noting(asked: list[Question]) -> Callable[[Callable[[], object]], Awaitable[object]]:
    """Does the work of a grading; questions to models are noted and stay open."""

    async def do(work: Callable[[], object]) -> object:
        if not isinstance(work, Questions):
            return await to_thread(work)
        asked.extend(work.asked)
        return [ModelFailure("unavailable", "nobody was asked") for _ in work.asked]

    return do
