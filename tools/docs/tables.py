"""The wiki's tables. Every version of a page is kept; the page itself holds the current one."""

from sqlalchemy import Column, Index, Integer, MetaData, Table, Text, UniqueConstraint

__all__ = ["comment", "metadata", "page", "space", "user", "version"]

metadata = MetaData()

user = Table(
    "docs_user",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", Text, nullable=False, unique=True),
    Column("person", Text, nullable=False, unique=True),
    Column("display_name", Text, nullable=False),
    Column("email", Text, nullable=False),
    info={"steady": True},
)

space = Table(
    "docs_space",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("description", Text, nullable=False, server_default=""),
    Column("is_public", Integer, nullable=False, server_default="0", comment="customers read it"),
    info={"steady": True},
)

page = Table(
    "docs_page",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("space", Integer, nullable=False),
    Column("title", Text, nullable=False, comment="one page of a space has it, unless the others are trashed"),
    Column("body", Text, nullable=False, comment="Markdown"),
    Column("author", Integer, nullable=False),
    Column("created_us", Integer, nullable=False),
    Column("updated_us", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("is_trashed", Integer, nullable=False, server_default="0"),
    Index("docs_page_title", "title"),
    Index("docs_page_updated", "updated_us"),
    info={"search": ("title", "body")},
)

version = Table(
    "docs_version",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("page", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("title", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("author", Integer, nullable=False),
    Column("at_us", Integer, nullable=False),
    Column("message", Text, nullable=False, server_default=""),
    UniqueConstraint("page", "number"),
)

comment = Table(
    "docs_comment",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("page", Integer, nullable=False),
    Column("author", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("created_us", Integer, nullable=False),
    Index("docs_comment_page", "page"),
)
