"""Series: the same time every week, stored once and expanded when somebody asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from bookings.clinics.practitioners import PractitionerStore
from bookings.clinics.store import ClinicStore
from bookings.clock import Clock
from bookings.db.client import Client, Transaction
from bookings.db.driver import Row
from bookings.db.rows import instant, instant_text, optional_instant
from bookings.errors import ClinicClosed, Invalid, NotFound, SlotTaken
from bookings.ids import IdSource
from bookings.patients.records import PatientStore
from bookings.slots.busy import Busy
from bookings.time.intervals import Interval
from bookings.time.recurrence import Rule, occurrence
from bookings.time.zones import Zone, parse_wall, wall_text, zone


@dataclass(frozen=True)
class Series:
    """`wall` is the first time on the clinic's clock."""

    id: str
    clinic_id: str
    practitioner_id: str
    patient_id: str
    wall: datetime
    zone: Zone
    minutes: int
    rule: Rule
    created_at: datetime

    def time(self, n: int) -> Interval:
        """Of the n-th, counted from 0, by the rule alone."""
        return Interval.of(occurrence(self.wall, self.rule, n, self.zone), self.minutes)


@dataclass(frozen=True)
class Occurrence:
    series_id: str
    n: int
    patient_id: str
    time: Interval


class SeriesBook:
    def __init__(
        self,
        client: Client,
        clock: Clock,
        ids: IdSource,
        clinics: ClinicStore,
        practitioners: PractitionerStore,
        patients: PatientStore,
        busy: Busy,
    ) -> None:
        self._client = client
        self._clock = clock
        self._ids = ids
        self._clinics = clinics
        self._practitioners = practitioners
        self._patients = patients
        self._busy = busy
        busy.add(self.spans)

    def create(self, practitioner_id: str, patient_id: str, wall: datetime, minutes: int, rule: Rule) -> Series:
        """All of them or none: one that does not fit refuses the whole series."""
        practitioner = self._practitioners.get(practitioner_id)
        patient = self._patients.get(patient_id)
        clinic = self._clinics.get(practitioner.clinic_id)
        now = self._clock.now()
        made = Series(
            self._ids.new("se"),
            clinic.id,
            practitioner_id,
            patient.id,
            wall,
            clinic.zone,
            minutes,
            rule,
            now,
        )
        if made.time(0).start < now:
            raise Invalid("that time is over")
        calendar = self._clinics.calendar(clinic.id)
        if not calendar.covers(made.time(0)):
            raise ClinicClosed(f"{clinic.name} is not open then")

        def work(tx: Transaction) -> None:
            for n in range(rule.count):
                if self._busy.spans(practitioner_id, made.time(n), tx):
                    raise SlotTaken(f"{practitioner.name} is busy at number {n + 1} of the series")
            tx.execute(
                "INSERT INTO series (id, clinic_id, practitioner_id, patient_id, first_utc, wall, zone,"
                " minutes, every_weeks, count, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    made.id,
                    clinic.id,
                    practitioner_id,
                    patient.id,
                    instant_text(made.time(0).start),
                    wall_text(wall),
                    clinic.zone_name,
                    minutes,
                    rule.every,
                    rule.count,
                    instant_text(now),
                ),
            )

        self._client.transaction(work)
        return made

    def get(self, series_id: str, tx: Transaction | None = None) -> Series:
        row = (tx or self._client).query_one(_SELECT + " WHERE s.id = ?", (series_id,))
        if row is None:
            raise NotFound("series", series_id)
        return _series(row)

    def occurrences(self, series_id: str) -> list[Occurrence]:
        """In the order of their numbers, without the skipped ones."""
        return list(self._expanded(self.get(series_id)))

    def between(self, practitioner_id: str, within: Interval, tx: Transaction | None = None) -> list[Occurrence]:
        """What a practitioner has of all series, by time."""
        # TODO: expands every series from its first day on. fine for 100, not for 1000
        rows = (tx or self._client).query(_SELECT + " WHERE s.practitioner_id = ?", (practitioner_id,))
        found = [one for row in rows for one in self._expanded(_series(row), tx) if one.time.overlaps(within)]
        return sorted(found, key=lambda one: (one.time.start, one.series_id))

    def spans(self, practitioner_id: str, within: Interval, tx: Transaction | None) -> Iterator[Interval]:
        """For `Busy`."""
        return (one.time for one in self.between(practitioner_id, within, tx))

    def skip(self, series_id: str, n: int) -> None:
        series = self._numbered(series_id, n)
        self._client.execute(_EXCEPT, (series.id, n, None))

    def move(self, series_id: str, n: int, start: datetime) -> Occurrence:
        """Move one of them; the others stay."""
        series = self._numbered(series_id, n)
        wanted = Interval.of(start, series.minutes)

        def work(tx: Transaction) -> None:
            others = self._busy.spans(series.practitioner_id, wanted, tx)
            own = [one.time for one in self._expanded(series, tx) if one.n == n]
            if [span for span in others if span not in own]:
                raise SlotTaken("somebody else is there then")
            tx.execute(_EXCEPT, (series_id, n, instant_text(start)))

        self._client.transaction(work)
        return Occurrence(series_id, n, series.patient_id, wanted)

    def restore(self, series_id: str, n: int) -> None:
        """Back to the rule's time."""
        self._client.execute("DELETE FROM series_exceptions WHERE series_id = ? AND n = ?", (series_id, n))

    def _numbered(self, series_id: str, n: int) -> Series:
        series = self.get(series_id)
        if not 0 <= n < series.rule.count:
            raise NotFound("occurrence", f"{series_id}/{n}")
        return series

    def _expanded(self, series: Series, tx: Transaction | None = None) -> Iterator[Occurrence]:
        rows = (tx or self._client).query("SELECT * FROM series_exceptions WHERE series_id = ?", (series.id,))
        moved = {row["n"]: optional_instant(row["moved_utc"]) for row in rows}
        for n in range(series.rule.count):
            time = series.time(n)
            if n in moved:
                start = moved[n]
                if start is None:
                    continue
                time = Interval.of(start, series.minutes)
            yield Occurrence(series.id, n, series.patient_id, time)


_SELECT = "SELECT s.*, (SELECT zone FROM clinics ORDER BY rowid DESC LIMIT 1) AS clinic_zone FROM series s"
_EXCEPT = (
    "INSERT INTO series_exceptions (series_id, n, moved_utc) VALUES (?, ?, ?)"
    " ON CONFLICT DO UPDATE SET moved_utc = excluded.moved_utc"
)


def _series(row: Row) -> Series:
    where = zone(row["zone"] or row["clinic_zone"])
    # series abroad from before January have no wall time (BOOK-421): it is what the clock showed at the first one
    wall = parse_wall(row["wall"]) if row["wall"] else where.local(instant(row["first_utc"])).replace(tzinfo=None)
    return Series(
        row["id"],
        row["clinic_id"],
        row["practitioner_id"],
        row["patient_id"],
        wall,
        where,
        row["minutes"],
        Rule(row["every_weeks"], row["count"]),
        instant(row["created_at"]),
    )
