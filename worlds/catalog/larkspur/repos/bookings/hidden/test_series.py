"""A series is at the same time on the clinic's clock, whenever it was made (docs/time.md)."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

CHANGING = [
    "Europe/Lisbon",
    "Europe/London",
    "Atlantic/Azores",
    "Atlantic/Canary",
    "Europe/Athens",
    "Europe/Helsinki",
    "Europe/Vienna",
    "Europe/Zurich",
]
WINTER = "2026-01-05T06:00:00+00:00"
AUTUMN = "2025-09-01T06:00:00+00:00"
SPRING_CHANGE = date(2026, 3, 29)
LAST_MIGRATION = 22


def replay(subject, *events, start=WINTER):
    return subject.call("bookings.devshell", "run_script", list(events), start=start)


def people(zone):
    return [
        {"do": "clinic", "as": "c", "zone": zone},
        {"do": "practitioner", "as": "p", "clinic": "c"},
        {"do": "patient", "as": "x"},
    ]


def clock(minutes):
    return f"{minutes // 60:02}:{minutes % 60:02}"


def drawn(stream, first=date(2026, 1, 6), latest=40):
    """A first day and a time of day."""
    return first + timedelta(days=stream.below(latest)), clock(15 * stream.between(8 * 4, 16 * 4))


def series(day, time, count, every=1, old=True, minutes=30):
    return {
        "do": "series",
        "as": "s",
        "practitioner": "p",
        "patient": "x",
        "at": f"{day}T{time}",
        "count": count,
        "every": every,
        "minutes": minutes,
        "old": old,
    }


OCCURRENCES = {"do": "occurrences", "series": "s"}


def expected(day, time, count, every=1):
    return [f"{day + timedelta(weeks=every * n)}T{time}" for n in range(count)]


def after_the_change(day, every=1, change=SPRING_CHANGE):
    """The number of the first one after it."""
    return next(n for n in range(100) if day + timedelta(weeks=every * n) > change)


def test_the_hour_stays_in_spring(subject, stream):
    for zone in stream.shuffled(CHANGING)[:3]:
        day, time = drawn(stream)
        every = stream.between(1, 3)
        count = after_the_change(day, every) + stream.between(2, 5)
        *_, found = replay(subject, *people(zone), series(day, time, count, every), OCCURRENCES)
        assert found["local"] == expected(day, time, count, every)


def test_the_hour_stays_in_autumn(subject, stream):
    zone = stream.choice(CHANGING)
    day, time = drawn(stream, date(2025, 9, 2), 30)
    *_, found = replay(subject, *people(zone), series(day, time, 12), OCCURRENCES, start=AUTUMN)
    assert found["local"] == expected(day, time, 12)


def test_over_both_changes_of_any_year(subject, stream):
    zone = stream.choice([*CHANGING, "America/New_York"])
    year = stream.between(2024, 2032)
    day, time = drawn(stream, date(year, 9, 2), 30)
    start = f"{year}-09-01T06:00:00+00:00"
    *_, found = replay(subject, *people(zone), series(day, time, 45), OCCURRENCES, start=start)
    assert found["local"] == expected(day, time, 45)


def test_across_the_ocean_the_change_is_earlier(subject, stream):
    day, time = drawn(stream)
    *_, found = replay(subject, *people("America/New_York"), series(day, time, 14), OCCURRENCES)
    assert found["local"] == expected(day, time, 14)


def test_where_clocks_do_not_change_nothing_does(subject, stream):
    day, time = drawn(stream)
    *_, found = replay(subject, *people("Asia/Dubai"), series(day, time, 14), OCCURRENCES)
    assert found["local"] == expected(day, time, 14)


def test_new_ones_and_those_at_home_stay_right(subject, stream):
    for zone, old in (("Europe/Berlin", True), ("Europe/Berlin", False), (stream.choice(CHANGING), False)):
        day, time = drawn(stream)
        *_, found = replay(subject, *people(zone), series(day, time, 14, old=old), OCCURRENCES)
        assert found["local"] == expected(day, time, 14)


def test_the_calendar_shows_the_right_hour(subject, stream):
    zone = stream.choice(CHANGING)
    day, time = drawn(stream)
    n = after_the_change(day)
    shown = day + timedelta(weeks=n)
    script = [*people(zone), series(day, time, n + 3, minutes=30), {"do": "day", "practitioner": "p", "day": f"{shown}"}]
    *_, found = replay(subject, *script)
    start = int(time[:2]) * 60 + int(time[3:])
    assert found["busy"] == [[time, clock(start + 30)]]


def test_its_own_time_is_taken_and_the_wrong_one_is_not(subject, stream):
    zone = stream.choice(CHANGING)
    day, time = drawn(stream)
    n = after_the_change(day)
    shown = day + timedelta(weeks=n + stream.below(2))
    start = int(time[:2]) * 60 + int(time[3:])
    book = {"do": "book", "practitioner": "p", "patient": "x", "minutes": 30}
    *_, own, later, earlier = replay(
        subject,
        *people(zone),
        series(day, time, n + 3),
        book | {"at": f"{shown}T{time}"},
        book | {"at": f"{shown}T{clock(start + 60)}"},
        book | {"at": f"{shown}T{clock(start - 60)}"} if start >= 9 * 60 else {"do": "wait", "seconds": 1},
    )
    assert own["ok"] is False and own["error"] == "SlotTaken"
    assert later["ok"], "an hour later is free"
    assert earlier["ok"], "an hour earlier is free"


def test_exceptions_stay_where_they_were_put(subject, stream):
    zone = stream.choice(CHANGING)
    day, time = drawn(stream)
    n = after_the_change(day)
    moved = f"{day + timedelta(weeks=n, days=1)}T{clock(15 * stream.between(32, 60))}"
    *_, found = replay(
        subject,
        *people(zone),
        series(day, time, n + 4),
        {"do": "skip", "series": "s", "n": n - 1},
        {"do": "shift", "series": "s", "n": n, "at": moved},
        OCCURRENCES,
    )
    every = expected(day, time, n + 4)
    assert found["n"] == [*range(n - 1), *range(n, n + 4)]
    assert found["local"] == [*every[: n - 1], moved, *every[n + 1 :]]
    assert len(found["utc"]) == n + 3


def test_the_api_says_the_same(subject, stream):
    zone = stream.choice(CHANGING)
    day, time = drawn(stream)
    n = after_the_change(day)
    script = [*people(zone), series(day, time, n + 2), {"do": "request", "path": "/v1/series/{s}"}]
    *_, found = replay(subject, *script)
    assert [one["at"] for one in found["body"]["appointments"]] == expected(day, time, n + 2)


def test_each_clinic_has_a_clock_of_its_own(subject, stream):
    """Series of several clinics beside each other, whichever came first."""
    zones = stream.shuffled(["America/New_York", "Asia/Dubai", "Europe/Berlin", *stream.shuffled(CHANGING)[:2]])
    script, days = [{"do": "patient", "as": "x"}], []
    for n in range(len(zones)):
        script += [
            {"do": "clinic", "as": f"c{n}", "zone": zones[n]},
            {"do": "practitioner", "as": f"p{n}", "clinic": f"c{n}"},
        ]
    for n in stream.shuffled(range(len(zones))):
        day, time = drawn(stream)
        days.append((n, day, time))
        script.append(series(day, time, 14) | {"as": f"s{n}", "practitioner": f"p{n}"})
    script += [{"do": "occurrences", "series": f"s{n}"} for n, _, _ in days]
    found = replay(subject, *script)[-len(days) :]
    for (n, day, time), occurrences in zip(days, found, strict=True):
        assert occurrences["local"] == expected(day, time, 14), zones[n]


def test_single_appointments_are_left_alone(subject, stream):
    zone = stream.choice(CHANGING)
    day, time = drawn(stream, date(2026, 3, 30), 20)
    book = {"do": "book", "practitioner": "p", "patient": "x", "at": f"{day}T{time}", "minutes": 30}
    *_, found = replay(subject, *people(zone), book, {"do": "day", "practitioner": "p", "day": f"{day}"})
    assert found["busy"][0][0] == time


def local(instant, zone):
    return datetime.fromisoformat(instant).astimezone(ZoneInfo(zone)).strftime("%Y-%m-%dT%H:%M")


def opened(subject):
    """The database of the first shell of a process, past its code."""
    target = "file:bookings-1?mode=memory&cache=shared"
    return subject.new("sqlite3", "connect", target, isolation_level=None, uri=True)


def rows(connection, statement):
    return connection.call("execute", statement).call("fetchall")


def made_elsewhere(connection, number, day):
    """The only series becomes one that this process never made, as the backfill left those from before January.

    Number and first day are others, wall time and zone are empty.
    """
    columns = [column[1] for column in rows(connection, "PRAGMA table_info(series)")]
    [values] = rows(connection, "SELECT * FROM series")
    row = dict(zip(columns, values, strict=True)) | {"id": number, "wall": None, "zone": None}
    row |= {name: f"{day}{row[name][10:]}" for name in ("first_utc", "first_local") if name in row}
    rows(connection, "DELETE FROM series")
    statement = f"INSERT INTO series ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"
    connection.call("execute", statement, tuple(row.values())).call("close")


def test_rows_that_were_made_elsewhere_are_read_as_they_are(subject, stream):
    zone = stream.choice([*CHANGING, "America/New_York"])
    first, time = drawn(stream)
    day = first + timedelta(days=stream.between(1, 14))
    n = after_the_change(day)
    shell = subject.new("bookings.devshell", "DevShell", WINTER)
    for event in [*people(zone), series(first, time, n + 4, old=False)]:
        assert shell.call("step", event)["ok"]
    connection, number = opened(subject), f"se_{stream.hex(10)}"
    made_elsewhere(connection, number, day)
    as_it_was = rows(connection, "SELECT * FROM series")
    every = expected(day, time, n + 4)
    book = shell.get("services").get("series")
    found = [one.get("time").get("start").call("isoformat") for one in book.call("occurrences", number)]
    assert [local(start, zone) for start in found] == every
    assert rows(connection, "SELECT n FROM series_exceptions") == [], "what is read is not written"
    moved = f"{day + timedelta(weeks=n, days=1)}T{clock(15 * stream.between(32, 60))}"
    assert shell.call("step", {"do": "skip", "series": number, "n": n - 1})["ok"]
    assert shell.call("step", {"do": "shift", "series": number, "n": n, "at": moved})["ok"]
    found = shell.call("step", {"do": "occurrences", "series": number})
    assert found["local"] == [*every[: n - 1], moved, *every[n + 1 :]]
    assert rows(connection, "SELECT n FROM series_exceptions ORDER BY n") == [(n - 1,), (n,)]
    assert rows(connection, "SELECT * FROM series") == as_it_was, "no code, trigger, default or constraint fills it"


def test_there_is_no_migration(subject):
    subject.new("bookings.devshell", "DevShell", WINTER)
    [(last,)] = rows(opened(subject), "SELECT max(number) FROM schema_migrations")
    assert last <= LAST_MIGRATION
