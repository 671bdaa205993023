"""YAML and text as authors write them, and what is wrong with it with its line.

A file that is small can come to something huge (aliases of aliases) or to something nested deeper than any program reads:
both are mistakes here, found before anything is made of them.
"""

from io import StringIO
from typing import Final, Literal

from ruamel.yaml import YAML
from ruamel.yaml.composer import Composer, ComposerError
from ruamel.yaml.constructor import ConstructorError, RoundTripConstructor, SafeConstructor
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import AliasEvent, ScalarEvent
from ruamel.yaml.nodes import Node
from ruamel.yaml.reader import ReaderError

__all__ = ["BrokenText", "load_yaml", "utf8"]

_LONGEST: Final = 8 << 20
"""Bytes of a file."""
_DEEPEST: Final = 50
"""Levels of lists and mappings in each other."""
_MOST_REPEATED: Final = 2_000_000
"""Characters and values that all aliases of a file stand for."""


class BrokenText(ValueError):
    """A file cannot be read. `line` is 1-based, 0 where the file as a whole is meant."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def utf8(data: bytes) -> str:
    """The text of a file.

    Raises:
        BrokenText: it is not UTF-8, or longer than 8 MiB.
    """
    if len(data) > _LONGEST:
        raise BrokenText(0, f"expected at most {_LONGEST >> 20} MiB, found {len(data)} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BrokenText(line, f"expected UTF-8 text, found the byte 0x{data[error.start]:02x}") from error


def load_yaml(data: bytes, typ: Literal["rt", "safe"] = "safe") -> object:
    """What a YAML file says: plain values, or with `rt` ruamel's own, which know where they stand.

    Raises:
        BrokenText: it is no YAML that means something.
    """
    text = utf8(data)
    yaml = YAML(typ=typ, pure=True)
    yaml.preserve_quotes = typ == "rt"
    yaml.Composer = _Bounded
    yaml.Constructor = _PlacedRoundTrip if typ == "rt" else _PlacedSafe
    try:
        found: object = yaml.load(StringIO(text))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise BrokenText(mark.line + 1 if mark else 0, f"broken YAML: {error.problem or error.context}") from error
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise BrokenText(line, f"broken YAML: the character {error.character!r} is not allowed") from error
    except Exception as error:  # the parser is not ours, and whatever an author wrote is a mistake, never a crash
        raise BrokenText(0, f"broken YAML: {type(error).__name__}: {error}") from error
    return found


class _Bounded(Composer):
    """Counts levels and what aliases stand for, before nodes become values."""

    _levels = 0
    _size = 0
    _repeated = 0

    def compose_node(self, parent: object, index: object) -> Node:
        event = self.parser.peek_event()
        sizes: dict[str, int] = self.__dict__.setdefault("_sizes", {})
        if isinstance(event, AliasEvent):
            if event.anchor in self.anchors and event.anchor not in sizes:
                raise ComposerError(None, None, f"*{event.anchor} stands in what it repeats", event.start_mark)
            size = sizes.get(event.anchor, 0)
            self._size += size
            self._repeated += size
            if self._repeated > _MOST_REPEATED:
                problem = f"the aliases up to *{event.anchor} stand for more than {_MOST_REPEATED:,} characters"
                raise ComposerError(None, None, problem, event.start_mark)
            return super().compose_node(parent, index)  # type: ignore[no-any-return]
        self._levels += 1
        if self._levels > _DEEPEST:
            raise ComposerError(None, None, f"it is nested deeper than {_DEEPEST} levels", event.start_mark)
        before = self._size
        self._size += 1 + (len(event.value) if isinstance(event, ScalarEvent) else 0)
        node: Node = super().compose_node(parent, index)
        self._levels -= 1
        if event.anchor is not None:
            sizes[event.anchor] = self._size - before
        return node


class _PlacedRoundTrip(RoundTripConstructor):
    """Says where a value stands that looks like a number or a date and is none (`2026-99-99`)."""

    def construct_object(self, node: Node, deep: bool = False) -> object:
        try:
            found: object = super().construct_object(node, deep)
        except (ValueError, ArithmeticError) as error:
            raise ConstructorError(None, None, str(error), node.start_mark) from error
        return found


class _PlacedSafe(SafeConstructor):
    """As above, for plain values."""

    def construct_object(self, node: Node, deep: bool = False) -> object:
        try:
            found: object = super().construct_object(node, deep)
        except (ValueError, ArithmeticError) as error:
            raise ConstructorError(None, None, str(error), node.start_mark) from error
        return found
