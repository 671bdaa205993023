"""How people's intents become mail."""

import re
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from brownout.core.apps import Call, Intent, IntentHandler, IntentKind
from brownout.core.calls import Account
from brownout.core.errors import AuthoringError, Mistake
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject
from tools.gmail import records
from tools.gmail.addresses import Address, InvalidAddress, answer_subject, parse_addresses
from tools.gmail.directory import answered, company_domain, group_at, group_named, insiders, mailbox_at, mailbox_of
from tools.gmail.mailbox import copy_of, found, message_of

__all__ = [
    "GmailSettings",
    "addresses_of",
    "attachments_of",
    "handlers",
    "mailbox_called",
    "open_account",
    "parent_of",
    "prepare",
    "subject_of",
]

_PATH = re.compile(r"gmail:(?P<person>[^./]+)\.message/(?P<id>[0-9a-f]{16})")
_SUBJECT = 60


class GmailSettings(BaseModel):
    """The world's `apps: gmail:` section."""

    model_config = ConfigDict(extra="forbid")
    groups: dict[str, list[str] | Literal["everyone"]] = Field(
        default={},
        description="Addresses at the company's domain (or whole ones, with an @) whose mail goes to several people.",
    )


def prepare(call: Call, settings: JsonObject) -> None:
    """Make the groups.

    Raises:
        AuthoringError: a group has a member without mail, or an address that somebody has.
    """
    domain = company_domain(call.rows)
    everyone = insiders(call.rows)
    mistakes: list[Mistake] = []
    for name, members in GmailSettings.model_validate(settings).groups.items():
        email = name if "@" in name else f"{name}@{domain}"
        if mailbox_at(call.rows, email) or group_at(call.rows, email):
            mistakes.append(Mistake("world.yaml", 0, f"apps.gmail.groups.{name}: {email} is somebody's already"))
            continue
        people = everyone
        if members != "everyone":
            known = {person: mailbox_of(call.rows, person) for person in members}
            mistakes += [
                Mistake("world.yaml", 0, f"apps.gmail.groups.{name}: expected somebody with mail, found {person!r}")
                for person, mailbox in known.items()
                if mailbox is None
            ]
            people = [mailbox for mailbox in known.values() if mailbox is not None]
        records.add_group(call, name.partition("@")[0], email, people)
    if mistakes:
        raise AuthoringError(mistakes)


def open_account(call: Call, account: Account) -> None:
    """A mailbox for everybody who has an address, customers too."""
    if account.email:
        records.add_mailbox(call, account)


def _say(call: Call, intent: Intent) -> str:
    """Mail what is said to whom it is addressed; in the thread of its cause where that was a mail."""
    me = mailbox_called(call, intent.who)
    parent = parent_of(call, intent)
    to = addresses_of(call, intent, [*intent.to])
    if not to and parent is not None:
        to, _ = answered(me, parent, everyone=False)
    if not to:
        raise LookupError(f"{intent.key}: a mail needs somebody it is to")
    letter = records.NewMail(
        to=to,
        subject=subject_of(intent, parent),
        body=intent.text,
        cc=addresses_of(call, intent, intent.details.get("cc")),
        bcc=addresses_of(call, intent, intent.details.get("bcc")),
        attachments=attachments_of(intent),
    )
    return records.path_of_copy(me, records.send(call, me, letter, parent=parent))


def _read(call: Call, intent: Intent) -> str:
    """Open a mail, named by anybody's copy of it or by what sent it; it stays closed to those who have none."""
    me, message = mailbox_called(call, intent.who), _named(call, intent.thing)
    if message is None:
        raise LookupError(f"{intent.key}: there is no mail {intent.thing!r}")
    copy = copy_of(call.rows, message.number("id"), me.number("id"))
    return records.path_of_copy(me, records.mark(call, copy, is_read=True)) if copy is not None else ""


def subject_of(intent: Intent, parent: Row | None) -> str:
    """The intent's, that of what it answers, or how the text begins."""
    if intent.subject:
        return intent.subject
    if parent is not None:
        return answer_subject(parent.text("subject"))
    line = intent.text.strip().partition("\n")[0]
    return line if len(line) <= _SUBJECT else line[:_SUBJECT].rpartition(" ")[0].rstrip(" ,;:.") + "…"


def addresses_of(call: Call, intent: Intent, names: Json) -> tuple[Address, ...]:
    """The addresses of people, groups and raw addresses."""
    listed = names if isinstance(names, list) else [names] if isinstance(names, str) and names else []
    try:
        return parse_addresses([_address(call, intent, str(name)) for name in listed])
    except InvalidAddress as error:
        raise LookupError(f"{intent.key}: {str(error)!r} is no mail address") from None


def attachments_of(intent: Intent) -> tuple[records.Attachment, ...]:
    """The files that an intent's mail has: as `records.Attachment` has them."""
    named = intent.details.get("attachments")
    found = []
    for one in named if isinstance(named, list) else ():
        assert isinstance(one, dict), intent.key
        found.append(records.Attachment(*(str(one[name]) for name in ("filename", "mime_type", "content"))))
    return tuple(found)


def _address(call: Call, intent: Intent, name: str) -> str:
    if "@" in name:
        return name
    known = mailbox_of(call.rows, name) or group_named(call.rows, name)
    if known is None:
        raise LookupError(f"{intent.key}: nobody with mail and no group is called {name!r}")
    return known.text("email")


def parent_of(call: Call, intent: Intent) -> Row | None:
    """The message that the intent answers, None where it answers none or none that was a mail."""
    named = intent.details.get("thread")
    return _named(call, named) if isinstance(named, str) else None


def _named(call: Call, named: str) -> Row | None:
    """The message that a path or a logical name stands for."""
    path = _PATH.fullmatch(named if named.startswith("gmail:") else call.bound(named) or "")
    owner = mailbox_of(call.rows, path["person"]) if path else None
    copy = found(call.rows, owner.number("id"), path["id"]) if path and owner else None
    return message_of(call.rows, copy) if copy else None


def mailbox_called(call: Call, person: str) -> Row:
    """Somebody's mailbox.

    Raises:
        LookupError: they have none.
    """
    known = mailbox_of(call.rows, person)
    if known is None:
        raise LookupError(f"{person} has no mail")
    return known


handlers: dict[IntentKind, IntentHandler] = {
    "tell": _say,
    "ask": _say,
    "answer": _say,
    "acknowledge": _say,
    "read": _read,
}
