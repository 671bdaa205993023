"""Reads what criteria ask: names, counts, and the messages for what cannot be read."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from brownout.core.errors import BrokenRubric, Unknown
from brownout.core.grading import TruthFact
from brownout.core.values import Json, JsonObject
from brownout.core.vocabulary import near
from worlds.expressions import ExpressionError, parse_span

__all__ = ["Count", "fact_named", "names_in", "parse_count", "unknown_words"]

_COUNT = re.compile(r"(>=|<=|=)?\s*(\d+)")


@dataclass(frozen=True, slots=True)
class Count:
    """From `low` to `high`, both included; `high` None is any number more."""

    low: int
    high: int | None

    def __contains__(self, number: int) -> bool:
        return self.low <= number and (self.high is None or number <= self.high)

    def __str__(self) -> str:
        if self.high is None:
            return f"at least {self.low}"
        return f"{self.low}" if self.low == self.high else f"{self.low} to {self.high}"


def parse_count(text: Json) -> Count:
    """`2`, `1..2`, `>= 1`, `<= 3`.

    Raises:
        ExpressionError: none of these.
    """
    if isinstance(text, int) and not isinstance(text, bool) and text >= 0:
        return Count(text, text)
    found = _COUNT.fullmatch(str(text).strip())
    if found is None:
        try:
            span = parse_span(str(text))
        except ExpressionError as error:
            raise ExpressionError(f"expected a count such as 2, 1..2, >= 1 or <= 3, found {text!r}") from error
        return Count(span.low, span.high)
    sign, number = found[1] or "=", int(found[2])
    return Count(0 if sign == "<=" else number, None if sign == ">=" else number)


def names_in(value: Json) -> list[str]:
    """One name or several, as texts."""
    if value is None:
        return []
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]


def unknown_words(grader: str, asks: JsonObject, known: Collection[str]) -> list[str]:
    """A message for each word that the grader does not have."""
    wrong: list[str] = []
    for word in asks:
        if word not in known:
            hint = near(word, known) or f"; it has {', '.join(sorted(known))}"
            wrong.append(Unknown(f"{grader} has no {word!r}{hint}", name=word, kind="word"))
    return wrong


def fact_named(facts: Mapping[str, TruthFact], name: str) -> TruthFact:
    """The fact of that name.

    Raises:
        BrokenRubric: there is none.
    """
    found = facts.get(name)
    if found is None:
        raise BrokenRubric(f"the rubric names a fact that is not in this world: {name}")
    return found
