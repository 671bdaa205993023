"""Looking at commits, after the REST API's commits and compare."""

from itertools import islice
from typing import Annotated

from pydantic import Field

from brownout.core.apps import Call
from brownout.core.operations import Operations
from brownout.core.values import Json
from tools.github import records, serializers
from tools.github.operation_arguments import MOST, Page, PerPage, Ref, Repo, commit_called, moment, page_of, place

__all__ = ["operations"]

operations = Operations("github")

_END_OF_TIME = 1 << 62


@operations.read
def list_commits(
    call: Call,
    repo: Repo,
    ref: Ref = "",
    path: Annotated[str, Field(description="File or folder that was changed.")] = "",
    author: Annotated[str, Field(description="Login or address.")] = "",
    since: Annotated[str, Field(description="ISO 8601.")] = "",
    until: Annotated[str, Field(description="ISO 8601.")] = "",
    page: Page = 1,
    per_page: PerPage = 30,
) -> Json:
    """List commits, newest first. What each changed: github_get_commit."""
    repository, git = place(call, repo)
    tip = commit_called(repository, git, ref)
    first, last = moment(since, "since", 0) // 1_000_000, moment(until, "until", _END_OF_TIME) // 1_000_000
    user = records.user_named(call, author)
    email = (user.text("email") if user else author).lower()
    wanted = (
        commit
        for commit in git.log(tip.sha, path, limit=MOST)
        if first <= commit.committer.seconds <= last and (not author or commit.author.email.lower() == email)
    )
    found = list(islice(wanted, page * per_page + 1))
    return page_of("commits", found, page, per_page, lambda commit: serializers.short_commit_json(call, commit))


@operations.read
def get_commit(
    call: Call,
    repo: Repo,
    sha: Annotated[str, Field(description="Commit (may be shortened), branch or tag.", min_length=1)],
) -> Json:
    """Get a commit with its patches against its first parent."""
    repository, git = place(call, repo)
    commit = commit_called(repository, git, sha)
    return serializers.commit_json(call, commit, git.diff_commit(commit.sha))


@operations.read
def compare(
    call: Call,
    repo: Repo,
    base: Annotated[str, Field(min_length=1)],
    head: Annotated[str, Field(min_length=1)],
) -> Json:
    """Compare two histories: the commits that only the head has, and what they changed since the two parted."""
    repository, git = place(call, repo)
    found = git.compare(commit_called(repository, git, base).sha, commit_called(repository, git, head).sha)
    status = "diverged" if found.behind else "ahead"
    if not found.ahead:
        status = "behind" if found.behind else "identical"
    return {
        "status": status,
        "ahead_by": found.ahead,
        "behind_by": found.behind,
        "total_commits": found.ahead,
        "merge_base_commit": {"sha": found.merge_base},
        "commits": [serializers.short_commit_json(call, commit) for commit in found.commits],
        "files": [serializers.file_json(file) for file in found.files],
    }
