"""Whether a pull can be merged as it stands, and what GitHub says is in the way."""

from dataclasses import dataclass
from typing import Literal

from brownout.core.apps import Call
from brownout.core.rows import Row
from brownout.store.git import Repository
from brownout.store.git.refs import BRANCHES
from tools.github import records
from tools.github.records import CHECK

__all__ = ["Mergeability", "mergeability"]


@dataclass(frozen=True, slots=True)
class Mergeability:
    """What stands between a pull and its merge.

    Attributes:
        is_clean: git can join the two, None where the pull is not open.
        state: as GitHub's `mergeable_state`; `unstable` can be merged, `dirty` and `blocked` cannot.
        reason: what a refused merge answers; empty where nothing is in the way.
    """

    is_clean: bool | None
    state: Literal["clean", "unstable", "dirty", "blocked", "unknown"]
    reason: str = ""


def mergeability(call: Call, repository: Row, pull: Row, git: Repository) -> Mergeability:
    """How it stands with a pull now."""
    base = pull.text("base")
    if pull["state"] != "open" or records.branch_tip(git, base) is None:
        return Mergeability(None, "unknown", "Pull Request is not mergeable")
    if not git.merge_check(BRANCHES + base, pull.text("head_sha")).is_clean:
        return Mergeability(False, "dirty", "Pull Request is not mergeable")
    checks = records.combined(records.checks_of(call, repository, pull.text("head_sha")), call.now)
    reason = _missing_check(repository, checks) or _missing_approval(call, repository, pull)
    if reason:
        return Mergeability(True, "blocked", reason)
    return Mergeability(True, "unstable" if checks in ("pending", "failure") else "clean")


def _missing_check(repository: Row, checks: records.Combined) -> str:
    how = {"none": "expected", "pending": "in progress", "failure": "failing"}.get(checks)
    return f'Required status check "{CHECK}" is {how}.' if how and repository["requires_checks"] else ""


def _missing_approval(call: Call, repository: Row, pull: Row) -> str:
    """What reviewers have yet to do. Approvals are counted where the repository wants some; then a request for changes holds the merge up, too."""
    wanted = repository.number("requires_approvals")
    if not wanted:
        return ""
    verdicts = list(records.approvals(call, pull).values())
    if "CHANGES_REQUESTED" in verdicts:
        return "Changes requested: the pull request has a review that asks for changes."
    if verdicts.count("APPROVED") < wanted:
        reviews = "1 approving review is" if wanted == 1 else f"{wanted} approving reviews are"
        return f"At least {reviews} required by reviewers with write access."
    return ""
