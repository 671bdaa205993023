"""Rows as the Google Calendar API's JSON."""

from brownout.core.apps import Call
from brownout.core.instants import Instant, iso, local, to_datetime
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject
from tools.calendar import agenda, tables
from tools.calendar.agenda import BusyStretch, Occurrence

__all__ = ["busy_json", "calendar_json", "event_json", "is_open_to"]


def calendar_json(row: Row, me: Row) -> JsonObject:
    """A calendar in somebody's list."""
    is_mine = row["id"] == me["id"]
    shown: JsonObject = {
        "id": row.text("email"),
        "summary": row.text("name"),
        "timeZone": row.text("zone"),
        "accessRole": "owner" if is_mine else "reader",
    }
    if is_mine:
        shown["primary"] = True
    return shown if row["person"] else {**shown, "resource": {"kind": "room", "capacity": row.number("seats")}}


def busy_json(stretches: list[BusyStretch]) -> list[Json]:
    """When somebody is busy."""
    return [{"start": iso(each.start), "end": iso(each.end)} for each in stretches]


def is_open_to(call: Call, event: Row, me: Row) -> bool:
    """Whether somebody may see what an event is about; of a private one others see that its guests are busy."""
    if event["visibility"] != "private" or event["calendar"] == me["id"]:
        return True
    return agenda.guest_of(call.rows, event, me) is not None


def event_json(call: Call, found: Occurrence, me: Row, *, is_series: bool = False) -> JsonObject:
    """An event as it takes place once, or a series as such, as far as somebody may see it."""
    row = found.event
    shown: JsonObject = {
        "id": row.text("event_id") if is_series else found.id,
        "status": row.text("status"),
        "start": _when(row, found.start),
        "end": _when(row, found.end),
        "visibility": row.text("visibility"),
    }
    if found.original is not None and not is_series:
        shown["recurringEventId"] = found.id.partition("_")[0]
        shown["originalStartTime"] = _when(row, found.original)
    if not is_open_to(call, row, me):
        return {**shown, "summary": "busy"}
    organizer = call.rows.get(tables.calendar, row.number("calendar"))
    shown |= {
        "summary": row.text("summary"),
        "description": row.text("description"),
        "location": row.text("location"),
        "organizer": {"email": organizer.text("email"), "displayName": organizer.text("name")} if organizer else None,
        "eventType": row.text("kind"),
        "transparency": "transparent" if row["is_free"] else "opaque",
        "created": iso(row.number("created_us")),
        "updated": iso(row.number("updated_us")),
        "sequence": row.number("sequence"),
        "attendees": [_guest_json(call, guest, row, me) for guest in agenda.guests_of(call.rows, row)],
    }
    if row["rule"] and is_series:
        shown["recurrence"] = [f"RRULE:{row.text('rule')}", *_called_off(call, row)]
    return shown


def _called_off(call: Call, series: Row) -> list[str]:
    gone = [at for at, row in agenda.exceptions_of(call.rows, series).items() if row["status"] == "cancelled"]
    return [f"EXDATE:{to_datetime(at).strftime('%Y%m%dT%H%M%SZ')}" for at in sorted(gone)]


def _guest_json(call: Call, guest: Row, event: Row, me: Row) -> JsonObject:
    calendar = call.rows.get(tables.calendar, guest.number("calendar")) if guest["calendar"] is not None else None
    shown: JsonObject = {
        "email": guest.text("email"),
        "displayName": guest.text("name"),
        "responseStatus": guest.text("response"),
    }
    marks = {
        "organizer": guest["calendar"] == event["calendar"],
        "self": guest["calendar"] == me["id"],
        "resource": calendar is not None and not calendar["person"],
        "optional": bool(guest["is_optional"]),
    }
    shown |= {name: True for name, holds in marks.items() if holds}
    return {**shown, "comment": guest.text("comment")} if guest["comment"] else shown


def _when(event: Row, at: Instant) -> JsonObject:
    """A day for what lasts all day, else the time in the event's zone."""
    there = local(at, event.text("zone"))
    if event["is_all_day"]:
        return {"date": there.strftime("%Y-%m-%d")}
    return {"dateTime": there.isoformat(timespec="seconds"), "timeZone": event.text("zone")}
