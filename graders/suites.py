"""Runs hidden tests and a repository's own suite, once for the very same code; what decided nothing is run again.

A run depends on the files, the seed and the time alone, so a verdict on the same ones is known already.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from brownout.core.errors import GradingError, SandboxError, SandboxUnavailable
from brownout.core.instants import SECOND, Instant
from brownout.core.values import digest_of
from brownout.sandbox import HiddenRun, Stop, TestRun, kept_hidden_run, kept_visible_run

__all__ = ["forget", "hidden_run", "visible_run"]

_PERHAPS_THE_MACHINE: Final = (Stop.DEADLINE, Stop.CRASHED)


@dataclass(frozen=True, slots=True)
class _Files:
    """Files that are the same where what is in them is."""

    digest: str
    files: Mapping[str, bytes] = field(compare=False)


def hidden_run(
    tree: Mapping[str, bytes],
    tests: Mapping[str, str],
    seed: int,
    at: Instant,
    harness: Sequence[str] = (),
    *,
    quick: bool = False,
) -> HiddenRun:
    """The outcome of each hidden test, every one a verdict.

    Args:
        tests: file name -> source.
        at: world time that the code sees.
        harness: files of the tree that the tests enter through.
        quick: by one way in only, and no further than the first test that fails.

    Raises:
        GradingError: the sandbox is missing or failed, or a test is broken.
    """
    sources = {name: source.encode() for name, source in tests.items()}
    try:
        return _hidden_run(_keyed(tree), _keyed(sources), seed, at, tuple(harness), quick)
    except SandboxUnavailable as error:
        raise GradingError(f"sandbox_unavailable: {error}") from error
    except SandboxError as error:
        raise GradingError(f"sandbox_failed: {error}") from error


def visible_run(
    tree: Mapping[str, bytes], at: Instant, base: Mapping[str, bytes] | None = None, only: Sequence[str] = ()
) -> TestRun:
    """What the repository's own suite says about itself; it may have been stopped by the code's own doing.

    Args:
        base: the checkout as it was before. Where its suite ends now and the other's hangs or takes its sandbox down,
            the code is to blame and not the machine.
        only: the tests to run, by pytest's names; all if empty.

    Raises:
        GradingError: the sandbox is missing or failed.
    """
    try:
        return _visible_run(_keyed(tree), at, _keyed(base) if base is not None else None, tuple(only))
    except SandboxUnavailable as error:
        raise GradingError(f"sandbox_unavailable: {error}") from error
    except SandboxError as error:
        raise GradingError(f"sandbox_failed: {error}") from error


def forget() -> None:
    """Run everything anew from now on."""
    _hidden_run.cache_clear()
    _visible_run.cache_clear()


def _keyed(files: Mapping[str, bytes]) -> _Files:
    return _Files(digest_of(*(part for path in sorted(files) for part in (path, files[path]))), files)


@lru_cache(maxsize=256)
def _hidden_run(
    tree: _Files, tests: _Files, seed: int, at: Instant, harness: tuple[str, ...], quick: bool
) -> HiddenRun:
    sources = {name: content.decode() for name, content in tests.files.items()}
    run = kept_hidden_run(tree.files, sources, seed, harness=harness, now=at / SECOND, quick=quick)
    if not run.outcomes:
        raise GradingError(f"hidden_tests_broken: there is no test in {', '.join(sorted(sources))}")
    if run.errors:
        first = run.errors[0]
        kind = "hidden_tests_broken" if first.reason == "broken" else "sandbox_failed"
        raise GradingError(f"{kind}: {first.name}: {first.reason}: {first.message}")
    return run


@lru_cache(maxsize=256)
def _visible_run(tree: _Files, at: Instant, base: _Files | None, only: tuple[str, ...]) -> TestRun:
    run = kept_visible_run(tree.files, paths=only, now=at / SECOND)
    if run.stop in _PERHAPS_THE_MACHINE and not (base is not None and _machine_is_well(base, at)):
        raise GradingError(f"sandbox_failed: the repository's own tests were stopped: {run.stop}")
    return run


def _machine_is_well(base: _Files, at: Instant) -> bool:
    """Whether a suite that the agent had no hand in ends here and now."""
    now = kept_visible_run(base.files, now=at / SECOND)
    return now.stop is None and "passed" in now.outcomes.values()
