"""What the arguments of an operation name: accounts, conversations, people; refused in HubSpot's words."""

from datetime import UTC, date, datetime
from typing import Annotated, Literal

from pydantic import Field

from brownout.core.apps import Call
from brownout.core.arguments import suggestion
from brownout.core.instants import Instant, from_datetime
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject
from tools.customers import lookups, tables
from tools.customers.errors import forbidden, invalid, not_found
from tools.page_cursors import InvalidCursor, decode_cursor, encode_cursor

__all__ = [
    "AccountName",
    "After",
    "ConversationId",
    "Limit",
    "Priority",
    "Query",
    "Standing",
    "Status",
    "Tags",
    "Words",
    "account_called",
    "before",
    "conversation_numbered",
    "day",
    "me",
    "moment",
    "page_of",
    "user_called",
]

AccountName = Annotated[str, Field(description="Id, short name or name.", min_length=1, max_length=200)]
ConversationId = Annotated[int, Field(ge=1, le=(1 << 53) - 1)]
Limit = Annotated[int, Field(ge=1, le=100)]
After = Annotated[str, Field(description="paging.next.after", max_length=100)]
Query = Annotated[str, Field(max_length=1_000)]
Words = Annotated[str, Field(min_length=1, max_length=65_536)]
Tags = Annotated[list[Annotated[str, Field(min_length=1, max_length=60, pattern=r"^\S(.*\S)?$")]], Field(max_length=50)]
Standing = Literal["new", "open", "pending", "solved", "closed"]
Status = Literal["new", "open", "pending", "snoozed", "solved", "closed"]
Health = Literal["good", "watch", "at-risk"]
Channel = Literal["email", "phone", "web"]
Priority = Literal["low", "normal", "high", "urgent"]

_YEARS = range(2, 9000)


def me(call: Call) -> Row:
    """The actor's own seat.

    Raises:
        CustomersError: they have none.
    """
    found = lookups.user_of(call.rows, call.actor.person)
    if found is None:
        raise forbidden()
    return found


def account_called(call: Call, name: str) -> Row:
    """The account that is named.

    Raises:
        CustomersError: there is none.
    """
    me(call)
    found = lookups.account_called(call.rows, name)
    if found is None:
        raise not_found(f"account {name}{suggestion(name, lookups.account_names(call.rows))}")
    return found


def conversation_numbered(call: Call, number: int) -> Row:
    """The conversation with that id.

    Raises:
        CustomersError: there is none.
    """
    me(call)
    found = call.rows.get(tables.conversation, number)
    if found is None:
        raise not_found(f"conversation {number}")
    return found


def user_called(call: Call, name: str) -> str:
    """The short name of a user; empty for nobody.

    Raises:
        CustomersError: there is no such user.
    """
    if not name.strip():
        return ""
    found = lookups.user_called(call.rows, name)
    if found is None:
        raise not_found(f"user {name}{suggestion(name, lookups.user_names(call.rows))}")
    return found.text("person")


def day(name: str, text: str) -> str:
    """A day as it is kept.

    Raises:
        CustomersError: it is none.
    """
    try:
        return date.fromisoformat(text.strip()).isoformat()
    except ValueError:
        raise invalid(f"'{name}' is '{text}'; expected a day such as 2026-05-31.") from None


def moment(name: str, text: str) -> Instant:
    """The instant that an argument says; without an offset it is UTC.

    Raises:
        CustomersError: it is not written as a time.
    """
    try:
        found = datetime.fromisoformat(text.strip())
        if found.year not in _YEARS:
            raise ValueError(text)
    except ValueError:
        raise invalid(f"'{name}' is '{text}'; expected a time such as 2030-01-31T10:12:00Z.") from None
    return from_datetime(found if found.tzinfo else found.replace(tzinfo=UTC))


def before(kind: str, after: str) -> int:
    """How many of a list were shown already.

    Raises:
        CustomersError: the cursor is not one of this list.
    """
    try:
        position = decode_cursor(kind, after) if after else 0
    except InvalidCursor:
        raise invalid(f"'{after}' is not a cursor of this list.") from None
    if not 0 <= position < 1 << 53:
        raise invalid(f"'{after}' is not a cursor of this list.")
    return position


def page_of(kind: str, shown: list[JsonObject], *, found: int, limit: int, skipped: int) -> JsonObject:
    """The results with what is needed to go on; `found` is more than `limit` where there is more."""
    results: list[Json] = [*shown[:limit]]
    if found <= limit:
        return {"results": results}
    return {"results": results, "paging": {"next": {"after": encode_cursor(kind, skipped + limit)}}}
