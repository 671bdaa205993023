"""Verdicts of people on criteria that nobody could read: a grade made anew with them, beside the one that was given.

What people answered for a run stands in its folder, so it counts wherever the run is read: `answers.json`. run.json and the
log keep the grade that was given.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import orjson
from pydantic import ValidationError

from brownout.annotations.annotation import Annotation
from brownout.core.errors import RunError
from brownout.core.strict_model import StrictModel
from brownout.core.values import Json, JsonObject
from brownout.rollouts.recorder import RunResult

__all__ = ["ANSWERS", "answered", "answers_of", "graded_with", "keep_answers", "kept_answers"]

ANSWERS: Final = "answers.json"
"""In a run's folder: what people answered."""


class _KeptAnswer(StrictModel):
    met: bool
    by: tuple[str, ...]


class _KeptAnswers(StrictModel):
    format: int = 1
    answers: dict[str, _KeptAnswer]


def keep_answers(folder: Path, answers: Mapping[str, tuple[bool, Sequence[str]]]) -> None:
    """Write into a run's folder what people answered, in place of what stood there; no answers leave no file.

    Raises:
        RunError: it cannot be written.
    """
    path, part = folder / ANSWERS, folder / f".{ANSWERS}"
    kept = _KeptAnswers(
        answers={name: _KeptAnswer(met=met, by=tuple(by)) for name, (met, by) in sorted(answers.items())}
    )
    try:
        if not kept.answers:
            path.unlink(missing_ok=True)
            return
        part.write_bytes(orjson.dumps(kept.model_dump(), option=orjson.OPT_INDENT_2))
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise RunError(f"cannot write {path}: {error.strerror}") from error


def kept_answers(folder: Path) -> dict[str, tuple[bool, tuple[str, ...]]]:
    """What people answered for the run in a folder, by criterion: whether it is met, and who says so.

    Raises:
        RunError: it cannot be read.
    """
    path = folder / ANSWERS
    try:
        kept = _KeptAnswers.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValidationError) as error:
        raise RunError(f"{path} cannot be read; remove it to have the grade that was given") from error
    return {name: (one.met, one.by) for name, one in kept.answers.items()}


def answered(result: RunResult, folder: Path) -> RunResult:
    """A run's result with what people answered; itself where they answered nothing.

    Raises:
        RunError: the answers cannot be read.
    """
    answers = kept_answers(folder)
    if not answers:
        return result
    anew = graded_with(result.model_dump(), answers)
    return RunResult.model_validate({name: value for name, value in anew.items() if name in RunResult.model_fields})


def answers_of(records: Iterable[Annotation], run: str) -> dict[str, tuple[bool, tuple[str, ...]]]:
    """What annotators answered for a run, by criterion: whether it is met, and who says so.

    The majority counts; where as many say the one as the other it stays open.
    """
    said: dict[str, dict[str, str]] = {}
    for one in records:
        if one.kind == "verdict" and one.run == run and one.value in ("met", "not met"):
            said.setdefault(one.about, {})[one.author] = one.value
    found = {}
    for criterion, values in said.items():
        counts = Counter(values.values())
        if counts["met"] != counts["not met"]:
            winner = "met" if counts["met"] > counts["not met"] else "not met"
            found[criterion] = (winner == "met", tuple(sorted(name for name, each in values.items() if each == winner)))
    return found


def graded_with(grade: Mapping[str, Json], answers: Mapping[str, tuple[bool, Sequence[str]]]) -> JsonObject:
    """The grade anew, with answers of people for criteria that were left out because nobody could read them.

    Args:
        grade: a grade's document, or a run's; it is not changed.

    Returns:
        The grade itself where no answer is for it; else `answered_by` names who answered and `before` is the old reward.
    """
    left = _rows(grade.get("left_out"))
    taken = [one for one in left if one.get("because") == "unread" and str(one["criterion"]) in answers]
    if not taken:
        return {**grade}
    ledger = _rows(grade.get("ledger"))
    is_forfeited = any(line.get("gate") and not line["passed"] for line in ledger)
    for one in taken:
        passed, authors = answers[str(one["criterion"])]
        worth = _number(one["worth"])
        earned = worth if passed else 0
        said = "met" if passed else "not met"
        ledger.append(
            {
                "criterion": one["criterion"], "grader": one["grader"], "version": 0, "gate": False, "penalty": False,
                "passed": passed, "raw": float(passed), "worth": worth, "earned": earned,
                "counted": 0 if is_forfeited else earned, "reason": f"{said}, {' and '.join(authors)} answered",
                "evidence": [], "lines": [], "models": [], "answered_by": [*authors],
            }
        )  # fmt: skip
    rest: list[Json] = [one for one in left if one not in taken]
    points = sum(_number(line["counted"]) for line in ledger)
    possible = sum(_number(line["worth"]) for line in ledger if not line.get("gate") and not line.get("penalty"))
    names: list[Json] = [*sorted({name for one in taken for name in answers[str(one["criterion"])][1]})]
    lines: list[Json] = [*ledger]
    return {
        **grade,
        "ledger": lines,
        "left_out": rest,
        "points": points,
        "possible": possible,
        "reward": None if grade.get("reward") is None or not possible else max(0.0, points / possible),
        "resolved": not is_forfeited and points == possible,
        "complete": not rest,
        "answered_by": names,
        "before": grade.get("reward"),
    }


def _rows(rows: Json) -> list[JsonObject]:
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _number(value: Json) -> int:
    return int(value) if isinstance(value, int | float) else 0
