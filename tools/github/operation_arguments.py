"""What operations have in common: their arguments, and finding what these name or saying that it is not there."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Annotated, Final, TypeVar

from pydantic import Field

from brownout.core.apps import Call
from brownout.core.instants import Instant, from_datetime, zone
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject
from brownout.store.git import BadName, Commit, MissingObject, Repository, TooLarge, UnknownPath, UnknownRevision
from tools.github import records
from tools.github.errors import GithubError, invalid_arguments, not_found, validation_failed
from tools.github.repositories import opened

__all__ = [
    "Number",
    "Page",
    "Path",
    "PerPage",
    "Ref",
    "Repo",
    "commit_called",
    "me",
    "moment",
    "naming_errors",
    "page_of",
    "place",
    "pull_called",
    "repository_called",
    "user_called",
]

T = TypeVar("T")

Repo = Annotated[str, Field(min_length=1)]
Ref = Annotated[str, Field(description="Branch, tag or commit.")]
Path = Annotated[str, Field(min_length=1)]
Number = Annotated[int, Field(ge=1)]
Page = Annotated[int, Field(ge=1)]
PerPage = Annotated[int, Field(ge=1, le=100)]

MOST: Final = 10_000


def me(call: Call) -> Row:
    """The account of whoever asks.

    Raises:
        GithubError: they have none.
    """
    found = records.user_of(call, call.actor.person)
    if found is None:
        raise GithubError(401, "Bad credentials")
    return found


def place(call: Call, repo: str) -> tuple[Row, Repository]:
    """A repository and its git.

    Raises:
        GithubError: there is none of that name.
    """
    found = repository_called(call, repo)
    return found, opened(call, found)


def repository_called(call: Call, repo: str) -> Row:
    """The repository of that name.

    Raises:
        GithubError: there is none.
    """
    me(call)
    found = records.repository_named(call, repo)
    if found is None:
        raise not_found(page="/repos/repos#get-a-repository")
    return found


def pull_called(call: Call, repository: Row, number: int) -> Row:
    """The pull request of that number.

    Raises:
        GithubError: there is none.
    """
    found = records.pull_numbered(call, repository, number)
    if found is None:
        raise not_found(page="/pulls/pulls#get-a-pull-request")
    return found


def user_called(call: Call, login: str, *, field: str) -> Row:
    """The account of that login.

    Raises:
        GithubError: there is none.
    """
    found = records.user_named(call, login)
    if found is None:
        raise validation_failed("PullRequest", field, "invalid", f"Could not resolve to a user: {login}")
    return found


def commit_called(repository: Row, git: Repository, ref: str) -> Commit:
    """The commit that a ref leads to, the default branch's if it is empty.

    Raises:
        GithubError: it leads to none.
    """
    try:
        return git.commit_at(ref.strip() or repository.text("default_branch"))
    except (UnknownRevision, UnknownPath, MissingObject):
        raise not_found(f"No commit found for the ref {ref.strip()}", page="/commits/commits") from None


@contextmanager
def naming_errors(page: str) -> Iterator[None]:
    """What git has against a path or a name, in GitHub's words."""
    try:
        yield
    except UnknownPath:
        raise not_found(page=page) from None
    except (BadName, TooLarge) as error:
        raise GithubError(422, f"{error}", page=page) from None


def moment(text: str, name: str, default: Instant) -> Instant:
    """An instant of ISO 8601; one without offset is UTC.

    Raises:
        GithubError: the text is none.
    """
    if not text:
        return default
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise invalid_arguments(f"{name}: expected a time such as 2026-03-19T14:22:00Z, found {text!r}") from None
    return from_datetime(found if found.tzinfo else found.replace(tzinfo=zone("UTC")))


def page_of(
    name: str, found: Sequence[T], page: int, per_page: int, shape: Callable[[T], Json], **more: Json
) -> JsonObject:
    """One page of everything that was found, and the number of the next one where there is one."""
    first = (page - 1) * per_page
    shown = [shape(item) for item in found[first : first + per_page]]
    return {**more, name: shown, "next_page": page + 1 if len(found) > first + per_page else None}
