"""The reward: points earned over points possible, nothing if a gate fails, and a ledger that says why.

Points are integers, so that no sum is rounded. A grader that cannot judge makes the reward null, and so does one that
breaks: never 0, never a default.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from math import ceil, isfinite
from typing import Final, Literal, cast

from brownout.core.blocking_steps import BlockingSteps, run_inline
from brownout.core.errors import (
    BrokenRubric,
    FailureKind,
    GradingError,
    ModelError,
    NobodyReads,
    PluginError,
    failure_kind_of,
    is_environments,
)
from brownout.core.grading import EndState, Grade, GradingContext, LedgerLine, LeftOut, Part, Verdict
from brownout.core.language_models import ModelClient, ModelUse
from brownout.core.values import Json
from brownout.llm import (
    JudgeSettings,
    ModelFailure,
    Question,
    QuestionRelay,
    Questions,
    QuestionsAsked,
    ask,
    open_client,
)
from graders.answer_tally import Tally
from graders.flooding import judge_flooding
from graders.grader_lookup import load_grader
from worlds.spec.models import Criterion, Rubric

__all__ = ["grade", "grading"]

_FLOOR = "(floor)"
_FLOODING = "flooding"
_LEFT_OUT: Final[Mapping[str, FailureKind]] = {"skipped": "left_out", "unread": "model_unavailable"}
"""What there is no reward for, where what is left out for that reason is needed for one."""
_FORFEIT = Verdict(False, 0.0, "not judged: a gate failed, so no verdict could change the reward")


def grade(
    rubric: Rubric,
    end: EndState,
    *,
    skip: frozenset[str] = frozenset(),
    strict: bool = False,
    judge: JudgeSettings | None = None,
    seed: int = 0,
) -> Grade:
    """The grade of an episode, whoever has to be asked for it; `grading` says what the arguments mean."""
    return run_inline(grading(rubric, end, skip=skip, strict=strict, judge=judge, seed=seed))


def grading(
    rubric: Rubric,
    end: EndState,
    *,
    skip: frozenset[str] = frozenset(),
    strict: bool = False,
    judge: JudgeSettings | None = None,
    seed: int = 0,
) -> BlockingSteps[Grade]:
    """The steps to the grade of an episode. They yield `brownout.llm.Questions` that models must answer.

    A criterion that only a model can judge, where none is configured and nothing is recorded, is left out by name, and so
    is what needs it: their points are neither earned nor possible. Gates are never left out.

    Args:
        skip: graders to leave out as well.
        strict: no criterion is left out because nobody can read it; the reward is null instead.
        judge: who judges what only a reader can judge.
        seed: of the grade; inputs of hidden tests are drawn from it.
    """
    bench: _Evaluation | None = None
    try:
        relay = QuestionRelay()
        means = GradingContext(seed, _door(judge, relay), _asks(rubric), fields=_fields(rubric))
        bench = _Evaluation(rubric, end, skip, strict, means, relay)
        yield from bench.judge_all()
    except GradingError as error:
        lines, left = (tuple(bench.lines), bench.left_out) if bench else ((), ())
        possible = sum(criterion.worth for criterion in rubric.points.values())
        return Grade(None, 0, possible, False, lines, str(error), left, error.failure_kind)
    possible = sum(line.worth for line in bench.lines if not line.penalty)
    if possible == 0:
        reason = "every criterion was left out"
        return Grade(None, 0, 0, False, tuple(bench.lines), reason, bench.left_out, _why_nothing(bench.left_out))
    lines = _bounded(bench.lines)
    points = sum(line.counted for line in lines)
    return Grade(points / possible, points, possible, points == possible, lines, left_out=bench.left_out)


class _Evaluation:
    """The criteria of one grade, each judged once and after those it needs."""

    def __init__(
        self,
        rubric: Rubric,
        end: EndState,
        skip: frozenset[str],
        strict: bool,
        means: GradingContext,
        relay: QuestionRelay,
    ) -> None:
        self.lines: list[LedgerLine] = []
        self._rubric = rubric
        self._end = end
        self._strict = strict
        self._means = means
        self._relay = relay
        self._tally = Tally(means.model)
        self._is_open = True
        self._criteria: Mapping[str, Criterion] = {**rubric.points, **rubric.penalties, **rubric.gates}
        self._verdicts: dict[str, Verdict] = {}
        self._uses: dict[str, tuple[ModelUse, ...]] = {}
        self._left: dict[str, LeftOut] = {}
        self._skip(skip)

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """What is no part of the reward, in the rubric's order."""
        return tuple(self._left[name] for name in self._criteria if name in self._left)

    def judge_all(self) -> BlockingSteps[None]:
        """Write the ledger's lines: gates, points, penalties.

        Raises:
            GradingError: a criterion could not be judged.
        """
        for name, criterion in self._rubric.gates.items():
            yield from self._write(name, criterion, gate=True)
        self._is_open = all(line.passed for line in self.lines)
        for name, criterion in self._rubric.points.items():
            yield from self._write(name, criterion)
        for name, criterion in self._rubric.penalties.items():
            yield from self._write(name, criterion, penalty=True)
        self._write_flooding()

    def _write(
        self, name: str, criterion: Criterion, *, gate: bool = False, penalty: bool = False
    ) -> BlockingSteps[None]:
        verdict = yield from self._verdict(name, [])
        if verdict is None:
            return
        worth = 0 if gate else -criterion.worth if penalty else criterion.worth
        met = sum(line.worth for line in verdict.lines if line.passed)
        earned = met if verdict.lines else worth if verdict.passed else 0
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
                lines=verdict.lines,
                uses=self._uses.get(name, ()),
            )
        )

    def _write_flooding(self) -> None:
        """The penalty that every rubric has."""
        limits, verdict = self._rubric.flooding, judge_flooding(self._end, self._rubric.flooding)
        possible = sum(line.worth for line in self.lines if not line.penalty)
        worth = -(limits.worth or ceil(possible / 4))
        earned = worth if verdict.passed else 0
        self.lines.append(
            LedgerLine(
                criterion=_FLOODING,
                grader="rubric",
                version=1,
                gate=False,
                passed=verdict.passed,
                raw=verdict.share,
                worth=worth,
                earned=earned,
                counted=earned if self._is_open else 0,
                reason=verdict.reason,
                penalty=True,
            )
        )

    def _verdict(self, name: str, path: list[str]) -> BlockingSteps[Verdict | None]:
        """The verdict, None where the criterion is left out."""
        if name in self._verdicts or name in self._left:
            return self._verdicts.get(name)
        if name in path:
            raise BrokenRubric(f"needs go in a circle: {' -> '.join([*path, name])}")
        criterion, unmet, left = self._criteria[name], [], []
        for other in criterion.needs:
            if other not in self._criteria:
                raise BrokenRubric(f"{name} needs {other}, which is not in the rubric")
            verdict = yield from self._verdict(other, [*path, name])
            if verdict is None:
                left.append(other)
            elif not verdict.passed:
                unmet.append(other)
        found: Verdict | None = None
        if unmet:
            found = Verdict(False, 0.0, f"needs {', '.join(unmet)}, which is not met")
        elif left:
            self._leave_out(name, self._left[left[0]].because, f"needs {left[0]}, which is left out")
        else:
            found = yield from self._judged(name, criterion)
        if found is not None:
            self._verdicts[name] = found
        return found

    def _judged(self, name: str, criterion: Criterion) -> BlockingSteps[Verdict | None]:
        while True:
            try:
                if _runs_code(criterion.grader):  # it may take minutes, and other episodes go on meanwhile
                    return cast("Verdict", (yield partial(self._try, name, criterion)))
                return self._try(name, criterion)
            except QuestionsAsked as asked:
                if not self._is_open:
                    return _FORFEIT
                yield from self._ask(asked.questions)
            except GradingError as error:
                if not self._is_open:
                    return _FORFEIT
                if isinstance(error, NobodyReads):
                    self._leave_out(name, "unread", str(error))
                    return None
                raise

    def _leave_out(self, name: str, because: Literal["skipped", "unread"], why: str) -> None:
        """Take a criterion out of the reward.

        Raises:
            GradingError: it is a gate, or nothing may be left out.
        """
        criterion = self._criteria[name]
        if name in self._rubric.gates or (self._strict and because == "unread"):
            raise GradingError(f"{name}: {why}", _LEFT_OUT[because])
        worth = -criterion.worth if name in self._rubric.penalties else criterion.worth
        self._left[name] = LeftOut(name, criterion.grader, worth, because, why)

    def _skip(self, graders: frozenset[str]) -> None:
        """Take the points and penalties of graders out, and what needs one of them, whatever the agent did."""
        free = {**self._rubric.points, **self._rubric.penalties}
        for name, criterion in free.items():
            if criterion.grader in graders:
                self._leave_out(name, "skipped", f"{criterion.grader} is skipped")
        while more := {
            name: one for name, one in free.items() if name not in self._left and self._left.keys() & set(one.needs)
        }:
            for name, criterion in more.items():
                other = next(each for each in criterion.needs if each in self._left)
                self._leave_out(name, "skipped", f"needs {other}, which is left out")

    def _ask(self, questions: tuple[Question, ...]) -> BlockingSteps[None]:
        try:
            answers = yield Questions(questions, ask)
        except ModelFailure as failure:
            answers = [failure] * len(questions)
        assert isinstance(answers, list)
        for question, answer in zip(questions, answers, strict=True):
            self._relay.hear(question, answer)

    def _part_of(self, name: str) -> Part:
        if name in self._rubric.gates:
            return "gates"
        return "penalties" if name in self._rubric.penalties else "points"

    def _try(self, name: str, criterion: Criterion) -> Verdict:
        self._tally.begin()
        model = self._tally if self._means.model is not None else None
        means = replace(self._means, model=model, verdicts=dict(self._verdicts), part=self._part_of(name))
        try:
            grader = load_grader(criterion.grader)
            by = self._end.moment(criterion.by) if criterion.by else None
            verdict = grader.judge(self._end, criterion.asks, by, means)
        except (QuestionsAsked, NobodyReads):
            raise
        except (GradingError, PluginError) as error:
            raise GradingError(f"{name}: {error}", error.failure_kind) from error
        except Exception as error:  # a plug-in's own fault is no verdict on the agent
            raise GradingError(
                f"{name}: grader_failed: {criterion.grader} raised {type(error).__name__}: {error}",
                failure_kind_of(error) if is_environments(error) else "grader_failed",
            ) from error
        if problem := _unsound(verdict, criterion):
            raise GradingError(f"{name}: grader_failed: {criterion.grader} returned {problem}")
        self._uses[name] = self._tally.end()
        return verdict


def _why_nothing(left: tuple[LeftOut, ...]) -> FailureKind:
    """Why nothing is left to judge; a model that is missing can be named, and what is skipped is what was wanted."""
    return _LEFT_OUT["unread" if any(each.because == "unread" for each in left) else "skipped"]


def _unsound(verdict: Verdict, criterion: Criterion) -> str:
    """What a verdict has that no verdict may have, empty where it is sound."""
    if not isfinite(verdict.share) or not 0 <= verdict.share <= 1:
        return f"a share of {verdict.share}, not 0 to 1"
    if verdict.lines and sum(line.worth for line in verdict.lines) != criterion.worth:
        return f"lines worth {sum(line.worth for line in verdict.lines)} for a criterion worth {criterion.worth}"
    if verdict.lines and verdict.passed != all(line.passed for line in verdict.lines):
        return "lines that say something else than the whole"
    return ""


def _version(grader: str) -> int:
    return load_grader(grader).version


def _runs_code(grader: str) -> bool:
    try:
        return bool(getattr(load_grader(grader), "runs_code", False))
    except PluginError:  # said where it is judged
        return False


def _bounded(lines: list[LedgerLine]) -> tuple[LedgerLine, ...]:
    """The lines, with one that gives back what penalties took below 0."""
    points = sum(line.counted for line in lines)
    if points >= 0:
        return tuple(lines)
    earned = sum(line.counted for line in lines if not line.penalty)
    reason = f"points stop at 0: {earned} earned, {earned - points} deducted"
    bound = LedgerLine(_FLOOR, "rubric", 1, False, True, 1.0, 0, -points, -points, reason)
    return (*lines, bound)


def _door(judge: JudgeSettings | None, relay: QuestionRelay) -> ModelClient | None:
    try:
        return open_client(judge, relay) if judge is not None else None
    except ModelError as error:
        raise GradingError(f"judge_failed: {error}", error.failure_kind) from error


def _asks(rubric: Rubric) -> dict[str, Json]:
    return {name: one.asks for part in (rubric.gates, rubric.points, rubric.penalties) for name, one in part.items()}


def _fields(rubric: Rubric) -> dict[str, Json]:
    return {name: finding.model_dump() for name, finding in rubric.findings.items()}
