"""Who writes a code base, and when they do it: moments in their working hours, drawn by key."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from brownout.core.seeds import Stream

__all__ = ["Author", "working_from"]

_FARTHEST_DAYS = 400


@dataclass(frozen=True, slots=True)
class Author:
    """Somebody who commits or reviews.

    Attributes:
        key: their name in the world's people.yaml.
        first_name: as colleagues write it in a review.
        zone: where they work, as in `Europe/Lisbon`.
        hours: from when until when they work, local time.
        away: days off, from the first to the day after the last.
        joins: their first day; None where they were there before the history begins.
    """

    key: str
    first_name: str
    zone: str
    hours: tuple[time, time] = (time(9), time(17, 30))
    away: Sequence[tuple[date, date]] = ()
    joins: date | None = None

    def works_on(self, day: date) -> bool:
        """Whether it is a working day of theirs."""
        has_joined = self.joins is None or day >= self.joins
        return day.weekday() < 5 and has_joined and not any(since <= day < until for since, until in self.away)

    def works_at(self, at: datetime) -> bool:
        """Whether they are at work at a moment of any zone."""
        here = at.astimezone(ZoneInfo(self.zone))
        return self.works_on(here.date()) and self.hours[0] <= here.time() < self.hours[1]


def working_from(author: Author, at: datetime, stream: Stream) -> datetime:
    """The moment itself where the author is at work, else one in the first ninety minutes of their next working day.

    Raises:
        ValueError: they do not work on any of the next 400 days.
    """
    if author.works_at(at):
        return at
    here = at.astimezone(ZoneInfo(author.zone))
    opening, closing = author.hours
    for later in range(_FARTHEST_DAYS):
        day = here.date() + timedelta(days=later)
        if not author.works_on(day) or (later == 0 and here.time() >= closing):
            continue
        minutes = _minutes(closing) - _minutes(opening)
        begins = datetime.combine(day, opening, ZoneInfo(author.zone))
        moment = begins + timedelta(minutes=stream.between(3, max(4, min(90, minutes - 1))))
        return moment.astimezone(at.tzinfo)
    raise ValueError(f"{author.key} does not work on any day of the {_FARTHEST_DAYS} from {here.date()}")


def _minutes(clock: time) -> int:
    return clock.hour * 60 + clock.minute
