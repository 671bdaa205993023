"""The scorer: the reward and one value for each criterion, with the ledger that explains them."""
# mypy: disable-error-code="import-not-found,untyped-decorator"

from collections.abc import Iterable, Sequence
from math import nan

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from brownout.core.grading import Grade
from brownout.core.values import Json, JsonObject
from brownout.exporters.episodes import Outcome
from brownout.exporters.inspect_ai.module.opening import episodes

__all__ = ["criteria_of", "graded"]

_REWARD = "reward"


@scorer(metrics={_REWARD: [mean(), stderr()], "*": [mean()]})
def graded(criteria: Sequence[str] = ()) -> Scorer:
    """Judge the episode. A reward that is null is an error of the sample, never 0.

    Args:
        criteria: of all tasks that are played together; every one of the world's where none is given. What a task is
            not judged by is unscored for it.
    """
    columns = criteria or criteria_of(episodes().tasks)

    async def score(state: TaskState, target: Target) -> Score:
        episode = episodes().find(state.uuid)
        trajectory: list[JsonObject] = state.store.get("trajectory", [])
        outcome = episode.finish() if episode else episodes().outcome_of(trajectory)
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


def criteria_of(tasks: Iterable[str]) -> list[str]:
    """What some tasks are judged by, each name once."""
    return list(dict.fromkeys(name for task in tasks for name in episodes().criteria(task)))


def _values(outcome: Outcome, columns: Sequence[str]) -> dict[str, float]:
    return {f"criterion {n}" if n == _REWARD else n: outcome.scores.get(n, nan) for n in columns}


def _explained(grade: Grade) -> str:
    lines = [f"{grade.points} of {grade.possible} points"]
    for line in grade.ledger:
        points = "gate" if line.gate else f"{line.counted}/{line.worth}"
        lines.append(f"{'+' if line.passed else '-'} {line.criterion} ({points}): {line.reason}")
    return "\n".join(lines)


def _events(trajectory: Sequence[JsonObject]) -> list[Json]:
    """What went wrong in the world and what others did meanwhile, in short; the transcript has it in full."""
    kept = {"outage": ("name", "target", "edge"), "world": ("who", "act", "path", "outcome"), "stop": ("reason",)}
    return [
        {"at": event["at"], "kind": event["kind"], **{name: event[name] for name in kept[str(event["kind"])]}}
        for event in trajectory
        if event["kind"] in kept
    ]
