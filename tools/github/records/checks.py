"""Check runs: what a repository's own tests said about a pull's head, and when that is known."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from sqlalchemy import bindparam, select

from brownout.core.apps import Call
from brownout.core.instants import SECOND, Instant
from brownout.core.rows import Row
from brownout.store import compile_query
from tools.github import tables
from tools.github.records.accounts import repository_of

__all__ = [
    "CHECK",
    "CheckOutcome",
    "Combined",
    "Conclusion",
    "Status",
    "add_check",
    "check_numbered",
    "checks_of",
    "combined",
    "pull_of",
    "status_of",
]

Conclusion: TypeAlias = Literal["success", "failure", "timed_out", "neutral"]
Status: TypeAlias = Literal["queued", "in_progress", "completed"]
Combined: TypeAlias = Literal["none", "pending", "success", "neutral", "failure"]

CHECK: Final = "tests"
"""What every repository's one check is called."""

_check, _pull = tables.check, tables.pull
_OF = compile_query(
    select(_check)
    .join(_pull, _pull.c.id == _check.c.pull)
    .where(_pull.c.repository == bindparam("repository"), _check.c.sha == bindparam("sha"))
    .order_by(_check.c.id)
)


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """What came of running the tests.

    Attributes:
        conclusion: `neutral` where they could not be run.
        log: the run's output, what differs between machines left out.
    """

    conclusion: Conclusion
    summary: str
    passed: int = 0
    failed: int = 0
    log: str = ""


def add_check(call: Call, pull: Row, sha: str, outcome: CheckOutcome, *, is_recorded: bool = False) -> Row:
    """Note what became of a pull's tests; people see it after the time that such a run takes."""
    stream = call.stream("github", "check", repository_of(call, pull).text("full_name"), sha)
    started = call.now + stream.between(4, 25) * SECOND
    key = call.rows.insert(
        _check,
        pull=pull.number("id"),
        sha=sha,
        name=CHECK,
        conclusion=outcome.conclusion,
        summary=outcome.summary,
        log=outcome.log,
        passed=outcome.passed,
        failed=outcome.failed,
        is_recorded=int(is_recorded),
        queued_us=call.now,
        started_us=started,
        completes_us=started + stream.between(50, 170) * SECOND,
    )
    found = call.rows.get(_check, key)
    assert found is not None
    return found


def checks_of(call: Call, repository: Row, sha: str) -> list[Row]:
    """The check runs of a commit, oldest first."""
    return call.rows.all(_OF, repository=repository.number("id"), sha=sha)


def check_numbered(call: Call, repository: Row, number: int) -> Row | None:
    """The check run of a repository by its id, None where it has no such run."""
    found = call.rows.get(_check, number)
    pull = call.rows.get(_pull, found.number("pull")) if found is not None else None
    return found if pull is not None and pull["repository"] == repository["id"] else None


def pull_of(call: Call, check: Row) -> Row:
    """The pull that a check ran for."""
    found = call.rows.get(_pull, check.number("pull"))
    assert found is not None
    return found


def status_of(check: Row, now: Instant) -> Status:
    """How far a run has come."""
    if now < check.number("started_us"):
        return "queued"
    return "in_progress" if now < check.number("completes_us") else "completed"


def combined(checks: list[Row], now: Instant | None) -> Combined:
    """What the latest run of each check comes to; with no moment given, when all have completed."""
    latest = {check.text("name"): check for check in checks}.values()
    if any(now is not None and status_of(check, now) != "completed" for check in latest):
        return "pending"
    if any(check["conclusion"] in ("failure", "timed_out") for check in latest):
        return "failure"
    if any(check["conclusion"] == "success" for check in latest):
        return "success"
    return "neutral" if latest else "none"
