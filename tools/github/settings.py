"""The world's `apps: github:` section, and setting up the repositories that it and the package hold.

An author declares a `DeclaredRepository`; what `RepositorySettings` has beyond it the builder adds when it has
written the history before the calendar (`generators.repositories`).
"""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, ValidationError

from brownout.core.apps import Call, Intent, Systems
from brownout.core.calls import Account, NoticeKind
from brownout.core.errors import AuthoringError, Mistake
from brownout.core.faults import Fault
from brownout.core.instants import Duration, Instant
from brownout.core.rows import Row, Rows
from brownout.core.seeds import Stream
from brownout.core.strict_model import StrictModel
from brownout.core.values import JsonObject
from brownout.store.git import Repository, seed_refs
from brownout.store.git.refs import BRANCHES
from tools.github import records
from tools.github.ci import recorded
from tools.github.paths import commit_path, pull_path
from tools.github.records import ReviewState
from tools.github.repositories import opened
from worlds.spec.field_types import Whole

__all__ = ["DeclaredRepositories", "GithubSettings", "PastPull", "RepositorySettings", "open_account", "prepare"]

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")]


class PastRemark(StrictModel):
    """A comment or a review from before the calendar; `state` is a review's."""

    who: str
    at: Instant
    text: str = ""
    path: str = ""
    state: ReviewState | None = None


class PastMerge(StrictModel):
    """How a pull from before the calendar was merged: the commit it became, and the base's tip before."""

    who: str
    at: Instant
    sha: str
    before: str


class PastChecks(StrictModel):
    """What the tests of a pull's head really came to, when its history was written."""

    passed: Whole
    failed: Whole


class PastPull(StrictModel):
    """A pull that was opened before the calendar; its branch and commits are in the package."""

    thing: str
    who: str
    at: Instant
    title: str
    body: str = ""
    head: str
    base: str
    head_sha: str
    base_sha: str
    reviewers: list[str] = Field(default=[])
    remarks: list[PastRemark] = Field(default=[])
    checks: PastChecks | None = None
    merged: PastMerge | None = None


class DeclaredRepository(StrictModel):
    """A repository as the author declares it."""

    owner: Name | None = Field(default=None, description="Whom it belongs to; the company's name without it.")
    description: str = Field(default="", description="One line; what its service says without it.")
    default_branch: str = Field(default="main", description="The branch that a series is of.")
    protected: list[str] = Field(
        default=[],
        description="Branches, `*` allowed, that operations change by pull requests only; people of the world are admins.",
    )
    checks: Literal["pytest", "none"] = Field(default="pytest", description="What runs on an open pull.")
    require_checks: bool = Field(default=False, description="A pull is merged only when its checks passed.")
    require_approvals: Whole = Field(default=0, description="How many approvals a pull needs.")
    delete_branch_on_merge: bool = Field(default=False, description="Its branch goes when a pull is merged.")
    services: list[str] = Field(
        default=[],
        description="What is built whenever something is pushed to the default branch; those that name it in systems.yaml without it.",
    )
    deploys: Literal["at once", "by hand"] = Field(
        default="at once",
        description="Whether what was built runs a few minutes later, or when somebody deploys it.",
    )


class DeclaredRepositories(StrictModel):
    """The world's `apps: github:` section: repositories by name, each with a series in `repos/<name>/`."""

    repositories: dict[Name, DeclaredRepository] = Field(
        default={}, description="Repositories by name, each with a series in `repos/<name>/`."
    )


class RepositorySettings(DeclaredRepository):
    """A repository with its history, as the builder found it."""

    owner: Name
    zone: str = "UTC"
    created: Instant | None = None
    refs: dict[str, str] = Field(default={})
    names: dict[str, str] = Field(default={})
    """Commits by the names that an author's storylines have for them."""
    pulls: list[PastPull] = Field(default=[])


class GithubSettings(StrictModel):
    """Repositories by name; their objects are in `repos/<name>.git` of the package."""

    repositories: dict[Name, RepositorySettings] = Field(default={})
    bots: list[str] = Field(default=[])
    """Systems that act here: they have accounts."""


def open_account(call: Call, account: Account) -> None:
    """An account for everybody but outsiders and systems."""
    if account.kind not in ("outsider", "system"):
        records.add_user(call, account)


def prepare(call: Call, settings: JsonObject) -> None:
    """Set up the repositories as they are when the calendar begins, with the pulls that they have had.

    Raises:
        AuthoringError: the author's section has words or values that mean nothing.
    """
    known = _read(settings)
    for bot in known.bots:
        records.add_user(call, call.account(bot))
    for name, declared in known.repositories.items():
        row = records.add_repository(
            _Then(call, declared.created) if declared.created is not None else call,
            owner=declared.owner,
            name=name,
            folder=f"repos/{name}.git",
            description=declared.description,
            default_branch=declared.default_branch,
            protected=declared.protected,
            runs_checks=declared.checks == "pytest",
            requires_checks=declared.require_checks,
            requires_approvals=declared.require_approvals,
            deletes_branches=declared.delete_branch_on_merge,
            services=declared.services,
            deploys=declared.deploys == "at once",
            zone=declared.zone,
        )
        full_name = row.text("full_name")
        seed_refs(call.rows, full_name, declared.refs)
        head = declared.refs.get(BRANCHES + declared.default_branch)
        if head is not None:
            call.bind(f"head/{name}", commit_path(full_name, head))
        for thing, sha in declared.names.items():
            call.bind(thing, commit_path(full_name, sha))
        for past in declared.pulls:
            _remember(call, row, opened(call, row), past)


def _read(settings: JsonObject) -> GithubSettings:
    try:
        return GithubSettings.model_validate(settings)
    except ValidationError as error:
        mistakes = [
            Mistake("world.yaml", 0, f"apps.github.{'.'.join(map(str, detail['loc']))}: {detail['msg']}")
            for detail in error.errors()
        ]
        raise AuthoringError(mistakes) from None


def _remember(call: Call, repository: Row, git: Repository, past: PastPull) -> None:
    """Enter a pull from before the calendar, step by step at the times of its steps."""
    then = _Then(call, past.at)
    author = _user(call, past.who)
    pull = records.enter_pull(
        then,
        repository,
        author,
        title=past.title,
        body=past.body,
        head=past.head,
        base=past.base,
        head_sha=past.head_sha,
        base_sha=past.base_sha,
        files=records.changed_paths(git, past.base_sha, past.head_sha),
    )
    call.bind(past.thing, pull_path(repository.text("full_name"), pull.number("number")))
    records.ask_for_review(then, pull, author, [_user(call, who) for who in past.reviewers])
    if past.checks is not None:
        records.add_check(then, pull, past.head_sha, recorded(past.checks.passed, past.checks.failed), is_recorded=True)
    for remark in past.remarks:
        then, who = _Then(call, remark.at), _user(call, remark.who)
        if remark.state is None:
            records.add_comment(then, pull, who, remark.text, path=remark.path)
        else:
            records.add_review(then, pull, who, remark.state, remark.text)
    if past.merged is not None:
        merged = past.merged
        records.note_merge(_Then(call, merged.at), pull, _user(call, merged.who), merged.sha, merged.before)


def _user(call: Call, person: str) -> Row:
    found = records.user_of(call, person)
    if found is None:
        raise LookupError(f"{person} has no GitHub account")
    return found


class _Then:
    """A call at an earlier moment, of which nobody is told any more."""

    __slots__ = ("_call", "now")

    def __init__(self, call: Call, now: Instant) -> None:
        self._call = call
        self.now = now

    @property
    def rows(self) -> Rows:
        return self._call.rows

    @property
    def actor(self) -> Account:
        return self._call.actor

    @property
    def systems(self) -> Systems:
        return self._call.systems

    def account(self, person: str) -> Account:
        return self._call.account(person)

    def stream(self, *path: str | int) -> Stream:
        return self._call.stream(*path)

    def reach(self, person: str, kind: NoticeKind, path: str, text: str) -> None:
        """Nobody is told."""

    def follow(self, intent: Intent, after: Duration) -> None:
        """What followed has happened."""

    def outage(self, app: str, operation: str, *, writes: bool, key: str) -> Fault | None:
        return self._call.outage(app, operation, writes=writes, key=key)

    def take(self, time: Duration) -> None:
        """Its time has passed."""

    def file(self, name: str) -> Path:
        return self._call.file(name)

    def bind(self, name: str, path: str) -> None:
        self._call.bind(name, path)

    def bound(self, name: str) -> str | None:
        return self._call.bound(name)
