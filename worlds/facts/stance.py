"""How a sentence stands to what it mentions: it says so, denies it, reports it as past, asks, or lists it.

Rules over words, not a grammar; the tests are their definition. A cue counts only where it can govern what is
mentioned: in the same clause, or right after it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from worlds.facts import cues
from worlds.facts.amounts import kind_of
from worlds.facts.patterns import Found
from worlds.facts.reading import Sentence
from worlds.facts.values import Neighbours, is_number, value_words

__all__ = ["Mention", "Stance", "mention_of"]


class Stance(StrEnum):
    """What a text does with something that it mentions."""

    ASSERTED = "asserted"
    """Said as true."""
    LIKELY = "likely"
    """Said as likely: it tells, and whoever is wrong has not lied."""
    REPORTED = "reported"
    """A source's words, set against something else."""
    WAS = "was"
    """Said of the past, without saying that it is over: `the cause was …`."""
    PAST = "past"
    """Said to be over."""
    POSSIBLE = "possible"
    """Asked, supposed, or one of several."""
    DENIED = "denied"
    """Denied, or called wrong or stale."""
    QUOTED = "quoted"
    """Shown, but not said: a quoted line, a block of code, struck out."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where a text mentions something.

    Attributes:
        sentence: as it reads.
        is_attributed: somebody or something else is named as saying so.
    """

    stance: Stance
    sentence: str
    is_attributed: bool


@dataclass(frozen=True, slots=True)
class _Around:
    """The words around a mention, one space between.

    Attributes:
        value: the mention's own words.
        head: from the beginning of the sentence to the clause, its boundary included.
        before: from the clause's beginning to the mention.
        after: from the mention to the clause's end.
        rest: from the mention to the sentence's end.
        later: the sentences that follow.
        inner: what else lies between the mention's words and the end of what was found.
        is_negative: the words found are a denial themselves (`no retry cap`).
        heading: the line above the list that it stands in.
    """

    value: str
    head: str
    before: str
    after: str
    rest: str
    later: tuple[str, ...]
    inner: str
    is_negative: bool
    heading: str


def mention_of(
    sentences: Sequence[Sentence], at: int, found: Found, value: str = "", rivals: Sequence[str] = ()
) -> Mention:
    """How the sentence at an index stands to what a pattern found in it.

    Args:
        value: the fact's value, where the words that decide are looked for; empty for all that was found.
        rivals: other values that it could be.
    """
    sentence = sentences[at]
    around = _around(sentences, at, found, value)
    is_attributed = cues.ATTRIBUTED.search(f"{around.head} {around.before}") is not None
    stance = Stance.QUOTED if sentence.is_quoted else _stance(sentence, around, rivals, is_attributed=is_attributed)
    return Mention(stance, sentence.text, is_attributed)


def _stance(sentence: Sentence, around: _Around, rivals: Sequence[str], *, is_attributed: bool) -> Stance:
    is_clock = kind_of(around.value) == "time"  # `from 19:10 to 21:30` is a stretch, neither a change nor a list
    number = is_number(around.value) and not is_clock
    neighbours = Neighbours.of(rivals, number=number)
    if sentence.asks and not _is_before_question(around):
        return Stance.POSSIBLE
    if _is_denied(around, is_attributed=is_attributed, is_clock=is_clock):
        return Stance.DENIED
    if is_clock:
        return _stance_of_time(around)
    if _is_past(around, number=number):
        return Stance.PAST
    if _is_possible(around, neighbours) or (number and _is_elsewhere(around)):
        return Stance.POSSIBLE
    if _is_withdrawn(around, neighbours, is_attributed=is_attributed):
        return Stance.DENIED
    if is_attributed and _is_set_against(around, neighbours):
        return Stance.REPORTED
    if is_attributed and _is_doubted(around):
        return Stance.POSSIBLE
    if cues.LIKELY.search(around.before):
        return Stance.LIKELY
    is_history = cues.WAS_BEFORE.search(around.before) or cues.ONCE_SAID.search(f"{around.head} {around.before}")
    return Stance.WAS if is_history else Stance.ASSERTED


def _is_before_question(around: _Around) -> bool:
    """What follows is asked, not the mention: `ask Ida: who …?`."""
    before = f"{around.head} {around.before}".strip()
    return cues.ASKS_LATER.search(f"{before}|{around.rest}") is not None


def _stance_of_time(around: _Around) -> Stance:
    """A time of day is one of a stretch more often than one of several candidates."""
    if cues.HEDGES_TIME.search(_clause(around)) or cues.LABEL_DOUBTS.search(around.head):
        return Stance.POSSIBLE
    return Stance.WAS if cues.WAS_BEFORE.search(around.before) else Stance.ASSERTED


def _clause(around: _Around) -> str:
    """What stands before a time of day back to a mark: `until` begins no clause there."""
    return re.split(r"(?:^| )[.,;:()|—!](?= |$)", f"{around.head} {around.before}".strip(" ,:"))[-1].strip()


def _around(sentences: Sequence[Sentence], at: int, found: Found, value: str) -> _Around:
    tokens = sentences[at].tokens
    decisive = [n for n in sorted(found.literal) if tokens[n] in value_words(value)]
    start, end = (decisive[0], decisive[-1] + 1) if decisive else (found.start, found.end)
    number = is_number(" ".join(tokens[start:end])) and ":" not in tokens[start]
    left = start
    while left > 0 and not _is_boundary(tokens, left - 1, found.start, number=number):
        left -= 1
    is_condition = left > 0 and tokens[left - 1] in cues.CONDITION
    governs = (
        left > 1 and cues.NEGATOR.match(tokens[left - 2]) and tokens[left - 1] in ("because", "due", "since", "when")
    )
    left = left - 2 if governs else left
    inner = [tokens[n] for n in range(start, end) if n not in found.literal] if not decisive else []
    right = end
    while right < len(tokens) and tokens[right] not in cues.BOUNDARY:
        right += 1
    before = " ".join([*tokens[left:start], *inner])
    return _Around(
        " ".join(tokens[start:end]),
        " ".join(tokens[:left]),
        "" if is_condition or cues.UNMET.search(before) else before,
        " ".join(tokens[end:right]).rstrip(" .!"),
        " ".join(tokens[end:]),
        tuple(" ".join(later.tokens) for later in sentences[at + 1 : at + 4] if not later.is_quoted),
        " ".join(tokens[n] for n in range(end, found.end)) if number else "",
        any(cues.NEGATOR.match(tokens[n]) for n in found.literal),
        " ".join(sentences[at].heading),
    )


def _is_boundary(tokens: Sequence[str], at: int, match_start: int, *, number: bool) -> bool:
    """Whether a clause begins after the token; a condition begins one where something is said before it."""
    if number and tokens[at] == "after":  # `after 10 minutes` belongs to what happens then
        return False
    if tokens[at] in cues.CONDITION and tokens[at] not in cues.BOUNDARY:
        return at > match_start or (at >= 3 and tokens[at - 1] not in cues.ASKING)
    return tokens[at] in cues.BOUNDARY


def _is_denied(around: _Around, *, is_attributed: bool, is_clock: bool) -> bool:
    before = cues.NO_DENIAL.sub(" ", _clause(around) if is_clock else around.before)
    after = cues.NO_MORE.sub(" ", around.after) if around.is_negative else around.after
    before_cues, after_cues = (
        (cues.DENIES_TIME, cues.DENIES_TIME_AFTER) if is_clock else (cues.DENIES_BEFORE, cues.DENIES_AFTER)
    )
    return (
        before_cues.search(before) is not None
        or cues.LABEL_DENIES.search(around.head) is not None
        or cues.LABEL_DENIES.search(around.heading) is not None
        or cues.SOURCE_TO_FIX.search(f"{around.head} {around.before}") is not None
        or after_cues.search(after) is not None
        or any(cues.NEGATOR.match(word) for word in around.inner.replace("no longer", "not").split())
        or cues.DENIES_REST.search(around.rest) is not None
        or (bool(around.later) and cues.DENIES_LATER.search(around.later[0]) is not None)
        or (is_attributed and cues.SOURCE_IS_STALE.search(" ".join([around.rest, *around.later[:1]])) is not None)
    )


def _is_past(around: _Around, *, number: bool) -> bool:
    if cues.PAST_BEFORE.search(around.before) or cues.PAST_AFTER.search(around.rest):
        return True
    is_left = cues.FROM.search(around.before) is not None and cues.OF_MANY.search(around.after) is None
    if number and (is_left or cues.NUMBER_IS_OVER.search(around.after)):
        return True
    if not number and is_left and cues.MOVED_TO.search(around.rest):
        return True
    changed = cues.CHANGES.search(f"{around.head} {around.before}")
    return changed is not None and cues.TURNS_DOWN.search(around.rest) is not None


def _is_possible(around: _Around, neighbours: Neighbours) -> bool:
    before = f"{around.head} {around.before}".strip()
    is_change = cues.CHANGES.search(before) is not None
    is_awaited = cues.AWAITS.search(before) is not None and cues.PROMISES.search(around.rest) is not None
    return (
        is_awaited
        or cues.HEDGE.search(cues.NO_DENIAL.sub(" ", around.before)) is not None
        or cues.LABEL_DOUBTS.search(around.head) is not None
        or cues.LABEL_DOUBTS.search(around.heading) is not None
        or neighbours.are_before(before, is_change=is_change)
        or neighbours.are_after(around.rest)
        or (
            bool(around.later)
            and neighbours.rivals is not None
            and cues.DOUBTS_LATER.search(around.later[0]) is not None
            and neighbours.rivals.search(around.later[0]) is not None
        )
    )


def _is_elsewhere(around: _Around) -> bool:
    """The number is of something else: `in 15 minutes`, `15 minutes ago`."""
    if cues.ELSEWHERE_BEFORE.search(around.before) or cues.ELSEWHERE_AFTER.search(around.after):
        return True
    everything = f"{around.head} {around.before} {around.rest}"
    return cues.IN.search(around.before) is not None and cues.PLANS.search(everything) is not None


def _is_withdrawn(around: _Around, neighbours: Neighbours, *, is_attributed: bool) -> bool:
    """What follows sets a rival against it: `the FAQ says 15, but it is 10`."""
    if neighbours.rivals is None:
        return False
    following = [around.rest, *(around.later if is_attributed else ())]
    for part in following:
        marker = cues.CONTRAST.search(part)
        if marker is None:
            continue
        said = part[marker.end() :]
        for rival in neighbours.rivals.finditer(said):
            governed = said[: rival.start()]
            unsaid = (
                cues.DENIES_BEFORE.search(governed)
                or cues.PAST_BEFORE.search(governed.rstrip())
                or cues.DENIES_AFTER.search(said[rival.end() :].strip())
            )
            if not unsaid:
                return True
    return False


def _is_doubted(around: _Around) -> bool:
    """A source is quoted, and a `but` follows: whoever says so does not stand for it."""
    if cues.BY_SOURCE.search(f"{around.head} {around.before}") is None:
        return False
    found = cues.CONTRAST.search(around.rest)
    return found is not None and found[0] in ("but", "however", "though", "although", "yet")


def _is_set_against(around: _Around, neighbours: Neighbours) -> bool:
    """What came before in the sentence is contrasted with it: `it is 10, but the FAQ says 15`."""
    before = f"{around.head} {around.before}"
    marker = cues.CONTRAST.search(before)
    return marker is not None and neighbours.rivals is not None and neighbours.rivals.search(before) is not None
