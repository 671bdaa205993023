"""Tickets that no storyline tells of: each is a matter, a walk through a small state machine that ends every wait at a desk."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from brownout.background.code_bases import slug
from brownout.background.dealer import Dealer, monday_of
from brownout.background.desk_hours import Desk, day_of
from brownout.background.integer_math import ONE, at_rank
from brownout.background.landed_changes import Landed
from brownout.background.life_sources import Colleague, Life, Project
from brownout.background.matter_steps import MatterStep
from brownout.background.packs import SLOT, Symptom, TicketCase, WorkPack
from brownout.background.pulls import AskingTicket, DealtLines, Outcome, PullPlan, Pulls
from brownout.background.remarks import Remarks, WeekOfRemarks
from brownout.background.said_times import SaidAt
from brownout.background.sentences import has_code
from brownout.background.voices import typed, voiced, voices_of
from brownout.background.written import Turn, drawn_slot, turns_of, varied
from brownout.background.written_tickets import Cases, DealtCases
from brownout.core.apps import Intent, IntentKind
from brownout.core.instants import MINUTE, SECOND, Instant
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
_COMMENTS: Final = (0, 0, 0, 1, 1, 2, 2, 3, 4, 6, 8, 14)
_TOLD: Final = (1, 2, 4, 8, 15, 40, 140, 500, 1_800)
_REMEMBERED: Final = (7_000, 11_000, 15_000, 19_000, 24_000, 30_000, 36_000, 44_000, 60_000)
"""Minutes, quantiles: until a ticket is moved after its change was, and where that was forgotten. Without a source."""
_MOVED, _MOVED_BACK = 80, 55
"""Percent of changes whose ticket goes to review, and back when changes are asked for. Without a source."""
_TRIES: Final = 6
_LABELLED: Final = 74
"""Percent of tickets with a label. Without a source."""
_EXPLAINED: Final = 50
"""Percent of tickets that are written whole and closed undone where it is said why. Without a source."""
_EVERYBODYS: Final = "general"
"""The pack of tickets for what is nobody's own work."""
_WRITTEN_ENDS: Final = 70
"""Percent of how often others are opened again that a ticket is which is written whole. Without a source."""
_WEEKS_KEPT: Final = 14
_DUPLICATE, _DROPPED, _WONT_DO, _REOPENED, _FORGOTTEN = 11, 7, 6, 13, 9
"""Percent. Duplicate, dropped and won't do without a source; forgotten ones stay In Progress though they are done."""


@dataclass(frozen=True, slots=True)
class _Dealt:
    """What matters share: the lines that the changes of their day were given, and their week's tickets written whole."""

    lines: DealtLines
    cases: DealtCases


@dataclass(slots=True)
class _Matter:
    """A walk in progress: the same facts word every step.

    Attributes:
        case: the ticket where it is written whole.
        plan: the change that it asks for.
        remarks: what its week has to say of tickets.
        parts: who has which part in what is written: `A`, `R`, `O`.
        is_told: it is written with a customer's question, so it is nobody's duplicate.
    """

    key: str
    stream: Stream
    project: Project
    pack: WorkPack
    bound: dict[str, str]
    reporter: str
    steps: list[MatterStep]
    at: Instant
    remarks: WeekOfRemarks
    case: TicketCase | None = None
    plan: PullPlan | None = None
    parts: dict[str, str] = field(default_factory=dict)
    is_told: bool = False


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
        self._cases = Cases(life.seed, life.cases)
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
            cases = self._cases.dealt(Dealer(self._life.seed, monday, self._first, self._last, days=7))
            remarks = self._remarks.of_week(monday)
            landed = Landed(tuple(one for week, one in sorted(self._landed.items()) if week < monday))
            found = self._weeks[monday] = [
                [*self._started(one, _Dealt(self._pulls.deal(one, remarks, landed), cases))]
                for one in range(monday, monday + 7)
            ]
            self._landed[monday] = landed
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
                    steps = self._walk(day, person, slot, deal)
                    if steps:
                        yield steps
        yield from map(list, self._pulls.begun(day, deal.lines))

    def reported(
        self, key: str, reporter: str, at: Instant, bound: Mapping[str, str], cause: str, case: TicketCase | None = None
    ) -> list[MatterStep]:
        """The steps of the matter that somebody opens for what they were told; empty where there is nowhere to open it.

        Args:
            bound: words that it is about.
            cause: what its description ends with; empty where it says so itself.
            case: the ticket where it is written whole.
        """
        stream = Stream(self._life.seed, key)
        known = [project for project in self._life.projects if project.area in self._packs] or self._life.projects
        if not known or not self._life.work:
            return []
        project = stream.choice(known)
        pack = self._packs.get(project.area) or self._life.work[0]
        bugs = tuple(symptom for symptom in pack.symptoms if symptom.type == "Bug") or pack.symptoms
        of_bugs, unshared = pack.model_copy(update={"symptoms": bugs}), WeekOfRemarks(self._remarks, None)
        matter = _Matter(key, stream, project, of_bugs, {**bound}, reporter, [], at, unshared)
        if case is not None:
            matter.case, matter.is_told = case, True
            self._cast(matter)
        if not self._open(matter, None):
            return []
        opened = matter.steps[0]
        text = f"{opened.intent.text}\n\n{cause}".rstrip()
        matter.steps[0] = replace(opened, intent=replace(opened.intent, text=text))
        self._course(matter)
        return sorted(matter.steps, key=lambda step: step.at)

    def _walk(self, day: int, reporter: Colleague, slot: int, deal: _Dealt) -> list[MatterStep]:
        key = f"work/{day}/{reporter.name}.{slot}"
        stream = Stream(self._life.seed, key)
        at = self._desks[reporter.name].moment(day, stream)
        if at is None:
            return []
        own = [project for project in self._life.projects if reporter.name in project.people and self._pack_of(project)]
        others = [project for project in self._life.projects if self._is_open_to(project, reporter)]
        able = own if own and stream.chance(60) else others or own
        if not able:
            return []
        project = stream.choice(able)
        pack = self._pack_of(project)
        assert pack is not None
        matter = _Matter(key, stream, project, pack, {}, reporter.name, [], at, deal.lines.remarks)
        if not self._open(matter, deal):
            return []
        self._course(matter)
        return sorted(matter.steps, key=lambda step: step.at)

    def _pack_of(self, project: Project) -> WorkPack | None:
        """What the tickets of a project are worded by: its area's pack, else the one for everybody's work."""
        return self._packs.get(project.area) or self._packs.get(_EVERYBODYS)

    def _is_open_to(self, project: Project, who: Colleague) -> bool:
        """Whether somebody opens tickets there: for those who do the same work, who work for everybody, or who make what they see."""
        pack = self._pack_of(project)
        if pack is None or project.area == who.area or project.area in self._for_all:
            return pack is not None
        return who.area in pack.told_by and not pack.told_to.isdisjoint(self._does[project.key] or pack.told_to)

    def _is_inside(self, matter: _Matter, name: str) -> bool:
        """Whether somebody does the work of the ticket's project."""
        who = self._people.get(name)
        return name in matter.project.people or (who is not None and who.area == matter.project.area)

    def _open(self, matter: _Matter, deal: _Dealt | None) -> bool:
        """Open the ticket; False where nothing came up that states no fact of a storyline.

        Args:
            deal: what it may be, beside one that is put together; None where what it is about is known.
        """
        if deal is not None:
            self._choose(matter, deal)
        stream, given = matter.stream, matter.bound
        for _ in range(_TRIES):
            matter.bound = {**given}
            if matter.case is not None:
                kind = matter.case.type
                title, text = (self._script(matter, part) for part in (matter.case.title, matter.case.text.strip()))
            else:
                symptom = stream.choice(self._seen(matter))
                kind, (title, text) = symptom.type, self._worded(matter, symptom)
            if self._life.is_free(f"{title} {text}"):
                break
        else:
            return False
        details: JsonObject = {
            "project": matter.project.key,
            "type": kind,
            "labels": [*self._labels(matter)] if stream.chance(_LABELLED) else [],
            "priority": stream.weighted(("Medium", "Low", "High", "Highest", "Lowest"), (58, 20, 15, 3, 4)),
        }
        self._step(matter, "open", matter.reporter, subject=title, text=text, details=details, is_named=True)
        return True

    def _knows_code(self, matter: _Matter, plan: PullPlan) -> str:
        """Somebody of the ticket's people who works on the plan's code base; empty where nobody does."""
        able = [name for name in matter.project.people if name in plan.base.reviewers]
        return min(able, key=lambda name: Stream(matter.key, name).bits(), default="")

    def _seen(self, matter: _Matter) -> Sequence[Symptom]:
        """What whoever reports it could have noticed: who does other work sees no file and no line of code."""
        pack, component = matter.pack, matter.bound.get("component")
        if component is not None:
            able = [one for one in pack.symptoms if not one.of or component in _having(pack, one)]
            return able or pack.symptoms
        if self._is_inside(matter, matter.reporter):
            return pack.symptoms
        return [
            one
            for one in pack.symptoms
            if one.type != "Task" and _is_plain(f"{one.title} {one.text}", pack.inside)
        ] or pack.symptoms  # fmt: skip

    def _choose(self, matter: _Matter, deal: _Dealt) -> None:
        """What the ticket is: one that is written whole, for a change to a code base or not, before one that is put together."""
        stream = matter.stream
        if stream.chance(matter.pack.on_code) and self._is_inside(matter, matter.reporter):
            matter.plan = self._pulls.planned(deal.lines, matter.key, matter.project.people)
        if matter.plan is not None:
            matter.case = matter.plan.ticket
        else:
            matter.case = deal.cases.take(matter.pack.area, stream.bits(), lambda one: self._suits(matter, one))
        self._cast(matter)
        if matter.plan is not None:
            matter.bound["component"] = matter.plan.place

    def _suits(self, matter: _Matter, case: TicketCase) -> bool:
        """Whether a ticket that is written whole is for the project's people to do, and for its reporter to ask."""
        if case.by and self._does[matter.project.key].isdisjoint(case.by):
            return False
        if not self._has_parts(matter, case):
            return False
        reporter = self._people.get(matter.reporter)
        if matter.reporter in matter.project.people or (
            case.by and any(not one.isdisjoint(case.by) for one in self._for_all.values())
        ):
            return True
        if reporter is None or reporter.area != matter.project.area:
            return False
        return not case.by or not {*case.by}.isdisjoint(reporter.does)

    def _has_parts(self, matter: _Matter, case: TicketCase) -> bool:
        """Whether everybody who speaks of it can be somebody else, so that nobody answers their own question."""
        spoken = {turn.who for turn in (*turns_of(case.talk), *turns_of(case.done))}
        others = [name for name in matter.project.people if name != matter.reporter]
        return len(others) >= len(spoken - {"R"}) or len(spoken) < 2

    def _able(self, matter: _Matter) -> list[str]:
        """Who could work on it, but not for themselves: those of that discipline, else those of the project's area."""
        people = [name for name in matter.project.people if name != matter.reporter] or [*matter.project.people]
        by = {*matter.case.by} if matter.case is not None else set()
        of_discipline = [name for name in people if not by.isdisjoint(self._people[name].does)]
        of_area = [name for name in people if self._people[name].area == matter.project.area]
        knowing = [name for name in people if matter.plan is not None and name in matter.plan.base.reviewers]
        return knowing or of_discipline or of_area or people

    def _cast(self, matter: _Matter) -> None:
        """Who has which part in what is written."""
        team, stream = matter.project.people, matter.stream
        able = self._able(matter)
        matter.parts = {"R": matter.reporter, "A": stream.choice(able)}
        others = [name for name in team if name not in matter.parts.values()]
        matter.parts["O"] = stream.choice(others or able)

    def _worded(self, matter: _Matter, symptom: Symptom) -> tuple[str, str]:
        """A ticket's title and description, whose number is the same; the symptom binds what all further texts speak of."""
        stream = matter.stream
        matter.bound["n"] = str(stream.between(2, 60))
        if symptom.of and "component" not in matter.bound:
            matter.bound["component"] = stream.choice(_having(matter.pack, symptom))
        title = self._filled(matter, symptom.title)
        for slot in SLOT.findall(symptom.text):
            self._filled(matter, f"{{{slot}}}")
        parts = [symptom.text, *stream.shuffled(self._fitting(matter, matter.pack.details))[: stream.below(3)]]
        text = " ".join(self._sentence(self._filled(matter, part)) for part in parts)
        del matter.bound["n"]
        return title, text

    def _labels(self, matter: _Matter) -> Iterator[str]:
        """Words that a ticket is found by: what it is about, and now and then whose field that is."""
        about = matter.bound.get("component", "")
        if about:
            yield slug(about)
        if not about or matter.stream.chance(25):
            yield matter.pack.area

    def _course(self, matter: _Matter) -> None:
        """What becomes of it: looked at, perhaps dropped, discussed, taken up, done, sometimes not quite."""
        stream, team = matter.stream, matter.project.people
        lead = matter.project.lead if matter.project.lead in self._desks else team[0]
        if stream.chance(_DROPPED) or not self._wait(matter, lead, _FIRST_LOOK):
            return
        if stream.chance(_DUPLICATE) and not matter.is_told:
            self._explain(matter, lead, matter.pack.duplicate)
            self._step(matter, "close", lead, details={"resolution": "Duplicate"})
            return
        worker = matter.parts.get("A") or stream.choice(self._able(matter))
        if worker != lead or stream.chance(50):
            self._step(matter, "assign", lead, to=(worker,))
        talkers = [*dict.fromkeys((matter.reporter, worker, lead, stream.choice(team)))]
        written = turns_of(matter.case.talk) if matter.case and self._has_parts(matter, matter.case) else ()
        remarks = len(written) if matter.case is not None else at_rank(_COMMENTS, stream.below(ONE))
        before = remarks // 2
        for number in range(before):
            if not (
                self._turn(matter, written[number])
                if written
                else self._remark(
                    matter,
                    talkers[number % len(talkers)],
                    matter.pack.questions if number % 2 == 0 else matter.pack.answers,
                )
            ):
                return
        if stream.chance(_WONT_DO):
            self._explain(matter, lead, matter.pack.wont_do)
            self._step(matter, "close", lead, details={"resolution": "Won't Do"})
            return
        if not self._wait(matter, worker, _PICK_UP):
            return
        self._step(matter, "begin", worker)
        for number in range(before, remarks):
            if not (
                self._turn(matter, written[number])
                if written
                else self._remark(
                    matter,
                    worker if (number - before) % 2 == 0 else matter.reporter,
                    matter.pack.progress if (number - before) % 2 == 0 else matter.pack.questions,
                )
            ):
                return
        if not self._wait(matter, worker, _AT_WORK):
            return
        if matter.plan is not None:
            ticket = AskingTicket(f"{matter.key}/0", matter.project.people)
            author = worker if worker in matter.plan.base.reviewers else self._knows_code(matter, matter.plan)
            there = self._desks[author].back(matter.at, stream)
            if there is None:
                return
            matter.at = there
            self._by_change(matter, worker, self._pulls.made(matter.plan, ticket, author, matter.at))
            return
        self._finish(matter, worker, 55)
        if stream.chance(_FORGOTTEN):
            return
        self._step(matter, "close", worker, details={"resolution": "Done"})
        if self._is_reopened(matter) and self._wait(matter, matter.reporter, _PICK_UP):
            self._say(matter, matter.reporter, matter.pack.reopened)
            if self._wait(matter, worker, _FIRST_LOOK):
                self._step(matter, "begin", worker)
                if self._wait(matter, worker, _AT_WORK):
                    self._step(matter, "close", worker, details={"resolution": "Done"})

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
        self._finish(matter, worker, 30, needs=change.merged)
        self._step(matter, "close", worker, details={"resolution": "Done"}, needs=change.merged)
        if self._is_reopened(matter) and self._wait(matter, matter.reporter, _PICK_UP):
            self._say(matter, matter.reporter, matter.pack.reopened, needs=change.merged)
            if self._wait(matter, worker, _FIRST_LOOK):
                self._step(matter, "begin", worker, needs=change.merged)
                if self._wait(matter, worker, _AT_WORK):
                    self._step(matter, "close", worker, details={"resolution": "Done"}, needs=change.merged)

    def _is_reopened(self, matter: _Matter) -> bool:
        """Whether it comes back; what is written whole ends mostly as it is written, and nobody opens anything again without a word."""
        share = _REOPENED if matter.case is None else _REOPENED * _WRITTEN_ENDS // 100
        return matter.stream.chance(share) and bool(matter.remarks.left(matter.reporter, matter.pack.reopened))

    def _turn(self, matter: _Matter, turn: Turn, *, waits: bool = True, needs: str = "") -> bool:
        """A comment that is written with the ticket, by whoever has that part; False where nobody comes back to it."""
        who = matter.parts[turn.who]
        if waits and not self._wait(matter, who, _REMARK):
            return False
        text = self._script(matter, turn.text)
        if self._life.is_free(text):
            said = typed(text, self._voices[who], matter.stream, may_hedge=False, may_begin=False)
            self._step(matter, "comment", who, text=said.mended or said.text, needs=needs)
        return True

    def _finish(self, matter: _Matter, worker: str, share: int, *, needs: str = "") -> None:
        """What is said when it is done: as it is written with the ticket, else something, in `share` percent."""
        if matter.case is not None:
            for turn in turns_of(matter.case.done):
                self._turn(matter, turn, waits=False, needs=needs)
        elif matter.stream.chance(share):
            self._say(matter, worker, matter.pack.done, needs=needs)

    def _explain(self, matter: _Matter, who: str, texts: Sequence[str], *, needs: str = "") -> None:
        """Why it is closed or opened again; of a ticket that is written whole not always."""
        if matter.case is None or matter.stream.chance(_EXPLAINED):
            self._say(matter, who, texts, needs=needs)

    def _script(self, matter: _Matter, text: str) -> str:
        """A text that is written with the ticket, with its alternatives drawn and its slots filled."""
        named = {letter.lower(): who for letter, who in matter.parts.items()}
        plan = matter.plan.words if matter.plan is not None else {}

        def value(found: re.Match[str]) -> str:
            slot = found[1]
            if slot in named:
                return self._people[named[slot]].full.split()[0] if named[slot] in self._people else named[slot]
            if slot not in matter.bound:
                matter.bound[slot] = (
                    plan.get(slot)
                    or drawn_slot(slot, matter.stream)
                    or SaidAt(matter.at, self._life.zone).drawn(slot, found.string, found.start(), matter.stream)
                    or self._filled(matter, f"{{{slot}}}")
                )
            return matter.bound[slot]

        return SLOT.sub(value, varied(text, matter.stream))

    def _remark(self, matter: _Matter, who: str, texts: Sequence[str]) -> bool:
        if not self._wait(matter, who, _REMARK):
            return False
        self._say(matter, who, texts)
        return True

    def _wait(self, matter: _Matter, who: str, table: Sequence[int]) -> bool:
        """Go on to when somebody gets to it, at their desk; False where they do not come back to it."""
        there = self._desks[who].later(matter.at, table, matter.stream)
        if there is None:
            return False
        matter.at = there
        return True

    def _say(self, matter: _Matter, who: str, texts: Sequence[str], *, needs: str = "") -> None:
        """A comment; nothing where all that came up states a fact of a storyline."""
        fitting = self._fitting(matter, texts)
        if not self._is_inside(matter, who):
            fitting = [one for one in fitting if _is_plain(one, matter.pack.inside)]
        left = matter.remarks.left(who, fitting)
        for _ in range(_TRIES if left else 0):
            chosen = matter.stream.choice(left)
            text = self._filled(matter, chosen)
            if self._life.is_free(text):
                matter.remarks.say(who, chosen)
                spoken = voiced(text, self._voices[who], matter.stream, may_hedge=False)
                self._step(matter, "comment", who, text=spoken, needs=needs)
                return

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
    ) -> None:
        """One more act, at the desk of whoever does it."""
        opened = f"{matter.key}/0"
        number = len(matter.steps)
        if number:
            matter.at += matter.stream.between(4 * SECOND, 3 * MINUTE)
            there = self._desks[who].back(matter.at, matter.stream)
            if there is None:
                return
            matter.at = there
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

    @staticmethod
    def _fitting(matter: _Matter, texts: Sequence[str]) -> list[str]:
        """The texts that speak of nothing which the symptom did not bring up; all where there are none."""
        unknown = {f"{{{slot}}}" for slot in matter.pack.about - matter.bound.keys()}
        return [text for text in texts if not any(slot in text for slot in unknown)] or [*texts]

    @staticmethod
    def _sentence(text: str) -> str:
        text = text[:1].upper() + text[1:]
        return text if text[-1] in ".?!`" else f"{text}."


def _shared_out(life: Life) -> Mapping[str, frozenset[str]]:
    """Which disciplines' work each project takes, by its key: its people's.

    Where they work for everybody also what no project's people do of their area's: whoever looks after laptops orders tape.
    """
    does = {person.name: person.does for person in life.people}
    own = {one.key: frozenset(name for who in one.people for name in does.get(who, ())) for one in life.projects}
    known = {pack.area: frozenset(pack.roles) for pack in life.packs if pack.serves_all}
    nobodys = frozenset().union(*known.values()) - frozenset().union(*own.values())
    return {one.key: own[one.key] | (known.get(one.area, frozenset()) & nobodys) for one in life.projects}


def _is_plain(text: str, inside: frozenset[str]) -> bool:
    """Whether a text speaks of nothing that only those who do the work see."""
    return not has_code(text) and inside.isdisjoint(SLOT.findall(text))


def _having(pack: WorkPack, symptom: Symptom) -> list[str]:
    """The components that can have what a symptom says of them."""
    return [*dict.fromkeys(word for kind in symptom.of for word in pack.kinds.get(kind, ()))]
