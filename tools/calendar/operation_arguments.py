"""What the arguments of an operation name: calendars, events, guests, times; refused in Google's words."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import Field

from brownout.core.apps import Call
from brownout.core.arguments import suggestion
from brownout.core.calendar_days import wall
from brownout.core.instants import DAY, Instant, from_datetime, local, zone
from brownout.core.rows import Row
from tools.calendar import agenda
from tools.calendar.agenda import Occurrence
from tools.calendar.errors import gone, invalid, no_account, not_found
from tools.calendar.records import Invited
from tools.calendar.recurrence import InvalidRule, parse_rule
from tools.page_cursors import InvalidCursor, decode_cursor, encode_cursor

__all__ = [
    "CalendarId",
    "EventId",
    "Limit",
    "PageToken",
    "Time",
    "Times",
    "calendar_called",
    "event_called",
    "invited",
    "me",
    "page",
    "rule_in",
    "times",
    "window",
    "zone_called",
]

CalendarId = Annotated[
    str, Field(description="Address, name or short name of a person or room; primary is your own.", max_length=300)
]
EventId = Annotated[
    str, Field(description="Id of an event, of a series, or of one of a series.", min_length=1, max_length=100)
]
Limit = Annotated[int, Field(ge=1, le=250)]
PageToken = Annotated[str, Field(max_length=100)]
Time = Annotated[
    str,
    Field(
        description="2030-01-31T10:00 in your zone, with an offset, or a date for all day.",
        max_length=40,
    ),
]

_LONGEST = 731 * DAY
"""As far as is looked at once."""
_USUAL = 31 * DAY
_YEARS = range(1971, 9000)


@dataclass(frozen=True, slots=True)
class Times:
    """From when to when, and whether whole days are meant."""

    start: Instant
    end: Instant
    is_all_day: bool


def me(call: Call) -> Row:
    """The actor's own calendar.

    Raises:
        CalendarError: they have none.
    """
    found = agenda.of_person(call.rows, call.actor.person)
    if found is None:
        raise no_account()
    return found


def calendar_called(call: Call, name: str) -> Row:
    """The calendar that is named.

    Raises:
        CalendarError: there is none.
    """
    own = me(call)
    if name.strip() in ("", "primary"):
        return own
    found = agenda.calendar_named(call.rows, name)
    if found is None:
        raise not_found(suggestion(name, agenda.calendar_names(call.rows)))
    return found


def event_called(call: Call, event_id: str) -> Occurrence:
    """The event with that id.

    Raises:
        CalendarError: there is none, or it was called off.
    """
    found = agenda.event_called(call.rows, event_id.strip())
    if found is None:
        raise not_found()
    if found.event["status"] == "cancelled":
        raise gone()
    return found


def invited(call: Call, names: list[str], *, is_optional: bool = False) -> tuple[Invited, ...]:
    """The people and rooms that are named, those outside the company by address.

    Raises:
        CalendarError: somebody is not known.
    """
    guests = []
    for name in dict.fromkeys(name.strip() for name in names):
        found = agenda.calendar_named(call.rows, name)
        if found is not None:
            guests.append(Invited(found.text("email"), found.text("name"), found, is_optional))
            continue
        domain = me(call).text("email").rpartition("@")[2]
        user, at, host = name.lower().rpartition("@")
        if not at or not user or "." not in host or host == domain or any(letter.isspace() for letter in name):
            raise invalid(f"Invalid attendee email: {name}")
        guests.append(Invited(name.lower(), "", None, is_optional))
    return tuple(guests)


def times(start: str, end: str, zone_name: str) -> Times:
    """When an event is to take place; the end of whole days is excluded, as in Google Calendar.

    Raises:
        CalendarError: it ends before it begins, or a time is none.
    """
    first, last = _read(start, zone_name), _read(end, zone_name)
    if _is_day(start) != _is_day(end):
        raise invalid("Start and end times must either both be date or both be dateTime.")
    if last < first or (_is_day(start) and last == first):
        raise invalid("The specified time range is empty.")
    return Times(first, last, _is_day(start))


def window(call: Call, since: str, until: str, zone_name: str) -> tuple[Instant, Instant]:
    """The stretch of time that is looked at: from now on for a month unless told otherwise.

    Raises:
        CalendarError: it is empty or longer than two years, or a time is none.
    """
    start = _read(since, zone_name) if since else call.now
    end = _read(until, zone_name) if until else start + _USUAL
    if end <= start:
        raise invalid("The specified time range is empty.")
    if end - start > _LONGEST:
        raise invalid("The requested time range is too long.")
    return start, end


def rule_in(recurrence: list[str], start: Instant, zone_name: str) -> tuple[str, tuple[Instant, ...]]:
    """The rule of a series, and the times at which it does not take place (EXDATE).

    Raises:
        CalendarError: there is more than one rule, or one that cannot be read.
    """
    rules = [line for line in recurrence if line.strip().upper().startswith("RRULE:")]
    if len(rules) != 1:
        raise invalid("Missing or more than one RRULE in recurrence.")
    rule = rules[0].strip()[len("RRULE:") :].upper()
    try:
        parse_rule(rule, zone_name)
    except InvalidRule:
        raise invalid("Invalid recurrence rule.") from None
    left_out: list[Instant] = []
    for line in recurrence:
        if line is rules[0]:
            continue
        name, _, listed = line.partition(":")
        if name.strip().upper().partition(";")[0] != "EXDATE":
            raise invalid("Invalid recurrence rule.")
        left_out += [_left_out(text.strip(), start, zone_name) for text in listed.split(",")]
    return rule, tuple(left_out)


def _left_out(text: str, start: Instant, zone_name: str) -> Instant:
    """`20260210`, `20260210T093000` in the event's zone or `20260210T083000Z`."""
    for shape in ("%Y%m%d", "%Y%m%dT%H%M%S", "%Y%m%dT%H%M%SZ"):
        try:
            found = datetime.strptime(text, shape)  # noqa: DTZ007 - given its zone by `wall`
        except ValueError:
            continue
        if shape == "%Y%m%d":
            found = datetime.combine(found.date(), local(start, zone_name).time())
        return wall(found, "UTC" if shape.endswith("Z") else zone_name)
    raise invalid("Invalid recurrence rule.")


def _is_day(text: str) -> bool:
    return len(text.strip()) == len("2026-04-14")


def _read(text: str, zone_name: str) -> Instant:
    try:
        found = datetime.fromisoformat(text.strip()).replace(microsecond=0)
        if found.year not in _YEARS:
            raise ValueError(text)
        return from_datetime(found) if found.tzinfo else wall(found, zone_name)
    except ValueError:
        raise invalid(f"Invalid time: {text}") from None


def zone_called(name: str, usual: str) -> str:
    """The time zone of that name, the usual one where none is named.

    Raises:
        CalendarError: there is none.
    """
    try:
        zone(name or usual)
    except (KeyError, ValueError):
        raise invalid("Invalid time zone definition.") from None
    return name or usual


def page(found: list[Occurrence], limit: int, token: str) -> tuple[list[Occurrence], str]:
    """A part of what was found and the token for the next, empty where there is no more.

    Raises:
        CalendarError: the token is not one of this list.
    """
    try:
        skipped = decode_cursor("events", token) if token else 0
    except InvalidCursor:
        raise invalid("Invalid page token value.") from None
    if skipped < 0:
        raise invalid("Invalid page token value.")
    more = len(found) > skipped + limit
    return found[skipped : skipped + limit], encode_cursor("events", skipped + limit) if more else ""
