"""The reward: points earned over points possible, nothing if a gate fails, and a ledger that says why.

Points are integers, so that no sum is rounded. A grader that cannot judge makes the reward null, and so does one that
breaks: never 0, never a default.
"""

from collections.abc import Mapping
from math import isfinite

from brownout.core.errors import GradingError, ModelError, PluginError
from brownout.core.grading import EndState, Grade, LedgerLine, Means, ModelDoor, Verdict
from brownout.core.steps import Steps, run_inline
from brownout.core.values import Json
from brownout.llm import Asked, JudgeSettings, ModelFailure, Question, Relay, open_door
from graders.loading import load_grader
from worlds.spec.models import Criterion, Rubric

__all__ = ["grade", "grading"]

_FLOOR = "(floor)"
_FORFEIT = Verdict(False, 0.0, "not judged: a gate failed, so no verdict could change the reward")


def grade(
    rubric: Rubric,
    end: EndState,
    *,
    skip: frozenset[str] = frozenset(),
    judge: JudgeSettings | None = None,
    seed: int = 0,
) -> Grade:
    """The grade of an episode, whoever has to be asked for it; `grading` says what the arguments mean."""
    return run_inline(grading(rubric, end, skip=skip, judge=judge, seed=seed))


def grading(
    rubric: Rubric,
    end: EndState,
    *,
    skip: frozenset[str] = frozenset(),
    judge: JudgeSettings | None = None,
    seed: int = 0,
) -> Steps[Grade]:
    """The steps to the grade of an episode. They yield a `brownout.llm.Question` for each answer that a model must give.

    Args:
        skip: graders to leave out; their points, and those of what needs them, are neither earned nor possible, and the
            grade says so. Gates are never left out.
        judge: who judges what only a reader can judge.
        seed: of the grade; inputs of hidden tests are drawn from it.
    """
    bench: _Bench | None = None
    try:
        relay = Relay()
        bench = _Bench(rubric, end, skip, Means(seed, _door(judge, relay), _asks(rubric)), relay)
        yield from bench.judge_all()
    except GradingError as error:
        lines = tuple(bench.lines) if bench else ()
        possible = sum(criterion.worth for criterion in rubric.points.values())
        return Grade(None, 0, possible, False, lines, failure=str(error))
    possible = sum(line.worth for line in bench.lines if not line.penalty)
    if possible == 0:
        reason = "every criterion was skipped"
        return Grade(None, 0, 0, False, tuple(bench.lines), failure=reason, notes=bench.notes)
    lines = _bounded(bench.lines)
    points = sum(line.counted for line in lines)
    return Grade(points / possible, points, possible, points == possible, lines, notes=bench.notes)


class _Bench:
    """The criteria of one grade, each judged once and after those it needs."""

    def __init__(self, rubric: Rubric, end: EndState, skip: frozenset[str], means: Means, relay: Relay) -> None:
        self.lines: list[LedgerLine] = []
        self._rubric = rubric
        self._end = end
        self._means = means
        self._relay = relay
        self._is_open = True
        self._criteria: Mapping[str, Criterion] = {**rubric.points, **rubric.penalties, **rubric.gates}
        self._verdicts: dict[str, Verdict] = {}
        self._skipped = self._left_out(skip)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out, by grader."""
        return tuple(f"skipped: {name}" for name in sorted({self._criteria[one].grader for one in self._skipped}))

    def judge_all(self) -> Steps[None]:
        """Write the ledger's lines: gates, points, penalties.

        Raises:
            GradingError: a criterion could not be judged.
        """
        for name, criterion in self._rubric.gates.items():
            yield from self._write(name, criterion, gate=True)
        self._is_open = all(line.passed for line in self.lines)
        for name, criterion in self._rubric.points.items():
            if name not in self._skipped:
                yield from self._write(name, criterion)
        for name, criterion in self._rubric.penalties.items():
            if name not in self._skipped:
                yield from self._write(name, criterion, penalty=True)

    def _write(self, name: str, criterion: Criterion, *, gate: bool = False, penalty: bool = False) -> Steps[None]:
        verdict = yield from self._verdict(name, [])
        worth = 0 if gate else -criterion.worth if penalty else criterion.worth
        earned = worth if verdict.passed else 0
        self.lines.append(
            LedgerLine(
                criterion=name,
                grader=criterion.grader,
                version=_version(criterion.grader),
                gate=gate,
                passed=verdict.passed,
                raw=verdict.share,
                worth=worth,
                earned=earned,
                counted=earned if self._is_open else 0,
                reason=verdict.reason,
                evidence=verdict.evidence,
                penalty=penalty,
            )
        )

    def _verdict(self, name: str, path: list[str]) -> Steps[Verdict]:
        known = self._verdicts.get(name)
        if known is not None:
            return known
        if name in path:
            raise GradingError(f"needs go in a circle: {' -> '.join([*path, name])}")
        criterion = self._criteria[name]
        missing = yield from self._missing(name, criterion, [*path, name])
        found = missing if missing is not None else (yield from self._judged(name, criterion))
        self._verdicts[name] = found
        return found

    def _missing(self, name: str, criterion: Criterion, path: list[str]) -> Steps[Verdict | None]:
        """The verdict on a criterion whose condition is not met, None where it is to be judged."""
        for other in criterion.needs:
            if other not in self._criteria:
                raise GradingError(f"{name} needs {other}, which is not in the rubric")
            if other in self._skipped:
                raise GradingError(f"{name} needs {other}, which was skipped")
        unmet = []
        for other in criterion.needs:
            verdict = yield from self._verdict(other, path)
            if not verdict.passed:
                unmet.append(other)
        return Verdict(False, 0.0, f"needs {', '.join(unmet)}, which is not met") if unmet else None

    def _judged(self, name: str, criterion: Criterion) -> Steps[Verdict]:
        while True:
            try:
                return self._try(name, criterion)
            except Asked as asked:
                if not self._is_open:
                    return _FORFEIT
                yield from self._ask(asked.question)
            except GradingError:
                if self._is_open:
                    raise
                return _FORFEIT

    def _ask(self, question: Question) -> Steps[None]:
        try:
            answer = yield question
        except ModelFailure as failure:
            self._relay.hear(question, failure)
        else:
            self._relay.hear(question, str(answer))

    def _try(self, name: str, criterion: Criterion) -> Verdict:
        means = Means(self._means.seed, self._means.model, self._means.asks, dict(self._verdicts))
        try:
            grader = load_grader(criterion.grader)
            by = self._end.moment(criterion.by) if criterion.by else None
            verdict = grader.judge(self._end, criterion.asks, by, means)
        except Asked:
            raise
        except (GradingError, PluginError) as error:
            raise GradingError(f"{name}: {error}") from error
        except Exception as error:  # a plug-in's own fault is no verdict on the agent
            raise GradingError(
                f"{name}: grader_failed: {criterion.grader} raised {type(error).__name__}: {error}"
            ) from error
        if not isfinite(verdict.share) or not 0 <= verdict.share <= 1:
            raise GradingError(
                f"{name}: grader_failed: {criterion.grader} returned a share of {verdict.share}, not 0 to 1"
            )
        return verdict

    def _left_out(self, skip: frozenset[str]) -> frozenset[str]:
        """The points and penalties of skipped graders, and those that need one of them."""
        free = {**self._rubric.points, **self._rubric.penalties}
        found = {name for name, criterion in free.items() if criterion.grader in skip}
        while True:
            more = {name for name, criterion in free.items() if found.intersection(criterion.needs)} - found
            if not more:
                return frozenset(found)
            found |= more


def _version(grader: str) -> int:
    return load_grader(grader).version


def _bounded(lines: list[LedgerLine]) -> tuple[LedgerLine, ...]:
    """The lines, with one that gives back what penalties took below 0."""
    points = sum(line.counted for line in lines)
    if points >= 0:
        return tuple(lines)
    earned = sum(line.counted for line in lines if not line.penalty)
    reason = f"points stop at 0: {earned} earned, {earned - points} deducted"
    bound = LedgerLine(_FLOOR, "rubric", 1, False, True, 1.0, 0, -points, -points, reason)
    return (*lines, bound)


def _door(judge: JudgeSettings | None, relay: Relay) -> ModelDoor | None:
    try:
        return open_door(judge, relay) if judge is not None else None
    except ModelError as error:
        raise GradingError(f"judge_failed: {error}") from error


def _asks(rubric: Rubric) -> dict[str, Json]:
    return {name: one.asks for part in (rubric.gates, rubric.points, rubric.penalties) for name, one in part.items()}
