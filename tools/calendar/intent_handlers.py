"""How people's intents become events and answers to invitations; accounts; the world's `apps: calendar:` section."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from pydantic import BaseModel, ConfigDict

from brownout.core.apps import Call, Intent, IntentHandler, IntentKind
from brownout.core.calendar_days import wall
from brownout.core.calls import Account
from brownout.core.errors import AuthoringError, Mistake
from brownout.core.instants import SECOND, Instant, local
from brownout.core.rows import Row
from brownout.core.values import Json, JsonObject
from tools.calendar import agenda, records, tables
from tools.calendar.agenda import Occurrence
from tools.calendar.records import Invited, MeetingDraft
from tools.calendar.recurrence import InvalidRule, parse_rule
from worlds.spec.field_types import Whole

__all__ = ["CalendarSettings", "RoomSettings", "handlers", "open_account", "prepare"]

_RESPONSES: Final = ("accepted", "declined", "tentative")


class RoomSettings(BaseModel):
    """A room as the author declares it."""

    model_config = ConfigDict(extra="forbid")
    name: str
    seats: Whole = 6
    zone: str = ""


class CalendarSettings(BaseModel):
    """The world's `apps: calendar:` section."""

    model_config = ConfigDict(extra="forbid")
    rooms: list[str | RoomSettings] = []


def prepare(call: Call, settings: JsonObject) -> None:
    """Make the rooms.

    Raises:
        AuthoringError: two rooms, or a room and somebody, have one name.
    """
    known = agenda.calendars(call.rows)
    names = {name for row in known for name in (row.text("name"), row.text("person"))}
    usual = known[0].text("zone") if known else "UTC"
    mistakes = []
    for given in CalendarSettings.model_validate(settings).rooms:
        room = RoomSettings(name=given) if isinstance(given, str) else given
        if room.name in names:
            mistakes.append(Mistake("world.yaml", 0, f"apps.calendar.rooms: {room.name!r} is somebody's name already"))
            continue
        names.add(room.name)
        records.add_room(call, room.name, room.seats, room.zone or usual)
    if mistakes:
        raise AuthoringError(mistakes)


def open_account(call: Call, account: Account) -> None:
    """A calendar for everybody who works here."""
    if account.kind in ("person", "agent"):
        records.add_calendar(call, account)


def _invite(call: Call, intent: Intent) -> str:
    """Put a meeting on whoever invites' calendar; `details` has what `meetings` come to."""
    owner, details = _calendar(call, intent.who), intent.details
    start, end = details.get("start_us"), details.get("end_us")
    if not isinstance(start, int) or not isinstance(end, int) or end < start:
        raise LookupError(f"{intent.key}: a meeting needs a time")
    start, end = start - start % SECOND, end - end % SECOND
    if moved := str(details.get("moves", "")):
        found = _event(call, replace(intent, thing=moved))
        records.change_event(call, found.event, {"start_us": start, "end_us": end})
        return records.path_of_event(owner, found.event)
    zone, rule = str(details.get("zone") or owner.text("zone")), str(details.get("rule", ""))
    try:
        if rule:
            parse_rule(rule, zone)
    except InvalidRule:
        raise LookupError(f"{intent.key}: {rule!r} is no rule") from None
    room, is_all_day = str(details.get("room", "")), bool(details.get("all_day"))
    guests = [_guest(call, intent, name) for name in intent.to]
    guests += [_guest(call, intent, name, is_optional=True) for name in _names(details.get("optional"))]
    guests += [_guest(call, intent, room)] if room else []
    draft = MeetingDraft(
        summary=intent.subject,
        start=start,
        end=_midnight(start, end, zone) if is_all_day else end,
        zone=zone,
        description=intent.text,
        location=room,
        is_all_day=is_all_day,
        rule=rule,
        kind=str(details.get("kind", "default")),
        visibility=str(details.get("visibility", "default")),
        is_free=bool(details.get("free")),
        guests=tuple(guests),
    )
    made = records.create_event(call, owner, draft)
    records.leave_out(call, made, [_on_day(day, start, zone) for day in _names(details.get("skips"))])
    return records.path_of_event(owner, made)


def _midnight(start: Instant, end: Instant, zone: str) -> Instant:
    """The end of whole days, also where one of them has 23 or 25 hours."""
    days = round((end - start) / 86_400_000_000)
    return wall(local(start, zone).replace(tzinfo=None) + timedelta(days=days), zone)


def _on_day(text: str, start: Instant, zone: str) -> Instant:
    time = local(start, zone).time()
    return wall(datetime.combine(datetime.fromisoformat(text).date(), time), zone)


def _call_off(call: Call, intent: Intent) -> str:
    """Call off a meeting; of a series with `day: 2026-03-31` in the details what it would be on that day, with `from` the rest."""
    found = _event(call, intent)
    owner = call.rows.get(tables.calendar, found.event.number("calendar"))
    path = records.path_of_event(owner or _calendar(call, intent.who), found.event)
    day, since = intent.details.get("day"), intent.details.get("from")
    if since is not None:
        if not found.event["rule"]:
            raise LookupError(f"{intent.key}: {intent.thing!r} does not repeat")
        records.end_series(call, found.event, _on_day(str(since), found.start, found.event.text("zone")))
        return path
    if day is not None:
        start = _on_day(str(day), found.start, found.event.text("zone"))
        one = agenda.instances(call.rows, found.event, since=start, until=start + 1) if found.event["rule"] else []
        found = next((each for each in one if each.start == start), found)
        if found.start != start:
            raise LookupError(f"{intent.key}: {intent.thing!r} does not take place on {day}")
    records.call_off(call, records.one_of_series(call, found))
    return path


def _answer(call: Call, intent: Intent) -> str:
    """Say whether somebody who was invited will come, if it is to come: to a single event unless there is another then.

    What repeats gives way to what happens once.
    """
    found, mine = _event(call, intent), _calendar(call, intent.who)
    event = found.event
    guest = agenda.guest_of(call.rows, event, mine)
    if guest is None:
        raise LookupError(f"{intent.key}: {intent.who} is not invited to {intent.thing}")
    path = records.path_of_event(mine, event)
    is_over = not event["rule"] and found.end <= call.now
    if guest["response"] != "needsAction" or event["status"] == "cancelled" or is_over:
        return path
    response = intent.details.get("response")
    if response in _RESPONSES:
        records.respond(call, event, guest, str(response), intent.text)
        return path
    taken = not event["rule"] and _is_taken(call, mine, found)
    records.respond(
        call, event, guest, "declined" if taken else "accepted", "I have something else then." if taken else ""
    )
    return path


def _is_taken(call: Call, calendar: Row, found: Occurrence) -> bool:
    """Whether somebody does something else at that time that happens only then."""
    for other in agenda.agenda(call.rows, calendar, found.start, found.end):
        event, guest = other.event, agenda.guest_of(call.rows, other.event, calendar)
        comes = guest is None or guest["response"] in ("accepted", "tentative")
        is_single = not event["rule"] and event["series"] is None and not event["is_free"]
        if is_single and comes and event["id"] != found.event["id"]:
            return True
    return False


def _event(call: Call, intent: Intent) -> Occurrence:
    path = intent.thing if intent.thing.startswith("calendar:") else call.bound(intent.thing) or ""
    is_event = path.startswith("calendar:") and ".event/" in path
    found = agenda.event_called(call.rows, path.rpartition("/")[2]) if is_event else None
    if found is None:
        raise LookupError(f"{intent.key}: no event stands for {intent.thing!r}")
    return found


def _guest(call: Call, intent: Intent, name: str, *, is_optional: bool = False) -> Invited:
    found = agenda.calendar_named(call.rows, name)
    if found is not None:
        return Invited(found.text("email"), found.text("name"), found, is_optional)
    try:
        account = call.account(name)
    except KeyError:
        if "@" not in name:
            raise LookupError(f"{intent.key}: nobody and no room is called {name!r}") from None
        return Invited(name.lower(), "", None, is_optional)
    return Invited(account.email.lower(), account.name, None, is_optional)


def _calendar(call: Call, person: str) -> Row:
    found = agenda.of_person(call.rows, person)
    if found is None:
        raise LookupError(f"{person} has no calendar")
    return found


def _names(value: Json) -> list[str]:
    return [str(name) for name in value] if isinstance(value, list) else []


handlers: dict[IntentKind, IntentHandler] = {"invite": _invite, "close": _call_off, "acknowledge": _answer}
