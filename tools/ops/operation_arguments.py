"""What the arguments of an operation name: services, people, moments; or an error that says what there is."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from pydantic import Field
from sqlalchemy import bindparam, select

from brownout.core.apps import Call
from brownout.core.arguments import suggestion
from brownout.core.instants import MINUTE, Duration, Instant, duration_text, from_datetime
from brownout.core.rows import Row
from brownout.core.values import JsonObject
from brownout.store import compile_query
from tools.ops import records, tables
from tools.ops.errors import OpsError, invalid, not_found
from tools.page_cursors import InvalidCursor, decode_cursor, encode_cursor

__all__ = [
    "AlertId",
    "Cursor",
    "IncidentId",
    "Key",
    "Limit",
    "Minutes",
    "Moment",
    "Reason",
    "Service",
    "Window",
    "alert_numbered",
    "before",
    "incident_numbered",
    "me",
    "moment",
    "need_target",
    "page_of",
    "service_called",
    "unknown",
    "user_called",
    "user_named",
    "window",
]

_LARGEST_KEY = (1 << 53) - 1
_YEARS = range(2, 9000)

Service = Annotated[str, Field(min_length=1)]
Reason = Annotated[str, Field(description="Why.", max_length=2_000)]
Limit = Annotated[int, Field(ge=1, le=100)]
Cursor = str
Key = Annotated[int, Field(ge=1, le=_LARGEST_KEY)]
Minutes = Annotated[int, Field(description="Back from `until`; without `since`.", ge=1)]
AlertId = Annotated[int, Field(ge=1, le=_LARGEST_KEY)]
IncidentId = Annotated[int, Field(ge=1, le=_LARGEST_KEY)]
Moment = Annotated[str, Field(description="ISO 8601; UTC without an offset.")]

_user = tables.user
_USER = compile_query(
    select(_user).where(
        (_user.c.person == bindparam("name"))
        | (_user.c.email == bindparam("name"))
        | (_user.c.name == bindparam("name"))
    )
)
_USERS = compile_query(select(_user).order_by(_user.c.id))
_NEEDS = compile_query(
    select(tables.need.c.name).where(tables.need.c.service == bindparam("service")).order_by(tables.need.c.name)
)
_NAMES = compile_query(select(tables.service.c.name).order_by(tables.service.c.name))


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of time that is over."""

    since: Instant
    until: Instant


def me(call: Call) -> Row:
    """The actor's own account.

    Raises:
        OpsError: they have none.
    """
    found = records.user_of(call, call.actor.person)
    if found is None:
        raise OpsError(401, 2006, "Authentication Failed", "You have no account here.")
    return found


def service_called(call: Call, name: str) -> Row:
    """The service of that name.

    Raises:
        OpsError: there is none; the error lists those there are.
    """
    found = records.service_named(call, name.strip())
    if found is None:
        raise not_found(unknown("service", name, [row.text("name") for row in call.rows.all(_NAMES)]))
    return found


def user_called(call: Call, name: str) -> Row:
    """The user with that short name, mail address or full name.

    Raises:
        OpsError: there is none.
    """
    found = user_named(call, name)
    if found is None:
        known = [row.text(column) for row in call.rows.all(_USERS) for column in ("person", "name")]
        raise not_found(f"There is no user '{name}'{suggestion(name, known) or '.'}")
    return found


def unknown(kind: str, name: str, known: list[str]) -> str:
    """That there is no service, schedule ... of a name: with the one that was meant, else with all that there are."""
    listed = f". The {kind}s are: {', '.join(known) or 'none'}."
    return f"There is no {kind} '{name}'{suggestion(name, known) or listed}"


def user_named(call: Call, name: str) -> Row | None:
    """The user with that short name, mail address or full name, None where there is none."""
    return call.rows.one(_USER, name=name.strip().removeprefix("@"))


def incident_numbered(call: Call, number: int) -> Row:
    """The incident of ours with that id.

    Raises:
        OpsError: there is none.
    """
    found = call.rows.get(tables.incident, number)
    if found is None:
        raise not_found(f"There is no incident {number}.")
    return found


def need_target(call: Call, text: str) -> tuple[tuple[str, str], str]:
    """What a need of a service is said to run on: `checkout.database=dbhost/region-2`.

    Raises:
        OpsError: it is written otherwise, or names a service, a need or a target that there is not.
    """
    name, is_written, target = text.partition("=")
    service_name, _, need_name = name.strip().rpartition(".")
    if not is_written or not service_name:
        raise invalid(f"'{text}' is not of the form service.need=target.")
    service = service_called(call, service_name)
    need = records.need_of(call, service, need_name.strip())
    if need is None:
        known = ", ".join(found.text("name") for found in call.rows.all(_NEEDS, service=service.number("id")))
        raise invalid(f"{service.text('name')} has no need '{need_name}'; it has: {known or 'none'}.")
    options = records.options_of(need)
    if target.strip() not in options:
        raise invalid(
            f"{need.text('name')} of {service.text('name')} cannot run on '{target}'; expected: {', '.join(options)}."
        )
    return (service.text("name"), need.text("name")), target.strip()


def alert_numbered(call: Call, number: int) -> Row:
    """The alert with that id.

    Raises:
        OpsError: there is none.
    """
    found = call.rows.get(tables.alert, number)
    if found is None:
        raise not_found(f"There is no alert {number}.")
    return found


def window(call: Call, minutes: int, since: str, until: str, *, longest: Duration) -> Window:
    """The stretch of time that is asked about; it ends now at the latest.

    Raises:
        OpsError: it is empty, longer than `longest`, or not written as a time.
    """
    end = min(moment("until", until), call.now) if until else call.now
    start = moment("since", since) if since else end - minutes * MINUTE
    if start >= end:
        raise invalid("'since' must be before 'until', and not in the future.")
    if end - start > longest:
        raise invalid(f"At most {duration_text(longest)} can be asked for at once.")
    return Window(start, end)


def moment(name: str, text: str) -> Instant:
    """The instant that an argument says.

    Raises:
        OpsError: it is not written as a time, or lies out of reach.
    """
    try:
        found = datetime.fromisoformat(text.strip())
        if found.year not in _YEARS:
            raise ValueError(text)
    except ValueError:
        raise invalid(f"'{name}' is '{text}'; expected a time such as 2030-01-31T10:12:00Z.") from None
    return from_datetime(found if found.tzinfo else found.replace(tzinfo=UTC))


def before(kind: str, cursor: str) -> int:
    """The key that a page, newest first, goes on before.

    Raises:
        OpsError: the cursor is not one of this list.
    """
    try:
        return min(max(decode_cursor(kind, cursor), 0), _LARGEST_KEY) if cursor else _LARGEST_KEY
    except InvalidCursor:
        raise invalid(f"'{cursor}' is not a cursor of this list.") from None


def page_of(answer: JsonObject, kind: str, rows: list[Row], limit: int) -> JsonObject:
    """The answer with what is needed to go on; `rows` are one more than `limit` where there is more."""
    more = len(rows) > limit
    cursor = encode_cursor(kind, rows[limit - 1].number("id")) if more else ""
    return {**answer, "more": more, "next_cursor": cursor}
