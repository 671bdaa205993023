"""Making branches and commits, after the REST API's git/refs and contents.

A push to a branch that an open pull comes from runs its tests.
"""

from base64 import b64decode
from binascii import Error
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from brownout.core.apps import Call, OutsideWork
from brownout.core.instants import SECOND
from brownout.core.operations import Operations
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject
from brownout.store.git import BadName, Commit, FileChange, RefMoved, Repository, UnknownPath
from brownout.store.git.refs import BRANCHES
from tools.github import records, serializers
from tools.github.ci import with_checks
from tools.github.errors import GithubError, conflict, invalid_arguments, not_found
from tools.github.operation_arguments import Path, Ref, Repo, commit_called, me, naming_errors, place

__all__ = ["operations"]

operations = Operations("github")

Branch = str
Message = Annotated[str, Field(min_length=1, max_length=20_000)]

_CONTENTS = "/repos/contents#create-or-update-file-contents"
_REFS = "/git/refs"


class PushedFile(BaseModel):
    """One file of a commit."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    path: str = Field(
        min_length=1,
    )
    content: str | None = Field(description="The whole new text; null deletes the file.")


@operations.write(cost=SECOND)
def create_branch(
    call: Call,
    repo: Repo,
    branch: Annotated[str, Field(min_length=1, max_length=200)],
    from_ref: Ref = "",
) -> Json:
    """Create a branch that begins at another branch, a tag or a commit."""
    repository, git = place(call, repo)
    start = commit_called(repository, git, from_ref)
    branch = branch.removeprefix(BRANCHES)
    try:
        records.start_branch(call, repository, git, me(call), branch, start.sha)
    except RefMoved:
        raise GithubError(422, "Reference already exists", page=f"{_REFS}#create-a-reference") from None
    except BadName:
        message = f"refs/heads/{branch} is not a valid ref name."
        raise GithubError(422, message, page=f"{_REFS}#create-a-reference") from None
    return {"ref": BRANCHES + branch, "object": {"type": "commit", "sha": start.sha}}


@operations.write(cost=SECOND)
def delete_branch(call: Call, repo: Repo, branch: Annotated[str, Field(min_length=1)]) -> Json:
    """Delete a branch. Open pull requests that come from it are closed."""
    repository, git = place(call, repo)
    page = f"{_REFS}#delete-a-reference"
    branch = branch.removeprefix(BRANCHES)
    if records.branch_tip(git, branch) is None:
        raise GithubError(422, "Reference does not exist", page=page)
    if branch == repository["default_branch"]:
        raise GithubError(422, "Cannot delete the default branch", page=page)
    if records.is_protected(repository, branch):
        raise GithubError(422, "Cannot delete protected branch", page=page)
    records.delete_branch(call, repository, git, me(call), branch)
    for pull in records.pulls_from(call, repository, branch):
        records.close_pull(call, pull, me(call))
    return {"ref": BRANCHES + branch, "deleted": True}


@operations.write(cost=SECOND)
def put_file(
    call: Call,
    repo: Repo,
    path: Path,
    content: Annotated[str, Field(description="The whole new content.")],
    message: Message,
    branch: Branch = "",
    sha: Annotated[str, Field(description="Of the file that is replaced.")] = "",
    encoding: Literal["utf-8", "base64"] = "utf-8",
) -> Json | OutsideWork:
    """Create or update a file with a commit on a branch. Several files: github_push_files."""
    repository, git, name = _writable(call, repo, branch, "create" if not sha else "update")
    clean = path.strip("/")
    _check_sha(git, name, clean, sha)
    with naming_errors(_CONTENTS):
        made = records.commit_files(
            call, repository, git, me(call), name, {clean: _decoded(content, encoding)}, f"{message.rstrip()}\n"
        )
    entry = git.entry(made.sha, clean)
    shown: JsonObject = {"name": clean.rpartition("/")[2], "path": clean, "sha": entry.sha}
    return _pushed(call, repository, git, name, made, {"content": shown})


@operations.write(cost=SECOND)
def push_files(
    call: Call,
    repo: Repo,
    branch: Branch,
    message: Message,
    files: Annotated[list[PushedFile], Field(min_length=1)],
    expected_head: Annotated[str, Field(description="Commit that the branch must stand on.")] = "",
) -> Json | OutsideWork:
    """Change several files with one commit on a branch."""
    repository, git, name = _writable(call, repo, branch, "update")
    tip = records.branch_tip(git, name)
    if expected_head and tip != expected_head:
        raise conflict(f"{name} is at {tip} but expected {expected_head}", page=_CONTENTS)
    changes: dict[str, FileChange] = {}
    for file in files:
        changes[file.path.strip("/")] = None if file.content is None else file.content.encode()
    _check_deletions(git, name, changes)
    with naming_errors(_CONTENTS):
        made = records.commit_files(call, repository, git, me(call), name, changes, f"{message.rstrip()}\n")
    return _pushed(call, repository, git, name, made, {})


def _writable(call: Call, repo: str, branch: str, doing: str) -> tuple[Row, Repository, str]:
    """A repository and the branch of it that may be pushed to."""
    repository, git = place(call, repo)
    name = branch.strip().removeprefix(BRANCHES) or repository.text("default_branch")
    if records.branch_tip(git, name) is None:
        raise not_found(f"Branch {name} not found", page=_CONTENTS)
    if records.is_protected(repository, name):
        message = f"Could not {doing} file: Changes must be made through a pull request."
        raise conflict(message, page="/articles/about-protected-branches")
    return repository, git, name


def _check_sha(git: Repository, branch: str, path: str, sha: str) -> None:
    """Make sure that the caller knows what they replace."""
    try:
        found = git.entry(BRANCHES + branch, path).sha
    except UnknownPath:
        found = ""
    if sha and sha != found:
        raise conflict(f"{path} does not match {sha}", page=_CONTENTS)
    if found and not sha:
        raise GithubError(422, 'Invalid request.\n\n"sha" wasn\'t supplied.', page=_CONTENTS)


def _check_deletions(git: Repository, branch: str, changes: Mapping[str, FileChange]) -> None:
    known = git.files(BRANCHES + branch)
    for path, change in changes.items():
        if change is None and path not in known:
            raise not_found(f"{path} does not exist on {branch}", page=_CONTENTS)


def _decoded(content: str, encoding: str) -> bytes:
    if encoding == "utf-8":
        return content.encode()
    try:
        return b64decode(content, validate=False)
    except Error:
        raise invalid_arguments("content is not valid Base64") from None


def _pushed(
    call: Call, repository: Row, git: Repository, branch: str, made: Commit, shown: JsonObject
) -> Json | OutsideWork:
    answer: JsonObject = {**shown, "branch": branch, "commit": serializers.short_commit_json(call, made)}
    pulls = records.pulls_from(call, repository, branch)
    return with_checks(call, repository, git, pulls, made.sha, lambda later: answer)
