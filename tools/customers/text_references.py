"""Accounts and conversations that a text refers to: a customer's name, `conversation 12`, a subject written out."""

import re
from collections.abc import Iterator
from typing import Final

from sqlalchemy import select

from brownout.core.entities import EntityReference
from brownout.core.rows import Row, Rows
from brownout.core.title_matching import titles_in
from brownout.store import compile_query
from tools.customers import tables
from tools.customers.paths import path_of_account, path_of_conversation

__all__ = ["references"]

_NUMBER: Final = re.compile(r"\bconversations?[ /]#?(\d{1,9})\b", re.IGNORECASE)
_ACCOUNTS = compile_query(select(tables.account).order_by(tables.account.c.id))
_CONVERSATIONS = compile_query(select(tables.conversation).order_by(tables.conversation.c.id))


def references(rows: Rows, text: str) -> Iterator[EntityReference]:
    """The customers and conversations that a text names."""
    conversations = rows.all(_CONVERSATIONS)
    numbers = {row.number("id"): path_of_conversation(row) for row in conversations}
    for found in _NUMBER.finditer(text):
        if int(found[1]) in numbers:
            yield EntityReference(found.start(), found.end(), numbers[int(found[1])])
    yield from titles_in(text, ((row.text("subject"), path_of_conversation(row)) for row in conversations))
    for row in rows.all(_ACCOUNTS):
        for name in _names(row):
            place = re.search(rf"(?<!\w){_spelled(name)}(?!\w)", text, re.IGNORECASE)
            if place is not None:
                yield EntityReference(place.start(), place.end(), path_of_account(row))
                break


def _names(account: Row) -> list[str]:
    """What people call a customer, the longest first: its name, its first two words or more, its short name."""
    words = account.text("name").split()
    leading = [" ".join(words[:count]) for count in range(len(words), 1, -1)]
    return [*(leading or words), account.text("short"), account.text("short").replace("-", " ")]


def _spelled(name: str) -> str:
    """A pattern for a name as people write it: `St Mary's` is also `St. Marys` and `St Mary’s`."""
    return r"\.?\s+".join(re.sub("['’‘]", "['’‘]?", re.escape(word)) for word in name.split())
