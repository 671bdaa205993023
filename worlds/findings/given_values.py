"""Reads what was handed in for a field: one value of its kind, or why there is none.

Values are read exactly, from the world's own tables, and never guessed: what stands beside a value (in brackets, behind a
comma, "not the other one") is no answer, several values are none, and a hedge is none.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Final, Literal

from brownout.core.entities import Entities
from worlds.findings.names import artefact_places, artefacts_in, is_only_names, name_places, options_in, people_in
from worlds.spec.findings import FindingSchema
from worlds.values import (
    Context,
    QuantityValue,
    Value,
    answers_beside_unknown,
    is_also_unknown,
    is_hedged,
    is_none,
    is_unknown,
    read_answer,
    values_in,
    without_asides,
    without_question,
)

__all__ = ["Given", "Outcome", "read_given", "shown"]

Outcome = Literal["value", "unknown", "none", "several", "hedged", "unreadable", "missing"]
_PARTS: Final = re.compile(r"[;,\n/]|\.\s|\s(?:and|und|e|&|·)\s|\s(?:-|–|—)\s")
_BRACKETS: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_DENIED: Final = re.compile(
    r"\W*(?:not|never|neither|nobody but|anyone but|anybody but|nicht|nie|niemals|kein\w*|niemand (?:als|außer)|não|nunca|ninguém)\b",
    re.IGNORECASE,
)
"""What begins an answer that only says what it is not."""
_CONTRAST: Final = re.compile(
    r"\b(?:not|no longer|isn't|instead|rather|never|was|were|from|before|formerly|previously|old|nicht|kein\w*|statt|vorher|früher|war|"
    r"von|não|nem|antes|em vez|de)\b",
    re.IGNORECASE,
)
"""What makes a value that stands beside the answer another one than the answer."""


@dataclass(frozen=True, slots=True)
class Given:
    """What was handed in for a field.

    Attributes:
        outcome: `value` where there is one (with a list: one or more), else why there is none.
        values: typed values; names as the set of what each may mean (short names, paths, options).
        text: as it was written.
    """

    outcome: Outcome
    values: tuple[Value | frozenset[str], ...] = ()
    text: str = ""


def read_given(field: FindingSchema, text: str, entities: Entities) -> Given:
    """The value of a field in the words that somebody handed in for it.

    Example: for a person, `Viktor Haas (he set it in January)` is `({"viktor"},)`.
    """
    if not text.strip():
        return Given("missing")
    if field.kind in ("time", "date", "duration", "quantity"):
        unit = _canonical(field.unit, entities.today, entities.zone)
        units = dict.fromkeys((field.unit, *field.units), unit) if unit else {}
        answer = read_answer(
            _as_asked(field, text),
            field.kind,
            Context(entities.today, entities.zone, units),
            unit=unit,
            many=field.many,
        )
        return Given(answer.outcome, tuple(answer.values), text)
    if is_none(text) and not (field.kind == "choice" and _names_in(field, text, entities)):
        return Given("none", text=text)
    if is_unknown(text):
        is_hedge = answers_beside_unknown(text, _places(field, text, entities))
        return Given("hedged" if is_hedge else "unknown", text=text)
    stated = without_question(text)
    if is_hedged(stated) or _is_denied(field, stated, entities) or is_also_unknown(stated):
        return Given("hedged", text=text)
    return replace(_named(field, stated, entities), text=text)


@lru_cache(maxsize=512)
def _canonical(unit: str, today: date, zone: str) -> str:
    """The unit as values have it: `euros` is `EUR`, `clinics` is `clinic`."""
    found = values_in(f"2 {unit}", Context(today, zone), {"quantity"}) if unit else []
    value = found[0].value if found else None
    return value.unit if isinstance(value, QuantityValue) and value.unit else unit


def _as_asked(field: FindingSchema, text: str) -> str:
    """The answer without the word that the question begins with: `before 27 January` to `Before which day`."""
    asked = field.asks.split(maxsplit=1)[:1]
    words = text.split(maxsplit=1)
    return words[1] if len(words) > 1 and [words[0].casefold()] == [word.casefold() for word in asked] else text


def _named(field: FindingSchema, text: str, entities: Entities) -> Given:
    if field.many:
        every = _names_in(field, text, entities)
        return Given("value" if every else "unreadable", tuple(dict.fromkeys(every)), text)
    found = _names_in(field, without_asides(text), entities) or _names_in(field, text, entities)
    if not found:
        return Given("unreadable", text=text)
    beside = _listed(field, text, entities)
    common = frozenset.intersection(*found)
    if common and not any(common.isdisjoint(each) for each in beside):
        return Given("value", (common,), text)
    return Given("several", tuple(dict.fromkeys([*found, *beside])), text)


def _listed(field: FindingSchema, text: str, entities: Entities) -> list[frozenset[str]]:
    """What is named beside the answer as one more: of options any that is not denied, of other names what stands alone
    between two commas. `Viktor, Svenja` lists two people, `Viktor, who told Svenja` does not.
    """
    found: list[frozenset[str]] = []
    for part in _PARTS.split(_BRACKETS.sub(" ", text)):
        if _CONTRAST.search(part):
            continue
        if field.kind in ("choice", "part") or is_only_names(part, entities):
            found += _names_in(field, part, entities)
    return found


def _names_in(field: FindingSchema, text: str, entities: Entities) -> list[frozenset[str]]:
    match field.kind:
        case "person":
            return people_in(text, entities)
        case "artefact":
            return [*artefacts_in(text, entities), *options_in(text, _options(field))]
        case "part":
            return options_in(text, _options(field) or entities.parts)
        case _:
            return options_in(text, _options(field))


def _is_denied(field: FindingSchema, text: str, entities: Entities) -> bool:
    """Whether an answer only says what it is not; an option may begin so itself (`not affected`)."""
    denied = _DENIED.match(text)
    return denied is not None and not any(start < denied.end() for start, _ in _places(field, text, entities))


def _places(field: FindingSchema, text: str, entities: Entities) -> list[tuple[int, int]]:
    """Where a text names something of the field's kind."""
    match field.kind:
        case "person":
            return name_places(text, entities)
        case "artefact":
            found = [(start, end) for start, end, _ in artefact_places(text, entities)]
            return [*found, *name_places(text, entities, _options(field))]
        case "part":
            return name_places(text, entities, _options(field) or entities.parts)
        case _:
            return name_places(text, entities, _options(field))


def _options(field: FindingSchema) -> Mapping[str, tuple[str, ...]]:
    return {option: tuple(names) for option, names in field.options.items()}


def shown(given: Given, field: FindingSchema, entities: Entities) -> str:
    """How a value was understood, for whoever handed it in: `2026-03-31`, `126 seats`, `unknown`.

    What a quantity counts is called as the field calls it. A name is repeated as it was written: what it stands for here
    is the world's own knowledge (`mail_from: piotr@elsewhere` would come back as somebody who is not Piotr).
    """
    counted = _canonical(field.unit, entities.today, entities.zone)
    typed = [
        str(replace(value, unit=field.unit) if isinstance(value, QuantityValue) and value.unit == counted else value)
        for value in given.values
        if not isinstance(value, frozenset)
    ]
    return ", ".join(typed) or (given.text.strip() if given.values else given.outcome)
