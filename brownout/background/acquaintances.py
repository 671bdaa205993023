"""Who talks how much, who turns to whom, and how loud a room is."""

from collections.abc import Sequence, Set
from typing import Final, TypeAlias

from brownout.background.integer_math import ONE, at_rank, exponential, mixed, power
from brownout.background.life_sources import Life, Room
from brownout.core.seeds import Stream

__all__ = ["Acquaintances", "Near"]

_CIRCLE: Final = 40
"""With how many people somebody talks at most, the nearest ones."""
_NEAREST: Final = 9
_IN_TEAM, _IN_AREA = 8, 3
"""How much more somebody talks with whoever is in their team, and with whoever does such work."""
_ABROAD: Final = 4
"""How much less somebody begins to talk in a room that is for others' work: a question for IT is asked, not talked over."""

Near: TypeAlias = tuple[tuple[str, int], ...]
"""People with how likely somebody is to talk with each, the likeliest first."""


class Acquaintances:
    """The people of a company as those who talk with each other; all of it is the same for ever."""

    def __init__(self, life: Life) -> None:
        self._life = life
        self._people = {person.name: person for person in life.people}
        self._bits = {name: Stream(life.seed, "person", name).bits() for name in self._people}
        self._talkative = {name: self._weight("talkative", name, 3500, highest=2300) for name in self._people}
        self._loud = {room.name: self._weight("room", room.name, 1000) for room in life.rooms}
        self._room_bits = {room.name: Stream(life.seed, "place", room.name).bits() for room in life.rooms}
        self._near: dict[tuple[str, str], Near] = {}

    def likeliest(self, names: Sequence[str], bits: int) -> list[str]:
        """People in the order in which they would speak up, mostly the talkative first."""
        return sorted(names, key=lambda name: exponential(mixed(bits, self._bits[name]), self._talkative[name]))

    def circle(self, name: str, bits: int, enough: int, *, nearest: int = _NEAREST) -> list[str]:
        """Whom somebody turns to: so many at most, of the few that are nearest to them or as many as are wanted."""
        return self.drawn_in(self.around(name)[: max(enough, nearest)], bits, enough)

    def drawn_in(self, near: Near, bits: int, enough: int) -> list[str]:
        """So many of those who are near, in the order in which they would be drawn into a conversation."""
        other = mixed(bits, 1)
        raced = sorted((exponential(mixed(other, self._bits[name]), weight), name) for name, weight in near)
        return [name for _, name in raced[:enough]]

    def around(self, opener: str, room: Room | None = None) -> Near:
        """Whom somebody talks with in a room, or in private: the talkative and those they are close to."""
        place = room.name if room is not None else ""
        found = self._near.get((opener, place))
        if found is None:
            team, area = self._people[opener].team, self._people[opener].area
            weights = []
            for name in room.members if room is not None else self._people:
                if name == opener or name not in self._people:
                    continue
                tie = self._weight("tie", "/".join(sorted((opener, name))), 1300)
                if team and self._people[name].team == team:
                    tie *= _IN_TEAM
                elif area and self._people[name].area == area:
                    tie *= _IN_AREA
                weights.append((name, max(self._talkative[name] * tie >> 16, 1)))
            weights.sort(key=lambda pair: (-pair[1], pair[0]))
            found = self._near[opener, place] = tuple(weights[:_CIRCLE])
        return found

    def room_of(self, rooms: Sequence[Room], bits: int, at_home: Set[str]) -> Room:
        """Which of some rooms somebody says it in, mostly a loud one and one that is for it, by its area."""
        return min(
            rooms,
            key=lambda one: exponential(
                mixed(bits, self._room_bits[one.name]),
                max(self._loud[one.name] // (1 if one.area in at_home else _ABROAD), 1),
            ),
        )

    def _weight(self, what: str, name: str, spread: int, *, highest: int = 4000) -> int:
        """A log-normal weight of somebody or something."""
        normal = at_rank(self._life.tables.normal, Stream(self._life.seed, what, name).below(ONE))
        return power(spread * min(normal, highest) // 1000)
