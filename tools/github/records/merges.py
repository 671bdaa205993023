"""Joining a pull's branch into its base, with the messages that GitHub writes."""

from sqlalchemy import bindparam, select

from brownout.core.apps import Call
from brownout.core.rows import Row
from brownout.store import compile_query
from brownout.store.git import Commit, Repository
from brownout.store.git.merges import MergeMethod
from brownout.store.git.refs import BRANCHES
from tools.github import tables
from tools.github.records.accounts import is_protected, person_of, repository_of, signed, user_by_key
from tools.github.records.pulls import pull_again, tell
from tools.github.records.pushes import branch_tip, delete_branch, note_push, pulls_from

__all__ = ["MergeMethod", "merge_pull", "note_merge"]

_pull = tables.pull
_INTO = compile_query(
    select(_pull.c.id).where(
        _pull.c.repository == bindparam("repository"), _pull.c.base == bindparam("base"), _pull.c.state == "open"
    )
)


def merge_pull(
    call: Call,
    pull: Row,
    git: Repository,
    who: Row,
    method: MergeMethod,
    *,
    title: str = "",
    message: str = "",
    deletes_branch: bool = False,
) -> Row:
    """Merge an open pull and tell its author; returns the pull, whose `merge_sha` is the base's new tip.

    Args:
        title: first line of the commit's message; GitHub's own where empty. A rebase keeps the commits' messages.
        message: the rest of it, likewise.
        deletes_branch: the branch goes; it also goes where the repository is set up so.

    Raises:
        MergeConflict: a person is needed; nothing was written.
        NothingToMerge: the base already contains the head.
        UnknownRevision: the base branch is gone.
    """
    repository = repository_of(call, pull)
    base, before = pull.text("base"), branch_tip(git, pull.text("base"))
    written = _message(repository, pull, git, method, title, message)
    author = user_by_key(call, pull.number("author")) if method == "squash" else who
    made = git.merge(base, pull.text("head_sha"), method, written, signed(call, who), signed(call, author))
    new = git.compare(before, made.sha).commits if method == "rebase" and before else (made,)
    note_push(call, repository, git, who, base, before, made.sha, new)
    note_merge(call, pull, who, made.sha, before or "")
    if deletes_branch or repository["deletes_branches"]:
        _tidy_up(call, repository, git, who, pull.text("head"))
    done = f"merged into {base} as {made.sha[:7]}"
    tell(call, pull, who, done, others=[person_of(call, pull.number("author"))], kind="message")
    return pull_again(call, pull)


def note_merge(call: Call, pull: Row, who: Row, sha: str, before: str) -> None:
    """Say that a pull was merged, and its base moved from one commit to another."""
    call.rows.update(
        _pull,
        pull.number("id"),
        state="merged",
        merge_sha=sha,
        base_sha=before,
        merged_by=who.number("id"),
        merged_us=call.now,
        closed_us=call.now,
        updated_us=call.now,
    )


def _message(repository: Row, pull: Row, git: Repository, method: MergeMethod, title: str, message: str) -> str:
    """What GitHub puts into the commit where the person who merges does not write something else."""
    number = pull.number("number")
    if method == "merge":
        first = title or f"Merge pull request #{number} from {repository.text('owner')}/{pull.text('head')}"
        rest = message or (pull.text("title") if not title else "")
    else:
        commits = git.compare(BRANCHES + pull.text("base"), pull.text("head_sha")).commits
        only = commits[0] if len(commits) == 1 else None
        first = title or f"{only.subject if only else pull.text('title')} (#{number})"
        rest = message or (_body(only) if only else "\n\n".join(f"* {commit.message.strip()}" for commit in commits))
    return f"{first}\n\n{rest}\n" if rest else f"{first}\n"


def _body(commit: Commit) -> str:
    return commit.message.partition("\n")[2].strip()


def _tidy_up(call: Call, repository: Row, git: Repository, who: Row, branch: str) -> None:
    """Delete a merged branch, unless something still needs it."""
    is_base = call.rows.scalar(_INTO, repository=repository.number("id"), base=branch) is not None
    is_kept = branch == repository["default_branch"] or is_protected(repository, branch)
    if branch_tip(git, branch) and not (is_base or is_kept or pulls_from(call, repository, branch)):
        delete_branch(call, repository, git, who, branch)
