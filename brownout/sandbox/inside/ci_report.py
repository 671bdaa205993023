"""A pytest plug-in that writes what became of each test, one JSON line each, to the file CI_REPORT names."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

_REPORT = Path(os.environ.get("CI_REPORT", "/dev/null"))


def pytest_runtest_logreport(report: "pytest.TestReport") -> None:
    """Called thrice a test; what happens around it counts only when it goes wrong."""
    outcome = report.outcome
    if report.when != "call":
        if outcome == "passed":
            return
        outcome = "skipped" if outcome == "skipped" else "error"  # type: ignore[assignment]
    _write(report.nodeid, outcome)


def pytest_collectreport(report: "pytest.CollectReport") -> None:
    """A file that cannot be imported."""
    if report.failed:
        _write(report.nodeid, "error")


def _write(name: str, outcome: str) -> None:
    with _REPORT.open("a") as stream:
        stream.write(json.dumps({"name": name, "outcome": outcome}) + "\n")
