"""Customers' questions: a mail to the company's support address, and what comes of it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from brownout.background.dealer import Dealer
from brownout.background.integer_math import ONE, at_points
from brownout.background.life_sources import Correspondent, Life, Support
from brownout.background.mail_parts import Thread
from brownout.background.mail_text import Matter, Sent
from brownout.background.mails import Mails, mail_step
from brownout.background.matter_steps import MatterStep
from brownout.background.packs import SUPPORT, MailAct, MailThread, TicketCase
from brownout.background.tickets import Work
from brownout.background.written import turns_of
from brownout.core.apps import Intent
from brownout.core.instants import DAY, MINUTE, SECOND, Instant
from brownout.core.seeds import Stream
from brownout.core.values import JsonObject

__all__ = ["CustomerQuestions", "QuestionSteps"]

_ASKED: Final = 100
"""Questions that reach the company a workday and head, of 1,000, and how many one person outside has at most: no source."""
_EACH: Final = 220
_WEEKDAYS: Final = (118, 106, 102, 98, 76, 12, 8)
_UNANSWERED, _CHATTED, _TICKETS, _AGAIN, _CLOSED = 12, 30, 50, 34, 82
"""Percent: nobody answers; a colleague is asked first; a fault becomes a ticket, so that with the share of faults .28 of all do; the
customer writes again; closed in the end."""
_LOOK: Final = ((0, 3), (25, 20), (50, 60), (75, 180), (90, 500), (100, 2_900))
_ANSWER: Final = ((0, 2), (25, 8), (50, 25), (75, 90), (90, 300), (100, 1_400))
_SAID: Final = ((0, 0), (25, 1), (50, 3), (80, 14), (95, 70), (100, 240))
_GOES_ON: Final = ((0, 0), (50, 1), (90, 4), (100, 30))
"""Minutes until somebody looks, until an answer, in chat, and until the same one goes on there: shapes as of mails between colleagues."""


@dataclass(slots=True)
class QuestionSteps:
    """What comes of a question: its steps, and those of the ticket that it became."""

    steps: list[MatterStep] = field(default_factory=list)
    reported: list[MatterStep] = field(default_factory=list)


class CustomerQuestions:
    """All questions of a company's customers that no storyline casts."""

    def __init__(self, life: Life, mails: Mails, work: Work) -> None:
        self._life, self._mails, self._work = life, mails, work
        self._askers = [one for one in life.outsiders if one.deals == "customer"]
        self._packs = mails.sides.get(SUPPORT, [])

    def started(self, day: int, first: int, last: int) -> Iterator[QuestionSteps]:
        """What comes of the questions of a day; the calendar's days are those from `first` to before `last`."""
        volume, support = self._life.volumes.get("work", 0), self._life.support
        if not volume or support is None or not self._askers or not self._packs:
            return
        whole = min(_ASKED * len(self._life.people), _EACH * len(self._askers))
        share = ONE * whole * _WEEKDAYS[(day + 3) % 7] // 100 * volume // 1000 // 1000 // len(self._askers)
        threads = []
        for asker in self._askers:
            key = f"question/{day}/{asker.short}"
            stream = Stream(self._life.seed, key)
            at = self._mails.desks[asker.short].moment(day, stream)
            if stream.below(ONE) < share and at is not None:
                threads.append(Thread(key, stream, "", asker.short, asker, at, 2, side=SUPPORT))
        self._mails.deal(threads, day, first, last)
        dealer = Dealer(self._life.seed, day, first, last)
        for thread in threads:
            yield _QuestionWalk(self, thread, dealer, support).asked()


class _QuestionWalk:
    """One question on its way."""

    def __init__(self, questions: "CustomerQuestions", thread: Thread, dealer: Dealer, support: Support) -> None:
        self._life, self._mails, self._work = questions._life, questions._mails, questions._work
        self._thread, self._stream, self._support, self._key = thread, thread.stream, support, thread.key
        packs = questions._packs
        pack = thread.pack or self._stream.weighted(packs, [one.weight for one in packs])
        self._is_fault = pack.matter == "fault"
        assert thread.outsider is not None
        self._asker: Correspondent = thread.outsider
        people = (self._asker.short, *support.people)
        self._matter: Matter = self._mails.text.about(
            thread.key, pack, thread.cards, dealer, thread.outsider, people, thread.at
        )
        self._at = thread.at
        self._found = QuestionSteps()
        self._sent: list[Sent] = []

    def asked(self) -> QuestionSteps:
        """Everything that comes of it."""
        stream, text = self._stream, self._mails.text
        written = self._thread.written
        if written is not None:
            self._matter.written = written
        self._send(text.first(self._matter, self._asker.short, (self._support.inbox,), (), self._at))
        if stream.chance(_UNANSWERED):
            return self._found
        who = stream.choice(self._support.people)
        if not self._wait(who, _LOOK):
            return self._found
        if written is not None:
            return self._as_written(written, who)
        if stream.chance(_CHATTED) and not self._chat(who):
            return self._found
        is_bug = self._is_fault and stream.chance(_TICKETS)
        if is_bug:
            self._report(who)
        self._answer(who)
        if stream.chance(_AGAIN) and self._wait(self._asker.short, _ANSWER):
            self._send(self._reply(self._asker.short, (who,), is_thanks=stream.chance(60)))
            if self._sent[-1].act != "agree" and self._wait(who, _ANSWER):
                self._answer(who)
        return self._closed(who)

    def _as_written(self, written: MailThread, who: str) -> QuestionSteps:
        """The rest of a conversation that is written whole; `who` of support answers."""
        others = [name for name in self._support.people if name != who] or [who]
        cast = {"A": self._asker.short, "B": who, "C": self._stream.choice(others)}
        cast |= {"D": cast["C"], "E": cast["C"]}
        self._matter.cast = cast
        if written.chat and not self._talked_over(written, who):
            return self._found
        if written.ticket is not None and not self._found.reported:
            self._open(written.ticket, who)
        for number, (letter, _) in enumerate(written.turns[1 : sum(map(len, written.mails))], 1):
            by, later = cast[letter], written.later.get(number + 1)
            if later is not None:
                over = self._at + later * DAY if isinstance(later, int) else self._matter.times.over(later)
                self._at = max(self._at, over or self._at)
            if number > 1 and not self._wait(by, _ANSWER):
                return self._found
            self._answer(by, who if letter == "A" else self._asker.short)
        done = next((step for step in reversed(self._found.reported) if step.intent.kind == "close"), None)
        if written.told and done is not None and done.intent.details.get("resolution") == "Done":
            self._at = max(self._at, done.at)
            if self._wait(who, _ANSWER):
                self._answer(who)
        return self._closed(who)

    def _talked_over(self, written: MailThread, who: str) -> bool:
        """Colleagues talk about it in a room, as it is written; False where nobody comes back to it."""
        support, matter = self._support, self._matter
        if not support.room or not support.experts:
            return True
        known = self._stream.shuffled([name for name in support.experts if name != who])
        others = [*known, *(name for name in support.people if name not in (who, *known))]
        if len(others) < 2:
            return True
        matter.cast = {**matter.cast, "D": others[0], "E": others[1]}
        asked, before = f"{self._key}/chat", who
        for number, turn in enumerate(turns_of(written.chat)):
            by = matter.cast[turn.who]
            if number and not self._wait(by, _ANSWER if number == 1 else _SAID if by != before else _GOES_ON):
                return False
            if "{ticket}" in turn.text and not self._found.reported:
                assert written.ticket is not None
                self._open(written.ticket, by)
                if not self._found.reported:
                    continue
            key = f"{asked}/{number}" if number else asked
            ticket = f"[[{self._key}/work/0]]" if self._found.reported else ""
            script = turn.text.replace("@{d}", f"@{matter.cast['D']}").replace("@{e}", f"@{matter.cast['E']}")
            text = self._mails.text.typed(matter, script, by, key, mail=self._cited, ticket=ticket)
            if self._life.is_free(text):
                self._say(key, by, text, needs=asked if number else self._sent[0].key)
            elif not number:
                return True
            before = by
        return self._wait(who, _ANSWER)

    def _open(self, case: TicketCase, who: str) -> None:
        """Open the ticket that is written with the question, in its words."""
        words = {**self._matter.bound, "mail": self._cited, "firm": self._asker.firm, "company": self._life.company}
        self._at += self._stream.between(40 * SECOND, 6 * MINUTE)
        there: Instant | None = self._mails.desks[who].back(self._at, self._stream)
        if there is not None:
            self._at = there
            times = self._matter.times.copy()
            self._found.reported = self._work.reported(f"{self._key}/work", who, there, words, "", case, times)

    @property
    def _cited(self) -> str:
        """The customer's mail as the register of customers calls it."""
        return f"[[{self._support.app}:{self._sent[0].key}]]"

    def _closed(self, who: str) -> QuestionSteps:
        """It is closed in the end, mostly."""
        stream = self._stream
        if stream.chance(_CLOSED) and self._wait(who, _ANSWER):
            key = f"{self._key}/closed"
            intent = Intent("close", key, who, via=self._support.app, thing=self._sent[0].key)
            self._found.steps.append(MatterStep(self._at, intent, self._sent[0].key))
        return self._found

    def _wait(self, who: str, table: tuple[tuple[int, int], ...]) -> bool:
        """Go on to when somebody gets to it, at their desk; False where they do not."""
        wanted = self._at + at_points(table, self._stream.below(ONE)) * MINUTE + self._stream.below(MINUTE) + SECOND
        there = self._mails.desks[who].back(wanted, self._stream)
        if there is None:
            return False
        self._at = there
        return True

    def _send(self, mail: Sent) -> None:
        self._sent.append(mail)
        self._found.steps.append(mail_step(mail, self._life.apps["mails"], is_named=True, is_heard=True))

    def _reply(self, who: str, to: tuple[str, ...], *, is_thanks: bool) -> Sent:
        before = self._sent[-1]
        act: MailAct = "agree" if is_thanks else "back"
        return self._mails.text.answer(self._matter, who, to, (), self._at, act, before, len(self._sent))

    def _answer(self, who: str, to: str = "") -> None:
        before = self._sent[-1]
        mail = self._mails.text.answer(
            self._matter, who, (to or self._asker.short,), (), self._at, "answer", before, len(self._sent)
        )
        self._send(mail)

    def _chat(self, who: str) -> bool:
        """A colleague is asked in a room, who may answer there; False where nobody comes back to it."""
        support, stream = self._support, self._stream
        if not support.room or not support.experts:
            return True
        asked, text = f"{self._key}/chat", self._mails.text
        words = text.spoken(self._matter, "chat", who, asked)
        expert = stream.choice(support.experts)
        self._say(asked, who, f"@{expert} {words} ({self._cited}, {self._asker.firm})", needs=self._sent[0].key)
        if self._wait(expert, _ANSWER):
            self._say(f"{asked}/1", expert, text.spoken(self._matter, "answer", expert, f"{asked}/1"), needs=asked)
        return self._wait(who, _ANSWER)

    def _say(self, key: str, who: str, text: str, *, needs: str) -> None:
        details: JsonObject = {"thread": needs} if needs.endswith("/chat") else {}
        intent = Intent(
            "tell", key, who, to=(self._support.room,), via=self._life.apps["talks"], text=text, details=details
        )
        self._found.steps.append(MatterStep(self._at, intent, needs, is_named=not details))

    def _report(self, who: str) -> None:
        """Open a ticket that cites the conversation, about what the customer wrote of."""
        self._at += self._stream.between(2 * MINUTE, 9 * MINUTE)
        there: Instant | None = self._mails.desks[who].back(self._at, self._stream)
        if there is None:
            return
        self._at = there
        cause = f"{self._asker.firm} wrote to us about it: {self._cited}."
        bound: dict[str, str] = {
            slot: self._matter.bound[slot] for slot in ("component", "field") if slot in self._matter.bound
        }
        self._found.reported = self._work.reported(f"{self._key}/work", who, self._at, bound, cause)
