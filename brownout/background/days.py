"""What happens on each day, as items in one total order. A cursor into it is all that a session has to remember."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from brownout.background.bot_messages import alerts, alerts_of, builds, standups
from brownout.background.dealer import monday_of
from brownout.background.desk_hours import day_start
from brownout.background.life_sources import Life
from brownout.background.machine_mails import forge_mails, letters, notifications
from brownout.background.mails import Mails
from brownout.background.meetings import Meetings
from brownout.background.outage_reactions import OutageReactions
from brownout.background.questions import CustomerQuestions
from brownout.background.standup_answers import StandupAnswers
from brownout.background.talks import DrawnTalk, Talks
from brownout.background.tickets import Work
from brownout.background.timeline import Cursor, Item, PlacedItems, Timeline, place_of
from brownout.background.typing_times import typing_time
from brownout.background.weekly_digests import digests
from brownout.background.wording import Deal, Worded, Wording
from brownout.core.apps import Intent
from brownout.core.error_notes import doing
from brownout.core.instants import DAY, MINUTE, SECOND, Instant, day_text
from brownout.core.seeds import Stream

__all__ = ["Cursor", "Days", "Item"]

_LASTING: Final = 7
"""Days after the one it was opened on that a conversation may still go on; a zone ahead begins one day before."""
_WORKING: Final = 75
"""Days that a matter is followed; the calendar's end cuts it anyway."""
_KEPT: Final = 24
_READ: Final = 4 * SECOND
"""How long it takes at least until somebody reacts to a message."""
_RECENT, _KNOWN = 9, 10 * MINUTE
"""Days that a ticket is talked about, and how long it takes until somebody may know of it."""


class Days(Timeline):
    """The days of one life. Made once for a package; all its sessions share it, for it depends on no session's seed."""

    def __init__(self, life: Life) -> None:
        self.life = life
        self._talks = Talks(life)
        self._wording = Wording(life, self._known_tickets)
        super().__init__(life.calendar, life.zone)
        self._work = Work(life, self._talks.desks)
        self._mails = Mails(life, self._talks)
        self._meetings = Meetings(life, self._talks)
        self._answers = StandupAnswers(life, self._talks.desks)
        self._questions = CustomerQuestions(life, self._mails, self._work)
        self._outages = OutageReactions(life, self._talks, self._mails)
        self._opened: dict[int, list[Item]] = {}
        self._begun: dict[int, list[Item]] = {}
        self._tickets: dict[int, list[Item]] = {}
        self._days: dict[int, PlacedItems] = {}

    def _day(self, day: int) -> PlacedItems:
        """What happens on a day, with the place of each item."""
        found = self._days.get(day)
        if found is None:
            low, high = day_start(day, self.life.zone), day_start(day + 1, self.life.zone)
            items: list[Item] = []
            of_days = [
                self._opened_on(one) for one in range(max(day - _LASTING, self._first), min(day + 2, self._last))
            ]
            of_days += [
                self._begun_on(one) for one in range(max(day - _WORKING, self._first), min(day + 2, self._last))
            ]
            of_days += [self._summed_up(day), self._stood_up(day, of_days)]
            for of_day in of_days:
                since = bisect_left(of_day, low, key=_moment)
                items += of_day[since : bisect_left(of_day, high, key=_moment)]
            items.sort(key=place_of)
            found = self._days[day] = PlacedItems.of(items)
            if len(self._days) > _KEPT:
                self._days.pop(next(iter(self._days)), None)
        return found

    def _opened_on(self, day: int) -> list[Item]:
        """Everything that comes of what a day opens, in order."""
        found = self._opened.get(day)
        if found is None:
            deal = self._wording.deal(day, self._first, self._last)
            with doing(f"what people talk about on {self._date(day)}"):
                found = [item for talk in self._talks.opened(day) for item in self._items(talk, deal)]
            found.sort(key=place_of)
            self._opened[day] = found
            if len(self._opened) > _KEPT:
                self._opened.pop(next(iter(self._opened)), None)
        return found

    def _begun_on(self, day: int) -> list[Item]:
        """Everything that comes of the matters that begin on a day, in order."""
        found = self._begun.get(day)
        if found is None:
            with doing(f"what people do and machines report on {self._date(day)}"):
                found = self._matters(day)
            found.sort(key=place_of)
            self._begun[day] = found
            if len(self._begun) > _WORKING + _KEPT:
                self._begun.pop(next(iter(self._begun)), None)
        return found

    def _matters(self, day: int) -> list[Item]:
        asked = [*self._questions.started(day, self._first, self._last)]
        broken = [*self._outages.begun(day)]
        matters = [*self._work.started(day), *(one.reported for one in asked), *(one.reported for one in broken)]
        steps = [
            step
            for matter in matters
            for said in (
                matter,
                notifications(self.life, matter),
                builds(self.life, matter),
                forge_mails(self.life, matter),
            )
            for step in said
        ]
        steps += [
            *(step for one in asked for step in one.steps),
            *(step for one in broken for step in one.steps),
            *alerts(self.life, day, day_start(day, self.life.zone)),
            *standups(self.life, day, day_start(day, self.life.zone)),
            *self._meetings.called(day),
            *self._mails.started(day, self._first, self._last),
        ]
        steps += letters(self.life, day, day_start(day, self.life.zone))
        return [
            _item(step.at, step.intent, step.needs, is_named=step.is_named, is_heard=step.is_heard) for step in steps
        ]

    def _date(self, day: int) -> str:
        """`2026-03-02`, for what is said of an error."""
        return day_text(day_start(day, self.life.zone), self.life.zone)

    def _summed_up(self, day: int) -> list[Item]:
        """The digests that a day's morning brings, in order."""
        if monday_of(day) != day:
            return []
        week = range(max(day - 7, self._first), day)
        opened = [item for one in week for item in self._begun_on(one) if item.intent.kind == "open" and item.is_named]
        opened.sort(key=place_of)
        alerts = [alert for one in week for alert in alerts_of(self.life, one, day_start(one, self.life.zone))]
        start = day_start(day, self.life.zone)
        items = [
            _item(step.at, step.intent)
            for step in digests(self.life, [item.intent for item in opened if item.at < start], alerts, start)
        ]
        return sorted(items, key=place_of)

    def _stood_up(self, day: int, of_days: Sequence[Sequence[Item]]) -> list[Item]:
        """What people answer to the question of a day's morning, in order; of what was done since the one before."""
        asked = next(standups(self.life, day, day_start(day, self.life.zone)), None)
        if asked is None:
            return []
        since = asked.at - (3 if monday_of(day) == day else 1) * DAY
        done = [
            item
            for of_day in of_days
            for item in of_day[bisect_left(of_day, since, key=_moment) : bisect_left(of_day, asked.at, key=_moment)]
        ]
        done.sort(key=place_of)
        intents = [item.intent for item in done]
        steps = self._answers.of(asked, intents, self._called, lambda ticket: self._was_done(ticket, since))
        return sorted((_item(step.at, step.intent, step.needs) for step in steps), key=place_of)

    def _called(self, key: str) -> str:
        """What a ticket is called that a step of that key opened on its day; empty where it was opened otherwise."""
        return next((item.intent.subject for item in self._beside(key) if item.intent.key == key), "")

    def _was_done(self, ticket: str, before: Instant) -> bool:
        """Whether a ticket was closed before a moment, by the key of the step that opened it."""
        closed = (one for one in self._beside(ticket) if one.intent.kind == "close" and one.intent.thing == ticket)
        return any(one.at < before for one in closed)

    def _beside(self, key: str) -> Sequence[Item]:
        """What comes of the matters that begin on the day of a step's key; nothing for a key of no day."""
        day = key.split("/")[1]
        return self._begun_on(int(day)) if day.isdigit() else ()

    def _known_tickets(self, talk: DrawnTalk) -> list[Intent]:
        """What opened the tickets of the last days that somebody who talks has to do with."""
        at = talk.lines[0].at - _KNOWN
        projects = {project.key for project in self.life.projects if not {*project.people}.isdisjoint(talk.people)}
        return [
            item.intent
            for day in range(max(talk.day - _RECENT, self._first), talk.day + 1)
            for item in self._tickets_of(day)
            if item.intent.details["project"] in projects and item.at < at
        ]

    def _tickets_of(self, day: int) -> list[Item]:
        """The steps by which the matters that begin on a day open a ticket."""
        found = self._tickets.get(day)
        if found is None:
            found = self._tickets[day] = [
                item for item in self._begun_on(day) if item.intent.kind == "open" and "project" in item.intent.details
            ]
            if len(self._tickets) > _KEPT:
                self._tickets.pop(next(iter(self._tickets)), None)
        return found

    def _items(self, talk: DrawnTalk, deal: Deal) -> Iterator[Item]:
        app = self.life.apps.get("talks", "")
        said = self._in_time(self._wording.words(talk, deal))
        at = {worded.line.number: worded.line.at for worded in said}
        reacted = {reaction.to for reaction in talk.reactions}
        roots = [worded.line.number for worded in said if worded.begins] if talk.is_threaded else []
        for worded in said:
            line = worded.line
            key = f"{talk.key}/{line.number}"
            root = max((one for one in roots if one <= line.number), default=None)
            to = (talk.room,) if talk.room else tuple(dict.fromkeys(name for name in talk.people if name != line.who))
            intent = Intent(
                "tell",
                key,
                line.who,
                to=to,
                via=app,
                text=worded.text,
                details={"thread": f"{talk.key}/{root}"} if root not in (None, line.number) else {},
            )
            changed = self._changed(key, worded, app)
            is_named = line.number in reacted or changed is not None or (line.number in (0, *roots) and len(said) > 1)
            needs = f"{talk.key}/{root or 0}" if line.number not in (0, root) else ""
            yield _item(line.at, intent, needs, is_named=is_named)
            if changed is not None:
                yield changed
        for number, reaction in enumerate(talk.reactions):
            if reaction.to in at:
                thing = f"{talk.key}/{reaction.to}"
                name = self._wording.emoji(talk, number, reaction)
                key = f"{talk.key}/reaction/{number}"
                intent = Intent("react", key, reaction.who, via=app, thing=thing, details={"name": name})
                yield _item(max(reaction.at, at[reaction.to] + _READ), intent, thing)

    def _in_time(self, said: Sequence[Worded]) -> list[Worded]:
        """The lines of a conversation, none sooner after the one before than it is typed, as long as its author is there."""
        found: list[Worded] = []
        for worded in said:
            line = worded.line
            if found:
                before = found[-1].line
                soonest = before.at + typing_time(worded.text, is_answer=before.who != line.who)
                at = max(line.at, soonest)
                if at > line.at and not self._talks.desks[line.who].is_awake(at):
                    at = max(line.at, before.at + SECOND)
                worded = worded if at == line.at else replace(worded, line=replace(line, at=at))
            found.append(worded)
        return found

    def _changed(self, key: str, worded: Worded, app: str) -> Item | None:
        """What its author makes of a message shortly after they wrote it, if they are still there."""
        if not worded.later:
            return None
        who = worded.line.who
        stream = Stream(self.life.seed, "changed", key)
        at = worded.line.at + stream.between(6 * SECOND, 3 * MINUTE) + stream.below(SECOND)
        if not self._talks.desks[who].is_there(at):
            return None
        return _item(at, Intent("edit", f"{key}/changed", who, via=app, thing=key, text=worded.later), key)


def _item(at: Instant, intent: Intent, needs: str = "", *, is_named: bool = False, is_heard: bool = False) -> Item:
    return Item(at, Stream(intent.key).bits() >> 1, intent, needs, is_named, is_heard)


def _moment(item: Item) -> Instant:
    return item.at
