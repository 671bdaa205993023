"""Memory that was freed, given back to the system."""

import ctypes
from functools import cache
from typing import Protocol, cast

__all__ = ["give_back"]


class _Trim(Protocol):
    def __call__(self, kept: int, /) -> int: ...


def give_back() -> None:
    """Let the C library return what is free in the middle of its heap, in milliseconds; where it cannot, nothing happens.

    What one connection held lies between what others hold, so closing it alone returns nothing.
    """
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> _Trim | None:
    """Glibc's own function (https://man7.org/linux/man-pages/man3/malloc_trim.3.html); others do not have it."""
    try:
        return cast(_Trim, ctypes.CDLL(None).malloc_trim)
    except (AttributeError, OSError, TypeError):
        return None
