"""CI: a repository's own tests, really run in the sandbox, outside the store."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from brownout.core.apps import Call, OutsideWork
from brownout.core.errors import SandboxUnavailable
from brownout.core.instants import Instant
from brownout.core.rows import Row
from brownout.core.values import Json
from brownout.sandbox import TestRun, kept_visible_run
from brownout.store.git import Repository
from tools.github import records
from tools.github.records import CheckOutcome

__all__ = ["recorded", "run_tests", "with_checks"]

_LONGEST_LOG: Final = 16_000
_OF_THE_MACHINE: Final = ("platform ", "cachedir: ", "plugins: ", "hypothesis profile ")
"""Beginnings of the lines in pytest's header that tell one machine from another."""


def with_checks(
    call: Call, repository: Row, git: Repository, pulls: Sequence[Row], sha: str, answer: Callable[[Call], Json]
) -> Json | OutsideWork:
    """The answer to a request, after the tests have run for pulls whose head is that commit.

    Args:
        answer: makes it, when the check runs are there.
    """
    if not pulls or not repository["runs_checks"]:
        return answer(call)
    tree = {path: file.data for path, file in git.archive(sha).items()}
    known = {path: tree[path] for path, entry in git.files(sha).items() if path in tree and git.base.has(entry.sha)}
    now = call.now

    def finish(later: Call, done: object) -> Json:
        assert isinstance(done, CheckOutcome)
        for pull in pulls:
            records.add_check(later, pull, sha, done)
        return answer(later)

    return OutsideWork(lambda: run_tests(tree, now, known), finish)


def run_tests(tree: Mapping[str, bytes], now: Instant, known: Mapping[str, bytes] | None = None) -> CheckOutcome:
    """What the tests in a checkout say; neutral where this system cannot run them.

    Args:
        known: what of it the package has.

    Raises:
        SandboxError: the checkout could not be laid out.
    """
    try:
        run = kept_visible_run(tree, known=known, now=now // 1_000_000)
    except SandboxUnavailable:
        return CheckOutcome("neutral", "Checks could not run here: this system cannot run sandboxes.")
    return _outcome(run)


def recorded(passed: int, failed: int) -> CheckOutcome:
    """What a run came to when the history was written; its log was not kept."""
    return CheckOutcome("failure" if failed else "success", _counted(passed, failed), passed, failed)


def _outcome(run: TestRun) -> CheckOutcome:
    found = list(run.outcomes.values())
    passed = found.count("passed")
    failed = found.count("failed") + found.count("error")
    lines = run.log.splitlines(keepends=True)
    log = "".join(line for line in lines if not line.startswith(_OF_THE_MACHINE))
    if len(log) > _LONGEST_LOG:
        log = f"[{len(log) - _LONGEST_LOG} characters left out]\n{log[-_LONGEST_LOG:]}"
    if run.stop is not None:
        return CheckOutcome("timed_out", f"The run was ended by its {run.stop.value} limit.", passed, failed, log)
    if run.exit_code == 0:
        return CheckOutcome("success", _counted(passed, failed), passed, failed, log)
    if run.disagreement:
        return CheckOutcome("failure", f"The run is not to be trusted: {run.disagreement}.", passed, failed, log)
    summary = _counted(passed, failed) if found else f"No test was run (exit code {run.exit_code})."
    return CheckOutcome("failure", summary, passed, failed, log)


def _counted(passed: int, failed: int) -> str:
    return f"{passed} passed, {failed} failed" if failed else f"{passed} passed"
