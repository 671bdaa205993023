"""Calendar: people's and rooms' calendars, what a search finds, and one meeting, read through its own operations."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from brownout.core.instants import DAY, Instant, from_datetime, iso, local, zone
from brownout.core.values import JsonObject
from studio.company.company_view import PersonView, ViewRefused
from studio.company.pane_content import (
    Block,
    Card,
    PreviewQuestion,
    PreviewReading,
    ShownField,
    ShownLine,
    ShownLines,
    ShownName,
    ShownPlace,
    ShownTag,
    SurfaceName,
    Tone,
)
from studio.company.repeat_rules import repeats_text
from studio.company.vendor_json import flag, instant, items, part, text

__all__ = ["Calendar", "Known", "answer_of", "begins", "city", "ends", "known_calendars", "path_of_event"]

_MOST = 100
_AROUND = 365 * DAY
"""How far a search looks back and ahead."""
_ANSWERS: Mapping[str, ShownTag] = {
    "accepted": ShownTag("accepted", "green"),
    "declined": ShownTag("declined", "red"),
    "tentative": ShownTag("maybe", "orange"),
    "needsAction": ShownTag("no answer yet", "gray"),
}


@dataclass(frozen=True, slots=True)
class Known:
    """A calendar that somebody can see.

    Attributes:
        id: its address.
        person: whose it is by short name; empty for a room's.
    """

    id: str
    name: str
    zone: str
    person: str
    is_own: bool
    seats: int = 0


class Calendar:
    """The company's calendars. Items are the ids of events, of one of a series too; places are addresses."""

    name: SurfaceName = "calendar"
    app = "calendar"

    def places(self, eyes: PersonView) -> list[ShownPlace]:
        """The person's own calendar, those of their colleagues, the rooms."""
        known = known_calendars(eyes)
        own = [ShownPlace(one.id, one.name, "Their own", f"times in {city(one.zone)}") for one in known if one.is_own]
        people = [one for one in known if one.person and not one.is_own]
        rooms = [ShownPlace(one.id, one.name, "Rooms", f"{one.seats} seats") for one in known if not one.person]
        return [
            *own,
            *(
                ShownPlace(one.id, one.name, "Colleagues", _role(eyes, one))
                for one in sorted(people, key=lambda p: p.name)
            ),
            *rooms,
        ]

    def lines(self, eyes: PersonView, asked: PreviewQuestion) -> ShownLines:
        """What a search finds on all calendars, or else what is next on one; a series counts once in a search."""
        if asked.q:
            now = eyes.viewing.now
            page = eyes.ask(
                "calendar_search_events",
                q=asked.q,
                time_min=iso(now - _AROUND),
                time_max=iso(now + _AROUND),
                max_results=_MOST,
            )
        else:
            page = eyes.ask(
                "calendar_list_events",
                calendar=asked.place or "primary",
                max_results=min(asked.most, _MOST),
                page_token=asked.cursor,
            )
        lines = tuple(_line(eyes, event) for event in items(page, "items"))
        return ShownLines(lines[::-1] if asked.q else lines, "" if asked.q else text(page, "nextPageToken"))

    def names(self, eyes: PersonView) -> list[ShownName]:
        """No words lead to a meeting."""
        del eyes
        return []

    def reading(self, eyes: PersonView, item: str) -> PreviewReading:
        """A meeting with its guests and what each has answered."""
        try:
            event = eyes.ask("calendar_get_event", event_id=item)
        except ViewRefused as error:
            raise ViewRefused(f"Meeting {item} not found: {error}") from error
        known = {one.id: one for one in known_calendars(eyes)}
        own = next(one for one in known.values() if one.is_own)
        guests = items(event, "attendees")
        series = text(event, "recurringEventId")
        rule = eyes.ask("calendar_get_event", event_id=series).get("recurrence") if series else event.get("recurrence")
        repeats = repeats_text([str(line) for line in rule]) if isinstance(rule, list) else ""
        blocks = [Block(title="Notes", text=notes)] if (notes := text(event, "description")) else []
        if guests:
            blocks.append(Block(title=_guests_title(guests), cards=tuple(_card(guest, known) for guest in guests)))
        if "organizer" not in event:
            blocks.append(Block(text="Whoever is not invited sees only that they are busy."))
        return PreviewReading(
            id=item,
            kicker=_kicker(event),
            title=text(event, "summary") or "(no title)",
            path=path_of_event(event, known),
            tags=_tags(event),
            fields=tuple(
                ShownField(name, value)
                for name, value in (
                    ("When", _when(event, own.zone)),
                    ("Elsewhere", _elsewhere(event, own, known, guests)),
                    ("Where", text(event, "location")),
                    ("Repeats", repeats),
                    ("Organizer", text(event, "organizer", "displayName")),
                )
                if value
            ),
            blocks=tuple(blocks) or (Block(text="Nobody else is invited."),),
            written=instant(event, "created"),
        )


def known_calendars(eyes: PersonView) -> list[Known]:
    """The calendars that somebody can see, their own first."""
    people = {profile.account.email.lower(): name for name, profile in eyes.viewing.setting.people.items()}
    return [
        Known(
            id=text(one, "id"),
            name=text(one, "summary"),
            zone=text(one, "timeZone"),
            person="" if part(one, "resource") else people.get(text(one, "id"), text(one, "id")),
            is_own=flag(one, "primary"),
            seats=int(text(one, "resource", "capacity") or 0),
        )
        for one in items(eyes.ask("calendar_list_calendars"), "items")
    ]


def city(zone_name: str) -> str:
    """`New York`, of `America/New_York`."""
    return zone_name.rpartition("/")[2].replace("_", " ")


def begins(event: JsonObject, zone_name: str) -> Instant:
    """When an event begins; one of whole days at midnight of the zone it is looked at in."""
    return _moment(part(event, "start"), zone_name)


def ends(event: JsonObject, zone_name: str) -> Instant:
    """When an event ends, likewise."""
    return _moment(part(event, "end"), zone_name)


def _moment(value: JsonObject, zone_name: str) -> Instant:
    day = text(value, "date")
    if not day:
        return instant(value, "dateTime")
    return from_datetime(datetime.fromisoformat(day).replace(tzinfo=zone(zone_name)))


def answer_of(event: JsonObject, calendar: str) -> str:
    """What whoever's calendar it is has answered; those who were not asked come."""
    guests = items(event, "attendees")
    return next((text(guest, "responseStatus") for guest in guests if text(guest, "email") == calendar), "accepted")


def path_of_event(event: JsonObject, known: Mapping[str, Known]) -> str:
    """What the engine calls an event, a series as one; empty where it does not say whose it is."""
    owner = known.get(text(event, "organizer", "email"))
    if owner is None:
        return ""
    return f"calendar:{owner.person or owner.name}.event/{text(event, 'recurringEventId') or text(event, 'id')}"


# -- one meeting --------------------------------------------------------------------------------------------


def _line(eyes: PersonView, event: JsonObject) -> ShownLine:
    place = text(event, "location")
    return ShownLine(
        id=text(event, "id"),
        at=begins(event, eyes.viewing.package.manifest.zone),
        who=text(event, "organizer", "displayName") or "Busy",
        title=text(event, "summary"),
        text=place or text(event, "description"),
        tags=(ShownTag("repeats"),) if text(event, "recurringEventId") else (),
    )


def _role(eyes: PersonView, known: Known) -> str:
    profile = eyes.viewing.setting.people.get(known.person)
    return f"{profile.account.role}, {city(known.zone)}" if profile else city(known.zone)


def _kicker(event: JsonObject) -> str:
    if text(event, "eventType") == "outOfOffice":
        return "Out of office"
    return "One of a series" if text(event, "recurringEventId") else "Meeting"


def _tags(event: JsonObject) -> tuple[ShownTag, ...]:
    found = []
    if text(event, "visibility") == "private":
        found.append(ShownTag("private", "violet"))
    if text(event, "transparency") == "transparent":
        found.append(ShownTag("does not block the time", "gray"))
    return tuple(found)


def _when(event: JsonObject, zone_name: str) -> str:
    start, end = (local(at, zone_name) for at in (begins(event, zone_name), ends(event, zone_name)))
    if part(event, "start").get("date"):
        last = local(ends(event, zone_name) - 1, zone_name)
        return _day(start) if start.date() == last.date() else f"{_day(start)} to {_day(last)}"
    until = "" if start.date() == end.date() else f"{_day(end)}, "
    return f"{_day(start)}, {start:%H:%M} to {until}{end:%H:%M} in {city(zone_name)}"


def _day(moment: datetime) -> str:
    return f"{moment:%a} {moment.day} {moment:%b %Y}"


def _elsewhere(event: JsonObject, own: Known, known: Mapping[str, Known], guests: list[JsonObject]) -> str:
    """The time of day where guests are whose clocks show another one."""
    at = begins(event, own.zone)
    if part(event, "start").get("date"):
        return ""
    here = local(at, own.zone).strftime("%H:%M")
    zones = dict.fromkeys(one.zone for guest in guests if (one := known.get(text(guest, "email"))) and one.person)
    clocks = {zone: local(at, zone) for zone in zones}
    return ", ".join(f"{clock:%H:%M} in {city(zone)}" for zone, clock in clocks.items() if f"{clock:%H:%M}" != here)


def _guests_title(guests: list[JsonObject]) -> str:
    people = [guest for guest in guests if not flag(guest, "resource")]
    come = sum(text(guest, "responseStatus") == "accepted" for guest in people)
    return f"{len(people)} guests, {come} coming" if len(people) != 1 else "1 guest"


def _card(guest: JsonObject, known: Mapping[str, Known]) -> Card:
    email, is_room = text(guest, "email"), flag(guest, "resource")
    marks: list[tuple[str, Tone]] = [("organizer", "blue")] if flag(guest, "organizer") else []
    marks += [("optional", "gray")] if flag(guest, "optional") else []
    found = known.get(email)
    return Card(
        title=text(guest, "displayName") or email,
        about=f"{found.seats} seats" if is_room and found else city(found.zone) if found else "outside the company",
        tags=(
            *(ShownTag(*mark) for mark in marks),
            _ANSWERS.get(text(guest, "responseStatus"), _ANSWERS["needsAction"]),
        ),
        text=text(guest, "comment"),
        icon="meeting_room" if is_room else "",
    )
