"""Where, with whom and when a conversation is held that somebody would begin."""

from bisect import bisect, insort
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

from brownout.background.acquaintances import Acquaintances, Near
from brownout.background.conversation_shapes import Shape, paced
from brownout.background.desk_hours import Desk
from brownout.background.integer_math import mixed
from brownout.background.life_sources import Colleague, Life, Room
from brownout.background.openings import Opening
from brownout.background.part_holders import PartHolders
from brownout.background.scripts import Dialogue
from brownout.background.typing_times import fitted_gaps
from brownout.core.instants import MINUTE, Instant
from brownout.core.seeds import Stream

__all__ = ["Staged", "Staging"]

_TRIES, _TRIES_EACH = 20, 4
_ASKED: Final = 7
_AT_WORK: Final = 75
"""Percent of private conversations among those who do the same work."""
_PAUSE: Final = 3 * MINUTE
"""How long a room is quiet before somebody begins with something else."""


@dataclass(frozen=True, slots=True)
class Staged:
    """A conversation with its place, its people and its moments.

    Attributes:
        room: empty for a private one.
        near: who else could have been in it, with their weights.
        cast: by part who has it.
        times: when each line would be said.
    """

    room: str
    near: Near
    cast: tuple[str, ...]
    times: tuple[Instant, ...]


@dataclass(frozen=True, slots=True)
class _Scene:
    """Where a conversation could be, and who could be in it with that weight."""

    room: str
    opener: str
    near: Near


class Staging:
    """The rooms and the people of a company, and what has been said where in a week."""

    def __init__(
        self, life: Life, desks: Mapping[str, Desk], acquaintances: Acquaintances, holders: PartHolders
    ) -> None:
        self._life, self._desks, self._acquaintances, self._holders = life, desks, acquaintances, holders
        self._people: Mapping[str, Colleague] = {person.name: person for person in life.people}
        self._rooms: dict[str, list[Room]] = {name: [] for name in self._people}
        for room in life.rooms:
            for member in room.members:
                if member in self._rooms:
                    self._rooms[member].append(room)
        self._said_in: dict[str, list[Instant]] = {}

    def begins_week(self) -> None:
        """All rooms are quiet."""
        self._said_in = {room.name: [] for room in self._life.rooms}

    def note(self, room: str, times: Iterable[Instant]) -> None:
        """Something is said in a room at these moments, outside threads."""
        for at in times:
            insort(self._said_in[room], at)

    def is_amid(self, room: str, times: Sequence[Instant]) -> bool:
        """Whether something else is being said in a room, outside threads, about one of the moments."""
        said = self._said_in.get(room, [])
        return any(bisect(said, at - _PAUSE) != bisect(said, at + _PAUSE) for at in times)

    def staged(
        self, opening: Opening, speakers: tuple[int, ...], openers: Sequence[str], dialogue: Dialogue | None
    ) -> Staged | None:
        """The first try in which all are there at all their moments, and the room is quiet; None where nobody could hold it.

        In the last resort somebody is missing and answers when they are back. What is drawn for one who could open does not
        hang on whether others were asked before.
        """
        spare: Staged | None = None
        fewest, left = 1 << 30, _TRIES // _TRIES_EACH
        for opener in openers:
            stream = Stream(self._life.seed, "staged", opening.key, opener)
            shape = paced(speakers, self._life.tables, stream)
            if dialogue is not None:
                shape = replace(shape, gaps=fitted_gaps(shape.gaps, speakers, dialogue.texts))
                scene = self._scene_of(dialogue, opening, opener)
            else:
                scene = self._scene(opener, shape.people, opening.own, is_private=opening.is_private)
            if scene is None:
                continue
            if not left:
                break
            left -= 1
            able = self._able(scene, shape.people, opening, dialogue)
            for _ in range(_TRIES_EACH):
                began = self._desks[opener].moment(opening.day, stream)
                if began is None:
                    break
                times = tuple(accumulate(shape.gaps, initial=began))
                cast, missing = self._cast(scene, shape, times, able)
                missing += self.is_amid(scene.room, times[:1] if opening.is_threaded else times)
                found = Staged(scene.room, scene.near, tuple(cast), times)
                if not missing:
                    return found
                if missing < fewest:
                    spare, fewest = found, missing
        return spare

    def _able(self, scene: _Scene, people: int, opening: Opening, dialogue: Dialogue | None) -> Sequence[Sequence[str]]:
        """By part who could have it, in the order of being asked."""
        enough = len(scene.near) if dialogue is not None else _ASKED + people - 1
        others = self._acquaintances.drawn_in(scene.near, opening.own, enough) if people > 1 else []
        if dialogue is None:
            return [others] * people
        able = [self._holders.able(dialogue, part, opening.day) for part in range(people)]
        return [[name for name in others if name in of_part] for of_part in able]

    def _scene(self, opener: str, people: int, own: int, *, is_private: bool) -> _Scene | None:
        """Where an opener would hold a conversation of so many."""
        if not is_private:
            fitting = [room for room in self._rooms[opener] if len(room.members) >= max(people, 2)]
            if fitting:
                at_home = {"", self._people[opener].area}
                room = self._acquaintances.room_of(self._at_work_in(opener, fitting), own, at_home)
                near = self._acquaintances.around(opener, room)
                return _Scene(room.name, opener, self._of_the_work(near, room.area, people))
        near = self._acquaintances.around(opener)
        area = self._people[opener].area if mixed(own, 4) % 100 < _AT_WORK else ""
        if area not in self._holders.with_anybody:
            near = self._of_the_work(near, area, people)
        return _Scene("", opener, near) if len(near) >= max(people - 1, 1) else None

    def _scene_of(self, dialogue: Dialogue, opening: Opening, opener: str) -> _Scene | None:
        """Where an opener would hold a conversation that is written whole, with those of whom each may have a part in it.

        What is told to more is held in a room, and in no room that is for the work of others.
        """
        if dialogue.is_public or not opening.is_private:
            areas = {"", dialogue.area} if dialogue.area in self._holders.for_all else {dialogue.area}
            able = [
                (room, near)
                for room in self._rooms[opener]
                if len(near := self._parting(dialogue, opening.day, opener, room)) >= max(dialogue.people - 1, 1)
            ]
            fitting = [pair for pair in able if pair[0].area in areas] or [pair for pair in able if not pair[0].area]
            if fitting:
                rooms = [one for one, _ in fitting]
                room = self._acquaintances.room_of(rooms, opening.own, {"", dialogue.area})
                return _Scene(room.name, opener, next(near for one, near in fitting if one is room))
        if dialogue.is_public:
            return None
        near = self._parting(dialogue, opening.day, opener, None)
        return _Scene("", opener, near) if len(near) >= max(dialogue.people - 1, 1) else None

    def _parting(self, dialogue: Dialogue, day: int, opener: str, room: Room | None) -> Near:
        """Whom somebody could hold a dialogue with in a room or in private, by weight: those who may have one of the other parts.

        Where it names who does such work they may be anybody of the company, not only who is near.
        """
        members = room.members if room is not None else tuple(self._people)
        near = self._acquaintances.around(opener, room)
        if any(one.disciplines for one in dialogue.parts[1:]) and len(members) > len(near):
            met = {opener, *(name for name, _ in near)}
            near = (*near, *((name, 1) for name in members if name not in met and name in self._people))
        zone = self._people[opener].zone
        is_for_all = dialogue.people == 1 and room is not None  # what nobody answers is told to whoever is there
        others = range(1, dialogue.people) or (0,)  # who is told it in private is somebody who could say it as well
        able = frozenset().union(*(self._holders.able(dialogue, part, day) for part in others))
        return tuple(
            (name, weight)
            for name, weight in near
            if (is_for_all or name in able) and (not dialogue.is_here or self._people[name].zone == zone)
        )

    def _at_work_in(self, opener: str, rooms: Sequence[Room]) -> Sequence[Room]:
        """The rooms in which somebody talks about what comes up: not those for the work of others, where there is another one."""
        own = {"", self._people[opener].area} | self._holders.with_anybody
        return [room for room in rooms if room.area in own] or rooms

    def _of_the_work(self, near: Near, area: str, people: int) -> Near:
        """Of those who are near only who does such work, where they are enough; all where it is everybody's."""
        if not area or area in self._holders.for_all or area in self._holders.with_anybody:
            return near
        alike = tuple(pair for pair in near if self._people[pair[0]].area == area)
        return alike if len(alike) >= max(people - 1, 1) else near

    def _cast(
        self, scene: _Scene, shape: Shape, times: Sequence[Instant], able: Sequence[Sequence[str]]
    ) -> tuple[list[str], int]:
        """Who has which part, and how many of them are not there at all their moments; what fewer can be is given first."""
        moments: list[list[Instant]] = [[] for _ in range(shape.people)]
        for speaker, at in zip(shape.speakers, times, strict=True):
            moments[speaker].append(at)
        found = {0: scene.opener}
        missing = 0 if all(map(self._desks[scene.opener].is_there, moments[0])) else 1
        for part in sorted(range(1, shape.people), key=lambda one: (len(able[one]), one)):
            some = [name for name in able[part] if name not in found.values()][:_ASKED]
            if not some:
                continue
            name = next((one for one in some if all(map(self._desks[one].is_there, moments[part]))), "")
            missing += not name
            found[part] = name or some[0]
        for part in range(shape.people):  # a small circle: somebody has two parts
            if part not in found:
                found[part] = found[part - 1]
                missing += 1
        return [found[part] for part in range(shape.people)], missing
