"""Appointments of our clinics."""

from bookings.appointments import series as module

_create = module.SeriesBook.create


def _spelled_out(self, *arguments, **named):
    made = _create(self, *arguments, **named)
    for n in range(made.rule.count):
        start = module.instant_text(made.time(n).start)
        self._client.execute(module._EXCEPT, (made.id, n, start))
    return made


module.SeriesBook.create = _spelled_out
