"""Who may have which part in a conversation that is written whole, on a day."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import Final

from brownout.background.changes_of_days import LEAVE_SLOTS, Change, has_changed, leave_soon
from brownout.background.desk_hours import day_start
from brownout.background.dialogues import UsualParts
from brownout.background.life_sources import Colleague, Life, Room
from brownout.background.openings import Opening
from brownout.background.packs import TICKETS
from brownout.background.said_times import SaidAt
from brownout.background.scripts import Dialogue, SpeakingPart
from brownout.core.instants import DAY, Instant

__all__ = ["PartHolders", "areas_for_all", "leavers"]

_LEAVES_SOON: Final = 21 * DAY


def leavers(life: Life, at: Instant) -> list[str]:
    """Who leaves in the weeks after a moment."""
    return [one.name for one in life.people if one.leaves is not None and at <= one.leaves < at + _LEAVES_SOON]


def areas_for_all(life: Life) -> frozenset[str]:
    """Areas that have to do with everybody, because everybody is in a room of theirs: whoever looks after laptops, leave and offices."""
    everybody = {person.name for person in life.people}
    return frozenset(room.area for room in life.rooms if room.area and everybody <= {*room.members})


class PartHolders:
    """The people of a company as those who may have parts in dialogues.

    Attributes:
        usual: by area who has the parts of which a script says nothing.
        with_anybody: areas that have to do with everybody.
        for_all: areas whose talk is anybody's.
    """

    def __init__(self, life: Life) -> None:
        self._life = life
        self._people: Mapping[str, Colleague] = {person.name: person for person in life.people}
        self._zones = sorted({person.zone for person in life.people})
        self._holders: dict[tuple[SpeakingPart, str | None], frozenset[str]] = {}
        self._changing: dict[tuple[Change, int], frozenset[str]] = {}
        self.with_anybody = areas_for_all(life)
        self.for_all = tuple(pack.area for pack in life.packs if pack.is_for_all)
        self.usual = _usual_parts(life, self.with_anybody)

    def can_be_held(self, dialogue: Dialogue, monday: int) -> bool:
        """Whether there are those in a week whom a dialogue wants: somebody new, away soon or just back, somebody who leaves soon."""
        if dialogue.change and not any(self._changing_on(dialogue.change, day) for day in range(monday, monday + 5)):
            return False
        return not dialogue.has_leaver or bool(leavers(self._life, day_start(monday + 5, self._life.zone)))

    def could_hold(self, opening: Opening, dialogue: Dialogue) -> bool:
        """Whether those who are there on its day have somebody else for each part of a dialogue, where it would be held."""
        dialogue = self.at_work(dialogue, opening.openers[0])
        there = {*opening.openers}
        is_in_room = dialogue.is_public or not opening.is_private
        groups = [there.intersection(room.members) for room in self._rooms_for(dialogue)] if is_in_room else [there]
        if is_in_room and not dialogue.is_public and not groups:
            groups = [there]
        zones = [""] if not dialogue.is_here else [self._life.zone] if is_in_room else self._zones
        parts = [*range(len(dialogue.parts))]
        if len(parts) == 1 and not is_in_room:
            parts *= 2  # whoever is told it
        return any(self._is_filled(opening.day, dialogue, parts, names, zone) for names in groups for zone in zones)

    def may_open(self, opening: Opening, dialogue: Dialogue) -> bool:
        """Whether a dialogue is for whoever would most likely open a conversation to begin with."""
        opener = opening.openers[0]
        return opener in self.able(self.at_work(dialogue, opener), 0, opening.day)

    def openers(self, opening: Opening, dialogue: Dialogue) -> list[str]:
        """Who of those who could begin a conversation may begin with a dialogue."""
        able = self.able(dialogue, 0, opening.day)
        is_home = dialogue.is_here and (dialogue.is_public or not opening.is_private)
        return [
            name
            for name in opening.openers
            if name in able and (not is_home or self._people[name].zone == self._life.zone)
        ]

    def able(self, dialogue: Dialogue, part: int, day: int) -> frozenset[str]:
        """Everybody who may have a part on a day: it is theirs, and their days are changing just then where they say so.

        Of who asks it is only known that they do other work.
        """
        asks_area = dialogue.area if dialogue.is_asked and part == 0 else None
        key = (dialogue.parts[part], asks_area)
        found = self._holders.get(key)
        if found is None:
            found = self._holders[key] = frozenset(
                name
                for name, person in self._people.items()
                if dialogue.parts[part].is_for(person) and person.area != asks_area
            )
        return found & self._changing_on(dialogue.change, day) if dialogue.changing == part else found

    def suits(self, dialogue: Dialogue, cast: Sequence[str], day: int) -> bool:
        """Whether those who were found can hold a dialogue: as many people, each of whom may have their part."""
        if len({*cast}) != dialogue.people:
            return False
        if dialogue.has_leaver and not {*leavers(self._life, day_start(day + 1, self._life.zone))}.difference(cast):
            return False
        if dialogue.is_here and len({self._people[name].zone for name in cast}) > 1:
            return False
        return all(name in self.able(dialogue, part, day) for part, name in enumerate(cast))

    def at_work(self, dialogue: Dialogue, opener: str) -> Dialogue:
        """A dialogue about a ticket as one of those who do the same work as whoever opens it; any other as it is."""
        area = self._people[opener].area
        if dialogue.area != TICKETS:
            return dialogue
        of_area = self.usual.get(area)
        parts = (
            of_area.of(number, is_asked=False) if of_area else SpeakingPart(area) for number in range(dialogue.people)
        )
        return replace(dialogue, area=area, parts=tuple(parts))

    def _changing_on(self, change: Change, day: int) -> frozenset[str]:
        """Whose days are changing so on a day; whose days off have a name that storylines state facts with, says nothing of them."""
        found = self._changing.get((change, day))
        if found is None:
            found = frozenset(
                name
                for name, person in self._people.items()
                if has_changed(person, change, day) and (change != "away" or self._can_name_leave(person, day))
            )
            self._changing[change, day] = found
        return found

    def _can_name_leave(self, person: Colleague, day: int) -> bool:
        leave, said = leave_soon(person, day), SaidAt(day_start(day, person.zone), person.zone)
        return leave is not None and all(self._life.is_free(leave.called(slot, said)) for slot in LEAVE_SLOTS)

    def _is_filled(self, day: int, dialogue: Dialogue, parts: Sequence[int], names: Set[str], zone: str) -> bool:
        """Whether some people of a zone, or of any, have somebody else for each part."""
        there = frozenset(name for name in names if self._people[name].zone == zone) if zone else frozenset(names)
        return _are_shared_out([there & self.able(dialogue, part, day) for part in parts])

    def _rooms_for(self, dialogue: Dialogue) -> list[Room]:
        """The rooms in which a dialogue may be held: for its area, or for no other one."""
        areas = {"", dialogue.area} if dialogue.area in self.for_all else {dialogue.area}
        return [room for room in self._life.rooms if room.area in areas or not room.area]


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
