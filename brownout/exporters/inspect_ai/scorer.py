"""The scorer: the reward and one value for each criterion, with the ledger that explains them."""
# mypy: disable-error-code="import-not-found"

from asyncio import gather
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import nan

from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ResponseSchema,
    model_roles,
)
from inspect_ai.scorer import Score, Scorer, Target
from inspect_ai.solver import TaskState
from inspect_ai.util import JSONSchema

from brownout.core.blocking_steps import run_apart, run_awaiting
from brownout.core.errors import RunError, SandboxUnavailable
from brownout.core.grading import Grade
from brownout.core.language_models import Usage
from brownout.core.values import Json, JsonObject
from brownout.exporters.inside.episodes import EpisodeOutcome
from brownout.exporters.inside.opened_export import ExportedWorld
from brownout.exporters.inspect_ai.refusals import refusal
from brownout.llm import ModelAnswer, ModelFailure, Question, Questions
from brownout.rollouts.agent_options import grading_options

__all__ = ["criteria_of", "graded"]

_REWARD = "reward"
_JUDGE = "grader"
"""Inspect's own name for the role."""


def graded(
    world: ExportedWorld, criteria: Sequence[str] = (), skip: str | Sequence[str] = (), strict: bool = False
) -> Scorer:
    """Judge the episode. A reward that is null is an error of the sample, never 0.

    What only a reader can judge is asked of the model in the role `grader`; without one, recorded answers count, and what
    they do not cover is left out: `complete` in the score's metadata is false then, and `left_out` names it.

    Args:
        skip: graders to leave out.
        criteria: of all tasks that are played together; every one of the world's where none is given. What a task is
            not judged by is unscored for it.
        strict: what would be left out for want of a model is an error of the sample.
    """
    skipped = [skip] if isinstance(skip, str) and skip else skip
    columns = criteria or criteria_of(world, world.tasks)

    async def score(state: TaskState, target: Target) -> Score:
        episode = world.find(state.uuid)
        trajectory: list[JsonObject] = state.store.get("trajectory", [])
        judge = _judge()
        grading = grading_options(skip=skipped, strict=strict, judge_model=str(judge or ""))
        steps = episode.outcome(grading) if episode else world.outcome_of(trajectory, grading)
        try:
            outcome = await run_awaiting(steps, partial(_done, judge))
        except (RunError, SandboxUnavailable) as error:
            raise refusal(error) from error
        return Score(
            value={_REWARD: outcome.reward, **_values(outcome, columns)},
            answer=outcome.answer,
            explanation=_explained(outcome.grade),
            metadata={
                **(episode.facts if episode else {}),
                **{name: value for name, value in outcome.grade.document().items() if name != _REWARD},
                "events": _events(trajectory),
            },
        )

    return score


def _judge() -> Model | None:
    """The model that plays the grader, None where no role was given."""
    found = model_roles().get(_JUDGE)
    return found[0] if isinstance(found, list) else found


async def _done(judge: Model | None, work: Callable[[], object]) -> object:
    """What the judge answers to questions; what any other work returns."""
    if not isinstance(work, Questions):
        return await run_apart(work)
    assert judge is not None
    return await _asked(judge, work)


async def _asked(judge: Model, questions: Questions) -> list[ModelAnswer | ModelFailure]:
    """What the judge answers. It is asked through Inspect, so that its log has it; Inspect bounds how much at once."""
    return [*await gather(*(_one(judge, question) for question in questions.asked))]


async def _one(judge: Model, question: Question) -> ModelAnswer | ModelFailure:
    turns = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
    try:
        output = await judge.generate(
            [turns[message.role](content=message.content) for message in question.prompt.messages],
            config=GenerateConfig(
                temperature=question.prompt.temperature,
                response_schema=ResponseSchema(name="answer", json_schema=JSONSchema.model_validate(question.schema)),
            ),
        )
    except Exception as error:  # whatever a provider raises: there is no verdict
        return ModelFailure("server", f"{judge}: {error}")
    used = output.usage
    cost = getattr(used, "total_cost", None)  # of newer versions
    return ModelAnswer(output.completion, Usage(used.input_tokens, used.output_tokens, cost) if used else None)


def criteria_of(world: ExportedWorld, tasks: Iterable[str]) -> list[str]:
    """What some tasks are judged by, each name once."""
    return list(dict.fromkeys(name for task in tasks for name in world.criteria(task)))


def _values(outcome: EpisodeOutcome, columns: Sequence[str]) -> dict[str, float]:
    return {f"criterion {n}" if n == _REWARD else n: outcome.scores.get(n, nan) for n in columns}


def _explained(grade: Grade) -> str:
    lines = [f"{grade.points} of {grade.possible} points"]
    for line in grade.ledger:
        points = "gate" if line.gate else f"{line.counted}/{line.worth}"
        lines.append(f"{'+' if line.passed else '-'} {line.criterion} ({points}): {line.reason}")
        lines += [f"  {'+' if one.passed else '-'} {one.name} ({one.worth}): {one.reason}" for one in line.lines]
    lines += [f"left out: {each.criterion} ({each.worth}): {each.why}" for each in grade.left_out]
    return "\n".join(lines)


def _events(trajectory: Sequence[JsonObject]) -> list[Json]:
    """What went wrong in the world and what others did meanwhile, in short; the transcript has it in full."""
    kept = {"outage": ("name", "target", "edge"), "world": ("who", "act", "path", "outcome"), "stop": ("reason",)}
    return [
        {"at": event["at"], "kind": event["kind"], **{name: event[name] for name in kept[str(event["kind"])]}}
        for event in trajectory
        if event["kind"] in kept
    ]
