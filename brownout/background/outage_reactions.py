"""What people say and write while something that they work with is broken, and when it works again.

A pure function of the seed and the outage on the timetable: who is at their desk then notices, asks in a room, asks somebody, or writes a
mail where rooms are what is broken. Nobody says a cause, a time or a number, and nothing is said of an outage that a storyline tells of.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from brownout.background.dealer import Dealer, permuted
from brownout.background.desk_hours import day_of
from brownout.background.integer_math import ONE, at_points
from brownout.background.life_sources import Life, Project, Room
from brownout.background.mails import Mails, mail_step
from brownout.background.matter_steps import MatterStep
from brownout.background.outage_texts import GONE, NoticedOutage, OutagePack, OutageTexts
from brownout.background.packs import MailThread, TicketCase, filled
from brownout.background.part_holders import areas_for_all
from brownout.background.sentences import capitalized
from brownout.background.talks import Talks
from brownout.background.voices import typed, voices_of
from brownout.background.written import turns_of, varied
from brownout.core.apps import Intent, IntentKind
from brownout.core.error_notes import doing
from brownout.core.instants import MINUTE, SECOND, Instant, clock_text
from brownout.core.seeds import Stream
from brownout.core.values import JsonObject

__all__ = ["OutageReactions", "OutageSteps"]

T = TypeVar("T")

_ROOMS, _PAIRS, _MAILS = 120, 250, 160
"""Conversations in rooms, between two, and by mail, for 1,000 people at their desks: working values without a source."""
_OVER, _TICKETS, _THREADED = 75, 65, 60
"""Percent: rooms in which it is said that it works again; outages of which a ticket is opened; conversations in a room in a thread."""
_LONG_ENOUGH: Final = 12 * MINUTE
"""Of shorter ones nobody opens a ticket."""
_NOTICED: Final = ((0, 1), (20, 3), (50, 7), (80, 15), (100, 30))
"""Minutes until somebody says so, by percent."""
_GAP: Final = ((0, 4), (25, 15), (50, 40), (75, 110), (95, 400), (100, 900))
_MAIL_GAP: Final = ((0, 60), (50, 300), (90, 1_200), (100, 2_400))
"""Seconds to the next line, and to an answer by mail, by percent."""
_AFTERWARDS: Final = ((0, 1), (50, 6), (90, 25), (100, 50))
"""Minutes from the end until somebody says that it works."""
_CLOSED: Final = ((0, 15), (50, 70), (90, 300), (100, 1_200))
"""Minutes from the end until a ticket about it is closed."""
_TOLD: Final = 3
"""A mail that asks for no answer goes to two or so many more."""
_LOOKED_FOR: Final = 20 * MINUTE
"""How often it is looked whether somebody is there to notice an outage that began when nobody was."""
_FEWEST: Final = 3
"""So many people at their desks notice one."""


@dataclass(slots=True)
class OutageSteps:
    """What comes of an outage: what is said, and the steps of the ticket about it."""

    steps: list[MatterStep] = field(default_factory=list)
    reported: list[MatterStep] = field(default_factory=list)


class OutageReactions:
    """What a company makes of its outages."""

    def __init__(self, life: Life, talks: Talks, mails: Mails) -> None:
        self._life, self._talks, self._mails = life, talks, mails
        self._voices = voices_of(life)
        self._outages = sorted(life.outages, key=lambda one: (one.since, one.name))

    def begun(self, day: int) -> Iterator[OutageSteps]:
        """What comes of the outages that begin on a day."""
        texts, volume = self._life.outage_texts, self._life.volumes.get("people", 0)
        for outage in self._outages:
            if texts is None or not volume or day_of(outage.since, self._life.zone) != day:
                continue
            begins = clock_text(outage.since, self._life.zone)
            with doing(f"what people say and write of the outage {outage.name} ({begins})"):
                noticed, own = self._noticed(outage), Stream(self._life.seed, "outage", outage.name)
                found = None if noticed is None else self._reacted(_Reaction(outage, noticed, own, texts))
            if found is not None:
                yield found

    def _noticed(self, outage: NoticedOutage) -> Instant | None:
        """The first moment at which some of those who work with it are at their desks; None where it is over before."""
        return next(
            (
                at
                for at in range(outage.since, outage.until, _LOOKED_FOR)
                if sum(self._talks.desks[name].is_there(at) for name in outage.people) >= _FEWEST
            ),
            None,
        )

    def _reacted(self, reaction: "_Reaction") -> OutageSteps:
        outage, own, found = reaction.outage, reaction.own, OutageSteps()
        there = [name for name in outage.people if self._talks.desks[name].is_there(reaction.noticed)]
        heads = len(there) * self._life.volumes["people"]
        rooms = self._rooms(outage, own)[: _some(heads * _ROOMS, own)]
        if outage.app == self._life.apps.get("talks", "") and outage.fails != "slow":
            for number, written in enumerate(self._dealt(reaction, reaction.texts.mails)[: _some(heads * _MAILS, own)]):
                found.steps += self._written(reaction, written, there, f"{reaction.key}/mail.{number}")
        else:
            for room, script in zip(rooms, self._scripts(reaction, reaction.texts.asked), strict=False):
                found.steps += self._said(reaction, script, room, f"{reaction.key}/asked.{room.name}")
            for number, script in enumerate(
                self._scripts(reaction, reaction.texts.private)[: _some(heads * _PAIRS, own)]
            ):
                found.steps += self._said(reaction, script, None, f"{reaction.key}/private.{number}")
        for room, script in zip(rooms, self._scripts(reaction, reaction.texts.over), strict=False):
            if own.chance(_OVER):
                found.steps += self._said(reaction, script, room, f"{reaction.key}/over.{room.name}", is_over=True)
        cases = self._dealt(reaction, reaction.texts.tickets)
        if cases and outage.until - reaction.noticed >= _LONG_ENOUGH and own.chance(_TICKETS):
            found.reported = self._opened(reaction, cases[0], there)
        return found

    def _dealt(self, reaction: "_Reaction", texts: Sequence[T]) -> list[T]:
        """The outage's own part of texts that are used once, which those of its kind share."""
        alike = [one.name for one in self._outages if one.kind == reaction.outage.kind]
        place, size = alike.index(reaction.outage.name), len(texts)
        key = Stream(self._life.seed, "outage texts", reaction.outage.kind, size).bits()
        part = range(size * place // len(alike), size * (place + 1) // len(alike))
        return [texts[permuted(number, size, key)] for number in part]

    def _scripts(self, reaction: "_Reaction", texts: Sequence[str]) -> list[str]:
        """Its part of scripts: of what is only slow, none that says that it is gone."""
        found = ((one.startswith(GONE), one.removeprefix(GONE)) for one in self._dealt(reaction, texts))
        return [script for is_gone, script in found if not is_gone or reaction.outage.fails != "slow"]

    def _rooms(self, outage: NoticedOutage, own: Stream) -> list[Room]:
        """Where it would be talked about: where those whom it concerns most are among themselves, or where most people are."""
        people = {*outage.people}
        counted = [(len(people.intersection(room.members)), room) for room in own.shuffled(self._life.rooms)]
        known = [pair for pair in counted if pair[0] >= _FEWEST]
        if outage.near:
            near = {*outage.near}
            known.sort(key=lambda pair: -len(near.intersection(pair[1].members)) * 1000 // len(pair[1].members))
        else:
            known = [*sorted(known, key=lambda pair: -pair[0])[:1], *known]
        return [*{room.name: room for _, room in known}.values()]

    # -- what is said -------------------------------------------------------------------------------------------

    def _said(
        self, reaction: "_Reaction", script: str, room: Room | None, key: str, *, is_over: bool = False
    ) -> Iterator[MatterStep]:
        """A conversation of those who are at their desks; while the outage lasts it ends with it."""
        outage, stream, turns = reaction.outage, reaction.own.child(key), turns_of(script)
        at = outage.until if is_over else reaction.noticed
        at += at_points(_AFTERWARDS if is_over else _NOTICED, stream.below(ONE)) * MINUTE + stream.below(MINUTE)
        members = [name for name in outage.people if room is None or name in room.members]
        able = self._talks.acquaintances.likeliest(
            [name for name in members if self._talks.desks[name].is_there(at)], stream.bits()
        )
        letters = [*dict.fromkeys(turn.who for turn in turns)]
        if room is not None and able:
            opener = reaction.begins(able)
            able = [opener, *(name for name in able if name != opener)]
        elif room is None:
            able = self._pair([name for name in able if name not in reaction.begun], stream)
            reaction.begun.update(able)
        if len(able) < len(letters) and (room is None or not able):
            return
        cast = dict(zip(letters, able, strict=False))
        in_thread = room is not None and stream.chance(_THREADED)
        for number, turn in enumerate(turns):
            if number:
                at += at_points(_GAP, stream.below(ONE)) * SECOND + stream.below(SECOND) + SECOND
            who = cast.get(turn.who)
            if who is None or not self._talks.desks[who].is_there(at) or (at >= outage.until and not is_over):
                return
            text = typed(
                reaction.filled(turn.text, stream), self._voices[who], stream, may_hedge=False, may_begin=False
            ).text
            if not self._life.is_free(text):
                return
            to = (room.name,) if room is not None else tuple(name for name in cast.values() if name != who)
            intent = Intent(
                "tell", f"{key}/{number}", who, to=to, via=self._life.apps["talks"], text=text,
                details={"thread": f"{key}/0"} if in_thread and number else {},
            )  # fmt: skip
            yield MatterStep(at, intent, f"{key}/0" if number else "", is_named=not number and len(turns) > 1)

    def _pair(self, able: Sequence[str], stream: Stream) -> list[str]:
        """The first of them and whom of the others they turn to; nobody where there is no such."""
        if not able:
            return []
        near = self._talks.acquaintances.circle(able[0], stream.bits(), len(self._talks.desks))
        return [able[0], *[name for name in near if name in able][:1]]

    def _written(
        self, reaction: "_Reaction", written: MailThread, there: Sequence[str], key: str
    ) -> Iterator[MatterStep]:
        """A conversation by mail, in place of the rooms."""
        if not self._life.apps.get("mails") or not self._mails.sides.get(""):
            return
        stream, text = reaction.own.child(key), self._mails.text
        at = reaction.noticed + at_points(_NOTICED, stream.below(ONE)) * MINUTE + stream.below(MINUTE)
        opener = reaction.begins(self._talks.acquaintances.likeliest(there, stream.bits()))
        letters = [*dict.fromkeys(who for who, _ in written.turns)]
        wanted = len(letters) - 1 or 2 + stream.below(_TOLD)
        near = self._talks.acquaintances.circle(opener, stream.bits(), len(there))
        others = [name for name in near if name in there][:wanted]
        if len(others) < len(letters) - 1 or not others:
            return
        cast = dict(zip(letters, (opener, *others), strict=False))
        first, last = (day_of(moment, self._life.zone) for moment in self._life.calendar)
        dealer = Dealer(self._life.seed, day_of(at, self._life.zone), first, last)
        matter = text.about(key, self._mails.sides[""][0], {}, dealer, None, (opener, *others), at)
        matter.written, matter.cast, matter.bound = written, cast, reaction.bound(stream)
        sent = [text.first(matter, opener, tuple(others), (), at)]
        for letter, _ in written.turns[1:]:
            at += at_points(_MAIL_GAP, stream.below(ONE)) * SECOND + stream.below(SECOND)
            who, before = cast[letter], sent[-1]
            if not self._talks.desks[who].is_there(at) or at >= reaction.outage.until:
                break
            back = (before.who, *(name for name in before.to if name not in (who, before.who)))
            sent.append(text.answer(matter, who, back, (), at, "answer", before, len(sent)))
        if all(self._life.is_free(one.own) for one in sent):
            for one in sent:
                yield mail_step(one, self._life.apps["mails"], is_named=one is not sent[-1])

    # -- what becomes of it -------------------------------------------------------------------------------------

    def _opened(self, reaction: "_Reaction", case: TicketCase, there: Sequence[str]) -> list[MatterStep]:
        """The ticket about it, in the project of those who look after it; none where nobody has one."""
        outage, stream = reaction.outage, reaction.own.child("ticket")
        project = self._project(outage)
        reporter = reaction.begins(self._talks.acquaintances.likeliest(there, stream.bits()))
        able = [name for name in project.people if name != reporter] if project is not None else []
        if project is None or not able or not self._life.apps.get("opens"):
            return []
        cast = {"R": reporter, "A": stream.choice(able)}
        cast["O"] = next((name for name in stream.shuffled(there) if name not in cast.values()), reporter)
        at = reaction.noticed + (at_points(_NOTICED, stream.below(ONE)) + 4) * MINUTE + stream.below(MINUTE)
        if at >= outage.until:
            return []
        key, bound = f"{reaction.key}/ticket", reaction.bound(stream)
        title, text = (capitalized(_filled(part, bound, stream)) for part in (case.title, case.text.strip()))
        details: JsonObject = {"project": project.key, "type": case.type, "labels": [], "priority": "High"}
        steps = [self._did(f"{key}/0", at, "open", reporter, subject=title, text=text, details=details)]
        for is_over, script in ((False, case.talk), (True, case.done)):
            at = max(at, outage.until + at_points(_CLOSED, stream.below(ONE)) * MINUTE) if is_over else at
            for turn in turns_of(script):
                at += at_points(_MAIL_GAP, stream.below(ONE)) * SECOND + stream.below(SECOND)
                there_at = self._talks.desks[cast[turn.who]].back(at, stream)
                if there_at is None or (there_at >= outage.until and not is_over):
                    break
                at, said = there_at, _filled(turn.text, bound, stream)
                voice = self._voices[cast[turn.who]]
                said = typed(said, voice, stream, may_hedge=False, may_begin=False).text
                steps.append(self._did(f"{key}/{len(steps)}", at, "comment", cast[turn.who], f"{key}/0", text=said))
        done = self._talks.desks[cast["A"]].back(at + stream.between(SECOND, 4 * MINUTE), stream)
        if done is not None:
            resolved: JsonObject = {"resolution": "Done"}
            steps.append(self._did(f"{key}/{len(steps)}", done, "close", cast["A"], f"{key}/0", details=resolved))
        return steps if all(self._life.is_free(f"{one.intent.subject} {one.intent.text}") for one in steps) else []

    def _project(self, outage: NoticedOutage) -> Project | None:
        """Whose ticket it is: of a product theirs who look after what everybody works with, of a service most of its people's."""
        if outage.kind == "product":
            for_all = areas_for_all(self._life)
            return next((one for one in self._life.projects if one.area in for_all), None)
        shares = {one.key: len({*outage.near}.intersection(one.people)) for one in self._life.projects}
        found = max(self._life.projects, key=lambda one: (shares[one.key], one.key), default=None)
        return found if found is not None and shares[found.key] else None

    def _did(
        self, key: str, at: Instant, kind: IntentKind, who: str, needs: str = "", *, subject: str = "", text: str = "",
        details: JsonObject | None = None,
    ) -> MatterStep:  # fmt: skip
        intent = Intent(
            kind, key, who, thing=needs, via=self._life.apps["opens"], subject=subject, text=text, details=details or {}
        )
        return MatterStep(at, intent, needs, is_named=not needs)


@dataclass(frozen=True, slots=True)
class _Reaction:
    """An outage that somebody has noticed.

    Attributes:
        own: draws what comes of it.
        begun: who has begun something about it.
    """

    outage: NoticedOutage
    noticed: Instant
    own: Stream
    pack: OutagePack
    begun: set[str] = field(default_factory=set)

    def begins(self, able: Sequence[str]) -> str:
        """Who begins something: the first who has not yet, if there is one."""
        found = next((name for name in able if name not in self.begun), able[0])
        self.begun.add(found)
        return found

    @property
    def key(self) -> str:
        """What the keys of its steps begin with."""
        return f"outage/{self.outage.name}"

    @property
    def texts(self) -> OutageTexts:
        """What is said of such things."""
        return self.pack.product if self.outage.kind == "product" else self.pack.service

    def bound(self, stream: Stream) -> dict[str, str]:
        """What the slots of its texts stand for."""
        return {"thing": self.outage.thing, "fails": stream.choice(self.pack.fails[self.outage.fails])}

    def filled(self, text: str, stream: Stream) -> str:
        """A line with one of its alternatives and with what is broken."""
        return _filled(text, self.bound(stream), stream)


def _filled(text: str, bound: Mapping[str, str], stream: Stream) -> str:
    """A text with one of each of its alternatives and its slots filled."""
    return filled(varied(text, stream), bound)


def _some(thousandths: int, stream: Stream) -> int:
    """At least one, and as many as there are millionths of one, rounded by a draw."""
    return max(thousandths // 1_000_000 + (stream.below(1_000_000) < thousandths % 1_000_000), 1)
