"""Runs pytest and reports what became of each test, where the suite itself may want to say something else.

Read from standard input, under drawn names and with a key of its own. Reports go into the output, each numbered and signed;
the key is in no file, no environment and no global. Before and after the tests one is run that must fail: where it passes,
pytest is no longer what it was.
"""

import hashlib
import hmac
import json
import os
import sys
from collections.abc import Callable
from typing import TypeAlias

import pytest
from _pytest.runner import runtestprotocol

Tell: TypeAlias = "Callable[[dict[str, object]], None]"
"""Reports one thing."""


class Sentinel(pytest.Item):
    """A test that must fail."""

    def runtest(self) -> None:
        assert os.getpid() == -1


class Reporter:
    """A pytest plug-in."""

    def __init__(self, tell: Tell, sentinel: str) -> None:
        self.tell = tell
        self.sentinel = sentinel
        self.guard: Sentinel | None = None
        self.settings: pytest.Config | None = None

    def pytest_configure(self, config: pytest.Config) -> None:
        self.settings = config

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file that cannot be imported."""
        if report.failed:
            self.tell({"name": report.nodeid, "outcome": "error", "counted": "error"})

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.guard = Sentinel.from_parent(session, name=self.sentinel)
        self.try_sentinel()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Called thrice a test and once a part of it; what happens around it counts only when it goes wrong."""
        outcome = str(report.outcome)
        if report.when != "call":
            if outcome == "passed":
                return
            outcome = "skipped" if outcome == "skipped" else "error"
        assert self.settings is not None
        status = self.settings.hook.pytest_report_teststatus(report=report, config=self.settings)
        self.tell({"name": report.nodeid, "outcome": outcome, "counted": str(status[0])})

    def pytest_sessionfinish(self) -> None:
        self.try_sentinel()

    def try_sentinel(self) -> None:
        """Run it as pytest runs a test, out of sight of all that listens to reports."""
        if self.guard is not None:
            self.tell({"sentinel": [str(one.outcome) for one in runtestprotocol(self.guard, log=False)]})


def main(key: str, sentinel: str, arguments: list[str]) -> None:
    """Run pytest with the arguments in the folder that is the current one."""
    quiet = os.open("/dev/null", os.O_RDONLY)
    os.dup2(quiet, 0)  # where this text was read
    os.close(quiet)
    tell = telling(key, os.dup(1))
    del key
    sys.argv[:] = ["pytest", *arguments]
    sys.path[0] = os.getcwd()  # noqa: PTH109
    code = int(pytest.main(arguments, plugins=[Reporter(tell, sentinel)]))
    tell({"end": code})
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def telling(key: str, out: int) -> Tell:
    """A function that writes a report, in which nothing is looked up where it could be replaced."""
    number = 0
    secret, write, sign, kind, dumps = key.encode(), os.write, hmac.digest, hashlib.sha256, json.dumps

    def tell(row: dict[str, object]) -> None:
        nonlocal number
        data = dumps([number, row]).encode()
        number += 1
        write(out, b"\x1e" + sign(secret, data, kind).hex().encode() + data + b"\x1f")

    return tell
