"""What was found out about a task."""

from dataclasses import dataclass

from brownout.core.values import Json, JsonObject

__all__ = ["QaFinding", "TaskReport"]


@dataclass(frozen=True, slots=True)
class QaFinding:
    """One rule and whether a task keeps it.

    Attributes:
        rule: its short name (`oracle`).
        passed: None where there was nothing to check.
        detail: what was found, one sentence.
    """

    rule: str
    passed: bool | None
    detail: str

    def document(self) -> JsonObject:
        """The finding as JSON."""
        return {"rule": self.rule, "passed": self.passed, "detail": self.detail}


@dataclass(frozen=True, slots=True)
class TaskReport:
    """All that was found out about one task.

    Attributes:
        skipped: why it was not played, empty where it was.
    """

    task: str
    findings: tuple[QaFinding, ...]
    skipped: str = ""

    @property
    def passed(self) -> bool:
        """Whether no rule was broken; what was not played has broken none."""
        return all(finding.passed is not False for finding in self.findings)

    def document(self) -> JsonObject:
        """The report as JSON."""
        found: list[Json] = [finding.document() for finding in self.findings]
        return {"task": self.task, "passed": self.passed, "skipped": self.skipped or None, "findings": found}
