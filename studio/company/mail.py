"""Mail: mailboxes, searches and threads, read through Gmail's own operations."""

from email.utils import getaddresses, parseaddr

from brownout.core.instants import SECOND, Instant
from brownout.core.values import JsonObject
from studio.company.company_view import PersonView, ViewRefused
from studio.company.pane_content import (
    Block,
    PreviewQuestion,
    PreviewReading,
    ShownLine,
    ShownLines,
    ShownName,
    ShownPlace,
    ShownTag,
    SurfaceName,
    TimelineEntry,
)
from studio.company.paths import mail_key
from studio.company.vendor_json import items, number, text

__all__ = ["MailboxView"]

_BOXES = (
    ("in:inbox", "Inbox"),
    ("is:unread", "Unread"),
    ("is:starred", "Starred"),
    ("in:sent", "Sent"),
    ("in:anywhere", "All mail"),
    ("in:spam", "Spam"),
    ("in:trash", "Trash"),
)
_LABELS = {"in:inbox": "INBOX", "in:spam": "SPAM"}
"""The labels of boxes that say how much in them is unread."""
_COUNTED = 201
"""Gmail counts no further than this."""
_HIDDEN = frozenset({"INBOX", "SENT", "UNREAD", "IMPORTANT"})


class MailboxView:
    """Somebody's mailbox."""

    name: SurfaceName = "mail"
    app = "gmail"

    def places(self, eyes: PersonView) -> list[ShownPlace]:
        """Gmail's boxes, then the person's own labels."""
        labels = items(eyes.ask("gmail_list_labels"), "labels")
        looked = _looked(eyes)
        unread = {text(label, "id"): _unread(eyes, label, looked) for label in labels}
        boxes = [
            ShownPlace(query, label, "Mailbox", fresh=unread.get(_LABELS.get(query, ""), 0), why_fresh="unread")
            for query, label in _BOXES
        ]
        own = [
            ShownPlace(
                f'label:"{text(one, "name")}"', text(one, "name"), "Labels", "", unread[text(one, "id")], "unread"
            )
            for one in labels
            if text(one, "type") == "user"
        ]
        return [*boxes, *own]

    def lines(self, eyes: PersonView, asked: PreviewQuestion) -> ShownLines:
        """Messages, newest first."""
        looked = _looked(eyes)
        box = asked.place or "in:inbox"
        since = f"after:{looked}" if looked and box == "is:unread" else ""
        query = " ".join(filter(None, (box, since, asked.q)))
        page = eyes.ask("gmail_search", q=query, max_results=min(asked.most, 100), page_token=asked.cursor)
        about = number(page, "resultSizeEstimate")
        lines = tuple(_line(message, looked) for message in items(page, "messages"))
        return ShownLines(lines, text(page, "nextPageToken"), about if about < _COUNTED else None)

    def names(self, eyes: PersonView) -> list[ShownName]:
        """No words lead to a mail."""
        del eyes
        return []

    def reading(self, eyes: PersonView, item: str) -> PreviewReading:
        """The thread of a message; `item` is the message's id, or `rfc:` and its Message-ID."""
        message = _message(eyes, item)
        thread = eyes.ask("gmail_get_thread", thread_id=text(message, "threadId"))
        messages = items(thread, "messages")
        entries = tuple(_entry(one) for one in messages)
        count = len(entries)
        return PreviewReading(
            id=text(message, "id"),
            kicker="1 message" if count == 1 else f"{count} messages",
            title=_header(messages[0], "Subject") or "(no subject)",
            tags=_tags(message),
            path=_path(message),
            blocks=(Block(entries=entries),),
            written=_at(message),
        )


def _message(eyes: PersonView, item: str) -> JsonObject:
    """The message an item names.

    Raises:
        Refused: this mailbox has none.
    """
    if item.startswith("rfc:"):
        query = f"rfc822msgid:{item.removeprefix('rfc:')} in:anywhere"
        found = items(eyes.ask("gmail_search", q=query, max_results=1), "messages")
        if not found:
            name = eyes.viewing.setting.people[eyes.person].account.name
            raise ViewRefused(f"Mail not found in the mailbox of {name}; look as somebody who wrote or got it")
        return found[0]
    try:
        return eyes.ask("gmail_get_message", message_id=item, format="metadata")
    except ViewRefused as error:
        raise ViewRefused(f"Mail {item} not found") from error


def _looked(eyes: PersonView) -> int:
    """When somebody last looked into their mailbox, in seconds since 1970: at the end of their last day at work, or when they
    last wrote a mail. 0 for the agent and people outside: what the agent reads is recorded, of colleagues' reading little is.
    """
    profile = eyes.viewing.setting.people[eyes.person]
    if profile.account.kind != "person":
        return 0
    sent = items(eyes.ask("gmail_search", q="in:sent", max_results=1), "messages")
    closed = profile.attendance.last_closing(eyes.viewing.now) or 0
    return max([closed, *map(_at, sent)]) // SECOND + 1


def _unread(eyes: PersonView, label: JsonObject, looked: int) -> int:
    """How many messages with a label are unread and have come since its owner last looked."""
    recorded = number(label, "messagesUnread")
    if not recorded or not looked:
        return recorded
    query = f'label:"{text(label, "name")}" is:unread after:{looked}'
    return min(recorded, number(eyes.ask("gmail_search", q=query, max_results=1), "resultSizeEstimate"))


def _line(message: JsonObject, looked: int) -> ShownLine:
    labels = _labels(message)
    name, address = parseaddr(_header(message, "From"))
    is_own = "SENT" in labels and "INBOX" not in labels
    return ShownLine(
        id=text(message, "id"),
        at=_at(message),
        who=name or address,
        head=f"To: {_people(message, 'To')}" if is_own else "",
        title=_header(message, "Subject"),
        text=text(message, "snippet"),
        path=_path(message),
        tags=_tags(message),
        is_unread="UNREAD" in labels and _at(message) >= looked * SECOND,
    )


def _entry(message: JsonObject) -> TimelineEntry:
    name, address = parseaddr(_header(message, "From"))
    to, cc = _people(message, "To"), _people(message, "Cc")
    parts = items(message, "payload", "parts")
    files = [part for part in parts if text(part, "filename")]
    body = text(parts[0], "body", "data") if parts else text(message, "payload", "body", "data")
    return TimelineEntry(
        who=name or address,
        at=_at(message),
        text="\n\n".join([body, *map(_file, files)]),
        tags=tuple(ShownTag(text(one, "filename"), "gray") for one in files),
        path=_path(message),
        about=f"{address} · to {to}" + (f" · cc {cc}" if cc else ""),
    )


def _file(part: JsonObject) -> str:
    """A file that goes with a message: its name and size, and what it says where it is text."""
    head = f"Attachment: {text(part, 'filename')} ({number(part, 'body', 'size'):,} bytes)"
    if not text(part, "mimeType").startswith("text/"):
        return head
    return f"{head}\n```\n{text(part, 'body', 'data').strip()}\n```"


def _tags(message: JsonObject) -> tuple[ShownTag, ...]:
    shown = [label for label in _labels(message) if label not in _HIDDEN and not label.startswith("Label_")]
    return tuple(ShownTag(label.capitalize(), "orange" if label in ("SPAM", "TRASH") else "gray") for label in shown)


def _labels(message: JsonObject) -> list[str]:
    found = message.get("labelIds")
    return [str(label) for label in found] if isinstance(found, list) else []


def _header(message: JsonObject, name: str) -> str:
    headers = items(message, "payload", "headers")
    return next((text(header, "value") for header in headers if text(header, "name") == name), "")


def _people(message: JsonObject, header: str) -> str:
    """Who stands in a header, by name where there is one."""
    return ", ".join(name or address for name, address in getaddresses([_header(message, header)]) if name or address)


def _at(message: JsonObject) -> Instant:
    return number(message, "internalDate") * 1_000


def _path(message: JsonObject) -> str:
    return mail_key(_header(message, "Message-ID"))
