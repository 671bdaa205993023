"""How people's intents become pulls, commits, comments, reviews and merges.

    open     details: repo, branch, patch (a branch without it is there already), base, message, reviewers, checks, issue,
             authored, committed (the commit's two dates, now where they are missing)
    push     details: repo, patch, message, author, branch, authored, committed, checks (of the pulls from the branch)
    comment  details: path, line
    review   details: state (changes | comment)
    merge    details: pull, method (squash), title, message, delete_branch
    close    without merging
    check    details: checks (what they came to when they were run again)

Instead of `patch` there may be `lines`: by path, pairs of how a line begins and the whole line that it becomes.

A push or a merge to a branch that an open pull comes from runs its tests.

What is acted on is the pull in the details, else the intent's `thing`: a logical name, a path, or the beat that merged
it. A merge and a push bind their `thing` to the commit that they make.
"""

from typing import Final, get_args

from sqlalchemy import bindparam, exists, or_, select

from brownout.core.apps import Call, Intent, IntentHandler, IntentKind, OutsideWork
from brownout.core.instants import Instant
from brownout.core.mentions import called
from brownout.core.rows import Row
from brownout.core.values import Json
from brownout.store import compile_query
from brownout.store.git import (
    BadName,
    FileChange,
    MergeConflict,
    NothingToMerge,
    PatchError,
    Repository,
    UnknownPath,
    apply_patch,
)
from tools.github import records, tables
from tools.github.ci import recorded, with_checks
from tools.github.mergeability import mergeability
from tools.github.paths import commit_path, pull_path, split_path
from tools.github.records import CheckOutcome, MergeMethod, ReviewState
from tools.github.repositories import opened

__all__ = ["concerns", "handlers"]

_pull = tables.pull
_TITLED = compile_query(
    select(_pull).where(_pull.c.title == bindparam("title"), _pull.c.state == "open").order_by(_pull.c.id.desc())
)
_REPOSITORY: Final = compile_query(
    select(tables.repository.c.id).where(tables.repository.c.full_name == bindparam("full_name"))
)
_TAKES_PART: Final = compile_query(
    select(_pull.c.id).where(
        _pull.c.repository == bindparam("repository"),
        _pull.c.number == bindparam("number"),
        or_(
            _pull.c.author == bindparam("user"),
            *(
                exists().where(table.c.pull == _pull.c.id, table.c.user == bindparam("user"))
                for table in (tables.request, tables.review, tables.comment)
            ),
        ),
    )
)
"""A pull where an account is the author or a reviewer, or has said something."""
_METHODS: Final[tuple[MergeMethod, ...]] = get_args(MergeMethod)


def concerns(call: Call, intent: Intent, people: frozenset[str]) -> bool:
    """Whether one of these people would be told: who is asked for a review, is mentioned, or takes part in the pull."""
    reviewers = intent.details.get("reviewers")
    asked = {str(who) for who in reviewers} if isinstance(reviewers, list) else set[str]()
    if not people.isdisjoint(asked) or any(
        "@" in text and not people.isdisjoint(called(text)) for text in (intent.text, intent.subject)
    ):
        return True
    path = _text(intent, "pull") or intent.thing
    full_name, kind, item = split_path(path if path.startswith("github:") else call.bound(path) or "")
    if kind != "pull" or not item.isdigit():
        return bool(full_name)
    repository = call.rows.scalar(_REPOSITORY, full_name=full_name)
    users = [records.user_of(call, person) for person in people] if repository is not None else []
    return any(
        call.rows.scalar(_TAKES_PART, repository=repository, number=int(item), user=user.number("id")) is not None
        for user in users
        if user is not None
    )


def _open(call: Call, intent: Intent) -> str:
    """Open a pull of a branch, which the patch makes where one is given."""
    repository, author = _repository(call, intent), _user(call, intent.who)
    git = opened(call, repository)
    base = _text(intent, "base") or repository.text("default_branch")
    branch, patch = _text(intent, "branch"), bool(intent.details.get("patch") or intent.details.get("lines"))
    start = records.branch_tip(git, base)
    if start is None or not branch:
        raise LookupError(f"{intent.key}: a pull needs a branch and a base; found {branch!r} and {base!r}")
    if patch:
        tip = records.branch_tip(git, branch) or start
        changes = _changes(git, tip, intent, f"does not apply to {branch}")
        _commit(call, repository, git, intent, author, branch, changes, start=start)
    elif not git.compare(start, records.branch_tip(git, branch) or start, limit=0).ahead:
        raise LookupError(f"{intent.key}: {branch} has nothing that {base} has not")
    reviewers = intent.details.get("reviewers")
    made = records.open_pull(
        call,
        repository,
        git,
        author,
        title=intent.subject,
        body=_body(call, intent),
        head=branch,
        base=base,
        reviewers=[_user(call, str(who)) for who in reviewers] if isinstance(reviewers, list) else [],
    )
    _note_checks(call, git, made, intent.details.get("checks"))
    return pull_path(repository.text("full_name"), made.number("number"))


def _push(call: Call, intent: Intent) -> str | OutsideWork:
    """Commit a patch straight to a branch."""
    repository, user = _repository(call, intent), _user(call, intent.who)
    git = opened(call, repository)
    branch = _text(intent, "branch") or repository.text("default_branch")
    tip = records.branch_tip(git, branch)
    if tip is None:
        raise LookupError(f"{intent.key}: {repository.text('full_name')} has no branch {branch!r}")
    changes = _changes(git, tip, intent, f"no longer applies to {branch}")
    path = _commit(call, repository, git, intent, user, branch, changes)
    if intent.thing:
        call.bind(intent.thing, path)
    if (known := intent.details.get("checks")) is None:
        return _checked(call, repository, git, branch, path)
    for pull in records.pulls_from(call, repository, branch):
        _note_checks(call, git, pull, known)
    return path


def _comment(call: Call, intent: Intent) -> str:
    pull, author = _pull_meant(call, intent), _user(call, intent.who)
    line = intent.details.get("line")
    records.add_comment(
        call, pull, author, intent.text, path=_text(intent, "path"), line=line if isinstance(line, int) else None
    )
    return _path_of(call, pull)


def _review(call: Call, intent: Intent) -> str:
    wants_changes = _text(intent, "state") in ("changes", "CHANGES_REQUESTED")
    return _judge(call, intent, "CHANGES_REQUESTED" if wants_changes else "COMMENTED")


def _approve(call: Call, intent: Intent) -> str:
    return _judge(call, intent, "APPROVED")


def _judge(call: Call, intent: Intent, state: ReviewState) -> str:
    pull, reviewer = _pull_meant(call, intent), _user(call, intent.who)
    if pull["author"] == reviewer["id"] and state != "COMMENTED":
        raise LookupError(f"{intent.key}: {intent.who} cannot review their own pull {pull.number('number')}")
    records.add_review(call, pull, reviewer, state, intent.text)
    return _path_of(call, pull)


def _close(call: Call, intent: Intent) -> str:
    """Close a pull that is not wanted any more."""
    pull = _pull_meant(call, intent)
    if pull["state"] != "open":
        raise LookupError(f"{intent.key}: the pull is {pull.text('state')} already")
    records.close_pull(call, pull, _user(call, intent.who))
    return _path_of(call, pull)


def _check(call: Call, intent: Intent) -> str:
    """Run a pull's checks again."""
    pull = _pull_meant(call, intent)
    git = opened(call, records.repository_of(call, pull))
    _note_checks(call, git, pull, intent.details.get("checks"))
    return _path_of(call, pull)


def _merge(call: Call, intent: Intent) -> str | OutsideWork:
    """Merge a pull, unless something stands against it: a rule, a conflict, a reviewer who asked for changes."""
    pull, who = _pull_meant(call, intent), _user(call, intent.who)
    repository = records.repository_of(call, pull)
    git = opened(call, repository)
    place = f"{intent.key}: {repository.text('full_name')}#{pull.number('number')}"
    method = _text(intent, "method") or "squash"
    if method not in _METHODS:
        raise LookupError(f"{intent.key}: method is {method!r}; expected one of {', '.join(_METHODS)}")
    if pull["state"] != "open":
        raise LookupError(f"{place} is {pull.text('state')} already")
    if "CHANGES_REQUESTED" in records.approvals(call, pull).values():
        raise LookupError(f"{place} has a review that asks for changes")
    against = mergeability(call, repository, pull, git).reason
    if against:
        raise LookupError(f"{place} cannot be merged: {against}")
    try:
        merged = records.merge_pull(
            call,
            pull,
            git,
            who,
            method,
            title=_text(intent, "title"),
            message=_text(intent, "message"),
            deletes_branch=bool(intent.details.get("delete_branch")),
        )
    except (MergeConflict, NothingToMerge) as error:
        raise LookupError(f"{place} cannot be merged: {error}") from error
    path = commit_path(repository.text("full_name"), merged.text("merge_sha"))
    return _checked(call, repository, git, pull.text("base"), path)


# -- what intents name --------------------------------------------------------------------------------------


def _repository(call: Call, intent: Intent) -> Row:
    name = _text(intent, "repo")
    found = records.repository_named(call, name)
    if found is None:
        raise LookupError(f"{intent.key}: there is no GitHub repository {name!r}")
    return found


def _pull_meant(call: Call, intent: Intent) -> Row:
    """The pull that an intent acts on; by its title where nothing has the logical name yet."""
    name = _text(intent, "pull") or intent.thing
    path = name if name.startswith("github:") else call.bound(name) or ""
    full_name, kind, item = split_path(path)
    repository = records.repository_named(call, full_name) if full_name else None
    found = None
    if repository is not None and kind == "pull" and item.isdigit():
        found = records.pull_numbered(call, repository, int(item))
    elif kind == "commit":
        found = records.pull_merged_as(call, item)
    elif intent.subject:
        found = call.rows.one(_TITLED, title=intent.subject)
    if found is None:
        raise LookupError(f"{intent.key}: no pull stands for {name!r}")
    return found


def _user(call: Call, person: str) -> Row:
    found = records.user_of(call, person)
    if found is None:
        raise LookupError(f"{person} has no GitHub account")
    return found


def _path_of(call: Call, pull: Row) -> str:
    return pull_path(records.repository_of(call, pull).text("full_name"), pull.number("number"))


def _text(intent: Intent, name: str) -> str:
    value = intent.details.get(name)
    return "" if value is None else str(value)


def _instant(intent: Intent, name: str) -> Instant | None:
    value = intent.details.get(name)
    return value if isinstance(value, int) else None


# -- what they make -----------------------------------------------------------------------------------------


def _changes(git: Repository, tip: str, intent: Intent, trouble: str) -> dict[str, FileChange]:
    """What an intent's patch, or its lines, make of the files that a branch has."""
    lines = intent.details.get("lines")
    if isinstance(lines, dict):
        return {path: _edited(git, tip, path, pairs, intent.key) for path, pairs in lines.items()}
    try:
        return dict(apply_patch(git.archive(tip), _text(intent, "patch")))
    except PatchError as error:
        raise LookupError(f"{intent.key}: the patch {trouble}: {error}") from error


def _edited(git: Repository, tip: str, path: str, pairs: Json, key: str) -> bytes:
    """A file in which the lines that begin so are others now."""
    try:
        lines = git.read_file(tip, path).decode().split("\n")
    except UnknownPath as error:
        raise LookupError(f"{key}: {error}") from error
    for pair in pairs if isinstance(pairs, list) else ():
        beginning, new = (str(part) for part in pair) if isinstance(pair, list) else ("", "")
        place = next((number for number, line in enumerate(lines) if line.startswith(beginning)), None)
        if place is None or not beginning:
            raise LookupError(f"{key}: no line of {path} begins with {beginning!r}")
        lines[place] = new
    return "\n".join(lines).encode()


def _commit(
    call: Call,
    repository: Row,
    git: Repository,
    intent: Intent,
    user: Row,
    branch: str,
    changes: dict[str, FileChange],
    *,
    start: str | None = None,
) -> str:
    author = _user(call, _text(intent, "author")) if _text(intent, "author") else user
    message = _text(intent, "message") or intent.subject or intent.text
    try:
        made = records.commit_files(
            call,
            repository,
            git,
            user,
            branch,
            changes,
            f"{message.rstrip()}\n",
            author=author,
            start=start,
            authored=_instant(intent, "authored"),
            committed=_instant(intent, "committed"),
        )
    except (BadName, UnknownPath) as error:
        raise LookupError(f"{intent.key}: {error}") from error
    return commit_path(repository.text("full_name"), made.sha)


def _body(call: Call, intent: Intent) -> str:
    """The pull's text, with the key of the issue that it is about where there is one by then."""
    path = call.bound(_text(intent, "issue")) or "" if _text(intent, "issue") else ""
    key = path.rpartition("/")[2] if path.startswith("jira:") else ""
    return "\n\n".join(part for part in (intent.text.strip(), key) if part)


def _checked(call: Call, repository: Row, git: Repository, branch: str, path: str) -> str | OutsideWork:
    """The path of a branch's new commit, after the tests have run for the open pulls that come from the branch."""
    pulls = records.pulls_from(call, repository, branch)
    found = with_checks(call, repository, git, pulls, path.rpartition("/")[2], lambda later: path)
    return found if isinstance(found, OutsideWork) else path


def _note_checks(call: Call, git: Repository, pull: Row, checks: Json) -> None:
    """What the pull's tests came to when its history was written, if its files still are what was tested."""
    if not isinstance(checks, dict):
        return
    head = git.commit_at(pull.text("head_sha"))
    outcome = CheckOutcome("neutral", "Checks did not run.")
    if checks.get("tree") in (None, head.tree):
        outcome = recorded(int(str(checks.get("passed", 0))), int(str(checks.get("failed", 0))))
    records.add_check(call, pull, head.sha, outcome, is_recorded=True)


handlers: dict[IntentKind, IntentHandler] = {
    "open": _open,
    "push": _push,
    "comment": _comment,
    "review": _review,
    "approve": _approve,
    "merge": _merge,
    "close": _close,
    "check": _check,
}
