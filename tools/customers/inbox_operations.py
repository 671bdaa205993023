"""What an account may do in the support inbox: conversations, answers, who does what; notes and tags."""

from typing import Annotated, Literal

from pydantic import Field
from sqlalchemy import Integer, bindparam, select

from brownout.core.apps import Call
from brownout.core.calls import Account
from brownout.core.operations import Operations
from brownout.core.rows import Row
from brownout.core.values import Json
from brownout.store import compile_query
from tools.customers import lookups, records, serializers, tables
from tools.customers.errors import conflict, invalid
from tools.customers.operation_arguments import (
    AccountName,
    After,
    ConversationId,
    Limit,
    Priority,
    Query,
    Standing,
    Status,
    Tags,
    Words,
    account_called,
    before,
    conversation_numbered,
    me,
    moment,
    page_of,
    user_called,
)
from tools.customers.search import search_conversations

__all__ = ["operations"]

operations = Operations("customers")

_note = tables.note
_NOTES = compile_query(
    select(_note)
    .where(
        (_note.c.account == bindparam("account", type_=Integer))
        | (_note.c.conversation == bindparam("conversation", type_=Integer))
    )
    .order_by(_note.c.id.desc())
    .limit(bindparam("most"))
    .offset(bindparam("skipped"))
)
SomeAccount = Annotated[str, Field(description="Id, short name or name.", max_length=200)]
SomeConversation = Annotated[int, Field(ge=0, le=(1 << 53) - 1)]


@operations.read
def list_conversations(call: Call, query: Query = "", limit: Limit = 25, after: After = "") -> Json:
    """List conversations of the support inbox, the latest first.

    status:new|open|pending|snoozed|solved|closed assignee:me assignee:none account:acme account:none from:dora@… priority:high
    channel:phone tag:refund created>=2030-01-31 updated<2030-02-01; words and "phrases" are looked for in what was said.
    OR, -not, (brackets). Those that were merged into another one are left out.
    """
    me(call)
    skipped = before("conversations", after)
    rows = search_conversations(call, query, limit=limit, skipped=skipped)
    shown = [serializers.conversation_json(call, row, whole=False) for row in rows[:limit]]
    return page_of("conversations", shown, found=len(rows), limit=limit, skipped=skipped)


@operations.read
def get_conversation(call: Call, conversation: ConversationId) -> Json:
    """Get a conversation with everything that was said and noted in it."""
    return serializers.conversation_json(call, conversation_numbered(call, conversation), whole=True)


@operations.write(addition=True)
def create_conversation(
    call: Call,
    subject: Annotated[str, Field(min_length=1, max_length=500)],
    text: Words,
    account: SomeAccount = "",
    contact: Annotated[str, Field(description="Address; the account's if empty.", max_length=254)] = "",
    channel: Literal["phone", "web"] = "phone",
    priority: Priority = "normal",
) -> Json:
    """Note by hand what a customer said, on the phone for example."""
    me(call)
    found = account_called(call, account) if account else None
    known = lookups.contact_at(call.rows, contact) if contact else None
    if known is None and found is not None and not contact:
        known = next(iter(lookups.contacts_of(call.rows, found)), None)
    if known is None:
        raise invalid("A conversation needs an account, or the address of a known contact.")
    if found is not None and known["account"] != found["id"]:
        raise invalid(f"{known.text('email')} is no contact of {found.text('short')}.")
    found = found or call.rows.get(tables.account, known.number("account"))
    made = records.open_conversation(
        call,
        subject=subject,
        name=known.text("name"),
        email=known.text("email"),
        account=found,
        channel=channel,
        priority=priority,
    )
    sender = Account(known.text("person"), known.text("name"), known.text("email"), "outsider")
    records.receive(call, made, sender, text, is_ours=False)
    return serializers.conversation_json(call, conversation_numbered(call, made.number("id")), whole=True)


@operations.write(addition=True)
def reply_to_conversation(
    call: Call,
    conversation: ConversationId,
    text: Words,
    status: Annotated[Standing, Field(description="How it stands then.")] = "pending",
) -> Json:
    """Answer whoever a conversation is with, in the thread of theirs, by mail from your own address.

    It is sent as soon as mail works; a conversation that was nobody's becomes yours.
    """
    found = _going_on(call, conversation)
    made = records.reply(call, found, text, last_mail=lookups.last_mail(call.rows, found))
    records.set_status(call, conversation_numbered(call, conversation), status)
    return {"conversation": conversation, "status": status, "message": serializers.message_json(made)}


@operations.write()
def assign_conversation(
    call: Call,
    conversation: ConversationId,
    assignee: Annotated[str, Field(description="Short name, address or name; empty for nobody.", max_length=200)],
) -> Json:
    """Give a conversation to somebody, who is told."""
    found = _going_on(call, conversation)
    return serializers.conversation_json(call, records.assign(call, found, user_called(call, assignee)), whole=False)


@operations.write()
def set_conversation_status(
    call: Call,
    conversation: ConversationId,
    status: Status,
    until: Annotated[str, Field(description="When a snoozed one opens, ISO 8601.", max_length=40)] = "",
) -> Json:
    """Say how a conversation stands. The customer is not told. What is snoozed opens again by itself."""
    found = _going_on(call, conversation)
    if (status == "snoozed") != bool(until.strip()):
        raise invalid("'until' goes with the status snoozed, and with no other.")
    if status == "snoozed":
        due = moment("until", until)
        if due <= call.now:
            raise invalid(f"'until' is '{until}'; expected a time to come.")
        return serializers.conversation_json(call, records.snooze(call, found, due), whole=False)
    return serializers.conversation_json(call, records.set_status(call, found, status), whole=False)


@operations.write()
def set_conversation_account(call: Call, conversation: ConversationId, account: AccountName) -> Json:
    """Say which customer a conversation is with, where the sender's address did not."""
    found = _going_on(call, conversation)
    named = records.name_account(call, found, account_called(call, account))
    return serializers.conversation_json(call, named, whole=False)


@operations.write()
def merge_conversations(
    call: Call,
    conversation: ConversationId,
    into: Annotated[int, Field(description="Id of the one that goes on.", ge=1, le=(1 << 53) - 1)],
) -> Json:
    """Let a conversation go on in another one of the same customer, which then shows what was said in both."""
    found, other = _going_on(call, conversation), _going_on(call, into)
    if found["id"] == other["id"]:
        raise invalid("A conversation cannot be merged into itself.")
    if (found["account"] or found["email"]) != (other["account"] or other["email"]):
        raise invalid("Conversations with different customers cannot be merged.")
    return serializers.conversation_json(call, records.merge(call, found, other), whole=True)


@operations.write(addition=True)
def add_note(call: Call, text: Words, account: SomeAccount = "", conversation: SomeConversation = 0) -> Json:
    """Write a note on a customer or a conversation, for the company only."""
    found, about = _either(call, account, conversation)
    made = records.add_note(call, text, who=me(call).text("person"), account=found, conversation=about)
    return serializers.note_json(made)


@operations.read
def list_notes(
    call: Call,
    account: SomeAccount = "",
    conversation: SomeConversation = 0,
    limit: Limit = 25,
    after: After = "",
) -> Json:
    """List the notes on a customer or on a conversation, newest first."""
    found, about = _either(call, account, conversation)
    skipped = before("notes", after)
    rows = call.rows.all(
        _NOTES,
        account=found.number("id") if found else 0,
        conversation=about.number("id") if about else 0,
        most=limit + 1,
        skipped=skipped,
    )
    shown = [serializers.note_json(row) for row in rows[:limit]]
    return page_of("notes", shown, found=len(rows), limit=limit, skipped=skipped)


@operations.write()
def tag(
    call: Call,
    account: SomeAccount = "",
    conversation: SomeConversation = 0,
    add: Tags = [],  # noqa: B006 (a schema's default, never changed)
    remove: Tags = [],  # noqa: B006 (a schema's default, never changed)
) -> Json:
    """Put tags on a customer or on a conversation, or take them off."""
    if not add and not remove:
        raise invalid("No tags were given.")
    found, about = _either(call, account, conversation)
    owner = found or about
    assert owner is not None
    tags: list[Json] = [*records.set_tags(call, owner, add=add, remove=remove)]
    return {"tags": tags}


def _going_on(call: Call, number: int) -> Row:
    """A conversation that was not merged into another one."""
    found = conversation_numbered(call, number)
    if found["merged_into"] is not None:
        raise conflict(f"Conversation {number} goes on in {found.number('merged_into')}.")
    return found


def _either(call: Call, account: str, conversation: int) -> tuple[Row | None, Row | None]:
    """The account or the conversation, whichever is named."""
    if bool(account.strip()) == bool(conversation):
        raise invalid("Expected either an account or a conversation.")
    if conversation:
        return None, conversation_numbered(call, conversation)
    return account_called(call, account), None
