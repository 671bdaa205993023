"""The terminal's tables: everybody's home directory (and `/tmp`) as it was after their last command."""

from sqlalchemy import Column, Index, Integer, LargeBinary, MetaData, Table, Text, UniqueConstraint

__all__ = ["blob", "checkout", "content", "file", "home", "metadata"]

metadata = MetaData()

home = Table(
    "terminal_home",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("owner", Text, nullable=False, unique=True, comment="person"),
    Column("since_us", Integer, nullable=False, server_default="0", comment="when it was first used"),
    Column("digest", Text, nullable=False, server_default="", comment="of its files; empty before the first command"),
    Column("history", Text, nullable=False, server_default="", comment="digest of the commands so far"),
)

checkout = Table(
    "terminal_checkout",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("owner", Text, nullable=False),
    Column("repo", Text, nullable=False, comment="owner/name; it was cloned when the terminal was first used"),
    Column("commit_sha", Text, nullable=False, comment="checked out then; its files' contents are not blobs here"),
    Column("objects", Integer, nullable=False, comment="key of the last git object then; the clone has those up to it"),
    UniqueConstraint("owner", "repo"),
)

file = Table(
    "terminal_file",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("owner", Text, nullable=False),
    Column("path", Text, nullable=False, comment="from the root, no slash first; bytes that are no UTF-8 as \\xff"),
    Column("mode", Integer, nullable=False, comment="as st_mode: a file, a directory or a symbolic link"),
    Column("masked", Text, nullable=False, comment="SHA-256 of the content without what follows the machine"),
    Column("mtime", Integer, nullable=False, comment="nanoseconds, world time"),
    UniqueConstraint("owner", "path"),
)

content = Table(  # apart, because it leaves no effects: measured durations and addresses differ between equal runs
    "terminal_content",
    metadata,
    Column("id", Integer, primary_key=True, comment="of its file"),
    Column("sha", Text, nullable=False, comment="SHA-256 of the content, or of a link's target; empty for directories"),
    Column("size", Integer, nullable=False),
    Index("terminal_content_sha", "sha"),
)

blob = Table(
    "terminal_blob",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("sha", Text, nullable=False, unique=True),
    Column("data", LargeBinary, nullable=False),
)
