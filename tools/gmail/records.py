"""The only writer of Gmail's tables, for operations and for the people of the world alike."""

from collections.abc import Callable, Container
from dataclasses import dataclass, replace

import orjson
from sqlalchemy import Integer, Table, bindparam, select, union_all

from brownout.core.apps import Call
from brownout.core.calls import Account
from brownout.core.instants import Instant
from brownout.core.rows import Row, Value
from brownout.store import compile_query
from tools.gmail import mailbox as seen
from tools.gmail import tables
from tools.gmail.addresses import Address, addresses_in, listed
from tools.gmail.directory import Directory

__all__ = [
    "Attachment",
    "NewMail",
    "add_group",
    "add_label",
    "add_mailbox",
    "change_draft",
    "discard_draft",
    "forward",
    "gmail_id",
    "mark",
    "path_of_copy",
    "put_labels",
    "rfc_id",
    "save_draft",
    "send",
    "send_draft",
    "thread_of",
]

_mailbox, _group, _member, _label = tables.mailbox, tables.group, tables.member, tables.label
_message, _copy = tables.message, tables.copy

_RFC_TAKEN = compile_query(select(_message.c.id).where(_message.c.rfc_id == bindparam("rfc_id")))
_ID_TAKEN = compile_query(
    select(_copy.c.id).where(_copy.c.owner == bindparam("owner"), _copy.c.gmail_id == bindparam("gmail_id"))
)
_of_conversation = union_all(
    select(bindparam("thread", type_=Integer)), select(_message.c.id).where(_message.c.thread == bindparam("thread"))
)
_THREAD_ID = compile_query(
    select(_copy.c.thread_id)
    .where(_copy.c.message.in_(_of_conversation), _copy.c.owner == bindparam("owner"))
    .order_by(_copy.c.id + 0)  # by the conversation's few messages, and not through everything that somebody has
    .limit(1)
)
_POSTMASTER = "Mail Delivery Subsystem <mailer-daemon@googlemail.com>"
_BOUNCE = """** Address not found **

Your message wasn't delivered to {email} because the address couldn't be found, or is unable to receive mail.

The response was:

550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email \
address for typos or unnecessary spaces. For more information, go to https://support.google.com/mail/?p=NoSuchUser
"""
_LONGEST_NOTICE = 1_000


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes with a mail; `content` is its text, or of other files than text what it holds in base64."""

    filename: str
    mime_type: str
    content: str


@dataclass(frozen=True, slots=True)
class NewMail:
    """What somebody writes to whom."""

    to: tuple[Address, ...]
    subject: str
    body: str
    cc: tuple[Address, ...] = ()
    bcc: tuple[Address, ...] = ()
    attachments: tuple[Attachment, ...] = ()

    @property
    def recipients(self) -> tuple[Address, ...]:
        """Everybody it is meant for."""
        return (*self.to, *self.cc, *self.bcc)


def path_of_copy(owner: Row, copy: Row) -> str:
    """`gmail:ida.message/19d1a2b3c4d5e6f7`."""
    return f"gmail:{owner.text('person')}.message/{copy.text('gmail_id')}"


# -- people -------------------------------------------------------------------------------------------------


def add_mailbox(call: Call, account: Account) -> int:
    """Make somebody's mailbox."""
    email = account.email.lower()
    return call.rows.insert(
        _mailbox,
        person=account.person,
        name=account.name,
        email=email,
        domain=email.rpartition("@")[2],
        is_outside=int(account.kind == "outsider"),
    )


def add_group(call: Call, name: str, email: str, members: list[Row]) -> int:
    """Make an address whose mail goes to several people."""
    key = call.rows.insert(_group, name=name, email=email.lower())
    for one in members:
        call.rows.insert(_member, group=key, mailbox=one.number("id"))
    return key


# -- mail ---------------------------------------------------------------------------------------------------


def send(call: Call, author: Row, letter: NewMail, *, parent: Row | None = None) -> Row:
    """Send a letter, as an answer to `parent` if given, and tell those who get it; returns the author's copy."""
    return _post(call, author, _write(call, author, letter, parent=parent))


def send_draft(call: Call, author: Row, draft: Row) -> Row:
    """Send what a draft says, as another message; the draft's own rows stay as they are and out of sight."""
    letter = NewMail(
        addresses_in(draft.text("to")),
        draft.text("subject"),
        draft.text("body"),
        addresses_in(draft.text("cc")),
        addresses_in(draft.text("bcc")),
    )
    return _post(call, author, _write(call, author, letter, draft=draft), thread_id=draft.text("thread_id"))


def forward(call: Call, author: Row, letter: NewMail, copy: Row) -> Row:
    """Send a letter that passes a message on with its attachments: in the author's own thread, an answer to nobody.

    Returns the author's copy.
    """
    passed_on = tuple(
        Attachment(row.text("filename"), row.text("mime_type"), row.text("content"))
        for row in seen.attachments(call.rows, copy.number("message"))
    )
    whole = replace(letter, attachments=(*letter.attachments, *passed_on))
    return _post(call, author, _write(call, author, whole), thread_id=copy.text("thread_id"))


def _write(
    call: Call,
    author: Row,
    letter: NewMail,
    *,
    parent: Row | None = None,
    draft: Row | None = None,
    is_draft: bool = False,
) -> Row:
    """Store a message; with a draft it takes the draft's place in its conversation."""
    place: dict[str, Value] = {}
    if parent is not None:
        place = {"thread": _conversation(parent), "in_reply_to": parent["rfc_id"]}
    elif draft is not None:
        place = {"thread": draft["thread"], "in_reply_to": draft["in_reply_to"], "draft": draft["message"]}
    key = call.rows.insert(
        _message,
        rfc_id=rfc_id(call, author, call.now),
        author=author.number("id"),
        sender=str(Address(author.text("email"), author.text("name"))),
        **_texts(call, letter),
        at_us=call.now,
        is_draft=int(is_draft),
        **place,
    )
    for one in letter.attachments:
        call.rows.insert(
            tables.attachment, message=key, filename=one.filename, mime_type=one.mime_type, content=one.content
        )
    return _row(call, _message, key)


def _texts(call: Call, letter: NewMail) -> dict[str, Value]:
    directory = Directory(call.rows)
    named = {
        name: listed([directory.with_name(address) for address in addresses])
        for name, addresses in (("to", letter.to), ("cc", letter.cc), ("bcc", letter.bcc))
    }
    return {**named, "subject": letter.subject, "body": letter.body}


def _post(call: Call, author: Row, message: Row, *, thread_id: str = "") -> Row:
    """Give everyone their copy, the author's first, and send back what cannot be delivered."""
    columns = [message.text(name) for name in ("to", "cc", "bcc")]
    found = Directory(call.rows).deliveries([address for column in columns for address in addresses_in(column)])
    to_self = any(one.mailbox["id"] == author["id"] and one.via is None for one in found.to)
    labels = ["SENT", "INBOX"] if to_self else ["SENT"]
    own = _give(call, message, author, labels, is_read=not to_self, thread_id=thread_id)
    for one in found.to:
        if one.mailbox["id"] != author["id"]:
            copy = _give(call, message, one.mailbox, ["INBOX"], via=one.via)
            _tell(call, one.mailbox, copy, author.text("name"), message)
    for address in found.unknown:
        _bounce(call, author, message, address)
    return own


def _bounce(call: Call, author: Row, message: Row, address: Address) -> None:
    """Tell the author that an address does not exist, in the conversation, as Gmail does."""
    key = call.rows.insert(
        _message,
        rfc_id=_bounce_id(call, message, address),
        sender=_POSTMASTER,
        to=listed([Address(author.text("email"), author.text("name"))]),
        subject="Delivery Status Notification (Failure)",
        body=_BOUNCE.format(email=address.email),
        at_us=call.now,
        thread=_conversation(message),
        in_reply_to=message.text("rfc_id"),
    )
    notice = _row(call, _message, key)
    copy = _give(call, notice, author, ["INBOX"])
    _tell(call, author, copy, "Mail Delivery Subsystem", notice)


def _give(
    call: Call,
    message: Row,
    owner: Row,
    labels: list[str],
    *,
    is_read: bool = False,
    via: int | None = None,
    thread_id: str = "",
) -> Row:
    """Put a message into a mailbox."""
    own_id = gmail_id(call, message.text("rfc_id"), message.number("at_us"), owner)
    if not thread_id and message["thread"] is not None:
        thread_id = thread_of(call, owner, message.number("thread"))
    key = call.rows.insert(
        _copy,
        message=message.number("id"),
        owner=owner.number("id"),
        gmail_id=own_id,
        thread_id=thread_id or own_id,
        labels=orjson.dumps(labels).decode(),
        is_read=int(is_read),
        via=via,
        changed_us=call.now,
    )
    return _row(call, _copy, key)


def _tell(call: Call, owner: Row, copy: Row, name: str, message: Row) -> None:
    text = " ".join(f"{name}: {message.text('subject')} - {message.text('body')}".split())
    shown = text if len(text) <= _LONGEST_NOTICE else text[:_LONGEST_NOTICE] + "…"
    call.reach(owner.text("person"), "mail", path_of_copy(owner, copy), shown)


# -- drafts -------------------------------------------------------------------------------------------------


def save_draft(call: Call, author: Row, letter: NewMail, *, parent: Row | None = None) -> Row:
    """Keep a letter without sending it; returns the author's copy."""
    message = _write(call, author, letter, parent=parent, is_draft=True)
    return _give(call, message, author, ["DRAFT"], is_read=True)


def change_draft(call: Call, draft: Row, letter: NewMail) -> None:
    """Write a draft anew; it keeps its place in a conversation."""
    call.rows.update(_message, draft.number("message"), **_texts(call, letter), at_us=call.now)
    call.rows.update(_copy, draft.number("id"), changed_us=call.now)


def discard_draft(call: Call, draft: Row) -> None:
    """Throw a draft away for good."""
    call.rows.delete(_copy, draft.number("id"))
    call.rows.delete(_message, draft.number("message"))


# -- labels and marks ---------------------------------------------------------------------------------------


def mark(call: Call, copy: Row, **marks: bool) -> Row:
    """Set `is_read`, `is_starred` or `is_trashed` of a copy; returns it as it is then."""
    real: dict[str, Value] = {name: int(on) for name, on in marks.items() if copy[name] != int(on)}
    if not real:
        return copy
    call.rows.update(_copy, copy.number("id"), **real, changed_us=call.now)
    return Row(copy | real)


def put_labels(call: Call, copy: Row, labels: list[str]) -> Row:
    """Replace the labels that a copy's column holds; returns it as it is then."""
    if labels == seen.kept_labels(copy):
        return copy
    text = orjson.dumps(labels).decode()
    call.rows.update(_copy, copy.number("id"), labels=text, changed_us=call.now)
    return Row(copy | {"labels": text})


def add_label(call: Call, owner: Row, name: str) -> Row:
    """Make a label of somebody's own."""
    number = len(seen.labels_of(call.rows, owner.number("id"))) + 1
    key = call.rows.insert(_label, owner=owner.number("id"), label_id=f"Label_{number}", name=name)
    return _row(call, _label, key)


# -- ids ----------------------------------------------------------------------------------------------------


def _conversation(message: Row) -> int:
    return message.number("thread") if message["thread"] is not None else message.number("id")


def thread_of(call: Call, owner: Row, conversation: int) -> str:
    """The id that somebody knows a conversation by, empty where they have nothing of it."""
    earlier = call.rows.scalar(_THREAD_ID, owner=owner.number("id"), thread=conversation)
    return str(earlier) if earlier is not None else ""


def rfc_id(call: Call, author: Row, at: Instant, taken: Container[str] = ()) -> str:
    """A free Message-ID; the company's mail is Gmail's, everybody else's is their own domain's."""
    stream = call.stream("gmail", "message", author.text("email"), at)
    before, host = ("", author.text("domain")) if author["is_outside"] else ("CA", "mail.gmail.com")
    return _free_rfc_id(call, lambda: f"{before}{stream.hex(32)}@{host}", taken)


def _bounce_id(call: Call, message: Row, address: Address) -> str:
    stream = call.stream("gmail", "bounce", message.text("rfc_id"), address.email)
    return _free_rfc_id(call, lambda: f"{stream.hex(24)}@mx.google.com")


def _free_rfc_id(call: Call, draw: Callable[[], str], taken: Container[str] = ()) -> str:
    return _first(draw, lambda name: name not in taken and call.rows.scalar(_RFC_TAKEN, rfc_id=name) is None)


def gmail_id(call: Call, rfc: str, at: Instant, owner: Row, taken: Container[tuple[int, str]] = ()) -> str:
    """A free id as Gmail makes them: milliseconds since 1970, then twenty bits of its own (metaspike.com/dates-gmail-message-id-thread-id-timestamps)."""
    stream = call.stream("gmail", "copy", rfc, owner.text("person"))
    key = owner.number("id")
    return _first(
        lambda: f"{at // 1_000:011x}{stream.hex(5)}",
        lambda name: (key, name) not in taken and call.rows.scalar(_ID_TAKEN, owner=key, gmail_id=name) is None,
    )


def _first(draw: Callable[[], str], is_free: Callable[[str], bool]) -> str:
    while not is_free(name := draw()):
        pass
    return name


def _row(call: Call, table: Table, key: int) -> Row:
    found = call.rows.get(table, key)
    assert found is not None
    return found
