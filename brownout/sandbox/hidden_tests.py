"""Runs hidden tests: Python files whose `test_*` functions get a `subject` and run far from it.

Tests are the author's and trusted; they run in a plain process of their own, so that one that hangs or crashes
cannot take the grader along. The code under test is not trusted; each test gets a fresh process of it in a
fresh sandbox, once by every way in (`entrance`), and passes if it does by all of them. Tests run at once, as many as there
are cores.

Code that hangs, floods or crashes has failed. No verdict is for what the code had no part in: a test that cannot be loaded
or gives way before it heard from the code, a sandbox that does not start.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from signal import SIGKILL
from threading import Timer
from typing import Final

from brownout.core.cancel_token import CancelToken
from brownout.core.errors import SandboxError
from brownout.core.values import digest_of
from brownout.sandbox.compiled_files import compiled_files
from brownout.sandbox.hidden_outcomes import HiddenOutcome, HiddenRun
from brownout.sandbox.invocation import entrances
from brownout.sandbox.launch import ROOM
from brownout.sandbox.limits import Limits
from brownout.sandbox.probe import probe
from brownout.sandbox.staged_checkout import staged
from brownout.sandbox.subject import SUBJECT_LIMITS

__all__ = ["run_hidden_tests"]

_BOOT: Final = "import sys; sys.path.insert(0, sys.argv[1]); from brownout.sandbox.hidden_runner import main; main()"


def run_hidden_tests(
    tree: Mapping[str, bytes],
    tests: Mapping[str, str],
    seed: int,
    *,
    harness: Sequence[str] = (),
    known: Mapping[str, bytes] | None = None,
    limits: Limits = SUBJECT_LIMITS,
    now: float = 1_700_000_000,
    seconds: float = 300.0,
    budget_seconds: float = 120.0,
    quick: bool = False,
    token: CancelToken | None = None,
) -> HiddenRun:
    """The outcome of each test against the code in `tree`.

    A test is `def test_x(subject)` or `def test_x(subject, stream)`: a `Subject`, and the random stream of
    (seed, file, test) for inputs drawn anew for every grade. In a test `==`, `!=`, `in` and `not in` compare
    with types: `True` is not `1`.

    Args:
        tree: the checkout, relative path -> content.
        tests: file name -> source.
        seed: of the grade; inputs, and the names under which the code is run, are drawn from it.
        harness: files of the tree that the tests enter through.
        known: the checkout as its author wrote it. What the tree has of it is compiled beforehand, but for the first way in, so
            that code cannot tell by compiled files whether it is judged.
        limits: of each subject.
        now: world time in seconds since 1970 that the code sees.
        seconds: real time for one test; a safety net, reported as `hung`.
        budget_seconds: real time for all that the code is asked by all tests together. Code that hung once gets no more.
        quick: by one way only, and no further than the first test that fails.
        token: ends it early.

    Raises:
        Cancelled: by the token.
        SandboxUnavailable: the system cannot run sandboxes.
        SandboxError: the checkout cannot be laid out, or the runner did not start.
    """
    probe()
    ways, files = entrances(
        tree, harness, seed, digest_of(*(part for name in sorted(tests) for part in (name, tests[name])))
    )
    with staged(files) as bare, staged({**files, **compiled_files(files, known or {})}) as compiled:
        job: dict[str, object] = {
            "folders": [str(compiled)] if quick else [str(bare), *[str(compiled)] * (len(ways) - 1)],
            "tests": dict(tests),
            "seed": seed,
            "limits": asdict(limits),
            "now": now,
            "entrances": [asdict(way) for way in (ways[:1] if quick else ways)],
            "budget": budget_seconds,
            "quick": quick,
        }
        token = token or CancelToken()
        run = _collect(job | {"at_once": 0}, seconds, token) or _collect(job | {"at_once": 1}, seconds, token)
    assert run is not None
    return run


def _collect(job: Mapping[str, object], seconds: float, token: CancelToken) -> HiddenRun | None:
    """The outcomes; None where the runner gave way while several tests were under way, for nobody knows to which.

    Feed the runner its job and gather its lines: the plan first, then a begin and an end for each test.
    """
    command = [sys.executable, "-I", "-c", _BOOT, str(ROOM)]
    with (
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as runner,
        token.ending(runner.kill),
    ):
        assert runner.stdin and runner.stdout and runner.stderr
        planned: list[str] = []
        outcomes: dict[str, HiddenOutcome] = {}
        under_way: dict[str, bool] = {}
        with suppress(BrokenPipeError):
            runner.stdin.write(json.dumps(job).encode())
            runner.stdin.close()
        for line in _lines_in_time(runner, seconds):
            message = json.loads(line)
            planned += message.get("plan", [])
            if "begin" in message:
                under_way[message["begin"]] = False
            if "answered" in message:
                under_way[message["answered"]] = True
            if "done" in message:
                del under_way[message["done"]]
            if "name" in message:
                outcomes[message["name"]] = HiddenOutcome(**message)
        code = runner.wait()
        complaint = runner.stderr.read().decode(errors="replace")[-2000:]
    if not planned and code:
        raise SandboxError(f"the runner of hidden tests did not start: {complaint}")
    if len(under_way) > 1:
        return None
    for name in planned:
        if name not in outcomes:
            why = "not run" if name not in under_way else "hung" if code == -SIGKILL else "crashed"
            told = f"the runner ended with code {code}: {complaint}"
            outcomes[name] = HiddenOutcome(name, "failed" if True in under_way.values() else "error", why, told)
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
