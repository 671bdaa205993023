"""What an account may do with the register: customers, their contacts, contracts and notes."""

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field
from sqlalchemy import bindparam, select

from brownout.core.apps import Call
from brownout.core.operations import Operations
from brownout.core.rows import Value
from brownout.core.values import Json, JsonObject
from brownout.store import compile_query
from tools.customers import lookups, records, serializers, tables
from tools.customers.errors import conflict, invalid, not_found
from tools.customers.operation_arguments import (
    AccountName,
    After,
    Health,
    Limit,
    Query,
    account_called,
    before,
    day,
    me,
    page_of,
    user_called,
)
from tools.customers.records import Terms
from tools.customers.search import search_accounts as search

__all__ = ["operations"]

operations = Operations("customers")

_change = tables.change
_CHANGES = compile_query(
    select(_change)
    .where(_change.c.account == bindparam("account"))
    .order_by(_change.c.id.desc())
    .limit(bindparam("most"))
    .offset(bindparam("skipped"))
)


@operations.read
def search_accounts(call: Call, query: Query = "", limit: Limit = 25, after: After = "") -> Json:
    """Search customers; without a query, all of them by name.

    plan:pro region:eu owner:me health:at-risk tag:choir sites>2 monthly>=20000 (cents) start renewal (the contract's last
    day) notice (the last day to give it up): renewal<2026-05-01, renewal:none. Attributes by their names. Words and "phrases" are looked for in names,
    tags, notes and terms. OR, -not, (brackets).
    """
    me(call)
    skipped = before("accounts", after)
    rows = search(call, query, limit=limit, skipped=skipped)
    shown = [serializers.account_json(call, row, whole=False) for row in rows[:limit]]
    return page_of("accounts", shown, found=len(rows), limit=limit, skipped=skipped)


@operations.read
def get_account(call: Call, account: AccountName) -> Json:
    """Get a customer: plan, sites, owner, health, attributes, the terms that hold, contacts and what each may decide."""
    return serializers.account_json(call, account_called(call, account), whole=True)


@operations.write()
def update_account(
    call: Call,
    account: AccountName,
    name: Annotated[str | None, Field(min_length=1, max_length=200)] = None,
    plan: Annotated[str | None, Field(max_length=60)] = None,
    sites: Annotated[int | None, Field(ge=0, le=100_000)] = None,
    region: Annotated[str | None, Field(max_length=60)] = None,
    owner: Annotated[str | None, Field(description="Who looks after them; empty for nobody.", max_length=200)] = None,
    health: Health | None = None,
) -> Json:
    """Change fields of a customer; what is not given stays, and every change is logged. Terms: customers_change_contract."""
    found, who = account_called(call, account), me(call).text("person")
    given = {"name": name, "plan": plan, "sites": sites, "region": region, "health": health}
    changes: dict[str, Value] = {field: value for field, value in given.items() if value is not None}
    if owner is not None:
        changes["owner"] = user_called(call, owner)
    if not changes:
        raise invalid("No properties to update were given.")
    return serializers.account_json(call, records.change_account(call, found, changes, who=who), whole=False)


@operations.read
def list_attributes(call: Call) -> Json:
    """List the attributes that accounts have beside the usual fields, with their types."""
    me(call)
    return {"results": [serializers.attribute_json(row) for row in lookups.attributes(call.rows)]}


@operations.write()
def set_attribute(
    call: Call,
    account: AccountName,
    attribute: Annotated[str, Field(min_length=1, max_length=60)],
    value: Annotated[str, Field(description="Its value, e.g. 48 or 2026-05-31; empty for none.", max_length=2_000)],
) -> Json:
    """Set an attribute of a customer; the change is logged."""
    found, who = account_called(call, account), me(call).text("person")
    named = lookups.attribute_called(call.rows, attribute)
    if named is None:
        known = ", ".join(row.text("name") for row in lookups.attributes(call.rows)) or "none"
        raise not_found(f"attribute {attribute}; there are: {known}")
    normal = records.normal(named, value) if value.strip() else ""
    if normal is None:
        raise invalid(f"{named.text('name')} is '{value}'; expected {records.expected(named)}.")
    records.set_value(call, found, named, normal, who=who)
    return serializers.account_json(call, account_called(call, account), whole=True)


@operations.read
def list_account_changes(call: Call, account: AccountName, limit: Limit = 25, after: After = "") -> Json:
    """List who changed what of a customer, newest first."""
    found, skipped = account_called(call, account), before("changes", after)
    rows = call.rows.all(_CHANGES, account=found.number("id"), most=limit + 1, skipped=skipped)
    shown = [serializers.change_json(row) for row in rows[:limit]]
    return page_of("changes", shown, found=len(rows), limit=limit, skipped=skipped)


@operations.read
def list_contacts(call: Call, account: AccountName) -> Json:
    """List who works for a customer and what each may decide: contract terms, what becomes of data, or nothing."""
    rows = lookups.contacts_of(call.rows, account_called(call, account))
    return {"results": [serializers.contact_json(row) for row in rows]}


@operations.write()
def add_contact(
    call: Call,
    account: AccountName,
    name: Annotated[str, Field(min_length=1, max_length=200)],
    email: Annotated[str, Field(max_length=254, pattern=r"^[^@\s<>,;]+@[^@\s<>,;]+\.[^@\s<>,;]+$")],
    role: Annotated[str, Field(description="What they do there.", max_length=200)] = "",
    may_decide: Annotated[
        list[Literal["contract", "data", "settings"]], Field(description="What they may decide; empty for nothing.")
    ] = [],  # noqa: B006 (a schema's default, never changed)
) -> Json:
    """Note somebody who works for a customer."""
    found = account_called(call, account)
    if lookups.contact_at(call.rows, email) is not None:
        raise conflict(f"Contact already exists: {email.lower()}")
    made = records.add_contact(call, found, name, email, role=role, may=dict.fromkeys(may_decide))
    return serializers.contact_json(made)


@operations.read
def get_contract(
    call: Call,
    account: AccountName,
    version: Annotated[int, Field(description="Number of a version; 0 for the one that holds.", ge=0, le=1 << 40)] = 0,
) -> Json:
    """Get a customer's contract: term, notice, price and terms."""
    found = account_called(call, account)
    number = version or found["contract"]
    row = next((row for row in lookups.contracts_of(call.rows, found) if row["number"] == number), None)
    if row is None:
        raise not_found(f"contract of {found.text('short')}" + (f" version {version}" if version else ""))
    return {"account": found.text("short"), **serializers.contract_json(row)}


@operations.read
def list_contract_versions(call: Call, account: AccountName) -> Json:
    """List every version of a customer's contract, newest first, with who made it and why."""
    rows = lookups.contracts_of(call.rows, account_called(call, account))
    return {"results": [serializers.contract_json(row) for row in rows]}


@operations.write()
def change_contract(
    call: Call,
    account: AccountName,
    note: Annotated[str, Field(description="Who agreed to it and why.", min_length=1, max_length=2_000)],
    until: Annotated[
        str | None, Field(description="A new last day, e.g. 2027-03-31; empty for none.", max_length=20)
    ] = None,
    notice_days: Annotated[int | None, Field(ge=0, le=3_650)] = None,
    monthly_cents: Annotated[int | None, Field(ge=0, le=1 << 50)] = None,
    terms: Annotated[str | None, Field(max_length=8_000)] = None,
) -> Json:
    """Make the next version of a customer's contract; what is not given stays as it was."""
    found = account_called(call, account)
    held = lookups.contract_of(call.rows, found)
    if held is None:
        raise not_found(f"contract of {found.text('short')}")
    old = Terms(
        held.text("start"), held.text("until"), held.number("notice_days"), held.number("monthly"), held.text("terms")
    )
    new = replace(
        old,
        until=old.until if until is None else day("until", until) if until.strip() else "",
        notice_days=old.notice_days if notice_days is None else notice_days,
        monthly=old.monthly if monthly_cents is None else monthly_cents,
        terms=old.terms if terms is None else terms,
    )
    if new == old:
        raise invalid("Nothing of the contract would change.")
    if new.until and new.until < new.start:
        raise invalid(f"'until' is {new.until}, before the contract's start {new.start}.")
    made = records.make_contract(call, found, new, who=me(call).text("person"), note=note)
    answer: JsonObject = serializers.contract_json(made)
    return {"account": found.text("short"), **answer}
