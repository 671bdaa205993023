"""How a sentence stands to a value in it: it says so, reports it, or asks, supposes, doubts, plans, denies, dates or quotes it.

Rules over words, not a grammar. A cue counts where it can govern the value: in the same clause, in a label before it, or
right at the beginning of what follows.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from brownout.core.readers import FactKind
from worlds.facts import signals
from worlds.facts.name_matching import flat
from worlds.facts.visible_statements import Statement

__all__ = ["ReadSlot", "Stance", "Standing", "clause_of", "clauses_of", "standing_of", "wide_clause"]

_QUOTED: Final = re.compile(r'"([^"\n]{1,400})"')
_WORDS: Final = re.compile(r"[^\W_]+")
_TAG: Final = re.compile(r"[,;:—–.]\s")
_ARROW: Final = re.compile(r"^[^.;]{0,60}?(?:->|\b(?:to|auf|nach|para|zu)\b)")
_FROM: Final = re.compile(r"(?:^|\W)(?:from|von|vom|de|do|da)\s*(?:the )?$")
_MOVES: Final = re.compile(
    r"\b(?:mov\w+|chang\w+|switch\w*|went|shorten\w*|cut|reduc\w+|down|up|raise\w*|failed|migrat\w+|instead|wechsel\w*|umgezogen|umgeschaltet|"
    r"gekürzt|verkürzt|geändert|gesenkt|mudou|mudaram|passou|passámos|passaram|reduzid\w+|transferid\w+|baixou)\b"
)

_BESIDE: Final = re.compile(r"\W*(?!(?:it|they|we|he|she|i|you|es|sie|er|wir|ich|ele|ela)\b)(?:[\w']+\W+){0,2}[\w']*")
"""What stands right behind a value as its predicate: `might be the cause`."""
_NOT_NEXT: Final = re.compile(r"(?:not|nicht|não|nunca|never|no longer|already|já)(?:\W+\w+){0,3}\W*$")
_IN: Final = re.compile(r"(?:^|\W)(?:in|em|dentro de)\s*$")
_WILL: Final = re.compile(r"(?<!\w)(?:will|wird|werden|vai|vão)(?!\w)|'ll\b")
_COMPLEMENT: Final = re.compile(r"(?<!\w)(?:that|dass|daß|que)(?!\w)")
"""Behind it stands what was promised, asked or said, and not that it was."""
_ADDS: Final = re.compile(r"\W*(?:and|but|so|und|aber|e|mas)\b")
_FEW: Final = 3
_LEAD: Final = re.compile(r"(?:^|[.;,:—])\s*(?:[\w']+ ){0,3}[\w']+,\s*(?:dass |daß |that |que )?$")
"""A few words and a comma before the clause: `Ich glaube, …`."""
_PART: Final = re.compile(r"\W*(?:dass|daß|that|que)\b")
_HEAP: Final = 7
"""Words from which on a sentence has one of those that hold it together."""


class Stance(IntEnum):
    """How far a text stands for something."""

    NOT = 0
    REPORTED = 1
    ASSERTED = 2


@dataclass(frozen=True, slots=True)
class Standing:
    """What a text does with a value, and the word for it: `asked`, `denied`."""

    stance: Stance
    how: str


_ASSERTED: Final = Standing(Stance.ASSERTED, "said")


@dataclass(frozen=True, slots=True)
class ReadSlot:
    """What a value is of, as far as it decides how a sentence about it is read.

    Attributes:
        lies_ahead: the fact is of the future; `will` is no plan then.
        topic: its words; a source of which one is stands for what it says.
    """

    kind: FactKind
    lies_ahead: bool
    topic: re.Pattern[str]

    @property
    def is_name(self) -> bool:
        """The value is a name or a reference."""
        return self.kind in ("person", "artefact", "part")

    @property
    def is_timed(self) -> bool:
        """A rule may have the value in its condition: `if you don't pay within …`."""
        return self.kind in ("time", "date", "duration")

    @property
    def lasts(self) -> bool:
        """The value holds until another one does, so that `was … until …` says that it is over."""
        return self.kind in ("part", "duration")


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """The small letters around a value: of its clause, of what follows it in the sentence, and of the next sentence.

    `lead` is what stands before it in its clause, `before` that and the heading above.
    """

    clause: str
    lead: str
    before: str
    after: str
    ahead: str
    following: tuple[str, ...]
    sentence: str
    next: str


def clauses_of(text: str) -> list[tuple[int, int]]:
    """Where the clauses of a sentence begin and end; a short label belongs to what it is the label of."""
    low = text.lower()
    ends = [found.end() for found in signals.BREAKS.finditer(low)] if len(low) == len(text) else []
    pieces, start = [], 0
    for end in (*ends, len(text)):
        if end > start and not (text[start:end].strip() and signals.LABEL.match(text[start:end]) and end < len(text)):
            pieces.append((start, end))
            start = end
    return pieces or [(0, len(text))]


def clause_of(text: str, clauses: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    """The clause of a value; a value that runs over several takes them all."""
    begins = [clause[0] for clause in clauses if clause[0] <= start]
    finishes = [clause[1] for clause in clauses if clause[1] >= end]
    return begins[-1] if begins else 0, finishes[0] if finishes else end


def wide_clause(text: str, clauses: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    """The clause of a value with what it leans on: the one before where it has few words of its own, the main one of a
    condition or of a few words in front (`After 10 minutes, …`), and a relative one.
    """
    first, last = clause_of(text, clauses, start, end)
    is_short = len(_WORDS.findall(text[first:start])) + len(_WORDS.findall(text[end:last])) <= _FEW
    before = [clause for clause in clauses if clause[0] < first]
    after = [clause for clause in clauses if clause[0] >= last][:2]
    is_lead = (is_short and not before) or signals.CONDITION.match(text[first:last]) is not None
    if is_lead and after and not _ADDS.match(text[after[0][0] : after[0][1]]):
        last = after[0][1]
    first = before[-1][0] if is_short and before else first
    return first, max((b for a, b in after if signals.RELATIVE_PRONOUN.match(text[a:b])), default=last)


def standing_of(
    sentences: Sequence[Statement],
    at: int,
    clauses: Sequence[tuple[int, int]],
    start: int,
    end: int,
    others: Sequence[tuple[int, int]],
    matter: ReadSlot,
) -> Standing:
    """How the sentence at an index stands to the value at `text[start:end]` of it.

    Args:
        others: where else in the sentence there are values; what is said of them is not said of this one.
    """
    place = _place(sentences, at, clauses, start, end, others)
    if _is_asked(sentences, at, place):
        return Standing(Stance.NOT, "asked")
    if _is_quoted(sentences[at].text, start, end):
        return Standing(Stance.NOT, "quoted")
    for how, holds in (
        ("supposed", _is_supposed(place, matter)),
        ("doubted", _is_doubted(place, matter)),
        ("planned", _is_planned(place, matter)),
        ("counted from now", matter.is_timed and _is_relative(place)),
        ("a heap of words", _is_heap(sentences[at].text)),
        ("denied", _is_denied(place, matter)),
        ("set apart", matter.is_name and _is_apart(place)),
        ("a bound", _is_bound(place, matter)),
        ("somebody else's", signals.STRANGERS.match(place.clause) is not None),
        ("called on", _is_called_on(place, matter)),
        ("past", _is_past(place, matter)),
    ):
        if holds:
            return Standing(Stance.NOT, how)
    if matter.kind != "person" and _is_reported(place, matter):
        return Standing(Stance.REPORTED, "reported")
    return _ASSERTED


def _place(
    sentences: Sequence[Statement],
    at: int,
    clauses: Sequence[tuple[int, int]],
    start: int,
    end: int,
    others: Sequence[tuple[int, int]],
) -> _Surroundings:
    low = signals.ASIDE.sub(lambda found: " " * len(found[0]), sentences[at].text.lower())
    first, last = clause_of(low, clauses, start, end)
    heading = sentences[at].heading.lower()
    stop = min((other for other, _ in others if other >= last), default=len(low))
    return _Surroundings(
        clause=low[first:last],
        lead=low[first:start],
        before=f"{heading} {low[first:start]}".lstrip(),
        after=_own(low[end:last], [other - end for other, _ in others if end <= other < last]),
        ahead=low[:first],
        following=tuple(low[a:b] for a, b in clauses if last <= a and b <= stop)[:3],
        sentence=low,
        next=sentences[at + 1].text.lower() if at + 1 < len(sentences) and stop == len(low) else "",
    )


def _own(after: str, others: Sequence[int]) -> str:
    """What is said behind a value up to the next one; a `not` right before that is the next one's."""
    return _NOT_NEXT.sub("", after[: min(others)]) if others else after


def _is_asked(sentences: Sequence[Statement], at: int, place: _Surroundings) -> bool:
    if not sentences[at].asks or signals.APPROVES.match(place.next):
        return False
    last = _TAG.split(place.sentence.rstrip(" ?"))[-1]
    is_tag = len(_TAG.split(place.sentence)) > 1 and place.clause.strip(" ?,") not in last
    begins = signals.ASKED.match(last.lstrip())
    own = signals.ASKED.match(place.clause.lstrip())
    return not (is_tag and begins and not own and len(_WORDS.findall(last)) > 2)


def _is_quoted(text: str, start: int, end: int) -> bool:
    """Whether the value stands in somebody's words: in a quotation that holds more than it."""
    for found in _QUOTED.finditer(text):
        if found.start() < start and end <= found.end():
            rest = text[found.start() + 1 : start] + " " + text[end : found.end() - 1]
            return len(_WORDS.findall(rest)) >= 2 or "?" in found[1]
    return False


def _is_supposed(place: _Surroundings, matter: ReadSlot) -> bool:
    is_condition = signals.CONDITION.match(place.clause) is not None
    unreal = signals.UNREAL.search(place.sentence)
    own = f"{place.lead} {_COMPLEMENT.split(place.after)[0]}"
    if unreal and (signals.UNREAL.search(own) or is_condition or signals.CONDITION.match(place.sentence)):
        return True
    return is_condition and not (matter.is_timed and signals.RULE.search(place.before))


def _is_doubted(place: _Surroundings, matter: ReadSlot) -> bool:
    if signals.DOUBTS.search(place.before) or signals.DISOWNS.search(place.clause) or signals.TAIL.search(place.after):
        return True
    if signals.OR_BEFORE.search(place.before) or (matter.is_name and signals.OR_AFTER.match(place.after)):
        return True
    beside = _BESIDE.match(place.after)
    if beside is not None and signals.DOUBTS.search(beside[0]):
        return True
    lead = _LEAD.search(place.ahead)
    if lead is not None and signals.DOUBTS.search(lead[0]):
        return True
    following = place.following[:1]
    if any(signals.DOUBTS.search(each) and len(_WORDS.findall(each)) <= 5 for each in following):
        return True
    return signals.TAKES_BACK.match(place.next) is not None or any(
        signals.DISOWNS.search(each) for each in (*place.following, place.next)
    )


def _is_planned(place: _Surroundings, matter: ReadSlot) -> bool:
    if signals.PLANS.search(place.clause) is not None:
        return True
    return not matter.lies_ahead and signals.PLANS_AHEAD.search(place.clause) is not None


def _is_apart(place: _Surroundings) -> bool:
    return signals.APART.search(place.before) is not None or signals.GONE.match(place.after) is not None


def _is_called_on(place: _Surroundings, matter: ReadSlot) -> bool:
    """`Ask Viktor`, where asking is not what the fact is about."""
    found = signals.CALLS_ON.search(place.before)
    return found is not None and matter.topic.search(found[1]) is None


def _is_bound(place: _Surroundings, matter: ReadSlot) -> bool:
    if matter.kind == "duration" and signals.LIMITS.search(place.before):
        return False
    return matter.kind in ("duration", "quantity") and signals.BOUNDS.search(place.before) is not None


def _is_relative(place: _Surroundings) -> bool:
    """`back in ten minutes`, `10 minutes ago`."""
    if _IN.search(place.before) and _WILL.search(place.after):
        return True
    return signals.RELATIVE.search(place.before) is not None or signals.AGO.match(place.after) is not None


def _is_heap(text: str) -> bool:
    """Whether it is words beside each other and no sentence, label or row."""
    if len(text.split()) < _HEAP or any(mark in text for mark in ":=|,—\n"):
        return False
    return signals.FILLERS.search(text.lower()) is None


def _is_denied(place: _Surroundings, matter: ReadSlot) -> bool:
    if _has_negator(place.before, place.sentence, matter) or signals.DENIES_AFTER.search(place.after):
        return True
    if _PART.match(place.clause) and signals.DENIES.search(signals.NO_DENIAL.sub(" ", place.ahead[-60:])):
        return True
    following = [each for each in place.following[:2] if not signals.NUMBER.search(each)]
    return any(signals.DENIES_NEXT.match(each) for each in (*following, place.next))


def _has_negator(before: str, sentence: str, matter: ReadSlot) -> bool:
    """Whether what stands before a value denies it; a rule's condition, or what is so since it, may be a denial itself."""
    kept = signals.NO_DENIAL.sub(" ", before)
    for found in signals.DENIES.finditer(kept):
        if found[0] == "no" and signals.PORTUGUESE.search(sentence):
            continue
        if matter.topic.search(flat(found[0])):
            continue
        is_rule = matter.is_timed and signals.RULE.search(kept, found.end())
        since = signals.SINCE.search(kept, found.end()) if matter.is_name else None
        if not is_rule and not (since and kept[found.end() : since.start()].strip()):
            return True
    return False


def _is_past(place: _Surroundings, matter: ReadSlot) -> bool:
    if signals.HISTORY.search(place.before) or any(
        signals.HISTORY_AFTER.match(each) for each in (place.after, *place.following[:1])
    ):
        return True
    if (
        matter.lasts
        and signals.PAST.search(place.before)
        and signals.ENDED.search(f"{place.after} {' '.join(place.following[:1])}")
    ):
        return True
    if any(signals.WITHDRAWS.match(each) for each in (*place.following, place.next)):
        return True
    if re.match(r"\s*->", place.after) or signals.WAS_ONLY.match(place.lead):
        return True
    is_left = _FROM.search(place.before) is not None and _ARROW.match(place.after) is not None
    return is_left and (matter.is_name or _MOVES.search(place.sentence) is not None)


def _is_reported(place: _Surroundings, matter: ReadSlot) -> bool:
    found = signals.ATTRIBUTES.search(place.before) or signals.ATTRIBUTES.search(place.after)
    if found is None:
        return False
    source = signals.SOURCES.search(place.clause)
    is_behind = source is not None and signals.GIVES.search(place.clause, 0, source.start()) is not None
    is_ours = signals.FIRST_PERSON.match(place.clause.lstrip()) is not None
    return source is not None and not is_behind and not is_ours and matter.topic.search(source[0]) is None
