"""What was found out about a task."""

from collections.abc import Mapping
from dataclasses import dataclass

from brownout.core.values import Json, JsonObject, objects_in

__all__ = ["PlayedCase", "RuleResult", "TaskReport"]


@dataclass(frozen=True, slots=True)
class PlayedCase:
    """What a solution or a script of the author's earned, criterion by criterion.

    Attributes:
        name: the script's; empty for the oracle.
        reward: None where it could not be graded.
        earned: by criterion, the points before gates and those possible: `{"cause": (2, 2)}`.
        met: the criteria that were met.
    """

    name: str
    reward: float | None
    earned: Mapping[str, tuple[int, int]]
    met: tuple[str, ...]

    def document(self) -> JsonObject:
        """The case as JSON."""
        earned: dict[str, Json] = {criterion: [got, worth] for criterion, (got, worth) in self.earned.items()}
        return {"name": self.name, "reward": self.reward, "earned": earned, "met": [*self.met]}


@dataclass(frozen=True, slots=True)
class RuleResult:
    """One rule and whether a task keeps it.

    Attributes:
        rule: its short name (`oracle`).
        passed: None where there was nothing to check.
        detail: what was found, one sentence.
        cases: of the rules that play the author's own scripts, what each earned.
        failed: the folders of the runs by which the rule is broken.
    """

    rule: str
    passed: bool | None
    detail: str
    cases: tuple[PlayedCase, ...] = ()
    failed: tuple[str, ...] = ()

    def document(self) -> JsonObject:
        """The result as JSON."""
        return {
            "rule": self.rule,
            "passed": self.passed,
            "detail": self.detail,
            "cases": [case.document() for case in self.cases],
            "failed": [*self.failed],
        }


@dataclass(frozen=True, slots=True)
class TaskReport:
    """All that was found out about one task.

    Attributes:
        skipped: why it was not played, empty where it was.
    """

    task: str
    results: tuple[RuleResult, ...]
    skipped: str = ""

    @property
    def passed(self) -> bool:
        """Whether no rule was broken; what was not played has broken none."""
        return all(result.passed is not False for result in self.results)

    def document(self) -> JsonObject:
        """The report as JSON."""
        found: list[Json] = [result.document() for result in self.results]
        return {"task": self.task, "passed": self.passed, "skipped": self.skipped or None, "results": found}

    @classmethod
    def of(cls, document: Mapping[str, Json]) -> "TaskReport":
        """The report that a document was made of, without what each case earned."""
        found = tuple(
            RuleResult(str(one.get("rule")), _passed(one.get("passed")), str(one.get("detail")))
            for one in objects_in(document.get("results"))
        )
        return cls(str(document.get("task")), found, str(document.get("skipped") or ""))


def _passed(value: Json) -> bool | None:
    return value if isinstance(value, bool) else None
