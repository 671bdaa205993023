"""What somebody answered in a field or behind a label: one value, or why it is none.

What stands beside a value is no answer: brackets, ", not 10:15", "at 31 clinics". A hedge is none either.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from worlds.values.contradictions import is_contradicted
from worlds.values.kinds import KINDS, Context, DateValue, DurationValue, Found, Kind, QuantityValue, TimeValue, Value
from worlds.values.stated_values import read_values
from worlds.values.words import DURATION_UNITS, UNITS, fold

__all__ = [
    "Answer",
    "Outcome",
    "answers_beside_unknown",
    "is_also_unknown",
    "is_hedged",
    "is_none",
    "is_unknown",
    "read_answer",
    "without_asides",
    "without_question",
]

Outcome: TypeAlias = Literal["value", "unknown", "none", "several", "hedged", "unreadable", "missing"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What an answer comes to.

    Attributes:
        outcome: `value` where one was given (with `many`, one or more); `unknown` and `none` where that was said;
            `several` different ones; `hedged` where the writer is not sure or gives a bound; `unreadable`; `missing`.
        values: what was read. A wrong unit leaves a value: ten clinics in a field of minutes are `10 clinic`.
        text: the answer as it was given.
    """

    outcome: Outcome
    values: tuple[Value, ...]
    text: str


def _any_of(words: str) -> str:
    """A pattern for any of the words; `_` in one stands for a space."""
    return "(?:" + "|".join(re.escape(word).replace("_", r"\s+") for word in words.split()) + ")"


_STRUCK: Final = re.compile(r"~~[^~]{0,400}~~")
_MARKS: Final = re.compile(r"[*_`\"“”„«»]")
_BRACKET: Final = re.compile(r"\([^()\n]{0,400}\)|\[[^\[\]\n]{0,400}\]")
_MISSING: Final = re.compile(
    r"[\s?.…:]*|" + _any_of("tbd tbc todo to_be_confirmed to_be_determined folgt a_definir a_confirmar")
)
_NONE: Final = re.compile(
    r"(?:[-–—/]+|n/?a|"
    + _any_of(
        "none no nil nothing not_applicable not_needed not_required not_necessary keine keiner keins kein keinen nichts "
        "nein entfallt nicht_notig nicht_erforderlich nicht_zutreffend nenhum nenhuma nada nao nao_se_aplica"
    )
    + r")(?:\s+"
    + _any_of("needed required necessary so_far at_all set notig erforderlich gesetzt necessario necessaria yet")
    + r")?[.!]*"
)
_UNKNOWN: Final = re.compile(
    r"(?<!\w)(?:"
    r"unknown|undetermined|unclear|undocumented|unrecorded|n/?k|unbekannt|unklar|ungeklart|desconhecid[oa]|incert[oa]|"
    r"(?:not|never|isn'?t|wasn'?t|nowhere)(?: \w+)? (?:known|recorded|documented|determined|established|clear|stated|noted|logged|written)|"
    r"not on (?:the |any )?record|"
    r"(?:no|nobody|no[ -]one|none|we do not|we don'?t|i do not|i don'?t|cannot|can'?t|could not|couldn'?t)"
    r"(?: \w+){0,3} (?:record|trace|knows?|known|determined?|established?|tell|found|find|recorded|written|documented|noted|stated|said|say)|"
    r"(?:nicht|nirgends|nie)(?: \w+)? (?:bekannt|festgehalten|dokumentiert|vermerkt|feststellbar|geklart|ersichtlich|notiert|uberliefert)|"
    r"(?:weiss|wissen|weiß)(?: \w+){0,2} (?:nicht|niemand)|niemand weiss|keine (?:angabe|angaben|aufzeichnung|ahnung)|"
    r"nao (?:\w+ ){0,2}(?:sabe|sei|sabemos|conhecid[oa]|registad[oa]|registrad[oa]|consta|documentad[oa])|"
    r"ninguem sabe|sem regist(?:r)?o"
    r")(?!\w)"
)
_OPENING: Final = re.compile(
    r"(?:\W|(?<!\w)(?:\w+(?:ly|mente)|it'?s?|this|that|is|remains|still|we|i|one|das|es|ist|bleibt|wir|e|isto)(?!\w))*"
)
"""What may stand before "unknown" in an answer that says nothing else: `it is unknown`, `we can't know`."""
_UNSURE: Final = re.compile(
    r"(?<!\w)(?:not (?:\w+ )?(?:sure|certain|confirmed)|unsure|uncertain|unconfirmed|i (?:think|guess|believe|suppose|assume)|we (?:think|guess|believe|suppose|assume)|"
    r"guess(?:ing|ed)?|estimated?|or so|or (?:later|earlier|more|less|fewer|thereabouts)|as far as i know|if i recall|"
    r"nicht sicher|unsicher|unbestatigt|geschatzt|(?:glaube|denke|meine|vermute|schatze) ich|ich (?:glaube|denke|meine|vermute|schatze)|"
    r"oder (?:so|spater|fruher|mehr|weniger)|nao (?:tenho|temos) certeza|(?:acho|creio|penso|julgo)(?: que)?|ou (?:mais|menos)|mais ou menos|"
    r"(?:might|may|could|must|should|would|konnte|durfte|musste|podera?|deve) (?:have )?(?:be|been|ser|ter|sein)|"
    r"seems?|scheint|parece|apparently|presumably|supposedly)(?!\w)|\?"
)
_NEAR: Final = re.compile(
    r"(?<!\w)"
    + _any_of(
        "probably maybe perhaps possibly likely about around approximately approx roughly circa ca some nearly almost at_least "
        "at_most more_than less_than fewer_than up_to over under before after shortly just_before just_after estimated "
        "wahrscheinlich vielleicht vermutlich wohl moglicherweise etwa ungefahr rund gegen fast knapp mindestens hochstens "
        "uber unter mehr_als weniger_als bis_zu vor nach kurz_vor kurz_nach schatzungsweise eventuell "
        "provavelmente talvez possivelmente cerca_de por_volta_de por_volta_das aproximadamente aprox quase pelo_menos no_maximo mais_de menos_de "
        "ate_a antes_das depois_das antes_de depois_de"
    )
    + r"(?!\w)|[~≈<>≤≥±]"
)
_ALTERNATIVE: Final = re.compile(
    r"[(\[]\s*(?:or|oder|ou|else|if not|otherwise|alternatively|failing that|sonst|falls nicht|wenn nicht|alternativ|ansonsten|senao|se nao)(?!\w)|"
    r"[(\[](?:[^\s()\[\]]+\s+){0,2}[^\s()\[\]]+\?\s*[)\]]"
)
"""A bracket that holds the value back: `36 hours (or 48)`, `Viktor (Svenja?)`."""
_WAS: Final = re.compile(r"\s*(?:before|vorher|zuvor|davor|antes)\s*(?:this|that|then|disso)?\s*(?::|(?=\d))")
"""How a bracket begins that says what it was before: `36 hours (before: 48)`."""
_CONTRAST: Final = re.compile(
    r"(?<!\w)"
    + _any_of(
        "not no_longer nicht nao instead_of rather_than statt anstatt anstelle_von em_vez_de ao_inves_de previously formerly "
        "originally ursprunglich vormals zuvor anteriormente used_to_be"
    )
    + r"(?:\s+\w+){0,3}\W*$|"
    + r"(?<!\w)(?:moved|changed|raised|lowered|reduced|increased|postponed|prolonged|extended|corrected|up|down|"
    + r"verschoben|geandert|erhoht|gesenkt|verlangert|mudad[oa]|alterad[oa]|adiad[oa]|prolongad[oa])"
    + r"\s+(?:from|von|vom|de|das|do)\W*$"
)
_EARLIER: Final = re.compile(
    r"(?<!\w)"
    + _any_of("was were before earlier old still war waren vorher fruher bisher noch era eram antes ainda")
    + r"(?:\s+\w+){0,2}\W*$"
)
_ASIDE: Final = re.compile(
    r"(?<!\w)"
    + _any_of(
        "at across in of on per with for out_of among bei an auf in von mit pro je aus em nas nos na no de dos das por com entre since seit "
        "desde after nach before vor within"
    )
    + r"(?:\s+(?:the|all|our|a|den|der|allen|unseren|as|os|todas|todos))*\W*$"
)
_UNSETTLED: Final = re.compile(
    r"(?<!\w)" + _any_of("planned_for allegedly reportedly angeblich geplant_fur previsto alegadamente") + r"(?!\w)"
)
_UNLESS: Final = re.compile(
    r"(?<!\w)"
    + _any_of("unless if sofern sonst falls wenn a_menos_que se_nao")
    + r"(?!\w)|^\s*,?\s*(?:or|oder|ou)\s+(?!so\b|half\b|\d)[a-z]"
)
"""Behind a value: it may be another one."""
_SIDE: Final = re.compile(_any_of("before after vor nach antes depois"))
_ON_A_DAY: Final = re.compile(r"(?<!\w)(?:on|of|dated|as of|am|vom|em)(?:\s+(?:the|o|a))?\W*$")
"""Before a second day it says when something was done: `30 September, as agreed on 22 April`."""
_SURMISE: Final = re.compile(
    r"(?<!\w)"
    + _any_of(
        "probably maybe perhaps possibly likely might could_be or either i_think i_guess i_believe wahrscheinlich vielleicht vermutlich "
        "wohl moglicherweise oder eventuell provavelmente talvez possivelmente ou acho_que"
    )
    + r"(?!\w)"
)
"""Of a name, for which "about" and "at" say nothing."""
_FIRST: Final = 12
"""Words of an answer in which a hedge is about it; what follows is explanation."""
_BESIDE: Final = (
    r"(?:not|nicht|nao|não|instead of|rather than|statt|em vez de|via|through|über|por meio de|através d[aeo])"
)
"""Begins what is not the answer: what is denied, and whom one comes through to somebody."""
_QUESTION: Final = re.compile(
    r"(?:\s*[:;.]|\s[-–—]|,(?=[^?]*\?))\s*(?:(?:and|und|e|on|about|to ask)\s+)*"
    r"(?:who|whom|whose|what|when|until when|since when|how|for how long|why|which|whether|"
    r"wer|wem|wen|was|wann|(?:seit|bis) wann|wie|warum|ob|quem|o que|quando|até quando|desde quando|por quanto|como|qual)\b",
    re.IGNORECASE,
)
"""Begins what is to be asked of somebody who was named: `Teresa: who said yes, and until when?`"""
_RIVAL: Final = re.compile(r"\s*(?:[-–—/]|or|oder|ou|and|und|e|to|bis|a|ate|through|vs\.?)\s*")


@lru_cache(maxsize=1024)
def read_answer(text: str, kind: Kind, context: Context, *, unit: str = "", many: bool = False) -> Answer:
    """The one value of this kind that the text answers with, or why there is none.

    Args:
        text: what stands in the field: "since 10:12", "ten (10) minutes", "10:12, not 10:15", "unknown".
        kind: what is asked for.
        context: the company's day and zone.
        unit: what a bare number counts: `clinic`, `EUR`; for a duration `minute`.
        many: a list is asked for; every value of it counts.
    """
    plain = _MARKS.sub(" ", _STRUCK.sub(_blank, text))
    if plain.strip()[:1] + plain.strip()[-1:] in ("()", "[]") and _BRACKET.fullmatch(plain.strip()):
        plain = plain.strip()[1:-1]
    folded = _folded(plain)
    if _MISSING.fullmatch(folded.strip()):
        return Answer("missing", (), text)
    brackets = [found.span() for found in _BRACKET.finditer(plain)]
    read = read_values(plain, context, KINDS, kind)
    said = _without(folded, brackets)
    outside = [found for found in read if said[found.start] == folded[found.start]]
    if _NONE.fullmatch(said.strip(" ,;")):
        return Answer("none", (), text)
    given = _given(said, [one for found in outside if (one := _as(found, kind, unit, context))])
    if _UNKNOWN.search(said):
        named = [one for found in read if (one := _as(found, kind, unit, context))]
        places = [(one.start, one.end) for one in named if not _is_of_a_day(folded, one)]
        is_hedge = is_contradicted(_folded(_STRUCK.sub(_blank, text)), _UNKNOWN, places)
        return Answer("hedged", tuple(one.value for one in named), text) if is_hedge else Answer("unknown", (), text)
    values = _distinct(given)
    if not values:
        return Answer("unreadable", (), text)
    if _is_hedged(said, folded, given, brackets):
        return Answer("hedged", values, text)
    if rival := _rival(said, given[-1], outside):
        return Answer("several", (*values, rival), text)
    return Answer("value" if many or len(values) == 1 else "several", values, text)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _is_of_a_day(said: str, found: Found) -> bool:
    """Whether a day only dates what was searched: `not in the mail of 22 April`."""
    return (
        isinstance(found.value, DateValue)
        and re.search(r"(?<!\w)(?:of|dated|vom|de)\s+(?:the\s+)?$", said[: found.start]) is not None
    )


def _folded(text: str) -> str:
    """The text in small letters without accents, every character in its place."""
    return "".join(one if len(one := fold(character)) == 1 else character for character in text)


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    kept, last = [], 0
    for start, end in spans:
        kept += [text[last:start], " " * (end - start)]
        last = end
    return "".join([*kept, text[last:]])


def _as(found: Found, kind: Kind, unit: str, context: Context) -> Found | None:
    """The found value as an answer to a field of this kind; None where it is something else."""
    value = found.value
    if kind == "time":
        return found if isinstance(value, TimeValue) else None
    if kind == "date":
        if isinstance(value, TimeValue) and value.date:
            return replace(found, value=DateValue(value.date))
        return found if isinstance(value, DateValue) else None
    span = DURATION_UNITS.get(fold(unit)) if unit else None
    if isinstance(value, DurationValue):
        if kind == "duration" or not span:
            return found
        exact = _in_units(value, *span)
        return found if exact is None else replace(found, value=QuantityValue(exact, unit))
    if not isinstance(value, QuantityValue):
        return None
    if value.unit or not unit:
        return found if kind == "quantity" or value.unit else None
    if kind == "quantity":
        units = {fold(unit): unit for unit in context.units.values()}
        return replace(found, value=QuantityValue(value.number, units.get(fold(unit)) or UNITS.get(fold(unit), unit)))
    if span is None or (value.number * span[0]).denominator > 1:
        return None
    return replace(found, value=DurationValue(int(value.number * span[0]), value.number * span[1]))


def _in_units(value: DurationValue, months: int, seconds: Fraction) -> Fraction | None:
    """How many of a unit a span is; None where months and days would have to be mixed."""
    if months and not value.seconds:
        return Fraction(value.months, months)
    return value.seconds / seconds if seconds and not value.months else None


def _given(said: str, found: list[Found]) -> list[Found]:
    """The values that are given as the answer: none that is denied, past, or stands beside another."""
    given: list[Found] = []
    end = 0
    for one in found:
        before = said[max(end, one.start - 60) : one.start]
        has_aside = isinstance(one.value, QuantityValue | DurationValue) and _ASIDE.search(before)
        is_done_then = isinstance(one.value, DateValue) and _ON_A_DAY.search(before)
        is_beside = _CONTRAST.search(before) or (given and (_EARLIER.search(before) or has_aside or is_done_then))
        if not is_beside:
            given.append(one)
        end = one.end
    return given


def _distinct(given: list[Found]) -> tuple[Value, ...]:
    """The different values; a time that is said with and without its day is one."""
    values = list(dict.fromkeys(found.value for found in given))
    dated = {value.minute for value in values if isinstance(value, TimeValue) and value.date}
    return tuple(
        value for value in values if not (isinstance(value, TimeValue) and value.date is None and value.minute in dated)
    )


def _is_hedged(said: str, folded: str, given: list[Found], brackets: list[tuple[int, int]]) -> bool:
    first, last = given[0], given[-1]
    before = said[max(0, first.start - 80) : first.start]
    after = re.split(r"[.;\n](?:\s|$)", said[last.end : last.end + 120])[0]
    if _UNSURE.search(before) or _UNSURE.search(after) or _UNSETTLED.search(before) or _UNLESS.search(after):
        return True
    words = re.findall(r"\w+", after)
    near = " ".join(words if len(words) <= 3 else words[:2])
    if _NEAR.search(" ".join(before.split()[-3:])) or (near and _is_near(near.split()[0], last)) or after[:1] == "+":
        return True
    remarks = [folded[start + 1 : end - 1] for start, end in brackets if len(folded[start:end].split()) <= 3]
    return _ALTERNATIVE.search(folded) is not None or any(
        (_NEAR.search(remark) and not _WAS.match(remark)) or _UNSURE.search(remark) for remark in remarks
    )


def _is_near(word: str, found: Found) -> bool:
    """Whether the word behind a value makes it a rough one: `10 at least`; a span is before something, and none the less exact."""
    return _NEAR.fullmatch(word) is not None and not (isinstance(found.value, DurationValue) and _SIDE.fullmatch(word))


def _rival(said: str, last: Found, found: list[Found]) -> Value | None:
    """The bare number tied to the last value by a dash or an "or": `10 minutes or 15`, `April 14-16`."""
    for other in found:
        bare = isinstance(other.value, QuantityValue) and not other.value.unit
        if bare and other.start >= last.end and _RIVAL.fullmatch(said[last.end : other.start]):
            return other.value
    return None


def is_unknown(text: str) -> bool:
    """Whether an answer says, before anything else, that it cannot be known: `unknown, nobody wrote it down`."""
    said = _said(text)
    found = _UNKNOWN.search(said)
    return found is not None and _OPENING.fullmatch(said[: found.start()]) is not None


def answers_beside_unknown(text: str, places: Sequence[tuple[int, int]]) -> bool:
    """Whether an answer that says "unknown" gives a value at one of these places all the same: `unknown. It was Viktor`."""
    return is_contradicted(_folded(_STRUCK.sub(_blank, text)), _UNKNOWN, places)


def is_also_unknown(text: str) -> bool:
    """Whether one of an answer's parts says that it cannot be known and nothing else: `Viktor, or unknown`."""
    parts = re.split(
        r"[;:,()\[\]\n/|=]|[.!?](?=\s|$)|\s[-–—]+\s|[–—]|(?<!\w)(?:or|oder|ou|and|und|e|but|aber|mas)(?!\w)",
        _folded(text),
    )
    return any(
        (found := _UNKNOWN.search(part)) and _OPENING.fullmatch(_without(part, [found.span()])) for part in parts
    )


def is_none(text: str) -> bool:
    """Whether an answer says that there is none: `none`, `-`, `keine`."""
    return _NONE.fullmatch(_said(text).strip(" ,;")) is not None


def is_hedged(text: str) -> bool:
    """Whether the writer of an answer does not stand behind it, or gives a choice: `probably #51`, `#51 or #47`."""
    said = " ".join(_said(text).split()[:_FIRST])
    return (
        _ALTERNATIVE.search(_folded(text)) is not None
        or _UNSURE.search(said) is not None
        or _SURMISE.search(said) is not None
    )


def without_asides(text: str) -> str:
    """An answer without what stands beside it: brackets, what is denied, what follows a comma or a dash.

    `Viktor (not Svenja), in December` is `Viktor`.
    """
    plain = _BRACKET.sub(" ", _MARKS.sub(" ", _STRUCK.sub(" ", text)))
    head = re.split(
        r"[,;\n]|\s[-–—]\s|(?<!\bdr)(?<!\bmr)(?<!\bms)(?<!\bmrs)(?<!\bprof)\.(?:\s|$)",
        plain.strip(),
        flags=re.IGNORECASE,
    )[0]
    return re.split(rf"(?<!\w){_BESIDE}(?!\w)", head, maxsplit=1, flags=re.IGNORECASE)[0].strip()


def without_question(text: str) -> str:
    """An answer without the question that somebody who was named is to be asked.

    `Teresa: who said yes, and until when?` is `Teresa`.
    """
    head = _QUESTION.split(text, maxsplit=1)[0]
    return head if re.search(r"\w", head) else text


def _said(text: str) -> str:
    return _folded(_BRACKET.sub(" ", _MARKS.sub(" ", _STRUCK.sub(" ", text))))
