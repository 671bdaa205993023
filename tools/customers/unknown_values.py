"""What a query names that there is not: told with the name that was meant, where searching for it could only find nothing."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from brownout.core.arguments import suggestion
from tools.query_languages.ast import And, Condition, Field, Not, Or, SearchError, Word

__all__ = ["KnownValues", "check_values"]

KnownValues: TypeAlias = Mapping[str, Callable[[], Iterable[str]]]
"""The values that there are of a field, read only where a query asks for it."""
_FEW: Final = 12


def check_values(condition: Condition | None, known: KnownValues) -> None:
    """Return if every value that a query names is there.

    Raises:
        SearchError: one is not; the message has the one that was meant, or all where they are few.
    """
    for field, text in _named(condition):
        if field not in known:
            continue
        values = sorted(set(known[field]()))
        if text.lower() not in {value.lower() for value in values}:
            raise SearchError(0, f"There is no {field} '{text}'{suggestion(text, values) or _listed(values)}", "value")


def _listed(values: list[str]) -> str:
    return f"; expected one of: {', '.join(values)}." if 0 < len(values) <= _FEW else "."


def _named(condition: Condition | None) -> Iterator[tuple[str, str]]:
    """The fields of a condition that are given a name, with it."""
    match condition:
        case And(parts) | Or(parts):
            for part in parts:
                yield from _named(part)
        case Not(part):
            yield from _named(part)
        case Field(name, _, Word(text)):
            yield name, text
        case _:
            return
