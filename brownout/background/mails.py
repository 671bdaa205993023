"""Mails between colleagues and with people outside: which conversations there are, about what, and who answers when."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from brownout.background.dealer import Dealer, monday_of, permuted
from brownout.background.desk_hours import Desk
from brownout.background.integer_math import ONE, at_points, mixed
from brownout.background.life_sources import Colleague, Correspondent, Life
from brownout.background.mail_parts import MailParts, Thread
from brownout.background.mail_text import MailText, Matter, Sent
from brownout.background.matter_steps import MatterStep
from brownout.background.packs import SUPPORT, MailPack, MailThread
from brownout.background.talks import Talks
from brownout.core.apps import Intent
from brownout.core.instants import DAY, MINUTE, SECOND, Instant
from brownout.core.seeds import Stream
from brownout.core.values import JsonObject

__all__ = ["Mails", "mail_step"]

_OPENED: Final = 240
"""Conversations by mail that a head opens on a workday, of 1,000: a working value without a source."""
_WEEKDAYS: Final = (105, 108, 106, 101, 80, 4, 4)
_SLOTS: Final = 6
_LENGTH: Final = ((0, 1), (39, 1), (55, 2), (75, 4), (90, 8), (99, 22), (100, 28))
"""Mails of a conversation, by percent (Klimt and Yang 2004: mean 4.1, median 2)."""
_WRITTEN, _READ = 5, 4
"""Seconds that a word of an answer takes to think of and write, and words of what it answers that are read in one: a long mail is not answered at length in three minutes."""
_WAIT: Final = ((0, 2), (10, 4), (25, 11), (50, 30), (75, 80), (90, 170), (99, 500), (100, 1_500))
"""Minutes to an answer, before the desk adds its nights."""
_ALL, _OUTSIDE, _OUTSIDER_OPENS, _PASSED_ON = 95, 22, 50, 5
"""Percent: answers to everybody, of mails to a few; held with somebody outside, who begins; passed on to
somebody else."""
_WEEKS, _SHARED_KEPT = 4, 4
_PUT_TOGETHER: Final = 10
"""Percent of conversations that nothing is written for which are held all the same, as one mail."""
_TIMES: Final = (2, 5)
"""How many times as long or as short one that is written whole may be, at first and where there is none."""
_LONG: Final = 100
_MANY, _ALL_OF_MANY = 6, 25
"""From so many others on a mail is to many, whose answers go to everybody in so many of 100: a working value without a source."""
_DEALT_WITH: Final = 4
"""With so many outside somebody has to do."""


class Mails:
    """All conversations by mail of a company."""

    def __init__(self, life: Life, talks: Talks) -> None:
        self._life, self._talks = life, talks
        self._app = life.apps.get("mails", "")
        self.desks: dict[str, Desk] = dict(talks.desks)
        for one in life.outsiders:
            there = Colleague(name=one.short, full=one.name, zone=life.zone, hours=(8 * 60 + 30, 17 * 60 + 30))
            self.desks[one.short] = Desk(life.seed, there)
        self.text = MailText(life)
        self._bits = {name: Stream(life.seed, "mailing", name).bits() for name in self.desks}
        self._parts = MailParts(life, talks.acquaintances)
        self._away = {person.name: person.away for person in life.people}
        self.sides: dict[str, list[MailPack]] = {}
        for pack in life.mail:
            self.sides.setdefault(pack.deals, []).append(pack)
        self._packs = {
            (person.name, side): self._own(person, packs)
            for person in life.people
            for side, packs in self.sides.items()
        }
        self._passages = {
            side: [(pack, act, text) for pack in packs for act, texts in pack.passages.items() for text in texts]
            for side, packs in self.sides.items()
        }
        self._written = _by_side(life)
        self._shared: dict[int, dict[int, list[Thread]]] = {}
        known = [one for one in life.outsiders if one.deals in self.sides]
        self._dealt_with = {
            name: sorted(
                (one for one in known if self._packs[name, one.deals]),
                key=lambda one: mixed(self._bits[one.short], self._bits[name]),
            )[:_DEALT_WITH]
            for name in self._parts.writes
        }

    def started(self, day: int, first: int, last: int) -> Iterator[MatterStep]:
        """The mails of all conversations that begin on a day; the calendar's days are those from `first` to before `last`."""
        threads = self._of_days(day, first, last)[day]
        self.deal(threads, day, first, last)
        dealer = Dealer(self._life.seed, day, first, last)
        for thread in threads:
            yield from self._course(thread, dealer)

    def _of_days(self, day: int, first: int, last: int) -> dict[int, list[Thread]]:
        """The conversations that begin on each day of the four weeks around it, which share those that are written whole.

        With partners there are a few in a month: a week's own share would be given to nobody.
        """
        begins = monday_of(day) // 7 // _WEEKS * _WEEKS * 7 + monday_of(day) % 7
        found = self._shared.get(begins)
        if found is None:
            ends = begins + 7 * _WEEKS
            found = self._shared[begins] = {one: [*self._begun(one)] for one in range(begins, ends)}
            threads = [thread for of_day in found.values() for thread in of_day]
            begin, end = _workdays(first, max(begins, first)), _workdays(first, max(min(ends, last), first))
            workdays, days = range(begin, end), max(_workdays(first, last), 1)
            outside = [side for side in sorted(self.sides) if side not in ("", SUPPORT)]
            left = {
                side: self._deal_written([one for one in threads if one.side == side], side, workdays, days)
                for side in outside
            }
            for one, of_day in found.items():
                self._keep_inside(one, of_day)
            left[""] = self._deal_written([one for one in threads if not one.side], "", workdays, days)
            unwritten = [
                (one, thread)
                for one, of_day in found.items()
                for thread in of_day
                if not thread.side and not thread.written
            ]
            for side in ("", *outside):
                self._begin_elsewhere(unwritten, left[side], side)
            for of_day in found.values():
                of_day[:] = [one for one in of_day if one.written or Stream(one.key, "held").chance(_PUT_TOGETHER)]
            if len(self._shared) > _SHARED_KEPT:
                self._shared.pop(next(iter(self._shared)))
        return found

    def _keep_inside(self, day: int, threads: Sequence[Thread]) -> None:
        """Let conversations of a day that nothing is written for outside be held among colleagues."""
        for thread in threads:
            at = self.desks[thread.person].moment(day, Stream(thread.key, "inside"))
            if thread.side and thread.written is None and at is not None:
                thread.outsider, thread.side, thread.opener, thread.at = None, "", thread.person, at

    def _begin_elsewhere(self, unwritten: list[tuple[int, Thread]], left: Sequence[MailThread], side: str) -> None:
        """Let what is written and nobody's conversation would be begin in place of one that nothing is written for, with who fits."""
        bits = {thread.key: Stream(thread.key).bits() for _, thread in unwritten}
        for written in left:
            wish = Stream(self._life.seed, "begins", *(text for _, text in written.turns)).bits()
            able = self._parts.who_writes_most(
                [one.name for one in self._life.people if self._parts.is_work_of(one, written)], wish
            )
            pairs = [
                (name, other)
                for name in able
                for other in (self._dealt_with[name] if side else [None])
                if other is None or (other.deals == side and written.role in ("", other.role))
            ]
            if not pairs:
                continue
            unwritten.sort(key=lambda one: mixed(wish, bits[one[1].key]))
            place = next((place for place, one in enumerate(unwritten) if self._is_begun(*one, written, pairs)), None)
            if place is not None:
                unwritten.pop(place)

    def _is_begun(
        self, day: int, thread: Thread, written: MailThread, pairs: Sequence[tuple[str, Correspondent | None]]
    ) -> bool:
        """Give what is written to a day's conversation if one of these, with somebody outside or without, could hold it then."""
        for person, outsider in pairs:
            opener = person if outsider is None or written.ours else outsider.short
            at = self.desks[opener].moment(day, Stream(thread.key, opener))
            if at is None:
                continue
            side = outsider.deals if outsider is not None else ""
            begun = replace(thread, person=person, opener=opener, at=at, outsider=outsider, side=side)
            if self._parts.is_theirs(begun, written):
                thread.person, thread.opener, thread.at = person, opener, at
                thread.outsider, thread.side, thread.written = outsider, side, written
                return True
        return False

    def _own(self, person: Colleague, packs: Sequence[MailPack]) -> list[MailPack]:
        """What somebody writes about: their work, and what is anybody's where they do not lead the company."""
        return [
            pack
            for pack in packs
            if (not {*pack.by}.isdisjoint(person.does) if pack.by else not person.leads or pack.deals == SUPPORT)
        ]

    # -- who and about what -------------------------------------------------------------------------------------

    def _begun(self, day: int) -> Iterator[Thread]:
        volume = self._life.volumes.get("people", 0)
        if not volume or not self.sides.get("") or len(self._life.people) < 2:
            return
        share = ONE * _OPENED * _WEEKDAYS[(day + 3) % 7] * volume // 100_000_000
        for person in self._life.people:
            slots = Stream(self._life.seed, "mails", day, person.name)
            own = share * self._parts.writes[person.name] // ONE // _SLOTS
            for slot in range(_SLOTS):
                if slots.below(ONE) < own:
                    thread = self._thread(f"mail/{day}/{person.name}.{slot}", day, person.name)
                    if thread is not None:
                        yield thread

    def _thread(self, key: str, day: int, person: str) -> Thread | None:
        stream = Stream(self._life.seed, key)
        dealt_with = self._dealt_with[person]
        outsider = stream.choice(dealt_with) if dealt_with and stream.chance(_OUTSIDE) else None
        opener = outsider.short if outsider is not None and stream.chance(_OUTSIDER_OPENS) else person
        at = self.desks[opener].moment(day, stream)
        if at is None:
            return None
        return Thread(
            key,
            stream,
            person,
            opener,
            outsider,
            at,
            at_points(_LENGTH, stream.below(ONE)),
            side=outsider.deals if outsider is not None else "",
        )

    def deal(self, threads: Sequence[Thread], day: int, first: int, last: int) -> None:
        """Give the day's share of what is used once to its conversations: those written whole, and texts of a matter.

        Each goes to the nearest that can take it, so that one conversation more changes few others.
        """
        if (day + 3) % 7 >= 5:
            return
        place, days = _workdays(first, day), max(_workdays(first, last), 1)
        self._deal_written([one for one in threads if one.side == SUPPORT], SUPPORT, range(place, place + 1), days)
        for side in dict.fromkeys(thread.side for thread in threads):
            passages = self._passages.get(side, [])
            own = [(Stream(one.key).bits(), one) for one in threads if one.side == side and one.written is None]
            key, size = Stream(self._life.seed, "passages", side).bits(), len(passages)
            for number in range(size * place // days, min(size * (place + 1) // days, size)):
                card = permuted(number, size, key)
                pack, act, text = passages[card]
                able = [
                    (mixed(bits, card + 1), thread.key, thread)
                    for bits, thread in own
                    if thread.pack in (None, pack)
                    and (side == SUPPORT or any(pack is own for own in self._packs[thread.person, side]))
                    and act not in thread.cards
                    and self._life.is_free(text)
                ]
                if able:
                    thread = min(able, key=lambda one: one[:2])[2]
                    thread.pack = pack
                    thread.cards[act] = [text]

    def _deal_written(self, threads: Sequence[Thread], side: str, workdays: range, days: int) -> list[MailThread]:
        """Give what some of the workdays have of the conversations written whole to those that would be about as long.

        Returns:
            Those that none of them could be, the longest first.
        """
        found = self._written.get(side, ())
        key, size = Stream(self._life.seed, "threads", side).bits(), len(found)
        part = range(size * workdays.start // days, size * workdays.stop // days)
        cards = [permuted(number, size, key) for number in part]
        # those that go on elsewhere are rarer, and so are mails of the length that every fifth one has in a company
        cards.sort(key=lambda card: (not found[card].chat, not _is_long(found[card])))
        for times in _TIMES:
            left: list[int] = []
            for card in cards:
                written = found[card]
                able = [
                    (abs(thread.length - len(written.mails)), mixed(Stream(thread.key).bits(), card + 1), thread.key, thread)
                    for thread in threads
                    if thread.written is None
                    and self._parts.is_theirs(thread, written)
                    and (thread.outsider is None or written.role in ("", thread.outsider.role))
                    and (thread.outsider is None or (thread.opener == thread.person) == written.ours)
                    and max(thread.length, len(written.mails)) <= times * min(thread.length, len(written.mails)) + 1
                ]  # fmt: skip
                if able:
                    min(able, key=lambda one: one[:3])[3].written = written
                else:
                    left.append(card)
            cards = sorted(left, key=lambda card: (not _is_long(found[card]), -len(found[card].mails)))
        return [found[card] for card in cards]

    # -- what comes of it ---------------------------------------------------------------------------------------

    def _course(self, thread: Thread, dealer: Dealer) -> list[MatterStep]:
        """The conversation where it is written whole, else one mail that nobody answers, and to whom it is passed on."""
        if thread.written is not None:
            return self._held(thread, thread.written, dealer)
        stream, packs = thread.stream, self._packs[thread.person, thread.side]
        if not packs:
            return []
        pack = thread.pack or stream.weighted(packs, [one.weight for one in packs])
        to, cc = self._parts.recipients(thread)
        if not to:
            return []
        matter = self.text.about(
            thread.key, pack, thread.cards, dealer, thread.outsider, (thread.opener, *to, *cc), thread.at
        )
        sent = self.text.first(matter, thread.opener, to, cc, thread.at)
        return [mail_step(sent, self._app), *self._passed_on(thread, matter, sent)]

    def _held(self, thread: Thread, written: MailThread, dealer: Dealer) -> list[MatterStep]:
        """A conversation that is written whole: who has which part in it, and when each answers."""
        parts, to, cc = self._parts.addressed(thread, written)
        cast = dict(zip(written.letters, parts, strict=False))
        if not to or len(cast) < len(written.letters):
            return []
        pack = self.sides[thread.side][0]
        people = tuple(dict.fromkeys((thread.opener, *to, *cc, *parts)))
        matter = self.text.about(thread.key, pack, {}, dealer, thread.outsider, people, thread.at)
        matter.written, matter.cast = written, cast
        sent = [self.text.first(matter, thread.opener, to, cc, thread.at)]
        for number, (letter, _) in enumerate(written.turns[1:], start=2):
            who = cast[letter]
            before = next((one for one in reversed(sent) if one.who != who), sent[-1])
            at = self._answered_at(thread, who, before, sent, matter, number)
            if at is None:
                break
            waiting = frozenset(cast[later] for later, _ in written.turns[number:])
            answered, copied = self._answered(
                thread.stream, before, who, waiting.difference((who,), self._unheard(written, cast, number))
            )
            if number == written.joins:
                copied = (*copied, cast["C"])
            if number == written.forwarded:
                answered, copied = (cast["C"],), (*answered, *copied)
            sent.append(
                self.text.answer(
                    matter,
                    who,
                    answered,
                    copied,
                    at,
                    "answer",
                    before,
                    number - 1,
                    is_passed_on=number == written.forwarded,
                )
            )
        named = {one.answers for one in sent}
        steps = [mail_step(one, self._app, is_named=one.key in named) for one in sent]
        return [*steps, *self._automatic(thread, sent, named)]

    @staticmethod
    def _unheard(written: MailThread, cast: Mapping[str, str], number: int) -> set[str]:
        """Who does not know of it yet when the mail of a number is written."""
        return {cast["C"]} if number <= written.comes_in else set()

    def _answered_at(
        self, thread: Thread, who: str, before: Sent, sent: Sequence[Sent], matter: Matter, number: int
    ) -> Instant | None:
        """When somebody comes to write the mail of a number, after what it waits for, else before what was announced; None where they do not."""
        assert matter.written is not None
        desk, stream, last = self.desks[who], thread.stream, sent[-1].at
        wanted = before.at + at_points(_WAIT, stream.below(ONE)) * MINUTE + stream.below(MINUTE)
        wrote, read = (len(matter.written.turns[place][1].split()) for place in (number - 1, number - 2))
        wanted = max(wanted, before.at + (_WRITTEN * wrote + read // _READ) * SECOND)
        later = matter.written.later.get(number)
        if later is not None:
            over = last + later * DAY if isinstance(later, int) else matter.times.over(later) or last
            return desk.back(max(wanted, over), stream)
        wanted = max(wanted, last + 20 * SECOND)
        until = matter.times.until(matter.written.turns[number - 1][1], last)
        at = desk.back(wanted, stream)
        if until is None or (at is not None and at < until):
            return at
        step = min(stream.between(3, 40) * MINUTE, (until - last) // 2)
        at = desk.back(last + step, stream) if step >= MINUTE else None
        return at if at is not None and at < until else None

    @staticmethod
    def _answered(
        stream: Stream, before: Sent, who: str, waiting: frozenset[str] = frozenset()
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Whom an answer is to, and who gets a copy: mostly everybody who got what it answers, and in any case who still writes."""
        to = (before.who,) if before.who != who else before.to
        many = len(before.to) + len(before.cc) >= _MANY
        if not stream.chance(_ALL_OF_MANY if many else _ALL):
            return (*to, *sorted(waiting.difference(to))), ()
        to = (*to, *(name for name in before.to if name not in (who, *to)))
        cc = tuple(name for name in before.cc if name not in (who, *to))
        return (*to, *sorted(waiting.difference(to, cc))), cc

    def _passed_on(self, thread: Thread, matter: Matter, sent: Sent) -> Iterator[MatterStep]:
        """Sometimes somebody who got it sends it on to somebody who did not."""
        stream = thread.stream
        known = {thread.opener, *sent.to, *sent.cc}
        passing = next((name for name in sent.to if name in self._parts.writes), "")
        if not passing or not stream.chance(_PASSED_ON):
            return
        new = next(
            (
                name
                for name in self._talks.acquaintances.circle(passing, stream.bits(), len(known) + 1)
                if name not in known
            ),
            "",
        )
        at = self.desks[passing].back(sent.at + at_points(_WAIT, stream.below(ONE)) * MINUTE, stream)
        if new and at is not None:
            yield mail_step(self.text.passed_on(matter, passing, new, at, sent), self._app)

    def _automatic(self, thread: Thread, sent: Sequence[Sent], answered: set[str]) -> Iterator[MatterStep]:
        """What the mail of those who are away says by itself, once a conversation; it hangs on mails that are named anyway."""
        if not self._life.volumes.get("machines", 0):
            return
        told = set[str]()
        for one in sent:
            for name in one.to:
                until = next((high for low, high in self._away.get(name, ()) if low <= one.at < high), None)
                if until is None or name in told or one.key not in answered or not self.text.answers_away(name):
                    continue
                told.add(name)
                at = one.at + Stream(one.key, name).between(4 * SECOND, 50 * SECOND)
                yield mail_step(self.text.automatic(one, name, at, until), self._app)


def mail_step(one: Sent, via: str, *, is_named: bool = False, is_heard: bool = False) -> MatterStep:
    """A mail as an act of whoever sends it."""
    details: JsonObject = {}
    if one.answers:
        details["thread"] = one.answers
    if one.cc:
        details["cc"] = [*one.cc]
    if one.files:
        details["attachments"] = [*one.files]
    intent = Intent("tell", one.key, one.who, to=one.to, via=via, subject=one.subject, text=one.text, details=details)
    return MatterStep(one.at, intent, one.answers, is_named, is_heard)


def _by_side(life: Life) -> dict[str, tuple[MailThread, ...]]:
    """The conversations written whole by side; customers' go by turns to those who look after them and to support."""
    of_customers = life.mail_threads.get("customer", ())
    asked = (*life.mail_threads.get(SUPPORT, ()), *(one for one in of_customers[1::2] if not one.ours))
    kept = (*of_customers[::2], *(one for one in of_customers[1::2] if one.ours))
    return {**life.mail_threads, "customer": kept, SUPPORT: asked}


def _is_long(written: MailThread) -> bool:
    """Whether one of its mails has more than a hundred words."""
    return any(len(text.split()) > _LONG for _, text in written.turns)


def _workdays(first: int, day: int) -> int:
    """Mondays to Fridays from `first` to before `day`."""
    return sum((one + 3) % 7 < 5 for one in range(first, day))
