"""Accounts with their contacts, contracts, and the log of what was changed."""

from collections.abc import Iterable
from dataclasses import dataclass

import orjson
from sqlalchemy import Table, bindparam, func, select

from brownout.core.apps import Call
from brownout.core.calls import Account
from brownout.core.rows import Row, Value
from brownout.store import compile_query
from tools.customers import tables

__all__ = [
    "Terms",
    "add_account",
    "add_change",
    "add_contact",
    "add_inbox",
    "add_user",
    "change_account",
    "make_contract",
]

_account, _contact, _contract = tables.account, tables.contact, tables.contract

_LAST = compile_query(
    select(func.coalesce(func.max(_contract.c.number), 0).label("number")).where(
        _contract.c.account == bindparam("account")
    )
)


@dataclass(frozen=True, slots=True)
class Terms:
    """What a version of a contract says."""

    start: str
    until: str
    notice_days: int
    monthly: int
    terms: str


def add_user(call: Call, account: Account) -> int:
    """Give somebody of the company a seat."""
    return call.rows.insert(tables.user, person=account.person, name=account.name, email=account.email.lower())


def add_inbox(call: Call, name: str) -> int:
    """Let mail to an address become conversations."""
    return call.rows.insert(tables.inbox, name=name)


def add_account(
    call: Call, short: str, name: str, *, plan: str, sites: int, region: str, owner: str, health: str
) -> Row:
    """Put a customer into the register."""
    key = call.rows.insert(
        _account,
        short=short,
        name=name,
        plan=plan,
        sites=sites,
        region=region,
        owner=owner,
        health=health,
        updated_us=call.now,
    )
    return _row(call, _account, key)


def change_account(call: Call, account: Row, changes: dict[str, Value], *, who: str) -> Row:
    """Change columns and log each; a new owner is told. What is already so is not a change."""
    real = {name: value for name, value in changes.items() if account[name] != value}
    if not real:
        return account
    key = account.number("id")
    for name, value in real.items():
        add_change(call, account, name, str(account[name]), str(value), who=who)
    call.rows.update(_account, key, **real, updated_us=call.now)
    owner = str(real.get("owner", ""))
    if owner and owner != who:
        call.reach(owner, "assigned", f"customers:{account.text('short')}", f"{account.text('name')} is yours now")
    return _row(call, _account, key)


def add_change(call: Call, account: Row, field: str, old: str, new: str, *, who: str) -> None:
    """Log what was changed of an account."""
    call.rows.insert(
        tables.change, account=account.number("id"), field=field, old=old, new=new, who=who, at_us=call.now
    )


def add_contact(
    call: Call,
    account: Row,
    name: str,
    email: str,
    *,
    role: str,
    may: Iterable[str],
    person: str = "",
    is_primary: bool = False,
) -> Row:
    """Note somebody who works for a customer, and what they may decide there."""
    key = call.rows.insert(
        _contact,
        account=account.number("id"),
        name=name,
        email=email.lower(),
        role=role,
        may=orjson.dumps(list(may)).decode(),
        person=person,
        is_primary=int(is_primary),
    )
    return _row(call, _contact, key)


def make_contract(call: Call, account: Row, terms: Terms, *, who: str, note: str = "") -> Row:
    """Make the next version of a customer's contract, which holds from now on; the earlier ones are kept."""
    key = account.number("id")
    number = int(str(call.rows.scalar(_LAST, account=key))) + 1
    made = call.rows.insert(
        _contract,
        account=key,
        number=number,
        start=terms.start,
        until=terms.until,
        notice_days=terms.notice_days,
        monthly=terms.monthly,
        terms=terms.terms,
        note=note,
        who=who,
        at_us=call.now,
    )
    call.rows.update(_account, key, contract=number, updated_us=call.now)
    if number > 1:
        add_change(call, account, "contract", f"version {number - 1}", f"version {number}", who=who)
    return _row(call, _contract, made)


def _row(call: Call, table: Table, key: int) -> Row:
    found = call.rows.get(table, key)
    assert found is not None, (str(table.name), key)
    return found
