"""What the register's rows are called (`path_of`), and the things that a selector's pattern names (`find`)."""

import orjson
from sqlalchemy import select

from brownout.core.apps import Cell, Thing
from brownout.core.instants import iso
from brownout.core.rows import Row, Rows
from brownout.core.values import JsonObject
from brownout.core.wildcards import fits
from brownout.store import compile_query
from tools.customers import lookups, tables
from tools.customers.paths import path_of_account, path_of_conversation
from tools.customers.serializers import value_json

__all__ = ["ACCOUNT_NAMES", "find", "path_of"]

_ACCOUNTS = compile_query(select(tables.account).order_by(tables.account.c.id))
_CONVERSATIONS = compile_query(select(tables.conversation).order_by(tables.conversation.c.id))


_ATTRIBUTES = ".attributes"
ACCOUNT_NAMES = ("name", "tags", "contract", "attributes")
"""Words for what every account has, beside those that one can search by."""


def path_of(rows: Rows, table: str, row: Row) -> str:
    """`customers:corner-hall` with `.contact/2`, `.contract/3`, `.change/9`, `.note/4`; `customers:conversation/12` likewise."""
    match table:
        case "customers_user":
            return f"customers:user/{row.text('person')}"
        case "customers_inbox":
            return f"customers:inbox/{row.text('name')}"
        case "customers_attribute":
            return f"customers:attribute/{row.text('name')}"
        case "customers_account":
            return path_of_account(row)
        case "customers_conversation":
            return path_of_conversation(row)
    kind = table.removeprefix("customers_")
    if kind == "value":
        account = rows.get(tables.account, row.number("account"))
        return f"{path_of_account(account) if account else 'customers:gone'}.attributes/{row.text('name')}"
    item = row.number("number") if kind == "contract" else row.number("id")
    if row.get("conversation") is not None:
        owner = rows.get(tables.conversation, row.number("conversation"))
        place = path_of_conversation(owner) if owner else "customers:gone"
    else:
        owner = rows.get(tables.account, row.number("account"))
        place = path_of_account(owner) if owner else "customers:gone"
    return f"{place}.{kind}/{item}"


def find(rows: Rows, pattern: str) -> list[Thing]:
    """Accounts by short name, their attributes alone (`corner-hall.attributes`), conversations by `conversation/12`, or
    else by their subject (`Row C*`).
    """
    if pattern.startswith("conversation/"):
        found = [_conversation_thing(rows, row) for row in rows.all(_CONVERSATIONS)]
        return [thing for thing in found if fits(thing.path.removeprefix("customers:"), pattern)]
    if pattern.endswith(_ATTRIBUTES):
        wanted = pattern.removesuffix(_ATTRIBUTES)
        return [_attributes_thing(rows, row) for row in rows.all(_ACCOUNTS) if fits(row.text("short"), wanted)]
    accounts = [row for row in rows.all(_ACCOUNTS) if fits(row.text("short"), pattern)]
    if accounts:
        return [_account_thing(rows, row) for row in accounts]
    return [_conversation_thing(rows, row) for row in rows.all(_CONVERSATIONS) if fits(row.text("subject"), pattern)]


def _account_thing(rows: Rows, row: Row) -> Thing:
    contract = lookups.contract_of(rows, row)
    own = ("customers_account", row.number("id"))
    fields: JsonObject = {name: row.text(name) for name in ("name", "plan", "region", "owner", "health")}
    fields |= {"sites": row.number("sites"), "tags": orjson.loads(row.text("tags"))}
    parts: dict[str, tuple[Cell, ...]] = {name: ((*own, name),) for name in fields}
    rows_of = [own]
    for value in lookups.values_of(rows, row):
        name = f"attributes.{value.text('name')}"
        fields[name] = value_json(value)
        parts[name] = (("customers_value", value.number("id")),)
        rows_of.append(("customers_value", value.number("id")))
    if contract is not None:
        agreed: JsonObject = {
            "renewal": contract.text("until"),
            "monthly": contract.number("monthly"),
            "notice_days": contract.number("notice_days"),
            "terms": contract.text("terms"),
            "contract_version": contract.number("number"),
        }
        fields |= agreed
        rows_of.append(("customers_contract", contract.number("id")))
        parts |= dict.fromkeys(agreed, (("customers_contract", contract.number("id")),))
    return Thing(path_of_account(row), fields, tuple(rows_of), parts)


def _attributes_thing(rows: Rows, row: Row) -> Thing:
    values = lookups.values_of(rows, row)
    parts = {value.text("name"): (("customers_value", value.number("id")),) for value in values}
    fields: JsonObject = {value.text("name"): value_json(value) for value in values}
    return Thing(
        f"{path_of_account(row)}{_ATTRIBUTES}", fields, tuple(cell for part in parts.values() for cell in part), parts
    )


def _conversation_thing(rows: Rows, row: Row) -> Thing:
    key = row["account"]
    account = rows.get(tables.account, key) if isinstance(key, int) else None
    messages = lookups.messages_of(rows, row)
    own = ("customers_conversation", row.number("id"))
    fields: JsonObject = {name: row.text(name) for name in ("subject", "status", "priority", "assignee", "channel")}
    parts: dict[str, tuple[Cell, ...]] = {name: ((*own, name),) for name in (*fields, "account", "tags")}
    said = tuple(("customers_message", found.number("id")) for found in messages)
    fields |= {
        "account": account.text("short") if account else "",
        "from": row.text("email"),
        "tags": orjson.loads(row.text("tags")),
        "merged": row["merged_into"] is not None,
        "messages": len(messages),
        "answered_by": list(dict.fromkeys(found.text("person") for found in messages if found["is_ours"])),
    }
    snoozed = row["snoozed_us"]
    fields["snoozed_until"] = iso(snoozed) if isinstance(snoozed, int) else ""
    ours = tuple(("customers_message", found.number("id")) for found in messages if found["is_ours"])
    parts |= {"snoozed_until": ((*own, "snoozed_us"),), "messages": said, "answered_by": ours}
    return Thing(path_of_conversation(row), fields, (own, *said), parts)
