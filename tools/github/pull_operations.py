"""Finding, reading, opening and closing pull requests, after the REST API's pulls and search/issues."""

from typing import Annotated, Literal

from pydantic import Field
from sqlalchemy import bindparam, select

from brownout.core.apps import Call, OutsideWork
from brownout.core.instants import SECOND
from brownout.core.operations import Operations
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject
from brownout.store import compile_query, compile_search
from brownout.store.git import Comparison, Repository
from brownout.store.git.refs import BRANCHES
from tools.github import records, search, serializers, tables
from tools.github.ci import with_checks
from tools.github.errors import GithubError, validation_failed
from tools.github.mergeability import mergeability
from tools.github.operation_arguments import (
    Number,
    Page,
    PerPage,
    Repo,
    me,
    page_of,
    place,
    pull_called,
    repository_called,
    user_called,
)

__all__ = ["operations"]

operations = Operations("github")

_pull, _comment = tables.pull, tables.comment
_COMMENTS = compile_query(select(_comment).where(_comment.c.pull == bindparam("pull")).order_by(_comment.c.id))
_UPDATE = "/pulls/pulls#update-a-pull-request"
_CREATE = "/pulls/pulls#create-a-pull-request"


@operations.read
def list_pulls(
    call: Call,
    repo: Repo,
    state: Literal["open", "closed", "all"] = "open",
    head: str = "",
    base: str = "",
    sort: Literal["created", "updated"] = "created",
    direction: Literal["asc", "desc"] = "desc",
    page: Page = 1,
    per_page: PerPage = 30,
) -> Json:
    """List a repository's pull requests. A closed one that was merged has merged_at."""
    repository = repository_called(call, repo)
    statement = select(_pull).where(_pull.c.repository == repository.number("id"))
    if state != "all":
        statement = statement.where(_pull.c.state == "open" if state == "open" else _pull.c.state != "open")
    if head:
        statement = statement.where(_pull.c.head == head.rpartition(":")[2])
    if base:
        statement = statement.where(_pull.c.base == base)
    key = _pull.c.updated_us if sort == "updated" else _pull.c.number
    order = (key.asc(), _pull.c.id.asc()) if direction == "asc" else (key.desc(), _pull.c.id.desc())
    query, parameters = compile_search(statement.order_by(*order))
    found = call.rows.all(query, **parameters)
    return page_of("pulls", found, page, per_page, lambda row: serializers.pull_json(call, row))


@operations.read
def search_pulls(
    call: Call,
    query: str,
    page: Page = 1,
    per_page: PerPage = 30,
) -> Json:
    """Search pull requests by the words in their title, text and comments, and by qualifiers.

    Qualifiers: repo: is: state: author: reviewed-by: review-requested: review: commenter: involves: mentions: head:
    base: status: created: updated: merged: closed: comments: in: no: sort:. Issues are not kept here.
    """
    me(call)
    found = search.search_pulls(call, query)
    return page_of("items", found, page, per_page, lambda row: serializers.pull_json(call, row), total_count=len(found))


@operations.read
def get_pull(call: Call, repo: Repo, number: Number) -> Json:
    """Get a pull request: its text, its size, whether it can be merged now."""
    repository, git = place(call, repo)
    return _whole(call, repository, git, pull_called(call, repository, number))


@operations.read
def get_pull_files(call: Call, repo: Repo, number: Number, page: Page = 1, per_page: PerPage = 30) -> Json:
    """Get the patches of a pull request, file by file."""
    repository, git = place(call, repo)
    found = _compared(git, pull_called(call, repository, number)).files
    return page_of("files", found, page, per_page, serializers.file_json)


@operations.read
def list_pull_comments(call: Call, repo: Repo, number: Number, page: Page = 1, per_page: PerPage = 30) -> Json:
    """List the comments on a pull request and its files, oldest first. Reviews: github_list_pull_reviews."""
    repository = repository_called(call, repo)
    found = call.rows.all(_COMMENTS, pull=pull_called(call, repository, number).number("id"))
    return page_of("comments", found, page, per_page, lambda row: serializers.comment_json(call, row))


@operations.read
def list_pull_reviews(call: Call, repo: Repo, number: Number, page: Page = 1, per_page: PerPage = 30) -> Json:
    """List the reviews of a pull request, oldest first."""
    repository = repository_called(call, repo)
    found = records.reviews_of(call, pull_called(call, repository, number))
    return page_of("reviews", found, page, per_page, lambda row: serializers.review_json(call, row))


@operations.write(addition=True)
def create_pull(
    call: Call,
    repo: Repo,
    title: Annotated[str, Field(min_length=1, max_length=256)],
    head: Annotated[str, Field(description="Branch with the changes.", min_length=1)],
    body: Annotated[str, Field(description="@login mentions.", max_length=65_536)] = "",
    base: Annotated[str, Field(description="Default branch if empty.")] = "",
    reviewers: Annotated[list[str], Field(description="Logins.")] = [],  # noqa: B006
) -> Json | OutsideWork:
    """Open a pull request. Its checks begin at once: github_get_checks."""
    repository, git = place(call, repo)
    author = me(call)
    branch, into = head.rpartition(":")[2], base or repository.text("default_branch")
    _check_branches(call, repository, git, branch, into)
    asked = [user_called(call, login, field="reviewers") for login in dict.fromkeys(reviewers)]
    if any(user["id"] == author["id"] for user in asked):
        raise GithubError(422, "Review cannot be requested from pull request author.", page=_CREATE)
    made = records.open_pull(
        call, repository, git, author, title=title, body=body, head=branch, base=into, reviewers=asked
    )

    def answer(later: Call) -> Json:
        there, its_git = place(later, repository.text("full_name"))
        return _whole(later, there, its_git, records.pull_again(later, made))

    return with_checks(call, repository, git, [made], made.text("head_sha"), answer)


@operations.write(cost=SECOND)
def update_pull(
    call: Call,
    repo: Repo,
    number: Number,
    title: Annotated[str | None, Field(min_length=1, max_length=256)] = None,
    body: Annotated[str | None, Field(max_length=65_536)] = None,
    base: Annotated[str | None, Field(min_length=1)] = None,
) -> Json:
    """Edit a pull request; what is not given stays."""
    repository, git = place(call, repo)
    pull, who = pull_called(call, repository, number), me(call)
    if base is not None and base != pull["base"]:
        _check_new_base(call, repository, git, pull, base)
    changed = records.change_pull(call, pull, who, git, title=title, body=body, base=base)
    return _whole(call, repository, git, changed)


@operations.write(cost=SECOND)
def close_pull(call: Call, repo: Repo, number: Number) -> Json:
    """Close a pull request without merging it. Its branch stays."""
    repository = repository_called(call, repo)
    pull = pull_called(call, repository, number)
    if pull["state"] == "merged":
        raise validation_failed("PullRequest", "state", "invalid", "Cannot close a merged pull request.")
    if pull["state"] == "open":
        pull = records.close_pull(call, pull, me(call))
    return serializers.pull_json(call, pull)


def _check_branches(call: Call, repository: Row, git: Repository, head: str, base: str) -> None:
    """Make sure that there is something to pull, and nobody has asked for it yet."""
    for field, branch in (("base", base), ("head", head)):
        if records.branch_tip(git, branch) is None:
            raise validation_failed("PullRequest", field, "invalid", page=_CREATE)
    there = [pull for pull in records.pulls_from(call, repository, head) if pull["base"] == base]
    if there:
        message = f"A pull request already exists for {repository.text('owner')}:{head}."
        raise validation_failed("PullRequest", "", "custom", message, page=_CREATE)
    if not git.compare(BRANCHES + base, BRANCHES + head, limit=0).ahead:
        message = f"No commits between {base} and {head}"
        raise validation_failed("PullRequest", "", "custom", message, page=_CREATE)


def _check_new_base(call: Call, repository: Row, git: Repository, pull: Row, base: str) -> None:
    """Make sure that an open pull brings something to another base, and that no other pull does so."""

    def refused(message: str, code: str = "invalid") -> GithubError:
        return validation_failed("PullRequest", "base", code, message, page=_UPDATE)

    head = pull.text("head")
    if pull["state"] != "open":
        raise refused("Cannot change the base branch of a closed pull request.")
    if records.branch_tip(git, base) is None:
        raise refused(f"Proposed base branch '{base}' was not found")
    if any(other["base"] == base for other in records.pulls_from(call, repository, head)):
        raise refused(f"A pull request already exists for base branch '{base}' and head branch '{head}'", "custom")
    if not git.compare(BRANCHES + base, pull.text("head_sha"), limit=0).ahead:
        raise refused(f"There are no new commits between base branch '{base}' and head branch '{head}'", "custom")


def _compared(git: Repository, pull: Row) -> Comparison:
    """What a pull would bring to its base, or brought."""
    base = BRANCHES + pull.text("base")
    is_waiting = pull["state"] == "open" and git.refs.get(base) is not None
    return git.compare(base if is_waiting else pull.text("base_sha"), pull.text("head_sha"))


def _whole(call: Call, repository: Row, git: Repository, pull: Row) -> JsonObject:
    found = _compared(git, pull)
    state = mergeability(call, repository, pull, git)
    return {
        **serializers.pull_json(call, pull),
        "merged": pull["state"] == "merged",
        "mergeable": state.is_clean,
        "mergeable_state": state.state,
        "commits": found.ahead,
        "changed_files": len(found.files),
        "additions": sum(file.additions for file in found.files),
        "deletions": sum(file.deletions for file in found.files),
    }
