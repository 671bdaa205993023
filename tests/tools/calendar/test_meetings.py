"""Meetings that authors put into storylines, in a built world."""

from pathlib import Path
from typing import Any, cast

import pytest

import brownout
from brownout.core.errors import AuthoringError
from brownout.core.instants import iso
from brownout.core.values import JsonObject
from brownout.engine.session import Session
from tests.tools.larger import write_spec
from tools.calendar.storyline_sections import repeat_rule
from worlds.package import Package


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("daily", "FREQ=DAILY"),
        ("weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("every 2 weeks on mon, thu", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH"),
        ("monthly on first mon", "FREQ=MONTHLY;BYDAY=1MO"),
        ("monthly on last fri", "FREQ=MONTHLY;BYDAY=-1FR"),
        ("monthly on 15", "FREQ=MONTHLY;BYMONTHDAY=15"),
    ],
)
def test_authors_say_how_a_meeting_repeats(text: str, rule: str) -> None:
    assert repeat_rule(text) == rule


@pytest.mark.parametrize(
    "text", ["sometimes", "every weekly", "2 weeks", "weekly on first mon", "weekly on moon", "monthly on 40"]
)
def test_what_is_no_way_to_repeat_is_said(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected|no way"):
        repeat_rule(text)


def test_meetings_are_on_peoples_calendars_and_answered(session: Session) -> None:
    rows = session.simulation.rows()
    [standup] = session.setting.apps["calendar"].find(rows, "Standup")
    [wedding] = session.setting.apps["calendar"].find(rows, "My sister's wedding")

    assert standup.fields["guests"] == ["ida", "tomas", "owen", "wren", "Harbour"]
    assert standup.fields["accepted"] == ["ida", "tomas", "owen", "Harbour"]
    assert (wedding.fields["start"], wedding.fields["end"]) == ("2026-03-16T00:00:00Z", "2026-03-17T00:00:00Z")


def test_an_authors_name_of_a_meeting_stands_for_it(session: Session) -> None:
    assert (session.simulation.acting(session.actor).bound("standup") or "").startswith("calendar:ida.event/")


def test_a_meeting_can_hang_on_another_one(session: Session) -> None:
    [day] = session.setting.apps["calendar"].find(session.simulation.rows(), "Venue day")

    assert day.fields["start"] == iso(1_773_048_600_000_000 + 20 * 86_400_000_000)
    assert set(map(str, day.fields["guests"] or [])) >= {"yuki", "wren", "marcus", "owen", "bo@foundrystage.test"}  # type: ignore[arg-type]


def starts(session: Session, person: str, title: str) -> list[str]:
    """When somebody's meetings of that title begin, in the meeting's own zone."""
    asked: JsonObject = {"calendar": person, "q": title, "time_min": "2026-03-01", "time_max": "2026-05-10"}
    answer = cast(Any, session.call("calendar_list_events", asked).structured)
    return [str(event["start"]["dateTime"]) for event in answer["items"]]


def test_a_series_that_ended_keeps_what_took_place(session: Session) -> None:
    assert [at[:10] for at in starts(session, "owen", "Retro")] == ["2026-03-02", "2026-03-16"]


def test_a_series_keeps_its_time_of_day_in_a_zone_of_its_own(session: Session) -> None:
    assert starts(session, "marcus", "Partners")[:2] == ["2026-03-26T10:00:00-04:00", "2026-04-02T10:00:00-04:00"]


def test_somebody_is_invited_to_what_is_after_the_calendars_end(session: Session) -> None:
    assert [at[:10] for at in starts(session, "owen", "Stocktaking")] == ["2026-05-04"]


def test_nobody_invites_while_they_are_away(tmp_path: Path) -> None:
    folder = write_spec(tmp_path / "spec")
    path = folder / "storylines" / "register.yaml"
    path.write_text(path.read_text().replace("invited: 50d, who: yuki", "invited: 49d, who: tomas"))
    with pytest.raises(AuthoringError, match=r"register.yaml:\d+: stocktaking: tomas is away on Mon 16 Mar"):
        brownout.build(folder, out=folder.parent / "package")


def test_mistakes_are_said_with_their_line(tmp_path: Path) -> None:
    folder = write_spec(tmp_path / "spec")
    path = folder / "storylines" / "register.yaml"
    text = (
        path.read_text()
        .replace("repeats: weekdays", "repeats: sometimes")
        .replace("title: Venue day", "titel: Venue day")
    )
    path.write_text(text.replace("with: [marcus]", "with: [marcos]").replace("account: saltworks", "account: salt"))
    with pytest.raises(AuthoringError) as caught:
        brownout.build(folder, out=folder.parent / "package")

    message = str(caught.value)
    assert "register.yaml:9: meetings.standup.repeats: expected weekly" in message
    assert "did you mean 'title'" in message


def test_names_that_nobody_has_are_said(tmp_path: Path) -> None:
    folder = write_spec(tmp_path / "spec")
    path = folder / "storylines" / "register.yaml"
    text = path.read_text().replace("with: [marcus]", "with: [marcos]").replace("account: saltworks", "account: salt")
    path.write_text(text)
    with pytest.raises(AuthoringError) as caught:
        brownout.build(folder, out=folder.parent / "package")

    assert "meetings.one-to-one: there is no person 'marcos'; did you mean 'marcus'?" in str(caught.value)
    assert "accounts.saltworks-worry: there is no person 'salt'" in str(caught.value)


def test_a_word_of_an_app_that_the_world_lacks_is_unknown(tmp_path: Path) -> None:
    folder = write_spec(tmp_path / "spec")
    world = folder / "world.yaml"
    world.write_text(world.read_text().replace("  calendar: {rooms: [Harbour, {name: Attic, seats: 3}]}\n", ""))
    with pytest.raises(AuthoringError, match="meetings: unknown word"):
        brownout.build(folder, out=folder.parent / "package")


def test_the_same_world_is_built_twice_alike(larger_package: Package, tmp_path: Path) -> None:
    again = brownout.build(write_spec(tmp_path / "spec"), out=tmp_path / "package")
    assert again.manifest.digest == larger_package.manifest.digest
