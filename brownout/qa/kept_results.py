"""What was found out about a package's tasks, kept in a file, so that nobody plays for minutes what was played already."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import orjson

from brownout.core.values import JsonObject, objects_in
from brownout.qa.rule_results import TaskReport

__all__ = ["KeptResults"]


@dataclass(frozen=True, slots=True)
class KeptResults:
    """The results of one package in a file.

    Attributes:
        package: its digest.
        code: the digest of the code that plays and judges; what other code found is not believed.
    """

    path: Path
    package: str
    code: str

    def documents(self) -> dict[str, JsonObject]:
        """The report of each task as JSON; none where the file is not there, cannot be read, or is of another package or code."""
        try:
            found = orjson.loads(self.path.read_bytes())
        except (OSError, orjson.JSONDecodeError):
            return {}
        if not isinstance(found, dict) or (found.get("package"), found.get("code")) != (self.package, self.code):
            return {}
        return {str(one["task"]): one for one in objects_in(found.get("tasks")) if "task" in one}

    def known(self) -> dict[str, TaskReport]:
        """The report of each task that was played; one that could not be is to be tried again."""
        return {name: TaskReport.of(one) for name, one in self.documents().items() if not one.get("skipped")}

    def keep(self, reports: Iterable[TaskReport]) -> None:
        """Put reports in the place of older ones of the same tasks.

        Raises:
            OSError: the file cannot be written.
        """
        every = {**self.documents(), **{report.task: report.document() for report in reports}}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        document = {"package": self.package, "code": self.code, "tasks": [*every.values()]}
        part.write_bytes(orjson.dumps(document, option=orjson.OPT_INDENT_2))
        part.replace(self.path)
