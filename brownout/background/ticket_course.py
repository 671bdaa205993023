"""What becomes of a ticket that somebody opened: looked at, perhaps dropped, discussed, taken up, done, sometimes not quite."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from brownout.background.matter_walk import MatterWalk
from brownout.background.packs import Course, TicketCase, TicketExchange
from brownout.background.pull_plans import DealtLines
from brownout.background.pull_words import AskingTicket
from brownout.background.pulls import Outcome, Pulls
from brownout.background.ticket_parts import has_parts, knows_code
from brownout.background.used_once import Spent, WeekOfTexts
from brownout.background.written import Turn, speakers, turns_of
from brownout.core.instants import MINUTE

__all__ = ["FIRST_LOOK", "DealtTexts", "TicketCourse"]

FIRST_LOOK: Final = (4, 25, 70, 150, 300, 560, 1_200, 2_300, 5_600)
_PICK_UP: Final = (20, 120, 420, 1_100, 2_400, 5_200, 11_000, 22_000, 43_000)
_AT_WORK: Final = (15, 60, 140, 300, 700, 1_500, 2_900, 4_600, 9_000)
"""Minutes, quantiles: until somebody looks at it, takes it up, is done with it. Shape measured."""
_MOVED_ON: Final = (1, 2, 4, 8, 15, 40, 140, 500, 1_800)
_REMEMBERED: Final = (7_000, 11_000, 15_000, 19_000, 24_000, 30_000, 36_000, 44_000, 60_000)
"""Minutes, quantiles: until a ticket is moved after its change was; where it was forgotten. Without a source."""
_MOVED, _MOVED_BACK = 80, 55
"""Percent of changes whose ticket goes to review, and back when changes are asked for. Without a source."""
_LEAST_WORK: Final = 10 * MINUTE
_ASKED, _BLOCKED, _HANDED, _FIXED, _ENDED = 55, 22, 8, 30, 75
"""Percent of the tickets that are put together: asked about, held up, handed over; of those that are done, tried by others, else
closed with a word. Without a source."""
_BEGUN: Final = 60
"""Percent of the tickets that come to nothing which somebody begins. Without a source."""
_DROPPED, _WONT_DO, _REOPENED, _FORGOTTEN, _AGAIN = 10, 9, 13, 9, 92
"""Percent: nobody looks at it, it is not done, it comes back, it stays In Progress though it is done; of those that are written so,
it comes back. All without a source."""


@dataclass(frozen=True, slots=True)
class DealtTexts:
    """What the tickets of a day share: the lines that its changes were given, and what their week has that is written whole."""

    lines: DealtLines
    cases: WeekOfTexts[TicketCase]
    exchanges: WeekOfTexts[TicketExchange]
    spent: Spent


class TicketCourse:
    """The course of one ticket.

    Args:
        walk: it has been opened, and everybody has their part.
        deal: what there is to say; None where it comes of a customer's question.
    """

    def __init__(self, walk: MatterWalk, deal: DealtTexts | None, pulls: Pulls) -> None:
        self._walk, self._deal, self._pulls = walk, deal, pulls

    @property
    def _worker(self) -> str:
        return self._walk.parts["A"]

    def go(self) -> None:
        """Make all its steps."""
        walk, case, stream = self._walk, self._walk.case, self._walk.stream
        lead = walk.project.lead if walk.project.lead in walk.staff.desks else walk.project.people[0]
        if stream.chance(_DROPPED) or not walk.wait_in_time(lead, FIRST_LOOK):
            return
        if self._worker != lead or stream.chance(50):
            walk.step("assign", lead, to=(self._worker,))
        written = turns_of(case.talk) if case is not None and has_parts(walk, case.talk, case.done) else ()
        before = len(written) // 2
        if not walk.discuss(written[:before] if case else self._exchange("asked", _ASKED)):
            return
        if case is None and not self._is_taken():
            return
        if case is None or case.ends == "done" or stream.chance(_BEGUN):
            if not walk.wait_in_time(self._worker, _PICK_UP):
                return
            walk.step("begin", self._worker)
        if not walk.discuss(written[before:] if case else self._exchange("blocked", _BLOCKED)):
            return
        if (case is not None and case.ends == "open") or not walk.wait_in_time(
            self._worker, _AT_WORK, least=_LEAST_WORK
        ):
            return
        if walk.plan is not None:
            self._change()
        elif self._finish():
            self._close()

    def _is_taken(self) -> bool:
        """Whether somebody does what is put together, perhaps somebody else than was thought; some is refused."""
        walk = self._walk
        if refused := self._exchange("dropped", _WONT_DO):
            if walk.discuss(refused):
                walk.step("close", self._worker, details={"resolution": "Won't Do"})
            return False
        if handed := self._exchange("handed", _HANDED):
            if not walk.discuss(handed):
                return False
            walk.step("assign", self._worker, to=(walk.parts["O"],))
            walk.parts |= {"A": walk.parts["O"], "O": walk.parts["A"]}
        return True

    def _close(self) -> None:
        """Close what is finished: as done, as not to be done, or not at all, where that is forgotten."""
        walk, case = self._walk, self._walk.case
        if case is not None and case.ends == "not done":
            walk.step("close", self._worker, details={"resolution": "Won't Do"})
        elif not walk.stream.chance(_FORGOTTEN) or (case is not None and case.again):
            walk.step("close", self._worker, details={"resolution": "Done"})
            self._again()

    def _change(self) -> None:
        """Make the change that it asks for, and follow it through its review to Done."""
        walk, plan = self._walk, self._walk.plan
        assert plan is not None
        author = self._worker if self._worker in plan.base.reviewers else knows_code(walk)
        if walk.reach(author):
            asking = AskingTicket(walk.opened, walk.steps[0].intent.subject, walk.project.people)
            self._follow(self._pulls.made(plan, asking, author, walk.at))

    def _follow(self, change: Outcome) -> None:
        """Move it as its change goes on: some tickets are moved late, to the wrong state, or not at all."""
        walk, stream, worker = self._walk, self._walk.stream, self._worker
        walk.steps += change.steps
        if stream.chance(_MOVED):
            walk.at = change.steps[0].at
            walk.step("review", worker, needs=change.opened)
            asked = [step for step in change.steps if step.intent.details.get("state") == "changes"]
            if asked and stream.chance(_MOVED_BACK):
                walk.at = asked[0].at
                if walk.wait(worker, _MOVED_ON):
                    walk.step("begin", worker)
                    pushed = [step for step in change.steps if step.intent.kind == "push" and step.at > walk.at]
                    if pushed:
                        walk.at = pushed[-1].at
                        walk.step("review", worker)
        walk.at = max(change.at, walk.at)
        if not change.merged:
            return
        if stream.chance(_FORGOTTEN):
            if stream.chance(50) or not walk.wait(worker, _REMEMBERED):
                return
        elif not walk.wait(worker, _MOVED_ON):
            return
        if self._finish(needs=change.merged):
            walk.step("close", worker, details={"resolution": "Done"}, needs=change.merged)
            self._again(needs=change.merged)

    def _finish(self, *, needs: str = "") -> bool:
        """What is said when it is done: as it is written with the ticket; else it is tried by others, or its form says how it ends.

        Returns:
            Whether they come to it.
        """
        walk, case = self._walk, self._walk.case
        if case is not None:
            walk.commented = len(turns_of(case.talk))
            return all(walk.say(turn, waits=False, needs=needs) for turn in turns_of(case.done))
        tried = self._exchange("fixed", _FIXED)
        if tried:
            return walk.discuss(tried, is_there=True, needs=needs)
        spent = self._deal.spent if self._deal is not None else None
        left = [text for text in walk.ends if spent is not None and not spent.has(text)]
        if spent is not None and left and walk.stream.chance(_ENDED):
            chosen = walk.stream.choice(left)
            spent.spend(chosen)
            walk.forget()
            walk.say(Turn("A", chosen), waits=False, needs=needs)
        return True

    def _again(self, *, needs: str = "") -> None:
        """It comes back, with a reason and an answer, and is closed once more."""
        walk, case = self._walk, self._walk.case
        turns: Sequence[Turn] = ()
        if case is None:
            turns = self._exchange("reopened", _REOPENED)
        elif case.again and walk.stream.chance(_AGAIN):
            turns = turns_of(case.again)
        if not turns or not walk.wait(walk.parts[turns[0].who], _PICK_UP):
            return
        walk.say(turns[0], waits=False, needs=needs)
        if walk.wait(self._worker, FIRST_LOOK):
            walk.step("begin", self._worker, needs=needs)
            if walk.wait(self._worker, _AT_WORK) and walk.discuss(turns[1:], is_there=True, needs=needs):
                walk.step("close", self._worker, details={"resolution": "Done"}, needs=needs)

    def _exchange(self, when: Course, share: int) -> Sequence[Turn]:
        """What is said where that happens to a ticket that is put together, in `share` percent; nothing where none is left."""
        walk = self._walk
        if self._deal is None or not walk.stream.chance(share):
            return ()
        component, has_other = walk.bound.get("component", ""), walk.parts["O"] not in (self._worker, walk.parts["R"])
        found = self._deal.exchanges.take(
            walk.pack.area,
            walk.stream.bits(),
            lambda one: (
                one.when == when
                and (not one.types or walk.type in one.types)
                and (not one.of or component in walk.pack.components(one.of))
                and has_parts(walk, one.script)
                and ("O" not in speakers(one.script) or has_other)
            ),
        )
        if found is None:
            return ()
        walk.forget()
        return turns_of(found.script)
