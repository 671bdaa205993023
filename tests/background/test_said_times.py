"""Times and days in texts are of before or after the moment at which they are said, as the text has it."""

import re

import pytest

from brownout.background.days import Days
from brownout.background.said_times import MONTHS, SaidAt
from brownout.core.instants import HOUR, MINUTE, Instant, local
from brownout.core.seeds import Stream
from tests.background.lives import START, life_of_people

ZONE = "Europe/Berlin"
NOON: Instant = START - START % HOUR + (12 - local(START, ZONE).hour) * HOUR
"""Of a Monday."""
WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


def _drawn(text: str, at: Instant = NOON, slot: str = "") -> set[str]:
    name = slot or re.findall(r"\{(\w+)\}", text)[0]
    said = SaidAt(at, ZONE)
    return {said.drawn(name, text, text.index(f"{{{name}}}"), Stream("times", number)) for number in range(200)}


def _minutes(shown: str) -> int:
    hours, minutes = shown.split(":")
    return 60 * int(hours) + int(minutes)


@pytest.mark.parametrize(
    "text", ["they need an answer by {clock}", "at {clock} I'll call", "I'm in a call until {clock}"]
)
@pytest.mark.parametrize("hours", [-3, 0, 4, 8])
def test_what_is_to_come_is_later_than_now(text: str, hours: int) -> None:
    found = _drawn(text, NOON + hours * HOUR)

    assert len(found) > 5
    assert min(map(_minutes, found)) > 12 * 60 + hours * 60


@pytest.mark.parametrize(
    "text", ["main is red since {clock}", "I saw it at {clock}", "it was fine. It stopped at {clock}"]
)
@pytest.mark.parametrize("hours", [-3, 0, 4])
def test_what_has_been_is_earlier_than_now(text: str, hours: int) -> None:
    found = _drawn(text, NOON + hours * HOUR)

    assert len(found) > 5
    assert max(map(_minutes, found)) < 12 * 60 + hours * 60


@pytest.mark.parametrize("text", ["tomorrow at {clock}?", "{day} from {clock}", "every morning at {clock}"])
def test_a_time_of_another_day_is_any_of_the_working_day(text: str) -> None:
    found = {*map(_minutes, _drawn(text, NOON + 4 * HOUR, "clock"))}

    assert min(found) < 10 * 60
    assert min(found) >= 8 * 60
    assert max(found) <= 17 * 60 + 30


def test_late_in_the_evening_a_time_is_still_one_of_a_day() -> None:
    for text in ("by {clock}", "since {clock}"):
        assert all(0 <= _minutes(one) < 24 * 60 for one in _drawn(text, NOON + 11 * HOUR + 50 * MINUTE))
        assert all(0 <= _minutes(one) < 24 * 60 for one in _drawn(text, NOON - 12 * HOUR))


def test_a_day_to_come_is_never_today_and_one_that_has_been_is_not_tomorrow() -> None:
    ahead, behind, on = _drawn("by {day} please"), _drawn("without a name since {day}"), _drawn("we meet on {day}")

    assert ahead == {"tomorrow", *WEEK[1:]}
    assert behind <= {"yesterday", *WEEK[1:]}
    assert on == {*WEEK[1:]}


def test_a_month_that_something_waits_for_is_one_of_the_next() -> None:
    now = local(NOON, ZONE).month - 1

    assert _drawn("we wait until {month}") == {MONTHS[(now + step) % 12] for step in (1, 2, 3)}


def test_times_of_a_log_are_over_and_go_on() -> None:
    times = [*map(_minutes, SaidAt(NOON, ZONE).clocks(6, Stream("log")))]

    assert len(times) == 6
    assert times == sorted(times)
    assert times[-1] < 12 * 60


def test_nobody_announces_for_an_hour_that_is_over() -> None:
    life = life_of_people(30, weeks=6)
    zones = {person.name: person.zone for person in life.people}
    announced = over = 0
    for item in Days(life).between(None, life.calendar[1]):
        found = re.search(r"\b(?:by|until|before|till) (\d?\d:\d\d)\b", item.intent.text)
        if item.intent.kind == "tell" and found and not re.search(r"morrow|day|week|every|each", item.intent.text):
            now = local(item.at, zones[item.intent.who])
            announced, over = announced + 1, over + (_minutes(found[1]) < now.hour * 60 + now.minute)

    assert announced > 10
    assert over <= announced // 5  # a time that was named is named again later
