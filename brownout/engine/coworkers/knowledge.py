"""What somebody has learned by now, what of it is over, and who else knows."""

from dataclasses import dataclass

import orjson
from sqlalchemy import bindparam, select

from brownout.core.instants import Instant
from brownout.core.rows import Row, Value
from brownout.store import StoreRows, compile_query
from worlds.package.engine_tables import belief, fact

__all__ = ["UNKNOWN", "KnownFact", "believed", "knowers"]

UNKNOWN = "unknown"
"""The value of a fact that says that nobody can know."""

_BELIEVED = compile_query(
    select(fact, belief.c.learned_us)
    .join(belief, belief.c.fact == fact.c.fact)
    .where(belief.c.person == bindparam("person"), belief.c.learned_us <= bindparam("now"))
    .order_by(belief.c.learned_us, belief.c.id)
)
_KNOWERS = compile_query(
    select(belief.c.person)
    .join(fact, belief.c.fact == fact.c.fact)
    .where(fact.c.slot == bindparam("slot"), fact.c.value != UNKNOWN, belief.c.learned_us <= bindparam("now"))
    .order_by(belief.c.learned_us, belief.c.id)
)
_LATER = compile_query(
    select(fact.c.id)
    .where(fact.c.slot == bindparam("slot"), fact.c.since_us >= bindparam("since"), fact.c.since_us <= bindparam("now"))
    .limit(1)
)


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A fact that somebody has learned, with the words for it.

    Attributes:
        audience: the people and channels that may be told; None for everybody.
        over: since when it is so no more and nothing else has taken its place; None while they take it to be so.
    """

    name: str
    slot: str
    value: str
    says: tuple[str, ...]
    audience: frozenset[str] | None
    over: Instant | None


def believed(rows: StoreRows, person: str, now: Instant) -> dict[str, KnownFact]:
    """What somebody takes to be so, by slot.

    Of several values the one that holds, of those the one that began last, of those the one learned last. A value that
    has ended is taken to hold as long as they have not heard what came after it; where nothing did, they saw it end.
    """
    found: dict[str, Row] = {}
    for row in rows.all(_BELIEVED, person=person, now=now):
        other = found.get(row.text("slot"))
        if other is None or _recency(row, now) >= _recency(other, now):
            found[row.text("slot")] = row
    return {slot: _known(rows, row, now) for slot, row in found.items()}


def knowers(rows: StoreRows, slot: str, now: Instant) -> list[str]:
    """Who knows a value of a slot, those who learned it first before the others; that it is unknown is none."""
    return list(dict.fromkeys(row.text("person") for row in rows.all(_KNOWERS, slot=slot, now=now)))


def _window(row: Row, now: Instant) -> tuple[Value, Value]:
    """From when and until when a fact is so, the later time where it has come to be so again."""
    again = row["again_us"]
    return (again, None) if isinstance(again, int) and again <= now else (row["since_us"], row["until_us"])


def _recency(row: Row, now: Instant) -> tuple[bool, int]:
    since, until = _window(row, now)
    holds = not (isinstance(until, int) and until <= now)
    return holds, since if isinstance(since, int) else 0


def _known(rows: StoreRows, row: Row, now: Instant) -> KnownFact:
    words, until = orjson.loads(row.text("words")), _window(row, now)[1]
    has_ended = isinstance(until, int) and until <= now
    is_over = has_ended and rows.one(_LATER, slot=row.text("slot"), since=until, now=now) is None
    return KnownFact(
        name=row.text("fact"),
        slot=row.text("slot"),
        value=row.text("value"),
        says=tuple(words["says"]),
        audience=frozenset(words["audience"]) if "audience" in words else None,
        over=until if is_over and isinstance(until, int) else None,
    )
