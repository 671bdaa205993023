"""What the agent was shown at a step against what was so: silent outages, and values that hold no longer.

Only what can be told without guessing is told. A value counts as seen where the answer states it in the words
of the fact's own patterns, the same that graders read with.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import orjson
from sqlalchemy import select

from brownout.core.instants import Instant
from brownout.core.trajectory import Event, OutageEvent, ResultEvent, StopEvent
from brownout.core.values import Json
from brownout.store import Base, Pool, compile_query
from studio.company.timeline import mode_text, target_title
from worlds.facts import is_stated
from worlds.package import Outage, Package
from worlds.package.engine_tables import fact

__all__ = ["Seen", "seen_in"]

_FACTS = compile_query(select(fact).order_by(fact.c.id))


@dataclass(frozen=True, slots=True)
class Seen:
    """One thing the agent was shown.

    Attributes:
        differs: it is not as shown.
        note: how one can tell.
    """

    what: str
    saw: str
    truth: str
    differs: bool
    note: str


@dataclass(frozen=True, slots=True)
class _Fact:
    name: str
    slot: str
    value: str
    since: Instant | None
    until: Instant | None
    said: tuple[str, ...]

    def holds(self, at: Instant) -> bool:
        return (self.since is None or self.since <= at) and (self.until is None or at < self.until)


def seen_in(package: Package, result: ResultEvent, events: Sequence[Event]) -> list[Seen]:
    """What an answer showed, beside what was so then.

    Args:
        events: of the whole run; outages that began because of something are only known from them.
    """
    ended = next((event.at for event in events if isinstance(event, StopEvent)), result.at)
    at = min(result.at, ended)  # the world runs on for a while before a last call is answered
    return [*_outages(package, result, at, events), *_values(package, result, at)]


def _outages(package: Package, result: ResultEvent, at: Instant, events: Sequence[Event]) -> Iterator[Seen]:
    for outage in package.outages:
        since = _began(outage, at, events)
        if since is None or not since <= at < since + outage.lasts:
            continue
        what = target_title(package, outage.target)
        is_told = outage.announced is not None and at >= since + outage.announced
        page = "announced on its status page" if is_told else "nothing; its status page is green"
        note = "It shaped this very answer." if result.fault == outage.name else ""
        yield Seen(what, page, mode_text(outage.mode), not is_told, note)


def _began(outage: Outage, at: Instant, events: Sequence[Event]) -> Instant | None:
    """When an outage last began before a moment."""
    began = [e.at for e in events if isinstance(e, OutageEvent) and e.name == outage.name and e.edge == "began"]
    known = [outage.start] if outage.start is not None else []
    return max((moment for moment in (*began, *known) if moment <= at), default=None)


def _values(package: Package, result: ResultEvent, at: Instant) -> Iterator[Seen]:
    text = "\n".join(_texts(result.structured)) if result.structured is not None else result.content
    facts = _facts(package.origin, package.manifest.digest)
    for one in facts:
        rivals = [other for other in facts if other.slot == one.slot and other.value != one.value]
        if not one.said or not is_stated(text, one.said, one.value, [other.value for other in rivals]):
            continue
        if one.holds(at):
            yield Seen(one.slot, one.value, one.value, False, "")
            continue
        now = next((other.value for other in rivals if other.holds(at)), "no longer so")
        early = one.since is not None and at < one.since
        yield Seen(one.slot, one.value, now, True, "Not so yet." if early else "It was so once.")


def _texts(value: Json) -> Iterator[str]:
    """Every text in an answer, in its order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


@lru_cache(maxsize=32)
def _facts(origin: Path, digest: str) -> tuple[_Fact, ...]:
    with closing(Base(origin)) as base:
        pool = Pool(base, hot=1)
        rows = pool.open().rows.all(_FACTS)
        pool.close()
    return tuple(
        _Fact(
            name=row.text("fact"),
            slot=row.text("slot"),
            value=row.text("value"),
            since=_instant(row["since_us"]),
            until=_instant(row["until_us"]),
            said=tuple(orjson.loads(row.text("words")).get("said", ())),
        )
        for row in rows
    )


def _instant(value: object) -> Instant | None:
    return value if isinstance(value, int) else None
