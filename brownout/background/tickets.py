"""Tickets that no storyline tells of: who opens one when, what it says, and who reports the same once more."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from brownout.background.code_bases import slug
from brownout.background.dealer import Dealer, monday_of
from brownout.background.desk_hours import Desk, day_of
from brownout.background.integer_math import ONE
from brownout.background.landed_changes import Landed
from brownout.background.life_sources import Colleague, Life
from brownout.background.matter_steps import MatterStep
from brownout.background.matter_walk import MatterWalk
from brownout.background.named_times import NamedTimes
from brownout.background.packs import Symptom, TicketCase
from brownout.background.pull_plans import PullPlans
from brownout.background.pulls import Pulls
from brownout.background.remarks import Remarks
from brownout.background.sentences import has_code
from brownout.background.staff import Staff
from brownout.background.ticket_course import FIRST_LOOK, DealtTexts, TicketCourse
from brownout.background.ticket_parts import EVERYBODYS, TicketParts
from brownout.background.used_once import Spent, UsedOnce
from brownout.background.written import Turn, turns_of
from brownout.core.instants import MINUTE, Instant
from brownout.core.seeds import Stream
from brownout.core.values import JsonObject

__all__ = ["Work"]

_OPENED: Final = 330
"""Tickets that a head opens on a weekday, of 1,000: 1,400 for 41 people in 120 days."""
_WEEKDAYS: Final = (110, 108, 104, 98, 80, 3, 3)
_DOUBLED: Final = (10, 30, 80, 200, 500, 1_000, 2_000, 3_500, 6_000)
"""Minutes, quantiles: until somebody reports the same once more. Without a source."""
_TWINS: Final = 88
"""Percent of those that are written so which are reported twice. Without a source."""
_LABELLED: Final = 74
"""Percent of tickets with a label. Without a source."""
_TRIES: Final = 6
_WEEKS_KEPT: Final = 14


class Work:
    """All matters of a company."""

    def __init__(self, life: Life, desks: Mapping[str, Desk]) -> None:
        self._life, self._staff = life, Staff(life, desks)
        self._parts = TicketParts(life, self._staff)
        self._plans = PullPlans(life)
        self._pulls = Pulls(life, self._staff, self._plans)
        self._weeks: dict[int, list[list[list[MatterStep]]]] = {}
        self._landed: dict[int, Landed] = {}
        self._cases = UsedOnce(life.seed, "cases", self._parts.doable())
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
                [*self._started(one, DealtTexts(self._plans.deal(one, remarks, landed), cases, exchanges, spent))]
                for one in range(monday, monday + 7)
            ]
            self._landed[monday], self._spent[monday] = landed, spent
            if len(self._weeks) > _WEEKS_KEPT:
                self._weeks.pop(next(iter(self._weeks)))
        return found

    def _started(self, day: int, deal: DealtTexts) -> Iterator[list[MatterStep]]:
        volume = self._life.volumes.get("work", 0)
        if not volume or not self._life.projects or not self._life.work:
            return
        share = ONE * _OPENED * _WEEKDAYS[(day + 3) % 7] * volume // 100_000_000
        for person in self._life.people:
            slots = Stream(self._life.seed, "matters", day, person.name)
            for slot in range(2):
                if slots.below(ONE) < share // 2:
                    yield from self._begun(day, person, slot, deal)
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
        known = [project for project in self._life.projects if self._parts.own_pack(project)] or self._life.projects
        if not known or not self._life.work:
            return []
        project = stream.choice(known)
        pack = self._parts.own_pack(project) or self._life.work[0]
        bugs = tuple(symptom for symptom in pack.symptoms if symptom.type == "Bug") or pack.symptoms
        of_bugs = pack.model_copy(update={"symptoms": bugs})
        times = times or NamedTimes(self._life.zone)
        walk = MatterWalk(
            self._life, self._staff, key, stream, project, of_bugs, reporter, at, times, {**bound}, case=case
        )
        if not self._open(walk, None):
            return []
        opened = walk.steps[0]
        text = f"{opened.intent.text}\n\n{cause}".rstrip()
        walk.steps[0] = replace(opened, intent=replace(opened.intent, text=text))
        return self._followed(walk, None)

    def _followed(self, walk: MatterWalk, deal: DealtTexts | None) -> list[MatterStep]:
        """All steps of a ticket that has been opened, in their order."""
        TicketCourse(walk, deal, self._pulls).go()
        return sorted(walk.steps, key=lambda step: step.at)

    def _begun(self, day: int, reporter: Colleague, slot: int, deal: DealtTexts) -> Iterator[list[MatterStep]]:
        """The steps of what somebody opens, and of the ticket of whoever reports the same once more."""
        key = f"work/{day}/{reporter.name}.{slot}"
        stream = Stream(self._life.seed, key)
        at = self._staff.desks[reporter.name].moment(day, stream)
        if at is None:
            return
        own, others = self._parts.projects_of(reporter), self._parts.projects_open_to(reporter)
        able = own if own and stream.chance(60) else others or own
        if not able:
            return
        project = stream.choice(able)
        pack = self._parts.pack_of(project)
        assert pack is not None
        walk = MatterWalk(
            self._life, self._staff, key, stream, project, pack, reporter.name, at, NamedTimes(self._life.zone)
        )
        if self._open(walk, deal):
            yield self._followed(walk, deal)
            twin = self._twin(walk, deal)
            if twin is not None:
                yield twin

    def _twin(self, first: MatterWalk, deal: DealtTexts) -> list[MatterStep] | None:
        """The steps of the ticket of somebody who reports the same before it is done; None where nobody does."""
        stream = Stream(self._life.seed, first.key, "twin")
        if first.case is None or first.case.twin is None or not stream.chance(_TWINS):
            return None
        able, twin = self._parts.others_telling(first, first.case), first.case.twin
        if not able:
            return None
        reporter = min(able, key=lambda name: Stream(self._life.seed, first.key, "twin", name).bits())
        at = self._staff.desks[reporter].later(first.steps[0].at + 10 * MINUTE, _DOUBLED, stream)
        ends = [step.at for step in first.steps if step.intent.kind == "close"]
        if at is None or (ends and at >= ends[-1]):
            return None
        case = TicketCase(type=first.type, title=twin.title, text=twin.text, done=twin.said)
        walk = MatterWalk(
            self._life, self._staff, f"{first.key}.twin", stream, first.project, first.pack, reporter, at,
            first.times.copy(), first.bound | {"ticket": f"[[{first.opened}]]"}, case,
        )  # fmt: skip
        if not self._open(walk, deal):
            return None
        closer = first.parts["A"]
        walk.parts = {"R": reporter, "A": closer}
        if walk.wait(closer, FIRST_LOOK):
            walk.discuss(turns_of(twin.said) or (Turn("A", stream.choice(first.pack.same)),), is_there=True)
            walk.step("close", closer, details={"resolution": "Duplicate"})
        return walk.steps

    def _open(self, walk: MatterWalk, deal: DealtTexts | None) -> bool:
        """Open the ticket; False where nothing came up that is new and states no fact of a storyline."""
        if deal is not None and walk.case is None:
            self._choose(walk, deal)
            is_anybodys = walk.case is None and walk.plan is None
            if is_anybodys and (self._staff.people[walk.reporter].leads or not self._parts.workers(walk, None)):
                return False
        walk.parts = self._parts.cast(walk)
        stream, given, times = walk.stream, walk.bound, walk.times
        for _ in range(_TRIES):
            walk.bound, walk.times = {**given}, times.copy()
            if walk.case is not None:
                walk.type = walk.case.type
                title, text = (walk.script(part) for part in (walk.case.title, walk.case.text.strip()))
            else:
                symptom = self._form(walk, deal)
                walk.type, walk.ends = symptom.type, symptom.ends
                title, text = self._worded(walk, symptom)
            said = (title, text, f"{title} {text}")
            is_new = deal is None or walk.case is not None or not deal.spent.has(*said)
            if is_new and self._life.is_free(f"{title} {text}"):
                break
        else:
            return False
        if deal is not None:
            deal.spent.spend(*said)
        details: JsonObject = {
            "project": walk.project.key,
            "type": walk.type,
            "labels": [*self._labels(walk)] if stream.chance(_LABELLED) else [],
            "priority": stream.weighted(("Medium", "Low", "High", "Highest", "Lowest"), (58, 20, 15, 3, 4)),
        }
        walk.step("open", walk.reporter, subject=title, text=text, details=details, is_named=True)
        return True

    def _choose(self, walk: MatterWalk, deal: DealtTexts) -> None:
        """What the ticket is: one that is written whole, for a change to a code base or not, before one that is put together."""
        stream = walk.stream
        if stream.chance(walk.pack.on_code) and self._parts.is_inside(walk):
            walk.plan = self._plans.for_ticket(deal.lines, walk.key, walk.project.people)
        if walk.plan is not None:
            walk.case = walk.plan.ticket
            walk.bound["component"] = walk.plan.place
        else:
            walk.case = deal.cases.take(walk.pack.area, stream.bits(), lambda one: self._parts.suits(walk, one))

    def _form(self, walk: MatterWalk, deal: DealtTexts | None) -> Symptom:
        """A form that the ticket may have: who does other work sees no code and asks for no task; one that can still be closed with a word first."""
        pack, component, is_inside = walk.pack, walk.bound.get("component"), self._parts.is_inside(walk)
        able = [
            one
            for one in pack.symptoms
            if (component is None or component in pack.components(one.of))
            and (is_inside or (one.type != "Task" and not has_code(f"{one.title} {one.text}")))
        ] or [*pack.symptoms]
        if deal is not None:
            able = [one for one in able if not all(deal.spent.has(text) for text in one.ends)] or able
        return walk.stream.choice(able)

    @staticmethod
    def _worded(walk: MatterWalk, symptom: Symptom) -> tuple[str, str]:
        """A ticket's title and description by its form, whose component can have it; slots are the same in both."""
        if "component" not in walk.bound:
            walk.bound["component"] = walk.stream.choice(walk.pack.components(symptom.of))
        title, text = walk.script(symptom.title), walk.script(symptom.text)
        return title, text[:1].upper() + text[1:]

    @staticmethod
    def _labels(walk: MatterWalk) -> Iterator[str]:
        """Words that a ticket is found by: what it is about, and now and then whose field that is."""
        about = walk.bound.get("component", "")
        by = walk.case.by if walk.case is not None else ()
        field = by[0] if by else walk.pack.area
        if about:
            yield slug(about)
        if field != EVERYBODYS and (not about or walk.stream.chance(25)):
            yield field
