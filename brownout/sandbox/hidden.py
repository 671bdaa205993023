"""Runs hidden tests: Python files whose `test_*` functions get a `subject` and run far from it.

Tests are the author's and trusted; they run in a plain process of their own, so that one that hangs or crashes
cannot take the grader along. The code under test is not trusted; each test gets a fresh process of it in a
fresh sandbox.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from signal import SIGKILL
from threading import Timer
from typing import Final, Literal

from brownout.core.errors import SandboxError
from brownout.sandbox.launch import ROOM
from brownout.sandbox.limits import Limits
from brownout.sandbox.probe import probe
from brownout.sandbox.staging import staged
from brownout.sandbox.subject import SUBJECT_LIMITS

__all__ = ["HiddenOutcome", "HiddenRun", "run_hidden_tests"]

_BOOT: Final = "import sys; sys.path.insert(0, sys.argv[1]); from brownout.sandbox.hidden_runner import main; main()"


@dataclass(frozen=True, slots=True)
class HiddenOutcome:
    """One hidden test.

    Attributes:
        name: `file.py::test_name`.
        outcome: `failed` is a verdict on the code under test; `error` is none (the test could not be run).
        reason: empty for passed; `assertion`; a `FailureReason` of the subject; the type of an exception in the
            test; `broken` for a test that cannot be loaded; `sandbox`, `hung`, `crashed` and `not run` where the
            machinery gave way.
        message: for people; may quote the code under test.
    """

    name: str
    outcome: Literal["passed", "failed", "error"]
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class HiddenRun:
    """All hidden tests of one grade, in the order of files and of functions in them."""

    outcomes: tuple[HiddenOutcome, ...]

    @property
    def passed(self) -> bool:
        """True if there was a test and every one passed."""
        return bool(self.outcomes) and all(outcome.outcome == "passed" for outcome in self.outcomes)

    @property
    def errors(self) -> tuple[HiddenOutcome, ...]:
        """Tests without a verdict; while there is one, the run decides nothing."""
        return tuple(outcome for outcome in self.outcomes if outcome.outcome == "error")


def run_hidden_tests(
    tree: Mapping[str, bytes],
    tests: Mapping[str, str],
    seed: int,
    *,
    limits: Limits = SUBJECT_LIMITS,
    now: float = 1_700_000_000,
    seconds: float = 300.0,
) -> HiddenRun:
    """The outcome of each test against the code in `tree`.

    A test is `def test_x(subject)` or `def test_x(subject, stream)`: a `Subject`, and the random stream of
    (seed, file, test) for inputs drawn anew for every grade. In a test `==`, `!=`, `in` and `not in` compare
    with types: `True` is not `1`.

    Args:
        tree: the checkout, relative path -> content.
        tests: file name -> source.
        seed: of the grade.
        limits: of each subject.
        now: world time in seconds since 1970 that the code sees.
        seconds: real time for one test; a safety net, reported as `hung`.

    Raises:
        SandboxUnavailable: the system cannot run sandboxes.
        SandboxError: the checkout cannot be laid out, or the runner did not start.
    """
    probe()
    with staged(tree) as folder:
        job = {"folder": str(folder), "tests": dict(tests), "seed": seed, "limits": asdict(limits), "now": now}
        return _collect(json.dumps(job).encode(), seconds)


def _collect(job: bytes, seconds: float) -> HiddenRun:
    """Feed the runner its job and gather its lines: the plan first, then a begin and an end for each test."""
    command = [sys.executable, "-I", "-c", _BOOT, str(ROOM)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as runner:
        assert runner.stdin and runner.stdout and runner.stderr
        planned: list[str] = []
        outcomes: dict[str, HiddenOutcome] = {}
        begun = ""
        with suppress(BrokenPipeError):
            runner.stdin.write(job)
            runner.stdin.close()
        for line in _lines_in_time(runner, seconds):
            message = json.loads(line)
            planned += message.get("plan", [])
            begun = message.get("begin", begun)
            if "name" in message:
                outcomes[message["name"]] = HiddenOutcome(**message)
        code = runner.wait()
        complaint = runner.stderr.read().decode(errors="replace")[-2000:]
    if not planned and code:
        raise SandboxError(f"the runner of hidden tests did not start: {complaint}")
    for name in planned:
        if name not in outcomes:
            why = "not run" if name != begun else "hung" if code == -SIGKILL else "crashed"
            outcomes[name] = HiddenOutcome(name, "error", why, f"the runner ended with code {code}: {complaint}")
    return HiddenRun(tuple(outcomes[name] for name in planned))


def _lines_in_time(runner: subprocess.Popen[bytes], seconds: float) -> Iterator[bytes]:
    """The runner's lines; it is killed when none came for `seconds`."""
    assert runner.stdout
    while True:
        guard = Timer(seconds, runner.kill)
        guard.start()
        try:
            line = runner.stdout.readline()
        finally:
            guard.cancel()
            guard.join()
        if not line.endswith(b"\n"):
            return
        yield line
