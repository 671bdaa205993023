"""A mailbox as its owner sees it: copies with their messages, threads, labels. Reads only."""

from collections.abc import Sequence
from dataclasses import dataclass

import orjson
from sqlalchemy import ColumnElement, bindparam, exists, func, not_, or_, select

from brownout.core.rows import Row, Rows
from brownout.store import compile_query
from tools.gmail import tables

__all__ = [
    "SHOWN",
    "SYSTEM_LABELS",
    "VISIBLE",
    "LabelCount",
    "attachments",
    "copy_of",
    "draft_id",
    "found",
    "found_draft",
    "kept_labels",
    "label_counts",
    "label_ids",
    "labels_of",
    "message_of",
    "profile",
    "thread",
]

_copy, _message, _label = tables.copy, tables.message, tables.label

SYSTEM_LABELS = ("INBOX", "SENT", "DRAFT", "TRASH", "SPAM", "STARRED", "UNREAD", "IMPORTANT")

_sent = _message.alias("sent")
VISIBLE: ColumnElement[bool] = or_(
    _message.c.is_draft == 0, not_(exists(select(1).where(_sent.c.draft == _message.c.id)))
)
"""A draft that was sent is out of sight. Sending only ever adds rows, so that it touches nothing else."""

SHOWN: Sequence[ColumnElement[object]] = (
    *(column for column in _copy.c),
    *(column for column in _message.c if column.name != "id"),
)
"""A copy (its key is `id`) with its message (its key is `message`)."""

_JOINED = select(*SHOWN).join(_message, _message.c.id == _copy.c.message).where(VISIBLE)
_BY_ID = compile_query(_JOINED.where(_copy.c.owner == bindparam("owner"), _copy.c.gmail_id == bindparam("gmail_id")))
_OF_MESSAGE = compile_query(
    select(_copy).where(_copy.c.message == bindparam("message"), _copy.c.owner == bindparam("owner"))
)
_THREAD = compile_query(
    _JOINED.where(_copy.c.owner == bindparam("owner"), _copy.c.thread_id == bindparam("thread_id")).order_by(_copy.c.id)
)
_ATTACHMENTS = compile_query(
    select(tables.attachment)
    .where(tables.attachment.c.message == bindparam("message"))
    .order_by(tables.attachment.c.id)
)
_LABELS = compile_query(select(_label).where(_label.c.owner == bindparam("owner")).order_by(_label.c.id))
_PROFILE = compile_query(
    select(
        func.count().label("messages"),
        func.count(_copy.c.thread_id.distinct()).label("threads"),
        func.max(_copy.c.changed_us).label("changed_us"),
    )
    .select_from(_copy)
    .join(_message, _message.c.id == _copy.c.message)
    .where(_copy.c.owner == bindparam("owner"), VISIBLE)
)
_WORN = (_copy.c.labels, _copy.c.is_read, _copy.c.is_starred, _copy.c.is_trashed)
_WEARING = compile_query(
    select(*_WORN, func.count().label("messages"))
    .join(_message, _message.c.id == _copy.c.message)
    .where(_copy.c.owner == bindparam("owner"), VISIBLE)
    .group_by(*_WORN)
)


@dataclass(slots=True)
class LabelCount:
    """How many messages wear a label, and how many of them are unread."""

    messages: int = 0
    unread: int = 0


def found(rows: Rows, owner: int, gmail_id: str) -> Row | None:
    """A message of a mailbox by its id there."""
    return rows.one(_BY_ID, owner=owner, gmail_id=gmail_id.strip().lower())


def found_draft(rows: Rows, owner: int, draft: str) -> Row | None:
    """A draft by its draft id."""
    number = draft.strip().removeprefix("r")
    row = found(rows, owner, f"{int(number):016x}") if number.isascii() and number.isdigit() else None
    return row if row is not None and row["is_draft"] else None


def draft_id(row: Row) -> str:
    """The id of a draft, which is not that of its message."""
    return f"r{int(row.text('gmail_id'), 16)}"


def copy_of(rows: Rows, message: int, owner: int) -> Row | None:
    """Somebody's copy of a message, without the message."""
    return rows.one(_OF_MESSAGE, message=message, owner=owner)


def message_of(rows: Rows, copy: Row) -> Row:
    """The message that a copy is of, without the copy."""
    row = rows.get(_message, copy.number("message"))
    assert row is not None
    return row


def attachments(rows: Rows, message: int) -> list[Row]:
    """The files that go with a message, in their order."""
    return rows.all(_ATTACHMENTS, message=message)


def thread(rows: Rows, owner: int, thread_id: str) -> list[Row]:
    """The messages of a thread, oldest first; none where there is no such thread."""
    return rows.all(_THREAD, owner=owner, thread_id=thread_id.strip().lower())


def profile(rows: Rows, owner: int) -> Row:
    """How many `messages` and `threads` a mailbox has, and when it last changed (`changed_us`, null if never)."""
    row = rows.one(_PROFILE, owner=owner)
    assert row is not None
    return row


def kept_labels(row: Row) -> list[str]:
    """The labels that a copy's column holds."""
    kept: list[str] = orjson.loads(row.text("labels"))
    return kept


def label_ids(row: Row) -> list[str]:
    """All labels of a copy as Gmail lists them; what lies in the trash keeps the others."""
    marks = (("UNREAD", not row["is_read"]), ("STARRED", row["is_starred"]), ("TRASH", row["is_trashed"]))
    return [*(name for name, is_on in marks if is_on), *kept_labels(row)]


def labels_of(rows: Rows, owner: int) -> list[Row]:
    """The labels that somebody made, oldest first."""
    return rows.all(_LABELS, owner=owner)


def label_counts(rows: Rows, owner: int) -> dict[str, LabelCount]:
    """What wears each label; labels that nothing wears are not in it."""
    counts: dict[str, LabelCount] = {}
    for row in rows.all(_WEARING, owner=owner):
        for name in label_ids(row):
            count = counts.setdefault(name, LabelCount())
            count.messages += row.number("messages")
            count.unread += 0 if row["is_read"] else row.number("messages")
    return counts
