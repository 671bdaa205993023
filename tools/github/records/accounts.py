"""Accounts and repositories."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

import orjson
from sqlalchemy import bindparam, select

from brownout.core.apps import Call
from brownout.core.calls import Account
from brownout.core.instants import Instant, local
from brownout.core.rows import Row
from brownout.store import compile_query
from brownout.store.git import Signature
from tools.github import tables

__all__ = [
    "add_repository",
    "add_user",
    "is_protected",
    "person_of",
    "repositories",
    "repository_named",
    "repository_of",
    "signed",
    "user_by_key",
    "user_named",
    "user_of",
]

_user, _repository = tables.user, tables.repository
_USER_OF = compile_query(select(_user).where(_user.c.person == bindparam("person")))
_USER_NAMED = compile_query(select(_user).where(_user.c.login == bindparam("login")))
_REPOSITORIES = compile_query(select(_repository).order_by(_repository.c.full_name))
_NAMED = compile_query(
    select(_repository)
    .where((_repository.c.full_name == bindparam("name")) | (_repository.c.name == bindparam("name")))
    .order_by(_repository.c.full_name != bindparam("name"), _repository.c.id)
)


def add_user(call: Call, account: Account) -> int:
    """Make somebody's account; the login is the short name."""
    return call.rows.insert(_user, login=account.person, person=account.person, name=account.name, email=account.email)


def user_of(call: Call, person: str) -> Row | None:
    """The account of somebody in the world, None for those who have none."""
    return call.rows.one(_USER_OF, person=person)


def user_named(call: Call, login: str) -> Row | None:
    return call.rows.one(_USER_NAMED, login=login.strip().removeprefix("@"))


def user_by_key(call: Call, key: int) -> Row:
    """The account with that key, which is known to be there."""
    found = call.rows.get(_user, key)
    assert found is not None, key
    return found


def person_of(call: Call, key: int) -> str:
    """Who has the account with that key."""
    return user_by_key(call, key).text("person")


def signed(call: Call, user: Row, at: Instant | None = None) -> Signature:
    """A user as the author or committer of a commit made then (or now), in their own time zone."""
    at = call.now if at is None else at
    offset = local(at, call.account(user.text("person")).zone).utcoffset()
    minutes = round(offset.total_seconds() / 60) if offset else 0
    return Signature(user.text("name"), user.text("email"), at // 1_000_000, minutes)


def add_repository(
    call: Call,
    *,
    owner: str,
    name: str,
    folder: str,
    description: str,
    default_branch: str,
    protected: Sequence[str],
    runs_checks: bool,
    requires_checks: bool,
    requires_approvals: int,
    deletes_branches: bool,
    services: Sequence[str],
    deploys: bool,
    zone: str,
) -> Row:
    """Make a repository; its refs are seeded by whoever wrote its objects.

    Args:
        services: what is built from the default branch whenever something is pushed there.
        deploys: it runs at once; else somebody deploys it.
        zone: whose days their versions are counted in.
    """
    key = call.rows.insert(
        _repository,
        name=name,
        owner=owner,
        full_name=f"{owner}/{name}",
        folder=folder,
        description=description,
        default_branch=default_branch,
        protected=orjson.dumps(list(protected)).decode(),
        runs_checks=int(runs_checks),
        requires_checks=int(requires_checks),
        requires_approvals=requires_approvals,
        deletes_branches=int(deletes_branches),
        services=orjson.dumps(list(services)).decode(),
        deploys=int(deploys),
        zone=zone,
        created_us=call.now,
    )
    found = call.rows.get(_repository, key)
    assert found is not None
    return found


def repositories(call: Call) -> list[Row]:
    """Every repository, by full name."""
    return call.rows.all(_REPOSITORIES)


def repository_named(call: Call, name: str) -> Row | None:
    """The repository with that full name (`owner/name`), or with that name where no owner is given."""
    return call.rows.one(_NAMED, name=name.strip())


def repository_of(call: Call, owned: Row) -> Row:
    """The repository that a pull or a push belongs to."""
    found = call.rows.get(_repository, owned.number("repository"))
    assert found is not None
    return found


def is_protected(repository: Row, branch: str) -> bool:
    """Nothing may be pushed to the branch directly, and it cannot be deleted."""
    return any(fnmatchcase(branch, str(pattern)) for pattern in orjson.loads(repository.text("protected")))
