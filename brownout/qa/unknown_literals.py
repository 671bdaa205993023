"""Whether a reference solution knew what it used: every name and number in its calls was asked for or seen before."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import orjson

from brownout.core.trajectory import Event, ResultEvent, ToolCallEvent
from brownout.core.values import Json, JsonObject

__all__ = ["UnknownLiteral", "unknown_literals"]

_OWN_WORDS: Final = frozenset(
    """
    answer body comment commit_message commit_title content description message mitigation note query reason root_cause
    stdin subject summary terms text title
    """.split()  # noqa: SIM905 (a list of words reads better as words)
)
"""Arguments in which the agent speaks for itself."""
_LANGUAGE: Final = frozenset(["and", "order", "by", "desc", "created", "updated", "text", "type", "bug", "done"])
"""Words of query languages and of every issue tracker."""
_TOKEN: Final = re.compile(r"[A-Za-zÀ-ÿ0-9][\wÀ-ÿ.@/-]{2,}")
_DAY: Final = re.compile(r"\d{4}([-/])\d{2}\1\d{2}(?:T\d{2})?")
"""A day and an hour are counted more often than read: three months from now, in half an hour."""


@dataclass(frozen=True, slots=True)
class UnknownLiteral:
    """A word in a call that nothing had shown before."""

    call: str
    word: str


def unknown_literals(instructions: str, tools: Sequence[JsonObject], events: Iterable[Event]) -> list[UnknownLiteral]:
    """The words in a run's calls that were neither in the task, nor in its tools, nor in an earlier answer."""
    known = (instructions + orjson.dumps(tools).decode()).lower()
    unknown: list[UnknownLiteral] = []
    for event in events:
        if isinstance(event, ToolCallEvent):
            for word in _literals(event.arguments):
                name = _DAY.sub("", word).strip(".-/")
                parts = (
                    part for part in name.lower().split(".") if part
                )  # `bookings.database` is the database of bookings
                if not all(part in known for part in parts) and word.lower() not in _LANGUAGE:
                    unknown.append(UnknownLiteral(event.name, word))
        elif isinstance(event, ResultEvent):
            known += event.content.lower()
    return unknown


def _literals(value: Json, name: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _literals(part, key)
    elif isinstance(value, list):
        for part in value:
            yield from _literals(part, name)
    elif isinstance(value, str) and name not in _OWN_WORDS:
        yield from _TOKEN.findall(value)
