"""References that a text makes, and whether they lead anywhere: issue keys, pull requests."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from brownout.core.errors import GradingError
from brownout.core.grading import EndState
from brownout.core.values import Json
from worlds.expressions import ExpressionError

__all__ = ["KINDS", "Cites", "cited", "parse_cites"]

_ISSUE: Final = re.compile(r"(?<![\w-])([A-Z][A-Z0-9]{1,9}-[1-9]\d{0,6})(?![\w-])")
_PULL: Final = re.compile(
    r"(?:(?<![\w/.-])([\w.-]{1,100}/[\w.-]{1,100}|[\w.-]{1,100})?#(\d{1,6})\b"
    r"|([\w.-]{1,100}/[\w.-]{1,100})/pulls?/(\d{1,6})\b"
    r"|\b(?:PR|MR|[Pp]ull(?: [Rr]equest)?)\s+#?(\d{1,6})\b)"
)
KINDS: Final = ("issue", "pull")
"""What can be referred to."""
_MOST: Final = 200
"""References that are looked up; a text with more is a dump."""


@dataclass(frozen=True, slots=True)
class Cites:
    """How many references of which kinds are asked for."""

    count: int
    kinds: tuple[str, ...]


def parse_cites(text: Json) -> Cites:
    """`2 pull or issue`, `1 issue`.

    Raises:
        ExpressionError: not a number and kinds.
    """
    found = re.fullmatch(r"([1-9]\d*)\s+(\w+)s?(?:\s+or\s+(\w+)s?)?", str(text).strip())
    kinds = tuple(kind.removesuffix("s") for kind in found.groups()[1:] if kind) if found else ()
    if found is None or any(kind not in KINDS for kind in kinds):
        raise ExpressionError(f"expected a number and kinds, such as '2 pull or issue', found {text!r}")
    return Cites(int(found[1]), kinds)


def cited(end: EndState, text: str, kinds: tuple[str, ...]) -> list[str]:
    """The paths of the different things that the text refers to and that are in the world.

    Raises:
        GradingError: the world has no app for any of the kinds.
    """
    paths: dict[str, None] = {}
    missing: list[GradingError] = []
    for kind in kinds:
        try:
            paths.update(dict.fromkeys(_issues(end, text) if kind == "issue" else _pulls(end, text)))
        except GradingError as error:
            missing.append(error)
    if len(missing) == len(kinds):
        raise missing[0]
    return list(paths)


def _issues(end: EndState, text: str) -> Iterator[str]:
    end.find("jira", "?")  # so that a world without the app says so though nothing is cited
    for key in list(dict.fromkeys(_ISSUE.findall(text)))[:_MOST]:
        yield from (thing.path for thing in end.find("jira", key)[:1])


def _pulls(end: EndState, text: str) -> Iterator[str]:
    end.find("github", "?")
    named = {(a or c, b or d or e) for a, b, c, d, e in _PULL.findall(text)}
    for repository, number in sorted(named)[:_MOST]:
        pattern = f"{repository}.pull/{number}" if repository else f"#{number}"
        yield from (thing.path for thing in end.find("github", pattern)[:1] if ".pull/" in thing.path)
