"""Makes values of the events of libyaml's parser, and remembers the line of each.

libyaml reads what YAML 1.1 and 1.2 write alike; what a word means is said by `scalars`. Levels and what aliases stand for are
counted before anything is made of them.
"""

from collections.abc import Iterator
from typing import Final

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from worlds.spec.line_marks import PlacedList, PlacedMap
from worlds.spec.scalars import MERGE, Scalar, plain_scalar

__all__ = ["MisplacedNode", "composed"]

_DEEPEST: Final = 50
"""Levels of lists and mappings in each other."""
_MOST_REPEATED: Final = 2_000_000
"""Characters and values that all aliases of a file stand for."""
_CORE: Final = "tag:yaml.org,2002:"
_OPEN: Final = object()
"""What an anchor stands for while that is still being read."""


class MisplacedNode(ValueError):
    """Something cannot stand where it stands. `line` is 1-based."""

    def __init__(self, event: Event, problem: str) -> None:
        super().__init__(problem)
        self.line: int = event.start_mark.line + 1


def composed(text: str) -> object:
    """What the one document in a text says: `PlacedMap`, `PlacedList` and scalars; None where there is no document.

    Raises:
        Misplaced: it is well formed and means nothing.
        yaml.YAMLError: it is not well formed.
    """
    return _Composer(yaml.parse(text, Loader=yaml.CBaseLoader)).document()


class _Composer:
    def __init__(self, events: Iterator[Event]) -> None:
        self._events = events
        self._anchors: dict[str, object] = {}
        self._sizes: dict[str, int] = {}
        self._size = 0
        self._repeated = 0

    def document(self) -> object:
        next(self._events)
        first = next(self._events)
        if isinstance(first, StreamEndEvent):
            return None
        assert isinstance(first, DocumentStartEvent)
        if first.version and first.version != (1, 2):
            raise MisplacedNode(first, "expected YAML 1.2, found %YAML {}.{}".format(*first.version))
        found = self._value(next(self._events), 1)
        next(self._events)
        after = next(self._events)
        if not isinstance(after, StreamEndEvent):
            raise MisplacedNode(after, "expected a single document in the file, but found another document")
        return found

    def _value(self, event: Event, level: int) -> object:
        if isinstance(event, AliasEvent):
            return self._alias(event)
        if level > _DEEPEST:
            raise MisplacedNode(event, f"it is nested deeper than {_DEEPEST} levels")
        before = self._size
        self._size += 1
        if event.anchor is not None:
            self._anchors[event.anchor] = _OPEN
        found: object
        if isinstance(event, ScalarEvent):
            self._size += len(event.value)
            found = _scalar(event)
        elif isinstance(event, MappingStartEvent):
            found = self._mapping(event, level)
        else:
            assert isinstance(event, SequenceStartEvent)
            found = self._list(event, level)
        if event.anchor is not None:
            self._anchors[event.anchor] = found
            self._sizes[event.anchor] = self._size - before
        return found

    def _alias(self, event: AliasEvent) -> object:
        if event.anchor not in self._anchors:
            raise MisplacedNode(event, f"found undefined alias {event.anchor!r}")
        if self._anchors[event.anchor] is _OPEN:
            raise MisplacedNode(event, f"*{event.anchor} stands in what it repeats")
        size = self._sizes[event.anchor]
        self._size += size
        self._repeated += size
        if self._repeated > _MOST_REPEATED:
            raise MisplacedNode(
                event, f"the aliases up to *{event.anchor} stand for more than {_MOST_REPEATED:,} characters"
            )
        return self._anchors[event.anchor]

    def _list(self, start: SequenceStartEvent, level: int) -> PlacedList:
        _check_tag(start, "seq")
        found = PlacedList()
        for event in self._events:
            if isinstance(event, SequenceEndEvent):
                break
            found.append(self._value(event, level + 1))
            found.lines.append(event.start_mark.line + 1)
        return found

    def _mapping(self, start: MappingStartEvent, level: int) -> PlacedMap:
        _check_tag(start, "map")
        found = PlacedMap()
        merged: list[PlacedMap] | None = None
        for event in self._events:
            if isinstance(event, MappingEndEvent):
                break
            key = self._value(event, level + 1)
            value_event = next(self._events)
            value = self._value(value_event, level + 1)
            if key == MERGE and isinstance(event, ScalarEvent) and not event.style:
                if merged is not None:
                    raise MisplacedNode(event, f"found duplicate key {MERGE}")
                merged = _to_merge(value_event, value)
                continue
            if isinstance(key, PlacedMap | PlacedList):
                raise MisplacedNode(event, f"expected a name before the colon, found a list or a mapping{_quoted(key)}")
            if key in found:
                raise MisplacedNode(event, f"found duplicate key {str(key)!r}, which is in line {found.lines[key]} too")
            found[key] = value
            found.lines[key] = event.start_mark.line + 1
        for other in merged or ():
            for key in other:
                if key not in found:
                    found[key] = other[key]
                    found.lines[key] = other.lines[key]
        return found


def _quoted(key: PlacedMap | PlacedList) -> str:
    """What `{{lead}}` without quotes wants, which YAML reads as a mapping for a name."""
    if isinstance(key, PlacedMap) and len(key) == 1 and key[next(iter(key))] is None:
        return f'; a drawn slot at the beginning stands between quotes: "{{{{{next(iter(key))}}}}}"'
    return ""


def _to_merge(event: Event, value: object) -> list[PlacedMap]:
    """The mappings that a merge key takes over; of two that have a key the first one counts."""
    if isinstance(value, PlacedMap):
        return [value]
    found = [one for one in value if isinstance(one, PlacedMap)] if isinstance(value, PlacedList) else []
    if not isinstance(value, PlacedList) or len(found) != len(value):
        raise MisplacedNode(event, f"expected a mapping or a list of mappings after {MERGE}:, found something else")
    return found


def _scalar(event: ScalarEvent) -> Scalar:
    value: str = event.value
    if event.tag is not None:
        _check_tag(event, "str")
        return value if event.tag != "!" or event.style else _plain(event, value)
    return value if event.style else _plain(event, value)


def _plain(event: ScalarEvent, text: str) -> Scalar:
    try:
        return plain_scalar(text)
    except ValueError as error:
        raise MisplacedNode(event, str(error)) from error


def _check_tag(event: Event, kind: str) -> None:
    if event.tag not in (None, "!", _CORE + kind):
        shown = f"!!{event.tag.removeprefix(_CORE)}" if event.tag.startswith(_CORE) else event.tag
        raise MisplacedNode(event, f"expected no tag, found {shown}")
