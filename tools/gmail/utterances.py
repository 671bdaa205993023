"""What a change of a row says, and to whom: a mail that was sent, to all who got it."""

from sqlalchemy import bindparam, select

from brownout.core.apps import Utterance
from brownout.core.calls import Effect
from brownout.core.rows import Rows
from brownout.store import compile_query
from tools.gmail import tables
from tools.gmail.addresses import addresses_in, base_subject
from tools.gmail.directory import group_at
from tools.gmail.selectors import path_of

__all__ = ["utterance"]

_mailbox, _message, _copy = tables.mailbox, tables.message, tables.copy
_READERS = compile_query(
    select(_mailbox.c.person)
    .join(_copy, _copy.c.owner == _mailbox.c.id)
    .where(_copy.c.message == bindparam("message"))
    .order_by(_mailbox.c.person)
)


def utterance(rows: Rows, effect: Effect) -> Utterance | None:
    """A message that was sent, readable by all who got it; addresses and groups that it names count as readers too.

    The subject of an answer is somebody else's words, so only the body is said.
    """
    row = effect.after
    if effect.table != "gmail_message" or effect.kind != "insert" or row is None or row["author"] is None:
        return None
    if row["is_draft"]:
        return None
    subject, body = row.text("subject"), row.text("body")
    is_answer = bool(row["in_reply_to"]) and base_subject(subject) != subject.strip().lower()
    people = {found.text("person") for found in rows.all(_READERS, message=row.number("id"))}
    for name in ("to", "cc", "bcc"):
        for address in addresses_in(row.text(name)):
            group = group_at(rows, address.email)
            people |= {address.email} | ({group.text("name")} if group else set())
    first = rows.get(_message, row.number("thread")) if row["thread"] is not None else None
    answers = path_of(rows, effect.table, first) if first else ""
    said = body if is_answer else f"{subject}\n{body}"
    return Utterance(path_of(rows, effect.table, row), said, frozenset(people), subject, answers)
