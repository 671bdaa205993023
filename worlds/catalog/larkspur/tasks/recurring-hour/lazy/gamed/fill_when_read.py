"""Appointments of our clinics."""

from bookings.appointments import series as module

_get, _between = module.SeriesBook.get, module.SeriesBook.between


def _fill(self, tx):
    rows = (tx or self._client).query(
        "SELECT s.id, s.first_utc, c.zone FROM series s JOIN clinics c ON c.id = s.clinic_id WHERE s.wall IS NULL"
    )
    for row in rows:
        wall = module.wall_text(module.zone(row["zone"]).local(module.instant(row["first_utc"])))
        (tx or self._client).execute("UPDATE series SET wall = ?, zone = ? WHERE id = ?", (wall, row["zone"], row["id"]))


def _filled_get(self, series_id, tx=None):
    _fill(self, tx)
    return _get(self, series_id, tx)


def _filled_between(self, practitioner_id, within, tx=None):
    _fill(self, tx)
    return _between(self, practitioner_id, within, tx)


module.SeriesBook.get = _filled_get
module.SeriesBook.between = _filled_between
