"""The reward: points earned over points possible, nothing if a gate fails, and a ledger that says why.

Points are integers, so that no sum is rounded. A grader that cannot judge makes the reward null.
"""

from collections.abc import Mapping

from brownout.core.errors import GradingError
from brownout.core.grading import EndState, Grade, LedgerLine, Verdict
from graders.loading import load_grader
from worlds.spec.models import Criterion, Rubric

__all__ = ["grade"]


def grade(rubric: Rubric, end: EndState, *, skip: frozenset[str] = frozenset()) -> Grade:
    """The grade of an episode.

    Args:
        skip: graders to leave out; their points are neither earned nor possible, and the grade says so.
    """
    lines: list[LedgerLine] = []
    verdicts: dict[str, Verdict] = {}
    try:
        for name, criterion in rubric.gates.items():
            lines.append(_line(name, criterion, end, verdicts, gate=True))
        is_open = all(line.passed for line in lines)
        for name, criterion in rubric.points.items():
            if criterion.grader not in skip:
                lines.append(_line(name, criterion, end, verdicts, gate=False, is_open=is_open))
    except GradingError as error:
        possible = sum(criterion.worth for criterion in rubric.points.values())
        return Grade(None, 0, possible, False, tuple(lines), failure=str(error))
    points = sum(line.counted for line in lines)
    possible = sum(line.worth for line in lines)
    skipped = sorted({c.grader for c in rubric.points.values() if c.grader in skip})
    notes = tuple(f"skipped: {name}" for name in skipped)
    if possible == 0:
        return Grade(None, 0, 0, False, tuple(lines), failure="every criterion was skipped", notes=notes)
    return Grade(points / possible, points, possible, points == possible, tuple(lines), notes=notes)


def _line(
    name: str, criterion: Criterion, end: EndState, verdicts: dict[str, Verdict], *, gate: bool, is_open: bool = True
) -> LedgerLine:
    grader = load_grader(criterion.grader)
    verdict = _missing(criterion, verdicts)
    if verdict is None:
        by = end.moment(criterion.by) if criterion.by else None
        try:
            verdict = grader.judge(end, criterion.asks, by)
        except GradingError as error:
            raise GradingError(f"{name}: {error}") from error
    verdicts[name] = verdict
    earned = criterion.worth if verdict.passed and not gate else 0
    return LedgerLine(
        criterion=name,
        grader=grader.name,
        version=grader.version,
        gate=gate,
        passed=verdict.passed,
        raw=verdict.share,
        worth=0 if gate else criterion.worth,
        earned=earned,
        counted=earned if is_open else 0,
        reason=verdict.reason,
        evidence=verdict.evidence,
    )


def _missing(criterion: Criterion, verdicts: Mapping[str, Verdict]) -> Verdict | None:
    """The verdict on a criterion whose condition is not met, None where it is to be judged."""
    unmet = [name for name in criterion.needs if name not in verdicts or not verdicts[name].passed]
    return Verdict(False, 0.0, f"needs {', '.join(unmet)}, which is not met") if unmet else None
