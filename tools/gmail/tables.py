"""Gmail's tables. A message is stored once; everyone who sent or got it has a copy with labels of their own."""

from sqlalchemy import Column, Index, Integer, MetaData, Table, Text, UniqueConstraint

__all__ = ["attachment", "copy", "group", "label", "mailbox", "member", "message", "metadata"]

metadata = MetaData()

mailbox = Table(
    "gmail_mailbox",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("person", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("email", Text, nullable=False, unique=True, comment="lower case"),
    Column("domain", Text, nullable=False),
    Column("is_outside", Integer, nullable=False, server_default="0"),
    Index("gmail_mailbox_domain", "domain", "is_outside"),
    info={"steady": True},
)

group = Table(
    "gmail_group",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True, comment="as people say it: support"),
    Column("email", Text, nullable=False, unique=True, comment="lower case"),
    info={"steady": True},
)

member = Table(
    "gmail_member",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("group", Integer, nullable=False),
    Column("mailbox", Integer, nullable=False),
    UniqueConstraint("group", "mailbox"),
    info={"steady": True},
)

label = Table(
    "gmail_label",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("owner", Integer, nullable=False),
    Column("label_id", Text, nullable=False, comment="Label_1"),
    Column("name", Text, nullable=False),
    UniqueConstraint("owner", "label_id"),
)

message = Table(
    "gmail_message",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("rfc_id", Text, nullable=False, unique=True, comment="Message-ID without its angle brackets"),
    Column("author", Integer, comment="mailbox it was written in; null for the mail system"),
    Column("sender", Text, nullable=False, comment="the From header"),
    Column("to", Text, nullable=False, comment="JSON list of addresses as headers have them; cc and bcc likewise"),
    Column("cc", Text, nullable=False, server_default="[]"),
    Column("bcc", Text, nullable=False, server_default="[]"),
    Column("subject", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("at_us", Integer, nullable=False),
    Column("thread", Integer, comment="the conversation's first message; null in that one"),
    Column("in_reply_to", Text, nullable=False, server_default="", comment="rfc_id of what it answers"),
    Column("is_draft", Integer, nullable=False, server_default="0"),
    Column("draft", Integer, comment="the draft it was sent from, which is out of sight since"),
    Index("gmail_message_thread", "thread"),
    Index("gmail_message_draft", "draft"),
    info={"search": ("subject", "body", "sender", "to", "cc", "bcc")},
)

attachment = Table(
    "gmail_attachment",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("message", Integer, nullable=False),
    Column("filename", Text, nullable=False),
    Column("mime_type", Text, nullable=False),
    Column("content", Text, nullable=False, comment="of text/… as it is, of others in base64"),
    Index("gmail_attachment_message", "message"),
    info={"came_later": True},
)

copy = Table(
    "gmail_copy",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("message", Integer, nullable=False),
    Column("owner", Integer, nullable=False),
    Column("gmail_id", Text, nullable=False, comment="differs from mailbox to mailbox"),
    Column("thread_id", Text, nullable=False, comment="gmail_id of the owner's first message of the conversation"),
    Column("labels", Text, nullable=False, comment="JSON list: INBOX, SENT, DRAFT, SPAM, IMPORTANT, Label_1 …"),
    Column("is_read", Integer, nullable=False),
    Column("is_starred", Integer, nullable=False, server_default="0"),
    Column("is_trashed", Integer, nullable=False, server_default="0"),
    Column("via", Integer, comment="the group that it came through"),
    Column("changed_us", Integer, nullable=False, comment="shown as its historyId"),
    UniqueConstraint("owner", "gmail_id"),
    UniqueConstraint("message", "owner"),
    Index("gmail_copy_owner", "owner"),
    Index("gmail_copy_thread", "owner", "thread_id"),
)
