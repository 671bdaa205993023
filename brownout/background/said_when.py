"""Texts that are said only of some things: `(minor, approved) I took it on staging too` is one of two conditions."""

import re
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from typing import Final, NamedTuple

__all__ = ["MARKS", "Conditional", "conditional", "fitting"]

MARKS: Final = frozenset({"major", "minor", "patch", "waiting", "approved"})
"""What may be true of a change beside its entry and group: what it does to a version, and how far it is."""
_CONDITIONS: Final = re.compile(r"\(([^()]+)\) (?=\S)")
_ANSWERED: Final = " => "


class Conditional(NamedTuple):
    """A text of a pack, read.

    Attributes:
        wants: of each of these sets something must be true; empty where it is said of anything.
        answer: what it is answered with, empty where it asks nothing.
    """

    wants: tuple[frozenset[str], ...]
    text: str
    answer: str = ""


@lru_cache(maxsize=1 << 12)
def conditional(text: str) -> Conditional:
    """A text as packs hold it: `(minor|patch, approved) does the job still run? => it does`."""
    found = _CONDITIONS.match(text)
    wants = tuple(frozenset(one.strip() for one in part.split("|")) for part in found[1].split(",")) if found else ()
    said, _, answer = (text[found.end() :] if found else text).partition(_ANSWERED)
    return Conditional(wants, said, answer)


def fitting(texts: Sequence[str], marks: Set[str]) -> Iterator[str]:
    """Those of the texts whose conditions hold of a thing of which the marks are true."""
    return (text for text in texts if not any(want.isdisjoint(marks) for want in conditional(text).wants))
