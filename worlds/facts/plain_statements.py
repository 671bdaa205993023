"""Whether a text states a fact in a sentence that says nothing else: the reader `values`.

Beside what `stated` asks, the sentence holds no other value of the kind, no negation, no condition and no wish, no quotation, and
at least as many words that are known to belong to the fact as words that are not. So an odd sentence is refused and says why:
what a sentence means in words that nobody foresaw cannot be read by code.
"""

import re
from dataclasses import replace
from typing import Final

from brownout.core.entities import Entities
from brownout.core.readers import FactAsk, Reading
from worlds.facts.name_matching import flat, spelt, word_pattern
from worlds.facts.signals import FILLERS
from worlds.facts.slot_values import Candidate, SlotValues
from worlds.facts.stating import stated
from worlds.values import KINDS, Context, values_in

__all__ = ["plainly_stated"]

_WORD: Final = re.compile(r"[^\W\d_][\w'’-]*")
_BRACKET: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_RULED_OUT: Final = re.compile(
    r"(?:^|[,;(\s])(?:not|no longer|rather than|instead of|nicht|nicht mehr|statt|anstatt|nao|ja nao|em vez de)\s+(?:\w+\s+){0,2}$"
)
"""Right before another value: it is set apart from the right one, which makes that one plainer."""
_NOT_PLAIN: Final = re.compile(
    r"(?<!\w)(?:not|no|never|neither|nor|none|nobody|nothing|without|cannot|if|unless|whether|suppos\w+|would|could|should|might|may|must|shall|wants?|"
    r"nicht|nichts|nie|niemals|niemand|kein\w*|weder|ohne|wenn|falls|ob|sofern|will|wollen|soll|sollen|möchte\w*|würde\w*|hätte\w*|wäre\w*|könnte\w*|sollte\w*|"
    r"não|nunca|nem|ninguém|nada|nenhum\w*|sem|se|caso|teria|seria|fosse|poderia|deveria|quer|queria)(?!\w)|n['’]t(?!\w)|[?\"“”„«»]"
)
_WAS: Final = re.compile(r"(?<!\w)(?:was|were|had|war|waren|hatten?|galt|galten|era|eram|tinham?)(?!\w)")
"""Of what lasts until it ends: it may be so no more."""
_LASTS: Final = ("duration", "part")
_QUOTES: Final = ('"', "'", "“", "”", "„", "«", "»")


def plainly_stated(text: str, ask: FactAsk, entities: Entities) -> Reading:
    """What a text makes of a fact, read strictly; it never raises.

    Example: of `{duration: 10 minutes}`, `Seats are held for 10 minutes, not 15.` states it; `Hold my seat, the train is 10 minutes
    late again` is refused.
    """
    reading = stated(text, ask, entities)
    if not reading.states:
        return reading
    problem = _problem(reading.quote, ask, entities)
    return replace(reading, states=False, reason=problem) if problem else reading


def _problem(sentence: str, ask: FactAsk, entities: Entities) -> str:
    """What keeps a sentence from being a plain statement of the fact; empty where nothing does."""
    low = flat(sentence)
    own = sentence.lower() if len(sentence.lower()) == len(sentence) else low
    kept = list(own)
    found = SlotValues(ask, entities).found_in(sentence)
    topic = _topic(ask)
    brackets = [hit.span() for hit in _BRACKET.finditer(low)]
    for each in found:
        if each.is_right or _is_inside(each, brackets) or topic.search(low[each.start : each.end]):
            continue
        apart = _RULED_OUT.search(low[: each.start])
        if apart is None:
            return f"{sentence[each.start : each.end]} stands beside it"
        kept[apart.start() : each.end] = " " * (each.end - apart.start())
    for start, end in brackets:
        kept[start:end] = " " * (end - start)
    values = values_in(sentence, Context(entities.today, entities.zone), KINDS)
    places = [_with_quotes(sentence, each.start, each.end) for each in found]
    places += [(each.start, each.end) for each in values]
    for start, end in places:
        kept[start:end] = "_" * (end - start)
    rest = "".join(kept)
    if hit := _NOT_PLAIN.search(rest):
        return f"no plain statement: {hit[0]!r}"
    if ask.kind in _LASTS and (was := _WAS.search(rest)):
        return f"it may be so no more: {was[0]!r}"
    return _foreign(flat(rest), topic)


def _is_inside(found: Candidate, brackets: list[tuple[int, int]]) -> bool:
    return any(start <= found.start and found.end <= end for start, end in brackets)


def _with_quotes(sentence: str, start: int, end: int) -> tuple[int, int]:
    """A value's place with the quotation marks that hold nothing but it."""
    is_quoted = sentence[start - 1 : start] in _QUOTES and sentence[end : end + 1] in _QUOTES
    return (start - 1, end + 1) if start and is_quoted and sentence[end : end + 1] else (start, end)


def _topic(ask: FactAsk) -> re.Pattern[str]:
    """The words that belong to the fact: its topic's, its sentence's, other names of its value."""
    says = (word for word in spelt(ask.sentence).split() if len(word) > 3)
    return word_pattern((*ask.about, *ask.called, *says))


def _foreign(rest: str, topic: re.Pattern[str]) -> str:
    """The words that have nothing to do with the fact, where they are more than those that have; values stand as `_`."""
    words = [hit for hit in _WORD.finditer(rest) if not FILLERS.fullmatch(hit[0])]
    places = [hit.span() for hit in topic.finditer(rest)]
    foreign = [hit[0] for hit in words if not any(start < hit.end() and hit.start() < end for start, end in places)]
    known = len(words) - len(foreign) + len(re.findall(r"_+", rest))
    return f"more is said than can be read: {' '.join(foreign[:6])}" if len(foreign) > known else ""
