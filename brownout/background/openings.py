"""Which conversations people begin, before it is known with whom, about what and whether they come about."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from brownout.background.acquaintances import Acquaintances
from brownout.background.conversation_shapes import draw_speakers
from brownout.background.dealer import WEEKDAYS
from brownout.background.desk_hours import Desk
from brownout.background.integer_math import ONE, at_rank, mixed, power
from brownout.background.life_sources import Life
from brownout.background.scripts import switches_of
from brownout.core.seeds import Stream

__all__ = ["Opening", "Openings"]

_DAY_SPREAD: Final = 220
"""How far days are apart, in thousandths of a logarithm: a working value without a source."""
_SLOTS: Final = 24
_OPENED: Final = 3_420
"""Conversations that a head opens on a weekday, 1.25, over the slots of a day, of 65,536: some ten messages."""
_PRIVATE_PAIR, _PRIVATE_GROUP, _PRIVATE_ALONE = 85, 42, 35
_THREADED: Final = 78
_ABOUT_TICKETS: Final = 8
"""Percent of conversations of a few lines that are about a ticket."""
_LONGEST_ON_A_TICKET: Final = 6
_AS_LONG: Final = 4
"""A conversation is about as long as another one where their messages differ by this part of it at most, or by one."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A conversation that somebody would begin.

    Attributes:
        speakers: who speaks each line, 0 being who opens.
        own: bits that decide about it.
        openers: who could begin it, the likeliest first.
    """

    key: str
    day: int
    speakers: tuple[int, ...]
    own: int
    openers: Sequence[str]
    is_private: bool
    is_threaded: bool

    @property
    def is_about_a_ticket(self) -> bool:
        """It is rather about a ticket than about anything else."""
        return len(self.speakers) <= _LONGEST_ON_A_TICKET and mixed(self.own, 3) % 100 < _ABOUT_TICKETS


class Openings:
    """The conversations that are begun in a company, by day."""

    def __init__(self, life: Life, desks: Mapping[str, Desk], acquaintances: Acquaintances) -> None:
        self._life, self._desks, self._acquaintances = life, desks, acquaintances
        self._volume = life.volumes.get("people", 0)

    def of_week(self, monday: int) -> list[list[Opening]]:
        """What is begun on each day of a week, beside what the author tells.

        The volume is that of the whole company, so for each conversation of the author's one that is about as long is not begun.
        """
        week = [[*self._of_day(day)] for day in range(monday, monday + 7)]
        left = [(_Outline.of(one.speakers), mixed(one.own, 8), one.key) for of_day in week for one in of_day]
        told = self._life.told.get(monday, ())
        for number, outline in enumerate(map(_Outline.of, told)):
            if left and Stream(self._life.seed, "told", monday, number).below(1000) < self._volume:
                alike = min(left, key=lambda one: (*one[0].unlike(outline), *one[1:]))
                if alike[0].is_as_long(outline):
                    left.remove(alike)
        kept = {key for _, _, key in left}
        return [[one for one in of_day if one.key in kept] for of_day in week]

    def _of_day(self, day: int) -> Iterator[Opening]:
        if not self._volume:
            return
        weekday = (day + 3) % 7
        lively = power(_DAY_SPREAD * self._normal(Stream(self._life.seed, "lively", day)) // 1000)
        share = _OPENED * WEEKDAYS[weekday] * self._volume // 100_000 * lively // ONE
        there = [name for name, desk in self._desks.items() if desk.spans(day)]
        for person in self._life.people:
            if weekday < 5 and not self._desks[person.name].spans(day):
                continue
            slots = Stream(self._life.seed, "talks", day, person.name)
            for slot in range(_SLOTS):
                if slots.below(ONE) < share:
                    yield self._begins(day, f"{person.name}.{slot}", there)

    def _begins(self, day: int, slot: str, there: Sequence[str]) -> Opening:
        stream = Stream(self._life.seed, "talk", day, slot)
        speakers = draw_speakers(self._life.tables, stream)
        own = stream.bits()
        people = max(speakers) + 1
        is_private = stream.chance(_PRIVATE_ALONE if people == 1 else _PRIVATE_PAIR if people == 2 else _PRIVATE_GROUP)
        openers = self._acquaintances.likeliest(there, own)
        return Opening(f"talk/{day}/{slot}", day, speakers, own, openers, is_private, stream.chance(_THREADED))

    def _normal(self, stream: Stream) -> int:
        return at_rank(self._life.tables.normal, stream.below(ONE))


class _Outline(NamedTuple):
    """How many messages a conversation has, of how many people, with how many changes of speaker."""

    messages: int
    people: int
    switches: int

    @classmethod
    def of(cls, speakers: tuple[int, ...]) -> "_Outline":
        return cls(len(speakers), max(speakers) + 1, switches_of(speakers))

    def unlike(self, other: "_Outline") -> tuple[int, ...]:
        """How far two are apart, in messages first."""
        return tuple(abs(one - another) for one, another in zip(self, other, strict=True))

    def is_as_long(self, other: "_Outline") -> bool:
        return abs(self.messages - other.messages) <= max(other.messages // _AS_LONG, 1)
