"""Series on the wall clock: rules read and expanded, also across changes of clock."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brownout.core.calendar_days import wall
from brownout.core.instants import DAY, Instant, local
from tools.calendar.recurrence import InvalidRule, expand, parse_rule

BERLIN, NEW_YORK = "Europe/Berlin", "America/New_York"


def at(text: str, zone: str = BERLIN) -> Instant:
    return wall(datetime.fromisoformat(text), zone)


def days(rule: str, start: str, until: str, zone: str = BERLIN, since: str = "") -> list[str]:
    begun = at(start, zone)
    found = expand(parse_rule(rule, zone), begun, zone, since=at(since or start, zone), until=at(until, zone))
    return [local(each, zone).strftime("%Y-%m-%dT%H:%M") for each in found]


def test_a_weekly_series_keeps_its_hour_when_clocks_change() -> None:
    found = days("FREQ=WEEKLY;BYDAY=SU,MO", "2026-03-23T09:30", "2026-04-07T00:00")

    assert found == ["2026-03-23T09:30", "2026-03-29T09:30", "2026-03-30T09:30", "2026-04-05T09:30", "2026-04-06T09:30"]
    assert at("2026-03-30T09:30") - at("2026-03-23T09:30") == 7 * DAY - DAY // 24


def test_a_series_keeps_the_hour_of_its_own_zone_not_of_another() -> None:
    starts = list(
        expand(
            parse_rule("FREQ=WEEKLY", NEW_YORK),
            at("2026-03-03T15:00", NEW_YORK),
            NEW_YORK,
            since=0,
            until=at("2026-04-07T00:00"),
        )
    )

    assert [local(each, BERLIN).strftime("%d %H:%M") for each in starts] == [
        "03 21:00", "10 20:00", "17 20:00", "24 20:00", "31 21:00"
    ]  # fmt: skip


def test_an_hour_that_does_not_exist_is_an_hour_later() -> None:
    assert days("FREQ=DAILY", "2026-03-28T02:30", "2026-03-31T00:00") == [
        "2026-03-28T02:30", "2026-03-29T03:30", "2026-03-30T02:30"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("FREQ=DAILY;COUNT=3", ["05", "06", "07"]),
        ("FREQ=DAILY;INTERVAL=10", ["05", "15", "25"]),
        ("FREQ=DAILY;BYDAY=SA,SU;COUNT=2", ["10", "11"]),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR", ["05", "09", "19", "23"]),
        ("FREQ=WEEKLY;UNTIL=20260119", ["05", "12", "19"]),
        ("FREQ=WEEKLY;UNTIL=20260119T073000Z", ["05", "12"]),
        ("FREQ=MONTHLY;BYDAY=1MO,-1FR", ["05", "30"]),
        ("RRULE:FREQ=MONTHLY;BYMONTHDAY=15,-1", ["15", "31"]),
        ("FREQ=MONTHLY;BYMONTHDAY=31", ["31"]),
    ],
)
def test_a_rule_gives_its_days(rule: str, expected: list[str]) -> None:
    assert [day[8:10] for day in days(rule, "2026-01-05T09:00", "2026-02-01T00:00")] == expected


def test_a_month_without_the_day_is_left_out() -> None:
    assert days("FREQ=MONTHLY", "2026-01-31T09:00", "2026-06-01T00:00") == [
        "2026-01-31T09:00", "2026-03-31T09:00", "2026-05-31T09:00"
    ]  # fmt: skip


@pytest.mark.parametrize(
    "rule",
    ["", "FREQ=YEARLY", "FREQ=DAILY;COUNT=0", "FREQ=DAILY;COUNT=2;UNTIL=20260101", "FREQ=WEEKLY;BYDAY=2MO", "FREQ=DAILY;FREQ=DAILY",
     "FREQ=DAILY;BYHOUR=9", "FREQ=DAILY;UNTIL=20261399", "FREQ=MONTHLY;BYDAY=9MO", "FREQ=WEEKLY;BYMONTHDAY=1", "nonsense"],
)  # fmt: skip
def test_what_is_no_rule_is_refused(rule: str) -> None:
    with pytest.raises(InvalidRule):
        parse_rule(rule, BERLIN)


@given(
    frequency=st.sampled_from(["DAILY", "WEEKLY", "MONTHLY"]),
    interval=st.integers(1, 5),
    minutes=st.integers(0, 2 * 366 * 24 * 60),
    skipped=st.integers(0, 900),
)
def test_looking_later_leaves_out_and_changes_nothing(
    frequency: str, interval: int, minutes: int, skipped: int
) -> None:
    rule = parse_rule(f"FREQ={frequency};INTERVAL={interval}", BERLIN)
    begun = wall(datetime.fromisoformat("2025-01-01") + timedelta(minutes=minutes), BERLIN)
    until = begun + 1_200 * DAY
    everything = list(expand(rule, begun, BERLIN, since=begun, until=until))
    later = begun + skipped * DAY

    assert list(expand(rule, begun, BERLIN, since=later, until=until)) == [each for each in everything if each >= later]
    assert everything == sorted(set(everything))
