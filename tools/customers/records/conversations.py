"""Conversations of the support inbox: what customers write, what is answered, who looks after it, how it stands."""

from brownout.core.apps import Call, Intent
from brownout.core.calls import Account
from brownout.core.instants import Instant
from brownout.core.rows import Row, Value
from tools.customers import tables
from tools.customers.paths import path_of_conversation

__all__ = [
    "assign",
    "merge",
    "name_account",
    "open_conversation",
    "receive",
    "reply",
    "set_status",
    "snooze",
    "wake",
    "went_out",
]

_conversation, _message = tables.conversation, tables.message


def open_conversation(
    call: Call,
    *,
    subject: str,
    name: str,
    email: str,
    account: Row | None,
    channel: str,
    thread: str = "",
    priority: str = "normal",
) -> Row:
    """Begin a conversation with somebody; what they say follows."""
    key = call.rows.insert(
        _conversation,
        subject=subject,
        account=account.number("id") if account else None,
        email=email.lower(),
        name=name,
        status="new",
        priority=priority,
        channel=channel,
        thread=thread,
        created_us=call.now,
        updated_us=call.now,
    )
    return _row(call, key)


def receive(
    call: Call, conversation: Row, sender: Account, text: str, *, is_ours: bool, mail: str = "", reopens: bool = True
) -> Row:
    """Keep what somebody said. A customer's word opens a conversation again unless it only thanks, ours waits for theirs."""
    key = call.rows.insert(
        _message,
        conversation=conversation.number("id"),
        is_ours=int(is_ours),
        name=sender.name,
        email=sender.email.lower(),
        person=sender.person,
        text=text,
        mail=mail,
        at_us=call.now,
    )
    status = conversation.text("status")
    if is_ours:
        status = "pending" if status in ("new", "open") else status
    elif reopens and status in ("pending", "snoozed", "solved", "closed"):
        status = "open"
    assignee = conversation.text("assignee") or (sender.person if is_ours else "")
    call.rows.update(
        _conversation,
        conversation.number("id"),
        **_standing(status, conversation),
        assignee=assignee,
        updated_us=call.now,
    )
    found = call.rows.get(_message, key)
    assert found is not None
    return found


def reply(call: Call, conversation: Row, text: str, *, last_mail: str) -> Row:
    """Answer whoever a conversation is with; the mail goes out as soon as mail works, in the thread of theirs."""
    made = receive(call, conversation, call.actor, text, is_ours=True)
    subject = conversation.text("subject")
    mail = Intent(
        kind="answer",
        key=f"{path_of_conversation(conversation)}.message/{made.number('id')}",
        who=call.actor.person,
        to=(conversation.text("email"),),
        via="gmail",
        subject=subject if subject.lower().startswith("re:") else f"Re: {subject}",
        text=text,
        details={"thread": last_mail} if last_mail else {},
    )
    call.follow(mail, 0)
    return made


def went_out(call: Call, message: Row, mail: str) -> None:
    """An answer has become a mail."""
    call.rows.update(_message, message.number("id"), mail=mail)


def name_account(call: Call, conversation: Row, account: Row) -> Row:
    """Say which customer a conversation is with."""
    call.rows.update(_conversation, conversation.number("id"), account=account.number("id"), updated_us=call.now)
    return _row(call, conversation.number("id"))


def assign(call: Call, conversation: Row, assignee: str) -> Row:
    """Give a conversation to somebody, who is told, or to nobody."""
    key = conversation.number("id")
    if conversation["assignee"] == assignee:
        return conversation
    call.rows.update(_conversation, key, assignee=assignee, updated_us=call.now)
    if assignee and assignee != call.actor.person:
        text = f"{call.actor.name} gave you the conversation {conversation.text('subject')!r}"
        call.reach(assignee, "assigned", path_of_conversation(conversation), text)
    return _row(call, key)


def set_status(call: Call, conversation: Row, status: str) -> Row:
    """Say how a conversation stands."""
    if conversation["status"] != status:
        call.rows.update(
            _conversation, conversation.number("id"), **_standing(status, conversation), updated_us=call.now
        )
    return _row(call, conversation.number("id"))


def snooze(call: Call, conversation: Row, until: Instant) -> Row:
    """Put a conversation aside until a moment, at which it is open again, or until the customer writes."""
    key, path = conversation.number("id"), path_of_conversation(conversation)
    call.rows.update(_conversation, key, status="snoozed", snoozed_us=until, updated_us=call.now)
    again = Intent(kind="begin", key=f"{path}.wakes/{until}", who=call.actor.person, via="customers", thing=path)
    call.follow(again, until - call.now)
    return _row(call, key)


def wake(call: Call, conversation: Row, *, who: str) -> Row:
    """Open a conversation whose time has come, and tell whoever has it; one that stands otherwise by now stays so."""
    due = conversation["snoozed_us"]
    if conversation["status"] != "snoozed" or not isinstance(due, int) or due > call.now:
        return conversation
    text = f"The conversation {conversation.text('subject')!r} is open again"
    call.reach(conversation.text("assignee") or who, "message", path_of_conversation(conversation), text)
    return set_status(call, conversation, "open")


def _standing(status: str, conversation: Row) -> dict[str, Value]:
    """The columns of how it stands; only what is snoozed has an end of that."""
    return {"status": status, "snoozed_us": conversation["snoozed_us"] if status == "snoozed" else None}


def merge(call: Call, conversation: Row, into: Row) -> Row:
    """Let one conversation go on in another, which shows what was said in both."""
    call.rows.update(
        _conversation,
        conversation.number("id"),
        merged_into=into.number("id"),
        **_standing("closed", conversation),
        updated_us=call.now,
    )
    call.rows.update(_conversation, into.number("id"), updated_us=call.now)
    return _row(call, into.number("id"))


def _row(call: Call, key: int) -> Row:
    found = call.rows.get(_conversation, key)
    assert found is not None
    return found
