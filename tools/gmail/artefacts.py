"""Gmail's messages as a reader of any mail takes them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from sqlalchemy import func, select

from brownout.core.artefacts import SentMail
from brownout.core.rows import Row, Rows
from brownout.store import compile_query
from tools.gmail import tables
from tools.gmail.addresses import addresses_in, parse_addresses

__all__ = ["artefacts"]

_mailbox, _message, _copy = tables.mailbox, tables.message, tables.copy
_first = select(_copy.c.message, func.min(_copy.c.id).label("copy")).group_by(_copy.c.message).subquery()
_owner = _mailbox.alias("owner")
_MESSAGES = compile_query(
    select(*_message.c, _mailbox.c.person, _owner.c.person.label("owner"), _copy.c.gmail_id)
    .outerjoin(_mailbox, _mailbox.c.id == _message.c.author)
    .outerjoin(_first, _first.c.message == _message.c.id)
    .outerjoin(_copy, _copy.c.id == _first.c.copy)
    .outerjoin(_owner, _owner.c.id == _copy.c.owner)
    .where(_message.c.is_draft == 0)
    .order_by(_message.c.at_us, _message.c.id)
)
_AUTOMATIC: Final = ("automatic reply:", "out of office:")
"""How subjects of answers in absence begin (Exchange's two wordings; Gmail keeps the subject)."""


def artefacts(rows: Rows, folder: Path) -> Iterator[SentMail]:
    """Every mail that was sent, oldest first."""
    found = rows.all(_MESSAGES)
    paths = {row.number("id"): _path(row) for row in found}
    by_rfc_id = {row.text("rfc_id"): _path(row) for row in found}
    for row in found:
        thread, answers = row["thread"], row.text("in_reply_to")
        problems = []
        if answers and answers not in by_rfc_id:
            problems.append("the mail that it answers is not there")
        if isinstance(thread, int) and thread not in paths:
            problems.append("the first mail of its conversation is not there")
        if row["author"] is not None and not row.text("person"):
            problems.append("the mailbox it was written in is not there")
        yield SentMail(
            path=_path(row),
            who=row.text("person"),
            at=row.number("at_us"),
            subject=row.text("subject"),
            text=row.text("body"),
            sender=next((one.email for one in parse_addresses([row.text("sender")])), ""),
            to=tuple(one.email for one in addresses_in(row.text("to"))),
            cc=tuple(one.email for one in (*addresses_in(row.text("cc")), *addresses_in(row.text("bcc")))),
            thread=paths.get(thread, "") if isinstance(thread, int) else _path(row),
            answers=by_rfc_id.get(answers, ""),
            automatic=row.text("subject").lower().startswith(_AUTOMATIC),
            problems=tuple(problems),
        )


def _path(row: Row) -> str:
    return f"gmail:{row.text('owner') or row.text('person') or 'gone'}.message/{row.text('gmail_id') or row.text('rfc_id')}"
