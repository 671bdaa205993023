"""A week of somebody's calendar as a grid has it: what lasts whole days above, the rest by day and minute, side by side.

Minutes are of the wall clock of whoever looks, so that a day on which clocks change is as long as any other.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Literal, TypeAlias

from brownout.core.instants import Instant, from_datetime, iso, local, zone
from brownout.core.values import JsonObject
from studio.company.calendar import Known, answer_of, begins, city, ends, known_calendars, path_of_event
from studio.company.company_view import PersonView, ViewRefused
from studio.company.vendor_json import items, part, text

__all__ = ["Day", "Look", "Piece", "Week", "WeekBand", "week_of"]

Look: TypeAlias = Literal["accepted", "needsAction", "tentative", "declined", "busy", "away"]
"""How it stands for whose calendar it is: what they answered, that they are away, or only that they are busy."""

_DAY_MINUTES = 24 * 60
_LEAST = 15
"""Minutes that a meeting takes up at least, so that its title can be read."""
_MOST = 250


@dataclass(frozen=True, slots=True)
class Day:
    """A day of the week; `now` is the minute that it is, on the day that it is."""

    date: str
    name: str
    number: int
    is_weekend: bool
    is_past: bool
    now: int | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """What an event takes of a day, in minutes; `lane` of `lanes` beside what else is then."""

    id: str
    day: int
    top: int
    bottom: int
    title: str
    when: str
    where: str
    look: Look
    path: str
    is_free: bool
    is_private: bool
    is_over: bool
    lane: int = 0
    lanes: int = 1


@dataclass(frozen=True, slots=True)
class WeekBand:
    """What lasts whole days, from the first to the last of those in this week."""

    id: str
    first: int
    last: int
    title: str
    look: Look
    path: str
    is_over: bool
    lane: int = 0


@dataclass(frozen=True, slots=True)
class Week:
    """The grid.

    Attributes:
        title: `13 to 19 April 2026`.
        zone: the city whose time the grid shows: that of whoever looks.
        other: another city whose time stands beside it, empty where there is none to tell.
        ahead: how many minutes the other city's clocks are ahead.
        before, after: days of the weeks around.
    """

    title: str
    number: int
    zone: str
    other: str
    ahead: int
    before: str
    after: str
    days: tuple[Day, ...]
    pieces: tuple[Piece, ...]
    bands: tuple[WeekBand, ...]


def week_of(eyes: PersonView, place: str, day: str) -> Week:
    """The week of a day (`2026-04-14`; the one that it is without it) on the calendar of that address.

    Raises:
        Refused: there is no such calendar, or it is no day.
    """
    known = {one.id: one for one in known_calendars(eyes)}
    own = next(one for one in known.values() if one.is_own)
    shown = known.get(place, own)
    monday = _monday(day, local(eyes.viewing.now, own.zone).date())
    midnights = [_midnight(monday + timedelta(days=number), own.zone) for number in range(8)]
    answer = eyes.ask(
        "calendar_list_events",
        calendar=shown.id,
        time_min=iso(midnights[0]),
        time_max=iso(midnights[-1]),
        max_results=_MOST,
    )
    events = items(answer, "items")
    frame = _Frame(own.zone, monday, eyes.viewing.now, shown.id, known)
    other = shown.zone if shown.zone != own.zone else eyes.viewing.package.manifest.zone
    noon = midnights[3]
    sunday = monday + timedelta(days=6)
    return Week(
        title=_title(monday, sunday),
        number=monday.isocalendar().week,
        zone=city(own.zone),
        other=city(other) if other != own.zone else "",
        ahead=_offset(noon, other) - _offset(noon, own.zone),
        before=str(monday - timedelta(days=7)),
        after=str(monday + timedelta(days=7)),
        days=tuple(_days(monday, eyes.viewing.now, own.zone)),
        pieces=_beside([piece for event in events if not _is_long(event) for piece in frame.pieces(event)]),
        bands=_below([frame.band(event) for event in events if _is_long(event)]),
    )


# -- days ---------------------------------------------------------------------------------------------------


def _monday(given: str, today: date) -> date:
    try:
        day = date.fromisoformat(given) if given else today
        return day - timedelta(days=day.weekday())
    except (ValueError, OverflowError):
        raise ViewRefused(f"Week {given[:40]} not found") from None


def _midnight(day: date, zone_name: str) -> Instant:
    return from_datetime(datetime(day.year, day.month, day.day, tzinfo=zone(zone_name)))


def _offset(at: Instant, zone_name: str) -> int:
    ahead = local(at, zone_name).utcoffset()
    return int(ahead.total_seconds()) // 60 if ahead is not None else 0


def _title(monday: date, sunday: date) -> str:
    if monday.year != sunday.year:
        return f"{monday.day} {monday:%B %Y} to {sunday.day} {sunday:%B %Y}"
    first = f"{monday.day} {monday:%B}" if monday.month != sunday.month else f"{monday.day}"
    return f"{first} to {sunday.day} {sunday:%B %Y}"


def _days(monday: date, now: Instant, zone_name: str) -> Iterator[Day]:
    here = local(now, zone_name)
    for number in range(7):
        day = monday + timedelta(days=number)
        minute = here.hour * 60 + here.minute if day == here.date() else None
        yield Day(str(day), f"{day:%a}", day.day, number > 4, day < here.date(), minute)


# -- events -------------------------------------------------------------------------------------------------


def _is_long(event: JsonObject) -> bool:
    return bool(part(event, "start").get("date"))


@dataclass(frozen=True, slots=True)
class _Frame:
    """The week that events are put into."""

    zone: str
    monday: date
    now: Instant
    calendar: str
    known: Mapping[str, Known]

    def pieces(self, event: JsonObject) -> Iterator[Piece]:
        """What an event takes of each of the days."""
        start, end = (local(at(event, self.zone), self.zone).replace(tzinfo=None) for at in (begins, ends))
        until = max(end, start + timedelta(minutes=_LEAST))
        for day in range(7):
            first = datetime.combine(self.monday + timedelta(days=day), datetime.min.time())
            top, bottom = (int((at - first).total_seconds()) // 60 for at in (start, until))
            if bottom > 0 and top < _DAY_MINUTES:
                yield Piece(
                    id=text(event, "id"),
                    day=day,
                    top=max(top, 0),
                    bottom=min(bottom, _DAY_MINUTES),
                    title=text(event, "summary") or "(no title)",
                    when=f"{start:%H:%M} to {end:%H:%M}",
                    where=text(event, "location"),
                    look=self._look(event),
                    path=path_of_event(event, self.known),
                    is_free=text(event, "transparency") == "transparent",
                    is_private=text(event, "visibility") == "private",
                    is_over=ends(event, self.zone) <= self.now,
                )

    def band(self, event: JsonObject) -> WeekBand:
        """The days of this week that an event lasts."""
        start, end = (local(at(event, self.zone), self.zone).date() for at in (begins, ends))
        first, after = (start - self.monday).days, (end - self.monday).days
        return WeekBand(
            id=text(event, "id"),
            first=max(first, 0),
            last=min(max(after - 1, first), 6),
            title=text(event, "summary") or "(no title)",
            look=self._look(event),
            path=path_of_event(event, self.known),
            is_over=ends(event, self.zone) <= self.now,
        )

    def _look(self, event: JsonObject) -> Look:
        if text(event, "eventType") == "outOfOffice":
            return "away"
        if "organizer" not in event:
            return "busy"
        answer = answer_of(event, self.calendar)
        return next((look for look in ("needsAction", "tentative", "declined") if look == answer), "accepted")


def _beside(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """The pieces with a lane each, so that those of a day that overlap stand side by side."""
    found: list[Piece] = []
    for day in range(7):
        group: list[Piece] = []
        for piece in sorted((one for one in pieces if one.day == day), key=lambda one: (one.top, -one.bottom)):
            if group and piece.top >= max(one.bottom for one in group):
                found += _side_by_side(group)
                group = []
            group.append(piece)
        found += _side_by_side(group)
    return tuple(found)


def _side_by_side(group: Sequence[Piece]) -> list[Piece]:
    """Pieces of which each overlaps another one: each in the first lane that is free."""
    taken: list[int] = []
    placed = []
    for piece in group:
        lane = next((number for number, end in enumerate(taken) if end <= piece.top), len(taken))
        taken[lane : lane + 1] = [piece.bottom]
        placed.append(replace(piece, lane=lane))
    return [replace(piece, lanes=len(taken)) for piece in placed]


def _below(bands: Sequence[WeekBand]) -> tuple[WeekBand, ...]:
    """The bands with a lane each, so that those of the same days stand below one another."""
    taken: list[int] = []
    placed = []
    for band in sorted(bands, key=lambda one: (one.first, -one.last, one.title)):
        lane = next((number for number, end in enumerate(taken) if end < band.first), len(taken))
        taken[lane : lane + 1] = [band.last]
        placed.append(replace(band, lane=lane))
    return tuple(placed)
