"""Rows as the register's JSON. Times are UTC, money is cents, people of the company are their short names."""

from datetime import date, timedelta

import orjson
from sqlalchemy import bindparam, func, select

from brownout.core.apps import Call
from brownout.core.instants import iso
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject
from brownout.store import compile_query
from tools.customers import lookups, tables

__all__ = [
    "account_json",
    "attribute_json",
    "change_json",
    "contact_json",
    "contract_json",
    "conversation_json",
    "message_json",
    "note_json",
    "value_json",
]

_OPEN = compile_query(
    select(func.count().label("open"))
    .select_from(tables.conversation)
    .where(
        tables.conversation.c.account == bindparam("account"),
        tables.conversation.c.status.in_(
            select(func.json_each('["new","open","pending","snoozed"]').table_valued("value").c.value)
        ),
        tables.conversation.c.merged_into.is_(None),
    )
)
_NOTES = compile_query(
    select(tables.note).where(tables.note.c.conversation == bindparam("conversation")).order_by(tables.note.c.id)
)


def account_json(call: Call, row: Row, *, whole: bool) -> JsonObject:
    """An account with the terms that hold; the whole one has attributes, contacts and how many conversations are open too."""
    contract = lookups.contract_of(call.rows, row)
    shown: JsonObject = {
        "id": lookups.account_id(row),
        "short_name": row.text("short"),
        "name": row.text("name"),
        "plan": row.text("plan") or None,
        "sites": row.number("sites"),
        "region": row.text("region") or None,
        "owner": row.text("owner") or None,
        "health": row.text("health"),
        "tags": orjson.loads(row.text("tags")),
        "monthly_cents": contract.number("monthly") if contract else None,
        "renewal": (contract.text("until") or None) if contract else None,
        "notice_by": _notice(contract) if contract else None,
        "updated_at": iso(row.number("updated_us")),
    }
    if not whole:
        return shown
    return {
        **shown,
        "attributes": {found.text("name"): value_json(found) for found in lookups.values_of(call.rows, row)},
        "contacts": [contact_json(found) for found in lookups.contacts_of(call.rows, row)],
        "open_conversations": call.rows.scalar(_OPEN, account=row.number("id")),  # type: ignore[dict-item]
    }


def attribute_json(row: Row) -> JsonObject:
    """An attribute that accounts have here."""
    shown: JsonObject = {"name": row.text("name"), "type": row.text("type")}
    return {**shown, "choices": orjson.loads(row.text("choices"))} if row["type"] == "choice" else shown


def value_json(row: Row) -> Json:
    """The value of an attribute: a number, or a text."""
    text = row.text("value")
    if row["type"] != "number":
        return text
    return float(text) if "." in text else int(text)


def contact_json(row: Row) -> JsonObject:
    """Somebody who works for a customer, and what they may decide."""
    return {
        "id": row.number("id"),
        "name": row.text("name"),
        "email": row.text("email"),
        "role": row.text("role") or None,
        "may_decide": orjson.loads(row.text("may")),
        "is_primary": bool(row["is_primary"]),
    }


def contract_json(row: Row) -> JsonObject:
    """A version of a contract."""
    return {
        "version": row.number("number"),
        "start": row.text("start"),
        "until": row.text("until") or None,
        "notice_days": row.number("notice_days"),
        "notice_by": _notice(row),
        "monthly_cents": row.number("monthly"),
        "terms": row.text("terms"),
        "note": row.text("note"),
        "by": row.text("who") or None,
        "at": iso(row.number("at_us")),
    }


def _notice(contract: Row) -> str | None:
    """The last day on which a contract can be given up before it goes on."""
    if not contract["until"]:
        return None
    return (date.fromisoformat(contract.text("until")) - timedelta(days=contract.number("notice_days"))).isoformat()


def change_json(row: Row) -> JsonObject:
    """A line of an account's log."""
    return {
        "field": row.text("field"),
        "from": row.text("old"),
        "to": row.text("new"),
        "by": row.text("who"),
        "at": iso(row.number("at_us")),
    }


def note_json(row: Row) -> JsonObject:
    """A note that only the company sees."""
    return {"id": row.number("id"), "by": row.text("who"), "at": iso(row.number("at_us")), "text": row.text("text")}


def message_json(row: Row) -> JsonObject:
    """What somebody said in a conversation."""
    return {
        "id": row.number("id"),
        "direction": "OUTGOING" if row["is_ours"] else "INCOMING",
        "sender": {"name": row.text("name"), "email": row.text("email")},
        "text": row.text("text"),
        "at": iso(row.number("at_us")),
    }


def conversation_json(call: Call, row: Row, *, whole: bool) -> JsonObject:
    """A conversation; the whole one has everything that was said and noted, also in those merged into it."""
    key = row["account"]
    account = call.rows.get(tables.account, key) if isinstance(key, int) else None
    shown: JsonObject = {
        "id": row.number("id"),
        "subject": row.text("subject"),
        "status": row.text("status"),
        "snoozed_until": iso(row.number("snoozed_us")) if row["snoozed_us"] is not None else None,
        "priority": row.text("priority"),
        "channel": row.text("channel"),
        "assignee": row.text("assignee") or None,
        "account": account.text("short") if account else None,
        "contact": {"name": row.text("name"), "email": row.text("email")},
        "tags": orjson.loads(row.text("tags")),
        "created_at": iso(row.number("created_us")),
        "updated_at": iso(row.number("updated_us")),
        "merged_into": row["merged_into"],  # type: ignore[dict-item]
    }
    if not whole:
        return shown
    messages: list[Json] = [message_json(found) for found in lookups.messages_of(call.rows, row)]
    notes: list[Json] = [note_json(found) for found in call.rows.all(_NOTES, conversation=row.number("id"))]
    return {**shown, "messages": messages, "notes": notes}
