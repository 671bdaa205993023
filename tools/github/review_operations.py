"""Talking about pull requests, reviewing, checking and merging them."""

from contextlib import nullcontext
from typing import Annotated, Final, Literal

import orjson
from pydantic import Field

from brownout.core.apps import Call, OutsideWork
from brownout.core.instants import SECOND
from brownout.core.operations import Operations
from brownout.core.values import Json
from brownout.store.git import MergeConflict, NothingToMerge, UnknownRevision
from tools.github import records, serializers
from tools.github.ci import with_checks
from tools.github.errors import (
    GithubError,
    conflict,
    invalid_arguments,
    no_permission,
    not_found,
    not_mergeable,
    validation_failed,
)
from tools.github.mergeability import mergeability
from tools.github.operation_arguments import Number, Repo, commit_called, me, place, pull_called, repository_called
from tools.github.records import MergeMethod, ReviewState

__all__ = ["operations"]

operations = Operations("github")

_STATES: Final[dict[str, ReviewState]] = {
    "APPROVE": "APPROVED",
    "REQUEST_CHANGES": "CHANGES_REQUESTED",
    "COMMENT": "COMMENTED",
}
_RERUN = "/checks/runs#rerequest-a-check-run"
_REVIEWS = "/pulls/reviews#create-a-review-for-a-pull-request"
_REQUESTS = "/pulls/review-requests#request-reviewers-for-a-pull-request"


@operations.write(addition=True)
def comment_pull(
    call: Call,
    repo: Repo,
    number: Number,
    body: Annotated[str, Field(description="@login mentions.", min_length=1, max_length=65_536)],
    path: Annotated[str, Field(description="A file that it changes.")] = "",
    line: Annotated[int | None, Field(ge=1)] = None,
) -> Json:
    """Comment on a pull request, or on a file or line in it."""
    repository = repository_called(call, repo)
    pull = pull_called(call, repository, number)
    if path and path not in orjson.loads(pull.text("files")):
        raise validation_failed("PullRequestReviewComment", "path", "invalid")
    made = records.add_comment(call, pull, me(call), body, path=path, line=line if path else None)
    return serializers.comment_json(call, made)


@operations.write()
def review_pull(
    call: Call,
    repo: Repo,
    number: Number,
    event: Literal["APPROVE", "REQUEST_CHANGES", "COMMENT"],
    body: Annotated[str, Field(description="Needed unless you approve.", max_length=65_536)] = "",
) -> Json:
    """Review a pull request."""
    repository = repository_called(call, repo)
    pull, reviewer = pull_called(call, repository, number), me(call)
    wrong = ""
    if pull["author"] == reviewer["id"] and event != "COMMENT":
        doing = "approve" if event == "APPROVE" else "request changes on"
        wrong = f"Can not {doing} your own pull request"
    elif event != "APPROVE" and not body.strip():
        wrong = "Body can't be blank"
    elif pull["state"] != "open" and event != "COMMENT":
        wrong = "Can not review a pull request that is not open"
    if wrong:
        raise GithubError(422, "Unprocessable Entity", page=_REVIEWS, errors=[wrong])
    with call.rows.adding() if event == "COMMENT" else nullcontext():
        made = records.add_review(call, pull, reviewer, _STATES[event], body)
    return serializers.review_json(call, made)


@operations.write(cost=SECOND)
def request_review(
    call: Call,
    repo: Repo,
    number: Number,
    reviewers: Annotated[list[str], Field(description="Logins.", min_length=1)],
) -> Json:
    """Ask people to review a pull request."""
    repository = repository_called(call, repo)
    pull = pull_called(call, repository, number)
    users = [records.user_named(call, login) for login in dict.fromkeys(reviewers)]
    known = [user for user in users if user is not None]
    if len(known) < len(users):
        message = (
            "Reviews may only be requested from collaborators. One or more of the users or teams you specified is not "
            f"a collaborator of the {repository.text('full_name')} repository."
        )
        raise GithubError(422, message, page=_REQUESTS)
    if any(user["id"] == pull["author"] for user in known):
        raise GithubError(422, "Review cannot be requested from pull request author.", page=_REQUESTS)
    records.ask_for_review(call, pull, me(call), known)
    return serializers.pull_json(call, records.pull_again(call, pull))


@operations.write(final=True, cost=SECOND)
def merge_pull(
    call: Call,
    repo: Repo,
    number: Number,
    merge_method: MergeMethod = "merge",
    commit_title: str = "",
    commit_message: str = "",
    sha: Annotated[str, Field(description="The head that you saw; another is refused.")] = "",
) -> Json | OutsideWork:
    """Merge a pull request."""
    repository, git = place(call, repo)
    pull, who = pull_called(call, repository, number), me(call)
    if sha and pull["state"] == "open" and sha != pull["head_sha"]:
        raise conflict(
            "Head branch was modified. Review and try the merge again.", page="/pulls/pulls#merge-a-pull-request"
        )
    state = mergeability(call, repository, pull, git)
    if state.reason:
        raise not_mergeable(state.reason)
    try:
        merged = records.merge_pull(call, pull, git, who, merge_method, title=commit_title, message=commit_message)
    except (MergeConflict, NothingToMerge, UnknownRevision):
        raise not_mergeable() from None
    tip = merged.text("merge_sha")
    answer: Json = {"sha": tip, "merged": True, "message": "Pull Request successfully merged"}
    further = records.pulls_from(call, repository, pull.text("base"))
    return with_checks(call, repository, git, further, tip, lambda later: answer)


@operations.read
def get_checks(
    call: Call,
    repo: Repo,
    ref: str = "",
    number: Annotated[int, Field(description="Instead of ref.", ge=0)] = 0,
) -> Json:
    """Get the check runs of a commit or of a pull request's head, with what the completed ones found."""
    repository, git = place(call, repo)
    if number and ref.strip():
        raise invalid_arguments("Give either 'ref' or 'number'.")
    if number:
        sha = pull_called(call, repository, number).text("head_sha")
    else:
        sha = commit_called(repository, git, ref).sha
    found = records.checks_of(call, repository, sha)
    return {
        "sha": sha,
        "state": records.combined(found, call.now),
        "total_count": len(found),
        "check_runs": [serializers.check_json(call, row) for row in found],
    }


@operations.write(addition=True, cost=SECOND)
def rerun_checks(
    call: Call,
    repo: Repo,
    check_run_id: Annotated[int, Field(ge=1)],
) -> Json | OutsideWork:
    """Run a check again on the same commit: github_get_checks."""
    repository, git = place(call, repo)
    check = records.check_numbered(call, repository, check_run_id)
    if check is None:
        raise not_found(page=_RERUN)
    if records.status_of(check, call.now) != "completed":
        raise no_permission("This check run is already running", page=_RERUN)
    sha = check.text("sha")
    pull = records.pull_of(call, check)

    def answer(later: Call) -> Json:
        return serializers.check_json(later, records.checks_of(later, repository, sha)[-1])

    return with_checks(call, repository, git, [pull], sha, answer)
