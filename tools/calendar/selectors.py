"""What the calendar's rows are called (`path_of`), and the things that a selector's pattern names (`find`)."""

from sqlalchemy import select

from brownout.core.apps import Thing
from brownout.core.instants import iso
from brownout.core.rows import Row, Rows
from brownout.core.values import Json, JsonObject
from brownout.core.wildcards import fits
from brownout.store import compile_query
from tools.calendar import agenda, tables
from tools.calendar.records import path_of_event

__all__ = ["find", "path_of"]

_calendar, _event = tables.calendar, tables.event
_NO_EXCEPTIONS = compile_query(select(_event).where(_event.c.series.is_(None)).order_by(_event.c.id))
_EVENTS = compile_query(select(_event).order_by(_event.c.id))


def path_of(rows: Rows, table: str, row: Row) -> str:
    """`calendar:ida.event/7cbh8rpc10…`, with `.guest/tomas@…` for a guest; `calendar:calendar/ida`."""
    if table == "calendar_calendar":
        return f"calendar:calendar/{row.text('person') or row.text('name')}"
    event = row if table == "calendar_event" else rows.get(_event, row.number("event"))
    owner = rows.get(_calendar, event.number("calendar")) if event else None
    place = path_of_event(owner, event) if event and owner else "calendar:gone"
    return place if table == "calendar_event" else f"{place}.guest/{row.text('email')}"


def find(rows: Rows, pattern: str) -> list[Thing]:
    """The events whose title fits the pattern (`Standup*`), a series as one, or whose path does (`ida.event/7cbh8rpc10…`)."""
    by_path = ".event/" in pattern
    found = []
    for row in rows.all(_EVENTS if by_path else _NO_EXCEPTIONS):
        name = path_of(rows, "calendar_event", row).removeprefix("calendar:") if by_path else row.text("summary")
        if fits(name, pattern):
            found.append(_thing(rows, row))
    return found


def _thing(rows: Rows, row: Row) -> Thing:
    guests = agenda.guests_of(rows, row)
    owner = rows.get(_calendar, row.number("calendar"))
    fields: JsonObject = {
        "summary": row.text("summary"),
        "description": row.text("description"),
        "organizer": owner.text("person") if owner else "",
        "start": iso(row.number("start_us")),
        "end": iso(row.number("end_us")),
        "repeats": row.text("rule"),
        "status": row.text("status"),
        "visibility": row.text("visibility"),
        "guests": [agenda.guest_name(rows, guest) for guest in guests],
    }
    for response in ("accepted", "declined", "tentative"):
        listed: list[Json] = [agenda.guest_name(rows, guest) for guest in guests if guest["response"] == response]
        fields[response] = listed
    own = ("calendar_event", row.number("id"))
    return Thing(
        path_of(rows, "calendar_event", row),
        fields,
        (own, *(("calendar_guest", guest.number("id")) for guest in guests)),
    )
