"""What a query says that its language cannot read: told, where looking for it as words would find nothing and say nothing."""

import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import Final

from tools.query_languages.terms import Grammar, Term, read

__all__ = ["DAY", "mistakes_in"]

DAY: Final = "a day such as 2026-03-19"
_JOINTS: Final = {
    "OR": "there is no OR here; search once for each",
    "AND": "there is no AND here; all words must occur anyway",
    "NOT": "there is no NOT here; write -word",
}
_NAMED: Final = re.compile(r"([A-Za-z_-]{2,25}):[^\s/].*", re.DOTALL)
_ALIKE: Final = 0.75
_LONGEST: Final = 80


def mistakes_in(
    text: str, grammar: Grammar, is_understood: Callable[[Term], bool], expected: Mapping[str, str] | None = None
) -> Iterator[str]:
    """What is wrong with a query, in the order it stands there: values that make no sense, operators that are misspelt,
    joining words that the language does not have. What stands between quotation marks is never wrong.

    Args:
        is_understood: whether the value of an operator makes sense.
        expected: what the operators take that not everything makes sense for.
    """
    for token in read(text, grammar):
        if not isinstance(token, Term):
            continue
        if token.name:
            if not is_understood(token):
                wanted = (expected or {}).get(token.name)
                yield f"{token.name}: cannot be {token.text[:_LONGEST]!r}" + (f"; expected {wanted}" if wanted else "")
        elif not token.is_quoted:
            if token.text in _JOINTS:
                yield _JOINTS[token.text]
            elif (written := _NAMED.fullmatch(token.text)) is not None:
                near = get_close_matches(written[1].lower(), sorted(grammar.names), 1, _ALIKE)
                yield from (f"there is no {written[1]!r}; did you mean {name + ':'!r}?" for name in near)
