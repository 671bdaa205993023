"""Events, guests, rooms, free and busy: what an account does with the calendar."""

from typing import Any, cast

import pytest

from brownout.core.trajectory import WorldEvent
from brownout.engine.session import Session


def ask(session: Session, name: str, **arguments: Any) -> Any:
    """The answer to a call that succeeds."""
    answer = session.call(f"calendar_{name}", arguments)
    assert not answer.is_error, answer.content
    return cast(Any, answer.structured)


def refused(session: Session, name: str, **arguments: Any) -> str:
    """The reason of a call that fails."""
    answer = session.call(f"calendar_{name}", arguments)
    assert answer.is_error, answer.content
    return str(cast(Any, answer.structured)["error"]["errors"][0]["reason"])


def starts(session: Session, **arguments: Any) -> list[str]:
    return [
        str(event["start"].get("dateTime", event["start"].get("date")))
        for event in ask(session, "list_events", **arguments)["items"]
    ]


def answers(event: Any) -> dict[str, str]:
    return {guest["displayName"] or guest["email"]: guest["responseStatus"] for guest in event["attendees"]}


LUNCH = {"summary": "Lunch", "start": "2026-03-27T12:00", "end": "2026-03-27T13:00"}


def test_a_series_is_listed_in_local_time_across_the_change_of_clocks(session: Session) -> None:
    assert starts(session, calendar="ida", time_min="2026-03-27", time_max="2026-03-31", q="standup") == [
        "2026-03-27T09:30:00+00:00",
        "2026-03-30T09:30:00+01:00",
    ]


def test_what_an_author_left_out_of_a_series_does_not_take_place(session: Session) -> None:
    assert starts(session, calendar="ida", time_min="2026-03-19", time_max="2026-03-24", q="standup") == [
        "2026-03-19T09:30:00+00:00",
        "2026-03-23T09:30:00+00:00",
    ]


def test_guests_answer_when_they_get_to_it(session: Session) -> None:
    made = ask(session, "create_event", **LUNCH, attendees=["ida", "owen@pennywhistle.test", "bo@foundrystage.test"])
    session.call("wait", {"minutes": 240, "until_notice": False})
    found = ask(session, "get_event", event_id=made["id"])

    assert answers(made)["Ida Lindqvist"] == "needsAction"
    assert (answers(found)["Ida Lindqvist"], answers(found)["Wren"]) == ("accepted", "accepted")
    assert answers(found)["bo@foundrystage.test"] == "needsAction"
    assert "accepted: Lunch" in str([notice.text for notice in session.notices])
    assert any(isinstance(event, WorldEvent) and event.app == "calendar" for event in session.events)


def test_somebody_who_has_something_else_declines(session: Session) -> None:
    clash = {"summary": "Clash", "start": "2026-03-25T15:00", "end": "2026-03-25T15:30"}
    made = ask(session, "create_event", **clash, attendees=["marcus"])
    session.call("wait", {"minutes": 240, "until_notice": False})

    assert answers(ask(session, "get_event", event_id=made["id"]))["Marcus Bell"] == "declined"


def test_what_repeats_gives_way_to_what_happens_once(session: Session) -> None:
    drill = {"summary": "Drill", "start": "2026-03-26T09:30", "end": "2026-03-26T10:00"}
    made = ask(session, "create_event", **drill, attendees=["ida"])
    session.call("wait", {"minutes": 240, "until_notice": False})

    assert answers(ask(session, "get_event", event_id=made["id"]))["Ida Lindqvist"] == "accepted"


def test_a_room_is_taken_once(session: Session) -> None:
    first = ask(session, "create_event", **LUNCH, attendees=["Attic"])
    second = ask(session, "create_event", **LUNCH, attendees=["Attic"])
    standup = {"summary": "Clash", "start": "2026-03-26T09:00", "end": "2026-03-26T10:00"}
    third = ask(session, "create_event", **standup, attendees=["Harbour"])

    assert [answers(event)["Attic"] for event in (first, second)] == ["accepted", "declined"]
    assert answers(third)["Harbour"] == "declined"


def test_a_room_that_is_free_only_at_first_declines_a_series(session: Session) -> None:
    ask(session, "create_event", summary="Later", start="2026-04-10T12:30", end="2026-04-10T14:00", attendees=["Attic"])
    series = ask(session, "create_event", **LUNCH, attendees=["Attic"], recurrence=["RRULE:FREQ=WEEKLY;COUNT=4"])

    assert answers(series)["Attic"] == "declined"


def test_a_private_event_shows_as_busy_but_to_its_guests(session: Session) -> None:
    day = {"time_min": "2026-03-25", "time_max": "2026-03-26"}
    [shown] = [
        event
        for event in ask(session, "list_events", calendar="priya", **day)["items"]
        if "recurringEventId" not in event
    ]
    busy = ask(session, "query_free_busy", calendars=["priya", "nobody"], **day)["calendars"]

    assert shown["summary"] == "busy"
    assert "attendees" not in shown
    assert "description" not in ask(session, "get_event", event_id=shown["id"])
    assert ask(session, "search_events", q="raise", **day)["items"] == []
    assert busy["priya"]["busy"] == [{"start": "2026-03-25T15:00:00Z", "end": "2026-03-25T15:30:00Z"}]
    assert busy["nobody"]["errors"][0]["reason"] == "notFound"


def test_only_the_organizer_changes_what_is_everybodys(session: Session) -> None:
    [standup] = ask(session, "search_events", q="standup")["items"]

    assert refused(session, "update_event", event_id=standup["id"], summary="Mine") == "forbiddenForNonOrganizer"
    assert refused(session, "delete_event", event_id=standup["recurringEventId"]) == "forbiddenForNonOrganizer"
    [private] = [
        event for event in ask(session, "list_events", calendar="priya")["items"] if event["summary"] == "busy"
    ]
    assert refused(session, "delete_event", event_id=private["id"]) == "requiredAccessLevel"
    assert refused(session, "respond_to_event", event_id=private["id"], response="accepted") == "requiredAccessLevel"


def test_one_of_a_series_is_moved_and_called_off_by_its_own_id(session: Session) -> None:
    series = ask(
        session, "create_event", **LUNCH, recurrence=["RRULE:FREQ=DAILY;COUNT=4", "EXDATE:20260328"], attendees=["ida"]
    )
    window = {"time_min": "2026-03-27", "time_max": "2026-04-02"}
    first, second, third = ask(session, "list_instances", event_id=series["id"], **window)["items"]
    moved = ask(session, "update_event", event_id=second["id"], start="2026-03-30T18:00", end="2026-03-30T19:00")
    ask(session, "delete_event", event_id=third["id"])

    assert moved["id"] == second["id"]
    assert moved["originalStartTime"]["dateTime"] == "2026-03-29T12:00:00+01:00"
    assert starts(session, **window, q="lunch") == ["2026-03-27T12:00:00+00:00", "2026-03-30T18:00:00+01:00"]
    assert [each["id"] for each in ask(session, "list_instances", event_id=series["id"], **window)["items"]] == [
        first["id"],
        second["id"],
    ]
    assert refused(session, "get_event", event_id=third["id"]) == "deleted"
    assert len(ask(session, "get_event", event_id=series["id"])["recurrence"]) == 3


def test_a_series_that_moves_keeps_no_exceptions_and_asks_anew(session: Session) -> None:
    series = ask(session, "create_event", **LUNCH, recurrence=["RRULE:FREQ=DAILY;COUNT=3"], attendees=["ida"])
    session.call("wait", {"minutes": 240, "until_notice": False})
    one = ask(session, "list_instances", event_id=series["id"])["items"][1]
    ask(session, "update_event", event_id=one["id"], summary="Long lunch")
    moved = ask(session, "update_event", event_id=series["id"], start="2026-03-27T13:00", end="2026-03-27T14:00")

    assert answers(moved)["Ida Lindqvist"] == "needsAction"
    assert [event["summary"] for event in ask(session, "list_instances", event_id=series["id"])["items"]] == [
        "Lunch"
    ] * 3


def test_out_of_office_declines_what_is_asked_then(session: Session) -> None:
    away = ask(session, "set_out_of_office", start="2026-03-30", end="2026-04-01")
    day = {"time_min": "2026-03-30T23:00:00Z", "time_max": "2026-03-31T22:00:00Z"}

    assert (away["start"], away["eventType"]) == ({"date": "2026-03-30"}, "outOfOffice")
    assert ask(session, "query_free_busy", calendars=["primary"], **day)["calendars"]["primary"]["busy"] == [
        {"start": "2026-03-30T23:00:00Z", "end": "2026-03-31T22:00:00Z"}
    ]


def test_an_invitation_is_answered_once_and_for_one_day(session: Session) -> None:
    standup = ask(session, "search_events", q="standup", time_min="2026-03-25")["items"][0]
    one = ask(session, "respond_to_event", event_id=standup["id"], response="declined", comment="At the dentist's")
    every = ask(session, "respond_to_event", event_id=standup["recurringEventId"], response="accepted")

    assert answers(one)["Wren"] == "declined"
    assert answers(every)["Wren"] == "accepted"
    assert session.said[0].text == "At the dentist's"
    assert "ida" in session.said[0].to


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"start": "2026-03-27", "end": "2026-03-27T13:00"}, "invalid"),
        ({"start": "2026-03-27T14:00"}, "invalid"),
        ({"recurrence": ["FREQ=DAILY"]}, "invalid"),
        ({"recurrence": ["RRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY"]}, "invalid"),
        ({"recurrence": ["RRULE:FREQ=SECONDLY"]}, "invalid"),
        ({"time_zone": "Europe/Nowhere"}, "invalid"),
        ({"start": "9999-12-31T23:00"}, "invalid"),
        ({"attendees": ["nobody@pennywhistle.test"]}, "invalid"),
        ({"visibility": "secret"}, "badRequest"),
    ],
)
def test_what_makes_no_sense_is_refused(session: Session, arguments: dict[str, Any], reason: str) -> None:
    assert refused(session, "create_event", **{**LUNCH, **arguments}) == reason


def test_a_list_goes_on_where_it_ended(session: Session) -> None:
    window = {"calendar": "ida", "time_min": "2026-03-23", "time_max": "2026-03-28"}
    first = ask(session, "list_events", **window, max_results=3)
    rest = ask(session, "list_events", **window, max_results=3, page_token=first["nextPageToken"])

    assert len(first["items"]) == 3
    assert len(rest["items"]) == 2
    assert "nextPageToken" not in rest
    assert refused(session, "list_events", page_token="?") == "invalid"


def test_looking_far_ahead_takes_no_time_and_too_far_is_refused(session: Session) -> None:
    ask(session, "create_event", **LUNCH, recurrence=["RRULE:FREQ=DAILY"])

    assert len(starts(session, time_min="8000-01-01", time_max="8000-01-08", q="lunch")) == 7
    assert refused(session, "list_events", time_min="2026-01-01", time_max="2029-01-01") == "invalid"


@pytest.mark.parametrize(
    "text", ["\ud800", "\x00", '"', "a" * 900, "'; DROP TABLE calendar_event; --", "_20260101T000000Z"]
)
def test_strange_texts_are_answered_not_crashed(session: Session, text: str) -> None:
    for name, arguments in (
        ("calendar_create_event", {**LUNCH, "summary": text, "attendees": [text]}),
        ("calendar_create_event", {**LUNCH, "summary": text}),
        ("calendar_get_event", {"event_id": text}),
        ("calendar_list_events", {"calendar": text, "q": text, "time_min": text[:40]}),
        ("calendar_search_events", {"q": text}),
        ("calendar_query_free_busy", {"calendars": [text], "time_min": "2026-03-25", "time_max": "2026-03-26"}),
    ):
        session.call(name, cast(Any, arguments))

    assert not session.call("calendar_list_events", {}).is_error


def test_an_hour_lasts_an_hour(session: Session) -> None:
    made = ask(
        session,
        "create_event",
        summary="Night",
        start="2026-03-28T23:30",
        end="2026-03-29T03:30",
        time_zone="Europe/Lisbon",
    )
    busy = ask(
        session, "query_free_busy", calendars=["primary"], time_min="2026-03-28T20:00", time_max="2026-03-29T09:00"
    )

    assert made["end"]["dateTime"] == "2026-03-29T03:30:00+01:00"
    assert busy["calendars"]["primary"]["busy"] == [{"start": "2026-03-28T23:30:00Z", "end": "2026-03-29T02:30:00Z"}]
