"""Meetings that come up: who invites whom to when, who comes, what is moved or called off, and the calendar's own mails."""

from collections.abc import Iterator
from typing import Final, TypeAlias

from brownout.background.attachments import invitation
from brownout.background.integer_math import ONE, at_points
from brownout.background.life_sources import Life
from brownout.background.matter_steps import MatterStep
from brownout.background.talks import Talks
from brownout.core.apps import Intent, IntentKind
from brownout.core.instants import DAY, HOUR, MINUTE, SECOND, Instant, local
from brownout.core.seeds import Stream
from brownout.core.values import JsonObject

__all__ = ["Meetings"]

_CALLED: Final = 160
"""Meetings that a head calls on a workday, of 1,000, beside those that repeat; this and what follows are without a source."""
_GUESTS: Final = ((0, 1), (45, 1), (70, 3), (90, 6), (100, 10))
_AHEAD: Final = ((0, 1), (40, 1), (70, 3), (90, 7), (100, 14))
"""Days from the invitation to the meeting."""
_LENGTHS, _LENGTH_WEIGHTS = (30, 60, 45, 15, 90), (44, 30, 12, 8, 6)
_WAIT: Final = ((0, 1), (25, 9), (50, 50), (75, 240), (100, 2_000))
_SILENT, _DECLINES, _MOVED, _OFF = 23, 8, 7, 4
"""Percent of guests who never answer and who decline; of meetings that are moved and that are called off."""
_MAILED: Final = 55
"""Percent of people who have the calendar send them mails."""
_Time: TypeAlias = tuple[Instant, Instant]
"""When a meeting begins and ends."""
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


class Meetings:
    """All meetings of a company that no storyline tells of and that do not repeat."""

    def __init__(self, life: Life, talks: Talks) -> None:
        self._life, self._talks = life, talks
        self._names = {person.name: person.full for person in life.people}
        self._zones = {person.name: person.zone for person in life.people}

    def called(self, day: int) -> Iterator[MatterStep]:
        """What comes of the meetings to which somebody invites on a day."""
        volume, manners = self._life.volumes.get("people", 0), self._life.mail_manners
        if not volume or manners is None or not self._life.apps.get("meets") or (day + 3) % 7 >= 5:
            return
        share = ONE * _CALLED * volume // 1_000_000
        for person in self._life.people:
            key = f"meeting/{day}/{person.name}"
            stream = Stream(self._life.seed, key)
            at = self._talks.desks[person.name].moment(day, stream)
            if stream.below(ONE) < share and at is not None:
                title = stream.choice(manners.meetings).replace("{day}", stream.choice(_DAYS))
                agenda = stream.choice(manners.agendas) if stream.chance(35) else ""
                yield from self._course(key, stream, person.name, at, title, agenda)

    def _course(
        self, key: str, stream: Stream, who: str, at: Instant, title: str, agenda: str
    ) -> Iterator[MatterStep]:  # fmt: skip
        guests = self._talks.acquaintances.circle(who, stream.bits(), at_points(_GUESTS, stream.below(ONE)))
        start = self._start(who, at, stream)
        if not guests or start is None:
            return
        length = stream.weighted(_LENGTHS, _LENGTH_WEIGHTS) * MINUTE
        time: JsonObject = {"start_us": start, "end_us": start + length, "zone": self._zones[who]}
        first = f"{key}/0"
        yield self._step(
            at, "invite", first, who, to=tuple(guests), subject=title, text=agenda, details=time, is_named=True
        )
        yield from self._mailed(first, "Invitation", title, who, guests, at, (start, start + length), agenda)
        for guest in guests:
            yield from self._answered(first, stream, guest, who, at, (start, start + length), title)
        if stream.chance(_OFF):
            yield from self._called_off(first, stream, who, guests, at, (start, start + length), title)
        elif stream.chance(_MOVED):
            yield from self._moved(first, stream, who, guests, at, start, length, title)

    def _start(self, who: str, at: Instant, stream: Stream) -> Instant | None:
        """A full or half hour on a coming day on which whoever invites is at work; None where they are not."""
        day = at + at_points(_AHEAD, stream.below(ONE)) * DAY
        for later in range(4):
            wanted = local(day + later * DAY, self._zones[who])
            midnight = day + later * DAY - (wanted.hour * 60 + wanted.minute) * MINUTE - wanted.second * SECOND
            start = midnight - midnight % SECOND + stream.between(18, 33) * 30 * MINUTE
            if self._talks.desks[who].is_there(start) and start > at + HOUR:
                return start
        return None

    def _answered(
        self, first: str, stream: Stream, guest: str, who: str, at: Instant, time: _Time, title: str
    ) -> Iterator[MatterStep]:
        """Whether somebody says that they come, and the mail about it."""
        kind = stream.below(100)
        wanted = at + at_points(_WAIT, stream.below(ONE)) * MINUTE + stream.below(MINUTE) + SECOND
        there = self._talks.desks[guest].back(wanted, stream)
        if kind < _SILENT or there is None or there >= time[0]:
            return
        manners = self._life.mail_manners
        is_declined = kind < _SILENT + _DECLINES
        text = stream.choice(manners.cannot) if manners is not None and is_declined and stream.chance(45) else ""
        key = f"{first}/{guest}"
        details: JsonObject = {"response": "declined" if is_declined else "accepted"}
        yield self._step(there, "acknowledge", key, guest, thing=first, text=text, details=details)
        what = "Declined" if is_declined else "Accepted"
        yield from self._mailed(key, what, title, guest, [who], there, time, text, needs=first)

    def _called_off(
        self, first: str, stream: Stream, who: str, guests: list[str], at: Instant, time: _Time, title: str
    ) -> Iterator[MatterStep]:
        start = time[0]
        off = self._talks.desks[who].back(at + 2 * HOUR + stream.below(max(start - at, HOUR)), stream)
        if off is not None and off < start:
            yield self._step(off, "close", f"{first}/off", who, thing=first)
            yield from self._mailed(f"{first}/off", "Canceled event", title, who, guests, off, time, "", needs=first)

    def _moved(
        self, first: str, stream: Stream, who: str, guests: list[str], at: Instant, start: Instant, length: int, title: str
    ) -> Iterator[MatterStep]:  # fmt: skip
        moved = self._talks.desks[who].back(at + HOUR + stream.below(max(start - at, HOUR)), stream)
        later = self._start(who, start, stream)
        if moved is None or later is None or moved >= start:
            return
        key = f"{first}/moved"
        details: JsonObject = {"start_us": later, "end_us": later + length, "moves": first}
        yield self._step(moved, "invite", key, who, to=tuple(guests), subject=title, details=details, thing=first)
        yield from self._mailed(
            key, "Updated invitation", title, who, guests, moved, (later, later + length), "", needs=first
        )

    def _step(
        self, at: Instant, kind: IntentKind, key: str, who: str, *, to: tuple[str, ...] = (), subject: str = "",
        text: str = "", thing: str = "", details: JsonObject | None = None, is_named: bool = False,
    ) -> MatterStep:  # fmt: skip
        intent = Intent(
            kind, key, who, to=to, via=self._life.apps["meets"], subject=subject, text=text, thing=thing,
            details=details or {},
        )  # fmt: skip
        return MatterStep(at, intent, thing, is_named)

    def _mailed(
        self, key: str, what: str, title: str, who: str, to: list[str], at: Instant, time: _Time, text: str,
        *, needs: str = "",
    ) -> Iterator[MatterStep]:  # fmt: skip
        """The calendar's mails about it, each to somebody who wants them."""
        volume = self._life.volumes.get("machines", 0)
        if not volume or not self._life.calendar_mail:
            return
        for name in to:
            mail = f"{key}/mail/{name}"
            if not Stream(self._life.seed, "calendar mails", name).chance(_MAILED * min(volume, 1000) // 1000):
                continue
            when = local(time[0], self._zones[name])
            shown = f"{when:%a %b} {when.day}, {when.year} {when:%H:%M} ({when:%Z})"
            said = {"Accepted": "accepted this invitation.", "Declined": "declined this invitation."}.get(what)
            head = (
                f"{self._names[who]} has {said}" if said else f"{title}\nWhen: {shown}\nOrganizer: {self._names[who]}"
            )
            parts = [head, text, "You get this because mails about invitations are switched on for this calendar."]
            details: JsonObject = {}
            if not said:
                meeting = f"{Stream(key.partition('/0')[0]).bits():016x}@{self._life.domain}"
                off = what == "Canceled event"
                sides = [(self._names[one], f"{one}@{self._life.domain}") for one in (who, name)]
                details["attachments"] = [invitation(meeting, title, sides[0], sides[1], *time, is_off=off)]
            intent = Intent(
                "tell", mail, self._life.calendar_mail, to=(name,), via=self._life.apps["mails"],
                subject=f"{what}: {title} @ {shown} ({self._names[who]})", text="\n\n".join(part for part in parts if part),
                details=details,
            )  # fmt: skip
            yield MatterStep(at + Stream(mail).between(2 * SECOND, 25 * SECOND), intent, needs or key)
