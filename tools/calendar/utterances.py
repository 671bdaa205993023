"""What a change of a row says, and to whom: an invitation to a guest, a change to all guests, a word to the organizer."""

from typing import Final

from brownout.core.apps import Utterance
from brownout.core.calls import Effect
from brownout.core.rows import Row, Rows
from tools.calendar import agenda, tables
from tools.calendar.selectors import path_of

__all__ = ["utterance"]

_calendar, _event = tables.calendar, tables.event
_TEXTS: Final = ("summary", "description", "location")


def utterance(rows: Rows, effect: Effect) -> Utterance | None:
    """What an invitation says to whoever is invited, what is changed of it to all its guests, and a word to the organizer."""
    before, row = effect.before, effect.after
    if row is None:
        return None
    if effect.table == "calendar_event" and row["series"] is None and before is not None:
        text = "\n".join(row.text(name) for name in _TEXTS if row[name] and before[name] != row[name])
        people = frozenset(agenda.guest_name(rows, guest) for guest in agenda.guests_of(rows, row))
        return Utterance(path_of(rows, effect.table, row), text, people, row.text("summary")) if text else None
    if effect.table != "calendar_guest":
        return None
    event = rows.get(_event, row.number("event"))
    if before is None:
        return _invitation(rows, event, row) if event else None
    if not row["comment"] or before["comment"] == row["comment"]:
        return None
    owner = rows.get(_calendar, event.number("calendar")) if event else None
    to = frozenset({owner.text("person")}) if owner else frozenset()
    return Utterance(path_of(rows, effect.table, row), row.text("comment"), to)


def _invitation(rows: Rows, event: Row, guest: Row) -> Utterance | None:
    """What a new guest reads; who is a guest of the series was invited with it."""
    series = rows.get(_event, event.number("series")) if event["series"] is not None else None
    if series is not None and any(one["email"] == guest["email"] for one in agenda.guests_of(rows, series)):
        return None
    text = "\n".join(event.text(name) for name in _TEXTS if event[name])
    return Utterance(
        path_of(rows, "calendar_guest", guest), text, frozenset({agenda.guest_name(rows, guest)}), event.text("summary")
    )
