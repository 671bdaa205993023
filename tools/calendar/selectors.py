"""Names for the calendar's rows: paths for closed-world checks, things for selectors, texts for what was said."""

from typing import Final

from sqlalchemy import select

from brownout.core.apps import Thing, Utterance
from brownout.core.calls import Effect
from brownout.core.instants import iso
from brownout.core.rows import Row, Rows
from brownout.core.values import Json, JsonObject
from brownout.core.wildcards import fits
from brownout.store import compile_query
from tools.calendar import agenda, tables
from tools.calendar.records import path_of_event

__all__ = ["find", "path_of", "utterance"]

_calendar, _event = tables.calendar, tables.event
_NO_EXCEPTIONS = compile_query(select(_event).where(_event.c.series.is_(None)).order_by(_event.c.id))
_EVENTS = compile_query(select(_event).order_by(_event.c.id))
_TEXTS: Final = ("summary", "description", "location")


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
        "guests": [_name(rows, guest) for guest in guests],
    }
    for response in ("accepted", "declined", "tentative"):
        listed: list[Json] = [_name(rows, guest) for guest in guests if guest["response"] == response]
        fields[response] = listed
    own = ("calendar_event", row.number("id"))
    return Thing(
        path_of(rows, "calendar_event", row),
        fields,
        (own, *(("calendar_guest", guest.number("id")) for guest in guests)),
    )


def _name(rows: Rows, guest: Row) -> str:
    """Somebody's short name, a room's name, the address of who has no calendar here."""
    calendar = rows.get(_calendar, guest.number("calendar")) if guest["calendar"] is not None else None
    return (calendar.text("person") or calendar.text("name")) if calendar else guest.text("email")


def utterance(rows: Rows, effect: Effect) -> Utterance | None:
    """What an invitation says to whoever is invited, what is changed of it to all its guests, and a word to the organizer."""
    before, row = effect.before, effect.after
    if row is None:
        return None
    if effect.table == "calendar_event" and row["series"] is None and before is not None:
        text = "\n".join(row.text(name) for name in _TEXTS if row[name] and before[name] != row[name])
        people = frozenset(_name(rows, guest) for guest in agenda.guests_of(rows, row))
        return Utterance(path_of(rows, effect.table, row), text, people, row.text("summary")) if text else None
    if effect.table != "calendar_guest":
        return None
    event = rows.get(_event, row.number("event"))
    if before is None:
        return _invitation(rows, event, row) if event else None
    if not row["comment"] or before["comment"] == row["comment"]:
        return None
    owner = rows.get(_calendar, event.number("calendar")) if event else None
    to = frozenset({owner.text("person")}) if owner else frozenset()
    return Utterance(path_of(rows, effect.table, row), row.text("comment"), to)


def _invitation(rows: Rows, event: Row, guest: Row) -> Utterance | None:
    """What a new guest reads; who is a guest of the series was invited with it."""
    series = rows.get(_event, event.number("series")) if event["series"] is not None else None
    if series is not None and any(one["email"] == guest["email"] for one in agenda.guests_of(rows, series)):
        return None
    text = "\n".join(event.text(name) for name in _TEXTS if event[name])
    return Utterance(
        path_of(rows, "calendar_guest", guest), text, frozenset({_name(rows, guest)}), event.text("summary")
    )
