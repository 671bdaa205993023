"""Runs a repository's own test suite as its CI would: informative, never a verdict.

The suite runs in one interpreter with the code it tests, which can therefore say whatever it likes about it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from shlex import join
from typing import ClassVar, Final, Literal, TypeAlias, cast

from brownout.core.errors import SandboxUnavailable
from brownout.sandbox.limits import Limits, Stop
from brownout.sandbox.machine import inside_programs
from brownout.sandbox.masks import normalise
from brownout.sandbox.probe import probe
from brownout.sandbox.runtime import runtime
from brownout.sandbox.sandbox import Sandbox

__all__ = ["TestOutcome", "TestRun", "run_visible_tests"]

TestOutcome: TypeAlias = Literal["passed", "failed", "error", "skipped"]

_REPORT: Final = "/tmp/.report"
_PLUGIN: Final = "/opt/report"
_LONGEST_REPORT: Final = 4 << 20
_STARTUP_SECONDS: Final = 15.0
_CPU_SECONDS: Final = 30
_LIMITS: Final = Limits(cpu_seconds=_CPU_SECONDS, wall_seconds=_STARTUP_SECONDS + 1.5 * _CPU_SECONDS)
"""A suite that hangs uses no processor time, so what it may use in real time follows from what it could."""


@dataclass(frozen=True, slots=True)
class TestRun:
    """What a test suite said about itself.

    Attributes:
        outcomes: pytest's node id -> what became of it, in the order they ran.
        exit_code: pytest's: 0 all passed, 1 some failed, 2 interrupted or a file that cannot be imported, 5 no tests.
        log: its output, normalised.
        stop: the limit that ended it, None where it ended by itself.
        cpu_seconds: processor time of the whole run.
    """

    __test__: ClassVar[bool] = False  # pytest would take it for a test by its name

    outcomes: Mapping[str, TestOutcome]
    exit_code: int
    log: str
    stop: Stop | None
    cpu_seconds: float = 0.0


def run_visible_tests(
    tree: Mapping[str, bytes],
    *,
    paths: Sequence[str] = (),
    limits: Limits | None = None,
    now: float = 1_700_000_000,
) -> TestRun:
    """Run pytest in a copy of the checkout.

    Args:
        tree: relative path -> content.
        paths: files and folders to run; whatever the repository's own settings say if empty.
        limits: of the run.
        now: world time in seconds since 1970.

    Raises:
        SandboxUnavailable: the system cannot run sandboxes, or pytest is not installed.
        SandboxError: the checkout cannot be laid out.
    """
    probe()
    if not runtime().has_pytest:
        raise SandboxUnavailable("running a repository's tests needs pytest beside brownout: pip install pytest")
    plugin = {
        f"{_PLUGIN}/{path.rpartition('/')[2]}": source for path, source in inside_programs("ci_report.py").items()
    }
    sandbox = Sandbox(
        user="ci",
        hostname="ci-runner",
        limits=limits or _LIMITS,
        environment={"CI": "true", "CI_REPORT": _REPORT, "PYTHONPATH": _PLUGIN},
        files=plugin,
    )
    command = ["python3", "-m", "pytest", "-p", "ci_report", "-p", "no:cacheprovider", "--color=no"]
    with sandbox:
        sandbox.put_tree(
            {path: (0o644, content) for path, content in tree.items()}, now=now, below=f"{sandbox.home}/repo"
        )
        finished = sandbox.run(join([*command, "--basetemp=/tmp/pytest", *paths]), now=now, cwd=f"{sandbox.home}/repo")
        outcomes = {} if finished.workspace_lost else _read_report(sandbox, now)
    log = normalise(finished.output.decode(errors="replace"))
    return TestRun(outcomes, finished.exit_code, log, finished.stop, finished.cpu_seconds)


def _read_report(sandbox: Sandbox, now: float) -> Mapping[str, TestOutcome]:
    """The plug-in's lines; what is not one of them is left out, for the suite could write there too."""
    sandbox.limits = replace(sandbox.limits, output_bytes=_LONGEST_REPORT)
    outcomes: dict[str, TestOutcome] = {}
    for line in sandbox.run(f"cat {_REPORT}", now=now).output.splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict) and row.get("outcome") in ("passed", "failed", "error", "skipped"):
            outcomes[str(row.get("name"))] = cast("TestOutcome", row["outcome"])
    return outcomes
