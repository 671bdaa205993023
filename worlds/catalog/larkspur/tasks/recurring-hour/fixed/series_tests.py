import pytest

from bookings.errors import ClinicClosed, Invalid, NotFound, SlotTaken
from bookings.time.intervals import Interval
from bookings.time.recurrence import Rule
from bookings.time.zones import parse_wall, wall_text


@pytest.fixture
def series(series_book, doctor, patient):
    return lambda text, every=1, count=4, minutes=30: series_book.create(
        doctor.id, patient.id, parse_wall(text), minutes, Rule(every, count)
    )


@pytest.fixture
def shown(series_book, clinic):
    return lambda made: [wall_text(clinic.zone.local(one.time.start)) for one in series_book.occurrences(made.id)]


def test_every_second_week(series, shown):
    assert shown(series("2025-09-02T09:00", every=2, count=3)) == [
        "2025-09-02T09:00",
        "2025-09-16T09:00",
        "2025-09-30T09:00",
    ]


def test_series_keeps_its_hour(series, shown):
    found = shown(series("2025-10-07T15:30", count=6))
    assert {one[11:] for one in found} == {"15:30"}
    assert found[-1] == "2025-11-11T15:30"


def test_each_of_them_takes_its_slot(series, book):
    series("2025-09-02T09:00")
    with pytest.raises(SlotTaken):
        book("2025-09-16T09:15")
    book("2025-09-16T09:30")
    book("2025-09-30T09:00")


def test_all_or_none(series, book, series_book, doctor, at):
    book("2025-09-16T09:00")
    with pytest.raises(SlotTaken, match="number 3"):
        series("2025-09-02T09:00")
    assert series_book.between(doctor.id, Interval.of(at("2025-09-01T00:00"), 60 * 24 * 60)) == []


def test_between(series, series_book, doctor, at):
    made = series("2025-09-02T09:00")
    [one] = series_book.between(doctor.id, Interval.of(at("2025-09-08T00:00"), 7 * 24 * 60))
    assert (one.series_id, one.n, one.time.start) == (made.id, 1, at("2025-09-09T09:00"))


def test_refused(series, clock):
    with pytest.raises(ClinicClosed):
        series("2025-09-06T09:00")
    clock.advance(hours=5)
    with pytest.raises(Invalid, match="over"):
        series("2025-09-01T09:00")


def test_unknown(series_book):
    with pytest.raises(NotFound):
        series_book.get("se_nope")


def test_skip(series, series_book, shown, book):
    made = series("2025-09-02T09:00")
    series_book.skip(made.id, 1)
    assert shown(made) == ["2025-09-02T09:00", "2025-09-16T09:00", "2025-09-23T09:00"]
    book("2025-09-09T09:00")


def test_move_one(series, series_book, shown, at, book):
    made = series("2025-09-02T09:00")
    series_book.move(made.id, 2, at("2025-09-17T14:00"))
    assert shown(made) == ["2025-09-02T09:00", "2025-09-09T09:00", "2025-09-17T14:00", "2025-09-23T09:00"]
    book("2025-09-16T09:00")
    with pytest.raises(SlotTaken):
        book("2025-09-17T14:00")


def test_move_onto_oneself_and_onto_others(series, series_book, at, book):
    made = series("2025-09-02T09:00")
    series_book.move(made.id, 0, at("2025-09-02T09:15"))
    book("2025-09-09T10:00")
    with pytest.raises(SlotTaken):
        series_book.move(made.id, 1, at("2025-09-09T09:45"))


def test_restore(series, series_book, shown):
    made = series("2025-09-02T09:00", count=2)
    series_book.skip(made.id, 0)
    series_book.restore(made.id, 0)
    assert len(shown(made)) == 2


@pytest.mark.parametrize("n", [-1, 4])
def test_no_such_number(series, series_book, n):
    made = series("2025-09-02T09:00", count=4)
    with pytest.raises(NotFound):
        series_book.skip(made.id, n)


def test_series_from_before_january(series_book, clinics, practitioners, patient, client):
    abroad = clinics.create("Clínica do Rio", "Europe/Lisbon")
    clinics.set_hours(abroad.id, 1, [("08:00", "18:00")])
    who = practitioners.add(abroad.id, "Dra. Rita Nunes")
    made = series_book.create(who.id, patient.id, parse_wall("2025-09-02T09:00"), 30, Rule(2, 3))
    client.execute("UPDATE series SET wall = NULL, zone = NULL")
    found = [wall_text(abroad.zone.local(one.time.start)) for one in series_book.occurrences(made.id)]
    assert found == ["2025-09-02T09:00", "2025-09-16T09:00", "2025-09-30T09:00"]


@pytest.mark.parametrize("zone_name", ["Europe/Lisbon", "Europe/Athens", "Europe/Zurich"])
def test_series_from_before_january_keep_their_hour(series_book, clinics, practitioners, patient, client, zone_name):
    abroad = clinics.create("Abroad", zone_name)
    clinics.set_hours(abroad.id, 1, [("08:00", "18:00")])
    who = practitioners.add(abroad.id, "Dr. Rita Nunes")
    made = series_book.create(who.id, patient.id, parse_wall("2025-10-14T09:00"), 30, Rule(1, 30))
    client.execute("UPDATE series SET wall = NULL, zone = NULL")
    found = [wall_text(abroad.zone.local(one.time.start)) for one in series_book.occurrences(made.id)]
    assert {one[11:] for one in found} == {"09:00"}
    assert found[-1] == "2026-05-05T09:00"
