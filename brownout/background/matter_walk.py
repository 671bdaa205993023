"""One ticket on its way: its facts and its clock. Every wait ends at somebody's desk, and every act is done there."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from brownout.background.life_sources import Life, Project
from brownout.background.matter_steps import MatterStep
from brownout.background.named_times import NamedTimes
from brownout.background.packs import SLOT, TicketCase, TicketType, WorkPack
from brownout.background.pull_plans import PullPlan
from brownout.background.said_times import TIME_SLOTS
from brownout.background.staff import Staff
from brownout.background.written import Turn, drawn_slot, varied
from brownout.core.apps import Intent, IntentKind
from brownout.core.instants import DAY, MINUTE, SECOND, Duration, Instant
from brownout.core.seeds import Stream
from brownout.core.values import JsonObject

__all__ = ["MatterWalk"]

_REMARK: Final = (5, 30, 90, 240, 600, 1_300, 2_400, 4_800, 9_000)
"""Minutes, quantiles: between two comments. Shape measured."""
_WAITED_FOR: Final = (1, 2, 4, 8, 15, 40, 140, 500, 1_800)
"""Minutes, quantiles: until what was waited for is told. Without a source."""
_TEMPO: Final = (3, 8, 40, 90, 100, 110, 130, 160)
"""Percent of the waits that those of one ticket take, all alike likely: some are done while everybody is at it. Without a source."""
_FRESH: Final = ("n", "minutes")
"""Slots that, as times are, are drawn anew where what is said was not written with the ticket."""
_TYPED: Final = 2
"""Seconds that a word of a comment takes at least after what it answers, and a minute to read that."""
_MARGIN: Final = 4 * MINUTE
_EARLY: Final = 40
"""Percent of the time that is left before what was announced in which somebody does what would have come too late: without a source."""


@dataclass(slots=True)
class MatterWalk:
    """A walk in progress: the same facts word every step.

    Attributes:
        at: its clock: when the last thing happened.
        bound: what slots stand for.
        times: the times that it names.
        case: the ticket where it is written whole.
        plan: the change that it asks for.
        ends: what may be said when it is done.
        parts: who has which part in what is written: `A`, `R`, `O`.
        commented: how many comments of what is written with it have been made.
    """

    life: Life
    staff: Staff
    key: str
    stream: Stream
    project: Project
    pack: WorkPack
    reporter: str
    at: Instant
    times: NamedTimes
    bound: dict[str, str] = field(default_factory=dict)
    case: TicketCase | None = None
    plan: PullPlan | None = None
    type: TicketType = "Bug"
    ends: tuple[str, ...] = ()
    parts: dict[str, str] = field(default_factory=dict)
    steps: list[MatterStep] = field(default_factory=list)
    commented: int = 0

    @property
    def opened(self) -> str:
        """The key of the step that opens it, by which it is named."""
        return f"{self.key}/0"

    def wait(self, who: str, table: Sequence[int], *, least: Duration = 0) -> bool:
        """Go on to when somebody gets to it, at their desk; False where they do not come back to it.

        Args:
            table: quantiles of the wait, in minutes.
        """
        tempo = Stream(self.life.seed, self.key, "tempo").choice(_TEMPO)
        waits = [one * tempo // 100 for one in table]
        return self._arrive(self.staff.desks[who].later(self.at + least, waits, self.stream))

    def wait_in_time(self, who: str, table: Sequence[int], *, said: str = "", least: Duration = 0) -> bool:
        """The same before what was announced has come; False where they are not at their desk before."""
        since, until = self.at, self.times.until(said, self.at)
        is_there = self.wait(who, table, least=least)
        if until is None or (is_there and self.at < until - _MARGIN):
            return is_there
        desk, last = self.staff.desks[who], until - _MARGIN
        left = max((until - since) * _EARLY // 100, 1)
        wanted = since + least + self.stream.below(left)
        there = desk.back(min(wanted, last), self.stream)
        if there is None or there > last:
            there = desk.back(since + least, self.stream)
        return there is not None and there <= last and self._arrive(there)

    def reach(self, who: str, *, after: Duration = 0) -> bool:
        """Go on to when somebody is at their desk; False where they do not come back to it."""
        return self._arrive(self.staff.desks[who].back(self.at + after, self.stream))

    def _arrive(self, there: Instant | None) -> bool:
        self.at = self.at if there is None else there
        return there is not None

    def step(
        self,
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
        """One more act, at the desk of whoever does it; `is_there` where they are about to. The first one opens the ticket."""
        number = len(self.steps)
        if number and not is_there and not self._turn_to_it(who):
            return
        intent = Intent(
            kind, f"{self.key}/{number}", who, to=to, via=self.life.apps["opens"], subject=subject, text=text,
            thing=self.opened if number else "", details=details or {},
        )  # fmt: skip
        self.steps.append(MatterStep(self.at, intent, (needs or self.opened) if number else "", is_named))

    def _turn_to_it(self, who: str) -> bool:
        return self.reach(who, after=self.stream.between(4 * SECOND, 3 * MINUTE))

    def say(self, turn: Turn, *, waits: bool = True, needs: str = "") -> bool:
        """A comment that is written, by whoever has that part; False where nobody comes back to it in time."""
        who, later, until = self.parts[turn.who], None, None
        if self.case is not None:
            self.commented += 1
            later = self.case.later.get(self.commented)
        if later is not None:
            since = self.at + later * DAY if isinstance(later, int) else self.times.over(later)
            self.at = max(self.at, since or self.at)
            is_there = self.wait(who, _WAITED_FOR)
        elif waits:
            until = self.times.until(turn.text, self.at)
            least = MINUTE + _TYPED * len(turn.text.split()) * SECOND
            is_there = self.wait_in_time(who, _REMARK, said=turn.text, least=least)
        else:
            is_there = True
        if not is_there or not self._turn_to_it(who) or (until is not None and self.at >= until):
            return False
        text = self.script(turn.text)
        if self.life.is_free(text):
            self.step("comment", who, text=self.staff.written(who, text, self.stream), needs=needs, is_there=True)
        return True

    def discuss(self, turns: Sequence[Turn], *, is_there: bool = False, needs: str = "") -> bool:
        """Comments, each when whoever makes it gets to it; False where somebody does not come back to it.

        Args:
            is_there: the first of them is about to.
        """
        return all(self.say(turn, waits=number > 0 or not is_there, needs=needs) for number, turn in enumerate(turns))

    def script(self, text: str) -> str:
        """A text that is written with the ticket, with its alternatives drawn and its slots filled."""
        return SLOT.sub(self._filled, varied(text, self.stream))

    def _filled(self, found: re.Match[str]) -> str:
        slot = found[1]
        if slot.upper() in self.parts:
            return self.staff.first_name(self.parts[slot.upper()])
        if slot in TIME_SLOTS:
            return self.times.named(slot, self.at, self.stream)
        if slot not in self.bound:
            planned = self.plan.words.get(slot) if self.plan is not None else ""
            self.bound[slot] = planned or drawn_slot(slot, self.stream) or self.stream.choice(self._words(slot))
        return self.bound[slot]

    def _words(self, slot: str) -> Sequence[str]:
        """What a slot may stand for: words of the company or of its pack, or a colleague who has nothing to do with it."""
        if slot != "person":
            return self.life.words.get(slot) or self.pack.words.get(slot) or (slot,)
        others = [
            one
            for one in self.life.people
            if one.name not in self.project.people and one.is_employed(self.at)
        ]  # fmt: skip
        return [one.full.split()[0] for one in others or self.life.people]

    def forget(self) -> None:
        """Let numbers and times be drawn anew, for what is said was not written with the ticket."""
        self.times = NamedTimes(self.life.zone)
        for slot in _FRESH:
            self.bound.pop(slot, None)
