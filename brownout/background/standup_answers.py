"""What people answer to the question of the morning: what they did to tickets since the last one, and what they are at."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from brownout.background.desk_hours import Desk
from brownout.background.life_sources import Life
from brownout.background.matter_steps import MatterStep
from brownout.background.packs import SLOT, filled
from brownout.background.voices import typed, voices_of
from brownout.core.apps import Intent
from brownout.core.instants import DAY, HOUR
from brownout.core.seeds import Stream

__all__ = ["StandupAnswers"]

_ANSWERS: Final = (25, 85)
"""Percent of the mornings on which somebody who did something answers, by person. Without a source."""
_AFTER: Final = (1, 2, 4, 8, 14, 24, 40, 70, 130)
"""Minutes after the question, quantiles. Without a source."""
_LASTS: Final = 6 * HOUR
_NAMED: Final = 2
"""Tickets that a line names at most."""
_WITH_TITLE: Final = 45
"""Percent of the tickets named with what they are called."""


@dataclass(slots=True)
class _Day:
    """What somebody did: keys of the steps that opened the tickets, the last ones last."""

    done: list[str] = field(default_factory=list)
    review: list[str] = field(default_factory=list)
    doing: list[str] = field(default_factory=list)

    def put(self, ticket: str, state: Literal["done", "review", "doing"]) -> None:
        """Note what a ticket has come to; it is in one state, the last."""
        self.forget(ticket)
        {"done": self.done, "review": self.review, "doing": self.doing}[state].append(ticket)

    def forget(self, ticket: str) -> None:
        """Leave a ticket out, as one that comes to nothing."""
        for keys in (self.done, self.review, self.doing):
            if ticket in keys:
                keys.remove(ticket)

    def slots(self) -> dict[str, list[str]]:
        """What there is to say, by slot of the texts."""
        found = {"done": self.done, "review": self.review, "doing": self.doing}
        return {slot: keys[-_NAMED:] for slot, keys in found.items() if keys}


class StandupAnswers:
    """The answers of a company's mornings."""

    def __init__(self, life: Life, desks: Mapping[str, Desk]) -> None:
        self._life, self._desks = life, desks
        self._voices = voices_of(life)
        self._share = {
            person.name: Stream(life.seed, "stands up", person.name).between(*_ANSWERS) for person in life.people
        }

    def of(
        self,
        asked: MatterStep,
        intents: Sequence[Intent],
        title: Callable[[str], str],
        was_done: Callable[[str], bool],
    ) -> Iterator[MatterStep]:
        """Who answers a question, below it.

        Args:
            intents: what was done since the question before, in order.
            title: what the ticket is called that a step of that key opened.
            was_done: whether the ticket was closed before that already; who closes it once more does not say the same again.
        """
        assert self._life.cards is not None
        for name, day in self._days(intents, was_done).items():
            stream = Stream(self._life.seed, asked.intent.key, name)
            if not stream.chance(self._share[name]):
                continue
            at = self._desks[name].later(asked.at, _AFTER, stream)
            slots = day.slots()
            texts = [one for one in self._life.cards.stood if {*SLOT.findall(one)} == slots.keys()]
            if at is None or at - asked.at > _LASTS or not texts:
                continue
            words = {
                slot: " and ".join(self._named(key, title, stream, is_again=was_done(key)) for key in keys)
                for slot, keys in slots.items()
            }
            first = Stream(self._life.seed, "first words", name).below(len(texts))
            text = filled(texts[(first + asked.at // DAY) % len(texts)], words)  # not the same on two mornings
            if self._life.is_free(text):
                said = typed(text, self._voices[name], stream, may_hedge=False, may_begin=False).text
                key = f"{asked.intent.key}/{name}"
                intent = Intent(
                    "tell", key, name, to=asked.intent.to, via=asked.intent.via, text=said, details={"thread": asked.intent.key}
                )  # fmt: skip
                yield MatterStep(at, intent, asked.intent.key)

    def _days(self, intents: Sequence[Intent], was_done: Callable[[str], bool]) -> dict[str, _Day]:
        """What each of the people did, in the order in which they first did something."""
        found: dict[str, _Day] = {}
        for intent in intents:
            if intent.via != self._life.apps["opens"] or intent.who not in self._share:
                continue
            ticket = intent.thing
            is_done = intent.kind == "close" and intent.details.get("resolution") == "Done"
            if intent.kind == "begin":
                found.setdefault(intent.who, _Day()).put(ticket, "doing")
            elif intent.kind == "review" or (is_done and not was_done(ticket)):
                found.setdefault(intent.who, _Day()).put(ticket, "done" if is_done else "review")
            elif intent.kind == "close":
                found.setdefault(intent.who, _Day()).forget(ticket)
            elif intent.kind == "assign" and intent.to[0] in self._share:
                found.setdefault(intent.to[0], _Day()).put(ticket, "doing")
        return found

    @staticmethod
    def _named(key: str, title: Callable[[str], str], stream: Stream, *, is_again: bool) -> str:
        """A ticket as somebody names it: `ODD-12`, `ODD-12 (Two chairs)`, `ODD-12 again` where it came back."""
        called = title(key) if stream.chance(_WITH_TITLE) else ""
        again = " again" if is_again else ""
        return f"[[{key}]]{again} ({called})" if called else f"[[{key}]]{again}"
