"""What all the rest of a world's text rests on: its calendar, its time zones, and the days on which people are there.

Where one of these is wrong, that is said once, and the rest is checked with a stand-in.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from brownout.core.errors import Mistake
from brownout.core.instants import Instant, zone
from worlds.attendance import days_off
from worlds.expressions import ExpressionError, parse_moment
from worlds.spec import Person, WorldSpec

__all__ = ["Foundations", "foundations"]

_WORLD, _PEOPLE = "world.yaml", "people.yaml"
_ANY_DAY = "2026-01-01"


@dataclass(frozen=True, slots=True)
class Foundations:
    """A spec whose times can be placed.

    Attributes:
        spec: with stand-ins for what is wrong.
        mistakes: what they stand in for.
        has_calendar: whether the calendar is sound; without it nobody can say what is outside.
    """

    spec: WorldSpec
    mistakes: tuple[Mistake, ...]
    has_calendar: bool


def foundations(spec: WorldSpec) -> Foundations:
    """The spec with stand-ins, and what is wrong there."""
    found: list[Mistake] = []
    clock = spec.world.clock
    if not _is_zone(clock.zone):
        line = spec.line(_WORLD, "clock", "zone")
        found.append(Mistake(_WORLD, line, f"clock.zone: {clock.zone!r} is not in the tz database"))
        clock = clock.model_copy(update={"zone": "UTC"})
    wrong = [*_calendar_mistakes(spec, clock.zone)]
    if wrong:
        clock = clock.model_copy(update={"start": _ANY_DAY, "until": _ANY_DAY})
    people = {}
    for name, person in spec.people.items():
        mistakes = [*_person_mistakes(spec, name, person, clock.zone)]
        stand_in: dict[str, object] = {"zone": None, "away": [], "joins": None, "leaves": None}
        people[name] = person.model_copy(update=stand_in) if mistakes else person
        found += mistakes
    world = spec.world.model_copy(update={"clock": clock})
    return Foundations(replace(spec, world=world, people=people), (*found, *wrong), not wrong)


def _is_zone(name: str) -> bool:
    try:
        zone(name)
    except KeyError:
        return False
    return True


def _calendar_mistakes(spec: WorldSpec, zone_name: str) -> Iterator[Mistake]:
    clock = spec.world.clock
    days: list[Instant] = []
    for word, text in (("from", clock.start), ("until", clock.until)):
        try:
            found = parse_moment(text, zone_name)
        except ExpressionError as error:
            yield Mistake(_WORLD, spec.line(_WORLD, "clock", word), f"clock.{word}: {error}")
            continue
        if isinstance(found, int):
            days.append(found)
        else:
            line = spec.line(_WORLD, "clock", word)
            yield Mistake(_WORLD, line, f"clock.{word}: expected a day such as 2026-01-05, found {text!r}")
    if len(days) == 2 and days[1] <= days[0]:
        line = spec.line(_WORLD, "clock", "until")
        yield Mistake(_WORLD, line, f"clock: until {clock.until} is not after from {clock.start}")


def _person_mistakes(spec: WorldSpec, name: str, person: Person, zone_name: str) -> Iterator[Mistake]:
    if person.zone and not _is_zone(person.zone):
        line = spec.line(_PEOPLE, name, "zone")
        yield Mistake(_PEOPLE, line, f"{name}.zone: {person.zone!r} is not in the tz database")
        return
    here = person.zone or zone_name
    try:
        days_off(person.away, here)
    except ExpressionError as error:
        yield Mistake(_PEOPLE, spec.line(_PEOPLE, name, "away"), f"{name}.away: {error}")
    days: list[Instant] = []
    for word, text in (("joins", person.joins), ("leaves", person.leaves)):
        try:
            found = parse_moment(text, here) if text else None
        except ExpressionError as error:
            yield Mistake(_PEOPLE, spec.line(_PEOPLE, name, word), f"{name}.{word}: {error}")
            continue
        if isinstance(found, int):
            days.append(found)
        elif found is not None:
            line = spec.line(_PEOPLE, name, word)
            yield Mistake(_PEOPLE, line, f"{name}.{word}: expected a day such as 2026-03-16, found {text!r}")
    if len(days) == 2 and days[1] <= days[0]:
        line = spec.line(_PEOPLE, name, "leaves")
        yield Mistake(_PEOPLE, line, f"{name}: leaves {person.leaves} is not after joins {person.joins}")
