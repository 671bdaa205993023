"""What a text refers to: tickets, pulls, commits, pages, by key, number, link or title."""

import re
from dataclasses import dataclass
from typing import Final

from brownout.core.grading import EndState
from brownout.core.values import Json
from worlds.expressions import ExpressionError

__all__ = ["Cites", "cited", "kind_of", "parse_cites"]

_ASKED: Final = re.compile(r"([1-9]\d*)\s+(\w+?)s?(?:\s+or\s+(\w+?)s?)?")
_KIND: Final = re.compile(r"\.([a-z]+)/[^.]+$")


@dataclass(frozen=True, slots=True)
class Cites:
    """How many different things of which kinds are asked for."""

    count: int
    kinds: tuple[str, ...]


def parse_cites(text: Json) -> Cites:
    """`2 pull or issue`, `1 page`.

    Raises:
        ExpressionError: not a number and kinds.
    """
    found = _ASKED.fullmatch(str(text).strip())
    if found is None:
        raise ExpressionError(f"expected a number and kinds, such as '2 pull or issue', found {text!r}")
    return Cites(int(found[1]), tuple(kind for kind in found.groups()[1:] if kind))


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
