"""Where a session keeps what git would keep in files: every ref, and the objects that the package does not have."""

from sqlalchemy import Column, Integer, LargeBinary, MetaData, Table, Text, UniqueConstraint

__all__ = ["git_object", "git_ref", "metadata"]

metadata = MetaData()

git_object = Table(
    "engine_git_object",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("repo", Text, nullable=False, comment="the repository's name, `owner/name`"),
    Column("sha", Text, nullable=False, comment="40 hexadecimal digits"),
    Column("type", Text, nullable=False, comment="commit, tree, blob or tag"),
    Column("size", Integer, nullable=False, comment="bytes of the content"),
    Column("data", LargeBinary, nullable=False, comment="a zlib stream that is a function of the content alone"),
    UniqueConstraint("repo", "sha"),
)

git_ref = Table(
    "engine_git_ref",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("repo", Text, nullable=False),
    Column("name", Text, nullable=False, comment="HEAD, or in full: refs/heads/main"),
    Column("target", Text, nullable=False, comment="40 hexadecimal digits; `ref: refs/heads/main` for HEAD"),
    UniqueConstraint("repo", "name"),
)
