"""Judges whether the value of a fact had reached the agent in an answer, a notice or a terminal's output, whatever it was of there.

    seen: [hold-10, stuck-holds]

Any tool will do. No bar should rest on it alone: whoever derives a value from figures has not been shown it in words. The
ledger says of each fact that was handed in or told whether and where it had been seen before.
"""

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from typing import Final

from brownout.core.grading import CallRecord, EndState, Grader, GradingContext, Reads, TruthFact, Verdict
from brownout.core.instants import Instant, clock_text
from brownout.core.values import Json
from graders.criterion_asks import fact_named, names_in
from graders.expected_fields import expected_of_fact
from worlds.findings import RECORD_FINDINGS
from worlds.values import DateValue, DurationValue, QuantityValue, TimeValue, Value

__all__ = ["first_seen", "seen", "seen_line"]

_MONTHS: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_SPANS: Final = ((86_400, "day"), (3_600, "hour"), (60, "min"), (1, "sec"))


class _Seen:
    name = "seen"
    version = 1
    reads: Reads = "state"

    def check(self, asks: Json) -> list[str]:
        """What is wrong with the criterion's text."""
        return [] if names_in(asks) else ["seen takes a list of facts: seen: [hold-10]"]

    def judge(self, end: EndState, asks: Json, by: Instant | None, means: GradingContext) -> Verdict:
        """The verdict."""
        names = names_in(asks)
        found = {name: first_seen(end, fact_named(end.facts, name), by) for name in names}
        missing = [name for name, act in found.items() if act is None]
        lines = tuple(seen_line(end, fact_named(end.facts, name), by) for name in names)
        reason = f"{missing[0]} was never shown to the agent" if missing else "all of it had been seen"
        return Verdict(not missing, (len(names) - len(missing)) / len(names), reason, lines)


def first_seen(end: EndState, fact: TruthFact, before: Instant | None = None) -> CallRecord | None:
    """The first call whose answer, notices included, showed the fact's value, before a moment where one is given.

    Facts without a typed value are looked for by the words of their value.
    """
    pattern = re.compile("|".join(f"(?:{each})" for each in _spellings(end, fact)), re.IGNORECASE)
    for act in end.acts:
        if before is not None and act.at > before:
            return None
        if act.call.name != RECORD_FINDINGS and not act.answer.is_error and pattern.search(act.answer.content):
            return act
    return None


def seen_line(end: EndState, fact: TruthFact, before: Instant | None = None) -> str:
    """For the ledger: `hold-10: its value first stood in jira_get_issue (c7), 11:52`, or that it did in no answer."""
    act = first_seen(end, fact, before)
    if act is None:
        return f"{fact.name}: its value stood in no answer before"
    return f"{fact.name}: its value first stood in {act.call.name} ({act.call.call_id}), {clock_text(act.at, end.entities.zone)}"


def _spellings(end: EndState, fact: TruthFact) -> list[str]:
    """Regular expressions for the usual ways to write the fact's value."""
    names = [fact.value, *(fact.called if fact.kind not in ("quantity",) else ())]
    if fact.kind == "person":
        names = [*fact.called, *end.entities.people.get(fact.value, ())]
    if fact.kind == "artefact":
        names = _titles(end, fact)
    if fact.kind == "part":
        names.append(fact.value.rpartition("/")[2])
    typed = expected_of_fact(end, fact).right if fact.kind in ("time", "date", "duration", "quantity") else ()
    found = [each for value in typed if not isinstance(value, frozenset) for each in _written(value)]
    return found or [rf"(?<!\w){re.escape(name)}(?!\w)" for name in names if name]


def _titles(end: EndState, fact: TruthFact) -> list[str]:
    app, _, pattern = fact.value.partition(":")
    things = end.find(app, pattern)
    named = [str(thing.fields.get(field, "")) for thing in things for field in ("title", "key", "merge_sha")]
    return [*(name for name in named if name), pattern]


@lru_cache(maxsize=512)
def _written(value: Value) -> tuple[str, ...]:
    return tuple(_forms(value))


def _forms(value: Value) -> Iterator[str]:
    match value:
        case TimeValue(minute=minute):
            yield rf"(?<!\d)0?{minute // 60}[:.h]{minute % 60:02}(?!\d)"
        case DateValue(date=day):
            yield from _days(day)
        case DurationValue(months=months, seconds=seconds):
            spans = [(int(seconds) // size, word) for size, word in _SPANS if seconds and int(seconds) % size == 0]
            yield from (rf"(?<!\d){count}[ -]?{word}" for count, word in spans)
            if months:
                yield rf"(?<!\d){months}[ -]?month"
        case QuantityValue(number=number):
            whole = int(number)
            yield rf"(?<![\d.,]){re.escape(f'{whole:,}').replace(',', '[,. ]?')}(?![\d])"


def _days(day: date) -> Iterator[str]:
    month = _MONTHS[day.month - 1]
    yield re.escape(day.isoformat())
    yield rf"(?<!\d){day.day}(?:st|nd|rd|th)?\.? (?:of )?{month[:3]}"
    yield rf"{month[:3]}\w*\.? {day.day}(?!\d)"
    yield rf"(?<!\d)0?{day.day}\.0?{day.month}\.(?:{day.year})?"


seen: Grader = _Seen()
