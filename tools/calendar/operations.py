"""What an account may do in the calendar, after the Google Calendar API v3."""

from typing import Annotated, Literal

from pydantic import Field

from brownout.core.apps import Call
from brownout.core.instants import iso
from brownout.core.operations import Operations
from brownout.core.rows import Row, Value
from brownout.core.values import Json, JsonObject
from tools.calendar import agenda, records, serializers
from tools.calendar.agenda import Occurrence
from tools.calendar.errors import forbidden, invalid, no_access
from tools.calendar.operation_arguments import (
    CalendarId,
    EventId,
    Limit,
    PageToken,
    Time,
    calendar_called,
    event_called,
    invited,
    me,
    page,
    rule_in,
    times,
    window,
    zone_called,
)
from tools.calendar.search import finds

__all__ = ["operations"]

operations = Operations("calendar")

Summary = Annotated[str, Field(max_length=1_024)]
Description = Annotated[str, Field(max_length=8_192)]
Location = Annotated[str, Field(description="Where it is, as text; rooms are invited.", max_length=1_024)]
Names = list[Annotated[str, Field(min_length=1, max_length=300)]]
Guests = Annotated[Names, Field(description="Addresses, names or short names of people and rooms.", max_length=200)]
Recurrence = Annotated[
    list[Annotated[str, Field(max_length=500)]],
    Field(description="RRULE:FREQ=WEEKLY;BYDAY=MO,TH and EXDATE:20260210 lines; empty for once.", max_length=20),
]
Zone = Annotated[str, Field(description="Time zone, e.g. Europe/Berlin; empty for your own.", max_length=60)]
Visibility = Annotated[
    Literal["default", "public", "private"], Field(description="Of a private one others see only that you are busy.")
]
Transparency = Annotated[Literal["opaque", "transparent"], Field(description="transparent does not make you busy.")]
Query = Annotated[str, Field(description='Words that all occur; "a phrase"; -not this.', max_length=500)]


# -- reading ------------------------------------------------------------------------------------------------


@operations.read
def list_calendars(call: Call) -> Json:
    """List the calendars that you can see: your own, your colleagues' and the rooms'."""
    own = me(call)
    rows = sorted(agenda.calendars(call.rows), key=lambda row: (row["id"] != own["id"], not row["person"]))
    return {"kind": "calendar#calendarList", "items": [serializers.calendar_json(row, own) for row in rows]}


@operations.read
def list_events(
    call: Call,
    calendar: CalendarId = "primary",
    time_min: Time = "",
    time_max: Time = "",
    q: Query = "",
    max_results: Limit = 50,
    page_token: PageToken = "",
) -> Json:
    """List what is on a calendar, in order, series expanded: from now on for 31 days unless told otherwise."""
    own, found = me(call), calendar_called(call, calendar)
    since, until = window(call, time_min, time_max, own.text("zone"))
    events = [
        each
        for each in agenda.agenda(call.rows, found, since, until)
        if not q.strip() or (serializers.is_open_to(call, each.event, own) and finds(call.rows, q, each.event))
    ]
    shown, token = page(events, max_results, page_token)
    answer: JsonObject = {"kind": "calendar#events", "summary": found.text("name"), "timeZone": found.text("zone")}
    return _listed(call, answer, shown, token)


@operations.read
def search_events(
    call: Call,
    q: Annotated[str, Field(description='Words that all occur; "a phrase"; -not.', min_length=1, max_length=500)],
    time_min: Time = "",
    time_max: Time = "",
    max_results: Limit = 25,
    page_token: PageToken = "",
) -> Json:
    """Search all calendars that you can see: titles, texts, places and guests. A series counts once."""
    own = me(call)
    since, until = window(call, time_min, time_max, own.text("zone"))
    found = agenda.found_once(
        call.rows, since, until, lambda event: serializers.is_open_to(call, event, own) and finds(call.rows, q, event)
    )
    shown, token = page(found, max_results, page_token)
    return _listed(call, {"kind": "calendar#events"}, shown, token)


@operations.read
def get_event(call: Call, event_id: EventId) -> Json:
    """Get an event with its guests and their answers; a series with its rule; or one of a series."""
    own, found = me(call), event_called(call, event_id)
    return serializers.event_json(call, found, own, is_series=bool(found.event["rule"]) and found.original is None)


@operations.read
def list_instances(
    call: Call,
    event_id: Annotated[str, Field(description="Id of a series.", min_length=1, max_length=100)],
    time_min: Time = "",
    time_max: Time = "",
    max_results: Limit = 50,
    page_token: PageToken = "",
) -> Json:
    """List the times at which a series takes place, changed ones included: from now on unless told otherwise."""
    own, found = me(call), event_called(call, event_id)
    if not found.event["rule"] or found.original is not None:
        raise invalid("The event is not recurring.")
    since, until = window(call, time_min, time_max, own.text("zone"))
    changed = [
        Occurrence(row, row.number("start_us"), row.number("end_us"), at)
        for at, row in agenda.exceptions_of(call.rows, found.event).items()
        if row["status"] == "confirmed" and row.number("start_us") < until and row.number("end_us") > since
    ]
    events = [*agenda.instances(call.rows, found.event, since=since, until=until), *changed]
    shown, token = page(sorted(events, key=lambda each: each.start), max_results, page_token)
    return _listed(call, {"kind": "calendar#events"}, shown, token)


@operations.read
def query_free_busy(
    call: Call,
    calendars: Annotated[Names, Field(description="People and rooms.", min_length=1, max_length=50)],
    time_min: Time,
    time_max: Time,
) -> Json:
    """See when people and rooms are busy between two times, in UTC. What they declined does not count."""
    own = me(call)
    since, until = window(call, time_min, time_max, own.text("zone"))
    answer: JsonObject = {}
    for name in calendars:
        found = own if name == "primary" else agenda.calendar_named(call.rows, name)
        if found is None:
            answer[name] = {"errors": [{"domain": "global", "reason": "notFound"}], "busy": []}
        else:
            answer[name] = {"busy": serializers.busy_json(agenda.busy(call.rows, found, since, until))}
    return {"kind": "calendar#freeBusy", "timeMin": iso(since), "timeMax": iso(until), "calendars": answer}


# -- writing ------------------------------------------------------------------------------------------------


@operations.write(addition=True)
def create_event(
    call: Call,
    summary: Summary,
    start: Time,
    end: Time,
    attendees: Guests = [],  # noqa: B006 (a schema's default, never changed)
    optional_attendees: Guests = [],  # noqa: B006 (a schema's default, never changed)
    description: Description = "",
    location: Location = "",
    recurrence: Recurrence = [],  # noqa: B006 (a schema's default, never changed)
    time_zone: Zone = "",
    visibility: Visibility = "default",
    transparency: Transparency = "opaque",
) -> Json:
    """Put an event on your calendar and invite its guests. A room that is taken declines at once."""
    own = me(call)
    zone = zone_called(time_zone, own.text("zone"))
    when = times(start, end, zone)
    rule, left_out = rule_in(recurrence, when.start, zone) if recurrence else ("", ())
    draft = records.MeetingDraft(
        summary=summary,
        start=when.start,
        end=when.end,
        zone=zone,
        description=description,
        location=location,
        is_all_day=when.is_all_day,
        rule=rule,
        visibility=visibility,
        is_free=transparency == "transparent",
        guests=(*invited(call, attendees), *invited(call, optional_attendees, is_optional=True)),
    )
    made = records.create_event(call, own, draft)
    records.leave_out(call, made, left_out)
    return _shown(call, made)


@operations.write(addition=True)
def set_out_of_office(
    call: Call,
    start: Time,
    end: Time,
    summary: Summary = "Out of office",
) -> Json:
    """Say that you are away. Invitations to a single event in that time are declined for you."""
    own = me(call)
    when = times(start, end, own.text("zone"))
    draft = records.MeetingDraft(
        summary, when.start, when.end, own.text("zone"), is_all_day=when.is_all_day, kind="outOfOffice"
    )
    return _shown(call, records.create_event(call, own, draft))


@operations.write()
def update_event(
    call: Call,
    event_id: EventId,
    summary: Summary | None = None,
    start: Annotated[Time | None, Field(description="Give the end too.")] = None,
    end: Annotated[Time | None, Field(description="Give the start too.")] = None,
    description: Description | None = None,
    location: Location | None = None,
    recurrence: Recurrence | None = None,
    visibility: Visibility | None = None,
    add_attendees: Guests = [],  # noqa: B006 (a schema's default, never changed)
    remove_attendees: Guests = [],  # noqa: B006 (a schema's default, never changed)
) -> Json:
    """Change an event of yours; what is not given stays. One of a series by its own id, all of it by the series' id.

    Who is moved is asked anew.
    """
    found, own = _own(call, event_id), me(call)
    row = found.event
    changes: dict[str, Value] = {
        name: value
        for name, value in (
            ("summary", summary),
            ("description", description),
            ("location", location),
            ("visibility", visibility),
        )
        if value is not None
    }
    if (start is None) != (end is None):
        raise invalid("Start and end times must be given together.")
    if start is not None and end is not None:
        when = times(start, end, own.text("zone"))
        changes |= {"start_us": when.start, "end_us": when.end, "is_all_day": int(when.is_all_day)}
    left_out: tuple[int, ...] | None = None
    if recurrence is not None:
        if not row["rule"] or found.original is not None:
            raise invalid("The event is not recurring.")
        begun = changes.get("start_us", row["start_us"])
        assert isinstance(begun, int)
        changes["rule"], left_out = rule_in(recurrence, begun, row.text("zone"))
    add = invited(call, add_attendees)
    remove = [guest.email for guest in invited(call, remove_attendees)]
    event = records.change_event(call, records.one_of_series(call, found), changes)
    records.set_guests(call, event, add=add, remove=remove)
    records.leave_out(call, event, left_out or ())
    return _shown(call, event)


@operations.write()
def delete_event(call: Call, event_id: EventId) -> Json:
    """Call off an event of yours and tell its guests: one of a series by its own id, all of it by the series' id."""
    found = _own(call, event_id)
    records.call_off(call, records.one_of_series(call, found))
    return {}


@operations.write(addition=True)
def respond_to_event(
    call: Call,
    event_id: EventId,
    response: Literal["accepted", "declined", "tentative"],
    comment: Annotated[str, Field(description="A word to the organizer.", max_length=1_000)] = "",
) -> Json:
    """Answer an invitation: to a series as a whole by its id, to one of it by its own."""
    own, found = me(call), event_called(call, event_id)
    if agenda.guest_of(call.rows, found.event, own) is None:
        raise no_access()
    event = records.one_of_series(call, found)
    guest = agenda.guest_of(call.rows, event, own)
    assert guest is not None
    records.respond(call, event, guest, response, comment)
    return _shown(call, event)


# -- what they share ----------------------------------------------------------------------------------------


def _own(call: Call, event_id: str) -> Occurrence:
    """An event that the actor may change."""
    own, found = me(call), event_called(call, event_id)
    if found.event["calendar"] != own["id"]:
        raise forbidden() if agenda.guest_of(call.rows, found.event, own) else no_access()
    return found


def _shown(call: Call, event: Row) -> JsonObject:
    found = agenda.event_called(call.rows, event.text("event_id"))
    assert found is not None
    return serializers.event_json(call, found, me(call), is_series=bool(event["rule"]))


def _listed(call: Call, answer: JsonObject, shown: list[Occurrence], token: str) -> JsonObject:
    own = me(call)
    items: list[Json] = [serializers.event_json(call, each, own) for each in shown]
    return {**answer, "items": items} | ({"nextPageToken": token} if token else {})
