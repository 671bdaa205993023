"""Many mails at once, with the rows that the intent handlers would have written one by one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import orjson

from brownout.core.apps import Call, Intent
from brownout.core.instants import Instant
from brownout.core.rows import Row, Value
from tools.gmail import intent_handlers, records, tables
from tools.gmail.addresses import Address, answer_subject, listed
from tools.gmail.directory import Deliveries, Directory

__all__ = ["concerns", "write_many"]

_MESSAGE = ("rfc_id", "author", "sender", "to", "cc", "subject", "body", "at_us", "thread", "in_reply_to")
_ATTACHMENT = ("message", "filename", "mime_type", "content")
_COPY = ("message", "owner", "gmail_id", "thread_id", "labels", "is_read", "via", "changed_us")


def concerns(call: Call, intent: Intent, people: frozenset[str]) -> bool:
    """Whether one of these people might get the mail: it is to them, or to anything but known people's own mailboxes."""
    if intent.kind == "read":
        return False
    copied = intent.details.get("cc")
    named = (*intent.to, *(copied if isinstance(copied, list) else []))
    if not named or "bcc" in intent.details or not people.isdisjoint(map(str, named)):
        return True
    try:
        return not all(call.account(str(name)).email for name in named)
    except KeyError:
        return True


def write_many(call_at: Callable[[Instant], Call], deeds: Sequence[tuple[Instant, Intent]]) -> list[str]:
    """Write mails, and return the paths of their authors' copies."""
    return _MailBatch(call_at, deeds[0][0]).written(deeds)


@dataclass(frozen=True, slots=True)
class _Parent:
    """What a mail answers: its id, and the conversation it belongs to by its first message."""

    rfc_id: str
    conversation: int
    subject: str


class _MailBatch:
    """What is being written together: keys are known before the rows are there."""

    def __init__(self, call_at: Callable[[Instant], Call], at: Instant) -> None:
        self._call_at = call_at
        self._call = call_at(at)
        self._directory = Directory(self._call.rows)
        self._mailboxes: dict[str, Row] = {}
        self._addresses: dict[str, Address] = {}
        self._messages: list[tuple[Value, ...]] = []
        self._copies: list[tuple[Value, ...]] = []
        self._attachments: list[tuple[Value, ...]] = []
        self._sent: dict[str, _Parent] = {}
        self._rfc_ids: set[str] = set()
        self._gmail_ids: set[tuple[int, str]] = set()
        self._threads: dict[tuple[int, int], str] = {}
        self._paths: dict[str, str] = {}
        self._next = 0

    def written(self, deeds: Sequence[tuple[Instant, Intent]]) -> list[str]:
        self._next = self._call.rows.insert_many(tables.message, _MESSAGE, ())
        for at, intent in deeds:
            self._paths[intent.key] = self._sends(at, intent) or self._lives(at, intent)
        self._flush()
        return [self._paths[intent.key] for _, intent in deeds]

    def _flush(self) -> None:
        rows = self._call.rows
        rows.insert_many(tables.message, _MESSAGE, self._messages)
        rows.insert_many(tables.copy, _COPY, self._copies)
        if self._attachments:
            rows.insert_many(tables.attachment, _ATTACHMENT, self._attachments)
            self._attachments.clear()
        self._messages.clear()
        self._copies.clear()
        self._next = rows.insert_many(tables.message, _MESSAGE, ())

    def _lives(self, at: Instant, intent: Intent) -> str:
        """Whatever is no plain mail to known people goes the usual way, after what was before it."""
        self._flush()
        path = intent_handlers.handlers[intent.kind](self._call_at(at), intent)
        assert isinstance(path, str), intent.key
        self._next = self._call.rows.insert_many(tables.message, _MESSAGE, ())
        return path

    def _sends(self, at: Instant, intent: Intent) -> str:
        """The path of a mail that was written; empty where it is none of the plain kind."""
        if intent.kind == "read" or not intent.to or "bcc" in intent.details:
            return ""
        author, parent = self._mailbox(intent.who), self._parent(intent)
        copied = intent.details.get("cc")
        to = self._named(intent, intent.to)
        cc = self._named(intent, [str(one) for one in copied] if isinstance(copied, list) else [])
        found = self._directory.deliveries((*to, *cc))
        if found.unknown:
            return ""
        subject = intent.subject
        if not subject:
            subject = answer_subject(parent.subject) if parent else intent_handlers.subject_of(intent, None)
        key = self._next + len(self._messages)
        rfc_id = records.rfc_id(self._call, author, at, self._rfc_ids)
        conversation = parent.conversation if parent else key
        self._rfc_ids.add(rfc_id)
        self._sent[intent.key] = _Parent(rfc_id, conversation, subject)
        sender = str(Address(author.text("email"), author.text("name")))
        self._messages.append(
            (
                rfc_id, author.number("id"), sender, listed(to), listed(cc), subject, intent.text, at,
                conversation if parent else None, parent.rfc_id if parent else "",
            )
        )  # fmt: skip
        self._attachments += [
            (key, one.filename, one.mime_type, one.content) for one in intent_handlers.attachments_of(intent)
        ]
        return self._delivered(at, author, rfc_id, key, conversation, found, is_answer=parent is not None)

    def _delivered(
        self,
        at: Instant,
        author: Row,
        rfc_id: str,
        message: int,
        conversation: int,
        found: Deliveries,
        *,
        is_answer: bool,
    ) -> str:
        """Everyone's copies, the author's first; the path of that."""
        to_self = any(one.mailbox["id"] == author["id"] and one.via is None for one in found.to)
        own = ["SENT", "INBOX"] if to_self else ["SENT"]
        meant: list[tuple[Row, list[str], int, int | None]] = [(author, own, int(not to_self), None)]
        meant += [(one.mailbox, ["INBOX"], 0, one.via) for one in found.to if one.mailbox["id"] != author["id"]]
        path = ""
        for owner, labels, is_read, via in meant:
            own_id = records.gmail_id(self._call, rfc_id, at, owner, self._gmail_ids)
            key = owner.number("id")
            self._gmail_ids.add((key, own_id))
            thread = self._thread(owner, conversation) if is_answer else ""
            self._threads.setdefault((key, conversation), thread or own_id)
            self._copies.append(
                (message, key, own_id, thread or own_id, orjson.dumps(labels).decode(), is_read, via, at)
            )
            path = path or f"gmail:{owner.text('person')}.message/{own_id}"
        return path

    def _thread(self, owner: Row, conversation: int) -> str:
        key = owner.number("id"), conversation
        return self._threads.get(key) or records.thread_of(self._call, owner, conversation)

    def _parent(self, intent: Intent) -> _Parent | None:
        named = intent.details.get("thread")
        if isinstance(named, str) and named in self._sent:
            return self._sent[named]
        row = intent_handlers.parent_of(self._call, intent)
        if row is None:
            return None
        thread = row["thread"]
        conversation = thread if isinstance(thread, int) else row.number("id")
        return _Parent(row.text("rfc_id"), conversation, row.text("subject"))

    def _named(self, intent: Intent, names: Sequence[str]) -> list[Address]:
        """The addresses of people and groups, each once, as the header shows them."""
        found: dict[str, Address] = {}
        for name in names:
            if name not in self._addresses:
                for one in intent_handlers.addresses_of(self._call, intent, [name]):
                    self._addresses[name] = self._directory.with_name(one)
            if name in self._addresses:
                found.setdefault(self._addresses[name].email, self._addresses[name])
        return [*found.values()]

    def _mailbox(self, person: str) -> Row:
        if person not in self._mailboxes:
            self._mailboxes[person] = intent_handlers.mailbox_called(self._call, person)
        return self._mailboxes[person]
