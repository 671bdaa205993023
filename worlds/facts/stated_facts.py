"""Whether a text states a fact: its exact value, with a word of its topic, in an assertive clause, and no other value.

Never the whole of a point: that the value is there, and that nothing else could be taken for it, is what code can tell of prose.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Final

from brownout.core.entities import Entities
from brownout.core.readers import FactAsk, Reading
from worlds.facts import signals
from worlds.facts.clauses import ReadSlot, Stance, Standing, clause_of, clauses_of, standing_of, wide_clause
from worlds.facts.lists import listed_in
from worlds.facts.name_matching import flat, word_pattern
from worlds.facts.slot_candidates import Candidate, SlotValues
from worlds.facts.visible_statements import Statement, statements
from worlds.values import Context, DateValue, TimeValue, values_in

__all__ = ["FAR", "asserted", "happened", "is_offered", "lies_ahead", "on_topic", "stance_in", "stated"]

_LONGEST: Final = 20_000
"""Characters of a text that are read; nobody tells a fact behind them."""
_WORD: Final = re.compile(r"[^\W_]+")
_BARE: Final = 4
"""Other words beside a value in a sentence that is a bare answer: `10 min.`, `Viktor, I asked.`"""
FAR: Final = "no word of the topic is near it"
_FAR, _ALONE, _AROUND, _CLOSE = range(4)
_MOST_OTHERS: Final = 2
"""Other names of the kind that may stand in the topic's clauses beside the right one."""


@dataclass(frozen=True, slots=True)
class _Mention:
    candidate: Candidate
    standing: Standing
    sentence: str
    heading: str
    nearness: int
    is_listed: bool

    @property
    def is_near(self) -> bool:
        return self.nearness > _FAR


def is_offered(kind: str) -> bool:
    """Whether values of this kind can be read in prose by code: they are names, references, numbers, days, times or spans."""
    return kind in ("time", "date", "duration", "quantity", "person", "artefact", "part")


def stated(text: str, ask: FactAsk, entities: Entities) -> Reading:
    """What a text makes of a fact; it never raises.

    Example: of `{duration: 10 minutes}`, `Seats are held 600 seconds, not 15 minutes.` states it, with no others.
    """
    values = SlotValues(ask, entities)
    if not values.is_readable:
        return Reading(False, f"{ask.kind or 'what is not typed'} is not read by code")
    mentions = list(_mentions(statements(text[:_LONGEST]), ask, entities, values))
    right = [each for each in mentions if each.candidate.is_right]
    others = frozenset(each.candidate.key for each in mentions if _competes(each))
    if not right:
        return Reading(False, f"{ask.value} is not in it", "", "", others)
    told = max(right, key=lambda each: (each.standing.stance, each.nearness, not each.is_listed))
    value = told.sentence[told.candidate.start : told.candidate.end]
    return Reading(not (problem := _problem(told, mentions)), problem or "it says so", told.sentence, value, others)


def stance_in(text: str, ask: FactAsk, entities: Entities) -> str:
    """How a text stands to the value where it stands for it most: `said`, `denied`, `asked`; empty where it is not found.

    Example: of `{duration: 10 minutes}`, `It is not 10 minutes.` is `denied`, and `Not 10 minutes? 10 minutes it is.` `said`.
    """
    values = SlotValues(ask, entities)
    mentions = _mentions(statements(text[:_LONGEST]), ask, entities, values) if values.is_readable else ()
    found = [each.standing for each in mentions if each.candidate.is_right]
    return max(found, key=lambda each: each.stance).how if found else ""


def asserted(text: str, ask: FactAsk, entities: Entities) -> str:
    """The sentence in which a text gives the value as true, whatever else it gives as true; empty where none does.

    Beside other values a word of the topic must stand in the value's own clause: a time line names many times.

    Example: of `{duration: 15 minutes}`, `We hold seats for 10 minutes. We hold seats for 15 minutes.` has the second; `15
    until March, 10 now` has none.
    """
    alone = stated(text, ask, entities)
    if alone.states:
        return alone.quote
    values = SlotValues(ask, entities)
    mentions = _mentions(statements(text[:_LONGEST]), ask, entities, values) if values.is_readable else ()
    told = (each for each in mentions if each.candidate.is_right and each.nearness == _CLOSE)
    return next((each.sentence for each in told if each.standing.stance is Stance.ASSERTED), "")


def _competes(mention: _Mention) -> bool:
    return (
        not mention.candidate.is_right
        and mention.is_near
        and (mention.is_listed or mention.standing.stance > Stance.NOT)
    )


def _problem(told: _Mention, mentions: Sequence[_Mention]) -> str:
    """Why the best mention does not state the fact; empty where it does."""
    if told.is_listed:
        return "one of several candidates"
    if told.standing.stance is not Stance.ASSERTED:
        return told.standing.how
    if not told.is_near:
        return FAR
    others = [each for each in mentions if not each.candidate.is_right and _is_beside(each, told)]
    rivals = [each for each in others if each.standing.stance is Stance.ASSERTED and _is_strong(each)]
    if rivals:
        return f"it says {rivals[0].candidate.key} as well"
    if any(each.is_listed for each in mentions if each.candidate.is_right):
        return "one of several candidates"
    names = {each.candidate.key for each in others if each.standing.stance is Stance.ASSERTED}
    return f"it names {len(names)} others as well" if len(names) > _MOST_OTHERS else ""


def _is_beside(other: _Mention, told: _Mention) -> bool:
    """Whether another value is as near to the topic, or an item of the same list."""
    return other.nearness >= told.nearness or (other.is_near and other.heading == told.heading != "")


def _is_strong(mention: _Mention) -> bool:
    """Whether it is another value by itself: an author's rival, or a number of the kind and unit."""
    is_kind = "/" in mention.candidate.key and mention.nearness == _CLOSE
    return mention.candidate.is_rival or mention.candidate.key[:1].isdigit() or is_kind


def _mentions(
    sentences: Sequence[Statement], ask: FactAsk, entities: Entities, values: SlotValues
) -> Iterator[_Mention]:
    topic = word_pattern((*ask.about,))
    matter = ReadSlot(ask.kind, lies_ahead(ask, entities), topic)
    everywhere = _topics((flat(each.text) for each in sentences), topic)
    for at, sentence in enumerate(sentences):
        found = values.found_in(sentence.text)
        if not found:
            continue
        clauses = clauses_of(sentence.text)
        places = [(one.start, one.end, one.key) for one in found]
        listed = listed_in(sentence.text, places, is_moment=ask.kind in ("time", "date"))
        for number, each in enumerate(found):
            others = [(one.start, one.end) for one in found if one is not each]
            standing = standing_of(sentences, at, clauses, each.start, each.end, others, matter)
            near = _nearness(sentences, at, clauses, each, topic, everywhere)
            yield _Mention(each, standing, sentence.text, sentence.heading, near, number in listed)


def _nearness(
    sentences: Sequence[Statement],
    at: int,
    clauses: Sequence[tuple[int, int]],
    found: Candidate,
    topic: re.Pattern[str],
    everywhere: set[str],
) -> int:
    """How near words of the topic stand: in the clause, in the sentence or the one before and elsewhere too, nowhere.

    One word of the topic in another clause is too little: `30 days off, and please log it`.

    Args:
        everywhere: the topic's words in all sentences.
    """
    sentence = sentences[at]
    own = flat(sentence.text)
    bounds = wide_clause if found.is_right else clause_of
    first, last = bounds(own, clauses, found.start, found.end)
    if topic.search(own[first : found.start]) or topic.search(own[found.end : last]):
        return _CLOSE
    if not found.is_right:
        is_around = len(_topics((own[: found.start], own[found.end :]), topic)) > 1
    else:
        before = (sentence.heading, *(each.text for each in sentences[max(0, at - 2) : at]))
        is_around = len(everywhere) > 1 and any(
            topic.search(text) for text in (own[: found.start], own[found.end :], *map(flat, before))
        )
    if is_around:
        return _AROUND
    is_bare = len(_WORD.findall(own)) - len(_WORD.findall(own[found.start : found.end])) <= _BARE
    return _ALONE if is_bare else _FAR


def _topics(texts: Iterable[str], topic: re.Pattern[str]) -> set[str]:
    return {hit[0] for text in texts for hit in topic.finditer(text)}


def lies_ahead(ask: FactAsk, entities: Entities) -> bool:
    """Whether the fact is of the future when it is told, or a fixed time: then `will` is no plan."""
    if ask.since is not None and ask.since > ask.at > 0:
        return True
    is_fixed = ask.kind == "time" and not happened(ask.sentence)
    return is_fixed or _names_a_later_day(ask.sentence, entities.today, entities.zone)


def happened(sentence: str) -> bool:
    """Whether an author's sentence tells of what happened (`Viktor agreed to it`), and not of what is so."""
    low = sentence.lower()
    return signals.HAPPENED.search(low) is not None and signals.PRESENT.search(low) is None


@lru_cache(maxsize=256)
def _names_a_later_day(sentence: str, today: date, zone: str) -> bool:
    values = [each.value for each in values_in(sentence, Context(today, zone), {"date", "time"})]
    days = [value.date for value in values if isinstance(value, DateValue | TimeValue) and value.date]
    return any(day > today for day in days)


def on_topic(text: str, about: Iterable[str]) -> str:
    """The clauses of a text that hold a word of the topic, one a line.

    Example: about `slow`, `Slow since 10:12, next update at 10:45.` is `Slow since 10:12,`.
    """
    topic = word_pattern((*about,))
    clauses = (each.text[start:end] for each in statements(text) for start, end in clauses_of(each.text))
    return "\n".join(clause.strip() for clause in clauses if topic.search(flat(clause)))
