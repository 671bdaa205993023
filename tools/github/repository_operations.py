"""Looking at repositories, files and branches, after the REST API's repos, contents, branches and search/code."""

from typing import Annotated

from pydantic import Field

from brownout.core.apps import Call
from brownout.core.operations import Operations
from brownout.core.values import Json
from brownout.store.git import UnknownPath
from tools.github import code_search, records, serializers
from tools.github.operation_arguments import (
    Page,
    Path,
    PerPage,
    Ref,
    Repo,
    commit_called,
    me,
    naming_errors,
    page_of,
    place,
)

__all__ = ["operations"]

operations = Operations("github")

_CONTENTS = "/repos/contents#get-repository-content"


@operations.read
def list_repositories(call: Call, page: Page = 1, per_page: PerPage = 30) -> Json:
    """List the repositories you can see, with their default branches."""
    me(call)
    found = records.repositories(call)
    return page_of("repositories", found, page, per_page, lambda row: serializers.repository_json(call, row))


@operations.read
def get_file(call: Call, repo: Repo, path: Path, ref: Ref = "") -> Json:
    """Get a file's content and its sha (for github_put_file), or the entries of a folder."""
    repository, git = place(call, repo)
    commit = commit_called(repository, git, ref)
    clean = path.strip("/")
    with naming_errors(_CONTENTS):
        entry = git.entry(commit.sha, clean)
        if entry.kind == "blob":
            return serializers.content_json(clean, entry.sha, git.read_file(commit.sha, clean))
        return {"entries": [serializers.entry_json(clean, *item) for item in git.list_tree(commit.sha, clean).items()]}


@operations.read
def list_directory(
    call: Call,
    repo: Repo,
    path: str = "",
    ref: Ref = "",
    recursive: Annotated[bool, Field(description="Every file below it.")] = False,
) -> Json:
    """List the entries of a folder."""
    repository, git = place(call, repo)
    commit = commit_called(repository, git, ref)
    clean = path.strip("/")
    with naming_errors(_CONTENTS):
        if not recursive:
            return {
                "entries": [serializers.entry_json(clean, *item) for item in git.list_tree(commit.sha, clean).items()]
            }
        below = f"{clean}/" if clean else ""
        found = {name: entry for name, entry in git.files(commit.sha).items() if name.startswith(below)}
        if not found:
            raise UnknownPath(clean)
    return {"entries": [serializers.entry_json(*_apart(name), entry) for name, entry in found.items()]}


@operations.read
def list_branches(call: Call, repo: Repo, page: Page = 1, per_page: PerPage = 30) -> Json:
    """List the branches of a repository."""
    repository, git = place(call, repo)
    found = list(git.refs.branches().items())
    return page_of(
        "branches",
        found,
        page,
        per_page,
        lambda item: {
            "name": item[0],
            "commit": {"sha": item[1]},
            "protected": records.is_protected(repository, item[0]),
        },
    )


@operations.read
def get_blame(call: Call, repo: Repo, path: Path, ref: Ref = "") -> Json:
    """Show which commit last changed each stretch of a file's lines."""
    repository, git = place(call, repo)
    commit = commit_called(repository, git, ref)
    with naming_errors(_CONTENTS):
        spans = git.blame(commit.sha, path.strip("/"))
    return {
        "path": path.strip("/"),
        "ranges": [
            {
                "startingLine": span.start,
                "endingLine": span.end,
                "commit": {
                    "sha": span.commit.sha,
                    "message": span.commit.subject,
                    "author": span.commit.author.name,
                    "date": serializers.commit_date(span.commit),
                },
            }
            for span in spans
        ],
    }


@operations.read
def search_code(
    call: Call,
    query: str,
    page: Page = 1,
    per_page: PerPage = 30,
) -> Json:
    """Search the files on the default branches. Qualifiers: repo:, path:, filename:, extension:, language:, in:."""
    me(call)
    found = code_search.search(call, query)
    return page_of("items", found, page, per_page, code_search.hit_json, total_count=len(found))


def _apart(path: str) -> tuple[str, str]:
    """Folder and name."""
    folder, _, name = path.rpartition("/")
    return folder, name
