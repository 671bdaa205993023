"""The only writer of the register's tables, for operations and for the people of the world alike."""

from tools.customers.records.accounts import (
    Terms,
    add_account,
    add_change,
    add_contact,
    add_inbox,
    add_user,
    change_account,
    make_contract,
)
from tools.customers.records.attributes import add_attribute, expected, normal, set_value
from tools.customers.records.conversations import (
    assign,
    merge,
    name_account,
    open_conversation,
    receive,
    reply,
    set_status,
    snooze,
    wake,
    went_out,
)
from tools.customers.records.notes_and_tags import add_note, set_tags

__all__ = [
    "Terms",
    "add_account",
    "add_attribute",
    "add_change",
    "add_contact",
    "add_inbox",
    "add_note",
    "add_user",
    "assign",
    "change_account",
    "expected",
    "make_contract",
    "merge",
    "name_account",
    "normal",
    "open_conversation",
    "receive",
    "reply",
    "set_status",
    "set_tags",
    "set_value",
    "snooze",
    "wake",
    "went_out",
]
