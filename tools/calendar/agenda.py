"""What is on a calendar in a stretch of time, series expanded; who is busy when. Reads only."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from sqlalchemy import bindparam, exists, or_, select

from brownout.core.calendar_days import wall
from brownout.core.instants import HOUR, Instant, local, to_datetime
from brownout.core.rows import Row, Rows
from brownout.store import compile_query
from tools.calendar import tables
from tools.calendar.recurrence import expand, parse_rule

__all__ = [
    "BusyStretch",
    "Occurrence",
    "agenda",
    "busy",
    "calendar_at",
    "calendar_named",
    "calendar_names",
    "calendars",
    "event_called",
    "exceptions_of",
    "found_once",
    "guest_name",
    "guest_of",
    "guests_of",
    "instance_id",
    "instances",
    "is_away",
    "occurrence_at",
    "of_person",
]

_calendar, _event, _guest = tables.calendar, tables.event, tables.guest

_CALENDARS = compile_query(select(_calendar).order_by(_calendar.c.id))
_AT = compile_query(select(_calendar).where(_calendar.c.email == bindparam("email")))
_OF = compile_query(select(_calendar).where(_calendar.c.person == bindparam("person"), _calendar.c.person != ""))
_NAMED = compile_query(select(_calendar).where(_calendar.c.name == bindparam("name")).order_by(_calendar.c.id))
_BY_ID = compile_query(select(_event).where(_event.c.event_id == bindparam("event_id")))
_ON = (
    select(_event)
    .where(
        or_(
            _event.c.calendar == bindparam("calendar"),
            _event.c.id.in_(select(_guest.c.event).where(_guest.c.calendar == bindparam("calendar"))),
        ),
        _event.c.status == "confirmed",
    )
    .order_by(_event.c.start_us, _event.c.id)
)
_SINGLE = compile_query(
    _ON.where(_event.c.rule == "", _event.c.start_us < bindparam("until"), _event.c.end_us > bindparam("since"))
)
_SERIES = compile_query(_ON.where(_event.c.rule != "", _event.c.start_us < bindparam("until")))
_AWAY = compile_query(
    # by the few of their kind, and not by all that somebody was ever invited to
    select(_event)
    .where(
        _event.c.kind == "outOfOffice",
        _event.c.start_us < bindparam("until"),
        _event.c.status == "confirmed",
        or_(
            _event.c.calendar + 0 == bindparam("calendar"),
            exists().where(_guest.c.event == _event.c.id, _guest.c.calendar + 0 == bindparam("calendar")),
        ),
    )
    .order_by(_event.c.start_us, _event.c.id)
)
_ALL_SINGLE = compile_query(
    select(_event).where(
        _event.c.status == "confirmed",
        _event.c.rule == "",
        _event.c.start_us < bindparam("until"),
        _event.c.end_us > bindparam("since"),
    )
)
_ALL_SERIES = compile_query(
    select(_event).where(_event.c.status == "confirmed", _event.c.rule != "", _event.c.start_us < bindparam("until"))
)
_EXCEPTIONS = compile_query(select(_event).where(_event.c.series == bindparam("series")).order_by(_event.c.id))
_GUESTS = compile_query(select(_guest).where(_guest.c.event == bindparam("event")).order_by(_guest.c.id))
_GUEST = compile_query(
    # among the event's few guests, and not among all that somebody was ever invited to
    select(_guest).where(_guest.c.event == bindparam("event"), _guest.c.calendar + 0 == bindparam("calendar"))
)


_INSTANCE = re.compile(r"[^_]+_([0-9]{4})([0-9]{2})([0-9]{2})T([0-9]{2})([0-9]{2})([0-9]{2})Z")
_CLOCK = 2 * HOUR
"""More than a change of clock can make an event last."""


@dataclass(frozen=True, slots=True)
class BusyStretch:
    """From `start` to before `end`."""

    start: Instant
    end: Instant


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An event as it takes place once.

    Attributes:
        event: its row; that of the series where it is one of a series that nobody changed.
        original: when the series has it, None for what is of no series.
    """

    event: Row
    start: Instant
    end: Instant
    original: Instant | None = None

    @property
    def id(self) -> str:
        """Its own id."""
        if self.original is None or self.event["series"] is not None:
            return self.event.text("event_id")
        return instance_id(self.event, self.original)


def instance_id(series: Row, original: Instant) -> str:
    """`7cbh8rpc10lrc0ckih9tafss99_20260414T083000Z`, as Google calls one of a series."""
    return f"{series.text('event_id')}_{to_datetime(original).strftime('%Y%m%dT%H%M%SZ')}"


# -- calendars ----------------------------------------------------------------------------------------------


def calendars(rows: Rows) -> list[Row]:
    """Every calendar, people's and rooms', in the order they were made."""
    return rows.all(_CALENDARS)


def calendar_at(rows: Rows, email: str) -> Row | None:
    return rows.one(_AT, email=email.strip().lower())


def of_person(rows: Rows, person: str) -> Row | None:
    return rows.one(_OF, person=person)


def calendar_named(rows: Rows, name: str) -> Row | None:
    """The calendar with that address, of the person with that short name, or with that full name."""
    wanted = name.strip().removeprefix("@")
    return calendar_at(rows, wanted) or of_person(rows, wanted) or rows.one(_NAMED, name=wanted)


def calendar_names(rows: Rows) -> list[str]:
    """Every way to name a calendar."""
    return [row.text(column) for row in rows.all(_CALENDARS) for column in ("email", "person", "name")]


# -- events -------------------------------------------------------------------------------------------------


def event_called(rows: Rows, event_id: str) -> Occurrence | None:
    """An event, a series as its first occurrence, or one of a series, by its id; also what was called off."""
    found = rows.one(_BY_ID, event_id=event_id)
    if found is not None:
        return _single(found)
    series, at = rows.one(_BY_ID, event_id=event_id.partition("_")[0]), _original(event_id)
    if series is None or not series["rule"] or at is None:
        return None
    return next((each for each in instances(rows, series, since=at, until=at + 1) if each.start == at), None)


def _original(event_id: str) -> Instant | None:
    """The time that an id of one of a series says."""
    found = _INSTANCE.fullmatch(event_id)
    try:
        return wall(datetime(*map(int, found.groups())), "UTC") if found else None  # type: ignore[arg-type] # noqa: DTZ001
    except ValueError:
        return None


def occurrence_at(event: Row, start: Instant) -> Occurrence:
    """One of a series that begins then; it lasts as long on the wall clock as the first one."""
    zone = event.text("zone")
    first, last = (local(event.number(name), zone).replace(tzinfo=None) for name in ("start_us", "end_us"))
    end = wall(local(start, zone).replace(tzinfo=None) + max(last - first, timedelta()), zone)
    return Occurrence(event, start, max(start, end), start)


def instances(rows: Rows, series: Row, *, since: Instant, until: Instant) -> Iterable[Occurrence]:
    """What a series comes to in a stretch of time, but for its exceptions."""
    known = exceptions_of(rows, series)
    rule = parse_rule(series.text("rule"), series.text("zone"))
    begun = series.number("start_us")
    length = series.number("end_us") - begun
    for at in expand(rule, begun, series.text("zone"), since=since - length - _CLOCK, until=until):
        found = occurrence_at(series, at)
        if at not in known and found.end > since:
            yield found


def exceptions_of(rows: Rows, series: Row) -> Mapping[Instant, Row]:
    """What was changed or called off of a series, by the time that the series has it."""
    return {row.number("original_us"): row for row in rows.all(_EXCEPTIONS, series=series.number("id"))}


def guests_of(rows: Rows, event: Row) -> list[Row]:
    """The guests of an event in the order they were invited."""
    return rows.all(_GUESTS, event=event.number("id"))


def guest_of(rows: Rows, event: Row, calendar: Row) -> Row | None:
    """The place of a calendar among an event's guests."""
    return rows.one(_GUEST, event=event.number("id"), calendar=calendar.number("id"))


def guest_name(rows: Rows, guest: Row) -> str:
    """Somebody's short name, a room's name, the address of who has no calendar here."""
    calendar = rows.get(_calendar, guest.number("calendar")) if guest["calendar"] is not None else None
    return (calendar.text("person") or calendar.text("name")) if calendar else guest.text("email")


def _single(event: Row) -> Occurrence:
    """What is of no series, or one of a series that was changed."""
    original = event["original_us"]
    start, end = event.number("start_us"), event.number("end_us")
    return Occurrence(event, start, end, original if isinstance(original, int) else None)


def agenda(rows: Rows, calendar: Row, since: Instant, until: Instant) -> list[Occurrence]:
    """What is on a calendar between two instants, in the order of its beginning."""
    key = calendar.number("id")
    found = [_single(row) for row in rows.all(_SINGLE, calendar=key, since=since, until=until)]
    for series in rows.all(_SERIES, calendar=key, until=until):
        found.extend(instances(rows, series, since=since, until=until))
    return sorted(found, key=lambda each: (each.start, each.end, each.id))


def is_away(rows: Rows, calendar: Row, since: Instant, until: Instant) -> bool:
    """Whether a calendar's owner is out of office at some time between two instants."""
    for event in rows.all(_AWAY, calendar=calendar.number("id"), until=until):
        if any(instances(rows, event, since=since, until=until)) if event["rule"] else event.number("end_us") > since:
            return True
    return False


def found_once(rows: Rows, since: Instant, until: Instant, is_wanted: Callable[[Row], bool]) -> list[Occurrence]:
    """The events of all calendars between two instants that are wanted, in their order; of a series its first one then."""
    found = [_single(row) for row in rows.all(_ALL_SINGLE, since=since, until=until) if is_wanted(row)]
    for series in rows.all(_ALL_SERIES, until=until):
        if is_wanted(series):
            found += islice(instances(rows, series, since=since, until=until), 1)
    return sorted(found, key=lambda each: (each.start, each.id))


def busy(rows: Rows, calendar: Row, since: Instant, until: Instant, *, but: int = 0) -> list[BusyStretch]:
    """When a calendar's owner is busy, in stretches that do not touch; `but` leaves out an event and its exceptions."""
    taken: list[BusyStretch] = []
    for each in agenda(rows, calendar, since, until):
        guest = guest_of(rows, each.event, calendar)
        is_declined = guest is not None and guest["response"] == "declined"
        if each.event["is_free"] or is_declined or (but and but in (each.event["id"], each.event["series"])):
            continue
        start, end = max(each.start, since), min(each.end, until)
        if taken and start <= taken[-1].end:
            taken[-1] = BusyStretch(taken[-1].start, max(taken[-1].end, end))
        elif start < end:
            taken.append(BusyStretch(start, end))
    return taken
