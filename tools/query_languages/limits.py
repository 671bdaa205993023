"""How large a query may be, in whatever vendor's language: what is within these limits SQLite can search."""

from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

from brownout.core.errors import BeyondLimits

__all__ = ["DEEPEST", "MOST", "bounded"]

T = TypeVar("T")
DEEPEST: Final = 40
"""How deep brackets nest."""
MOST: Final = 500
"""Words, values, operators, signs and brackets of a query; SQLite's own limit is a tree of 1,000 levels."""


def bounded(tokens: Iterable[T]) -> Iterator[T]:
    """The tokens of a query as they are read.

    Raises:
        BeyondLimits: there are more than 500; those behind are not read.
    """
    for number, token in enumerate(tokens):
        if number >= MOST:
            raise BeyondLimits(f"The query has more than {MOST} words and signs.")
        yield token
