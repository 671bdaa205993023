"""Jira's tables."""

from sqlalchemy import Column, Index, Integer, MetaData, Table, Text, UniqueConstraint

__all__ = ["comment", "history", "issue", "link", "metadata", "project", "remote_link", "user"]

metadata = MetaData()

user = Table(
    "jira_user",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", Text, nullable=False, unique=True),
    Column("person", Text, nullable=False, unique=True),
    Column("display_name", Text, nullable=False),
    Column("email", Text, nullable=False),
    Column("is_active", Integer, nullable=False, server_default="1"),
    info={"steady": True},
)

project = Table(
    "jira_project",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("lead", Integer, nullable=False),
    Column("next_number", Integer, nullable=False, server_default="1"),
    info={"steady": True},
)

issue = Table(
    "jira_issue",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("project", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("type", Text, nullable=False),
    Column("summary", Text, nullable=False),
    Column("description", Text, nullable=False, server_default=""),
    Column("status", Text, nullable=False),
    Column("resolution", Text, nullable=False, server_default=""),
    Column("priority", Text, nullable=False),
    Column("reporter", Integer, nullable=False),
    Column("assignee", Integer),
    Column("labels", Text, nullable=False, server_default="[]", comment="JSON list"),
    Column("root_cause", Text, nullable=False, server_default="", comment="what caused it, in words"),
    Column("root_cause_link", Text, nullable=False, server_default="", comment="shop/checkout#12, …@1a2b3c4, OPS-7"),
    Column("due", Text, nullable=False, server_default="", comment="YYYY-MM-DD"),
    Column("created_us", Integer, nullable=False),
    Column("updated_us", Integer, nullable=False),
    Index("jira_issue_project", "project", "number"),
    Index("jira_issue_updated", "updated_us"),
    info={"search": ("summary", "description", "root_cause")},
)

comment = Table(
    "jira_comment",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("issue", Integer, nullable=False),
    Column("author", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("created_us", Integer, nullable=False),
    Column("updated_us", Integer, nullable=False),
    Index("jira_comment_issue", "issue"),
    info={"search": ("body",)},
)

link = Table(
    "jira_link",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("type", Text, nullable=False, comment="Duplicate, Blocks, Relates or Cause"),
    Column("outward", Integer, nullable=False, comment="the issue that duplicates, blocks, causes"),
    Column("inward", Integer, nullable=False, comment="the issue that is duplicated, blocked, caused"),
    UniqueConstraint("type", "outward", "inward"),
    Index("jira_link_inward", "inward"),
)

remote_link = Table(
    "jira_remote_link",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("issue", Integer, nullable=False),
    Column("kind", Text, nullable=False, comment="pull, commit, issue or url"),
    Column("target", Text, nullable=False, comment="as `references` writes it"),
    Column("title", Text, nullable=False, server_default=""),
    Column("relationship", Text, nullable=False, server_default=""),
    UniqueConstraint("issue", "target"),
)

history = Table(
    "jira_history",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("issue", Integer, nullable=False),
    Column("author", Integer, nullable=False),
    Column("at_us", Integer, nullable=False),
    Column("field", Text, nullable=False),
    Column("old", Text, nullable=False),
    Column("new", Text, nullable=False),
    Index("jira_history_issue", "issue"),
)
