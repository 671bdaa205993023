"""Tickets that no storyline tells of: each is a matter, a walk through a small state machine that ends every wait at a desk."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from brownout.background.code_bases import slug
from brownout.background.dealer import Dealer, monday_of
from brownout.background.desk_hours import Desk, day_of
from brownout.background.integer_math import ONE
from brownout.background.landed_changes import Landed
from brownout.background.life_sources import Colleague, Life, Project
from brownout.background.matter_steps import MatterStep
from brownout.background.named_times import NamedTimes
from brownout.background.packs import SLOT, Course, Symptom, TicketCase, TicketExchange, TicketType, WorkPack
from brownout.background.pulls import AskingTicket, DealtLines, Outcome, PullPlan, Pulls
from brownout.background.remarks import Remarks
from brownout.background.said_times import TIME_SLOTS
from brownout.background.sentences import has_code
from brownout.background.used_once import Spent, UsedOnce, WeekOfTexts
from brownout.background.voices import typed, voices_of
from brownout.background.written import Turn, drawn_slot, speakers, turns_of, varied
from brownout.core.apps import Intent, IntentKind
from brownout.core.instants import DAY, MINUTE, SECOND, Duration, Instant
from brownout.core.seeds import Stream
from brownout.core.values import JsonObject

__all__ = ["MatterStep", "Work"]

_OPENED: Final = 285
"""Tickets that a head opens on a weekday, of 1,000: 1,400 for 41 people in 120 days."""
_WEEKDAYS: Final = (110, 108, 104, 98, 80, 3, 3)
_FIRST_LOOK: Final = (4, 25, 70, 150, 300, 560, 1_200, 2_300, 5_600)
_PICK_UP: Final = (20, 120, 420, 1_100, 2_400, 5_200, 11_000, 22_000, 43_000)
_AT_WORK: Final = (15, 60, 140, 300, 700, 1_500, 2_900, 4_600, 9_000)
_REMARK: Final = (5, 30, 90, 240, 600, 1_300, 2_400, 4_800, 9_000)
"""Minutes, quantiles: until somebody looks at it, takes it up, is done with it; between two comments. Shape measured."""
_DOUBLED: Final = (10, 30, 80, 200, 500, 1_000, 2_000, 3_500, 6_000)
"""Minutes, quantiles: until somebody reports the same once more. Without a source."""
_TOLD: Final = (1, 2, 4, 8, 15, 40, 140, 500, 1_800)
_REMEMBERED: Final = (7_000, 11_000, 15_000, 19_000, 24_000, 30_000, 36_000, 44_000, 60_000)
"""Minutes, quantiles: until a ticket is moved after its change was, or what was waited for is told; where it was forgotten. Without a source."""
_MOVED, _MOVED_BACK = 80, 55
"""Percent of changes whose ticket goes to review, and back when changes are asked for. Without a source."""
_TEMPO: Final = (3, 8, 40, 90, 100, 110, 130, 160)
"""Percent of these waits that those of one ticket take, all alike likely: some are done while everybody is at it. Without a source."""
_TRIES: Final = 6
_LABELLED: Final = 74
"""Percent of tickets with a label. Without a source."""
_EVERYBODYS: Final = "general"
"""The pack of tickets for what is nobody's own work."""
_FRESH: Final = ("n", "minutes")
"""Slots that, as times are, are drawn anew where what is said was not written with the ticket."""
_TYPED: Final = 2
"""Seconds that a word of a comment takes at least after what it answers, and a minute to read that."""
_LEAST_WORK: Final = 10 * MINUTE
_MARGIN: Final = 4 * MINUTE
_EARLY: Final = 40
"""Percent of the time that is left before what was announced in which somebody does what would have come too late: without a source."""
_ASKED, _BLOCKED, _HANDED, _FIXED, _ENDED = 55, 22, 8, 30, 75
"""Percent of the tickets that are put together: asked about, held up, handed over; of those that are done, tried by others, else
closed with a word. Without a source."""
_BEGUN: Final = 60
"""Percent of the tickets that come to nothing which somebody begins. Without a source."""
_WEEKS_KEPT: Final = 14
_DROPPED, _WONT_DO, _REOPENED, _FORGOTTEN, _TWINS, _AGAIN = 10, 9, 13, 9, 88, 92
"""Percent: nobody looks at it, it is not done, it comes back, it stays In Progress though it is done; of those that are written so,
it is reported twice or comes back. All without a source."""


@dataclass(frozen=True, slots=True)
class _Dealt:
    """What matters share: the lines that the changes of their day were given, and what their week has that is written whole."""

    lines: DealtLines
    cases: WeekOfTexts[TicketCase]
    exchanges: WeekOfTexts[TicketExchange]
    spent: Spent


@dataclass(slots=True)
class _Matter:
    """A walk in progress: the same facts word every step.

    Attributes:
        case: the ticket where it is written whole.
        plan: the change that it asks for.
        deal: what its day and week have for it; None where it comes of a customer's question.
        type: Bug, Task or Story.
        ends: what may be said when it is done.
        times: the times that it names.
        commented: how many comments of what is written with it have been made.
        tempo: percent of the usual waits that its own take; 0 before it is drawn.
        parts: who has which part in what is written: `A`, `R`, `O`.
    """

    key: str
    stream: Stream
    project: Project
    pack: WorkPack
    bound: dict[str, str]
    reporter: str
    steps: list[MatterStep]
    at: Instant
    times: NamedTimes
    deal: _Dealt | None = None
    type: TicketType = "Bug"
    ends: tuple[str, ...] = ()
    case: TicketCase | None = None
    plan: PullPlan | None = None
    parts: dict[str, str] = field(default_factory=dict)
    commented: int = 0
    tempo: int = 0


class Work:
    """All matters of a company."""

    def __init__(self, life: Life, desks: Mapping[str, Desk]) -> None:
        self._life, self._desks = life, desks
        self._people: dict[str, Colleague] = {person.name: person for person in life.people}
        self._voices = voices_of(life)
        self._packs = {pack.area: pack for pack in life.work}
        self._does = _shared_out(life)
        self._for_all = {pack.area: frozenset(pack.roles) for pack in life.packs if pack.serves_all}
        self._pulls = Pulls(life, desks)
        self._weeks: dict[int, list[list[list[MatterStep]]]] = {}
        self._landed: dict[int, Landed] = {}
        able = {
            pack.area: [self._does[one.key] for one in life.projects if self._pack_of(one) is pack]
            for pack in life.work
        }
        cases = {
            area: [
                case
                for case in found
                if any(not case.by or not does.isdisjoint(case.by) for does in able.get(area, ()))
            ]
            for area, found in life.cases.items()
        }
        self._cases = UsedOnce(life.seed, "cases", cases)
        self._exchanges = UsedOnce(life.seed, "exchanges", {pack.area: pack.exchanges for pack in life.work})
        self._spent: dict[int, Spent] = {}
        self._first, self._last = (day_of(at, life.zone) for at in life.calendar)
        self._remarks = Remarks(life.seed, monday_of(self._first), self._last)

    def started(self, day: int) -> list[list[MatterStep]]:
        """The steps of each matter that begins on a day, in their order; a week shares what is dealt to it."""
        monday = monday_of(day)
        for before in range(monday_of(self._first), monday, 7):
            if before not in self._landed:
                self._week(before)
        return self._week(monday)[day - monday]

    def _week(self, monday: int) -> list[list[list[MatterStep]]]:
        """The matters of a week's days; what the weeks before it made of lines of code bases is known."""
        found = self._weeks.get(monday)
        if found is None:
            dealer = Dealer(self._life.seed, monday, self._first, self._last, days=7)
            cases, exchanges = self._cases.of_week(monday, dealer), self._exchanges.of_week(monday, dealer)
            spent = Spent([one for week, one in sorted(self._spent.items()) if week < monday])
            remarks = self._remarks.of_week(monday)
            landed = Landed(tuple(one for week, one in sorted(self._landed.items()) if week < monday))
            found = self._weeks[monday] = [
                [*self._started(one, _Dealt(self._pulls.deal(one, remarks, landed), cases, exchanges, spent))]
                for one in range(monday, monday + 7)
            ]
            self._landed[monday], self._spent[monday] = landed, spent
            if len(self._weeks) > _WEEKS_KEPT:
                self._weeks.pop(next(iter(self._weeks)))
        return found

    def _started(self, day: int, deal: _Dealt) -> Iterator[list[MatterStep]]:
        volume = self._life.volumes.get("work", 0)
        if not volume or not self._life.projects or not self._life.work:
            return
        share = ONE * _OPENED * _WEEKDAYS[(day + 3) % 7] * volume // 100_000_000
        for person in self._life.people:
            slots = Stream(self._life.seed, "matters", day, person.name)
            for slot in range(2):
                if slots.below(ONE) < share // 2:
                    yield from self._walk(day, person, slot, deal)
        yield from map(list, self._pulls.begun(day, deal.lines))

    def reported(
        self,
        key: str,
        reporter: str,
        at: Instant,
        bound: Mapping[str, str],
        cause: str,
        case: TicketCase | None = None,
        times: NamedTimes | None = None,
    ) -> list[MatterStep]:
        """The steps of the matter that somebody opens for what they were told; empty where there is nowhere to open it.

        Args:
            bound: words that it is about.
            cause: what its description ends with; empty where it says so itself.
            case: the ticket where it is written whole.
            times: those that were named to whoever opens it.
        """
        stream = Stream(self._life.seed, key)
        known = [project for project in self._life.projects if project.area in self._packs] or self._life.projects
        if not known or not self._life.work:
            return []
        project = stream.choice(known)
        pack = self._packs.get(project.area) or self._life.work[0]
        bugs = tuple(symptom for symptom in pack.symptoms if symptom.type == "Bug") or pack.symptoms
        of_bugs = pack.model_copy(update={"symptoms": bugs})
        times = times or NamedTimes(self._life.zone)
        matter = _Matter(key, stream, project, of_bugs, {**bound}, reporter, [], at, times, case=case)
        if not self._open(matter):
            return []
        opened = matter.steps[0]
        text = f"{opened.intent.text}\n\n{cause}".rstrip()
        matter.steps[0] = replace(opened, intent=replace(opened.intent, text=text))
        self._course(matter)
        return sorted(matter.steps, key=lambda step: step.at)

    def _walk(self, day: int, reporter: Colleague, slot: int, deal: _Dealt) -> Iterator[list[MatterStep]]:
        """The steps of what somebody opens, and of the ticket of whoever reports the same once more."""
        key = f"work/{day}/{reporter.name}.{slot}"
        stream = Stream(self._life.seed, key)
        at = self._desks[reporter.name].moment(day, stream)
        if at is None:
            return
        own = [project for project in self._life.projects if reporter.name in project.people and self._pack_of(project)]
        others = [project for project in self._life.projects if self._is_open_to(project, reporter)]
        able = own if own and stream.chance(60) else others or own
        if not able:
            return
        project = stream.choice(able)
        pack = self._pack_of(project)
        assert pack is not None
        matter = _Matter(key, stream, project, pack, {}, reporter.name, [], at, NamedTimes(self._life.zone), deal)
        if not self._open(matter):
            return
        self._course(matter)
        yield sorted(matter.steps, key=lambda step: step.at)
        twin = self._twin(matter)
        if twin is not None:
            yield twin

    def _twin(self, first: _Matter) -> list[MatterStep] | None:
        """The steps of the ticket of somebody who reports the same before it is done; None where nobody does."""
        twin = first.case.twin if first.case is not None else None
        opened = first.steps[0]
        stream = Stream(self._life.seed, first.key, "twin")
        if twin is None or not stream.chance(_TWINS):
            return None
        able = [
            one.name
            for one in self._life.people
            if one.name not in first.parts.values() and one.is_employed(opened.at) and self._could_report(first, one)
        ]
        told = (
            [name for name in able if self._people[name].area in first.case.told_by] if first.case is not None else []
        )
        able = told or able
        if not able:
            return None
        reporter = min(able, key=lambda name: Stream(self._life.seed, first.key, "twin", name).bits())
        at = self._desks[reporter].later(opened.at + 10 * MINUTE, _DOUBLED, stream)
        ends = [step.at for step in first.steps if step.intent.kind == "close"]
        if at is None or (ends and at >= ends[-1]):
            return None
        case = TicketCase(type=first.type, title=twin.title, text=twin.text, done=twin.said)
        key = f"[[{first.key}/0]]"
        matter = _Matter(
            f"{first.key}.twin", stream, first.project, first.pack, first.bound | {"ticket": key}, reporter, [], at,
            first.times.copy(), first.deal, case=case,
        )  # fmt: skip
        if not self._open(matter):
            return None
        closer = first.parts["A"]
        matter.parts = {"R": reporter, "A": closer}
        if self._wait(matter, closer, _FIRST_LOOK):
            said = turns_of(twin.said) or (Turn("A", stream.choice(first.pack.same)),)
            for number, turn in enumerate(said):
                if not self._turn(matter, turn, waits=number > 0):
                    break
            self._step(matter, "close", closer, details={"resolution": "Duplicate"})
        return matter.steps

    def _could_report(self, matter: _Matter, who: Colleague) -> bool:
        """Whether somebody might have noticed the same."""
        assert matter.case is not None
        return self._tells(matter.case, matter.project, who)

    def _pack_of(self, project: Project) -> WorkPack | None:
        """What the tickets of a project are worded by: its area's pack, else the one for everybody's work."""
        return self._packs.get(project.area) or self._packs.get(_EVERYBODYS)

    def _is_open_to(self, project: Project, who: Colleague) -> bool:
        """Whether somebody opens tickets there: for those who do the same work, who work for everybody, or who make what they see."""
        pack = self._pack_of(project)
        if pack is None or project.area == who.area or project.area in self._for_all:
            return pack is not None
        does = self._does[project.key]
        return who.area in pack.told_by and (not pack.told_to or not does or not pack.told_to.isdisjoint(does))

    def _is_inside(self, matter: _Matter, name: str) -> bool:
        """Whether somebody does the work of the ticket's project."""
        who = self._people.get(name)
        return name in matter.project.people or (who is not None and who.area == matter.project.area)

    def _open(self, matter: _Matter) -> bool:
        """Open the ticket; False where nothing came up that is new and states no fact of a storyline."""
        if matter.deal is not None and matter.case is None:
            self._choose(matter, matter.deal)
            is_anybodys = matter.case is None and matter.plan is None
            if is_anybodys and (self._people[matter.reporter].leads or not self._able(matter, None)):
                return False
        self._cast(matter)
        stream, given, times = matter.stream, matter.bound, matter.times
        for _ in range(_TRIES):
            matter.bound, matter.times = {**given}, times.copy()
            if matter.case is not None:
                matter.type = matter.case.type
                title, text = (self._script(matter, part) for part in (matter.case.title, matter.case.text.strip()))
            else:
                symptom = self._form(matter)
                matter.type, matter.ends = symptom.type, symptom.ends
                title, text = (self._worded(matter, symptom, part) for part in (symptom.title, symptom.text))
            is_new = matter.deal is None or matter.case is not None or not matter.deal.spent.has(title, text)
            if is_new and self._life.is_free(f"{title} {text}"):
                break
        else:
            return False
        if matter.deal is not None:
            matter.deal.spent.spend(title, text)
        details: JsonObject = {
            "project": matter.project.key,
            "type": matter.type,
            "labels": [*self._labels(matter)] if stream.chance(_LABELLED) else [],
            "priority": stream.weighted(("Medium", "Low", "High", "Highest", "Lowest"), (58, 20, 15, 3, 4)),
        }
        self._step(matter, "open", matter.reporter, subject=title, text=text, details=details, is_named=True)
        return True

    def _knows_code(self, matter: _Matter, plan: PullPlan) -> str:
        """Somebody of the ticket's people who works on the plan's code base; empty where nobody does."""
        able = [name for name in matter.project.people if name in plan.base.reviewers]
        return min(able, key=lambda name: Stream(matter.key, name).bits(), default="")

    def _form(self, matter: _Matter) -> Symptom:
        """A form that the ticket may have: who does other work sees no code and asks for no task; one that can still be closed with a word first."""
        pack, component = matter.pack, matter.bound.get("component")
        able = [
            one
            for one in pack.symptoms
            if (component is None or component in _having(pack, one.of))
            and (self._is_inside(matter, matter.reporter) or (one.type != "Task" and not has_code(f"{one.title} {one.text}")))
        ] or [*pack.symptoms]  # fmt: skip
        if matter.deal is not None:
            spent = matter.deal.spent
            able = [one for one in able if not all(spent.has(text) for text in one.ends)] or able
        return matter.stream.choice(able)

    def _choose(self, matter: _Matter, deal: _Dealt) -> None:
        """What the ticket is: one that is written whole, for a change to a code base or not, before one that is put together."""
        stream = matter.stream
        if stream.chance(matter.pack.on_code) and self._is_inside(matter, matter.reporter):
            matter.plan = self._pulls.planned(deal.lines, matter.key, matter.project.people)
        if matter.plan is not None:
            matter.case = matter.plan.ticket
            matter.bound["component"] = matter.plan.place
        else:
            matter.case = deal.cases.take(matter.pack.area, stream.bits(), lambda one: self._suits(matter, one))

    def _suits(self, matter: _Matter, case: TicketCase) -> bool:
        """Whether a ticket that is written whole is for the project's people to do, and for its reporter to ask."""
        if case.by and self._does[matter.project.key].isdisjoint(case.by):
            return False
        if not self._able(matter, case):
            return False  # nobody else could do it
        reporter = self._people.get(matter.reporter)
        if not self._has_parts(matter, case.talk, case.done, case.again):
            return False
        return reporter is not None and self._tells(case, matter.project, reporter)

    def _tells(self, case: TicketCase, project: Project, who: Colleague) -> bool:
        """Whether a ticket written whole may be somebody's, in a project whose people do it; whoever leads the company tells of their own work only."""
        if who.leads:
            return not {*case.by}.isdisjoint(who.does)
        if who.name in project.people or who.area in case.told_by:
            return True
        if case.by and any(not one.isdisjoint(case.by) for one in self._for_all.values()):
            return True
        return who.area == project.area and (not case.by or not {*case.by}.isdisjoint(who.does))

    @staticmethod
    def _has_parts(matter: _Matter, *scripts: str) -> bool:
        """Whether everybody who speaks in them can be somebody else, so that nobody answers their own question."""
        spoken = frozenset().union(*map(speakers, scripts))
        others = [name for name in matter.project.people if name != matter.reporter]
        return len(others) >= len(spoken - {"R"}) or len(spoken) < 2

    def _able(self, matter: _Matter, case: TicketCase | None) -> list[str]:
        """Who could work on it, but not for themselves: those of that discipline; where none is named those of the project's area, and nobody who leads the company."""
        people = [name for name in matter.project.people if name != matter.reporter] or [*matter.project.people]
        knowing = [name for name in people if matter.plan is not None and name in matter.plan.base.reviewers]
        if knowing or (case is not None and case.by and matter.plan is None):
            return knowing or self._whose_work(people, case.by if case is not None else ())
        others = [name for name in people if not self._people[name].leads]
        return [name for name in others if self._people[name].area == matter.project.area] or others

    def _whose_work(self, people: Sequence[str], disciplines: Sequence[str]) -> list[str]:
        """Those of some people who do one of these disciplines; who leads the company only where nobody else does."""
        able = [name for name in people if not {*disciplines}.isdisjoint(self._people[name].does)]
        return [name for name in able if not self._people[name].leads] or able

    def _cast(self, matter: _Matter) -> None:
        """Who has which part in what is written."""
        team, stream = matter.project.people, matter.stream
        able = self._able(matter, matter.case) or [*team]
        matter.parts = {"R": matter.reporter, "A": stream.choice(able)}
        others = [name for name in team if name not in matter.parts.values()]
        matter.parts["O"] = stream.choice(others or able)

    def _worded(self, matter: _Matter, symptom: Symptom, part: str) -> str:
        """A ticket's title or description by its form, whose component can have it; slots are the same in both."""
        if "component" not in matter.bound:
            matter.bound["component"] = matter.stream.choice(_having(matter.pack, symptom.of))
        text = self._script(matter, part)
        return text[:1].upper() + text[1:] if part == symptom.text else text

    def _labels(self, matter: _Matter) -> Iterator[str]:
        """Words that a ticket is found by: what it is about, and now and then whose field that is."""
        about = matter.bound.get("component", "")
        by = matter.case.by if matter.case is not None else ()
        field = by[0] if by else matter.pack.area
        if about:
            yield slug(about)
        if field != _EVERYBODYS and (not about or matter.stream.chance(25)):
            yield field

    def _course(self, matter: _Matter) -> None:
        """What becomes of it: looked at, perhaps dropped, discussed, taken up, done, sometimes not quite."""
        stream, team, case = matter.stream, matter.project.people, matter.case
        lead = matter.project.lead if matter.project.lead in self._desks else team[0]
        if stream.chance(_DROPPED) or not self._wait_in_time(matter, lead, _FIRST_LOOK):
            return
        worker = matter.parts["A"]
        if worker != lead or stream.chance(50):
            self._step(matter, "assign", lead, to=(worker,))
        written = turns_of(case.talk) if case is not None and self._has_parts(matter, case.talk, case.done) else ()
        before = len(written) // 2
        if not self._said(matter, written[:before] if case else self._exchange(matter, "asked", _ASKED)):
            return
        if case is None and (refused := self._exchange(matter, "dropped", _WONT_DO)):
            if self._said(matter, refused):
                self._step(matter, "close", worker, details={"resolution": "Won't Do"})
            return
        if case is None and (handed := self._exchange(matter, "handed", _HANDED)):
            if not self._said(matter, handed):
                return
            self._step(matter, "assign", worker, to=(matter.parts["O"],))
            matter.parts |= {"A": matter.parts["O"], "O": worker}
            worker = matter.parts["A"]
        if case is None or case.ends == "done" or stream.chance(_BEGUN):
            if not self._wait_in_time(matter, worker, _PICK_UP):
                return
            self._step(matter, "begin", worker)
        if not self._said(matter, written[before:] if case else self._exchange(matter, "blocked", _BLOCKED)):
            return
        if (case is not None and case.ends == "open") or not self._wait_in_time(
            matter, worker, _AT_WORK, least=_LEAST_WORK
        ):
            return
        if matter.plan is not None:
            ticket = AskingTicket(f"{matter.key}/0", matter.steps[0].intent.subject, matter.project.people)
            author = worker if worker in matter.plan.base.reviewers else self._knows_code(matter, matter.plan)
            there = self._desks[author].back(matter.at, stream)
            if there is None:
                return
            matter.at = there
            self._by_change(matter, worker, self._pulls.made(matter.plan, ticket, author, matter.at))
            return
        if not self._finish(matter, worker):
            return
        if case is not None and case.ends == "not done":
            self._step(matter, "close", worker, details={"resolution": "Won't Do"})
            return
        if stream.chance(_FORGOTTEN) and not (case is not None and case.again):
            return
        self._step(matter, "close", worker, details={"resolution": "Done"})
        self._again(matter, worker)

    def _again(self, matter: _Matter, worker: str, *, needs: str = "") -> None:
        """It comes back, with a reason and an answer, and is closed once more."""
        case = matter.case
        if case is None:
            turns = self._exchange(matter, "reopened", _REOPENED)
        else:
            turns = turns_of(case.again) if case.again and matter.stream.chance(_AGAIN) else ()
        if not turns or not self._wait(matter, matter.parts[turns[0].who], _PICK_UP):
            return
        self._turn(matter, turns[0], waits=False, needs=needs)
        if self._wait(matter, worker, _FIRST_LOOK):
            self._step(matter, "begin", worker, needs=needs)
            if self._wait(matter, worker, _AT_WORK):
                for number, turn in enumerate(turns[1:]):
                    if not self._turn(matter, turn, waits=number > 0, needs=needs):
                        return
                self._step(matter, "close", worker, details={"resolution": "Done"}, needs=needs)

    def _exchange(self, matter: _Matter, when: Course, share: int) -> tuple[Turn, ...]:
        """What is said where that happens to a ticket that is put together, in `share` percent; nothing where none is left."""
        if matter.deal is None or not matter.stream.chance(share):
            return ()
        component = matter.bound.get("component", "")
        found = matter.deal.exchanges.take(
            matter.pack.area,
            matter.stream.bits(),
            lambda one: (
                one.when == when
                and (not one.types or matter.type in one.types)
                and (not one.of or component in _having(matter.pack, one.of))
                and self._has_parts(matter, one.script)
                and ("O" not in speakers(one.script) or matter.parts["O"] not in (matter.parts["A"], matter.parts["R"]))
            ),
        )
        if found is None:
            return ()
        self._forget(matter)
        return turns_of(found.script)

    def _said(self, matter: _Matter, turns: Sequence[Turn]) -> bool:
        """Say what is written, each when they get to it; False where somebody does not come back to it."""
        return all(self._turn(matter, turn) for turn in turns)

    def _forget(self, matter: _Matter) -> None:
        """Let numbers and times be drawn anew."""
        matter.times = NamedTimes(self._life.zone)
        for slot in _FRESH:
            matter.bound.pop(slot, None)

    def _by_change(self, matter: _Matter, worker: str, change: Outcome) -> None:
        """Follow a change through its review to Done: some tickets are moved late, to the wrong state, or not at all."""
        stream = matter.stream
        matter.steps += change.steps
        is_moved = stream.chance(_MOVED)
        if is_moved:
            matter.at = change.steps[0].at
            self._step(matter, "review", worker, needs=change.opened)
            asked = [step for step in change.steps if step.intent.details.get("state") == "changes"]
            if asked and stream.chance(_MOVED_BACK):
                matter.at = asked[0].at
                if self._wait(matter, worker, _TOLD):
                    self._step(matter, "begin", worker)
                    pushed = [step for step in change.steps if step.intent.kind == "push" and step.at > matter.at]
                    if pushed:
                        matter.at = pushed[-1].at
                        self._step(matter, "review", worker)
        matter.at = max(change.at, matter.at)
        if not change.merged:
            return
        if stream.chance(_FORGOTTEN):
            if stream.chance(50) or not self._wait(matter, worker, _REMEMBERED):
                return
        elif not self._wait(matter, worker, _TOLD):
            return
        if self._finish(matter, worker, needs=change.merged):
            self._step(matter, "close", worker, details={"resolution": "Done"}, needs=change.merged)
            self._again(matter, worker, needs=change.merged)

    def _turn(self, matter: _Matter, turn: Turn, *, waits: bool = True, needs: str = "") -> bool:
        """A comment that is written with the ticket, by whoever has that part; False where nobody comes back to it in time."""
        who, later = matter.parts[turn.who], None
        if matter.case is not None:
            matter.commented += 1
            later = matter.case.later.get(matter.commented)
        if later is not None:
            since = matter.at + later * DAY if isinstance(later, int) else matter.times.over(later)
            matter.at = max(matter.at, since or matter.at)
            is_there = self._wait(matter, who, _TOLD)
        elif waits:
            least = MINUTE + _TYPED * len(turn.text.split()) * SECOND
            is_there = self._wait_in_time(matter, who, _REMARK, said=turn.text, least=least)
        else:
            is_there = True
        if not is_there or not self._goes_on(matter, who):
            return False
        text = self._script(matter, turn.text)
        if self._life.is_free(text):
            said = typed(text, self._voices[who], matter.stream, may_hedge=False, may_begin=False)
            self._step(matter, "comment", who, text=said.mended or said.text, needs=needs, is_there=True)
        return True

    def _finish(self, matter: _Matter, worker: str, *, needs: str = "") -> bool:
        """What is said when it is done: as it is written with the ticket; else it is tried by others, or its form says how it ends.

        Returns:
            Whether they come to it.
        """
        if matter.case is not None:
            written = turns_of(matter.case.done)
            matter.commented = len(turns_of(matter.case.talk))
            return all(self._turn(matter, turn, waits=False, needs=needs) for turn in written)
        tried = self._exchange(matter, "fixed", _FIXED)
        if tried:
            return all(self._turn(matter, turn, waits=number > 0, needs=needs) for number, turn in enumerate(tried))
        spent = matter.deal.spent if matter.deal is not None else None
        left = [text for text in matter.ends if spent is not None and not spent.has(text)]
        if spent is not None and left and matter.stream.chance(_ENDED):
            chosen = matter.stream.choice(left)
            spent.spend(chosen)
            self._forget(matter)
            self._turn(matter, Turn("A", chosen), waits=False, needs=needs)
        return True

    def _script(self, matter: _Matter, text: str) -> str:
        """A text that is written with the ticket, with its alternatives drawn and its slots filled."""
        named = {letter.lower(): who for letter, who in matter.parts.items()}
        plan = matter.plan.words if matter.plan is not None else {}

        def value(found: re.Match[str]) -> str:
            slot = found[1]
            if slot in named:
                return self._people[named[slot]].full.split()[0] if named[slot] in self._people else named[slot]
            if slot in TIME_SLOTS:
                return matter.times.named(slot, matter.at, matter.stream)
            if slot not in matter.bound:
                matter.bound[slot] = (
                    plan.get(slot) or drawn_slot(slot, matter.stream) or self._filled(matter, f"{{{slot}}}")
                )
            return matter.bound[slot]

        return SLOT.sub(value, varied(text, matter.stream))

    def _wait(self, matter: _Matter, who: str, table: Sequence[int], *, least: Duration = 0) -> bool:
        """Go on to when somebody gets to it, at their desk; False where they do not come back to it."""
        if not matter.tempo:
            matter.tempo = Stream(matter.key, "tempo").choice(_TEMPO)
        waits = [one * matter.tempo // 100 for one in table]
        there = self._desks[who].later(matter.at + least, waits, matter.stream)
        if there is None:
            return False
        matter.at = there
        return True

    def _wait_in_time(
        self, matter: _Matter, who: str, table: Sequence[int], *, said: str = "", least: Duration = 0
    ) -> bool:
        """The same before what was announced has come; False where they are not at their desk before."""
        since, until = matter.at, matter.times.until(said, matter.at)
        is_there = self._wait(matter, who, table, least=least)
        if until is None or (is_there and matter.at < until - _MARGIN):
            return is_there
        left = max((until - since) * _EARLY // 100, 1)
        wanted = since + least + matter.stream.below(left)
        there = self._desks[who].back(min(wanted, until - _MARGIN), matter.stream)
        if there is None or there > until - _MARGIN:
            there = self._desks[who].back(since + least, matter.stream)
        if there is None or there > until - _MARGIN:
            return False
        matter.at = there
        return True

    def _goes_on(self, matter: _Matter, who: str) -> bool:
        """A little later, at the desk of whoever acts; False where they do not come back to it."""
        there = self._desks[who].back(matter.at + matter.stream.between(4 * SECOND, 3 * MINUTE), matter.stream)
        matter.at = there or matter.at
        return there is not None

    def _step(
        self,
        matter: _Matter,
        kind: IntentKind,
        who: str,
        *,
        to: tuple[str, ...] = (),
        subject: str = "",
        text: str = "",
        details: JsonObject | None = None,
        is_named: bool = False,
        needs: str = "",
        is_there: bool = False,
    ) -> None:
        """One more act, at the desk of whoever does it; `is_there` where they are about to."""
        opened = f"{matter.key}/0"
        number = len(matter.steps)
        if number and not is_there and not self._goes_on(matter, who):
            return
        intent = Intent(
            kind, f"{matter.key}/{number}", who, to=to, via=self._life.apps["opens"], subject=subject, text=text,
            thing=opened if number else "", details=details or {},
        )  # fmt: skip
        matter.steps.append(MatterStep(matter.at, intent, (needs or opened) if number else "", is_named))

    def _filled(self, matter: _Matter, text: str) -> str:
        def value(slot: str) -> str:
            if slot == "n" and "n" not in matter.bound:
                return str(matter.stream.between(2, 60))
            if slot not in matter.bound:
                words = self._life.words.get(slot) or matter.pack.words.get(slot) or (slot,)
                if slot == "person":
                    others = [
                        one
                        for one in self._life.people
                        if one.name not in matter.project.people and one.is_employed(matter.at)
                    ]
                    words = tuple(one.full.split()[0] for one in others or self._life.people)
                matter.bound[slot] = matter.stream.choice(words)
            return matter.bound[slot]

        return SLOT.sub(lambda found: value(found[1]), text)


def _shared_out(life: Life) -> Mapping[str, frozenset[str]]:
    """Which disciplines' work each project takes, by its key: its people's."""
    does = {person.name: person.does for person in life.people}
    return {one.key: frozenset(name for who in one.people for name in does.get(who, ())) for one in life.projects}


def _having(pack: WorkPack, kinds: Sequence[str]) -> list[str]:
    """The components that are of one of some kinds."""
    return [*dict.fromkeys(word for kind in kinds for word in pack.kinds.get(kind, ()))]
