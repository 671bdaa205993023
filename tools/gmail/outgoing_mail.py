"""What was typed to be sent: addresses and subject checked, and the place in a thread, refused in Gmail's words."""

from email.utils import format_datetime

from brownout.core.apps import Call
from brownout.core.instants import to_datetime
from brownout.core.rows import Row
from tools.gmail import mailbox
from tools.gmail.addresses import (
    Address,
    InvalidAddress,
    addresses_in,
    answer_subject,
    base_subject,
    forwarded_subject,
    parse_addresses,
)
from tools.gmail.errors import GmailError, not_found
from tools.gmail.records import NewMail

__all__ = ["addresses", "answer_to", "forwarding", "letter", "need_recipients", "no_recipient"]


def letter(parent: Row | None, to: list[str], cc: list[str], bcc: list[str], subject: str, body: str) -> NewMail:
    """The letter; one that answers `parent` and has no subject takes it from there.

    Raises:
        GmailError: something is no address.
    """
    subject = subject or (answer_subject(parent.text("subject")) if parent else "")
    return NewMail(addresses("To", to), subject, body, addresses("Cc", cc), addresses("Bcc", bcc))


def addresses(header: str, texts: list[str]) -> tuple[Address, ...]:
    """The addresses that were typed into a header.

    Raises:
        GmailError: something is no address.
    """
    try:
        return parse_addresses(texts)
    except InvalidAddress:
        raise GmailError(400, f"Invalid {header} header") from None


def forwarding(message: Row, to: list[str], cc: list[str], bcc: list[str], body: str) -> NewMail:
    """A letter that passes a message on, with the header that Gmail's clients write above it.

    Raises:
        GmailError: something is no address.
    """
    head = [
        "---------- Forwarded message ---------",
        f"From: {message.text('sender')}",
        f"Date: {format_datetime(to_datetime(message.number('at_us')))}",
        f"Subject: {message.text('subject')}",
        *(
            f"{name.title()}: {', '.join(map(str, found))}"
            for name in ("to", "cc")
            if (found := addresses_in(message.text(name)))
        ),
    ]
    passed_on = "\n".join(head) + f"\n\n{message.text('body')}"
    subject = forwarded_subject(message.text("subject"))
    text = f"{body}\n\n{passed_on}" if body else passed_on
    return NewMail(addresses("To", to), subject, text, addresses("Cc", cc), addresses("Bcc", bcc))


def need_recipients(wanted: NewMail) -> None:
    """Refuse a letter to nobody.

    Raises:
        GmailError: it is to nobody.
    """
    if not wanted.recipients:
        raise no_recipient()


def no_recipient() -> GmailError:
    """The letter is to nobody."""
    return GmailError(400, "Recipient address required")


def answer_to(call: Call, me: Row, thread_id: str, subject: str) -> Row | None:
    """The last message of a thread that is to go on, None where no thread is, or where another subject begins a new one.

    Raises:
        GmailError: there is no such thread.
    """
    if not thread_id:
        return None
    rows = mailbox.thread(call.rows, me.number("id"), thread_id)
    if not rows:
        raise not_found()
    sent = [row for row in rows if not row["is_draft"]]
    if not sent or (subject and base_subject(subject) != base_subject(sent[-1].text("subject"))):
        return None
    return mailbox.message_of(call.rows, sent[-1])
