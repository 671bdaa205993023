"""Accounts, contacts and conversations by what people call them. Reads only."""

from sqlalchemy import bindparam, func, or_, select

from brownout.core.rows import Row, Rows
from brownout.store import compile_query
from tools.customers import tables

__all__ = [
    "account_at",
    "account_called",
    "account_id",
    "account_names",
    "attribute_called",
    "attributes",
    "contact_at",
    "contacts_of",
    "contract_of",
    "contracts_of",
    "conversation_called",
    "conversation_of",
    "inboxes",
    "last_mail",
    "messages_of",
    "settled",
    "user_called",
    "user_names",
    "user_of",
    "values_of",
]

_account, _contact, _contract = tables.account, tables.contact, tables.contract
_conversation, _message, _user = tables.conversation, tables.message, tables.user

_CALLED = compile_query(
    select(_account).where(
        or_(
            _account.c.short == func.lower(bindparam("name")),
            func.lower(_account.c.name) == func.lower(bindparam("name")),
        )
    )
)
_USERS = compile_query(select(_user).order_by(_user.c.id))
_ACCOUNTS = compile_query(select(_account).order_by(_account.c.id))
_ATTRIBUTES = compile_query(select(tables.attribute).order_by(tables.attribute.c.id))
_ATTRIBUTE = compile_query(select(tables.attribute).where(tables.attribute.c.name == bindparam("name")))
_VALUES = compile_query(
    select(tables.value, tables.attribute.c.type)
    .join(tables.attribute, tables.attribute.c.name == tables.value.c.name)
    .where(tables.value.c.account == bindparam("account"))
    .order_by(tables.attribute.c.id)
)
_CONTACT = compile_query(select(_contact).where(_contact.c.email == bindparam("email")))
_CONTACTS = compile_query(
    select(_contact)
    .where(_contact.c.account == bindparam("account"))
    .order_by(_contact.c.is_primary.desc(), _contact.c.id)
)
_CONTRACTS = compile_query(
    select(_contract).where(_contract.c.account == bindparam("account")).order_by(_contract.c.number.desc())
)
_THREAD = compile_query(
    select(_conversation).where(_conversation.c.thread == bindparam("path"), _conversation.c.thread != "")
)
_BY_MAIL = compile_query(
    select(_conversation)
    .join(_message, _message.c.conversation == _conversation.c.id)
    .where(_message.c.mail == bindparam("path"), _message.c.mail != "")
)
_MESSAGES = compile_query(
    select(_message)
    .join(_conversation, _conversation.c.id == _message.c.conversation)
    .where(
        or_(_conversation.c.id == bindparam("conversation"), _conversation.c.merged_into == bindparam("conversation"))
    )
    .order_by(_message.c.at_us, _message.c.id)
)
_INBOXES = compile_query(select(tables.inbox.c.name).order_by(tables.inbox.c.id))
_USER_OF = compile_query(select(_user).where(_user.c.person == bindparam("person")))
_USER = compile_query(
    select(_user).where(
        or_(_user.c.person == bindparam("name"), _user.c.email == bindparam("name"), _user.c.name == bindparam("name"))
    )
)
_ACCOUNT_IDS = 8_600_000_000
_DEEPEST = 50


def account_called(rows: Rows, name: str) -> Row | None:
    """The account with that id, short name or name, in whatever case."""
    wanted = name.strip()
    if wanted.isascii() and wanted.isdigit() and _ACCOUNT_IDS < int(wanted) < 1 << 62:
        return rows.get(_account, int(wanted) - _ACCOUNT_IDS)
    return rows.one(_CALLED, name=wanted)


def account_id(account: Row) -> str:
    """The id of an account."""
    return str(_ACCOUNT_IDS + account.number("id"))


def attributes(rows: Rows) -> list[Row]:
    """The attributes that accounts have here beside the usual fields."""
    return rows.all(_ATTRIBUTES)


def attribute_called(rows: Rows, name: str) -> Row | None:
    return rows.one(_ATTRIBUTE, name=name.strip().lower())


def values_of(rows: Rows, account: Row) -> list[Row]:
    """The values of an account's attributes, each with the attribute's type."""
    return rows.all(_VALUES, account=account.number("id"))


def account_at(rows: Rows, email: str) -> Row | None:
    """The account that somebody with that address works for."""
    found = contact_at(rows, email)
    return rows.get(_account, found.number("account")) if found else None


def contact_at(rows: Rows, email: str) -> Row | None:
    return rows.one(_CONTACT, email=email.strip().lower())


def contacts_of(rows: Rows, account: Row) -> list[Row]:
    """Who works for a customer, whom they named first before the others."""
    return rows.all(_CONTACTS, account=account.number("id"))


def contracts_of(rows: Rows, account: Row) -> list[Row]:
    """Every version of a customer's contract, the newest first."""
    return rows.all(_CONTRACTS, account=account.number("id"))


def contract_of(rows: Rows, account: Row) -> Row | None:
    """The version that holds."""
    return next((row for row in contracts_of(rows, account) if row["number"] == account["contract"]), None)


def conversation_of(rows: Rows, mail: str) -> Row | None:
    """The conversation that a mail belongs to, by the path of any of its mails."""
    found = rows.one(_THREAD, path=mail) or rows.one(_BY_MAIL, path=mail)
    return settled(rows, found) if found else None


def conversation_called(rows: Rows, mail: str) -> str:
    """`conversation 12`: the one that a mail belongs to, as people call it; empty where it is of none."""
    found = conversation_of(rows, mail)
    return f"conversation {found.number('id')}" if found else ""


def settled(rows: Rows, conversation: Row) -> Row:
    """The conversation that goes on with one that was merged."""
    for _ in range(_DEEPEST):
        into = conversation["merged_into"]
        following = rows.get(_conversation, into) if isinstance(into, int) else None
        if following is None:
            break
        conversation = following
    return conversation


def messages_of(rows: Rows, conversation: Row) -> list[Row]:
    """What was said in a conversation and in those merged into it, oldest first."""
    return rows.all(_MESSAGES, conversation=conversation.number("id"))


def last_mail(rows: Rows, conversation: Row) -> str:
    """The path of the last mail of whoever it is with, empty where they wrote none."""
    theirs = [row.text("mail") for row in messages_of(rows, conversation) if row["mail"] and not row["is_ours"]]
    return theirs[-1] if theirs else conversation.text("thread")


def inboxes(rows: Rows) -> list[str]:
    """The groups whose mail becomes conversations."""
    return [row.text("name") for row in rows.all(_INBOXES)]


def user_of(rows: Rows, person: str) -> Row | None:
    return rows.one(_USER_OF, person=person)


def user_names(rows: Rows) -> list[str]:
    """Every way to name a user."""
    return [row.text(column) for row in rows.all(_USERS) for column in ("person", "email", "name")]


def account_names(rows: Rows) -> list[str]:
    """Every way to name an account but for its id."""
    return [row.text(column) for row in rows.all(_ACCOUNTS) for column in ("short", "name")]


def user_called(rows: Rows, name: str) -> Row | None:
    """The user with that short name, address or full name."""
    return rows.one(_USER, name=name.strip().removeprefix("@"))
