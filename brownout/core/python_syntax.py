"""Parses Python, one text at a time.

CPython counts how deep it is in the tree it makes in one place for all threads, and raises SystemError where two of them parse
(python/cpython#106905).
"""

import ast
from threading import RLock

__all__ = ["parsed"]

_ONE_AT_A_TIME = RLock()


def parsed(text: str | bytes, name: str = "<unknown>") -> ast.Module:
    """The tree of a module.

    Raises:
        SyntaxError: it is no Python.
        ValueError: it holds a NUL byte.
    """
    with _ONE_AT_A_TIME:
        return ast.parse(text, name)
