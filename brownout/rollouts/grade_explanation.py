"""A grade in words: where the reward came from, where it was lost, and what was lost only because of that."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from brownout.core.reward_words import reward_text
from brownout.core.values import Json, JsonObject

__all__ = ["Explanation", "Loss", "explain"]

_NEEDS = re.compile(r"needs (?P<names>.+), which (?:is|are) not met")
"""As a rubric words it."""


@dataclass(slots=True)
class Loss:
    """Points that were not earned.

    Attributes:
        reason: why, as its grader says.
        followers: criteria that could not be met without this one, each with its points.
    """

    criterion: str
    points: int
    reason: str
    followers: list[tuple[str, int]] = field(default_factory=list)

    @property
    def whole(self) -> int:
        """Its points and those of its followers."""
        return self.points + sum(points for _, points in self.followers)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Where a reward comes from.

    Attributes:
        headline: `reward 0.08: 8 of 104 points`, or why there is none.
        forfeited: gates that failed, with why; they cost every point.
        earned: criteria with their points.
        losses: the largest first, followers counted with what they hang on.
        penalties: what was taken off, and why.
        left_out: criteria that are no part of the reward, and why.
    """

    headline: str
    forfeited: tuple[tuple[str, str], ...]
    earned: tuple[tuple[str, int], ...]
    losses: tuple[Loss, ...]
    penalties: tuple[tuple[str, int, str], ...]
    left_out: tuple[tuple[str, int, str], ...]

    def lines(self) -> list[str]:
        """The explanation as sentences, one a line."""
        said = [f"{self.headline}."]
        said += [f"The gate {name} failed, which forfeits every point: {why}." for name, why in self.forfeited]
        if self.earned:
            said.append(f"It came from {_listed([f'{name} ({points})' for name, points in self.earned])}.")
        for loss in self.losses:
            said.append(f"{_points(loss.points)} lost at {loss.criterion}: {loss.reason}.")
            if loss.followers:
                rest = loss.whole - loss.points
                named = _listed([f"{name} ({points})" for name, points in loss.followers])
                said.append(f"  {rest} more hang on it: {named}.")
        said += [f"{_points(points)} taken off by {name}: {why}." for name, points, why in self.penalties]
        said += [f"{name} ({points}) is left out: {why}." for name, points, why in self.left_out]
        return said


def explain(grade: Mapping[str, Json]) -> Explanation:
    """Where a reward came from and where it was lost.

    Args:
        grade: a grade's document, or a run's (`reward`, `ledger`, `left_out`, `failure`).
    """
    lines = [line for line in _rows(grade.get("ledger")) if not line.get("penalty")]
    points = [line for line in lines if not line.get("gate")]
    failed = tuple((str(one["criterion"]), _reason(one)) for one in lines if one.get("gate") and not one["passed"])
    earned = tuple((str(one["criterion"]), _number(one["earned"])) for one in points if _number(one["earned"]) > 0)
    penalties = tuple(
        (str(one["criterion"]), -_number(one["worth"]), _reason(one))
        for one in _rows(grade.get("ledger"))
        if one.get("penalty") and one["passed"]
    )
    left_out = tuple(
        (str(one["criterion"]), _number(one["worth"]), str(one["why"])) for one in _rows(grade.get("left_out"))
    )
    return Explanation(_headline(grade, points), failed, earned, _losses(points), penalties, left_out)


def _headline(grade: Mapping[str, Json], points: Sequence[JsonObject]) -> str:
    reward = grade.get("reward")
    if not isinstance(reward, int | float):
        return f"no reward: {grade.get('failure') or 'it was not judged'}"
    counted = sum(_number(line["counted"]) for line in _rows(grade.get("ledger")))
    return f"reward {reward_text(reward)}: {counted} of {_points(sum(_number(line['worth']) for line in points))}"


def _losses(points: Sequence[JsonObject]) -> tuple[Loss, ...]:
    unmet = {str(one["criterion"]): one for one in points if _number(one["earned"]) < _number(one["worth"])}
    losses: dict[str, Loss] = {}
    for name, one in unmet.items():
        if _root(name, unmet) == name:
            losses[name] = Loss(name, _number(one["worth"]) - _number(one["earned"]), _reason(one))
    for name, one in unmet.items():
        root = _root(name, unmet)
        if root != name:
            losses[root].followers.append((name, _number(one["worth"])))
    return tuple(sorted(losses.values(), key=lambda loss: -loss.whole))


def _root(name: str, unmet: Mapping[str, JsonObject]) -> str:
    """The criterion that another one could not be met without, followed to its end; itself where there is none."""
    seen = {name}
    while match := _NEEDS.fullmatch(str(unmet[name]["reason"])):
        above = next((one for one in match["names"].split(", ") if one in unmet), "")
        if not above or above in seen:
            return name
        seen.add(above)
        name = above
    return name


def _reason(line: JsonObject) -> str:
    return str(line.get("reason", "")).rstrip(".")


def _points(points: int) -> str:
    return f"{points} point" if points == 1 else f"{points} points"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _number(value: Json) -> int:
    return int(value) if isinstance(value, int | float) else 0


def _rows(rows: Json) -> list[JsonObject]:
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
