"""What a text refers to: tickets, pulls, commits, pages, by key, number, link or title.

A citation counts where it leads to one of the things that were meant, not where a text merely has keys.
"""

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import Final

from brownout.core.grading import EndState
from brownout.core.values import Json
from worlds.expressions import ExpressionError, parse_selector

__all__ = ["Cites", "cited", "cited_elsewhere", "kind_of", "parse_cites"]

_ASKED: Final = re.compile(r"([1-9]\d*)\s+of\s+(\S.*)", re.DOTALL)
_KIND: Final = re.compile(r"\.([a-z]+)/[^.]+$")


@dataclass(frozen=True, slots=True)
class Cites:
    """How many different ones of which things are asked for, as selectors."""

    count: int
    options: tuple[str, ...]


def parse_cites(text: Json) -> Cites:
    """`2 of jira:decision | github:Simplify client | docs:Runbook*`.

    Raises:
        ExpressionError: not a number and so many things or more.
    """
    found = _ASKED.fullmatch(str(text).strip())
    if found is None:
        raise ExpressionError(
            f"expected a number and things, such as '2 of jira:decision | docs:Runbook*', found {text!r}"
        )
    options = tuple(option.strip() for option in found[2].split("|"))
    for option in options:
        parse_selector(option)
    if len(options) < int(found[1]):
        raise ExpressionError(f"expected {found[1]} things or more, found {', '.join(options)}")
    return Cites(int(found[1]), options)


def kind_of(path: str) -> str:
    """`jira:BOX.issue/BOX-41` is an `issue`; empty where a path says no kind."""
    found = _KIND.search(path)
    return found[1] if found else ""


def cited(end: EndState, text: str, kinds: tuple[str, ...] = (), *, titles: bool = True) -> list[str]:
    """The paths of the different things that the text refers to and that are in the world, in its order.

    Args:
        kinds: of those that count, all of them without.
        titles: a title written out counts, too; else only keys, numbers and links.
    """
    found = (each.path for each in end.entities.references(text) if titles or not each.is_title)
    return list(dict.fromkeys(path for path in found if not kinds or kind_of(path) in kinds))


def cited_elsewhere(end: EndState, text: str, meant: Set[str], but: Iterable[str] = ()) -> int:
    """How many things of the kinds of those that are meant the text refers to instead of them.

    `#51` leads to a pull request in each repository that has so many: it refers to what is meant where one of them is, and else to
    one other thing, however many there are.

    Args:
        meant: paths of the things.
        but: paths that do not count.
    """
    kinds, places = {kind_of(path) for path in meant}, dict[tuple[int, int], set[str]]()
    for each in end.entities.references(text):
        if kind_of(each.path) in kinds and each.path not in but:
            places.setdefault((each.start, each.end), set()).add(each.path)
    found = set[str]()
    for paths in sorted(places.values(), key=len):
        if not paths & meant and not paths & found:
            found.add(min(paths))
    return len(found)
