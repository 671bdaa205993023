"""What Gmail's rows are called (`path_of`), and the things that a selector's pattern names (`find`)."""

from collections.abc import Iterable

from sqlalchemy import bindparam, func, or_, select

from brownout.core.apps import Thing
from brownout.core.instants import iso
from brownout.core.rows import Row, Rows, Value
from brownout.core.values import Json, JsonObject
from brownout.core.wildcards import fits, glob_of
from brownout.store import compile_query
from tools.gmail import tables
from tools.gmail.addresses import Address, addresses_in
from tools.gmail.directory import group_at, mailbox_at
from tools.gmail.mailbox import SHOWN, VISIBLE, attachments, draft_id, label_ids

__all__ = ["find", "path_of"]

_mailbox, _group, _message, _copy = tables.mailbox, tables.group, tables.message, tables.copy

_first = _copy.alias("first")
_FIRST_COPY = compile_query(select(_copy).where(_copy.c.message == bindparam("message")).order_by(_copy.c.id).limit(1))
_THINGS = (
    select(*SHOWN, _mailbox.c.person)
    .join(_message, _message.c.id == _copy.c.message)
    .join(_mailbox, _mailbox.c.id == _copy.c.owner)
    .where(VISIBLE)
    .order_by(_copy.c.id)
)
_BY_PATH = compile_query(_THINGS.where(_mailbox.c.person == bindparam("person"), _copy.c.gmail_id == bindparam("item")))
_ALL = compile_query(_THINGS.where(_message.c.is_draft == 0))
_BY_SUBJECT = compile_query(
    _THINGS.where(
        or_(_message.c.subject == bindparam("pattern"), _message.c.subject.op("GLOB")(bindparam("glob"))),
        _message.c.is_draft == 0,
        _copy.c.id == select(func.min(_first.c.id)).where(_first.c.message == _message.c.id).scalar_subquery(),
    )
)
_ANSWERS = compile_query(
    select(_message.c.id, _mailbox.c.person)
    .join(_mailbox, _mailbox.c.id == _message.c.author)
    .where(
        or_(_message.c.thread == bindparam("thread"), _message.c.id == bindparam("thread")),
        _message.c.id > bindparam("message"),
        _message.c.is_draft == 0,
    )
    .order_by(_message.c.id)
)


def path_of(rows: Rows, table: str, row: Row) -> str:
    """`gmail:ida.message/19d1a2b3c4d5e6f7`, `gmail:ida.draft/r1860…`, `gmail:ida.label/Label_1`, `gmail:mailbox/ida`.

    A message as such is at the path of its author's copy.
    """
    match table:
        case "gmail_mailbox":
            return f"gmail:mailbox/{row.text('person')}"
        case "gmail_group":
            return f"gmail:group/{row.text('name')}"
        case "gmail_member":
            group = rows.get(_group, row.number("group"))
            return f"gmail:group/{group.text('name') if group else 'gone'}.member/{_person(rows, row['mailbox'])}"
        case "gmail_label":
            return f"gmail:{_person(rows, row['owner'])}.label/{row.text('label_id')}"
        case "gmail_copy":
            return _copy_path(_person(rows, row["owner"]), row)
        case "gmail_attachment":
            message = rows.get(_message, row.number("message"))
            return f"{path_of(rows, 'gmail_message', message) if message else 'gone'}.attachment/{row.text('filename')}"
    copy = rows.one(_FIRST_COPY, message=row.number("id"))
    if copy is not None:
        return path_of(rows, "gmail_copy", copy)
    return f"gmail:{_person(rows, row['author'])}.{'draft' if row['is_draft'] else 'message'}/{row.text('rfc_id')}"


def _person(rows: Rows, mailbox: Value) -> str:
    found = rows.get(_mailbox, mailbox) if isinstance(mailbox, int) else None
    return found.text("person") if found else "gone"


def _copy_path(person: str, copy: Row) -> str:
    if "DRAFT" in label_ids(copy):
        return f"gmail:{person}.draft/{draft_id(copy)}"
    return f"gmail:{person}.message/{copy.text('gmail_id')}"


def find(rows: Rows, pattern: str) -> list[Thing]:
    """Messages: copies by `ida.message/19d1…`, else each message once by its subject (`Refund for*`), drafts left out."""
    person, is_path, item = pattern.partition(".message/")
    if not is_path:
        return [_thing(rows, row) for row in rows.all(_BY_SUBJECT, pattern=pattern, glob=glob_of(pattern))]
    if "*" not in pattern:
        return [_thing(rows, row) for row in rows.all(_BY_PATH, person=person, item=item)]
    found = (row for row in rows.all(_ALL) if fits(f"{row.text('person')}.message/{row.text('gmail_id')}", pattern))
    return [_thing(rows, row) for row in found]


def _thing(rows: Rows, row: Row) -> Thing:
    thread = row["thread"] if row["thread"] is not None else row["message"]
    answers = [
        found
        for found in rows.all(_ANSWERS, thread=thread, message=row["message"])
        if found["person"] != _person(rows, row["author"])
    ]
    files = attachments(rows, row.number("message"))
    fields: JsonObject = {
        "subject": row.text("subject"),
        "body": row.text("body"),
        "from": _person(rows, row["author"]) if row["author"] is not None else "mailer-daemon",
        "to": _names(rows, addresses_in(row.text("to"))),
        "cc": _names(rows, addresses_in(row.text("cc"))),
        "bcc": _names(rows, addresses_in(row.text("bcc"))),
        "sent": iso(row.number("at_us")),
        "labels": [*label_ids(row)],
        "read": bool(row["is_read"]),
        "starred": bool(row["is_starred"]),
        "trashed": bool(row["is_trashed"]),
        "thread": _thread(rows, row),
        "attachments": [one.text("filename") for one in files],
        "answered_by": list(dict.fromkeys(found.text("person") for found in answers)),
    }
    own = (("gmail_message", row.number("message")), ("gmail_copy", row.number("id")))
    return Thing(
        _copy_path(row.text("person"), row),
        fields,
        (
            *own,
            *(("gmail_attachment", one.number("id")) for one in files),
            *(("gmail_message", found.number("id")) for found in answers),
        ),
    )


def _thread(rows: Rows, row: Row) -> str:
    """The path of the message that a message's conversation began with, empty where it began one itself."""
    first = rows.get(_message, row.number("thread")) if row["thread"] is not None else None
    return path_of(rows, "gmail_message", first) if first else ""


def _names(rows: Rows, addresses: Iterable[Address]) -> list[Json]:
    return [_name(rows, address) for address in addresses]


def _name(rows: Rows, address: Address) -> str:
    """Somebody's short name or a group's name, the address itself where it is neither's."""
    mailbox = mailbox_at(rows, address.email)
    group = group_at(rows, address.email)
    return mailbox.text("person") if mailbox else group.text("name") if group else address.email
