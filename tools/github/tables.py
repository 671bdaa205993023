"""GitHub's tables, and git's: refs and new objects are rows of the session like everything else."""

from sqlalchemy import Column, Index, Integer, MetaData, Table, Text, UniqueConstraint

from brownout.store.git import git_ref as _git_ref
from brownout.store.git import metadata as _git

__all__ = ["check", "comment", "git_ref", "metadata", "pull", "push", "repository", "request", "review", "user"]

metadata = MetaData()

for _table in _git.tables.values():
    _table.to_metadata(metadata)

git_ref = _git_ref

user = Table(
    "github_user",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("login", Text, nullable=False, unique=True),
    Column("person", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("email", Text, nullable=False),
    info={"steady": True},
)

repository = Table(
    "github_repository",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("owner", Text, nullable=False),
    Column("full_name", Text, nullable=False, unique=True),
    Column("folder", Text, nullable=False, comment="of its objects, in the package"),
    Column("description", Text, nullable=False, server_default=""),
    Column("default_branch", Text, nullable=False, server_default="main"),
    Column("protected", Text, nullable=False, server_default="[]", comment="JSON list of branch patterns"),
    Column("runs_checks", Integer, nullable=False, server_default="1", comment="its tests are run for pulls"),
    Column("requires_checks", Integer, nullable=False, server_default="0"),
    Column("requires_approvals", Integer, nullable=False, server_default="0", comment="how many"),
    Column("deletes_branches", Integer, nullable=False, server_default="0", comment="of pulls, when merged"),
    Column(
        "services", Text, nullable=False, server_default="[]", comment="JSON list: deployed from the default branch"
    ),
    Column("deploys", Integer, nullable=False, server_default="1", comment="what is built runs at once"),
    Column("zone", Text, nullable=False, server_default="UTC", comment="whose days versions are counted in"),
    Column("created_us", Integer, nullable=False),
    info={"steady": True},
)

push = Table(
    "github_push",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("repository", Integer, nullable=False),
    Column("ref", Text, nullable=False, comment="in full: refs/heads/main"),
    Column("before", Text, nullable=False, server_default="", comment="empty for a new branch"),
    Column("after", Text, nullable=False, server_default="", comment="empty for a branch that is gone"),
    Column("user", Integer, nullable=False),
    Column("commits", Text, nullable=False, server_default="[]", comment="JSON list of those that are new here"),
    Column("text", Text, nullable=False, server_default="", comment="their messages"),
    Column("at_us", Integer, nullable=False),
    Index("github_push_ref", "repository", "ref"),
)

pull = Table(
    "github_pull",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("repository", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("title", Text, nullable=False),
    Column("body", Text, nullable=False, server_default=""),
    Column("author", Integer, nullable=False),
    Column("head", Text, nullable=False, comment="branch"),
    Column("base", Text, nullable=False, comment="branch"),
    Column("head_sha", Text, nullable=False),
    Column("base_sha", Text, nullable=False, comment="the base's tip when it was opened, or before it was merged"),
    Column("state", Text, nullable=False, comment="open, closed or merged"),
    Column("files", Text, nullable=False, server_default="[]", comment="JSON list of changed paths"),
    Column("merge_sha", Text, nullable=False, server_default=""),
    Column("merged_by", Integer),
    Column("created_us", Integer, nullable=False),
    Column("updated_us", Integer, nullable=False),
    Column("merged_us", Integer),
    Column("closed_us", Integer),
    UniqueConstraint("repository", "number"),
    Index("github_pull_head", "repository", "head"),
    Index("github_pull_updated", "updated_us"),
    info={"search": ("title", "body")},
)

request = Table(
    "github_request",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("pull", Integer, nullable=False),
    Column("user", Integer, nullable=False, comment="whose review is asked for"),
    UniqueConstraint("pull", "user"),
    Index("github_request_user", "user"),
)

review = Table(
    "github_review",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("pull", Integer, nullable=False),
    Column("user", Integer, nullable=False),
    Column("state", Text, nullable=False, comment="APPROVED, CHANGES_REQUESTED or COMMENTED"),
    Column("body", Text, nullable=False, server_default=""),
    Column("sha", Text, nullable=False, comment="the head that was looked at"),
    Column("at_us", Integer, nullable=False),
    Index("github_review_pull", "pull"),
    info={"search": ("body",)},
)

comment = Table(
    "github_comment",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("pull", Integer, nullable=False),
    Column("user", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("path", Text, nullable=False, server_default="", comment="the file it is about, empty for the whole pull"),
    Column("line", Integer, comment="of the file at `sha`; none for the file as a whole"),
    Column("sha", Text, nullable=False, comment="the head at that time"),
    Column("at_us", Integer, nullable=False),
    Index("github_comment_pull", "pull"),
    info={"search": ("body",)},
)

check = Table(
    "github_check",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("pull", Integer, nullable=False),
    Column("sha", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("conclusion", Text, nullable=False, comment="success, failure, timed_out or neutral; hidden until complete"),
    Column("summary", Text, nullable=False, server_default=""),
    Column("log", Text, nullable=False, server_default=""),
    Column("passed", Integer, nullable=False, server_default="0"),
    Column("failed", Integer, nullable=False, server_default="0"),
    Column("is_recorded", Integer, nullable=False, server_default="0", comment="run when the history was written"),
    Column("queued_us", Integer, nullable=False),
    Column("started_us", Integer, nullable=False),
    Column("completes_us", Integer, nullable=False),
    Index("github_check_pull", "pull"),
    Index("github_check_sha", "sha"),
)
