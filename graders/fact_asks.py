"""Facts as a reader is asked about them, and when they were so."""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from brownout.core.errors import BrokenRubric
from brownout.core.grading import EndState, GradingContext, TruthFact
from brownout.core.instants import Instant
from brownout.core.plugins import load_plugin
from brownout.core.readers import FactAsk, Reader, Reading
from worlds.facts.stated_facts import asserted

__all__ = [
    "ask_of",
    "asserted_rival",
    "has_begun",
    "is_so",
    "load_reader",
    "read_fact",
    "reader_of",
    "rivals_of",
    "words_asserting",
]

_DETERMINISTIC = "values"
_MODEL = "model"


def rivals_of(fact: TruthFact, facts: Mapping[str, TruthFact]) -> list[TruthFact]:
    """The other values of the fact's slot."""
    return [other for other in facts.values() if other.slot == fact.slot and other.value != fact.value]


def asserted_rival(end: EndState, text: str, fact: TruthFact, at: Instant) -> str:
    """Another typed value of the slot that a text gives as true though it was not so then, empty where there is none."""
    rivals = (other for other in rivals_of(fact, end.facts) if other.kind and not is_so(other, at))
    return next((other.value for other in rivals if words_asserting(end, text, other, at)), "")


def words_asserting(end: EndState, text: str, fact: TruthFact, at: Instant) -> str:
    """The words with which a text gives a typed value as true, whatever else it gives as true; empty where it does not."""
    return asserted(text, replace(ask_of(fact, end.facts, at), rivals={}), end.entities)


def has_begun(fact: TruthFact, at: Instant) -> bool:
    """Whether the fact was so at that time or earlier."""
    return fact.since is None or fact.since <= at


def is_so(fact: TruthFact, at: Instant) -> bool:
    """Whether the fact was so at that time."""
    is_again = fact.again is not None and fact.again <= at
    return is_again or (has_begun(fact, at) and (fact.until is None or at < fact.until))


def ask_of(fact: TruthFact, facts: Mapping[str, TruthFact], at: Instant) -> FactAsk:
    """What a reader is asked of a text that was said at a moment."""
    rivals = {other.value: other.called for other in rivals_of(fact, facts)}
    rivals |= {name: () for name in fact.rivals if name != fact.value and name not in rivals}
    return FactAsk(
        name=fact.name,
        sentence=fact.says[0] if fact.says else f"{fact.slot}: {fact.value}",
        slot=fact.slot,
        kind=fact.kind,
        value=fact.value,
        called=fact.called,
        within=fact.within,
        rivals=rivals,
        about=fact.about,
        at=at,
        since=fact.since,
        until=fact.until,
    )


def reader_of(fact: TruthFact, asked: str) -> str:
    """The reader that a criterion names, else the one for the fact: typed values need no model."""
    return asked or (_DETERMINISTIC if fact.kind else _MODEL)


def load_reader(name: str) -> Reader:
    """The reader of that name.

    Raises:
        UnknownPlugin: there is none.
    """
    return cast(Reader, load_plugin("readers", name))


def read_fact(
    end: EndState, text: str, fact: TruthFact, at: Instant, means: GradingContext, reader: str = ""
) -> Reading:
    """What a text that was said at a moment makes of a fact.

    Raises:
        BrokenRubric: the reader cannot read it.
    """
    name = reader_of(fact, reader)
    if name == _DETERMINISTIC and not fact.kind:
        raise BrokenRubric(
            f"the reader values cannot read {fact.name}: its value has no type; write `is: {{kind: value}}`"
        )
    return load_reader(name).read(text, ask_of(fact, end.facts, at), end.entities, means)
