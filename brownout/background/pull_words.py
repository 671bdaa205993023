"""What is written about one change: its title and description, messages of its commits, what people say of it and how that is answered."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from brownout.background.life_sources import Life
from brownout.background.packs import SLOT
from brownout.background.pull_plans import COMPANY, PullPlan
from brownout.background.said_when import conditional, fitting
from brownout.background.sentences import capitalized
from brownout.background.staff import Staff
from brownout.background.written import Turn, turns_of, varied
from brownout.core.seeds import Stream

__all__ = ["AskingTicket", "PullOpening", "PullWords"]

_EMPTY, _TICKETS_TITLE, _SAYS_HOW, _HOW, _CHECKED = 6, 40, 45, 55, 40
"""Percent of changes that say no reason, that are called as their ticket is, and that say more than its name; of those that say a
reason, how it was done and what was checked. Without a source."""
_WHYS: Final = 8
"""How often a company says a reason for a change at most."""
_TRIES: Final = 6


@dataclass(frozen=True, slots=True)
class AskingTicket:
    """What asks for a change: the key of the step that opened it, what it is called, and who may look at the change."""

    key: str
    title: str
    team: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PullOpening:
    """What a request is opened with: its title and description, and what its commit says."""

    title: str
    text: str
    message: str


class PullWords:
    """The texts of one change, none twice as long as there are others, none with an author's fact in it.

    Args:
        stream: of its walk.
        own: who has to do with it.

    Attributes:
        slots: what slots stand for.
        marks: what is true of it, for the conditions of texts: the entry, its group, of a version `major`, `minor` or `patch`, `waiting` or `approved`.
    """

    def __init__(
        self, life: Life, staff: Staff, plan: PullPlan, stream: Stream, author: str, reviewers: Sequence[str],
        ticket: AskingTicket | None,
    ) -> None:  # fmt: skip
        self._life, self._staff, self._plan, self._stream = life, staff, plan, stream
        self._author, self._reviewers, self._ticket = author, reviewers, ticket
        self.slots = {**plan.words, "ticket": f"[[{ticket.key}]]" if ticket else ""}
        self.marks = _marks(plan)
        self._used: set[str] = set()

    def opening(self) -> PullOpening:
        """How it is opened: as it is written where it is, else put together."""
        stream, pack, change, written = self._stream, self._plan.base.pack, self._plan.change, self._plan.written
        if change is not None:
            title, text, says = (self._filled(part) for part in (change.title, change.text.strip(), change.says))
            return PullOpening(capitalized(title), text, says or self.one_of(pack.commits))
        title = capitalized(self.one_of(pack.titles))
        if written is not None:
            if self._ticket and stream.chance(_TICKETS_TITLE):
                title = self._ticket.title
            how = self._once(written.how) if stream.chance(_SAYS_HOW) else ""
            return PullOpening(title, self._filled(how), self.one_of(pack.commits))
        why = "" if stream.chance(_EMPTY) else self._why()
        parts = [why] if why else []
        for texts, share in ((pack.how, _HOW), (pack.checked, _CHECKED)):
            if parts and texts and stream.chance(share):
                parts.append(self.one_of(texts))
        return PullOpening(title, " ".join(parts), self.one_of(pack.commits))

    def one_of(self, texts: Sequence[str], *, once: Sequence[str] = ()) -> str:
        """One of the texts, filled, for a title or a commit; one of `once` where the company has not said all of them."""
        return self._filled(self._once(once)) or self._drawn(texts, "")[0]

    def script(self, scripts: Sequence[str]) -> tuple[Turn, ...]:
        """One of the scripts that the company has not had, unfilled; nothing where none is left."""
        return turns_of(self._once(scripts))

    def said(self, who: str, text: str) -> str:
        """A text as somebody says it, filled."""
        return self._staff.written(who, self._filled(text), self._stream)

    def remark(self, who: str, texts: Sequence[str]) -> tuple[str, str]:
        """One of the texts as somebody says it, with what it is answered with, unfilled; empty where they have said all of them."""
        author, landed = (self._author,), self._plan.landed
        new = [one for one in fitting(texts, self.marks) if not landed.have_talked(author, conditional(one).answer)]
        left = self._plan.remarks.left(who, new)
        text, answer = self._drawn(left, who) if left else ("", "")
        if answer:
            landed.talk(author, answer)
        return (self.said(who, text) if text else ""), answer

    def _once(self, texts: Sequence[str]) -> str:
        """One of the texts that nobody of the company has said and that states no fact of a storyline; empty where none is left."""
        landed = self._plan.landed
        left = [one for one in texts if self._life.is_free(one) and not landed.have_talked((COMPANY,), one)]
        if not left:
            return ""
        chosen = self._stream.choice(left)
        landed.talk((COMPANY,), chosen)
        return chosen

    def _why(self) -> str:
        """Why it is made, as so many of a company write it once each, nobody twice; a machine writes it each time."""
        why = self._plan.base.pack.why
        if self._author not in self._staff.people:
            return self.one_of(why)
        own, landed = Stream("why", self._author).below(_WHYS), self._plan.landed
        new = [one for one in fitting(why, self.marks) if not landed.have_talked((self._author,), one)]
        for turn in range(_WHYS):
            some, before = f"{self._plan.base.name}/{(own + turn) % _WHYS}", {*self._used}
            left = self._plan.remarks.left(some, new)
            if said := self._drawn(left, some)[0] if left else "":
                for chosen in self._used - before:
                    landed.talk((self._author,), chosen)
                return said
        return ""

    def _drawn(self, texts: Sequence[str], who: str) -> tuple[str, str]:
        """One of the texts that fit, filled, and what it is answered with.

        Args:
            who: says it as a remark; nobody where it is a title or a commit's message.
        """
        text = ""
        texts = [one for one in fitting(texts, self.marks) if self._ticket or "{ticket}" not in one]
        for _ in range(_TRIES if texts else 0):
            chosen = self._stream.choice(texts)
            read = conditional(chosen)
            text = SLOT.sub(self._slot, read.text)
            if chosen not in self._used and self._life.is_free(f"{text} {read.answer}"):
                self._used.add(chosen)
                self._plan.remarks.say(who, chosen)
                return text, read.answer
        return ("" if who else text), ""

    def _filled(self, text: str) -> str:
        return SLOT.sub(self._slot, varied(text, self._stream))

    def _slot(self, found: re.Match[str]) -> str:
        slot = found[1]
        if slot == "n":
            return next(str(one) for one in self._stream.shuffled(range(2, 41)) if self._life.is_free(str(one)))
        if slot not in self.slots:
            own = {self._author, *self._reviewers}
            others = [self._staff.first_name(name) for name in self._plan.base.reviewers if name not in own]
            self.slots[slot] = self._stream.choice(others or ["somebody"]) if slot == "person" else slot
        return self.slots[slot]


def _marks(plan: PullPlan) -> set[str]:
    """What is true of a change, as the conditions of texts name it."""
    first = plan.lines[0]
    update = _update(plan.words["old"], plan.words["value"]) if plan.base.pack.by == "bot" else ""
    return {first.entry.name, first.group, "waiting", update} - {""}


def _update(old: str, new: str) -> str:
    """Which part of a version changes: `minor` from 2.9.0 to 2.10.1."""
    parts = zip(old.split("."), new.split("."), strict=False)
    return next((name for name, (one, other) in zip(("major", "minor"), parts, strict=False) if one != other), "patch")
