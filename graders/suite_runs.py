"""Runs hidden tests and a repository's own suite, once for the very same code, and tells what is the machine's fault."""

from collections.abc import Mapping, Sequence
from typing import Final

from brownout.core.cancel_token import CancelToken
from brownout.core.errors import FailureKind, GradingError, SandboxError, SandboxUnavailable
from brownout.core.instants import SECOND, Instant
from brownout.sandbox import (
    HiddenRun,
    Stop,
    TestRun,
    compile_visible_tests,
    kept_hidden_run,
    kept_visible_run,
    run_visible_tests,
)

__all__ = ["first_visible_run", "hidden_run", "visible_run"]

_PERHAPS_THE_MACHINE: Final = (Stop.DEADLINE, Stop.CRASHED)


def hidden_run(
    tree: Mapping[str, bytes],
    tests: Mapping[str, str],
    seed: int,
    at: Instant,
    harness: Sequence[str] = (),
    *,
    known: Mapping[str, bytes] | None = None,
    quick: bool = False,
    token: CancelToken | None = None,
) -> HiddenRun:
    """The outcome of each hidden test, every one a verdict.

    Args:
        tests: file name -> source.
        at: world time that the code sees.
        harness: files of the tree that the tests enter through.
        known: the checkout from before the agent, whose files are compiled once.
        quick: by one way in only, and no further than the first test that fails.
        token: ends it early.

    Raises:
        Cancelled: by the token.
        GradingError: the sandbox is missing or failed, or a test is broken.
    """
    try:
        run = kept_hidden_run(
            tree, tests, seed, harness=harness, known=known, now=at / SECOND, quick=quick, token=token
        )
    except SandboxUnavailable as error:
        raise GradingError(f"sandbox_unavailable: {error}", error.failure_kind) from error
    except SandboxError as error:
        raise GradingError(f"sandbox_failed: {error}", error.failure_kind) from error
    if not run.outcomes:
        raise GradingError(
            f"hidden_tests_broken: there is no test in {', '.join(sorted(tests))}", "hidden_tests_broken"
        )
    if run.errors:
        first = run.errors[0]
        kind: FailureKind = "hidden_tests_broken" if first.reason == "broken" else "sandbox_failed"
        raise GradingError(f"{kind}: {first.name}: {first.reason}: {first.message}", kind)
    return run


def visible_run(
    tree: Mapping[str, bytes], at: Instant, base: Mapping[str, bytes] | None = None, only: Sequence[str] = ()
) -> TestRun:
    """What the repository's own suite says about itself; it may have been stopped by the code's own doing.

    Args:
        base: the checkout as it was before, None where `tree` is that one. Where its suite ends now and the other's hangs or
            takes its sandbox down, the code is to blame and not the machine.
        only: the tests to run, by pytest's names; all if empty.

    Raises:
        GradingError: the sandbox is missing or failed.
    """
    try:
        run = kept_visible_run(tree, paths=only, known=tree if base is None else base, now=at / SECOND)
        is_machines = run.stop in _PERHAPS_THE_MACHINE and not (base is not None and _machine_is_well(base, at))
    except SandboxUnavailable as error:
        raise GradingError(f"sandbox_unavailable: {error}", error.failure_kind) from error
    except SandboxError as error:
        raise GradingError(f"sandbox_failed: {error}", error.failure_kind) from error
    if is_machines:
        raise GradingError(f"sandbox_failed: the repository's own tests were stopped: {run.stop}", "sandbox_failed")
    return run


def first_visible_run(base: Mapping[str, bytes], at: Instant) -> None:
    """Run the suite of the checkout from before the agent, and compile it for the runs to come.

    In this order: compiling is work of this process, in which the agent's calls are answered meanwhile.

    Raises:
        SandboxUnavailable: there is no sandbox.
        SandboxError: it failed.
    """
    kept_visible_run(base, now=at / SECOND)
    compile_visible_tests(base)


def _machine_is_well(base: Mapping[str, bytes], at: Instant) -> bool:
    """Whether a suite that the agent had no hand in ends here and now; what it came to earlier says nothing of that."""
    now = run_visible_tests(base, known=base, now=at / SECOND)
    return now.stop is None and "passed" in now.outcomes.values()
