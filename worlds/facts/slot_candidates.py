"""What in a sentence can be a slot's value: typed values of its kind and unit, and names; each right, a rival, or neither."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Final, cast

from brownout.core.entities import Entities
from brownout.core.instants import MINUTE
from brownout.core.readers import FactAsk
from worlds.facts import signals
from worlds.facts.name_matching import Named, names_in, spelt
from worlds.values import Context, DateValue, DurationValue, Found, Kind, QuantityValue, TimeValue, Value, values_in

__all__ = ["Candidate", "SlotValues"]

_TYPED: Final = frozenset({"time", "date", "duration", "quantity"})
_SPAN: Final = re.compile(
    r"\b(?:an?|ein\w*|uma?|per|half|halb\w*|mei[ao])\b.{0,12}\b(?:hour|day|week|fortnight|month|year|minute|stunde|tag|woche|monat|jahr|hora|dia|semana|m[eê]s|ano)",
    re.IGNORECASE,
)
_DAY: Final = re.compile(
    r"\d|\b(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|fev|abr|ago|set|out|today|yesterday|tomorrow|heute|gestern|morgen|hoje|ontem|"
    r"amanhã)",
    re.IGNORECASE,
)
_LIKELY: Final[Mapping[str, re.Pattern[str]]] = {
    "time": signals.NUMBER, "date": _DAY, "duration": signals.NUMBER, "quantity": signals.NUMBER,
}  # fmt: skip
_DISTINCT: Final = 100
"""A number from which on it is one's own, without the word for what it counts."""
_SPANS: Final = r"(second|minute|minuten|hour|day|week|month|sekunde|stunde|tag|woche|monat|segundo|minuto|hora|dia|semana|mês)(?:s|n|en|e|es)?(?![^\W\d_])"
_UNIT_BEFORE: Final = re.compile(rf"(?<![^\W\d_]){_SPANS}")
_UNIT_AFTER: Final = re.compile(rf"\d[ -]?{_SPANS}")
_STRETCH: Final = re.compile(
    r"^\s*(?:[-–—]|to|until|till|bis|a|às|até|(and|und|e))\s*(?:the |zum |ao |às |as )?$", re.IGNORECASE
)
_BETWEEN: Final = re.compile(r"\b(?:between|zwischen|entre)\b", re.IGNORECASE)
_ADDRESSED: Final = re.compile(
    r"(?:^|\W)(?:hi|hello|hey|dear|hallo|liebe[r]?|moin|olá|ola|caro|cara|bom dia|boa tarde)\s+(?:mr\.? |ms\.? |dr\.? |frau |herr )?$",
    re.IGNORECASE,
)
_OWNS: Final = re.compile(r"'s?\s")
_BEFORE: Final = 20
_BEHIND: Final = 40
"""Characters around the numbers of a sentence that may be a part of the value: `in the night to`, `(Lisbon time)`."""
_NEAR: Final = 6
"""Words before a time in which its role is told: `began at about`."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something in a sentence that can be the slot's value.

    Attributes:
        key: tells one value from another: `600 s`, `viktor`.
        is_rival: an author named it as another value of the slot.
    """

    key: str
    start: int
    end: int
    is_right: bool
    is_rival: bool = False


class SlotValues:
    """Finds what can be the value of one fact's slot."""

    def __init__(self, ask: FactAsk, entities: Entities) -> None:
        self._ask = ask
        self._entities = entities
        self._is_typed = ask.kind in _TYPED
        self._within = ask.within // MINUTE
        self._units = _units(ask)
        self._right = self._typed(ask.value)
        self._rivals = {key: value for key in ask.rivals if (value := self._typed(key)) is not None}
        self._role = self._role_of_fact()
        self._names = self._known_names()
        self._paths = self._right_paths()

    @property
    def is_readable(self) -> bool:
        """Whether the author's value can be read as its kind."""
        return self._right is not None if self._is_typed else self._ask.kind in ("person", "artefact", "part")

    def found_in(self, text: str) -> list[Candidate]:
        """The candidates of a sentence, in its order, not overlapping; names of the author's before what is read."""
        named = [self._named(each, text) for each in names_in(text, self._names)]
        others = self._values(text) if self._is_typed else self._referred(text) if self._ask.kind == "artefact" else []
        taken = [each for each in named if each is not None]
        kept = [each for each in others if not any(one.start < each.end and each.start < one.end for one in taken)]
        return sorted([*taken, *kept], key=lambda each: each.start)

    # -- typed values ---------------------------------------------------------------------------------------------------
    def _typed(self, text: str) -> Value | None:
        found = (
            _read(text, self._ask.kind, self._entities.today, self._entities.zone, self._units)
            if self._is_typed
            else ()
        )
        return found[0].value if found else None

    def _values(self, text: str) -> Iterator[Candidate]:
        kind, right = self._ask.kind, self._right
        if not _LIKELY[kind].search(text.lower()) and not (kind == "duration" and _SPAN.search(text)):
            return
        last = 0
        for each in _read(text, kind, self._entities.today, self._entities.zone, self._units):
            if kind == "duration" and not isinstance(each.value, DurationValue):
                continue
            fits = self._fits(self._role_in(text, last, each.start, each.end))
            last = each.end
            if fits and (candidate := self._compared(each, right, text)) is not None:
                yield candidate
        if isinstance(right, DurationValue):
            yield from self._bare_spans(text, right)

    def _bare_spans(self, text: str, right: DurationValue) -> Iterator[Candidate]:
        """Numbers whose unit of time is told before them, or by a span of the same sentence: `used to be 15, now 10 minutes`."""
        numbers = _read(text, "duration", self._entities.today, self._entities.zone, self._units)
        bare = [
            (each, each.value.number)
            for each in numbers
            if isinstance(each.value, QuantityValue) and not each.value.unit
        ]
        for each, number in bare:
            found = _UNIT_BEFORE.findall(text[: each.start].lower()) or _UNIT_AFTER.findall(text[each.end :].lower())
            unit = next((unit for word in found if (unit := _span_unit(word)) is not None), None)
            if unit is not None and number:
                value = DurationValue(int(unit.months * number), unit.seconds * number)
                yield Candidate(_key(value), each.start, each.end, value == right, value in self._rivals.values())

    def _compared(self, found: Found, right: Value | None, text: str) -> Candidate | None:
        value = found.value
        if (
            isinstance(value, QuantityValue)
            and isinstance(right, QuantityValue)
            and right.unit
            and value.unit != right.unit
        ):
            if value.unit or not (value.number >= _DISTINCT or self._has_unit(text)):
                return None
            value = QuantityValue(value.number, right.unit)
        if isinstance(value, DateValue) and isinstance(right, DateValue) and value.granularity != right.granularity:
            return None
        if isinstance(value, DurationValue) and isinstance(right, DurationValue) and _is_rough(value, right):
            return None
        is_right = right is not None and _is_same(value, right, self._within)
        is_rival = any(_is_same(value, rival) for rival in self._rivals.values())
        return Candidate(_key(value), found.start, found.end, is_right, is_rival and not is_right)

    def _has_unit(self, text: str) -> bool:
        words = {word for word, _ in self._units} | {unit for _, unit in self._units}
        return any(spelt(word).rstrip("s") in spelt(text) for word in words if word)

    def _role_of_fact(self) -> str:
        """Whether the value is when something began or ended, as the author's sentence has it."""
        if self._ask.kind not in ("time", "date"):
            return ""
        last = 0
        for each in _read(self._ask.sentence, self._ask.kind, self._entities.today, self._entities.zone, self._units):
            if self._right is not None and _is_same(each.value, self._right):
                return self._role_in(self._ask.sentence, last, each.start, each.end)
            last = each.end
        return ""

    def _fits(self, role: str) -> bool:
        if not role:
            return self._role not in ("end", "before")
        if not self._role:
            return role not in ("end", "before")
        return role == self._role or {role, self._role} <= {"start", "after"}

    def _role_in(self, text: str, last: int, start: int, end: int) -> str:
        if self._ask.kind not in ("time", "date"):
            return ""
        if last and (link := _STRETCH.match(text[last:start])) and (not link[1] or _BETWEEN.search(text[:last])):
            return "end"
        before = " ".join(text[last:start].lower().split()[-_NEAR:])
        places = [
            (found.end(), role)
            for role, cue in (
                ("start", signals.START),
                ("end", signals.END),
                ("before", signals.BEFORE),
                ("after", signals.LATER),
            )
            for found in cue.finditer(before)
        ]
        if places:
            return max(places)[1]
        after = " ".join(re.split(r"[.;,]", text[end:].lower())[0].split()[:4])
        if signals.LAST.search(text[last:start].lower()):
            return "end"
        return "start" if signals.START.search(after) else "end" if signals.END.match(after) else ""

    # -- names ----------------------------------------------------------------------------------------------------------
    def _known_names(self) -> dict[str, frozenset[str]]:
        ask, known = self._ask, dict[str, set[str]]()
        if ask.kind == "person":
            for short, names in self._entities.people.items():
                for name in (short, *names):
                    for part in [name] if "@" in name else [name, *name.split()]:
                        known.setdefault(spelt(part), set()).add(short)
        if ask.kind == "part":
            head = ask.value.rpartition("/")[0]
            for part, names in self._entities.parts.items():
                if part.rpartition("/")[0] == head and head:
                    for name in (part, *names, part.rpartition("/")[2]):
                        known.setdefault(spelt(name), set()).add(part)
        for key, names in ((ask.value, ask.called), *ask.rivals.items()):
            own = [name for name in names if ask.kind != "quantity" or any(c.isdigit() for c in name)]
            if not self._is_typed:
                own += [key, key.partition(":")[2] or key, key.rpartition("/")[2] if ask.kind == "part" else key]
            for name in own:
                if key == ask.value or ask.value not in known.get(spelt(name), ()):
                    known.setdefault(spelt(name), set()).add(key)
        return {name: frozenset(keys) for name, keys in known.items() if len(name) > 1}

    def _named(self, found: Named, text: str) -> Candidate | None:
        keys, ask = found.keys, self._ask
        if len(keys) > 1:
            return None
        [key] = keys
        is_beside = ask.kind == "person" and (_ADDRESSED.search(text[: found.start]) or _OWNS.match(text[found.end :]))
        is_called = ask.kind == "person" and not text[: found.start].strip() and text[found.end : found.end + 1] == ","
        if key != ask.value and (is_beside or is_called):
            return None
        return Candidate(key, found.start, found.end, key == ask.value, key in ask.rivals)

    def _right_paths(self) -> frozenset[str]:
        if self._ask.kind != "artefact":
            return frozenset()
        app, _, title = self._ask.value.rpartition(":")
        found = [each.path for name in (title, *self._ask.called) for each in self._entities.references(name)]
        return frozenset(path for path in found if path.startswith(f"{app}:") or not app)

    def _referred(self, text: str) -> Iterator[Candidate]:
        families = {_family(path) for path in self._paths}
        places: dict[tuple[int, int], set[str]] = {}
        for each in self._entities.references(text):
            if _family(each.path) in families:
                places.setdefault((each.start, each.end), set()).add(each.path)
        for (start, end), paths in sorted(places.items()):
            is_right = bool(paths & self._paths)
            yield Candidate(self._ask.value if is_right else min(paths), start, end, is_right)


def _family(path: str) -> str:
    """What is of one sort: the pulls of a repository, the issues of a project."""
    return path.rpartition("/")[0]


def _units(ask: FactAsk) -> tuple[tuple[str, str], ...]:
    """The author's other words for what a quantity counts, each with its unit: `Praxen` is `clinic`."""
    if ask.kind != "quantity":
        return ()
    found = _read(ask.value, "quantity", date(2000, 1, 1), "UTC", ())
    value = found[0].value if found else None
    if not isinstance(value, QuantityValue):
        return ()
    words = [word for word in ask.called if not any(c.isdigit() for c in word)]
    return tuple((word, value.unit) for word in (*words, value.unit) if value.unit)


@lru_cache(maxsize=64)
def _span_unit(word: str) -> DurationValue | None:
    found = values_in(f"1 {word}", Context(date(2000, 1, 1), "UTC"), {"duration"})
    return found[0].value if found and isinstance(found[0].value, DurationValue) else None


@lru_cache(maxsize=4096)
def _read(text: str, kind: str, today: date, zone: str, units: tuple[tuple[str, str], ...]) -> tuple[Found, ...]:
    """The values of a kind in a sentence; with spans the bare numbers too. Only what lies around its numbers is looked at."""
    kinds: set[Kind] = {"duration", "quantity"} if kind == "duration" else {cast(Kind, kind)}
    first, last = _window(text, kind)
    found = values_in(text[first:last], Context(today, zone, dict(units)), kinds)
    return tuple(replace(each, start=each.start + first, end=each.end + first) for each in found)


def _window(text: str, kind: str) -> tuple[int, int]:
    """From some words before the first number to some behind the last."""
    places = [*_LIKELY[kind].finditer(text.lower())] if kind != "duration" or not _SPAN.search(text) else []
    if not places:
        return 0, len(text)
    first = text.rfind(" ", 0, max(0, places[0].start() - _BEFORE)) + 1
    last = text.find(" ", places[-1].end() + _BEHIND)
    return first, len(text) if last < 0 else last


def _is_same(one: Value, other: Value, within: int = 0) -> bool:
    """Whether two values are the same; times may lie so many minutes apart."""
    if isinstance(one, TimeValue) and isinstance(other, TimeValue):
        if one.date is not None and other.date is not None and one.date != other.date:
            return False
        apart = abs(one.minute - other.minute)
        is_twelve = one.is_twelve_hour or other.is_twelve_hour
        return min(apart, 1440 - apart) <= within or (is_twelve and abs(apart - 720) <= within)
    return one == other


def _is_rough(one: DurationValue, other: DurationValue) -> bool:
    """Whether one is the other in round words: `a month` of 30 days."""
    if bool(one.months) == bool(other.months):
        return False
    days = [value.seconds / 86_400 + value.months * 30 for value in (one, other)]
    return abs(days[0] - days[1]) * 20 <= days[1]


def _key(value: Value) -> str:
    match value:
        case TimeValue():
            return f"{value.minute // 60:02}:{value.minute % 60:02}"
        case DateValue():
            return value.date.isoformat()
        case DurationValue():
            return f"{value.months} months {value.seconds} s"
        case QuantityValue():
            return f"{value.number} {value.unit}".strip()
