"""Conversations: what each is about, where and when its lines are said, and by whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from brownout.background.acquaintances import Acquaintances
from brownout.background.dealer import Dealer, monday_of
from brownout.background.desk_hours import Desk, day_of
from brownout.background.dialogues import Dialogues, Wanted
from brownout.background.integer_math import mixed
from brownout.background.life_sources import Colleague, Life
from brownout.background.openings import Opening, Openings
from brownout.background.packs import TICKETS
from brownout.background.part_holders import PartHolders
from brownout.background.scripts import Dialogue
from brownout.background.staging import Staged, Staging
from brownout.background.voices import voices_of
from brownout.core.instants import DAY, HOUR, MINUTE, SECOND, Instant
from brownout.core.seeds import Stream

__all__ = ["DrawnTalk", "Reaction", "TalkLine", "Talks"]

_WEEKS_KEPT: Final = 4
_ABOUT_ANYTHING: Final = 25
"""Percent of dialogues written whole that are about something else than the work of whoever opens."""
_ASKS: Final = 8
"""Percent of dialogues written whole in which somebody asks whoever has to do with everybody."""
_IN_A_ROW: Final = 5
"""How many messages somebody writes before somebody else does, where nothing is written whole."""
_FEWEST, _MOST = 8, 40
"""Between how many messages one ends, at the latest, that is put together: the longer they are, the worse they read."""
_LONG, _LEFT_OUT = 8, 20
"""Percent of the conversations of so many messages and more for which nothing is written that are not held."""
_LASTS: Final = 6 * DAY
"""What would be said later than that is not said."""
_OVERNIGHT: Final = 20 * HOUR
_LETS_IT_BE: Final = 60
"""Percent of what would be said only after a longer pause than a night that is not said: a chat is seldom taken up after a weekend."""


@dataclass(frozen=True, slots=True)
class TalkLine:
    """Something said; `number` counts the lines of the conversation."""

    number: int
    at: Instant
    who: str


@dataclass(frozen=True, slots=True)
class Reaction:
    """Somebody's reaction to the line of that number."""

    to: int
    at: Instant
    who: str


@dataclass(frozen=True, slots=True)
class DrawnTalk:
    """A conversation.

    Attributes:
        key: its path, the same in every session.
        room: where it is held; empty for a private one.
        people: everybody in a private one, else those who speak; who opened is the first.
        is_threaded: in a room, what follows a line that begins with something hangs on it as answers.
        dialogue: what its lines say, in their order, where it is one that is written whole.
    """

    key: str
    day: int
    room: str
    people: tuple[str, ...]
    is_threaded: bool
    lines: tuple[TalkLine, ...]
    reactions: tuple[Reaction, ...]
    dialogue: Dialogue | None = None


class Talks:
    """All conversations of a company.

    Attributes:
        desks: when each of its people is there.
        acquaintances: who turns to whom.
    """

    def __init__(self, life: Life) -> None:
        self._life = life
        self._people: Mapping[str, Colleague] = {person.name: person for person in life.people}
        self.desks = {person.name: Desk(life.seed, person) for person in life.people}
        self.acquaintances = Acquaintances(life)
        self._openings = Openings(life, self.desks, self.acquaintances)
        self._holders = PartHolders(life)
        self._staging = Staging(life, self.desks, self.acquaintances, self._holders)
        self._dialogues = Dialogues(life.seed, life.dialogues, self._holders.usual)
        self._voices = voices_of(life)
        self._weeks: dict[int, list[list[DrawnTalk]]] = {}
        self._first, self._last = (day_of(at, life.zone) for at in life.calendar)
        at_tickets = {name for project in life.projects for name in project.people}
        self._with_tickets = {person.area for person in life.people if person.area and person.name in at_tickets}

    def opened(self, day: int) -> list[DrawnTalk]:
        """The conversations that begin on a day, in the order of their keys; a week shares what is dealt to it."""
        monday = monday_of(day)
        found = self._weeks.get(monday)
        if found is None:
            openings = self._openings.of_week(monday)
            scripts = self._scripts(
                monday, [one for of_day in openings for one in of_day if self._first <= one.day < self._last]
            )
            self._staging.begins_week()
            found = self._weeks[monday] = [
                [talk for one in of_day if (talk := self._talk(one, scripts.get(one.key))) is not None]
                for of_day in openings
            ]
            if len(self._weeks) > _WEEKS_KEPT:
                self._weeks.pop(next(iter(self._weeks)))
        return found[day - monday]

    def _scripts(self, monday: int, openings: Sequence[Opening]) -> dict[str, Dialogue]:
        """Which conversations of a week are to be ones that are written whole."""
        dealer = Dealer(self._life.seed, monday, self._first, self._last, days=7)
        dealt = self._dialogues.dealt(dealer, lambda one: self._holders.can_be_held(one, monday))
        holders = self._holders
        found = dealt.among(
            [
                Wanted(
                    one.key,
                    one.own,
                    self._areas(one.openers, one.own, with_tickets=one.is_about_a_ticket),
                    one.speakers,
                    self._voices[one.openers[0]].length,
                    one.is_private,
                    holders.with_anybody - {self._people[one.openers[0]].area},
                    holders.for_all,
                    partial(holders.could_hold, one),
                    partial(holders.may_open, one),
                )
                for one in openings
                if one.openers
            ]
        )
        opened_by = {one.key: one.openers[0] for one in openings if one.key in found}
        return {key: holders.at_work(dialogue, opened_by[key]) for key, dialogue in found.items()}

    def _areas(self, openers: Sequence[str], own: int, *, with_tickets: bool) -> tuple[str, ...]:
        """What would be talked about: somebody's work and what anybody does, in an order drawn by the bits; last the work of others.

        Where it is others' work one of them begins instead, so first that of whoever else would speak up. A ticket comes before all where somebody's work has some.
        """
        opener = openers[0]
        at_work = [self._people[opener].area] if self._people[opener].area else []
        asks = sorted(self._holders.with_anybody.difference(at_work))
        likely: tuple[str, ...] = (*at_work, *self._holders.for_all, *asks)
        if mixed(own, 5) % 100 < _ASKS:
            likely = (*asks, *at_work, *self._holders.for_all)
        elif mixed(own, 2) % 100 < _ABOUT_ANYTHING:
            likely = (*self._holders.for_all, *at_work, *asks)
        others = dict.fromkeys(area for name in openers if (area := self._people[name].area) and area not in likely)
        tickets = [TICKETS] if with_tickets and self._people[opener].area in self._with_tickets else []
        return (*tickets, *likely, *others)

    def _talk(self, opening: Opening, dialogue: Dialogue | None) -> DrawnTalk | None:
        """One conversation, None where nobody could have it on that day."""
        openers = self._holders.openers(opening, dialogue) if dialogue is not None else []
        if dialogue is not None and openers:
            staged = self._staging.staged(opening, dialogue.speakers, openers, dialogue)
            if staged is None or not self._holders.suits(dialogue, staged.cast, opening.day):
                return None
            stream = Stream(self._life.seed, "said", opening.key)
            return self._held(opening, staged, self._said_in_order(dialogue, staged, stream), dialogue, stream)
        if dialogue is None and len(opening.speakers) >= _LONG and mixed(opening.own, 7) % 100 < _LEFT_OUT:
            return None
        speakers = opening.speakers[: _FEWEST + mixed(opening.own, 6) % (_MOST - _FEWEST + 1)]
        staged = self._staging.staged(opening, speakers, opening.openers, None)
        if staged is None:
            return None
        stream = Stream(self._life.seed, "said", opening.key)
        return self._held(opening, staged, self._said(speakers, staged, stream), None, stream)

    def _held(
        self,
        opening: Opening,
        staged: Staged,
        lines: tuple[TalkLine, ...],
        dialogue: Dialogue | None,
        stream: Stream,
    ) -> DrawnTalk:
        """The conversation of what was staged and is said: whether as a thread, and who reacts. Its room is not quiet then."""
        people = staged.cast
        if not staged.room and len(people) == 1:
            people = (*people, *self.acquaintances.drawn_in(staged.near, opening.own, 1))
        is_amid = self._staging.is_amid(staged.room, staged.times)
        in_thread = bool(staged.room) and len(lines) > 1 and (opening.is_threaded or is_amid)
        if staged.room:
            # where what is put together begins with something else is not known yet
            begin = {*dialogue.begins} if in_thread and dialogue is not None else range(len(lines))
            self._staging.note(staged.room, (line.at for line in lines if line.number in begin))
        reactions = self._reactions(staged, lines, people, stream)
        return DrawnTalk(opening.key, opening.day, staged.room, people, in_thread, lines, reactions, dialogue)

    def _said(self, speakers: Sequence[int], staged: Staged, stream: Stream) -> tuple[TalkLine, ...]:
        """The lines in order; who was not there says theirs when they are back, and nothing where that is too late."""
        cast, times = staged.cast, staged.times
        latest: dict[str, Instant] = {}
        said: list[tuple[Instant, str]] = []
        for speaker, at in zip(speakers, times, strict=True):
            who = cast[speaker]
            before = latest.get(who)
            wanted = at if before is None or before < at else before + stream.between(5 * SECOND, 4 * MINUTE)
            there = self.desks[who].answers(wanted, stream)
            if there is not None and there - wanted > _OVERNIGHT and stream.chance(_LETS_IT_BE):
                continue
            if there is not None and there - times[0] < _LASTS:
                latest[who] = there
                said.append((there, who))
        said.sort()
        kept = [
            one for number, one in enumerate(said) if not _goes_on(one[1], said[max(number - _IN_A_ROW, 0) : number])
        ]
        return tuple(TalkLine(number, at, who) for number, (at, who) in enumerate(kept))

    def _said_in_order(self, dialogue: Dialogue, staged: Staged, stream: Stream) -> tuple[TalkLine, ...]:
        """The lines of a dialogue: where somebody has gone the others wait for them, and all after that is later.

        Of several scripts one that would be cut off is not begun.
        """
        cast, times = staged.cast, staged.times
        found: list[TalkLine] = []
        late = 0
        for number, (speaker, at) in enumerate(zip(dialogue.speakers, times, strict=True)):
            wanted = max(at + late, found[-1].at + 2 * SECOND) if found else at
            there = self.desks[cast[speaker]].answers(wanted, stream)
            if there is None or there - times[0] >= _LASTS:
                break
            if there - wanted > _OVERNIGHT and stream.chance(_LETS_IT_BE):
                break
            late += there - wanted
            found.append(TalkLine(number, there, cast[speaker]))
        if len(found) < len(dialogue.texts):
            del found[max(begin for begin in dialogue.begins if begin <= len(found)) or len(found) :]
        return tuple(found)

    def _reactions(
        self, staged: Staged, lines: Sequence[TalkLine], people: Sequence[str], stream: Stream
    ) -> tuple[Reaction, ...]:
        found = []
        readers = [name for name, _ in staged.near] if staged.room else [*people]
        for line in lines:
            is_quick = line.number > 0 and line.at - lines[line.number - 1].at < 2 * MINUTE
            if not readers or not stream.chance(35 if line.number == 0 else 10 if is_quick else 18):
                continue
            at = line.at + stream.between(15 * SECOND, 45 * MINUTE) + stream.below(SECOND)
            for who in dict.fromkeys(stream.choice(readers) for _ in range(1 + stream.below(10) // 7)):
                if who != line.who and self.desks[who].is_there(at):
                    found.append(Reaction(line.number, at, who))
                    at += stream.between(5 * SECOND, 20 * MINUTE)
        return tuple(found)


def _goes_on(who: str, before: Sequence[tuple[Instant, str]]) -> bool:
    """Whether somebody has said all of the last messages already."""
    return len(before) == _IN_A_ROW and all(other == who for _, other in before)
