"""What an account may do in its mailbox, after the Gmail API's methods (bodies as plain text)."""

from typing import Annotated

from pydantic import Field

from brownout.core.apps import Call
from brownout.core.operations import Operations
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject
from tools.gmail import directory, mailbox, outgoing_mail, records, serializers
from tools.gmail.addresses import answer_subject
from tools.gmail.errors import GmailError, no_mailbox, not_found
from tools.gmail.labels import relabelling
from tools.gmail.search import MailPage, search_messages, search_threads
from tools.gmail.serializers import Format
from tools.page_cursors import InvalidCursor

__all__ = ["operations"]

operations = Operations("gmail")

MessageId = Annotated[str, Field(min_length=1, max_length=32)]
ThreadId = Annotated[str, Field(max_length=32)]
DraftId = Annotated[str, Field(min_length=2, max_length=32)]
Limit = Annotated[int, Field(ge=1, le=100)]
PageToken = Annotated[str, Field(max_length=100)]
Subject = Annotated[str, Field(max_length=998, pattern=r"^[^\r\n]*$")]
Word = Annotated[str, Field(max_length=500)]
Body = Annotated[str, Field(max_length=200_000)]
To = Annotated[list[Word], Field(description="sam@example.com or Sam Doe <sam@example.com>", max_length=100)]
Copies = Annotated[list[Word], Field(max_length=100)]
Labels = Annotated[list[Word], Field(description="Ids or names: INBOX, SPAM, IMPORTANT, STARRED, UNREAD, Label_1.")]
Query = Annotated[str, Field(max_length=2_000)]


# -- reading ------------------------------------------------------------------------------------------------


@operations.read
def search(call: Call, q: Query = "", max_results: Limit = 20, page_token: PageToken = "") -> Json:
    """Search your messages, newest first; without a query, all of them.

    Operators: from: to: cc: bcc: subject: label: in:inbox|sent|drafts|trash|spam|anywhere is:unread|read|starred
    after:2026/03/01 before: newer_than:2d older_than: larger: rfc822msgid: list: "a phrase", OR, -not, (a b), {a b}.
    Trash and spam are left out unless asked for. Bodies: gmail_get_message.
    """
    page = _page(call, q, max_results, page_token)
    return _listed("messages", [_shown(call, row, "metadata") for row in page.rows], page)


@operations.read
def list_threads(call: Call, q: Query = "", max_results: Limit = 20, page_token: PageToken = "") -> Json:
    """List the threads that have a message found by a query, newest first."""
    me = _me(call)
    try:
        page = search_threads(call, me, q, limit=max_results, token=page_token)
    except InvalidCursor:
        raise GmailError(400, "Invalid pageToken") from None
    threads: list[Json] = []
    for row in page.rows:
        messages = mailbox.thread(call.rows, me.number("id"), row.text("thread_id"))
        threads.append(
            {
                "id": row.text("thread_id"),
                "subject": messages[0].text("subject"),
                "messages": len(messages),
                "snippet": serializers.snippet(messages[-1].text("body")),
                "historyId": serializers.history_id(messages),
            }
        )
    return _listed("threads", threads, page)


@operations.read
def get_message(
    call: Call,
    message_id: MessageId,
    format: Annotated[  # noqa: A002 (Gmail's name)
        Format, Field(description="metadata: headers only; minimal: labels only.")
    ] = "full",
) -> Json:
    """Get a message. Reading does not mark it as read."""
    return _shown(call, _message(call, message_id), format)


@operations.read
def get_thread(
    call: Call,
    thread_id: ThreadId,
    format: Annotated[Format, Field(description="As in gmail_get_message.")] = "full",  # noqa: A002 (Gmail's name)
) -> Json:
    """Get all messages of a thread, oldest first."""
    rows = mailbox.thread(call.rows, _me(call).number("id"), thread_id)
    if not rows:
        raise not_found()
    return {
        "id": rows[0].text("thread_id"),
        "historyId": serializers.history_id(rows),
        "messages": [_shown(call, row, format) for row in rows],
    }


@operations.read
def get_profile(call: Call) -> Json:
    """Get your own address and how much is in your mailbox."""
    me = _me(call)
    row = mailbox.profile(call.rows, me.number("id"))
    return {
        "emailAddress": me.text("email"),
        "messagesTotal": row.number("messages"),
        "threadsTotal": row.number("threads"),
        "historyId": serializers.history_id([row]),
    }


@operations.read
def search_directory(
    call: Call,
    query: Annotated[str, Field(description="Part of a name or address.", max_length=200)] = "",
    page_size: Limit = 30,
) -> Json:
    """Find the addresses of your company's people and groups."""
    wanted = query.strip().lower()
    known = [(row.text("name"), row.text("email"), "PROFILE") for row in directory.insiders(call.rows)]
    known += [(row.text("name"), row.text("email"), "GROUP") for row in directory.groups(call.rows)]
    found = [one for one in known if wanted in one[0].lower() or wanted in one[1]]
    people: list[Json] = [
        {"names": [{"displayName": name}], "emailAddresses": [{"value": email}], "sourceType": kind}
        for name, email, kind in found[:page_size]
    ]
    return {"people": people, "totalSize": len(found)}


# -- sending ------------------------------------------------------------------------------------------------


@operations.write(addition=True)
def send(
    call: Call,
    to: To,
    subject: Subject = "",
    body: Body = "",
    cc: Copies = [],  # noqa: B006 (a schema's default, never changed)
    bcc: Copies = [],  # noqa: B006
    thread_id: Annotated[ThreadId, Field(description="To continue; a changed subject starts a new one.")] = "",
) -> Json:
    """Send a mail. To answer a message, gmail_reply is shorter."""
    me = _me(call)
    parent = outgoing_mail.answer_to(call, me, thread_id, subject)
    letter = outgoing_mail.letter(parent, to, cc, bcc, subject, body)
    outgoing_mail.need_recipients(letter)
    return serializers.minimal(records.send(call, me, letter, parent=parent))


@operations.write(addition=True)
def reply(
    call: Call,
    message_id: MessageId,
    body: Annotated[str, Field(description="What it answers is not quoted.", min_length=1, max_length=200_000)],
    reply_all: bool = False,
    cc: Copies = [],  # noqa: B006 (a schema's default, never changed)
) -> Json:
    """Answer a message in its thread: to its sender, or to those it went to if you sent it."""
    me = _me(call)
    parent = _message(call, message_id)
    if parent["is_draft"]:
        raise not_found()
    to, others = directory.answered(me, parent, everyone=reply_all)
    more = outgoing_mail.addresses("Cc", cc)
    letter = records.NewMail(to, answer_subject(parent.text("subject")), body, tuple(dict.fromkeys((*others, *more))))
    outgoing_mail.need_recipients(letter)
    return serializers.minimal(records.send(call, me, letter, parent=mailbox.message_of(call.rows, parent)))


@operations.write(addition=True)
def forward(
    call: Call,
    message_id: MessageId,
    to: To,
    body: Annotated[Body, Field(description="Stands above it.")] = "",
    cc: Copies = [],  # noqa: B006 (a schema's default, never changed)
    bcc: Copies = [],  # noqa: B006
) -> Json:
    """Forward a message as it is to somebody else."""
    me = _me(call)
    passed_on = _message(call, message_id)
    if passed_on["is_draft"]:
        raise not_found()
    letter = outgoing_mail.forwarding(passed_on, to, cc, bcc, body)
    outgoing_mail.need_recipients(letter)
    return serializers.minimal(records.forward(call, me, letter, passed_on))


# -- drafts -------------------------------------------------------------------------------------------------


@operations.write(harmless=True)
def create_draft(
    call: Call,
    to: To = [],  # noqa: B006 (a schema's default, never changed)
    subject: Subject = "",
    body: Body = "",
    cc: Copies = [],  # noqa: B006
    bcc: Copies = [],  # noqa: B006
    thread_id: ThreadId = "",
) -> Json:
    """Write a draft. Nobody sees it until it is sent with gmail_send_draft."""
    me = _me(call)
    parent = outgoing_mail.answer_to(call, me, thread_id, subject)
    letter = outgoing_mail.letter(parent, to, cc, bcc, subject, body)
    made = records.save_draft(call, me, letter, parent=parent)
    return {"id": mailbox.draft_id(made), "message": serializers.minimal(made)}


@operations.write(harmless=True)
def update_draft(
    call: Call,
    draft_id: DraftId,
    to: To,
    subject: Subject,
    body: Body,
    cc: Copies = [],  # noqa: B006 (a schema's default, never changed)
    bcc: Copies = [],  # noqa: B006
) -> Json:
    """Replace what a draft says; everything not given is emptied."""
    draft = _draft(call, draft_id)
    records.change_draft(call, draft, outgoing_mail.letter(None, to, cc, bcc, subject, body))
    return {"id": mailbox.draft_id(draft), "message": serializers.minimal(draft)}


@operations.read
def list_drafts(call: Call, max_results: Limit = 20, page_token: PageToken = "") -> Json:
    """List your drafts, newest first, with their text."""
    page = _page(call, "in:drafts", max_results, page_token)
    return _listed("drafts", [serializers.draft_json(row, "full") for row in page.rows], page)


@operations.write(addition=True)
def send_draft(call: Call, draft_id: DraftId) -> Json:
    """Send a draft as it is. The message it becomes has another id; the draft is gone."""
    draft = _draft(call, draft_id)
    if not any(draft[name] != "[]" for name in ("to", "cc", "bcc")):
        raise outgoing_mail.no_recipient()
    return serializers.minimal(records.send_draft(call, _me(call), draft))


@operations.write(harmless=True)
def delete_draft(call: Call, draft_id: DraftId) -> Json:
    """Throw a draft away for good."""
    records.discard_draft(call, _draft(call, draft_id))
    return {}


# -- labels and marks ---------------------------------------------------------------------------------------


@operations.read
def list_labels(call: Call) -> Json:
    """List Gmail's labels and your own, with how many messages have them."""
    me = _me(call).number("id")
    counts = mailbox.label_counts(call.rows, me)
    own = [(row.text("label_id"), row.text("name"), "user") for row in mailbox.labels_of(call.rows, me)]
    shown: list[Json] = []
    for label_id, name, kind in (*((name, name, "system") for name in mailbox.SYSTEM_LABELS), *own):
        count = counts.get(label_id, mailbox.LabelCount())
        label: JsonObject = {"id": label_id, "name": name, "type": kind}
        shown.append({**label, "messagesTotal": count.messages, "messagesUnread": count.unread})
    return {"labels": shown}


@operations.write(addition=True)
def create_label(
    call: Call,
    name: Annotated[str, Field(description="a/b lies below a.", min_length=1, max_length=225)],
) -> Json:
    """Make a label of your own."""
    me = _me(call)
    wanted = " ".join(name.split())
    if not wanted.strip("/ "):
        raise GmailError(400, "Invalid label name")
    taken = {row.text("name").lower() for row in mailbox.labels_of(call.rows, me.number("id"))}
    if wanted.lower() in taken or wanted.upper() in mailbox.SYSTEM_LABELS:
        raise GmailError(409, "Label name exists or conflicts", "aborted")
    made = records.add_label(call, me, wanted)
    return {"id": made.text("label_id"), "name": made.text("name"), "type": "user"}


@operations.write(addition=True)
def modify_labels(
    call: Call,
    message_id: MessageId,
    add_label_ids: Labels = [],  # noqa: B006 (a schema's default, never changed)
    remove_label_ids: Labels = [],  # noqa: B006
) -> Json:
    """Put labels on a message and take others off; taking INBOX off archives it."""
    row = _message(call, message_id)
    own = mailbox.labels_of(call.rows, row.number("owner"))
    change = relabelling(row, own, add_label_ids, remove_label_ids)
    marked = records.mark(call, row, **change.marks)
    return serializers.minimal(records.put_labels(call, marked, change.kept))


@operations.write(harmless=True)
def mark_read(
    call: Call,
    message_ids: Annotated[list[MessageId], Field(min_length=1, max_length=1000)],
    read: bool = True,
) -> Json:
    """Mark messages as read or unread."""
    rows = [_message(call, message_id) for message_id in dict.fromkeys(message_ids)]
    return {"messages": [serializers.minimal(records.mark(call, row, is_read=read)) for row in rows]}


@operations.write(harmless=True)
def star_message(call: Call, message_id: MessageId, starred: bool = True) -> Json:
    """Put a star on a message, for yourself."""
    return serializers.minimal(records.mark(call, _message(call, message_id), is_starred=starred))


@operations.write(addition=True)
def trash_message(call: Call, message_id: MessageId) -> Json:
    """Move a message to the trash."""
    return serializers.minimal(records.mark(call, _message(call, message_id), is_trashed=True))


@operations.write(addition=True)
def untrash_message(call: Call, message_id: MessageId) -> Json:
    """Take a message out of the trash; it has the labels that it had before."""
    return serializers.minimal(records.mark(call, _message(call, message_id), is_trashed=False))


# -- what they share ----------------------------------------------------------------------------------------


def _me(call: Call) -> Row:
    found = directory.mailbox_of(call.rows, call.actor.person)
    if found is None:
        raise no_mailbox()
    return found


def _message(call: Call, message_id: str) -> Row:
    found = mailbox.found(call.rows, _me(call).number("id"), message_id)
    if found is None:
        raise not_found()
    return found


def _shown(call: Call, row: Row, form: Format) -> JsonObject:
    """A message with the files that go with it."""
    files = () if form == "minimal" else mailbox.attachments(call.rows, row.number("message"))
    return serializers.message_json(row, form, files)


def _draft(call: Call, draft_id: str) -> Row:
    found = mailbox.found_draft(call.rows, _me(call).number("id"), draft_id)
    if found is None:
        raise not_found()
    return found


def _page(call: Call, query: str, limit: int, token: str) -> MailPage:
    try:
        return search_messages(call, _me(call), query, limit=limit, token=token)
    except InvalidCursor:
        raise GmailError(400, "Invalid pageToken") from None


def _listed(name: str, items: list[JsonObject] | list[Json], page: MailPage) -> JsonObject:
    answer: JsonObject = {name: [*items], "resultSizeEstimate": page.estimate}
    return {**answer, "nextPageToken": page.token} if page.token else answer
