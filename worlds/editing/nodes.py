"""Where everything stands in a YAML text: what libyaml's parser finds, with the characters from which to which it is written.

Aliases are nodes of their own here, so that an edit sees where it would reach two places.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

import yaml
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    ScalarEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from worlds.spec.scalars import MERGE, plain_scalar

__all__ = ["Kind", "Node", "Step", "Steps", "node_tree"]

Step: TypeAlias = str | int
Steps: TypeAlias = tuple[Step, ...]
"""A path into a text: keys of mappings and indexes of lists."""
Kind: TypeAlias = Literal["scalar", "mapping", "list", "alias"]

_BREAK: Final = re.compile(r"\r\n|\r|\n")
_FIRST_DASH: Final = re.compile(r"\n(?P<dash> *)(?=-\s)")
_BLANK_END: Final = re.compile(r"(?:[ \t]*(?:\r\n|\r|\n))+\Z")


@dataclass(slots=True)
class Node:
    """Something in a YAML text.

    Attributes:
        start: index of its first character, that of its tag or anchor if it has one.
        end: index behind its last one; of a block, behind its last part, whatever comments follow.
        line: 1-based line of its first character.
        column: 0-based column of its first character; of a block, that of its keys or dashes.
        style: of a scalar `''` (plain), `'`, `"`, `|`, `>`; of a mapping or list `flow` or `block`.
        text: of a scalar, as YAML reads it.
        is_tagged: whether a tag is written before it.
        is_anchored: whether an anchor is written before it.
        keys: of a mapping, in order.
        items: values of a mapping, or items of a list, in order.
    """

    kind: Kind
    start: int
    end: int
    line: int
    column: int
    style: str = ""
    text: str = ""
    is_tagged: bool = False
    is_anchored: bool = False
    keys: list["Node"] = field(default_factory=list)
    items: list["Node"] = field(default_factory=list)

    @property
    def is_block(self) -> bool:
        """Whether it is written over lines of its own: a block mapping, a block list, a `|` or `>` text."""
        return self.style in ("block", "|", ">")

    @property
    def merges(self) -> bool:
        """Whether a merge key takes another mapping over into this one."""
        return any(key.kind == "scalar" and key.text == MERGE and not key.style for key in self.keys)

    def key_value(self, index: int) -> object:
        """What the key at an index says, as the reader of worlds has it."""
        key = self.keys[index]
        return key.text if key.style or key.is_tagged else plain_scalar(key.text)

    def index_of(self, step: Step) -> int:
        """Where a key or an index stands among the parts, -1 where there is none."""
        if self.kind == "list":
            return step if isinstance(step, int) and 0 <= step < len(self.items) else -1
        known = [self.key_value(index) for index in range(len(self.keys))]
        for index, key in enumerate(known):
            if type(key) is type(step) and key == step:
                return index
        return next((index for index, key in enumerate(known) if str(key) == str(step)), -1)

    def walk(self) -> Iterator["Node"]:
        """It and everything in it."""
        yield self
        for part in (*self.keys, *self.items):
            yield from part.walk()


def node_tree(text: str) -> Node | None:
    """The one document of a text, None where there is none.

    Raises:
        yaml.YAMLError: it is not well formed.
    """
    events = iter(yaml.parse(text, Loader=yaml.CBaseLoader))
    next(events)
    first = next(events)
    if isinstance(first, StreamEndEvent):
        return None
    assert isinstance(first, DocumentStartEvent)
    root = _node(next(events), events, text)
    for _ in events:
        pass
    return root


def _node(event: Event, events: Iterator[Event], text: str) -> Node:
    mark = event.start_mark
    made = Node("scalar", mark.index, event.end_mark.index, mark.line + 1, mark.column)
    if isinstance(event, AliasEvent):
        made.kind = "alias"
        return made
    made.is_tagged, made.is_anchored = event.tag is not None, event.anchor is not None
    if isinstance(event, ScalarEvent):
        made.style, made.text = event.style or "", event.value
        if made.style in ("|", ">"):
            made.end = _block_text_end(text, made)
        return made
    made.kind = "mapping" if isinstance(event, MappingStartEvent) else "list"
    made.style = "flow" if event.flow_style else "block"
    for part in events:
        if isinstance(part, CollectionEndEvent):
            made.end = part.end_mark.index
            break
        if isinstance(event, SequenceStartEvent):
            made.items.append(_node(part, events, text))
        else:
            made.keys.append(_node(part, events, text))
            made.items.append(_node(next(events), events, text))
    if made.style == "block" and made.items:
        if made.is_tagged or made.is_anchored:
            made.column = _entry_column(text, made)
        made.end = max(part.end for part in (made.items[-1], *made.keys[-1:]))
    return made


def _entry_column(text: str, node: Node) -> int:
    """The column of a block's entries where a tag or an anchor stands before them."""
    if node.keys:
        return node.keys[0].column
    found = _FIRST_DASH.search(text, node.start)
    return found.end() - found.start("dash") if found else node.column


def _block_text_end(text: str, node: Node) -> int:
    """Where a `|` or `>` text ends: before the line break behind it, with the empty lines that belong to its value."""
    written = text[node.start : node.end]
    header = _BREAK.split(written, maxsplit=1)[0].partition("#")[0]
    if "+" not in header:
        found = _BLANK_END.search(written)
        return node.start + found.start() if found else node.end
    ends = [found.span() for found in _BREAK.finditer(written)]
    last = ends[-1] if ends and ends[-1][1] == len(written) else (len(written), 0)
    return node.start + last[0]
