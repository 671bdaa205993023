"""What a change of a row says, and to whom: an answer to who wrote in, notes and contracts to everybody with a seat."""

from sqlalchemy import select

from brownout.core.apps import Utterance
from brownout.core.calls import Effect
from brownout.core.rows import Rows
from brownout.store import compile_query
from tools.customers import lookups, tables
from tools.customers.selectors import path_of

__all__ = ["utterance"]

_USERS = compile_query(select(tables.user.c.person).order_by(tables.user.c.person))


def utterance(rows: Rows, effect: Effect) -> Utterance | None:
    """An answer written here, readable by whoever it goes to; a note, by everybody with a seat.

    What came as a mail was said there.
    """
    row = effect.after
    if row is None or effect.before is not None:
        return None
    if effect.table == "customers_message" and row["is_ours"] and not row["mail"]:
        conversation = rows.get(tables.conversation, row.number("conversation"))
        assert conversation is not None
        contact = lookups.contact_at(rows, conversation.text("email"))
        to = {conversation.text("email"), contact.text("person") if contact else ""} - {""}
        return Utterance(path_of(rows, effect.table, row), row.text("text"), frozenset(to))
    if effect.table in ("customers_note", "customers_contract"):
        text = row.text("text") if effect.table == "customers_note" else f"{row.text('note')}\n{row.text('terms')}"
        people = frozenset(found.text("person") for found in rows.all(_USERS))
        return Utterance(path_of(rows, effect.table, row), text, people) if text.strip() else None
    return None
