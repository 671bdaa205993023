"""What is so at a moment, who knows it, and which artefacts say it or have gone stale. No surface shows this."""

from collections import defaultdict
from dataclasses import dataclass

import orjson
from sqlalchemy import bindparam, select

from brownout.core.instants import Instant
from brownout.core.trajectory import WorldEvent
from brownout.store import compile_query
from studio.company.company_view import Viewing
from studio.company.paths import Destination, destination_of, key_of
from worlds.package.engine_tables import belief, fact

__all__ = ["Artefact", "Knower", "ShownFact", "ShownSlot", "Truth", "truth_at"]

_FACTS = compile_query(select(fact).order_by(fact.c.id))
_BELIEFS = compile_query(
    select(belief).where(belief.c.learned_us <= bindparam("now")).order_by(belief.c.learned_us, belief.c.person)
)


@dataclass(frozen=True, slots=True)
class Knower:
    """Somebody who has learned a fact."""

    person: str
    name: str
    since: Instant


@dataclass(frozen=True, slots=True)
class Artefact:
    """Something in an app that states a fact; stale where the fact no longer holds."""

    path: str
    label: str
    at: Instant
    who: str
    is_stale: bool
    leads_to: Destination | None


@dataclass(frozen=True, slots=True)
class ShownFact:
    """One value of a slot, with whoever knows it and whatever states it."""

    name: str
    value: str
    says: str
    holds: bool
    since: Instant | None
    until: Instant | None
    known_by: tuple[Knower, ...]
    stated_in: tuple[Artefact, ...]


@dataclass(frozen=True, slots=True)
class ShownSlot:
    """What can have one value at a time. Values come with the one that holds first, then the latest."""

    name: str
    values: tuple[ShownFact, ...]


@dataclass(frozen=True, slots=True)
class Truth:
    """The ground truth of a moment.

    Attributes:
        stale: the paths of artefacts that state what no longer holds, with what they say and what is so.
    """

    slots: tuple[ShownSlot, ...]
    stale: dict[str, str]
    states: dict[str, str]


def truth_at(viewing: Viewing) -> Truth:
    """The ground truth of the moment that is shown."""
    now = viewing.now
    stated = _artefacts(viewing)
    known: dict[str, list[Knower]] = defaultdict(list)
    for row in viewing.rows.all(_BELIEFS, now=now):
        person = row.text("person")
        known[row.text("fact")].append(Knower(person, viewing.name_of(person), row.number("learned_us")))
    slots: dict[str, list[ShownFact]] = defaultdict(list)
    for row in viewing.rows.all(_FACTS):
        since, until = _instant(row["since_us"]), _instant(row["until_us"])
        if since is not None and since > now:
            continue
        holds = until is None or now < until
        name = row.text("fact")
        slots[row.text("slot")].append(
            ShownFact(
                name=name,
                value=row.text("value"),
                says=_says(row.text("words")),
                holds=holds,
                since=since,
                until=until,
                known_by=tuple(known[name]),
                stated_in=tuple(_artefact(viewing, event, not holds) for event in stated[name]),
            )
        )
    found = tuple(ShownSlot(name, tuple(sorted(values, key=_order))) for name, values in sorted(slots.items()))
    return Truth(found, _stale(found), _states(found))


def _order(fact: ShownFact) -> tuple[bool, Instant]:
    return (not fact.holds, -(fact.since or 0))


def _artefacts(viewing: Viewing) -> dict[str, list[WorldEvent]]:
    """What each fact was stated in so far: one entry a path, the first time."""
    found: dict[str, dict[str, WorldEvent]] = defaultdict(dict)
    for event in viewing.events:
        if isinstance(event, WorldEvent) and event.path and event.outcome == "done":
            for name in event.facts:
                found[name].setdefault(event.path, event)
    return defaultdict(list, {name: list(paths.values()) for name, paths in found.items()})


def _artefact(viewing: Viewing, event: WorldEvent, is_stale: bool) -> Artefact:
    key, title = key_of(viewing, event.path)
    leads_to = destination_of(key, title)
    label = leads_to.label if leads_to else event.path
    return Artefact(key, label, event.at, viewing.name_of(event.who), is_stale, leads_to)


def _stale(slots: tuple[ShownSlot, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for slot in slots:
        current = next((value.value for value in slot.values if value.holds), "")
        for value in slot.values:
            for artefact in value.stated_in:
                if artefact.is_stale:
                    now = f"; now {current}" if current else ""
                    found[artefact.path] = f"says {slot.name} = {value.value}{now}"
    return found


def _states(slots: tuple[ShownSlot, ...]) -> dict[str, str]:
    return {
        artefact.path: f"{slot.name} = {value.value}"
        for slot in slots
        for value in slot.values
        for artefact in value.stated_in
        if not artefact.is_stale
    }


def _instant(value: object) -> Instant | None:
    return value if isinstance(value, int) else None


def _says(words: str) -> str:
    says = orjson.loads(words).get("says") or [""]
    return str(says[0])
