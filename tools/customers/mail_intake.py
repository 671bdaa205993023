"""What the support inbox takes in from mail: customers' mail to it, and what follows in the same thread.

A mail that only thanks does not begin a conversation again that was answered, as Zendesk and Freshdesk have it.
"""

import re

from sqlalchemy import bindparam, select

from brownout.core.apps import Call, Utterance
from brownout.core.calls import Account
from brownout.core.rows import Row
from brownout.store import compile_query
from tools.customers import lookups, records, tables

__all__ = ["hears", "heeds", "is_thanks"]

_message = tables.message
_WAITING = compile_query(
    select(_message)
    .where(
        _message.c.conversation == bindparam("conversation"),
        _message.c.person == bindparam("person"),
        _message.c.text == bindparam("text"),
        _message.c.is_ours == 1,
        _message.c.mail == "",
    )
    .order_by(_message.c.id)
    .limit(1)
)

_THANKS = re.compile(
    r"(?:\w+[,!.] )?(?:many thanks|thank you|thanks|thx|danke|vielen dank|herzlichen dank|(?:muito )?obrigad[oa]|merci)\b",
    re.IGNORECASE,
)
_BUT = re.compile(
    r"\?|\d|\b(?:but|not|still|no|never|however|please|aber|nicht|noch|kein\w*|bitte|mas|n\u00e3o|ainda|\w+n't)\b",
    re.IGNORECASE,
)
_SHORT = 16
"""Words up to which a thank you is only that; the name below it does not count."""


def heeds(account: Account, said: Utterance) -> bool:
    """Whether it may be heard: an outsider's words may begin a conversation, others only go on with what they answer or are headed by.

    Conversations are known by the mails in them, the first of which is an outsider's.
    """
    return account.kind == "outsider" or bool(said.answers or said.subject)


def hears(call: Call, said: Utterance) -> None:
    """Take in a mail: a customer's to the inbox opens a conversation, any other one of its thread goes on with it."""
    text = said.text.removeprefix(f"{said.subject}\n") if said.subject else said.text
    conversation = lookups.conversation_of(call.rows, said.answers or said.path)
    if conversation is None:
        if call.actor.kind != "outsider" or not _is_for_us(call, said):
            return
        conversation = records.open_conversation(
            call,
            subject=said.subject or text.partition("\n")[0],
            name=call.actor.name,
            email=call.actor.email,
            account=lookups.account_at(call.rows, call.actor.email),
            channel="email",
            thread=said.answers or said.path,
        )
    is_ours = call.actor.kind != "outsider"
    sent = _sent_from_here(call, conversation, text) if is_ours else None
    if sent is not None:
        records.went_out(call, sent, said.path)
    else:
        records.receive(
            call, conversation, call.actor, text, is_ours=is_ours, mail=said.path, reopens=not is_thanks(text)
        )


def _sent_from_here(call: Call, conversation: Row, text: str) -> Row | None:
    """The answer written in the inbox that this mail is."""
    key = conversation.number("id")
    return call.rows.one(_WAITING, conversation=key, person=call.actor.person, text=text)


def _is_for_us(call: Call, said: Utterance) -> bool:
    return any(name in said.to or _is_address(name, said.to) for name in lookups.inboxes(call.rows))


def _is_address(name: str, to: frozenset[str]) -> bool:
    return any(reader.partition("@")[0] == name for reader in to if "@" in reader.lstrip("@"))


def is_thanks(text: str) -> bool:
    """Whether a mail says thank you and nothing that anybody would have to act on."""
    said = text.strip().partition("\n\n")[0]
    rest = text.strip().removeprefix(said).split()
    return (
        _THANKS.match(said) is not None
        and _BUT.search(said) is None
        and len(said.split()) <= _SHORT
        and len(rest) <= _SHORT // 2
    )
