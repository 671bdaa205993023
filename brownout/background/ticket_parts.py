"""Who may have which part in a ticket: who opens one where, whose work it is, who else says something."""

from collections.abc import Sequence
from typing import Final

from brownout.background.life_sources import Colleague, Life, Project
from brownout.background.matter_walk import MatterWalk
from brownout.background.packs import TicketCase, WorkPack
from brownout.background.staff import Staff
from brownout.background.written import speakers
from brownout.core.seeds import Stream

__all__ = ["EVERYBODYS", "TicketParts", "has_parts", "knows_code"]

EVERYBODYS: Final = "general"
"""The pack of tickets for what is nobody's own work."""


class TicketParts:
    """Everybody of a company, by the parts that they may have in the tickets of its projects."""

    def __init__(self, life: Life, staff: Staff) -> None:
        self._life, self._people = life, staff.people
        self._packs = {pack.area: pack for pack in life.work}
        self._does = {
            one.key: frozenset(name for who in one.people if who in self._people for name in self._people[who].does)
            for one in life.projects
        }
        self._areas = frozenset(person.area for person in self._people.values())
        self._for_all = {pack.area: frozenset(pack.roles) for pack in life.packs if pack.serves_all}

    def own_pack(self, project: Project) -> WorkPack | None:
        """The pack of a project's area."""
        return self._packs.get(project.area)

    def pack_of(self, project: Project) -> WorkPack | None:
        """What the tickets of a project are worded by: its area's pack, else the one for everybody's work."""
        return self.own_pack(project) or self._packs.get(EVERYBODYS)

    def doable(self) -> dict[str, list[TicketCase]]:
        """The tickets written whole that the people of some project do, by the area of the pack."""
        able = {
            area: [self._does[one.key] for one in self._life.projects if self.pack_of(one) is pack]
            for area, pack in self._packs.items()
        }
        return {
            area: [
                case
                for case in cases
                if any(not case.by or not does.isdisjoint(case.by) for does in able.get(area, ()))
            ]
            for area, cases in self._life.cases.items()
        }

    def projects_of(self, who: Colleague) -> list[Project]:
        """Those whose tickets somebody works on."""
        return [project for project in self._life.projects if who.name in project.people and self.pack_of(project)]

    def projects_open_to(self, who: Colleague) -> list[Project]:
        """Where somebody opens tickets: with those who do the same work, who work for everybody, or who make what they see."""
        return [project for project in self._life.projects if self._is_open_to(project, who)]

    def _is_open_to(self, project: Project, who: Colleague) -> bool:
        pack = self.pack_of(project)
        if pack is None or project.area == who.area or project.area in self._for_all:
            return pack is not None
        does = self._does[project.key]
        return who.area in pack.told_by and (not pack.told_to or not does or not pack.told_to.isdisjoint(does))

    def suits(self, walk: MatterWalk, case: TicketCase) -> bool:
        """Whether a ticket that is written whole is for the project's people to do, and for its reporter to ask."""
        if case.by and self._does[walk.project.key].isdisjoint(case.by):
            return False
        if not self.workers(walk, case) or not has_parts(walk, case.talk, case.done, case.again):
            return False
        reporter = self._people.get(walk.reporter)
        return reporter is not None and self._tells(case, walk.project, reporter)

    def others_telling(self, walk: MatterWalk, case: TicketCase) -> list[str]:
        """Who else might have noticed the same and opened a ticket of it."""
        return [
            one.name
            for one in self._life.people
            if one.name not in walk.parts.values()
            and one.is_employed(walk.steps[0].at)
            and self._tells(case, walk.project, one)
        ]

    def _tells(self, case: TicketCase, project: Project, who: Colleague) -> bool:
        """Whether a ticket written whole may be somebody's, in a project whose people do it; whoever leads the company tells of their own work only.

        What others are said to tell is told by nobody else, where there are such people; of the work of a few in a mixed team they tell themselves.
        """
        if who.leads:
            return not {*case.by}.isdisjoint(who.does)
        if not self._areas.isdisjoint(case.told_by):
            return who.area in case.told_by
        is_theirs = not case.by or not {*case.by}.isdisjoint(who.does)
        if who.name in project.people and (is_theirs or self.own_pack(project) is not None):
            return True
        if case.by and any(not one.isdisjoint(case.by) for one in self._for_all.values()):
            return True
        return who.area == project.area and is_theirs

    def workers(self, walk: MatterWalk, case: TicketCase | None) -> list[str]:
        """Who could work on it, but not for themselves: those of that discipline; where none is named those of the project's area, and nobody who leads the company."""
        team = walk.project.people
        people = [name for name in team if name != walk.reporter] or [*team]
        knowing = [name for name in people if walk.plan is not None and name in walk.plan.base.reviewers]
        if knowing or (case is not None and case.by and walk.plan is None):
            return knowing or self._whose_work(people, case.by if case is not None else ())
        others = [name for name in people if not self._people[name].leads]
        return [name for name in others if self._people[name].area == walk.project.area] or others

    def _whose_work(self, people: Sequence[str], disciplines: Sequence[str]) -> list[str]:
        """Those of some people who do one of these disciplines; who leads the company only where nobody else does."""
        able = [name for name in people if not {*disciplines}.isdisjoint(self._people[name].does)]
        return [name for name in able if not self._people[name].leads] or able

    def cast(self, walk: MatterWalk) -> dict[str, str]:
        """Who has which part in what is written: `R` reported it, `A` works on it, `O` is somebody else."""
        team, stream = walk.project.people, walk.stream
        able = self.workers(walk, walk.case) or [*team]
        parts = {"R": walk.reporter, "A": stream.choice(able)}
        others = [name for name in team if name not in parts.values()]
        return parts | {"O": stream.choice(others or able)}

    def is_inside(self, walk: MatterWalk) -> bool:
        """Whether who reports it does the work of its project."""
        who = self._people.get(walk.reporter)
        return walk.reporter in walk.project.people or (who is not None and who.area == walk.project.area)


def has_parts(walk: MatterWalk, *scripts: str) -> bool:
    """Whether everybody who speaks in them can be somebody else, so that nobody answers their own question."""
    spoken = frozenset().union(*map(speakers, scripts))
    others = [name for name in walk.project.people if name != walk.reporter]
    return len(others) >= len(spoken - {"R"}) or len(spoken) < 2


def knows_code(walk: MatterWalk) -> str:
    """Somebody of the ticket's people who works on the code base of the change that it asks for; empty where nobody does."""
    able = [name for name in walk.project.people if walk.plan is not None and name in walk.plan.base.reviewers]
    return min(able, key=lambda name: Stream(walk.key, name).bits(), default="")
