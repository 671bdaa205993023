"""Conversations: how many a day opens, who is in them, where, and when each line is said."""

from bisect import bisect, insort
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate
from typing import Final

from brownout.background.conversation_shapes import Shape, draw_speakers, paced
from brownout.background.dealer import WEEKDAYS, Dealer, monday_of
from brownout.background.desk_hours import Desk, day_of, day_start
from brownout.background.dialogues import Dialogues, UsualParts, Wanted
from brownout.background.integer_math import ONE, at_rank, exponential, mixed, power
from brownout.background.life_sources import Colleague, Life, Room
from brownout.background.packs import TICKETS
from brownout.background.scripts import Dialogue, SpeakingPart
from brownout.background.typing_times import fitted_gaps
from brownout.background.voices import voices_of
from brownout.core.instants import DAY, HOUR, MINUTE, SECOND, Instant
from brownout.core.seeds import Stream

__all__ = ["DrawnTalk", "Reaction", "TalkLine", "Talks", "areas_for_all", "leavers"]

_DAY_SPREAD: Final = 220
"""How far days are apart, in thousandths of a logarithm: a working value without a source."""
_SLOTS: Final = 24
_OPENED: Final = 3_260
"""Conversations that a head opens on a weekday, 1.19, over the slots of a day, of 65,536: some ten messages."""
_TRIES, _TRIES_EACH = 20, 4
_ASKED: Final = 7
_CIRCLE: Final = 40
"""With how many people somebody talks at most, the nearest ones."""
_NEAREST: Final = 9
_IN_TEAM, _IN_AREA = 8, 3
"""How much more somebody talks with whoever is in their team, and with whoever does such work."""
_AT_WORK: Final = 75
"""Percent of private conversations among those who do the same work."""
_ABROAD: Final = 4
"""How much less somebody begins to talk in a room that is for others' work: a question for IT is asked, not talked over."""
_PRIVATE_PAIR, _PRIVATE_GROUP, _PRIVATE_ALONE = 85, 42, 35
_THREADED: Final = 78
_WEEKS_KEPT: Final = 4
_ABOUT_TICKETS: Final = 8
"""Percent of conversations of a few lines that are about a ticket."""
_LONGEST_ON_A_TICKET: Final = 6
_ABOUT_ANYTHING: Final = 25
"""Percent of dialogues written whole that are about something else than the work of whoever opens."""
_ASKS: Final = 8
"""Percent of dialogues written whole in which somebody asks whoever has to do with everybody."""
_IN_A_ROW: Final = 5
"""How many messages somebody writes before somebody else does, where nothing is written whole."""
_FEWEST, _MOST = 8, 40
"""Between how many messages one ends, at the latest, that is put together: the longer they are, the worse they read."""
_NEW: Final = 10
"""Days that somebody is new."""
_LEAVES_SOON: Final = 21 * DAY
_LONG, _LEFT_OUT = 8, 20
"""Percent of the conversations of so many messages and more for which nothing is written that are not held."""
_PAUSE: Final = 3 * MINUTE
"""How long a room is quiet before somebody begins with something else."""
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


def leavers(life: Life, at: Instant) -> list[str]:
    """Who leaves in the weeks after a moment."""
    return [one.name for one in life.people if one.leaves is not None and at <= one.leaves < at + _LEAVES_SOON]


def areas_for_all(life: Life) -> frozenset[str]:
    """Areas that have to do with everybody, because everybody is in a room of theirs: whoever looks after laptops, leave and offices."""
    everybody = {person.name for person in life.people}
    return frozenset(room.area for room in life.rooms if room.area and everybody <= {*room.members})


@dataclass(frozen=True, slots=True)
class _Begun:
    """A conversation that somebody would begin, before it is known with whom and whether it can be held.

    Attributes:
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


@dataclass(frozen=True, slots=True)
class _Scene:
    """Where a conversation could be, and who could be in it with that weight."""

    room: str
    opener: str
    near: tuple[tuple[str, int], ...]


class Talks:
    """All conversations of a company."""

    def __init__(self, life: Life) -> None:
        self._life = life
        self._people: Mapping[str, Colleague] = {person.name: person for person in life.people}
        self.desks = {person.name: Desk(life.seed, person) for person in life.people}
        self._bits = {name: Stream(life.seed, "person", name).bits() for name in self._people}
        self._talkative = {name: self._weight("talkative", name, 3500, highest=2300) for name in self._people}
        self._rooms: dict[str, list[Room]] = {name: [] for name in self._people}
        for room in life.rooms:
            for member in room.members:
                if member in self._rooms:
                    self._rooms[member].append(room)
        self._loud = {room.name: self._weight("room", room.name, 1000) for room in life.rooms}
        self._room_bits = {room.name: Stream(life.seed, "place", room.name).bits() for room in life.rooms}
        self._near: dict[tuple[str, str], tuple[tuple[str, int], ...]] = {}
        self._with_anybody = areas_for_all(life)
        self._voices = voices_of(life)
        self._zones = sorted({person.zone for person in life.people})
        self._weeks: dict[int, list[list[DrawnTalk]]] = {}
        self._said_in: dict[str, list[Instant]] = {}
        self._first, self._last = (day_of(at, life.zone) for at in life.calendar)
        at_tickets = {name for project in life.projects for name in project.people}
        self._with_tickets = {person.area for person in life.people if person.area and person.name in at_tickets}
        self._for_all = [pack.area for pack in life.packs if pack.is_for_all]
        self._usual = _usual_parts(life, self._with_anybody)
        self._dialogues = Dialogues(life.seed, life.dialogues, self._usual)

    def opened(self, day: int) -> list[DrawnTalk]:
        """The conversations that begin on a day, in the order of their keys; a week shares what is dealt to it."""
        monday = monday_of(day)
        found = self._weeks.get(monday)
        if found is None:
            days = range(monday, monday + 7)
            begun = [[*self._begun(one)] for one in days]
            scripts = self._scripts(
                monday, [one for of_day in begun for one in of_day if self._first <= one.day < self._last]
            )
            self._said_in = {room: [] for room in self._loud}
            found = self._weeks[monday] = [
                [talk for one in of_day if (talk := self._talk(one, scripts.get(one.key))) is not None]
                for of_day in begun
            ]
            if len(self._weeks) > _WEEKS_KEPT:
                self._weeks.pop(next(iter(self._weeks)))
        return found[day - monday]

    def _begun(self, day: int) -> Iterator[_Begun]:
        """What a day has people begin, before it is known what of it comes about."""
        volume = self._life.volumes.get("people", 0)
        if not volume:
            return
        weekday = (day + 3) % 7
        lively = power(_DAY_SPREAD * self._normal(Stream(self._life.seed, "lively", day)) // 1000)
        share = _OPENED * WEEKDAYS[weekday] * volume // 100_000 * lively // ONE
        there = [name for name in self._people if self.desks[name].spans(day)]
        for person in self._life.people:
            if weekday < 5 and not self.desks[person.name].spans(day):
                continue
            slots = Stream(self._life.seed, "talks", day, person.name)
            for slot in range(_SLOTS):
                if slots.below(ONE) < share:
                    yield self._begins(day, f"{person.name}.{slot}", there)

    def _begins(self, day: int, slot: str, there: Sequence[str]) -> _Begun:
        stream = Stream(self._life.seed, "talk", day, slot)
        speakers = draw_speakers(self._life.tables, stream)
        own = stream.bits()
        people = max(speakers) + 1
        is_private = stream.chance(_PRIVATE_ALONE if people == 1 else _PRIVATE_PAIR if people == 2 else _PRIVATE_GROUP)
        openers = self.likeliest(there, own)
        return _Begun(f"talk/{day}/{slot}", day, speakers, own, openers, is_private, stream.chance(_THREADED))

    def _scripts(self, monday: int, begun: Sequence[_Begun]) -> dict[str, Dialogue]:
        """Which conversations of a week are to be ones that are written whole."""
        dealer = Dealer(self._life.seed, monday, self._first, self._last, days=7)
        dealt = self._dialogues.dealt(dealer, lambda one: self._can_be_held(one, monday))
        found = dealt.among(
            [
                Wanted(
                    one.key,
                    one.own,
                    self._areas(one.openers, one.own, with_tickets=one.is_about_a_ticket),
                    one.speakers,
                    self._voices[one.openers[0]].length,
                    one.is_private,
                    self._with_anybody - {self._people[one.openers[0]].area},
                    tuple(self._for_all),
                    partial(self._could_be, one),
                    partial(self._may_open, one),
                )
                for one in begun
                if one.openers
            ]
        )
        opened_by = {one.key: one.openers[0] for one in begun if one.key in found}
        return {key: self._at_work(dialogue, opened_by[key]) for key, dialogue in found.items()}

    def _at_work(self, dialogue: Dialogue, opener: str) -> Dialogue:
        """A dialogue about a ticket as one of those who do the same work as whoever opens it; any other as it is."""
        area = self._people[opener].area
        if dialogue.area != TICKETS:
            return dialogue
        of_area = self._usual.get(area)
        parts = (
            of_area.of(number, is_asked=False) if of_area else SpeakingPart(area) for number in range(dialogue.people)
        )
        return replace(dialogue, area=area, parts=tuple(parts))

    def likeliest(self, names: Sequence[str], bits: int) -> list[str]:
        """People in the order in which they would speak up, mostly the talkative first."""
        return sorted(names, key=lambda name: exponential(mixed(bits, self._bits[name]), self._talkative[name]))

    def circle(self, name: str, bits: int, enough: int, *, nearest: int = _NEAREST) -> list[str]:
        """Whom somebody turns to: so many at most, of the few that are nearest to them or as many as are wanted."""
        near = self._around(name, "", tuple(self._people))[: max(enough, nearest)]
        return self._asked(_Scene("", name, near), bits, enough)

    def _talk(self, begun: _Begun, dialogue: Dialogue | None) -> DrawnTalk | None:
        """One conversation, None where nobody could have it on that day."""
        own, openers = begun.own, begun.openers
        enough = _FEWEST + mixed(own, 6) % (_MOST - _FEWEST + 1)
        speakers = begun.speakers[:enough]
        if dialogue is None and len(begun.speakers) >= _LONG and mixed(own, 7) % 100 < _LEFT_OUT:
            return None
        if dialogue is not None:
            speakers = dialogue.speakers
            openers = [name for name in openers if self._may_be(name, 0, dialogue, begun.day)]
            if dialogue.is_here and (dialogue.is_public or not begun.is_private):
                openers = [name for name in openers if self._people[name].zone == self._life.zone]
            if not openers:
                dialogue, openers, speakers = None, begun.openers, begun.speakers[:enough]
        staged = self._staged(begun, speakers, openers, dialogue)
        if staged is None:
            return None
        scene, cast, times = staged
        stream = Stream(self._life.seed, "said", begun.key)
        if dialogue is not None:
            if not self._suits(dialogue, cast, begun.day):
                return None
            lines = self._said_in_order(cast, dialogue, times, stream)
        else:
            lines = self._said(speakers[:enough], cast, times[:enough], stream)
        people = tuple(cast)
        if not scene.room and len(people) == 1:
            people = (*people, self._asked(scene, own, 1)[0])
        in_thread = bool(scene.room) and len(lines) > 1 and (begun.is_threaded or self._is_amid(scene.room, times))
        if scene.room:
            # where what is put together begins with something else is not known yet
            begin = {*dialogue.begins} if in_thread and dialogue is not None else range(len(lines))
            for line in [line for line in lines if line.number in begin]:
                insort(self._said_in[scene.room], line.at)
        reactions = self._reactions(scene, lines, people, stream)
        return DrawnTalk(
            begun.key,
            begun.day,
            scene.room,
            people,
            in_thread,
            lines,
            reactions,
            dialogue,
        )

    def _new_on(self, day: int) -> list[str]:
        """Who joined in the days before one and on it."""
        since, until = (day_start(one, self._life.zone) for one in (day - _NEW, day + 1))
        return [name for name, one in self._people.items() if one.joins is not None and since <= one.joins < until]

    def _can_be_held(self, dialogue: Dialogue, monday: int) -> bool:
        """Whether there are those in a week whom a dialogue wants: somebody new, somebody who leaves soon."""
        if dialogue.newcomer >= 0 and not any(self._new_on(day) for day in range(monday, monday + 5)):
            return False
        return not dialogue.has_leaver or bool(leavers(self._life, day_start(monday + 5, self._life.zone)))

    def _could_be(self, begun: _Begun, dialogue: Dialogue) -> bool:
        """Whether those who are there on its day have somebody else for each part of a dialogue, where it would be held."""
        dialogue = self._at_work(dialogue, begun.openers[0])
        there = {*begun.openers}
        is_in_room = dialogue.is_public or not begun.is_private
        groups = [there.intersection(room.members) for room in self._rooms_for(dialogue)] if is_in_room else [there]
        if is_in_room and not dialogue.is_public and not groups:
            groups = [there]
        zones = [""] if not dialogue.is_here else [self._life.zone] if is_in_room else self._zones
        parts = [*range(len(dialogue.parts))]
        if len(parts) == 1 and not is_in_room:
            parts *= 2  # whoever is told it
        return any(self._is_filled(begun.day, dialogue, parts, names, zone) for names in groups for zone in zones)

    def _may_open(self, begun: _Begun, dialogue: Dialogue) -> bool:
        """Whether a dialogue is for whoever would most likely open a conversation to begin with."""
        opener = begun.openers[0]
        return self._may_be(opener, 0, self._at_work(dialogue, opener), begun.day)

    def _is_filled(self, day: int, dialogue: Dialogue, parts: Sequence[int], names: Set[str], zone: str) -> bool:
        """Whether some people of a zone, or of any, have somebody else for each part."""
        able = [
            frozenset(
                name
                for name in names
                if zone in ("", self._people[name].zone) and self._may_be(name, part, dialogue, day)
            )
            for part in parts
        ]
        return _are_shared_out(able)

    def _rooms_for(self, dialogue: Dialogue) -> list[Room]:
        """The rooms in which a dialogue may be held: for its area, or for no other one."""
        areas = {"", dialogue.area} if dialogue.area in self._for_all else {dialogue.area}
        return [room for room in self._life.rooms if room.area in areas or not room.area]

    def _may_have(self, who: Colleague, part: int, dialogue: Dialogue) -> bool:
        """Whether a part in a dialogue is somebody's to have; of who asks it is only known that they do other work."""
        is_asking = dialogue.is_asked and part == 0
        return dialogue.parts[part].is_for(who) and not (is_asking and who.area == dialogue.area)

    def _may_be(self, name: str, part: int, dialogue: Dialogue, day: int) -> bool:
        """Whether somebody may have a part on a day: it is theirs, and they have joined just then where they say so."""
        is_theirs = self._may_have(self._people[name], part, dialogue)
        return is_theirs and (dialogue.newcomer != part or name in self._new_on(day))

    def _suits(self, dialogue: Dialogue, cast: Sequence[str], day: int) -> bool:
        """Whether those who were found can hold a dialogue: as many people, each of whom may have their part."""
        if len({*cast}) != dialogue.people:
            return False
        if dialogue.has_leaver and not {*leavers(self._life, day_start(day + 1, self._life.zone))}.difference(cast):
            return False
        if dialogue.is_here and len({self._people[name].zone for name in cast}) > 1:
            return False
        return all(self._may_be(name, part, dialogue, day) for part, name in enumerate(cast))

    def _areas(self, openers: Sequence[str], own: int, *, with_tickets: bool) -> tuple[str, ...]:
        """What would be talked about: somebody's work and what anybody does, in an order drawn by the bits; last the work of others.

        Where it is others' work one of them begins instead, so first that of whoever else would speak up. A ticket comes before all where somebody's work has some.
        """
        opener = openers[0]
        at_work = [self._people[opener].area] if self._people[opener].area else []
        asks = sorted(self._with_anybody.difference(at_work))
        likely: tuple[str, ...] = (*at_work, *self._for_all, *asks)
        if mixed(own, 5) % 100 < _ASKS:
            likely = (*asks, *at_work, *self._for_all)
        elif mixed(own, 2) % 100 < _ABOUT_ANYTHING:
            likely = (*self._for_all, *at_work, *asks)
        others = dict.fromkeys(area for name in openers if (area := self._people[name].area) and area not in likely)
        tickets = [TICKETS] if with_tickets and self._people[opener].area in self._with_tickets else []
        return (*tickets, *likely, *others)

    def _staged(
        self, begun: _Begun, speakers: tuple[int, ...], openers: Sequence[str], dialogue: Dialogue | None
    ) -> tuple[_Scene, list[str], list[Instant]] | None:
        """Where, with whom and when: the first try in which all are there at all their moments, and the room is quiet.

        In the last resort somebody is missing and answers when they are back. What is drawn for one who could open does not
        hang on whether others were asked before.
        """
        spare: tuple[_Scene, list[str], list[Instant]] | None = None
        fewest, left = 1 << 30, _TRIES // _TRIES_EACH
        for opener in openers:
            stream = Stream(self._life.seed, "staged", begun.key, opener)
            shape = paced(speakers, self._life.tables, stream)
            if dialogue is not None:
                shape = replace(shape, gaps=fitted_gaps(shape.gaps, speakers, dialogue.texts))
            if dialogue is not None:
                scene = self._scene_of(dialogue, begun, opener)
            else:
                scene = self._scene(opener, shape.people, begun.own, is_private=begun.is_private)
            if scene is None:
                continue
            if not left:
                break
            left -= 1
            enough = len(scene.near) if dialogue is not None else _ASKED + shape.people - 1
            others = self._asked(scene, begun.own, enough) if shape.people > 1 else []
            able = [others] * shape.people
            if dialogue is not None:
                able = [
                    [name for name in others if self._may_be(name, part, dialogue, begun.day)]
                    for part in range(shape.people)
                ]
            for _ in range(_TRIES_EACH):
                began = self.desks[opener].moment(begun.day, stream)
                if began is None:
                    break
                times = [*accumulate(shape.gaps, initial=began)]
                cast, missing = self._cast(scene, shape, times, able)
                missing += self._is_amid(scene.room, times[:1] if begun.is_threaded else times)
                if not missing:
                    return scene, cast, times
                if missing < fewest:
                    spare, fewest = (scene, cast, times), missing
        return spare

    def _is_amid(self, room: str, times: Sequence[Instant]) -> bool:
        """Whether something else is being said in a room, outside threads, about one of the moments."""
        said = self._said_in.get(room, [])
        return any(bisect(said, at - _PAUSE) != bisect(said, at + _PAUSE) for at in times)

    def _scene(self, opener: str, people: int, own: int, *, is_private: bool) -> _Scene | None:
        """Where an opener would hold a conversation of so many."""
        if not is_private:
            fitting = [room for room in self._rooms[opener] if len(room.members) >= max(people, 2)]
            if fitting:
                at_home = {"", self._people[opener].area}
                room = self._room_of(self._at_work_in(opener, fitting), own, at_home)
                near = self._around(opener, room.name, room.members)
                return _Scene(room.name, opener, self._of_the_work(near, room.area, people))
        near = self._around(opener, "", tuple(self._people))
        area = self._people[opener].area if mixed(own, 4) % 100 < _AT_WORK else ""
        if area not in self._with_anybody:
            near = self._of_the_work(near, area, people)
        return _Scene("", opener, near) if len(near) >= max(people - 1, 1) else None

    def _scene_of(self, dialogue: Dialogue, begun: _Begun, opener: str) -> _Scene | None:
        """Where an opener would hold a conversation that is written whole, with those of whom each may have a part in it.

        What is told to more is held in a room, and in no room that is for the work of others.
        """
        if dialogue.is_public or not begun.is_private:
            areas = {"", dialogue.area} if dialogue.area in self._for_all else {dialogue.area}
            able = [
                (room, near)
                for room in self._rooms[opener]
                if len(near := self._parting(dialogue, begun.day, opener, room)) >= max(dialogue.people - 1, 1)
            ]
            fitting = [pair for pair in able if pair[0].area in areas] or [pair for pair in able if not pair[0].area]
            if fitting:
                room = self._room_of([one for one, _ in fitting], begun.own, {"", dialogue.area})
                return _Scene(room.name, opener, next(near for one, near in fitting if one is room))
        if dialogue.is_public:
            return None
        near = self._parting(dialogue, begun.day, opener, None)
        return _Scene("", opener, near) if len(near) >= max(dialogue.people - 1, 1) else None

    def _parting(self, dialogue: Dialogue, day: int, opener: str, room: Room | None) -> tuple[tuple[str, int], ...]:
        """Whom somebody could hold a dialogue with in a room or in private, by weight: those who may have one of the other parts.

        Where it names who does such work they may be anybody of the company, not only who is near.
        """
        members = room.members if room is not None else tuple(self._people)
        near = self._around(opener, room.name if room is not None else "", members)
        if any(one.disciplines for one in dialogue.parts[1:]) and len(members) > len(near):
            met = {opener, *(name for name, _ in near)}
            near = (*near, *((name, 1) for name in members if name not in met and name in self._people))
        zone = self._people[opener].zone
        is_for_all = dialogue.people == 1 and room is not None  # what nobody answers is told to whoever is there
        others = range(1, dialogue.people) or (0,)  # who is told it in private is somebody who could say it as well
        return tuple(
            (name, weight)
            for name, weight in near
            if (not dialogue.is_here or self._people[name].zone == zone)
            and (is_for_all or any(self._may_be(name, part, dialogue, day) for part in others))
        )

    def _room_of(self, fitting: Sequence[Room], own: int, at_home: Set[str]) -> Room:
        """Which of some rooms somebody says it in, mostly a loud one and one that is for it."""
        return min(
            fitting,
            key=lambda one: exponential(
                mixed(own, self._room_bits[one.name]),
                max(self._loud[one.name] // (1 if one.area in at_home else _ABROAD), 1),
            ),
        )

    def _at_work_in(self, opener: str, rooms: Sequence[Room]) -> Sequence[Room]:
        """The rooms in which somebody talks about what comes up: not those for the work of others, where there is another one."""
        own = {"", self._people[opener].area} | self._with_anybody
        return [room for room in rooms if room.area in own] or rooms

    def _of_the_work(self, near: Sequence[tuple[str, int]], area: str, people: int) -> tuple[tuple[str, int], ...]:
        """Of those who are near only who does such work, where they are enough; all where it is everybody's."""
        if not area or area in self._for_all or area in self._with_anybody:
            return tuple(near)
        alike = tuple(pair for pair in near if self._people[pair[0]].area == area)
        return alike if len(alike) >= max(people - 1, 1) else tuple(near)

    def _around(self, opener: str, room: str, members: Sequence[str]) -> tuple[tuple[str, int], ...]:
        """Whom somebody talks with in a place, by weight: the talkative and those they are close to."""
        found = self._near.get((opener, room))
        if found is None:
            team, area = self._people[opener].team, self._people[opener].area
            weights = []
            for name in members:
                if name == opener or name not in self._people:
                    continue
                tie = self._weight("tie", "/".join(sorted((opener, name))), 1300)
                if team and self._people[name].team == team:
                    tie *= _IN_TEAM
                elif area and self._people[name].area == area:
                    tie *= _IN_AREA
                weights.append((name, max(self._talkative[name] * tie >> 16, 1)))
            weights.sort(key=lambda pair: (-pair[1], pair[0]))
            found = self._near[opener, room] = tuple(weights[:_CIRCLE])
        return found

    def _asked(self, scene: _Scene, own: int, enough: int) -> list[str]:
        """Others in the order in which they would be drawn in, so many of them."""
        other = mixed(own, 1)
        raced = sorted((exponential(mixed(other, self._bits[name]), weight), name) for name, weight in scene.near)
        return [name for _, name in raced[:enough]]

    def _cast(
        self, scene: _Scene, shape: Shape, times: Sequence[Instant], able: Sequence[Sequence[str]]
    ) -> tuple[list[str], int]:
        """Who has which part, and how many of them are not there at all their moments.

        Args:
            able: by part who could have it, in the order of being asked; what fewer can be is given first.
        """
        moments: list[list[Instant]] = [[] for _ in range(shape.people)]
        for speaker, at in zip(shape.speakers, times, strict=True):
            moments[speaker].append(at)
        found = {0: scene.opener}
        missing = 0 if all(map(self.desks[scene.opener].is_there, moments[0])) else 1
        for part in sorted(range(1, shape.people), key=lambda one: (len(able[one]), one)):
            some = [name for name in able[part] if name not in found.values()][:_ASKED]
            if not some:
                continue
            name = next((one for one in some if all(map(self.desks[one].is_there, moments[part]))), "")
            missing += not name
            found[part] = name or some[0]
        for part in range(shape.people):  # a small circle: somebody has two parts
            if part not in found:
                found[part] = found[part - 1]
                missing += 1
        return [found[part] for part in range(shape.people)], missing

    def _said(
        self, speakers: Sequence[int], cast: Sequence[str], times: Sequence[Instant], stream: Stream
    ) -> tuple[TalkLine, ...]:
        """The lines in order; who was not there says theirs when they are back, and nothing where that is too late."""
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

    def _said_in_order(
        self, cast: Sequence[str], dialogue: Dialogue, times: Sequence[Instant], stream: Stream
    ) -> tuple[TalkLine, ...]:
        """The lines of a dialogue: where somebody has gone the others wait for them, and all after that is later.

        Of several scripts one that would be cut off is not begun.
        """
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
        self, scene: _Scene, lines: Sequence[TalkLine], people: Sequence[str], stream: Stream
    ) -> tuple[Reaction, ...]:
        found = []
        readers = [name for name, _ in scene.near] if scene.room else [*people]
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

    def _normal(self, stream: Stream) -> int:
        return at_rank(self._life.tables.normal, stream.below(ONE))

    def _weight(self, what: str, name: str, spread: int, *, highest: int = 4000) -> int:
        """A log-normal weight of somebody or something, the same for ever."""
        return power(spread * min(self._normal(Stream(self._life.seed, what, name)), highest) // 1000)


def _usual_parts(life: Life, with_anybody: Set[str]) -> Mapping[str, UsualParts]:
    """By area who has the parts of which a script says nothing: whoever its pack says; others where it has to do with everybody."""
    found: dict[str, UsualParts] = {}
    for pack in life.packs:
        anybody, of_work = SpeakingPart(), SpeakingPart(pack.area, frozenset(pack.usual))
        if pack.is_for_all:
            found[pack.area] = UsualParts(anybody, anybody, anybody)
        elif pack.area in with_anybody:
            found[pack.area] = UsualParts(of_work, anybody, anybody)
        else:
            joined = SpeakingPart(pack.area, frozenset((*pack.usual, *pack.joined_by)))
            found[pack.area] = UsualParts(of_work, of_work, joined)
    return found


def _are_shared_out(able: Sequence[Set[str]]) -> bool:
    """Whether each of some parts can be somebody else's, of those who are able to have it."""
    if not able:
        return True
    fewest = min(range(len(able)), key=lambda number: len(able[number]))
    rest = [one for number, one in enumerate(able) if number != fewest]
    if len(able[fewest]) > len(rest):
        return _are_shared_out(rest)  # whoever the others are, somebody is left for it
    return any(_are_shared_out([one - {name} for one in rest]) for name in sorted(able[fewest]))


def _goes_on(who: str, before: Sequence[tuple[Instant, str]]) -> bool:
    """Whether somebody has said all of the last messages already."""
    return len(before) == _IN_A_ROW and all(other == who for _, other in before)
