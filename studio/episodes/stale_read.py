"""The stale-read diff: what an answer showed the agent against what was so then.

Outages that no status page told of, and values of facts that hold no longer. A value counts as shown only where the answer
states it of its slot, and of no other slot as well: an option in a list, a quotation and a question show none, and where a
sentence fits two slots nobody can tell which it is about. What is not so yet cannot be out of date, nor what never was: texts
name such values as plans, candidates and mistakes.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import orjson
from sqlalchemy import select

from brownout.core.entities import Entities
from brownout.core.instants import Instant, local
from brownout.core.readers import FactAsk, FactKind
from brownout.core.rows import Row
from brownout.core.trajectory import Event, OutageEvent, ResultEvent, StopEvent
from brownout.core.values import Json
from brownout.engine.outages import words_of
from brownout.store import Base, Pool, compile_query
from studio.app_titles import title_of_target
from studio.company.people import faces_of
from worlds.facts.stated_facts import stated
from worlds.package import Outage, Package
from worlds.package.engine_tables import fact

__all__ = ["Seen", "is_stale_read", "seen_in"]

_WORD = re.compile(r"[^\W_]+")
_LEAST = 3
"""Words of a text that can state something by itself."""
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
    kind: FactKind
    called: tuple[str, ...]
    about: tuple[str, ...]
    sentence: str

    def holds(self, at: Instant) -> bool:
        return (self.since is None or self.since <= at) and (self.until is None or at < self.until)

    def is_past(self, at: Instant, first: Instant) -> bool:
        """Whether it was so at some time since `first`, and is so no longer."""
        return self.until is not None and max(first, self.since or first) < self.until <= at

    def topic_in(self, text: str) -> int:
        """How many different words of its topic stand in a text."""
        low = f" {' '.join(_WORD.findall(text.casefold()))} "
        words = {*self.about, *_WORD.findall(self.slot), *_WORD.findall(self.sentence)}
        return sum(f" {' '.join(_WORD.findall(word.casefold()))} " in low for word in words if len(word) > 2)


def seen_in(package: Package, result: ResultEvent, events: Sequence[Event]) -> list[Seen]:
    """What an answer showed, beside what was so then.

    Args:
        events: of the whole run; outages that began because of something are only known from them.
    """
    ended = next((event.at for event in events if isinstance(event, StopEvent)), result.at)
    at = min(result.at, ended)  # the world runs on for a while before a last call is answered
    return [*_values(package, result, at), *_outages(package, result, at, events)]


def is_stale_read(package: Package, result: ResultEvent, events: Sequence[Event]) -> bool:
    """Whether an answer showed the agent a value that was no longer so."""
    ended = next((event.at for event in events if isinstance(event, StopEvent)), result.at)
    return any(one.differs for one in _values(package, result, min(result.at, ended)))


def _outages(package: Package, result: ResultEvent, at: Instant, events: Sequence[Event]) -> Iterator[Seen]:
    for outage in package.outages:
        since = _began(outage, at, events)
        if since is None or not since <= at < since + outage.lasts:
            continue
        what = title_of_target(outage.target, package)
        is_told = outage.announced is not None and at >= since + outage.announced
        page = "announced on its status page" if is_told else "nothing; its status page is green"
        note = "It shaped this very answer." if result.fault == outage.name else ""
        yield Seen(what, page, words_of(outage.mode).said, not is_told, note)


def _began(outage: Outage, at: Instant, events: Sequence[Event]) -> Instant | None:
    """When an outage last began before a moment."""
    began = [e.at for e in events if isinstance(e, OutageEvent) and e.name == outage.name and e.edge == "began"]
    known = [outage.start] if outage.start is not None else []
    return max((moment for moment in (*began, *known) if moment <= at), default=None)


def _values(package: Package, result: ResultEvent, at: Instant) -> Iterator[Seen]:
    """The typed values that the answer states, each text of it read by itself."""
    texts = [*_texts(result.structured)] if result.structured is not None else [result.content]
    facts = [one for one in _facts(package.origin, package.manifest.digest) if one.kind]
    names = _names(package, at)
    yield from _stated_values(
        [text for text in texts if _is_prose(text)], facts, at, package.manifest.calendar[0], names
    )


def _stated_values(
    texts: Sequence[str], facts: Sequence[_Fact], at: Instant, first: Instant, names: Entities
) -> Iterator[Seen]:
    """The values that some texts state, each beside the one that holds; `first` is when the calendar begins."""
    for one in facts:
        holds = one.holds(at)
        if not holds and not one.is_past(at, first):
            continue
        rivals = [other for other in facts if other.slot == one.slot and other.value != one.value]
        ask = _ask(one, rivals, at)
        quotes = [reading.quote for text in texts if (reading := stated(text, ask, names)).states]
        if holds and quotes:
            yield Seen(one.slot, one.value, one.value, False, "")
        elif any(_is_only_about(quote, one, facts) for quote in quotes):
            now = next((other.value for other in rivals if other.holds(at)), "no longer so")
            yield Seen(one.slot, one.value, now, True, "It was so once.")


def _is_only_about(quote: str, one: _Fact, facts: Sequence[_Fact]) -> bool:
    """Whether a sentence speaks of a fact's slot more than of any other slot that has the same value."""
    own = one.topic_in(quote)
    return all(own > other.topic_in(quote) for other in facts if other.slot != one.slot and other.value == one.value)


def _ask(one: _Fact, rivals: Sequence[_Fact], at: Instant) -> FactAsk:
    return FactAsk(
        name=one.name,
        sentence=one.sentence,
        slot=one.slot,
        kind=one.kind,
        value=one.value,
        called=one.called,
        rivals={other.value: other.called for other in rivals},
        about=one.about,
        at=at,
        since=one.since,
        until=one.until,
    )


def _is_prose(text: str) -> bool:
    """Whether a text says something by itself; a word alone is the value of a field that is not read."""
    return len(text.split()) >= _LEAST


def _names(package: Package, at: Instant) -> Entities:
    """The names in a text; artefacts are known by what the facts call them."""
    people = {face.person: (face.name,) for face in faces_of(package)}
    today = local(at, package.manifest.zone).date()
    return Entities(people, {}, lambda text: (), today, package.manifest.zone)


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
    return tuple(map(_fact, rows))


def _fact(row: Row) -> _Fact:
    words = orjson.loads(row.text("words"))
    return _Fact(
        name=row.text("fact"),
        slot=row.text("slot"),
        value=row.text("value"),
        since=_instant(row["since_us"]),
        until=_instant(row["until_us"]),
        kind=words.get("kind", ""),
        called=tuple(words.get("called", ())),
        about=tuple(words.get("about", ())),
        sentence="; ".join(words.get("says", ())),
    )


def _instant(value: object) -> Instant | None:
    return value if isinstance(value, int) else None
