"""What is just changing in somebody's days: they have joined, they are off from one of the next days, they have come back."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Literal, TypeAlias

from brownout.background.desk_hours import date_of, day_of
from brownout.background.life_sources import Colleague
from brownout.background.said_times import SaidAt
from brownout.core.instants import HOUR

__all__ = ["CHANGES", "LEAVE_SLOTS", "Change", "Leave", "has_changed", "leave_soon"]

Change: TypeAlias = Literal["", "new", "away", "back"]
CHANGES: Final[tuple[Change, ...]] = ("new", "away", "back")
LEAVE_SLOTS: Final = frozenset({"off", "back"})
"""Of a conversation in which somebody says that they will be away: `from {off}` is `from Thursday`, `back {back}` is `back on 9 March`."""
_NEW: Final = 10
"""Days that somebody is new."""
_SOON: Final = 4
"""How many days ahead somebody says that they are off: over a weekend."""
_JUST_BACK: Final = 2
"""Working days that somebody has just come back."""
_LONG: Final = 12 * HOUR
"""What is shorter is no day off."""
_WORKING: Final = 5


@dataclass(frozen=True, slots=True)
class Leave:
    """Days off: the first one, and the first working day after them."""

    first: date
    back: date

    def called(self, slot: str, said: SaidAt) -> str:
        """What a slot of these days stands for when it is said at a moment: `off` is `tomorrow`, `back` is `on Monday`."""
        return said.called(self.first, by_name=False) if slot == "off" else f"on {said.called(self.back, by_name=True)}"


def has_changed(person: Colleague, change: Change, day: int) -> bool:
    """Whether somebody's days are changing so on a day, counted from 1970-01-01: of `back` the first two working days after days off."""
    if change == "new":
        return person.joins is not None and 0 <= day - day_of(person.joins, person.zone) <= _NEW
    if change == "away":
        return leave_soon(person, day) is not None
    today = date_of(day)
    return any(0 < _working_days(leave.back, today) <= _JUST_BACK for leave in _leaves(person))


def leave_soon(person: Colleague, day: int) -> Leave | None:
    """The days off that somebody has from one of the next days on; None where they have none."""
    today = date_of(day)
    return next((one for one in _leaves(person) if 0 < (one.first - today).days <= _SOON), None)


def _leaves(person: Colleague) -> list[Leave]:
    """All days off of somebody in their order; what follows on each other, over a weekend too, is one leave."""
    found: list[Leave] = []
    for since, until in sorted(person.away):
        if until - since < _LONG:
            continue
        first, last = (date_of(day_of(at, person.zone)) for at in (since, until - 1))
        back = _working(last + timedelta(days=1))
        if found and first <= found[-1].back:
            found[-1] = Leave(found[-1].first, max(back, found[-1].back))
        else:
            found.append(Leave(first, back))
    return found


def _working_days(since: date, until: date) -> int:
    """How many working days there are from one day to another, both counted; 0 where the other is before."""
    return sum((since + timedelta(days=n)).weekday() < _WORKING for n in range((until - since).days + 1))


def _working(day: date) -> date:
    """A day, or the Monday after it where that is a weekend."""
    return day + timedelta(days=7 - day.weekday()) if day.weekday() >= _WORKING else day
