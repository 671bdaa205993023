"""Calendars and the customer register, looked at: a week as a grid, a meeting, an account, a conversation."""

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime

import pytest

import brownout
from brownout.core.instants import from_datetime, zone
from studio.company.company_view import CompanyView, NotThereYet, PersonView, Viewing, ViewRefused
from studio.company.pane_content import PreviewQuestion, PreviewReading
from studio.company.paths import destination_of
from studio.company.repeat_rules import repeats_text
from studio.company.status import status_at
from studio.company.surfaces import SURFACES
from studio.company.week import Piece, Week, week_of
from tests.tools.larger import write_spec
from worlds.package import Package

STORY = """
meetings:
  early: {at: 2026-03-25 09:00, who: owen, with: [ida, yuki, nell], title: Early, lasts: 1h}
  late: {at: 2026-03-25 09:45, who: owen, with: [yuki], title: Late, lasts: 1h}
  night: {at: 2026-03-25 23:00, who: owen, title: Night shift, lasts: 2h, free: true}
  fair: {at: 2026-03-26 00:00, who: owen, title: Fair, lasts: 3d}
incidents:
  seats: {at: 2026-03-24 10:00, who: tomas, title: Seats are grey, services: [boxoffice], mitigation: Restarted., next_update: 4h}
beats:
  seats-ticket: {at: 2026-03-23 10:00, who: owen, opens: {issue: Seats are grey, project: BOX}}
  seats-closed:
    at: 2026-03-23 12:00
    who: owen
    closes: {issue: seats-ticket, root_cause: Holds were kept., root_cause_link: shop/checkout#12}
"""


@pytest.fixture(scope="module")
def fuller(tmp_path_factory: pytest.TempPathFactory) -> Package:
    """The larger world with a full day in it, and somebody in New York."""
    folder = write_spec(tmp_path_factory.mktemp("fuller") / "spec")
    people = folder / "people.yaml"
    people.write_text(f"{people.read_text()}nell: {{name: Nell Page, role: agent, zone: America/New_York}}\n")
    (folder / "storylines" / "grid.yaml").write_text(STORY)
    return brownout.build(folder, out=folder.parent / "package")


@pytest.fixture(scope="module")
def viewing(fuller: Package) -> Iterator[Viewing]:
    """Tuesday 24 March 2026, noon."""
    with closing(CompanyView(fuller)) as company:
        opened = company.viewing("me", fuller.manifest.calendar[0])
        at = from_datetime(datetime(2026, 3, 24, 12, 0, tzinfo=zone("Europe/Lisbon")))
        while opened.now < at:
            try:
                opened.go(at)
            except NotThereYet:
                continue
        yield opened


def of(week: Week, title: str) -> list[Piece]:
    return [piece for piece in week.pieces if piece.title == title]


def texts(reading: PreviewReading, title: str) -> list[tuple[str, ...]]:
    """The cards below a heading: each one's title and its tags."""
    [block] = [block for block in reading.blocks if block.title.startswith(title)]
    return [(card.title, *(tag.label for tag in card.tags)) for card in block.cards]


# -- a week -------------------------------------------------------------------------------------------------


def test_a_week_is_shown_on_the_clock_of_whoever_looks(viewing: Viewing) -> None:
    own = week_of(viewing.as_person("ida"), "", "")
    theirs = week_of(viewing.as_person("nell"), "ida@pennywhistle.test", "")

    assert (own.title, own.number, own.zone, own.other) == ("23 to 29 March 2026", 13, "Lisbon", "")
    assert [(day.name, day.is_past, day.now) for day in own.days[:3]] == [
        ("Mon", True, None),
        ("Tue", False, 720),
        ("Wed", False, None),
    ]
    assert {piece.top for piece in of(own, "Standup")} == {9 * 60 + 30}
    assert (theirs.zone, theirs.other, theirs.ahead) == ("New York", "Lisbon", 240)
    assert {piece.top for piece in of(theirs, "Standup")} == {5 * 60 + 30}


def test_a_meeting_keeps_its_place_when_clocks_change(viewing: Viewing) -> None:
    week = week_of(viewing.as_person("ida"), "", "2026-04-01")

    assert (week.title, week.before, week.after) == ("30 March to 5 April 2026", "2026-03-23", "2026-04-06")
    assert {piece.top for piece in of(week, "Standup")} == {9 * 60 + 30}


def test_what_overlaps_stands_side_by_side(viewing: Viewing) -> None:
    week = week_of(viewing.as_person("yuki"), "", "")
    early, late = (of(week, title)[0] for title in ("Early", "Late"))

    assert [(piece.lane, piece.lanes) for piece in (early, late)] == [(0, 2), (1, 2)]
    assert all(piece.lanes == 1 for piece in week.pieces if piece.day != 2)


def test_what_goes_on_after_midnight_is_shown_on_both_days(viewing: Viewing) -> None:
    pieces = of(week_of(viewing.as_person("ida"), "owen@pennywhistle.test", ""), "Night shift")

    assert [(piece.day, piece.top, piece.bottom) for piece in pieces] == [(2, 1380, 1440), (3, 0, 60)]
    assert all(piece.is_free for piece in pieces)


def test_whole_days_stand_above(viewing: Viewing) -> None:
    fair, away = (
        week_of(viewing.as_person("ida"), f"{person}@pennywhistle.test", day).bands
        for person, day in (("owen", ""), ("tomas", "2026-03-16"))
    )

    assert [(band.title, band.first, band.last, band.look) for band in fair] == [("Fair", 3, 5, "accepted")]
    assert [(band.title, band.first, band.last, band.look) for band in away] == [("My sister's wedding", 0, 0, "away")]


def test_answers_are_told_apart_and_private_meetings_are_only_busy(viewing: Viewing) -> None:
    ida = viewing.as_person("ida")
    [early] = of(week_of(ida, "", ""), "Early")
    [busy] = [piece for piece in week_of(ida, "priya@pennywhistle.test", "").pieces if piece.is_private]

    assert early.look == "accepted"
    assert (busy.title, busy.look, busy.path) == ("busy", "busy", "")


def test_a_room_has_a_week_too(viewing: Viewing) -> None:
    ida = viewing.as_person("ida")
    room = next(place for place in SURFACES["calendar"].places(ida) if place.label == "Harbour")

    assert room.group == "Rooms"
    assert len(of(week_of(ida, room.id, ""), "Standup")) == 5


@pytest.mark.parametrize(("person", "day", "says"), [("ida", "someday", "not found"), ("saltworks", "", "signed up")])
def test_a_week_that_cannot_be_shown_is_refused(viewing: Viewing, person: str, day: str, says: str) -> None:
    with pytest.raises(ViewRefused, match=says):
        week_of(viewing.as_person(person), "", day)


# -- a meeting ----------------------------------------------------------------------------------------------


def test_a_meeting_says_when_it_is_elsewhere_and_who_comes(viewing: Viewing) -> None:
    ida = viewing.as_person("ida")
    week, calendar = week_of(ida, "", ""), SURFACES["calendar"]
    reading, early = (calendar.reading(ida, of(week, title)[-1].id) for title in ("Standup", "Early"))
    fields = {field.name: field.value for field in reading.fields}

    assert fields["When"] == "Fri 27 Mar 2026, 09:30 to 09:45 in Lisbon"
    assert fields["Repeats"] == "Every weekday, until 29 May 2026"
    assert {field.name: field.value for field in early.fields}["Elsewhere"] == "05:00 in New York"
    assert texts(reading, "4 guests, 3 coming") == [
        ("Ida Lindqvist", "organizer", "accepted"),
        ("Tomás Herrera", "accepted"),
        ("Owen Fitch", "accepted"),
        ("Wren", "no answer yet"),
        ("Harbour", "accepted"),
    ]
    assert destination_of(reading.path) is not None


def test_a_search_finds_meetings_on_all_calendars(viewing: Viewing) -> None:
    ida = viewing.as_person("ida")
    found = SURFACES["calendar"].lines(ida, PreviewQuestion(place="", q="venue")).lines

    assert [line.title for line in found] == ["Venue day"]
    assert SURFACES["calendar"].lines(ida, PreviewQuestion(place="", q="raise")).lines == ()


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "Every weekday"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", "Every 2 weeks on Monday and Thursday"),
        ("FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20260331T215959Z", "Every month on the last Friday, until 31 Mar 2026"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,15", "Every month on day 1, 15"),
        ("FREQ=DAILY;COUNT=3", "Every day, 3 times"),
    ],
)
def test_how_a_series_repeats_is_said_in_words(rule: str, words: str) -> None:
    assert repeats_text([f"RRULE:{rule}", "EXDATE:20260320T093000Z"]) == words


# -- customers ----------------------------------------------------------------------------------------------


@pytest.fixture
def marcus(viewing: Viewing) -> PersonView:
    """Who looks after most of them."""
    return viewing.as_person("marcus")


def listed(eyes: PersonView, place: str, q: str = "") -> list[str]:
    return [line.id for line in SURFACES["customers"].lines(eyes, PreviewQuestion(place=place, q=q)).lines]


def test_an_account_shows_what_else_is_kept_of_it(marcus: PersonView) -> None:
    fields = {field.name: field.value for field in SURFACES["customers"].reading(marcus, "corner-hall").fields}

    assert (fields["Lead hours"], fields["Tier"]) == ("12.5", "silver")


def test_an_open_incident_stands_on_the_status_page_of_the_preview(viewing: Viewing) -> None:
    [found] = status_at(viewing, "ida").incidents

    assert (found.title, found.services, found.status) == ("Seats are grey", "boxoffice", "investigating")
    assert (found.about, found.public) == ("led by Tomás Herrera · Restarted.", "operational")
    assert found.next_update is not None and found.next_update > viewing.now


def test_who_is_on_call_is_called_by_the_full_name(viewing: Viewing) -> None:
    services = {one.name: one.about for one in status_at(viewing, "ida").services if one.is_own}

    assert "Ida Lindqvist is on call" in services["boxoffice"]


def test_an_issue_says_its_root_cause(viewing: Viewing) -> None:
    eyes = viewing.as_person("owen")
    [line] = SURFACES["issues"].lines(eyes, PreviewQuestion(q="Seats are grey")).lines
    [cause] = [block for block in SURFACES["issues"].reading(eyes, line.id).blocks if block.title == "Root cause"]

    assert cause.text == "Holds were kept.\nshop/checkout#12"


def test_accounts_are_listed_by_how_they_stand(marcus: PersonView) -> None:
    assert listed(marcus, "accounts") == ["corner-hall", "foundry-stage", "saltworks", "blue-lantern"]
    assert listed(marcus, "accounts/own") == ["corner-hall", "saltworks", "blue-lantern"]
    assert listed(marcus, "accounts/watch") == ["corner-hall", "saltworks"]
    assert listed(marcus, "accounts/ending") == ["saltworks", "blue-lantern"]
    assert listed(marcus, "accounts/watch", "sites>2") == ["saltworks"]


def test_a_query_that_cannot_be_read_is_answered_in_the_registers_words(marcus: PersonView) -> None:
    with pytest.raises(ViewRefused, match="colour"):
        listed(marcus, "accounts", "colour:blue")


def test_an_account_says_who_may_decide_what_and_what_was_agreed(marcus: PersonView) -> None:
    reading = SURFACES["customers"].reading(marcus, "corner-hall")
    fields = {field.name: field.value for field in reading.fields}

    assert (fields["Looked after by"], fields["Price a month"]) == ("Marcus Bell", "200.00")
    assert fields["Contract until"] == "30 Sep 2026, in 6 months"
    assert fields["Notice by"] == "1 Aug 2026, in 4 months"
    assert texts(reading, "Contacts") == [
        ("Gareth Moss", "first contact", "decides the contract", "decides about data"),
        ("Polly Reed", "decides nothing"),
    ]
    assert texts(reading, "Contract") == [("Version 2", "holds"), ("Version 1", "replaced")]
    [versions] = [block.cards for block in reading.blocks if block.title == "Contract"]
    assert versions[0].note == "Marcus Bell, 12 Mar 2026: They close the small hall."
    [notes] = [block.entries for block in reading.blocks if block.title == "Notes"]
    assert [note.text for note in notes] == ["Gareth wants a call before every change."]
    [talks] = [block.links for block in reading.blocks if block.title == "Conversations"]
    assert "Our contract" in [talk.label for talk in talks]


def test_a_conversation_is_shown_with_all_that_was_said(marcus: PersonView) -> None:
    [talk] = [
        line
        for line in SURFACES["customers"].lines(marcus, PreviewQuestion(place="inbox")).lines
        if "Row C" in line.title
    ]
    reading = SURFACES["customers"].reading(marcus, talk.id)

    assert [(entry.who, [tag.label for tag in entry.tags]) for entry in reading.blocks[0].entries] == [
        ("Inês Carvalho", []),
        ("Marcus Bell", ["our answer"]),
        ("Inês Carvalho", []),
    ]
    assert {field.name: field.value for field in reading.fields}["Customer"] == "Saltworks"


def test_the_names_of_customers_lead_to_their_accounts(marcus: PersonView) -> None:
    names = {name.text: name.item for name in SURFACES["customers"].names(marcus)}

    assert names["The Blue Lantern"] == "blue-lantern"
    with pytest.raises(ViewRefused, match="Account nobody not found"):
        SURFACES["customers"].reading(marcus, "nobody")
    with pytest.raises(ViewRefused, match="Conversation 999 not found"):
        SURFACES["customers"].reading(marcus, "conversation/999")


@pytest.mark.parametrize(
    ("path", "surface", "item"),
    [
        ("calendar:ida.event/7cbh8rpc10lrc0ckih9tafss99", "calendar", "7cbh8rpc10lrc0ckih9tafss99"),
        ("customers:corner-hall.contract/2", "customers", "corner-hall"),
        ("customers:conversation/12.message/3", "customers", "conversation/12"),
    ],
)
def test_a_path_leads_to_its_surface(path: str, surface: str, item: str) -> None:
    found = destination_of(path)

    assert found is not None
    assert (found.surface, found.item) == (surface, item)
