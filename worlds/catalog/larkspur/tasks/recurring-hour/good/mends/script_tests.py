"""Series from before January (BOOK-471), played from outside as a desk would see them."""

from datetime import datetime, timedelta

import pytest

from bookings.devshell import run_script

PEOPLE = [{"do": "practitioner", "as": "p", "clinic": "c"}, {"do": "patient", "as": "x"}]


def old_series(zone, at, count, every=1):
    made = {"do": "series", "as": "s", "practitioner": "p", "patient": "x", "at": at, "count": count, "every": every}
    return [{"do": "clinic", "as": "c", "zone": zone}, *PEOPLE, made | {"old": True}]


def weeks(at, count, every=1):
    first = datetime.fromisoformat(at)
    return [(first + timedelta(weeks=every * n)).isoformat(timespec="minutes") for n in range(count)]


@pytest.mark.parametrize(
    ("zone", "at", "every", "count"),
    [
        ("Europe/London", "2025-11-17T09:00", 1, 60),
        ("Europe/Lisbon", "2025-11-19T16:30", 2, 30),
        ("America/New_York", "2026-01-14T08:15", 1, 20),
        ("Asia/Dubai", "2025-12-01T12:00", 3, 12),
    ],
)
def test_an_old_series_stays_at_its_hour(zone, at, every, count):
    *_, found = run_script([*old_series(zone, at, count, every), {"do": "occurrences", "series": "s"}])
    assert found["local"] == weeks(at, count, every)


def test_the_day_shows_it_where_it_is():
    script = [*old_series("Europe/London", "2026-01-13T09:00", 16), {"do": "day", "practitioner": "p", "day": "2026-04-07"}]
    *_, found = run_script(script)
    assert found["busy"] == [["09:00", "09:30"]]


def test_what_the_desk_has_moved_or_skipped_stays():
    script = [
        *old_series("Europe/London", "2026-01-13T09:00", 14),
        {"do": "skip", "series": "s", "n": 11},
        {"do": "shift", "series": "s", "n": 12, "at": "2026-04-08T14:00"},
        {"do": "occurrences", "series": "s"},
    ]
    *_, found = run_script(script)
    assert found["local"][-3:] == ["2026-03-24T09:00", "2026-04-08T14:00", "2026-04-14T09:00"]
