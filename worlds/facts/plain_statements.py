"""Whether a text states a fact in a clause that says nothing else: the reader `values`.

What `stated` asks is asked of the whole text. Beside that, the clause in which the value stands, with the ones it leans on, holds no
other value of the kind that is not set apart (`not 15`, `instead of 15`, `(15 until March)`), no negation, no condition, no wish, no
doubt, no quotation and nobody else's opinion, is of the fact's own time, and has one word at most that belongs neither to the fact
nor to the words that any sentence may have. Other clauses may say what they like, as long as they take nothing back. So an odd
clause is refused and says why: what a sentence means in words that nobody foresaw cannot be read by code.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from brownout.core.entities import Entities
from brownout.core.readers import FactAsk, Reading
from worlds.facts import signals
from worlds.facts.clauses import clause_of, clauses_of, wide_clause
from worlds.facts.common_words import is_common
from worlds.facts.lists import is_in_front
from worlds.facts.name_matching import flat, names_in, spelt, word_pattern
from worlds.facts.reading import statements
from worlds.facts.slot_values import Candidate, SlotValues
from worlds.facts.stating import FAR, happened, stated
from worlds.values import KINDS, Context, values_in

__all__ = ["plainly_stated"]

_WORD: Final = re.compile(r"(?<![\w-])[^\W\d_][^\W\d_]*(?:['’][^\W\d_]+)?(?![\w-]*\d)")
_BRACKET: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_RULED_OUT: Final = re.compile(
    r"(?:^|[,;(—\s])(?:and |e |und |but |mas )?(?:not|no longer|rather than|instead of|previously|formerly|up from|down from|as opposed to|nicht|nicht mehr|nicht schon|statt|anstatt|anstelle|statt wie bisher|bisher|vorher|zuvor|"
    r"nao|ja nao|em vez de|antes|anteriormente|from|von|vom|de)\s+(?:\w+\s+){0,2}$"
)
"""Right before another value: it is set apart from the right one, which makes that one plainer."""
_NOT_BARE: Final = re.compile(
    rf"(?<!\w)(?:not|nicht|não|nao)\s+(?:\d[\d.,]*|_+|{signals.NUMBER.pattern})\s*(?=[.,;!]|$)"
)
"""Another value without what it counts, set apart at the end of a clause: `not two`."""
_NOT_PLAIN: Final = re.compile(
    r"(?<!\w)(?:not|no|never|neither|nor|none|nobody|nothing|without|cannot|if|unless|whether|suppos\w+|would|could|should|might|may|must|shall|wants?|no way|by no means|"
    r"nicht|nichts|nie|niemals|niemand|kein\w*|keines(?:wegs|falls)|mitnichten|weder|ohne|wenn|falls|ob|sofern|will|wollen|soll|sollen|möchte\w*|würde\w*|hätte\w*|wäre\w*|könnte\w*|sollte\w*|"
    r"não|nunca|nem|ninguém|nada|nenhum\w*|jamais|sem|se|caso|teria|seria|fosse|poderia|deveria|quer|queria)(?!\w)|n['’]t(?!\w)|['’]d(?!\w)|[?\"“”„«»]"
)
_GERMAN_WILL: Final = re.compile(r"(?<!\w)(?:der|die|das|wir|ich|es|er|sie|uns|nicht|noch|bis)(?!\w)")
_PAST_OF_PRESENT: Final = re.compile(
    r"(?<!\w)(?<!what )(?<!which )(?<!who )(?:was|were|had|ran|(?<!is )(?<!are )(?<!be )(?<!being )(?:held|stood)|war|waren|hatten?|galt|galten|era|eram|tinham?|estava\w*)(?!\w)|"
    r"(?<!\w)(?:yesterday|used to|formerly|previously|no longer|costumava\w*|(?:last|past) (?:night|week|month|year|season|spring|summer|autumn|winter)|letzte[nrs]? \w+|vorige[nrs]? \w+|gestern|früher|damals|einst|(?:no|na|do|da) \w+ passad[oa]|ontem|dantes|outrora|antigamente)(?!\w)"
)
_BECAME: Final = re.compile(
    r"(?<!\w)(?:moved|switched|failed over|migrated|changed|raised|lowered|extended|prolonged|shortened|cut|set|put|brought|transferred|updated|corrected|agreed|decided|"
    r"umgezogen|umgeschaltet|verschoben|verlegt|verlängert|verkürzt|geändert|erhöht|gesenkt|festgelegt|mudad\w+|movid\w+|transferid\w+|prolongad\w+|alterad\w+|passad\w+ para)(?!\w)"
)
"""What was done so that it is so now: `was moved to`."""
_LATER: Final = re.compile(
    r"(?<!\w)(?:next|nächste[nrs]?|kommende[nrs]?|künftig\w*|próxim[oa]|futuramente|tomorrow|amanhã)(?!\w)"
)
_WILL: Final = re.compile(r"(?<!\w)(?:will|is going to|are going to|wird|werden|vai|vão)(?!\w)|['’]ll(?!\w)")
_OPINES: Final = re.compile(
    r"(?<!\w)(?:believes?|thinks?|assumes?|suspects?|feels|reckons?|hopes?|fears?|guesses|glaubt|glauben|meint|denkt|vermutet|hofft|acha|acham|pensa|crê|julga|supõe|espera)(?!\w)"
)
_SAYS: Final = re.compile(
    rf"{_OPINES.pattern}|(?<!\w)(?:says?|said|claim(?:s|ed)?|stated|wrote|writes|mention(?:s|ed)|told|tells|reported|according to|quoted?|insist(?:s|ed)|swears|"
    r"sagte?|schreibt|schrieb|behauptete?|meinte|laut|zufolge|diz|disse|dizem|afirma|afirmou|escreve|escreveu|segundo|alega|conforme)(?!\w)"
)
_OURS: Final = re.compile(
    r"(?<!\w)(?:i|we|our|my|ich|wir|unser\w*|eu|nós|noss[oa]s?|graph|graphs|metrics?|records?|logs?|settings|code)(?!\w)"
)
_GOVERNS: Final = re.compile(r"(?:(?<!\w)(?:that|dass|daß|que)|[:,])\s*$")
_PART: Final = re.compile(r"\W*(?:that|dass|daß|que)(?!\w)")
_TRAILS: Final = re.compile(rf"{signals.RELATIVE_PRONOUN.pattern}")
"""The beginning of a clause that tells more of a word in the one before, or what follows from it."""
_RESULT: Final = re.compile(r"(?<!\w)(?:so|such|that|sodass|tão)(?!\w)[\w ]{0,30}(?<!\w)(?:that|dass|que)(?!\w)")
"""`so slowly that`: behind it stands what followed."""
_LEFT: Final = re.compile(
    r"(?<!\w)(?:out of|away from|off|leaving|left|weg von|raus aus|fora de|saiu d[aeo])\s+(?:the |der |dem |a |o )?$"
)
"""Right before a part that is no longer used."""
_BUT: Final = re.compile(
    r"^\W*(?:but|however|though|although|except|aber|doch|jedoch|obwohl|mas|porém|contudo|embora)(?!\w)"
)
_TAKES_BACK: Final = re.compile(
    r"(?<!\w)(?:it|that|this|which|i|we|nobody|no one|das|es|dies|ich|wir|niemand|isso|isto|eu|ninguém)(?!\w).*(?<!\w)(?:not|never|no|nothing|nicht|nie|nichts|kein\w*|não|nunca|nada|(?:is|are|was|were|have|has|had|do|does|did|could|ca|wo)n['’]t|wrong|old|outdated|falsch|veraltet|errad\w+|antig\w+)(?!\w)|"
    r"(?<!\w)(?:withdr\w+|revok\w+|cancel\w+|overturn\w+|retract\w+|widerr\w+|zurückge\w+|revog\w+|anul\w+|cancel\w+|desist\w+)(?!\w)"
)
_NAMES: Final = ("person", "artefact", "part")
_MOMENTS: Final = ("time", "date")
_OWN: Final = 2
"""Words that an item of a list has at most; a clause about another name has more."""
_REST: Final = re.compile(r"[^\W\d_]*")
_ENGLISH: Final = re.compile(r"(?<!\w)(?:the|is|are|of|has|have|for|to|at|by|with|we|our)(?!\w)")
_HEADED: Final = re.compile(r"(?<!\w)(?:the|a|an|this|that|our|your|my|his|her|their|new|old) \w+ $")
_VERBAL: Final = re.compile(r"(?:s|ed|ing|ly|nt|en)$")
_MOST_FOREIGN: Final = 1
"""Words of a clause that belong neither to the fact nor to any sentence."""
_QUOTES: Final = ('"', "'", "“", "”", "„", "«", "»")


@dataclass(frozen=True, slots=True)
class _Core:
    """The clause of a value with what it leans on: `text`, what stands before it, and what a `but` behind it begins."""

    first: int
    last: int
    text: str
    before: str
    doubts: str


def plainly_stated(text: str, ask: FactAsk, entities: Entities) -> Reading:
    """What a text makes of a fact, read strictly; it never raises.

    Example: of `{duration: 10 minutes}`, `Seats are held for 10 minutes, not 15.` states it; `Hold my seat, the train is 10 minutes
    late again` is refused.
    """
    reading = stated(text, ask, entities)
    is_far = reading.reason == FAR and not reading.others and _is_of(text, reading, ask)
    if not reading.states and not is_far:
        return reading
    most = 0 if is_far else _MOST_FOREIGN
    found = SlotValues(ask, entities).found_in(reading.quote)
    problems = [_problem(reading.quote, each, found, ask, entities, most) for each in found if each.is_right]
    problem = "" if "" in problems else problems[0]
    if is_far and not problem:
        return replace(reading, states=True, reason="it says so")
    return replace(reading, states=False, reason=problem) if problem and not is_far else reading


def _is_of(text: str, reading: Reading, ask: FactAsk) -> bool:
    """Whether a text is of the fact although its topic stands far from the value: elsewhere in it, or in what is counted."""
    topic = word_pattern((*ask.about,))
    said = [flat(each.text) for each in statements(text) if not each.asks]
    return any(topic.search(each) for each in said) or (ask.kind == "quantity" and _counts(reading.quote, ask))


def _counts(sentence: str, ask: FactAsk) -> bool:
    return word_pattern((*ask.called, *_WORD.findall(ask.value))).search(flat(sentence)) is not None


def _problem(
    sentence: str, right: Candidate, found: Sequence[Candidate], ask: FactAsk, entities: Entities, most: int
) -> str:
    """What keeps a sentence from being a plain statement of the fact; empty where nothing does."""
    low = flat(sentence)
    own = sentence.lower() if len(sentence.lower()) == len(sentence) else low
    core = _core(own, right)
    topic = _topic(ask)
    if ask.kind == "part" and (left := _LEFT.search(low[: right.start])):
        return f"left: {left[0].strip()!r}"
    kept = _kept(sentence, own, right, entities, found)
    for each in found:
        if each.is_right or (topic.search(low[each.start : each.end]) and not each.is_rival):
            continue
        place = _set_apart(own, each, right, core, ask)
        if place is None:
            return f"{sentence[each.start : each.end]} stands beside it"
        kept[place[0] : place[1]] = " " * (place[1] - place[0])
    rest = _NOT_BARE.sub(lambda hit: " " * len(hit[0]), "".join(kept)[core.first : core.last])
    is_lone = right.is_bare and not _counts(core.text, ask)
    return _stance_problem(rest, core, ask, topic) or _foreign(flat(rest), topic, 0 if is_lone else most)


def _kept(sentence: str, own: str, right: Candidate, entities: Entities, found: Sequence[Candidate]) -> list[str]:
    """The letters of a sentence, with `_` for those of values and names, and without what stands in brackets."""
    kept = list(own)
    for start, end in (hit.span() for hit in _BRACKET.finditer(own)):
        if not start <= right.start < end:
            kept[start:end] = " " * (end - start)
    values = values_in(sentence, Context(entities.today, entities.zone), KINDS)
    places = [_with_quotes(own, each.start, each.end) for each in found]
    places += [(each.start, each.end) for each in values]
    places += [(each.start, each.end) for each in names_in(own, _world_names(entities))]
    for start, end in places:
        kept[start:end] = "_" * (end - start)
    return kept


def _set_apart(own: str, other: Candidate, right: Candidate, core: _Core, ask: FactAsk) -> tuple[int, int] | None:
    """The place of another value with what sets it apart from the right one; None where nothing does."""
    low = flat(own)
    if any(hit.start() <= other.start and other.end <= hit.end() for hit in _BRACKET.finditer(low)):
        return other.start, other.end
    if (apart := _RULED_OUT.search(low[: other.start])) is not None:
        return apart.start(), other.end
    if low[other.end : right.start].strip() == "->" or (ask.kind in _NAMES and is_in_front(low, other.end)):
        return other.start, other.end
    first, last = clause_of(own, clauses_of(own), other.start, other.end)
    is_or = signals.OR_AFTER.match(low[other.end :]) or signals.OR_BEFORE.search(low[: other.start])
    if first <= right.start < last or is_or or not _is_excused(own[first:last], other, ask):
        return None
    return (first, last) if core.first <= first and last <= core.last else (other.start, other.end)


def _core(low: str, right: Candidate) -> _Core:
    """The core of a sentence around a value: what follows from it, and what is told of somebody in it, is no part."""
    clauses = clauses_of(low)
    first, last = wide_clause(low, clauses, right.start, right.end)
    own = clause_of(low, clauses, right.start, right.end)
    trailing = (a for a, b in clauses if own[1] <= a < last and _TRAILS.match(low[a:b]))
    last = min(trailing, default=last)
    if (result := _RESULT.search(low, right.end, last)) is not None:
        last = result.start()
    following = [low[a:b] for a, b in clauses if a >= last and _WORD.search(low[a:b])][:3]
    turns = next((at for at, clause in enumerate(following) if _BUT.match(clause)), len(following))
    return _Core(first, last, low[first:last], low[:first], " ".join(following[turns:]))


def _stance_problem(rest: str, core: _Core, ask: FactAsk, topic: re.Pattern[str]) -> str:
    """Why a clause, with values blanked, does not stand for what it says; empty where it does."""
    cleared = signals.ASIDE.sub(" ", signals.NO_DENIAL.sub(" ", rest))
    denies = signals.DENIES.search(ask.sentence.lower()) is not None
    since = signals.SINCE.search(cleared) if ask.kind in _NAMES else None
    for hit in _NOT_PLAIN.finditer(
        cleared, since.start() if since is not None and cleared[: since.start()].strip() else 0
    ):
        is_english_will = hit[0] == "will" and not _GERMAN_WILL.search(cleared)
        is_in = hit[0] == "no" and signals.PORTUGUESE.search(core.text) is not None
        is_denial = signals.DENIES.fullmatch(hit[0]) is not None
        if not (is_english_will or is_in) and not (denies and is_denial) and not topic.search(flat(hit[0])):
            return f"no plain statement: {hit[0]!r}"
    is_past_fact = ask.kind == "artefact" or happened(ask.sentence)
    if not is_past_fact and not _BECAME.search(rest) and (was := _PAST_OF_PRESENT.search(rest)):
        return f"it may be so no more: {was[0]!r}"
    if (later := _LATER.search(core.text)) or (is_past_fact and (later := _WILL.search(rest))):
        return f"it is not so yet: {later[0]!r}"
    lead = core.before if _GOVERNS.search(core.before) or _PART.match(rest) else ""
    for words in (lead, rest):
        known = [hit.span() for hit in topic.finditer(flat(words))]
        said = [hit[0] for hit in _SAYS.finditer(words) if not any(a <= hit.start() < b for a, b in known)]
        if said and not _OURS.search(words):
            return f"somebody says so: {said[0]!r}"
    if (back := _TAKES_BACK.search(core.doubts)) is not None:
        return f"it is taken back: {back[0]!r}"
    return ""


def _is_excused(clause: str, other: Candidate, ask: FactAsk) -> bool:
    """Whether another value, in a clause of its own, is of something else, no longer so, or somebody else's."""
    if ask.kind in _NAMES or (ask.kind in _MOMENTS and not other.is_rival):
        return len(_WORD.findall(clause)) > _OWN
    return any(cue.search(clause) for cue in (_PAST_OF_PRESENT, _SAYS, _NOT_PLAIN, signals.HISTORY, signals.DENIES))


def _with_quotes(sentence: str, start: int, end: int) -> tuple[int, int]:
    """A value's place with the quotation marks that hold nothing but it."""
    is_quoted = sentence[start - 1 : start] in _QUOTES and sentence[end : end + 1] in _QUOTES
    return (start - 1, end + 1) if start and is_quoted and sentence[end : end + 1] else (start, end)


def _topic(ask: FactAsk) -> re.Pattern[str]:
    """The words that belong to the fact: its topic's, its sentence's, its slot's, other names of its value."""
    says = (word for word in f"{spelt(ask.sentence)} {spelt(ask.slot.replace('_', ' '))}".split() if len(word) > 3)
    return word_pattern((*ask.about, *ask.called, *says))


def _world_names(entities: Entities) -> dict[str, frozenset[str]]:
    names: dict[str, set[str]] = {}
    for table in (entities.people, entities.parts):
        for key, called in table.items():
            for name in called:
                for part in (name, *name.split()):
                    names.setdefault(spelt(part), set()).add(key)
    return {name: frozenset(keys) for name, keys in names.items() if len(name) > 2}


def _foreign(rest: str, topic: re.Pattern[str], most: int) -> str:
    """The words that belong neither to the fact nor to any sentence, where they are too many; values stand as `_`.

    One word more is too many where no word of the fact stands in the clause, and where a word of the fact or the value only says
    more of it: `the database course`, `the 19:10 train`.
    """
    places = [(hit.start(), hit.end() + _letters(rest, hit.end())) for hit in topic.finditer(rest)]
    words = [hit for hit in _WORD.finditer(rest) if not any(a < hit.end() and hit.start() < b for a, b in places)]
    foreign = [hit for hit in words if not is_common(hit[0])]
    ends = {b for _, b in places} | {hit.end() for hit in re.finditer(r"_+", rest)}
    is_english = _ENGLISH.search(rest) is not None
    is_head = any(
        is_english and _HEADED.search(rest[: hit.start()]) and hit.start() - 1 in ends and not _VERBAL.search(hit[0])
        for hit in foreign
    )
    is_odd = len(foreign) > min(most, len(places)) or is_head
    return f"more is said than can be read: {' '.join(hit[0] for hit in foreign[:6])}" if is_odd else ""


def _letters(text: str, at: int) -> int:
    """How many letters of a word stand from there on."""
    found = _REST.match(text, at)
    return len(found[0]) if found is not None else 0
