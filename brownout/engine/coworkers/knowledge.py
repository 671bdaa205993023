"""What there is to know, and what somebody has learned of it by now."""

from dataclasses import dataclass

import orjson
from sqlalchemy import bindparam, select

from brownout.core.instants import Instant
from brownout.core.rows import Row
from brownout.store import Rows, compile_query
from worlds.package.engine_tables import belief, fact

__all__ = ["KnownFact", "Slot", "believed", "knowers", "slots"]

_FACTS = compile_query(select(fact).order_by(fact.c.id))
_BELIEVED = compile_query(
    select(fact, belief.c.learned_us)
    .join(belief, belief.c.fact == fact.c.fact)
    .where(belief.c.person == bindparam("person"), belief.c.learned_us <= bindparam("now"))
    .order_by(belief.c.learned_us, belief.c.id)
)
_KNOWERS = compile_query(
    select(belief.c.person)
    .join(fact, belief.c.fact == fact.c.fact)
    .where(fact.c.slot == bindparam("slot"), belief.c.learned_us <= bindparam("now"))
    .order_by(belief.c.learned_us, belief.c.id)
)


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A fact with the words for it.

    Attributes:
        audience: the people and channels that may be told; None for everybody.
    """

    name: str
    slot: str
    value: str
    since: Instant | None
    says: tuple[str, ...]
    about: tuple[str, ...]
    audience: frozenset[str] | None


@dataclass(frozen=True, slots=True)
class Slot:
    """Something that can be asked about: all the values it ever had."""

    name: str
    facts: tuple[KnownFact, ...]


def slots(rows: Rows) -> list[Slot]:
    """Everything that can be asked about in this world."""
    found: dict[str, list[KnownFact]] = {}
    for row in rows.all(_FACTS):
        found.setdefault(row.text("slot"), []).append(_fact(row))
    return [Slot(name, tuple(facts)) for name, facts in found.items()]


def believed(rows: Rows, person: str, now: Instant) -> dict[str, KnownFact]:
    """What somebody takes to be so, by slot: of several values the one that began last, then the one learned last."""
    found: dict[str, KnownFact] = {}
    for row in rows.all(_BELIEVED, person=person, now=now):
        known = _fact(row)
        other = found.get(known.slot)
        if other is None or (known.since or 0) >= (other.since or 0):
            found[known.slot] = known
    return found


def knowers(rows: Rows, slot: str, now: Instant) -> list[str]:
    """Who knows something about a slot, those who learned it first before the others."""
    return list(dict.fromkeys(row.text("person") for row in rows.all(_KNOWERS, slot=slot, now=now)))


def _fact(row: Row) -> KnownFact:
    words = orjson.loads(row.text("words"))
    since = row["since_us"]
    return KnownFact(
        row.text("fact"), row.text("slot"), row.text("value"), since if isinstance(since, int) else None,
        tuple(words["says"]), tuple(words["about"]), frozenset(words["audience"]) if "audience" in words else None,
    )  # fmt: skip
