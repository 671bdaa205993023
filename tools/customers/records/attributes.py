"""What a world's accounts have beside the usual fields: attributes of a type each, declared once for all accounts."""

import re
from collections.abc import Iterable
from datetime import date

import orjson
from sqlalchemy import bindparam, select

from brownout.core.apps import Call
from brownout.core.rows import Row
from brownout.store import compile_query
from tools.customers import tables
from tools.customers.records.accounts import add_change

__all__ = ["add_attribute", "expected", "normal", "set_value"]

_attribute, _value = tables.attribute, tables.value
_VALUE = compile_query(
    select(_value).where(_value.c.account == bindparam("account"), _value.c.name == bindparam("name"))
)
_NUMBER = re.compile(r"([+-]?)0*([0-9]{1,12})(?:\.([0-9]{1,6}))?")
_LONGEST = 2_000


def add_attribute(call: Call, name: str, kind: str, choices: Iterable[str]) -> None:
    """Let every account have an attribute."""
    call.rows.insert(_attribute, name=name, type=kind, choices=orjson.dumps([*choices]).decode())


def normal(attribute: Row, text: str) -> str | None:
    """A value as its attribute's type writes it: ` 048.50` is `48.5`; None where it is none of that type."""
    wanted = text.strip()
    match attribute.text("type"):
        case "number":
            found = _NUMBER.fullmatch(wanted)
            return _number(found) if found else None
        case "date":
            try:
                return date.fromisoformat(wanted).isoformat()
            except ValueError:
                return None
        case "choice":
            choices = [str(choice) for choice in orjson.loads(attribute.text("choices"))]
            return next((choice for choice in choices if choice.lower() == wanted.lower()), None)
    return wanted if len(wanted) <= _LONGEST else None


def expected(attribute: Row) -> str:
    """What a value of an attribute is, in words."""
    match attribute.text("type"):
        case "number":
            return "a number such as 48 or 12.5"
        case "date":
            return "a day such as 2026-05-31"
        case "choice":
            return f"one of {', '.join(str(choice) for choice in orjson.loads(attribute.text('choices')))}"
    return f"a text of at most {_LONGEST} characters"


def set_value(call: Call, account: Row, attribute: Row, value: str, *, who: str) -> None:
    """Give an account a value, or with an empty one none, and log it; what is already so is not a change."""
    key, name = account.number("id"), attribute.text("name")
    known = call.rows.one(_VALUE, account=key, name=name)
    old = known.text("value") if known else ""
    if old == value:
        return
    if known is None:
        call.rows.insert(_value, account=key, name=name, value=value)
    elif value:
        call.rows.update(_value, known.number("id"), value=value)
    else:
        call.rows.delete(_value, known.number("id"))
    if who:
        add_change(call, account, name, old, value, who=who)
        call.rows.update(tables.account, key, updated_us=call.now)


def _number(found: re.Match[str]) -> str:
    sign, whole, part = found[1], found[2], (found[3] or "").rstrip("0")
    written = f"{whole}.{part}" if part else whole
    return f"-{written}" if sign == "-" and written.strip("0.") else written
