"""The calendar's operations, each seen to succeed and to fail."""

from brownout.testing.conformance import Case, NamedThing, Step

__all__ = ["CASES", "NAMED", "SHAPE"]

SHAPE = frozenset({"error"})
_NONE = "notFound"
_LUNCH = {"summary": "Lunch", "start": "2026-03-27T12:00", "end": "2026-03-27T13:00"}
_OWN = Step("calendar_create_event", {**_LUNCH, "attendees": ["ida"]}, {"event": "id"})
_STANDUP = Step(
    "calendar_search_events", {"q": "Standup"}, {"standup": "items[0].id", "series": "items[0].recurringEventId"}
)
_DAY = {"time_min": "2026-03-25", "time_max": "2026-03-26"}

CASES = (
    Case("calendar_list_calendars", {}, {"colour": "blue"}, "badRequest"),
    Case("calendar_list_events", {"calendar": "ida"}, {"calendar": "nobody"}, _NONE),
    Case("calendar_search_events", {"q": "venue"}, {"q": "venue", "time_min": "soon"}, "Invalid time"),
    Case("calendar_get_event", {"event_id": "$standup"}, {"event_id": "nothing"}, _NONE, (_STANDUP,)),
    Case("calendar_list_instances", {"event_id": "$series"}, {"event_id": "$standup"}, "not recurring", (_STANDUP,)),
    Case(
        "calendar_query_free_busy",
        {"calendars": ["ida"], **_DAY},
        {"calendars": ["ida"], "time_min": "2026-03-25", "time_max": "2026-03-24"},
        "time range is empty",
    ),
    Case("calendar_create_event", _LUNCH, {**_LUNCH, "attendees": ["nobody"]}, "Invalid attendee email"),
    Case(
        "calendar_set_out_of_office",
        {"start": "2026-03-30", "end": "2026-04-01"},
        {"start": "2026-03-30", "end": "2026-03-30"},
        "time range is empty",
    ),
    Case(
        "calendar_update_event",
        {"event_id": "$event", "summary": "Late lunch"},
        {"event_id": "$standup", "summary": "Mine"},
        "forbiddenForNonOrganizer",
        (_OWN, _STANDUP),
    ),
    Case(
        "calendar_delete_event",
        {"event_id": "$event"},
        {"event_id": "$series"},
        "forbiddenForNonOrganizer",
        (_OWN, _STANDUP),
    ),
    Case(
        "calendar_respond_to_event",
        {"event_id": "$series", "response": "accepted"},
        {"event_id": "nothing", "response": "accepted"},
        _NONE,
        (_STANDUP,),
    ),
)

NAMED = (
    NamedThing("calendar", "Standup"),
    NamedThing("calendar", "Venue*"),
    NamedThing("calendar", "Lunch", (_OWN,)),
    NamedThing("calendar", "wren.event/$event", (_OWN,)),
)
