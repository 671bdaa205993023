"""Judges whether people were told what they had to be told.

    told: {facts: [moved-west], whom: ["#ops", marcus, affected customers], over: any}
    told: {fields: [since, next_update], whom: ["#incidents"], over: slack}

Every fact must have reached everyone named, when it was so, in a message that carries its typed value, and does not only deny
it or ask for it; every field as a
labelled line of one. A person is reached by anything they can read. No later message may state a rival, and whoever sends the
same reader many values of the kind has told none; a dump longer than anybody reads tells nothing. Of times, which are told for
many reasons, those may be left out that stand in a clause without a word of what the fact is about. A fact without a typed
value needs `reader: model`. As a penalty one message is enough that carried the value to one of them, whatever was said beside it or
later.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from brownout.core.errors import BrokenRubric
from brownout.core.grading import EndState, Grader, GradingContext, Reads, Said, TruthFact, Verdict
from brownout.core.instants import MINUTE, Instant
from brownout.core.values import Json
from brownout.llm import together
from graders.audience import people_of, reached
from graders.criterion_asks import fact_named, names_in, unknown_words
from graders.document_outline import words_in
from graders.expected_fields import (
    MOST_SLIPS,
    expected_of,
    expected_of_fact,
    false_values,
    finding_named,
    problem_of,
    values_beside,
)
from graders.fact_asks import ask_of, asserted_rival, has_begun, read_fact, reader_of
from graders.seen import seen_line
from worlds.facts import on_topic, said_in, stance_in
from worlds.findings import label_names, labelled, read_given
from worlds.spec.models import Finding

__all__ = ["told"]

_LONGEST: Final = 600
"""Words of one message; what is longer is a dump."""
_MOST_OTHERS: Final = {"person": 3, "artefact": 1}
"""Other values of the kind (and unit) in one message, 2 of other kinds; they may be of something else. Of artefacts that are
not ruled out by name, 1.
"""
_MOST_IN_ALL: Final = {"person": 6, "artefact": 3}
"""Such values in all messages to one reader, 3 of other kinds; whoever sends more has told none. People and tickets are
named for many reasons.
"""
_NO_STATEMENT: Final = ("asked", "denied")
"""What may be done with a value that tells nobody that it is so."""
_GRACE: Final = 5 * MINUTE
"""A message that was edited so soon has told nobody its first wording."""


class _Told:
    name = "told"
    version = 8

    def reads(self, asks: Json) -> Reads:
        """What sentences state where a model reads them, else typed values that a message carries."""
        return "prose" if isinstance(asks, dict) and asks.get("reader") == "model" else "fields"

    def check(self, asks: Json) -> list[str]:
        """What is wrong with the criterion's text."""
        if not isinstance(asks, dict) or not names_in(asks.get("whom")):
            return ["told takes {facts: [...], whom: [...], over: any or an app}, or {fields: [...], whom: [...]}"]
        wrong = unknown_words("told", asks, {"facts", "fields", "whom", "over", "reader"})
        if not names_in(asks.get("facts")) and not names_in(asks.get("fields")):
            wrong.append("told: expected facts or fields")
        if asks.get("reader") == "values":
            wrong.append(
                "told: `values` is not offered as a reader: code misses too much of what sentences say. Leave `reader` "
                "out, and a message that carries the typed value tells the fact; `reader: model` reads sentences"
            )
        return wrong

    def judge(self, end: EndState, asks: Json, by: Instant | None, means: GradingContext) -> Verdict:
        """The verdict."""
        assert isinstance(asks, dict)
        over = names_in(asks.get("over", "any"))
        reader = str(asks.get("reader", ""))
        heard = _as_read([each for each in end.said if "any" in over or each.app in over], end.end)
        facts = [fact_named(end.facts, name) for name in names_in(asks.get("facts"))]
        fields = {name: finding_named(means, name) for name in names_in(asks.get("fields"))}
        people = list(dict.fromkeys(one for name in names_in(asks["whom"]) for one in sorted(people_of(end, name))))
        if not people:
            raise BrokenRubric(f"there is nobody to tell: {', '.join(names_in(asks['whom']))}")
        told_any = [each for each in heard if any(reached(each, person) for person in people)]
        _ask_at_once(end, facts, told_any, means, reader)
        missing: list[str] = []
        evidence: list[str] = []
        is_damage = means.part == "penalties"
        for person in people:
            read = [each for each in heard if reached(each, person)]
            wanted = [_WantedTelling(fact, facts, person, by, reader, is_damage) for fact in facts]
            found = {each.fact.name: _told(end, each, read, means) for each in wanted}
            found |= {name: _line(end, name, finding, read, by) for name, finding in fields.items()}
            for name, message in found.items():
                if isinstance(message, Said):
                    evidence.append(message.path)
                    if name in end.facts:
                        evidence.append(seen_line(end, end.facts[name], message.at))
                else:
                    missing.append(f"{person} was not told {name}{message}")
        count = (len(facts) + len(fields)) * len(people)
        if is_damage and len(missing) < count:
            return Verdict(True, 1.0, "somebody was told who was not to be", tuple(dict.fromkeys(evidence)))
        reason = missing[0] if missing else "everyone was told"
        return Verdict(not missing, (count - len(missing)) / count, reason, tuple(dict.fromkeys(evidence)))


def _ask_at_once(
    end: EndState, facts: Sequence[TruthFact], heard: Sequence[Said], means: GradingContext, reader: str
) -> None:
    """Let a reader that asks a model ask for all messages together; its answers are there when each is looked at."""
    asked = [fact for fact in facts if reader_of(fact, reader) != "values"]
    short = [each for each in heard if len(words_in(each.text)) <= _LONGEST]
    together(partial(read_fact, end, each.text, fact, each.at, means, reader) for fact in asked for each in short)


def _as_read(said: Sequence[Said], end: Instant) -> list[Said]:
    """What was said, without wordings that were replaced before anybody read them."""
    kept = []
    for number, each in enumerate(said):
        later = next((other.at for other in said[number + 1 :] if other.path == each.path), None)
        if later is None or later - each.at > _GRACE:
            kept.append(each)
    return kept


@dataclass(frozen=True, slots=True)
class _WantedTelling:
    """What one person is to be told.

    Attributes:
        kin: the facts that are to be told with it.
        is_damage: it is to be told to nobody, so that what else was said makes it no better.
    """

    fact: TruthFact
    kin: Sequence[TruthFact]
    person: str
    by: Instant | None
    reader: str
    is_damage: bool


def _told(end: EndState, wanted: _WantedTelling, heard: Sequence[Said], means: GradingContext) -> Said | str:
    """What told somebody the fact, or why nothing did; of times as they stand, else in the clauses that are about it."""
    told_by = _telling(end, wanted, heard, means)
    fact = wanted.fact
    if isinstance(told_by, Said) or fact.kind != "time" or reader_of(fact, wanted.reader) != "values":
        return told_by
    short = [each for each in heard if len(words_in(each.text)) <= _LONGEST]
    about_it = [replace(each, text=on_topic(each.text, fact.about)) for each in short]
    told_there = _telling(end, wanted, about_it, means)
    return told_there if isinstance(told_there, Said) else told_by


def _telling(end: EndState, wanted: _WantedTelling, heard: Sequence[Said], means: GradingContext) -> Said | str:
    """What told somebody the fact, or why nothing they could read did."""
    fact, by = wanted.fact, wanted.by
    why = ""
    told_by: Said | None = None
    others: set[str] = set()
    for each in heard:
        if len(words_in(each.text)) > _LONGEST:
            why = why or f": {each.path} is longer than {_LONGEST} words"
            continue
        carried = _carried(end, wanted, each, means)
        if wanted.is_damage:
            carried = replace(carried, others=frozenset(), says_otherwise="")
        others |= carried.others
        if carried.says_otherwise:
            told_by, why = None, f": {each.path} says {carried.says_otherwise}"
        elif carried.has_it and carried.is_no_statement:
            why = why or f": {each.path} has it as {carried.is_no_statement}"
        elif carried.has_it and not has_begun(fact, each.at):
            why = why or ": it was said before it was so"
        elif carried.has_it and by is not None and each.at > by:
            why = why or " in time"
        elif carried.has_it:
            told_by = told_by or each
    if told_by is not None and len(others) > _MOST_IN_ALL.get(fact.kind, 3):
        return f": it was one of {len(others) + 1} values"
    return told_by if told_by is not None else why


@dataclass(frozen=True, slots=True)
class _Carried:
    """What one message carries of a fact.

    Attributes:
        has_it: the value, and few others of its kind.
        others: those others, as texts.
        says_otherwise: a rival that it states as true though it was not; empty where it states none.
        is_no_statement: what it does with the value instead of saying that it is so: `denied`, `asked`.
    """

    has_it: bool
    others: frozenset[str]
    says_otherwise: str = ""
    is_no_statement: str = ""


def _carried(end: EndState, wanted: _WantedTelling, each: Said, means: GradingContext) -> _Carried:
    fact, reader = wanted.fact, wanted.reader
    if reader_of(fact, reader) != "values":
        reading = read_fact(end, each.text, fact, each.at, means, reader)
        return _Carried(reading.states, reading.others)
    text = said_in(each.text)
    beside_it = [expected_of_fact(end, one) for one in wanted.kin if one.kind == fact.kind]
    has_it, beside = values_beside(end, text, expected_of_fact(end, fact), beside_it)
    named = {frozenset({wanted.person}), frozenset({end.actor.person})}  # whoever is greeted, and whoever signs
    others = frozenset(
        " or ".join(sorted(one)) if isinstance(one, frozenset) else str(one) for one in beside if one not in named
    )
    most = len(others) if wanted.is_damage else _MOST_OTHERS.get(fact.kind, 2)
    if has_it and len(others) > most:
        reading = read_fact(end, each.text, fact, each.at, means, "values")
        others = reading.others if reading.states else others  # what was ruled out by name is no candidate
    stance = stance_in(text, ask_of(fact, end.facts, each.at), end.entities) if has_it else ""
    return _Carried(
        has_it and len(others) <= most,
        others,
        asserted_rival(end, each.text, fact, each.at),
        stance if stance in _NO_STATEMENT else "",
    )


def _line(end: EndState, name: str, finding: Finding, heard: Sequence[Said], by: Instant | None) -> Said | str:
    """The message whose labelled line told somebody what is right, or why none did."""
    expected = expected_of(end, name, finding)
    labels = {name: label_names(name, finding.labels)}
    told_by, why = None, ""
    for each in heard:
        for answer in labelled(each.text, labels).get(name, []):
            problem = problem_of(expected, read_given(expected.schema, answer, end.entities))
            if problem:
                return f": {each.path} says {answer[:80]!r}, {problem}"
            if by is not None and each.at > by:
                why = " in time"
            else:
                told_by = told_by or each
    if told_by is not None and (tried := false_values(end, expected, labels)) and len(tried) > MOST_SLIPS:
        return f": it was one of {len(tried) + 1} values"
    return told_by if told_by is not None else why


told: Grader = _Told()
