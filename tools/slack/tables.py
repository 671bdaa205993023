"""Slack's tables. Vendor ids (`C0…`, `U0…`) are text beside our integer keys."""

from sqlalchemy import Column, Index, Integer, MetaData, Table, Text, UniqueConstraint

__all__ = ["channel", "member", "message", "metadata", "reaction", "user"]

metadata = MetaData()

user = Table(
    "slack_user",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("slack_id", Text, nullable=False, unique=True),
    Column("person", Text, nullable=False, unique=True),
    Column("handle", Text, nullable=False, unique=True),
    Column("real_name", Text, nullable=False),
    Column("email", Text, nullable=False),
    Column("title", Text, nullable=False, server_default=""),
    Column("tz", Text, nullable=False, server_default="UTC"),
    Column("is_bot", Integer, nullable=False, server_default="0"),
    Column("is_deleted", Integer, nullable=False, server_default="0"),
    info={"steady": True},
)

channel = Table(
    "slack_channel",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("slack_id", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False, comment="without #; for direct messages the two user keys, `3-8`"),
    Column("kind", Text, nullable=False, comment="public, private or im"),
    Column("topic", Text, nullable=False, server_default=""),
    Column("purpose", Text, nullable=False, server_default=""),
    Column("creator", Integer, nullable=False),
    Column("created_us", Integer, nullable=False),
    Column("is_archived", Integer, nullable=False, server_default="0"),
    UniqueConstraint("name"),
    info={"steady": True},
)

member = Table(
    "slack_member",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("channel", Integer, nullable=False),
    Column("user", Integer, nullable=False),
    Column("read_us", Integer, nullable=False, server_default="0"),
    UniqueConstraint("channel", "user"),
    Index("slack_member_user", "user"),
    info={"steady": True},
)

message = Table(
    "slack_message",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("channel", Integer, nullable=False),
    Column("user", Integer, nullable=False),
    Column("at_us", Integer, nullable=False, comment="also its ts, so unique in a channel"),
    Column("thread_us", Integer, comment="at_us of the thread's first message"),
    Column("text", Text, nullable=False),
    Column("edited_us", Integer),
    Column("is_deleted", Integer, nullable=False, server_default="0", comment="only its place in its thread is left"),
    UniqueConstraint("channel", "at_us"),
    Index("slack_message_thread", "channel", "thread_us"),
    info={"search": ("text",)},
)

reaction = Table(
    "slack_reaction",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("message", Integer, nullable=False),
    Column("user", Integer, nullable=False),
    Column("name", Text, nullable=False),
    UniqueConstraint("message", "name", "user"),
)
