"""The only writer of the calendar's tables, for operations and for the people of the world alike."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Table, bindparam, select

from brownout.core.apps import Call
from brownout.core.calls import Account
from brownout.core.instants import DAY, SECOND, Instant, clock_text, day_text, to_datetime
from brownout.core.rows import Row, Value
from brownout.store import compile_query
from tools.calendar import agenda, tables
from tools.calendar.agenda import Occurrence

__all__ = [
    "Invited",
    "MeetingDraft",
    "add_calendar",
    "add_room",
    "call_off",
    "change_event",
    "create_event",
    "end_series",
    "leave_out",
    "one_of_series",
    "path_of_event",
    "respond",
    "set_guests",
]

_calendar, _event, _guest = tables.calendar, tables.event, tables.guest

_ID_TAKEN = compile_query(select(_event.c.id).where(_event.c.event_id == bindparam("event_id")))
_BOOKED_AHEAD = 120 * DAY
"""How far ahead a room looks for what it has been booked for when it is asked for a series."""
_MOVES = ("start_us", "end_us", "rule")


@dataclass(frozen=True, slots=True)
class Invited:
    """Somebody, or a room, that is asked to an event; `calendar` is None for those outside the company."""

    email: str
    name: str
    calendar: Row | None
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class MeetingDraft:
    """What an event is to be."""

    summary: str
    start: Instant
    end: Instant
    zone: str
    description: str = ""
    location: str = ""
    is_all_day: bool = False
    rule: str = ""
    kind: str = "default"
    visibility: str = "default"
    is_free: bool = False
    guests: tuple[Invited, ...] = ()


def path_of_event(owner: Row, event: Row) -> str:
    """`calendar:ida.event/7cbh8rpc10lrc0ckih9tafss99`."""
    return f"calendar:{owner.text('person') or owner.text('name')}.event/{event.text('event_id')}"


# -- calendars ----------------------------------------------------------------------------------------------


def add_calendar(call: Call, account: Account) -> int:
    """Make somebody's calendar."""
    return call.rows.insert(
        _calendar, email=account.email.lower(), name=account.name, person=account.person, zone=account.zone
    )


def add_room(call: Call, name: str, seats: int, zone: str) -> int:
    """Make a room's calendar."""
    email = f"c_{call.stream('calendar', 'room', name).hex(24)}@resource.calendar.google.com"
    return call.rows.insert(_calendar, email=email, name=name, zone=zone, seats=seats)


# -- events -------------------------------------------------------------------------------------------------


def create_event(call: Call, owner: Row, draft: MeetingDraft) -> Row:
    """Put an event on its organizer's calendar and invite its guests; the organizer is coming."""
    key = call.rows.insert(
        _event,
        event_id=_event_id(call, owner),
        calendar=owner.number("id"),
        creator=call.actor.person,
        summary=draft.summary,
        description=draft.description,
        location=draft.location,
        start_us=draft.start,
        end_us=draft.end,
        zone=draft.zone,
        is_all_day=int(draft.is_all_day),
        rule=draft.rule,
        kind=draft.kind,
        visibility=draft.visibility,
        is_free=int(draft.is_free),
        created_us=call.now,
        updated_us=call.now,
    )
    made = _row(call, _event, key)
    if draft.guests:
        _ask(call, made, Invited(owner.text("email"), owner.text("name"), owner), "accepted")
        set_guests(call, made, add=draft.guests)
    return made


def change_event(call: Call, event: Row, changes: dict[str, Value]) -> Row:
    """Change columns and tell the guests; one that is moved asks them all anew. What is already so is not a change.

    Of a series that is moved nothing stays as an exception.
    """
    real = {name: value for name, value in changes.items() if event[name] != value}
    if not real:
        return event
    key, is_moved = event.number("id"), any(name in real for name in _MOVES)
    call.rows.update(_event, key, **real, sequence=event.number("sequence") + 1, updated_us=call.now)
    changed = _row(call, _event, key)
    if is_moved:
        for exception in agenda.exceptions_of(call.rows, event).values():
            _drop(call, exception)
    owner = _owner(call, changed)
    for guest in agenda.guests_of(call.rows, changed):
        if guest["calendar"] == owner["id"]:
            continue
        if is_moved:
            call.rows.update(_guest, guest.number("id"), response=_first_answer(call, changed, guest), comment="")
            _tell(call, changed, guest, "invite", f"moved {_named(changed)}")
        else:
            _tell(call, changed, guest, "message", f"changed {_named(changed)}")
    return changed


def set_guests(
    call: Call, event: Row, *, add: Iterable[Invited] = (), remove: Iterable[str] = (), tells: bool = True
) -> None:
    """Invite guests, and take others (by address) off the list; who is invited already stays as they are."""
    known = {guest.text("email"): guest for guest in agenda.guests_of(call.rows, event)}
    for email in remove:
        if (guest := known.pop(email, None)) is not None:
            call.rows.delete(_guest, guest.number("id"))
            _tell(call, event, guest, "message", f"took you off the guests of {_named(event)}")
    owner = _owner(call, event)
    for invited in add:
        if invited.email in known:
            continue
        if not known and invited.email != owner["email"]:
            known[owner.text("email")] = _ask(
                call, event, Invited(owner.text("email"), owner.text("name"), owner), "accepted"
            )
        guest = known[invited.email] = _ask(call, event, invited, "needsAction")
        response = _first_answer(call, event, guest)
        call.rows.update(_guest, guest.number("id"), response=response)
        if tells and response == "needsAction":
            _tell(call, event, guest, "invite", f"invited you to {_named(event)}")


def one_of_series(call: Call, found: Occurrence) -> Row:
    """The row of one event of a series, made with the series' guests where it has none yet."""
    series = found.event
    if found.original is None or series["series"] is not None:
        return series
    copied = {name: series[name] for name in series if name not in ("id", "event_id", "rule", "status")}
    copied |= {"start_us": found.start, "end_us": found.end, "updated_us": call.now}
    copied |= {"series": series.number("id"), "original_us": found.original}
    key = call.rows.insert(_event, event_id=found.id, **copied)
    made = _row(call, _event, key)
    for guest in agenda.guests_of(call.rows, series):
        kept = {name: guest[name] for name in guest if name not in ("id", "event")}
        call.rows.insert(_guest, event=key, **kept)
    return made


def leave_out(call: Call, series: Row, starts: Iterable[Instant]) -> None:
    """Let a series not take place at these times; nobody is told, since nobody was asked to come then."""
    for start in starts:
        found = next((each for each in agenda.instances(call.rows, series, since=start, until=start + 1)), None)
        if found is not None and found.start == start:
            call.rows.update(_event, one_of_series(call, found).number("id"), status="cancelled")


def call_off(call: Call, event: Row) -> None:
    """Cancel an event, a whole series with its exceptions, and tell the guests."""
    if event["status"] == "cancelled":
        return
    guests, owner = agenda.guests_of(call.rows, event), _owner(call, event)
    call.rows.update(_event, event.number("id"), status="cancelled", updated_us=call.now)
    for exception in agenda.exceptions_of(call.rows, event).values():
        call.rows.update(_event, exception.number("id"), status="cancelled", updated_us=call.now)
    for guest in guests:
        if guest["calendar"] != owner["id"]:
            _tell(call, event, guest, "message", f"called off {_named(event)}")


def end_series(call: Call, series: Row, since: Instant) -> None:
    """Let a series take place no more from that moment on, and tell the guests; what was before stays as it was."""
    rule = ";".join(part for part in series.text("rule").split(";") if not part.startswith(("UNTIL=", "COUNT=")))
    until = to_datetime(since - SECOND).strftime("%Y%m%dT%H%M%SZ")
    key, owner = series.number("id"), _owner(call, series)
    call.rows.update(_event, key, rule=f"{rule};UNTIL={until}", updated_us=call.now)
    for at, exception in agenda.exceptions_of(call.rows, series).items():
        if at >= since:
            call.rows.update(_event, exception.number("id"), status="cancelled", updated_us=call.now)
    for guest in agenda.guests_of(call.rows, series):
        if guest["calendar"] != owner["id"]:
            _tell(call, series, guest, "message", f"ended {_named(series)}")


def respond(call: Call, event: Row, guest: Row, response: str, comment: str = "") -> Row:
    """Say whether one comes, and tell the organizer; what is already so is not said again."""
    key = guest.number("id")
    if (guest["response"], guest["comment"]) == (response, comment):
        return guest
    call.rows.update(_guest, key, response=response, comment=comment)
    owner = _owner(call, event)
    if owner["id"] != guest["calendar"] and owner["person"]:
        words = {"accepted": "accepted", "declined": "declined", "tentative": "may come to"}
        line = f"{guest.text('name')} {words.get(response, 'has not answered')}: {event.text('summary')}"
        text = f"{line} ({comment})" if comment else line
        call.reach(owner.text("person"), "message", path_of_event(owner, event), text)
    return _row(call, _guest, key)


# -- what they share ----------------------------------------------------------------------------------------


def _ask(call: Call, event: Row, invited: Invited, response: str) -> Row:
    key = call.rows.insert(
        _guest,
        event=event.number("id"),
        calendar=invited.calendar.number("id") if invited.calendar else None,
        email=invited.email,
        name=invited.name,
        response=response,
        is_optional=int(invited.is_optional),
    )
    return _row(call, _guest, key)


def _first_answer(call: Call, event: Row, guest: Row) -> str:
    """A room comes if it is free; who is out of office does not; everybody else will say."""
    key = guest["calendar"]
    calendar = call.rows.get(_calendar, key) if isinstance(key, int) else None
    if calendar is None:
        return "needsAction"
    own = event["series"] or event["id"]
    asked = [Occurrence(event, event.number("start_us"), event.number("end_us"))]
    if event["rule"]:
        start = event.number("start_us")
        asked = [*agenda.instances(call.rows, event, since=start, until=max(start, call.now) + _BOOKED_AHEAD)]
    if not calendar["person"]:
        taken = any(
            agenda.busy(call.rows, calendar, each.start, each.end, but=own if isinstance(own, int) else 0)
            for each in asked
        )
        return "declined" if taken else "accepted"
    if event["rule"]:
        return "needsAction"
    return "declined" if agenda.is_away(call.rows, calendar, asked[0].start, asked[0].end) else "needsAction"


def _tell(call: Call, event: Row, guest: Row, kind: str, what: str) -> None:
    """Tell a guest what somebody else did with an event."""
    calendar = call.rows.get(_calendar, guest.number("calendar")) if guest["calendar"] is not None else None
    if calendar is None or not calendar["person"] or calendar["person"] == call.actor.person:
        return
    path = path_of_event(_owner(call, event), event)
    text = f"{call.actor.name} {what}"
    call.reach(calendar.text("person"), "invite" if kind == "invite" else "message", path, text)


def _named(event: Row) -> str:
    zone, start = event.text("zone"), event.number("start_us")
    when = day_text(start, zone) if event["is_all_day"] else clock_text(start, zone)
    return f"{event.text('summary')}, {when}" + (", repeating" if event["rule"] else "")


def _drop(call: Call, exception: Row) -> None:
    for guest in agenda.guests_of(call.rows, exception):
        call.rows.delete(_guest, guest.number("id"))
    call.rows.delete(_event, exception.number("id"))


def _owner(call: Call, event: Row) -> Row:
    return _row(call, _calendar, event.number("calendar"))


def _event_id(call: Call, owner: Row) -> str:
    """26 characters, as Google Calendar's events have them."""
    stream = call.stream("calendar", "event", owner.text("email"), call.now)
    while True:
        name = stream.hex(26)
        if call.rows.scalar(_ID_TAKEN, event_id=name) is None:
            return name


def _row(call: Call, table: Table, key: int) -> Row:
    found = call.rows.get(table, key)
    assert found is not None, (str(table.name), key)
    return found
