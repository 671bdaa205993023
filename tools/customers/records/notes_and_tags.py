"""What the company writes for itself on accounts and conversations: notes and tags."""

import orjson

from brownout.core.apps import Call
from brownout.core.rows import Row
from tools.customers import tables
from tools.customers.paths import path_of_account, path_of_conversation

__all__ = ["add_note", "set_tags"]


def add_note(call: Call, text: str, *, who: str, account: Row | None = None, conversation: Row | None = None) -> Row:
    """Write a note that the customer does not see, and tell whoever it concerns."""
    key = call.rows.insert(
        tables.note,
        account=account.number("id") if account else None,
        conversation=conversation.number("id") if conversation else None,
        text=text,
        who=who,
        at_us=call.now,
    )
    if conversation is not None:
        whom, path, title = (
            conversation.text("assignee"),
            path_of_conversation(conversation),
            conversation.text("subject"),
        )
    else:
        assert account is not None
        whom, path, title = account.text("owner"), path_of_account(account), account.text("name")
    if whom and whom != who:
        call.reach(whom, "message", path, f"{call.actor.name} on {title}: {text}")
    found = call.rows.get(tables.note, key)
    assert found is not None
    return found


def set_tags(call: Call, owner: Row, *, add: list[str], remove: list[str]) -> list[str]:
    """The tags that an account or a conversation has then."""
    table = tables.account if "short" in owner else tables.conversation
    before = [str(tag) for tag in orjson.loads(owner.text("tags"))]
    after = [tag for tag in before if tag not in remove]
    after += [tag for tag in dict.fromkeys(add) if tag not in after]
    if after != before:
        call.rows.update(table, owner.number("id"), tags=orjson.dumps(after).decode(), updated_us=call.now)
    return after
