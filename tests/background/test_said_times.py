"""Times and days in texts are of before or after the moment at which they are said, as the slot says."""

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


def _drawn(slot: str, at: Instant = NOON) -> set[str]:
    said = SaidAt(at, ZONE)
    return {said.drawn(slot, Stream("times", number)) for number in range(200)}


def _minutes(shown: str) -> int:
    hours, minutes = shown.split(":")
    return 60 * int(hours) + int(minutes)


@pytest.mark.parametrize("hours", [-3, 0, 4, 8])
def test_what_is_to_come_is_later_than_now(hours: int) -> None:
    found = _drawn("clock_ahead", NOON + hours * HOUR)

    assert len(found) > 5
    assert min(map(_minutes, found)) > 12 * 60 + hours * 60


@pytest.mark.parametrize("hours", [-3, 0, 4])
def test_what_has_been_is_earlier_than_now(hours: int) -> None:
    found = _drawn("clock_past", NOON + hours * HOUR)

    assert len(found) > 5
    assert max(map(_minutes, found)) < 12 * 60 + hours * 60


def test_a_time_of_another_day_is_any_of_the_working_day() -> None:
    found = {*map(_minutes, _drawn("clock_any", NOON + 4 * HOUR))}

    assert min(found) < 10 * 60
    assert min(found) >= 8 * 60
    assert max(found) <= 17 * 60 + 30


def test_late_in_the_evening_a_time_is_still_one_of_a_day() -> None:
    for slot in ("clock_ahead", "clock_past"):
        assert all(0 <= _minutes(one) < 24 * 60 for one in _drawn(slot, NOON + 11 * HOUR + 50 * MINUTE))
        assert all(0 <= _minutes(one) < 24 * 60 for one in _drawn(slot, NOON - 12 * HOUR))


def test_a_day_to_come_is_never_today_and_one_that_has_been_is_not_tomorrow() -> None:
    assert _drawn("day_ahead") == {"tomorrow", *WEEK[1:]}
    assert _drawn("day_past") <= {"yesterday", *WEEK[1:]}
    assert _drawn("weekday_ahead") == {*WEEK[1:]}
    assert _drawn("weekday_past") <= {*WEEK[1:]}


def test_a_month_that_something_waits_for_is_one_of_the_next() -> None:
    now = local(NOON, ZONE).month - 1

    assert _drawn("month_ahead") == {MONTHS[(now + step) % 12] for step in (1, 2, 3)}
    assert _drawn("month_past") == {MONTHS[(now - step) % 12] for step in (1, 2, 3)}


def test_what_names_no_time_is_left_to_others() -> None:
    assert _drawn("customer") == {""}


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
