"""Runs a repository's own test suite as its CI would: informative, never a verdict.

The suite runs in one interpreter with the code it tests. What that code can do without taking the interpreter apart is seen:
exit status, log and signed reports must agree, and a test that must fail has to. Where they do not agree nothing has passed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from secrets import token_hex
from typing import ClassVar, Final

from brownout.core.errors import SandboxUnavailable
from brownout.core.seeds import Stream
from brownout.sandbox.compiled_files import compiled_suite
from brownout.sandbox.disguised_worker import SUITE, disguised, drawn_name
from brownout.sandbox.interpreter_copy import runtime
from brownout.sandbox.launch import home_of
from brownout.sandbox.limits import Limits, Stop
from brownout.sandbox.output import Collected
from brownout.sandbox.output_masks import normalise
from brownout.sandbox.probe import probe
from brownout.sandbox.sandbox import Finished, Sandbox
from brownout.sandbox.test_reports import TestOutcome, disagreement, read_reports

__all__ = ["TestOutcome", "TestRun", "compile_visible_tests", "run_visible_tests"]

_STARTUP_SECONDS: Final = 15.0
_CPU_SECONDS: Final = 30
_LONGEST_OUTPUT: Final = 8 << 20
_LONGEST_LOG: Final = 64 << 10
_USER: Final = "ci"
_LIMITS: Final = Limits(
    cpu_seconds=_CPU_SECONDS,
    wall_seconds=_STARTUP_SECONDS + 1.5 * _CPU_SECONDS,
    idle_seconds=15.5,
    output_bytes=_LONGEST_OUTPUT,
)
"""A suite that hangs uses no processor time, so what it may use in real time follows from what it could."""
_PLACE: Final = f"{home_of(_USER)}/repo"


@dataclass(frozen=True, slots=True)
class TestRun:
    """What a test suite said about itself.

    Attributes:
        outcomes: pytest's node id -> what became of it, in the order they ran; empty where the run disagrees with itself.
        exit_code: pytest's: 0 all passed, 1 some failed, 2 interrupted or a file that cannot be imported, 5 no tests.
            Never 0 where the run was stopped or disagrees with itself.
        log: its output, normalised.
        stop: the limit that ended it, None where it ended by itself.
        cpu_seconds: processor time of the whole run.
        disagreement: what in exit status, log and reports contradicts the rest; empty where they agree.
    """

    __test__: ClassVar[bool] = False  # pytest would take it for a test by its name

    outcomes: Mapping[str, TestOutcome]
    exit_code: int
    log: str
    stop: Stop | None
    cpu_seconds: float = 0.0
    disagreement: str = ""


def run_visible_tests(
    tree: Mapping[str, bytes],
    *,
    paths: Sequence[str] = (),
    known: Mapping[str, bytes] | None = None,
    limits: Limits = _LIMITS,
    now: float = 1_700_000_000,
) -> TestRun:
    """Run pytest in a copy of the checkout.

    Args:
        tree: relative path -> content.
        paths: files, folders and node ids to run; whatever the repository's own settings say if empty.
        known: files that were there before an agent came: what the tree has of them is compiled beforehand.
        limits: of the run.
        now: world time in seconds since 1970.

    Raises:
        SandboxUnavailable: the system cannot run sandboxes, or pytest is not installed.
        SandboxError: the checkout cannot be laid out.
    """
    probe()
    if not runtime().has_pytest:
        raise SandboxUnavailable("running a repository's tests needs pytest beside brownout: pip install pytest")
    key = token_hex(32)
    arguments = ["-p", "no:cacheprovider", "--color=no", "--basetemp=/tmp/pytest", *paths]
    stream = Stream("suite", *sorted(tree))
    sentinel = drawn_name(stream)
    program = disguised(SUITE, stream).called(key, sentinel, arguments)
    sandbox = Sandbox(user=_USER, hostname="ci-runner", limits=limits, environment={"CI": "true"})
    with sandbox:
        files = {**tree, **(compiled_suite(tree, known, _PLACE) if known else {})}
        sandbox.put_tree({path: (0o644, content) for path, content in files.items()}, now=now, below=_PLACE)
        finished = sandbox.run("python3 -", now=now, stdin=program.encode(), cwd=_PLACE)
    return _told(finished, key)


def compile_visible_tests(known: Mapping[str, bytes]) -> None:
    """Compile a checkout's files now, for the runs in this process that know it."""
    compiled_suite(known, known, _PLACE)


def _told(finished: Finished, key: str) -> TestRun:
    reports = read_reports(finished.output, key)
    log = Collected(_LONGEST_LOG)
    log.take(reports.log)
    wrong = "" if finished.stop else disagreement(reports, finished.exit_code)
    return TestRun(
        outcomes={} if wrong else reports.by_name,
        exit_code=finished.exit_code or (1 if wrong or finished.stop else 0),
        log=normalise(log.output.decode(errors="replace")),
        stop=finished.stop,
        cpu_seconds=finished.cpu_seconds,
        disagreement=wrong,
    )
