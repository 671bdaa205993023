"""Pull requests of everyday life: each is a walk from a branch to its merge that ends every wait at a desk.

Which lines a walk changes is dealt by day, so that two that are open at once hardly ever want the same one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from brownout.background.code_bases import CodeBase, CodeLine, Lines, WrittenChange, WrittenEntry, slug
from brownout.background.desk_hours import Desk, day_of, day_start
from brownout.background.integer_math import ONE, at_rank, mixed
from brownout.background.landed_changes import Landed
from brownout.background.life_sources import Colleague, Life
from brownout.background.matter_steps import MatterStep
from brownout.background.packs import SLOT, TicketCase
from brownout.background.remarks import WeekOfRemarks
from brownout.background.said_when import conditional, fitting
from brownout.background.sentences import capitalized
from brownout.background.voices import typed, voices_of
from brownout.background.written import Turn, turns_of, varied
from brownout.core.apps import Intent, IntentKind
from brownout.core.instants import HOUR, MINUTE, SECOND, Instant
from brownout.core.seeds import Stream
from brownout.core.values import Json, JsonObject

__all__ = ["AskingTicket", "DealtLines", "Outcome", "PullPlan", "Pulls"]

_REVIEW: Final = (3, 8, 16, 30, 60, 110, 230, 480, 1_000, 2_600, 8_000)
_MERGE: Final = (1, 2, 4, 7, 12, 20, 60, 180, 500, 1_200, 4_000)
_MEND: Final = (4, 8, 14, 22, 35, 60, 110, 200, 420, 1_000, 2_400)
_ANSWER: Final = (3, 10, 20, 40, 75, 130, 240, 420, 800, 1_500, 3_200)
_LEFT: Final = (300, 900, 1_800, 3_000, 4_300, 6_000, 8_000, 11_000, 15_000, 20_000, 30_000)
"""Minutes, quantiles by tenths: until somebody looks, until it is merged, until a red check is mended, until a reviewer is
answered, until one is given up. The first two as in spec work (measured), the others without a source."""
_LINE_COMMENTS: Final = (0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16)
_RED, _FLAKY, _CHANGES, _CHANGES_AGAIN, _GIVEN_UP, _OWN_MERGE = 18, 25, 24, 18, 9, 6
"""Percent. Changes requested as measured, with those that come to no review allowed for; the others without a source."""
_EMPTY, _NAMES_TICKET, _TWO_LINES, _SECOND_REVIEWER, _TALKED = 6, 92, 32, 14, 16
_TICKETS_TITLE, _SAYS_HOW = 40, 45
"""Percent of changes that are called as their ticket is, and that say more than its name. Without a source."""
_ELSEWHERE: Final = 4
"""Other places that a change is made in at most."""
_BODY: Final = 45
"""Percent of merges whose commit keeps the description. Without a source."""
_ALONE: Final = 105
"""Changes without a ticket that a head begins on a weekday, of 1,000."""
_WEEKDAYS: Final = (108, 110, 106, 98, 78, 4, 4)
_EARLY: Final = 6 * HOUR
_COMPANY: Final = ""
"""Who has said what is said once in a company."""
_REMARKS: Final = 3
"""Line comments of a review at most where an entry's own are made."""
_IN_SHORT: Final = ("Please see the comments.", "See above, please.", "See my remarks.")
"""What a reviewer says who asks for changes in remarks alone."""
_TO_WEEKEND: Final = 5
_WHYS: Final = 8
"""How often a company says a reason for a change at most."""
_TRIES: Final = 6
_TO_CHOOSE: Final = 2
"""Values that a line must have left: one to open with, another for a push."""


@dataclass(frozen=True, slots=True)
class AskingTicket:
    """What asks for a change: the key of the step that opened it, what it is called, and who may look at the change."""

    key: str
    title: str
    team: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PullPlan:
    """A change that somebody will make: of which lines, to what.

    Attributes:
        words: what texts about it may say: `key`, `value`, `old`, `note`, `group`, `place`, `file`, `move`.
        values: what each line may come to say, in turn: first what is opened, then by push; nothing that it says before the change lands.
        remarks: what its week has to say of changes.
        landed: where its week notes what the lines say once it is merged.
        ticket: the one that asks for it, as it is written.
        change: what it is where no ticket asks for it and it is written whole.
    """

    key: str
    base: CodeBase
    place: str
    lines: tuple[CodeLine, ...]
    values: tuple[tuple[str, ...], ...]
    words: Mapping[str, str]
    remarks: WeekOfRemarks
    landed: Landed
    ticket: TicketCase | None = None
    change: WrittenChange | None = None

    def value(self, number: int, pushes: int) -> str:
        """What the line of that number says after as many pushes, which change the first line and those of the same entry."""
        values = self.values[number]
        return values[pushes % len(values)] if self.is_pushed(number) else values[0]

    def can_push(self, pushes: int) -> bool:
        """Whether there is one more value to push after as many pushes."""
        return pushes + 1 < len(self.values[0])

    def is_pushed(self, number: int) -> bool:
        """Whether the line of that number changes again with a push."""
        return self.lines[number].entry.name == self.lines[0].entry.name

    @property
    def written(self) -> WrittenEntry | None:
        """Its entry, where that is written whole."""
        return self.base.pack.written.get(self.lines[0].entry.name)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a change.

    Attributes:
        at: when it was merged, given up, or nobody did anything about it any more.
        opened, merged: keys of those steps; empty where it was not.
    """

    steps: tuple[MatterStep, ...]
    at: Instant
    opened: str
    merged: str = ""


@dataclass(slots=True)
class DealtLines:
    """Which lines the changes of one day were given, what its week has to say of changes, and what lines came to say before."""

    turn: int
    start: Instant
    remarks: WeekOfRemarks
    landed: Landed
    given: set[tuple[str, str]] = field(default_factory=set)


@dataclass(slots=True)
class _PullWalk:
    """A change on its way.

    Attributes:
        marks: what is true of it, for the conditions of texts: the entry, its group, of a version `major`, `minor` or `patch`, `waiting` or `approved`.
    """

    plan: PullPlan
    stream: Stream
    author: str
    at: Instant
    words: dict[str, str]
    ticket: AskingTicket | None
    marks: set[str] = field(default_factory=set)
    branch: str = ""
    steps: list[MatterStep] = field(default_factory=list)
    pushes: int = 0
    used: set[str] = field(default_factory=set)


class Pulls:
    """All changes of a company's code bases of everyday life."""

    def __init__(self, life: Life, desks: Mapping[str, Desk]) -> None:
        self._life, self._desks = life, desks
        self._people: dict[str, Colleague] = {person.name: person for person in life.people}
        self._voices = voices_of(life)
        self._bases = [(base, Lines(life.seed, base, life.taken)) for base in life.code]
        self._places: dict[tuple[str, str], tuple[str, ...]] = {}
        self._first, last = (day_of(at, life.zone) for at in life.calendar)
        self._days = last - self._first

    def deal(self, day: int, remarks: WeekOfRemarks, landed: Landed) -> DealtLines:
        """What a day may give."""
        return DealtLines(day - self._first, day_start(day, self._life.zone), remarks, landed)

    def planned(self, deal: DealtLines, key: str, people: Sequence[str]) -> PullPlan | None:
        """The change that a ticket of that key asks for, to a code base that one of the people works on.

        None where the day has none left that a ticket is written for.
        """
        stream = Stream(self._life.seed, key, "change")
        able = [pair for pair in self._bases if pair[0].pack.on_tickets and not {*people}.isdisjoint(pair[0].reviewers)]
        while able:
            base, lines = able.pop(stream.weighted(range(len(able)), [one.pack.on_tickets for one, _ in able]))
            for place in stream.shuffled(base.places):
                for turn in self._turns(deal):
                    for line in self._pair(turn, lines, place):
                        ticket = self._ticket(base, lines, place, line, turn)
                        if ticket is not None and _values(base, line, deal):
                            return self._plan(deal, f"{key}/change", base, lines, place, (line, ticket))
        return None

    def _turns(self, deal: DealtLines) -> tuple[int, ...]:
        """A day, and on the first two of a week one of its weekend's, which would hardly be used."""
        weekday = (deal.turn + self._first + 3) % 7
        return (deal.turn, deal.turn + _TO_WEEKEND) if weekday < 7 - _TO_WEEKEND else (deal.turn,)

    @staticmethod
    def _pair(turn: int, lines: Lines, place: str) -> tuple[CodeLine, ...]:
        """The two entries of a place whose turn it is on a day of the calendar."""
        every = lines.of(place)
        half = _half(every)
        return every[turn % half :: half][:2] if half else ()

    def _ticket(self, base: CodeBase, lines: Lines, place: str, line: CodeLine, turn: int) -> TicketCase | None:
        """The ticket that is written for a change of an entry in a place on a day; an entry's are spread over places and the calendar."""
        written = base.pack.written.get(line.entry.name)
        if written is None or not written.tickets:
            return None
        having, half = self._having(base, lines, line.entry.name), _half(lines.of(place))
        turns = max(self._days // half, 1)
        first = Stream(self._life.seed, "tickets", base.name, line.entry.name).bits()
        for number, ticket in enumerate(written.tickets):
            own = mixed(first, number)
            if having[(first + number) % len(having)] == place and own % turns == turn // half:
                return ticket
        return None

    def _having(self, base: CodeBase, lines: Lines, entry: str) -> tuple[str, ...]:
        """The places that have an entry."""
        found = self._places.get((base.name, entry))
        if found is None:
            found = self._places[base.name, entry] = tuple(
                one for one in base.places if any(line.entry.name == entry for line in lines.of(one))
            )
        return found

    def made(self, plan: PullPlan, ticket: AskingTicket, author: str, at: Instant) -> Outcome:
        """What becomes of a change that a ticket asks for, from when somebody begins it."""
        return self._walked(self._begin(plan, author, at, ticket))

    def begun(self, day: int, deal: DealtLines) -> Iterator[tuple[MatterStep, ...]]:
        """The steps of each change that begins on a day without a ticket."""
        volume = self._life.volumes.get("work", 0)
        if not volume or not self._bases:
            return
        share = ONE * _ALONE * _WEEKDAYS[(day + 3) % 7] * volume // 100_000_000
        weights = [base.pack.weight for base, _ in self._bases]
        for person in self._life.people:
            slots = Stream(self._life.seed, "changes", day, person.name)
            for slot in range(2):
                if slots.below(ONE) >= share // 2:
                    continue
                key = f"change/{day}/{person.name}.{slot}"
                stream = Stream(self._life.seed, key)
                base, lines = stream.weighted(self._bases, weights)
                author, at = self._beginning(base, day, person.name, stream)
                plan = self._unasked(deal, key, base, lines, stream) if author and at is not None else None
                if plan is not None and at is not None:
                    yield self._walked(self._begin(plan, author, at, None)).steps

    def _beginning(self, base: CodeBase, day: int, person: str, stream: Stream) -> tuple[str, Instant | None]:
        """Who makes a change of themselves, and when: a machine early in the morning, somebody who knows the code base."""
        if base.pack.by == "bot":
            at = self._desks[person].moment(day, stream)
            return self._life.bots.get("pins", ""), None if at is None else at - at % (
                24 * HOUR
            ) + _EARLY + stream.below(HOUR)
        author = person if person in base.reviewers else stream.choice(base.reviewers)
        return author, self._desks[author].moment(day, stream)

    # -- one walk -----------------------------------------------------------------------------------------

    def _unasked(self, deal: DealtLines, key: str, base: CodeBase, lines: Lines, stream: Stream) -> PullPlan | None:
        """A change that no ticket asks for: one that is written whole, where the code base has such; None where none is left for the day."""
        places = stream.shuffled(base.places)
        if not base.pack.written:
            return self._plan(deal, key, base, lines, places[0])
        for place in places:
            for line in self._pair(deal.turn, lines, place):
                written = base.pack.written.get(line.entry.name)
                for change in stream.shuffled(written.changes) if written is not None else ():
                    if deal.landed.have_talked((_COMPANY,), change.title) or not self._is_free(change):
                        continue
                    now = deal.landed.said(base, line, deal.start)[0]
                    values = _stepped(written, change.moves, now, _values(base, line, deal), stream) if written else ()
                    if len(values) >= _TO_CHOOSE:
                        deal.landed.talk((_COMPANY,), change.title)
                        also = [*self._elsewhere(lines, place, line, values, deal, stream)] if change.everywhere else []
                        return self._planned(deal, key, base, place, [(line, values), *also], change=change)
        return None

    def _is_free(self, change: WrittenChange) -> bool:
        """Whether a change states no fact of a storyline."""
        return self._life.is_free(f"{change.title} {change.text} {change.says}")

    def _plan(
        self, deal: DealtLines, key: str, base: CodeBase, lines: Lines, place: str,
        asked: tuple[CodeLine, TicketCase] | None = None,
    ) -> PullPlan | None:  # fmt: skip
        """A change of what a place has for the day, or of the line that a ticket asks for."""
        stream = Stream(self._life.seed, key, "lines")
        pair = self._pair(deal.turn, lines, place) if asked is None else (asked[0],)
        able = [(line, values) for line in pair if (values := _values(base, line, deal))]
        written = base.pack.written.get(pair[0].entry.name) if pair else None
        if asked is not None and able and written is not None:
            now = deal.landed.said(base, pair[0], deal.start)[0]
            able = [(pair[0], _stepped(written, "", now, able[0][1], stream))]
        taken = able[: 2 if base.pack.by == "people" and stream.chance(_TWO_LINES) else 1]
        return self._planned(deal, key, base, place, taken, ticket=asked[1] if asked else None) if taken else None

    def _planned(
        self, deal: DealtLines, key: str, base: CodeBase, place: str, taken: Sequence[tuple[CodeLine, tuple[str, ...]]],
        *, ticket: TicketCase | None = None, change: WrittenChange | None = None,
    ) -> PullPlan:  # fmt: skip
        """A change of lines to values, which the day now has given."""
        first, values = taken[0]
        deal.given.update((line.path, line.beginning) for line, _ in taken)
        words = {
            "key": first.entry.name, "value": values[0], "old": deal.landed.said(base, first, deal.start)[0], "place": place,
            "note": first.entry.note, "group": base.pack.called.get(first.group, first.group), "file": first.path,
        }  # fmt: skip
        return PullPlan(
            key, base, place, tuple(line for line, _ in taken), tuple(values for _, values in taken),
            words, deal.remarks, deal.landed, ticket, change,
        )  # fmt: skip

    def _begin(self, plan: PullPlan, author: str, at: Instant, ticket: AskingTicket | None) -> _PullWalk:
        words = {**plan.words, "ticket": f"[[{ticket.key}]]" if ticket else ""}
        walk = _PullWalk(plan, Stream(self._life.seed, plan.key, "walk"), author, at, words, ticket, _marks(plan))
        walk.branch = self._branch(walk)
        return walk

    def _elsewhere(
        self, lines: Lines, place: str, line: CodeLine, values: tuple[str, ...], deal: DealtLines, stream: Stream
    ) -> Iterator[tuple[CodeLine, tuple[str, ...]]]:
        """The same entry in some other places, which may come to say the same."""
        others = [one for one in self._having(lines.base, lines, line.entry.name) if one != place]
        for other in stream.shuffled(others)[: stream.between(1, _ELSEWHERE)]:
            same = next(one for one in lines.of(other) if one.entry.name == line.entry.name)
            if {*values[:_TO_CHOOSE]} <= {*_values(lines.base, same, deal)}:
                yield same, values[:_TO_CHOOSE]

    def _walked(self, walk: _PullWalk) -> Outcome:
        opened = f"{walk.plan.key}/opened"
        reviewers = self._reviewers(walk)
        is_red = walk.stream.chance(_RED)
        self._open(walk, reviewers[:1], is_red=is_red)
        if is_red and not self._make_green(walk):
            return Outcome(tuple(walk.steps), walk.at, opened)
        if walk.stream.chance(_GIVEN_UP):
            self._give_up(walk, reviewers)
            return Outcome(tuple(walk.steps), walk.at, opened)
        merger = walk.author if walk.author in self._people else (reviewers[0] if reviewers else "")
        talks = walk.stream.chance(_TALKED) and walk.author in self._people and bool(reviewers)
        if talks and walk.stream.chance(50) and self._later(walk, walk.author, _MEND):
            self._comment(walk, walk.author, walk.plan.base.pack.comments, other=reviewers[0])
            talks = False
        if not (walk.stream.chance(_OWN_MERGE) and walk.author in self._people) and not self._reviewed(walk, reviewers):
            return Outcome(tuple(walk.steps), walk.at, opened)
        walk.marks = walk.marks - {"waiting"} | {"approved"}
        if talks and self._later(walk, walk.author, _MERGE):
            self._comment(walk, walk.author, walk.plan.base.pack.comments, other=reviewers[0])
        if not merger or not self._later(walk, merger, _MERGE):
            return Outcome(tuple(walk.steps), walk.at, opened)
        opening = walk.steps[0].intent
        body = opening.text.partition("\n\n")[0] if walk.stream.chance(_BODY) else ""
        self._act(walk, "merge", merger, name="merged", details={"method": "squash", "title": f"{opening.subject} (#[[{opened}]])",
                  "message": body, "delete_branch": True}, is_named=True)  # fmt: skip
        for number, line in enumerate(walk.plan.lines):
            walk.plan.landed.add(walk.plan.base, line, walk.at, walk.plan.value(number, walk.pushes))
        return Outcome(tuple(walk.steps), walk.at, opened, f"{walk.plan.key}/merged")

    def _open(self, walk: _PullWalk, asked: Sequence[str], *, is_red: bool) -> None:
        stream, pack = walk.stream, walk.plan.base.pack
        title, body, message = self._called(walk)
        style = Stream(self._life.seed, "style", walk.author).below(3)
        ticket = walk.words["ticket"]
        if ticket and stream.chance(_NAMES_TICKET):
            title = (title, f"{ticket}: {title}", f"[{ticket}] {title}")[style]
        if ticket and pack.refers and (ticket not in title or stream.chance(45)):
            body = "\n\n".join(part for part in (body, self._said(walk, pack.refers)) if part)
        wanted = self._checks(walk)
        committed = walk.at - stream.between(40, 900) * SECOND
        bad = 1 + stream.below(2) if is_red else 0
        details: JsonObject = {
            "repo": walk.plan.base.full_name,
            "branch": walk.branch,
            "lines": self._changes(walk),
            "message": message,
            "reviewers": [*asked],
            "checks": {"passed": wanted - bad, "failed": bad},
            "committed": committed,
            "authored": committed - (stream.between(3, 55) * MINUTE if stream.chance(40) else 0),
        }
        self._act(walk, "open", walk.author, name="opened", subject=title, text=body, details=details, is_named=True)

    def _called(self, walk: _PullWalk) -> tuple[str, str, str]:
        """Title and description of a request, and what its commit says: as they are written where they are, else put together."""
        stream, pack, change, written = walk.stream, walk.plan.base.pack, walk.plan.change, walk.plan.written
        if change is not None:
            title, body, says = (self._filled(walk, part) for part in (change.title, change.text.strip(), change.says))
            return capitalized(title), body, says or self._said(walk, pack.commits)
        title = capitalized(self._said(walk, pack.titles))
        if written is not None:
            if walk.ticket and stream.chance(_TICKETS_TITLE):
                title = walk.ticket.title
            how = self._once(walk, written.how) if stream.chance(_SAYS_HOW) else ""
            return title, self._filled(walk, how), self._said(walk, pack.commits)
        why = "" if stream.chance(_EMPTY) else self._why(walk)
        parts = [why] if why else []
        for texts, share in ((pack.how, 55), (pack.checked, 40)):
            if parts and texts and stream.chance(share):
                parts.append(self._said(walk, texts))
        return title, " ".join(parts), self._said(walk, pack.commits)

    def _once(self, walk: _PullWalk, texts: Sequence[str]) -> str:
        """One of the texts that nobody of the company has said and that states no fact of a storyline; empty where none is left."""
        landed = walk.plan.landed
        left = [one for one in texts if self._life.is_free(one) and not landed.have_talked((_COMPANY,), one)]
        if not left:
            return ""
        chosen = walk.stream.choice(left)
        landed.talk((_COMPANY,), chosen)
        return chosen

    def _filled(self, walk: _PullWalk, text: str) -> str:
        return SLOT.sub(lambda found: self._slot(walk, found[1]), varied(text, walk.stream))

    def _why(self, walk: _PullWalk) -> str:
        """Why it is made, as so many of a company write it once each, nobody twice; a machine writes it each time."""
        why = walk.plan.base.pack.why
        if walk.author not in self._people:
            return self._said(walk, why)
        own, landed = Stream("why", walk.author).below(_WHYS), walk.plan.landed
        new = [one for one in fitting(why, walk.marks) if not landed.have_talked((walk.author,), one)]
        for turn in range(_WHYS):
            some, before = f"{walk.plan.base.name}/{(own + turn) % _WHYS}", {*walk.used}
            left = walk.plan.remarks.left(some, new)
            if said := self._said(walk, left, some) if left else "":
                for chosen in walk.used - before:
                    landed.talk((walk.author,), chosen)
                return said
        return ""

    def _checks(self, walk: _PullWalk) -> int:
        """How many checks a code base has that day: now and then there is one more."""
        name = walk.plan.base.full_name
        return (
            Stream(self._life.seed, "checks", name).between(24, 48)
            + (day_of(walk.at, self._life.zone) - self._first) // 11
        )

    def _make_green(self, walk: _PullWalk) -> bool:
        """See to a red check: run it again where nothing is wrong, else push what mends it."""
        who = walk.author if walk.author in self._people else next(iter(self._reviewers(walk)), "")
        walk.at += 3 * MINUTE
        if not who or not self._later(walk, who, _MEND):
            return False
        if walk.stream.chance(_FLAKY) or not walk.plan.can_push(walk.pushes):
            self._act(walk, "check", who, details={"checks": {"passed": self._checks(walk), "failed": 0}})
        else:
            self._push(walk, who, walk.plan.base.pack.mends, once=walk.plan.written.red if walk.plan.written else ())
        walk.at += 3 * MINUTE
        return True

    def _reviewed(self, walk: _PullWalk, reviewers: Sequence[str]) -> bool:
        """Let somebody look at it until they are content; False where nobody does."""
        pack, stream = walk.plan.base.pack, walk.stream
        reviewer = next((one for one in reviewers if self._later(walk, one, _REVIEW)), "")
        if not reviewer:
            return False
        comments = at_rank(_LINE_COMMENTS, stream.below(ONE)) if pack.by == "people" else stream.below(2)
        chance = _CHANGES if walk.author in self._people else 0  # a machine answers nobody
        while stream.chance(chance) and walk.plan.can_push(walk.pushes):
            request = turns_of(self._once(walk, walk.plan.written.requests)) if walk.plan.written else ()
            if walk.plan.written and not request:
                break  # there is nothing that they want
            remarks = self._remark(walk, reviewer, max(comments, 1))
            said = self._turn(walk, reviewer, request[0]) if request else self._spoken(walk, reviewer, pack.requests)
            if not said and not remarks:
                break
            said = said or self._turn(walk, reviewer, Turn("B", stream.choice(_IN_SHORT)))
            self._act(walk, "review", reviewer, text=said, details={"state": "changes"})
            if not self._later(walk, walk.author, _ANSWER):
                return False
            self._answer(walk, walk.author, reviewer, remarks)
            for turn in request[1:]:
                who = walk.author if turn.who == "A" else reviewer
                self._act(walk, "comment", who, text=self._turn(walk, who, turn))
            self._push(walk, walk.author, pack.fixes)
            if not self._later(walk, reviewer, _ANSWER):
                return False
            chance, comments = _CHANGES_AGAIN, comments // 2
        if comments and walk.pushes < 2:
            remarks = self._remark(walk, reviewer, comments)
            waits = walk.author in self._people and any(turns for _, turns in remarks)
            if len(remarks) > 1 and stream.chance(70) and (said := self._spoken(walk, reviewer, pack.noted)):
                self._act(walk, "review", reviewer, text=said, details={"state": "comment"})
            if waits:
                if not self._later(walk, walk.author, _ANSWER):
                    return False
                self._answer(walk, walk.author, reviewer, remarks)
                if not self._later(walk, reviewer, _ANSWER):
                    return False
        self._approve(walk, reviewer)
        if len(reviewers) > 1 and stream.chance(_SECOND_REVIEWER) and self._later(walk, reviewers[1], _ANSWER):
            self._approve(walk, reviewers[1])
        return True

    def _approve(self, walk: _PullWalk, who: str) -> None:
        text = self._spoken(walk, who, walk.plan.base.pack.approvals) if walk.stream.chance(55) else ""
        self._act(walk, "approve", who, text=text)

    def _remark(self, walk: _PullWalk, who: str, number: int) -> list[tuple[JsonObject, tuple[Turn, ...]]]:
        """Line comments, each a little after the other, with where they stand and what else is written there."""
        found: list[tuple[JsonObject, tuple[Turn, ...]]] = []
        written = walk.plan.written
        for _ in range(min(number, len(written.remarks) if written else len(walk.plan.base.pack.remarks), _REMARKS)):
            line = walk.plan.lines[0] if written else walk.stream.choice(walk.plan.lines)
            details: JsonObject = {"path": line.path, "line": line.number}
            if written is None:
                text, answer = self._asked(walk, who, walk.plan.base.pack.remarks)
                turns: tuple[Turn, ...] = (Turn("A", answer),) if answer else ()
            elif script := turns_of(self._once(walk, written.remarks)):
                text, turns = self._turn(walk, who, script[0]), script[1:]
            else:
                break
            if text:
                self._act(walk, "comment", who, text=text, details=details)
                found.append((details, turns))
        return found

    def _answer(
        self, walk: _PullWalk, who: str, reviewer: str, remarks: Sequence[tuple[JsonObject, tuple[Turn, ...]]]
    ) -> None:
        """What follows on line comments, where it stands."""
        for details, turns in remarks:
            for turn in turns:
                by = who if turn.who == "A" else reviewer
                self._act(walk, "comment", by, text=self._turn(walk, by, turn), details=details)

    def _turn(self, walk: _PullWalk, who: str, turn: Turn) -> str:
        said = typed(self._filled(walk, turn.text), self._voices[who], walk.stream, may_hedge=False, may_begin=False)
        return said.mended or said.text

    def _give_up(self, walk: _PullWalk, reviewers: Sequence[str]) -> None:
        who = walk.author if walk.author in self._people else next(iter(reviewers), "")
        if who and self._later(walk, who, _LEFT):
            self._comment(walk, who, walk.plan.base.pack.given_up)
            self._act(walk, "close", who)

    def _push(self, walk: _PullWalk, who: str, messages: Sequence[str], *, once: Sequence[str] = ()) -> None:
        """Push another value, with one of `once` where one is left, else one of the messages."""
        walk.pushes += 1
        walk.words["value"] = walk.plan.value(0, walk.pushes)
        details: JsonObject = {
            "repo": walk.plan.base.full_name,
            "branch": walk.branch,
            "lines": self._changes(walk),
            "message": self._filled(walk, self._once(walk, once)) or self._said(walk, messages),
            "checks": {"passed": self._checks(walk), "failed": 0},
        }
        self._act(walk, "push", who, details=details)

    def _comment(self, walk: _PullWalk, who: str, texts: Sequence[str], *, other: str = "") -> None:
        walk.words["other"] = other or next(name for name in (walk.author, *self._people) if name != who)
        if text := self._spoken(walk, who, texts):
            self._act(walk, "comment", who, text=text)

    def _act(
        self,
        walk: _PullWalk,
        kind: IntentKind,
        who: str,
        *,
        name: str = "",
        subject: str = "",
        text: str = "",
        details: JsonObject | None = None,
        is_named: bool = False,
    ) -> None:
        """One more act, at the desk of whoever does it; a push names no thing, for it would be called by its commit."""
        opened = f"{walk.plan.key}/opened"
        number = len(walk.steps)
        if number:
            walk.at += walk.stream.between(6 * SECOND, 4 * MINUTE)
            there = self._desks[who].back(walk.at, walk.stream)
            if there is None:
                return
            walk.at = there
        intent = Intent(
            kind, f"{walk.plan.key}/{name or number}", who, via=self._life.apps.get("keeps", ""), subject=subject, text=text,
            thing=opened if number and kind != "push" else "", details=details or {},
        )  # fmt: skip
        walk.steps.append(
            MatterStep(walk.at, intent, opened if number else (walk.ticket.key if walk.ticket else ""), is_named)
        )

    def _later(self, walk: _PullWalk, who: str, table: Sequence[int]) -> bool:
        """Go on to when somebody gets to it, at their desk; False where they do not come back to it."""
        there = self._desks[who].later(walk.at, table, walk.stream)
        if there is None:
            return False
        walk.at = there
        return True

    # -- what it says -------------------------------------------------------------------------------------

    def _reviewers(self, walk: _PullWalk) -> list[str]:
        """Who looks at it, the likeliest first: of the ticket's team and those who know the code base; a race."""
        bits = Stream(self._life.seed, walk.plan.key, "reviewers").bits()
        near = set(walk.ticket.team) if walk.ticket else set()

        def place(name: str) -> tuple[bool, int]:
            return name not in near, mixed(bits, Stream(name).bits())

        return sorted((name for name in walk.plan.base.reviewers if name != walk.author), key=place)[:3]

    def _branch(self, walk: _PullWalk) -> str:
        words = f"{slug(walk.plan.place)}-{walk.words['key'].replace('_', '-')}"
        if walk.plan.base.pack.by == "bot":
            return f"pins/{words}-{walk.words['value']}"
        style = Stream(self._life.seed, "branches", walk.author).below(3)
        return (f"{walk.author}/{words}", words, f"{('change', 'fix', 'chore')[walk.stream.below(3)]}/{words}")[style]

    def _changes(self, walk: _PullWalk) -> Json:
        changes: dict[str, list[Json]] = {}
        for number, line in enumerate(walk.plan.lines):
            if walk.pushes and not walk.plan.is_pushed(number):
                continue
            value = walk.plan.value(number, walk.pushes)
            changes.setdefault(line.path, []).append([line.beginning, line.with_value(value)])
        return {path: [*made] for path, made in changes.items()}

    def _spoken(self, walk: _PullWalk, who: str, texts: Sequence[str]) -> str:
        """One of the texts as somebody says it; empty where they have said all of them."""
        return self._asked(walk, who, texts)[0]

    def _asked(self, walk: _PullWalk, who: str, texts: Sequence[str]) -> tuple[str, str]:
        """One of the texts as somebody says it, with what it is answered with, unfilled; empty where they have said all of them."""
        author, landed = (walk.author,), walk.plan.landed
        new = [one for one in fitting(texts, walk.marks) if not landed.have_talked(author, conditional(one).answer)]
        left = walk.plan.remarks.left(who, new)
        text, answer = self._drawn(walk, left, who) if left else ("", "")
        if answer:
            landed.talk(author, answer)
        return (self._turn(walk, who, Turn("", text)) if text else ""), answer

    def _said(self, walk: _PullWalk, texts: Sequence[str], who: str = "") -> str:
        """One of the texts, filled; see `_drawn`."""
        return self._drawn(walk, texts, who)[0]

    def _drawn(self, walk: _PullWalk, texts: Sequence[str], who: str) -> tuple[str, str]:
        """One of the texts that fit, filled, and what it is answered with.

        None twice in a walk as long as there are others, none with an author's fact in it.

        Args:
            who: says it as a remark; nobody where it is a title or a commit's message.
        """
        text = ""
        texts = [one for one in fitting(texts, walk.marks) if walk.ticket or "{ticket}" not in one]
        for _ in range(_TRIES if texts else 0):
            chosen = walk.stream.choice(texts)
            read = conditional(chosen)
            text = SLOT.sub(lambda found: self._slot(walk, found[1]), read.text)
            if chosen not in walk.used and self._life.is_free(f"{text} {read.answer}"):
                walk.used.add(chosen)
                walk.plan.remarks.say(who, chosen)
                return text, read.answer
        return ("" if who else text), ""

    def _slot(self, walk: _PullWalk, slot: str) -> str:
        if slot == "n":
            return next(str(one) for one in walk.stream.shuffled(range(2, 41)) if self._life.is_free(str(one)))
        if slot not in walk.words:
            own = {walk.author, *self._reviewers(walk)}
            others = [self._people[name].full.split()[0] for name in walk.plan.base.reviewers if name not in own]
            walk.words[slot] = walk.stream.choice(others or ["somebody"]) if slot == "person" else slot
        return walk.words[slot]


def _values(base: CodeBase, line: CodeLine, deal: DealtLines) -> tuple[str, ...]:
    """What a change of a day may make of a line, in turn: nothing that the line says by the time it lands.

    Empty where the day has given the line already, or too few values are left for a push to be another one.
    """
    if (line.path, line.beginning) in deal.given:
        return ()
    said = deal.landed.said(base, line, deal.start)
    if base.pack.order == "up":
        left = line.values[1 + max(map(line.values.index, said)) :]
    else:
        begin = line.values.index(said[0])
        left = tuple(one for one in line.values[begin:] + line.values[:begin] if one not in said)
    if len(left) < _TO_CHOOSE:
        return ()
    return left[1::-1] if base.pack.by == "bot" else left


def _half(lines: Sequence[CodeLine]) -> int:
    """How many days it takes until all lines of a place had their turn, two a day."""
    return (len(lines) + 1) // 2


def _stepped(entry: WrittenEntry, moves: str, now: str, values: Sequence[str], stream: Stream) -> tuple[str, ...]:
    """What a change may make of an entry that says something now, in turn: the second next value, then the next, for who is asked for less.

    Args:
        moves: which way, `raise` or `lower`; either where it is empty. Values of an entry that no change moves one way are taken as they come.
        values: that there are to choose from; nothing comes back where none is on that way.
    """
    if not any(change.moves for change in entry.changes):
        return (*values,)
    place = {value: number for number, value in enumerate(entry.values)}
    ways = [
        [one for one in entry.values if one in values and place[one] > place[now]],
        [one for one in reversed(entry.values) if one in values and place[one] < place[now]],
    ]
    able = [way for way, name in zip(ways, ("raise", "lower"), strict=True) if way and moves in ("", name)]
    able = [way for way in able if len(way) >= _TO_CHOOSE] or able
    return (*reversed(stream.choice(able)[:_TO_CHOOSE]),) if able else ()


def _marks(plan: PullPlan) -> set[str]:
    """What is true of a change, as the conditions of texts name it."""
    first = plan.lines[0]
    update = _update(plan.words["old"], plan.words["value"]) if plan.base.pack.by == "bot" else ""
    return {first.entry.name, first.group, "waiting", update} - {""}


def _update(old: str, new: str) -> str:
    """Which part of a version changes: `minor` from 2.9.0 to 2.10.1."""
    parts = zip(old.split("."), new.split("."), strict=False)
    return next((name for name, (one, other) in zip(("major", "minor"), parts, strict=False) if one != other), "patch")
