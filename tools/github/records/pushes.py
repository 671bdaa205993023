"""Branches and what is pushed to them; open pulls follow the branch that they come from."""

from collections.abc import Mapping, Sequence

import orjson
from sqlalchemy import bindparam, func, select

from brownout.core.apps import Call, Intent
from brownout.core.instants import MINUTE, Instant, from_datetime, local
from brownout.core.rows import Row
from brownout.store import compile_query
from brownout.store.git import Commit, FileChange, Repository
from brownout.store.git.refs import BRANCHES
from tools.github import tables
from tools.github.paths import commit_path
from tools.github.records.accounts import signed

__all__ = ["branch_tip", "changed_paths", "commit_files", "delete_branch", "note_push", "pulls_from", "start_branch"]

_pull, _push = tables.pull, tables.push
_FROM = compile_query(
    select(_pull)
    .where(_pull.c.repository == bindparam("repository"), _pull.c.head == bindparam("head"), _pull.c.state == "open")
    .order_by(_pull.c.number)
)

_SINCE = compile_query(
    select(func.count())
    .select_from(_push)
    .where(
        _push.c.repository == bindparam("repository"),
        _push.c.ref == bindparam("ref"),
        _push.c.at_us >= bindparam("since"),
    )
)


def branch_tip(git: Repository, branch: str) -> str | None:
    """The id of the commit that a branch stands on, None where there is no such branch."""
    return git.refs.get(BRANCHES + branch)


def commit_files(
    call: Call,
    repository: Row,
    git: Repository,
    user: Row,
    branch: str,
    changes: Mapping[str, FileChange],
    message: str,
    *,
    author: Row | None = None,
    start: str | None = None,
    authored: Instant | None = None,
    committed: Instant | None = None,
) -> Commit:
    """A commit that changes these files, made by somebody and pushed to a branch.

    Args:
        author: who wrote it, the user unless given.
        start: the commit that a new branch begins at.
        authored, committed: when it was written, and last amended or rebased; now where that is not said.

    Raises:
        BadName, UnknownPath: a change cannot be made.
    """
    before = branch_tip(git, branch)
    parent = before or start
    tree = git.write_tree(changes, git.commit_at(parent).tree if parent else None)
    by, committer = signed(call, author or user, authored), signed(call, user, committed)
    made = git.commit(tree, (parent,) if parent else (), by, committer, message)
    git.set_ref(BRANCHES + branch, made.sha, before)
    note_push(call, repository, git, user, branch, before, made.sha, [made])
    return made


def start_branch(call: Call, repository: Row, git: Repository, user: Row, branch: str, sha: str) -> None:
    """Make a branch that stands on a commit.

    Raises:
        RefMoved: there is one of that name.
        BadName: git would not take the name.
    """
    git.set_ref(BRANCHES + branch, sha, None)
    _note(call, repository, user, branch, "", sha, ())


def delete_branch(call: Call, repository: Row, git: Repository, user: Row, branch: str) -> None:
    """Remove a branch.

    Raises:
        RefMoved: there is none.
    """
    tip = branch_tip(git, branch) or ""
    git.delete_ref(BRANCHES + branch, tip)
    _note(call, repository, user, branch, tip, "", ())


def note_push(
    call: Call,
    repository: Row,
    git: Repository,
    user: Row,
    branch: str,
    before: str | None,
    after: str,
    commits: Sequence[Commit],
) -> None:
    """What follows from a branch having moved.

    Args:
        before: where it stood, None where it is new.
        commits: those that are new to the repository, oldest first.
    """
    _note(call, repository, user, branch, before or "", after, commits)
    if branch == repository["default_branch"]:
        _deploy(call, repository, user, after, commits)
        call.bind(f"head/{repository.text('name')}", commit_path(repository.text("full_name"), after))
    for pull in pulls_from(call, repository, branch):
        _follow(call, git, pull, after)


def pulls_from(call: Call, repository: Row, branch: str) -> list[Row]:
    """The open pulls that come from a branch."""
    return call.rows.all(_FROM, repository=repository.number("id"), head=branch)


def changed_paths(git: Repository, base: str, head: str) -> str:
    """The files that a pull changes, as its row lists them."""
    return orjson.dumps([file.path for file in git.compare(base, head, limit=0).files]).decode()


def _follow(call: Call, git: Repository, pull: Row, head: str) -> None:
    git.set_ref(f"refs/pull/{pull.number('number')}/head", head, pull.text("head_sha"))
    base = branch_tip(git, pull.text("base")) or pull.text("base_sha")
    files = changed_paths(git, base, head)
    call.rows.update(_pull, pull.number("id"), head_sha=head, files=files, updated_us=call.now)


def _deploy(call: Call, repository: Row, user: Row, sha: str, commits: Sequence[Commit]) -> None:
    """Let the services that live in the repository be built, and deployed where that is so, in a few minutes."""
    name = repository.text("full_name")
    day = local(call.now, repository.text("zone"))
    midnight = from_datetime(day.replace(hour=0, minute=0, second=0, microsecond=0))
    ref = BRANCHES + repository.text("default_branch")
    number = call.rows.scalar(_SINCE, repository=repository.number("id"), ref=ref, since=midnight)
    assert isinstance(number, int)
    version = f"{day.year}.{day.month}.{day.day}-{number}"
    after = call.stream("github", "deploy", name, sha).between(4 * MINUTE, 11 * MINUTE)
    for service in orjson.loads(repository.text("services")):
        intent = Intent(
            kind="deploy",
            key=f"deploy/{name}/{sha}/{service}",
            who=user.text("person"),
            via="ops",
            thing=str(service),
            text=commits[-1].subject if commits else "",
            details={
                "service": service,
                "version": version,
                "commit": sha,
                "repo": name,
                "runs": bool(repository["deploys"]),
            },
        )
        call.follow(intent, after)


def _note(
    call: Call, repository: Row, user: Row, branch: str, before: str, after: str, commits: Sequence[Commit]
) -> None:
    call.rows.insert(
        _push,
        repository=repository.number("id"),
        ref=BRANCHES + branch,
        before=before,
        after=after,
        user=user.number("id"),
        commits=orjson.dumps([commit.sha for commit in commits]).decode(),
        text="\n\n".join(commit.message.strip() for commit in commits),
        at_us=call.now,
    )
