"""The customer register's tables: accounts with contacts and contracts, and the support inbox.

A contract's versions are all kept; the account says which one holds. People of the company are named by short name.
Days are text such as 2026-05-31, so that they compare as they read.
"""

from sqlalchemy import Column, Index, Integer, MetaData, Table, Text, UniqueConstraint

__all__ = [
    "account",
    "attribute",
    "change",
    "contact",
    "contract",
    "conversation",
    "inbox",
    "message",
    "metadata",
    "note",
    "user",
    "value",
]

metadata = MetaData()

user = Table(
    "customers_user",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("person", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("email", Text, nullable=False),
    info={"steady": True},
)

inbox = Table(
    "customers_inbox",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True, comment="support: mail to it opens a conversation"),
    info={"steady": True},
)

account = Table(
    "customers_account",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("short", Text, nullable=False, unique=True, comment="as authors write it: corner-hall"),
    Column("name", Text, nullable=False),
    Column("plan", Text, nullable=False, server_default=""),
    Column("sites", Integer, nullable=False),
    Column("region", Text, nullable=False, server_default=""),
    Column("owner", Text, nullable=False, server_default="", comment="who looks after them, empty for nobody"),
    Column("health", Text, nullable=False, comment="good, watch or at-risk"),
    Column("tags", Text, nullable=False, server_default="[]", comment="JSON list"),
    Column("contract", Integer, nullable=False, server_default="0", comment="number of the version that holds"),
    Column("updated_us", Integer, nullable=False),
    info={"search": ("name", "short", "tags")},
)

change = Table(
    "customers_change",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account", Integer, nullable=False),
    Column("field", Text, nullable=False),
    Column("old", Text, nullable=False),
    Column("new", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("at_us", Integer, nullable=False),
    Index("customers_change_account", "account", "id"),
)

attribute = Table(
    "customers_attribute",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("type", Text, nullable=False, comment="text, number, date or choice"),
    Column("choices", Text, nullable=False, server_default="[]", comment="JSON list"),
)

value = Table(
    "customers_value",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account", Integer, nullable=False),
    Column("name", Text, nullable=False, comment="of the attribute"),
    Column("value", Text, nullable=False, comment="as its type writes it: 48, 2026-05-31"),
    UniqueConstraint("account", "name"),
)

contact = Table(
    "customers_contact",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("email", Text, nullable=False, unique=True, comment="lower case"),
    Column("role", Text, nullable=False, server_default=""),
    Column("may", Text, nullable=False, comment="JSON list: contract, data"),
    Column("person", Text, nullable=False, server_default="", comment="short name, empty for who only has an address"),
    Column("is_primary", Integer, nullable=False, server_default="0"),
    Index("customers_contact_account", "account"),
)

contract = Table(
    "customers_contract",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("start", Text, nullable=False),
    Column("until", Text, nullable=False, server_default="", comment="last day, empty where it goes on"),
    Column("notice_days", Integer, nullable=False, server_default="0"),
    Column("monthly", Integer, nullable=False, server_default="0", comment="cents"),
    Column("terms", Text, nullable=False, server_default=""),
    Column("note", Text, nullable=False, server_default="", comment="why this version was made"),
    Column("who", Text, nullable=False),
    Column("at_us", Integer, nullable=False),
    UniqueConstraint("account", "number"),
)

note = Table(
    "customers_note",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account", Integer, comment="one of account and conversation is null"),
    Column("conversation", Integer),
    Column("text", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("at_us", Integer, nullable=False),
    Index("customers_note_account", "account"),
    Index("customers_note_conversation", "conversation"),
    info={"search": ("text",)},
)

conversation = Table(
    "customers_conversation",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("subject", Text, nullable=False),
    Column("account", Integer, comment="null for whoever is not in the register"),
    Column("email", Text, nullable=False, comment="of whom it is with"),
    Column("name", Text, nullable=False),
    Column("status", Text, nullable=False, comment="new, open, pending, snoozed, solved or closed"),
    Column("snoozed_us", Integer, comment="when it is open again, while it is snoozed"),
    Column("priority", Text, nullable=False, server_default="normal", comment="low, normal, high or urgent"),
    Column("assignee", Text, nullable=False, server_default=""),
    Column("tags", Text, nullable=False, server_default="[]", comment="JSON list"),
    Column("channel", Text, nullable=False, comment="email, phone or web"),
    Column("thread", Text, nullable=False, server_default="", comment="path of the mail it began with"),
    Column("merged_into", Integer, comment="the conversation that goes on with it"),
    Column("created_us", Integer, nullable=False),
    Column("updated_us", Integer, nullable=False),
    Index("customers_conversation_thread", "thread"),
    Index("customers_conversation_account", "account"),
    info={"search": ("subject", "name", "email", "tags")},
)

message = Table(
    "customers_message",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("conversation", Integer, nullable=False),
    Column("is_ours", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("email", Text, nullable=False),
    Column("person", Text, nullable=False, server_default="", comment="short name of the sender"),
    Column("text", Text, nullable=False),
    Column(
        "mail", Text, nullable=False, server_default="", comment="path of the mail that it is, empty until it is one"
    ),
    Column("at_us", Integer, nullable=False),
    Index("customers_message_conversation", "conversation", "id"),
    Index("customers_message_mail", "mail"),
    info={"search": ("text",)},
)
