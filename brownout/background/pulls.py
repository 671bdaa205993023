"""Pull requests of everyday life: each is a walk from a branch to its merge that ends every wait at a desk."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from brownout.background.code_bases import CodeBase, slug
from brownout.background.desk_hours import day_of
from brownout.background.integer_math import ONE, at_rank, mixed
from brownout.background.life_sources import Life
from brownout.background.matter_steps import MatterStep
from brownout.background.pull_plans import DealtLines, PullPlan, PullPlans
from brownout.background.pull_words import AskingTicket, PullWords
from brownout.background.staff import Staff
from brownout.background.written import Turn
from brownout.core.apps import Intent, IntentKind
from brownout.core.instants import DAY, HOUR, MINUTE, SECOND, Instant
from brownout.core.seeds import Stream
from brownout.core.values import Json, JsonObject

__all__ = ["Outcome", "Pulls"]

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
_NAMES_TICKET, _REFERS_TOO, _AUTHORED_BEFORE = 92, 45, 40
_SECOND_REVIEWER, _TALKED, _SUMMED_UP, _APPROVED_WITH_WORDS = 14, 16, 70, 55
"""Percent. Without a source."""
_BODY: Final = 45
"""Percent of merges whose commit keeps the description. Without a source."""
_ALONE: Final = 120
"""Changes without a ticket that a head begins on a weekday, of 1,000."""
_WEEKDAYS: Final = (108, 110, 106, 98, 78, 4, 4)
_EARLY: Final = 6 * HOUR
_CHECKED: Final = 3 * MINUTE
_REVIEWERS: Final = 3
_REMARKS: Final = 3
"""Line comments of a review at most where an entry's own are made."""
_IN_SHORT: Final = ("Please see the comments.", "See above, please.", "See my remarks.")
"""What a reviewer says who asks for changes in remarks alone."""
_Remark: TypeAlias = tuple[JsonObject, Sequence[Turn]]
"""Where a comment stands, and what follows on it there."""


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


class Pulls:
    """All changes of a company's code bases of everyday life."""

    def __init__(self, life: Life, staff: Staff, plans: PullPlans) -> None:
        self._life, self._staff, self._plans = life, staff, plans

    def made(self, plan: PullPlan, ticket: AskingTicket, author: str, at: Instant) -> Outcome:
        """What becomes of a change that a ticket asks for, from when somebody begins it."""
        return _PullWalk(self._life, self._staff, plan, author, at, ticket).go()

    def begun(self, day: int, deal: DealtLines) -> Iterator[tuple[MatterStep, ...]]:
        """The steps of each change that begins on a day without a ticket."""
        volume, code = self._life.volumes.get("work", 0), self._plans.code
        if not volume or not code:
            return
        share = ONE * _ALONE * _WEEKDAYS[(day + 3) % 7] * volume // 100_000_000
        weights = [lines.base.pack.weight for lines in code]
        for person in self._life.people:
            slots = Stream(self._life.seed, "changes", day, person.name)
            for slot in range(2):
                if slots.below(ONE) >= share // 2:
                    continue
                key = f"change/{day}/{person.name}.{slot}"
                stream = Stream(self._life.seed, key)
                lines = stream.weighted(code, weights)
                author, at = self._beginning(lines.base, day, person.name, stream)
                plan = self._plans.unasked(deal, key, lines, stream) if author and at is not None else None
                if plan is not None and at is not None:
                    yield _PullWalk(self._life, self._staff, plan, author, at).go().steps

    def _beginning(self, base: CodeBase, day: int, person: str, stream: Stream) -> tuple[str, Instant | None]:
        """Who makes a change of themselves, and when: a machine early in the morning, somebody who knows the code base."""
        if base.pack.by == "bot":
            at = self._staff.desks[person].moment(day, stream)
            return self._life.bots.get("pins", ""), None if at is None else at - at % DAY + _EARLY + stream.below(HOUR)
        author = person if person in base.reviewers else stream.choice(base.reviewers)
        return author, self._staff.desks[author].moment(day, stream)


class _PullWalk:
    """A change on its way, from when its author begins it."""

    def __init__(
        self, life: Life, staff: Staff, plan: PullPlan, author: str, at: Instant, ticket: AskingTicket | None = None
    ) -> None:
        self._life, self._staff, self._plan, self._author = life, staff, plan, author
        self._pack, self._at, self._ticket = plan.base.pack, at, ticket
        self._stream = Stream(life.seed, plan.key, "walk")
        self._reviewers = self._looking()
        self._words = PullWords(life, staff, plan, self._stream, author, self._reviewers, ticket)
        self._branch = self._named()
        self._opened = f"{plan.key}/opened"
        self._steps: list[MatterStep] = []
        self._pushes = 0

    def _looking(self) -> list[str]:
        """Who looks at it, the likeliest first: of the ticket's team and those who know the code base; a race."""
        bits = Stream(self._life.seed, self._plan.key, "reviewers").bits()
        near = set(self._ticket.team) if self._ticket else set()

        def place(name: str) -> tuple[bool, int]:
            return name not in near, mixed(bits, Stream(name).bits())

        return sorted((name for name in self._plan.base.reviewers if name != self._author), key=place)[:_REVIEWERS]

    def _named(self) -> str:
        """What its branch is called."""
        slots = self._words.slots
        words = f"{slug(self._plan.place)}-{slots['key'].replace('_', '-')}"
        if self._pack.by == "bot":
            return f"pins/{words}-{slots['value']}"
        style = Stream(self._life.seed, "branches", self._author).below(3)
        return (f"{self._author}/{words}", words, f"{('change', 'fix', 'chore')[self._stream.below(3)]}/{words}")[style]

    @property
    def _is_by_person(self) -> bool:
        return self._author in self._staff.people

    @property
    def _person(self) -> str:
        """Who sees to it: its author, of a machine's change whoever looks at it; empty where nobody does."""
        return self._author if self._is_by_person else next(iter(self._reviewers), "")

    def go(self) -> Outcome:
        """What becomes of it."""
        merged = f"{self._plan.key}/merged" if self._walked() else ""
        return Outcome(tuple(self._steps), self._at, self._opened, merged)

    def _walked(self) -> bool:
        """Walk to its merge; False where it does not come to that."""
        stream = self._stream
        is_red = stream.chance(_RED)
        self._open(is_red=is_red)
        if is_red and not self._make_green():
            return False
        if stream.chance(_GIVEN_UP):
            self._give_up()
            return False
        talks = stream.chance(_TALKED) and self._is_by_person and bool(self._reviewers)
        if talks and stream.chance(50) and self._wait(self._author, _MEND):
            self._comment(self._author, self._pack.comments, other=self._reviewers[0])
            talks = False
        if not (stream.chance(_OWN_MERGE) and self._is_by_person) and not self._review():
            return False
        self._words.marks = self._words.marks - {"waiting"} | {"approved"}
        if talks and self._wait(self._author, _MERGE):
            self._comment(self._author, self._pack.comments, other=self._reviewers[0])
        if not self._person or not self._wait(self._person, _MERGE):
            return False
        self._merge()
        return True

    def _open(self, *, is_red: bool) -> None:
        stream, opening = self._stream, self._words.opening()
        title, body = opening.title, opening.text
        style = Stream(self._life.seed, "style", self._author).below(3)
        ticket = self._words.slots["ticket"]
        if ticket and stream.chance(_NAMES_TICKET):
            title = (title, f"{ticket}: {title}", f"[{ticket}] {title}")[style]
        if ticket and self._pack.refers and (ticket not in title or stream.chance(_REFERS_TOO)):
            body = "\n\n".join(part for part in (body, self._words.one_of(self._pack.refers)) if part)
        wanted = self._checks()
        committed = self._at - stream.between(40, 900) * SECOND
        bad = 1 + stream.below(2) if is_red else 0
        details: JsonObject = {
            "repo": self._plan.base.full_name,
            "branch": self._branch,
            "lines": self._changes(),
            "message": opening.message,
            "reviewers": [*self._reviewers[:1]],
            "checks": {"passed": wanted - bad, "failed": bad},
            "committed": committed,
            "authored": committed - (stream.between(3, 55) * MINUTE if stream.chance(_AUTHORED_BEFORE) else 0),
        }
        self._act("open", self._author, name="opened", subject=title, text=body, details=details, is_named=True)

    def _make_green(self) -> bool:
        """See to a red check: run it again where nothing is wrong, else push what mends it."""
        self._at += _CHECKED
        if not self._person or not self._wait(self._person, _MEND):
            return False
        if self._stream.chance(_FLAKY) or not self._plan.can_push(self._pushes):
            self._act("check", self._person, details={"checks": {"passed": self._checks(), "failed": 0}})
        else:
            written = self._plan.written
            self._push(self._person, self._pack.mends, once=written.red if written else ())
        self._at += _CHECKED
        return True

    def _give_up(self) -> None:
        if self._person and self._wait(self._person, _LEFT):
            self._comment(self._person, self._pack.given_up)
            self._act("close", self._person)

    def _merge(self) -> None:
        opening = self._steps[0].intent
        body = opening.text.partition("\n\n")[0] if self._stream.chance(_BODY) else ""
        title = f"{opening.subject} (#[[{self._opened}]])"
        details: JsonObject = {"method": "squash", "title": title, "message": body, "delete_branch": True}
        self._act("merge", self._person, name="merged", details=details, is_named=True)
        for number, line in enumerate(self._plan.lines):
            self._plan.landed.add(self._plan.base, line, self._at, self._plan.value(number, self._pushes))

    def _review(self) -> bool:
        """Let somebody look at it until they are content; False where nobody does."""
        stream = self._stream
        reviewer = next((one for one in self._reviewers if self._wait(one, _REVIEW)), "")
        if not reviewer:
            return False
        comments = at_rank(_LINE_COMMENTS, stream.below(ONE)) if self._pack.by == "people" else stream.below(2)
        chance = _CHANGES if self._is_by_person else 0  # a machine answers nobody
        while (
            stream.chance(chance)
            and self._plan.can_push(self._pushes)
            and (asked := self._ask_for_changes(reviewer, max(comments, 1)))
        ):
            if not self._wait(self._author, _ANSWER):
                return False
            self._answer(reviewer, asked)
            self._push(self._author, self._pack.fixes)
            if not self._wait(reviewer, _ANSWER):
                return False
            chance, comments = _CHANGES_AGAIN, comments // 2
        if comments and self._pushes < 2:
            remarks = self._remark(reviewer, comments)
            noted = self._pack.noted if len(remarks) > 1 and stream.chance(_SUMMED_UP) else ()
            if said := self._words.remark(reviewer, noted)[0]:
                self._act("review", reviewer, text=said, details={"state": "comment"})
            if self._is_by_person and any(turns for _, turns in remarks):
                if not self._wait(self._author, _ANSWER):
                    return False
                self._answer(reviewer, remarks)
                if not self._wait(reviewer, _ANSWER):
                    return False
        self._approve(reviewer)
        if len(self._reviewers) > 1 and stream.chance(_SECOND_REVIEWER) and self._wait(self._reviewers[1], _ANSWER):
            self._approve(self._reviewers[1])
        return True

    def _ask_for_changes(self, reviewer: str, comments: int) -> list[_Remark]:
        """Ask for changes, in words of the whole and in line comments, with what follows on them; nothing where there is nothing to ask."""
        written = self._plan.written
        request = self._words.script(written.requests) if written else ()
        if written and not request:
            return []
        remarks = self._remark(reviewer, comments)
        if request:
            said = self._words.said(reviewer, request[0].text)
        else:
            said = self._words.remark(reviewer, self._pack.requests)[0]
        if not said and not remarks:
            return []
        said = said or self._words.said(reviewer, self._stream.choice(_IN_SHORT))
        self._act("review", reviewer, text=said, details={"state": "changes"})
        return [*remarks, ({}, request[1:])]

    def _remark(self, who: str, number: int) -> list[_Remark]:
        """Line comments, each a little after the other, with where they stand and what else is written there."""
        found: list[_Remark] = []
        written, pack = self._plan.written, self._pack
        for _ in range(min(number, len(written.remarks) if written else len(pack.remarks), _REMARKS)):
            line = self._plan.lines[0]
            details: JsonObject = {"path": line.path, "line": line.number}
            if written is None:
                text, answer = self._words.remark(who, pack.remarks)
                turns: Sequence[Turn] = (Turn("A", answer),) if answer else ()
            elif script := self._words.script(written.remarks):
                text, turns = self._words.said(who, script[0].text), script[1:]
            else:
                break
            if text:
                self._act("comment", who, text=text, details=details)
                found.append((details, turns))
        return found

    def _answer(self, reviewer: str, remarks: Sequence[_Remark]) -> None:
        """What follows on comments, where it stands."""
        for details, turns in remarks:
            for turn in turns:
                by = self._author if turn.who == "A" else reviewer
                self._act("comment", by, text=self._words.said(by, turn.text), details=details)

    def _approve(self, who: str) -> None:
        is_said = self._stream.chance(_APPROVED_WITH_WORDS)
        self._act("approve", who, text=self._words.remark(who, self._pack.approvals)[0] if is_said else "")

    def _comment(self, who: str, texts: Sequence[str], *, other: str = "") -> None:
        others = (name for name in (self._author, *self._staff.people) if name != who)
        self._words.slots["other"] = other or next(others)
        if text := self._words.remark(who, texts)[0]:
            self._act("comment", who, text=text)

    def _push(self, who: str, messages: Sequence[str], *, once: Sequence[str] = ()) -> None:
        """Push another value, with one of `once` where one is left, else one of the messages."""
        self._pushes += 1
        self._words.slots["value"] = self._plan.value(0, self._pushes)
        details: JsonObject = {
            "repo": self._plan.base.full_name,
            "branch": self._branch,
            "lines": self._changes(),
            "message": self._words.one_of(messages, once=once),
            "checks": {"passed": self._checks(), "failed": 0},
        }
        self._act("push", who, details=details)

    def _changes(self) -> Json:
        """Its lines by file, each with its beginning and what it says now; of a push, those that change again."""
        changes: dict[str, list[Json]] = {}
        for number, line in enumerate(self._plan.lines):
            if not self._pushes or self._plan.is_pushed(number):
                value = self._plan.value(number, self._pushes)
                changes.setdefault(line.path, []).append([line.beginning, line.with_value(value)])
        return {path: [*made] for path, made in changes.items()}

    def _checks(self) -> int:
        """How many checks a code base has that day: now and then there is one more."""
        first, today = (day_of(at, self._life.zone) for at in (self._life.calendar[0], self._at))
        return Stream(self._life.seed, "checks", self._plan.base.full_name).between(24, 48) + (today - first) // 11

    def _act(
        self,
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
        number = len(self._steps)
        if number:
            self._at += self._stream.between(6 * SECOND, 4 * MINUTE)
            there = self._staff.desks[who].back(self._at, self._stream)
            if there is None:
                return
            self._at = there
        intent = Intent(
            kind, f"{self._plan.key}/{name or number}", who, via=self._life.apps.get("keeps", ""), subject=subject, text=text,
            thing=self._opened if number and kind != "push" else "", details=details or {},
        )  # fmt: skip
        needs = self._opened if number else self._ticket.key if self._ticket else ""
        self._steps.append(MatterStep(self._at, intent, needs, is_named))

    def _wait(self, who: str, table: Sequence[int]) -> bool:
        """Go on to when somebody gets to it, at their desk; False where they do not come back to it."""
        there = self._staff.desks[who].later(self._at, table, self._stream)
        self._at = self._at if there is None else there
        return there is not None
