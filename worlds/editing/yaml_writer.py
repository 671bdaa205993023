"""Writes a value as YAML in the style of the file around it: on one line or on several, indented and quoted as its siblings."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isinf, isnan
from typing import Final, TypeAlias, TypeGuard

from worlds.editing.file_style import WIDTH, Habits
from worlds.editing.nodes import Steps
from worlds.editing.quotation_marks import reads, stands_plain

__all__ = ["Value", "Writer"]

Word: TypeAlias = str | int | float | bool | None
Value: TypeAlias = "Word | Mapping[str, Value] | Sequence[Value]"
"""What an author's file can say."""

_ESCAPED: Final = re.compile(r'[\\"\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]')
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0"}


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes values for one file.

    Attributes:
        newline: what ends a line there.
    """

    habits: Habits
    newline: str = "\n"

    def key(self, key: Word, *, flow: bool, was: str = "") -> str:
        """A key, with quotation marks where it needs them or had them by choice (`was`, see `by_choice`)."""
        if not isinstance(key, str):
            return self.scalar(key, (), flow=flow)
        return self._text(key, flow=flow, is_key=True, quote=was)

    def entry(self, key: str, value: Value, path: Steps, column: int) -> str:
        """`key: value` for a block mapping at a column; the first line without its indentation, all others with it."""
        written = self.key(key, flow=False)
        head, body = self.behind(value, path, column, column + len(written) + 1)
        return f"{written}:{head}{body}"

    def item(self, value: Value, path: Steps, column: int) -> str:
        """`- value` for a block list whose dashes stand at a column."""
        head, body = self.behind(value, path, column, column + 1)
        if body and not head:
            inner = column + 2
            return f"- {self._lines(value, path, inner)}"
        return f"-{head}{body}"

    def flow(self, value: Value, path: Steps, *, was: str = "") -> str:
        """A value on one line, as it stands inside brackets and braces."""
        if isinstance(value, Mapping):
            pairs = (f"{self.key(key, flow=True)}: {self.flow(one, (*path, key))}" for key, one in value.items())
            return f"{{{', '.join(pairs)}}}"
        if _is_list(value):
            return f"[{', '.join(self.flow(one, (*path, index)) for index, one in enumerate(value))}]"
        return self.scalar(value, path, flow=True, was=was)

    def behind(self, value: Value, path: Steps, column: int, used: int, *, was: str = "") -> tuple[str, str]:
        """What follows a colon or a dash: the rest of that line, then the lines below it with the break before them.

        Args:
            column: of the key or the dash.
            used: columns of the line that are taken already.
            was: the style of what stood there (`Node.style`).
        """
        if isinstance(value, Mapping) or _is_list(value):
            if not value:
                return (" {}" if isinstance(value, Mapping) else " []"), ""
            written = self.flow(value, path)
            if self._stays_on_one_line(value, path, was) and used + 1 + len(written) <= WIDTH:
                return f" {written}", ""
            step = self.habits.step if isinstance(value, Mapping) else self.habits.list_step
            inner = column + step
            return "", f"{self.newline}{' ' * inner}{self._lines(value, path, inner)}"
        if isinstance(value, str) and self._wants_lines(value, path, was):
            header, lines = _literal(value, self.habits.step)
            if reads("\n".join([f"k: {header}", *lines, ""]), {"k": value}):
                lines = [" " * column + line if line else "" for line in lines]
                return f" {header}", self.newline + self.newline.join(lines)
        return f" {self.scalar(value, path, flow=False, was=was)}", ""

    def scalar(self, value: Value, path: Steps, *, flow: bool, was: str = "") -> str:
        """A word, a number or a text on one line.

        Args:
            was: the style of what stood there.
        """
        if isinstance(value, bool):
            return "true" if value else "false"
        if value is None:
            return "null"
        if isinstance(value, int):
            return str(value)
        if isinstance(value, float):
            return ".nan" if isnan(value) else f"{'-' if value < 0 else ''}.inf" if isinf(value) else repr(value)
        if not isinstance(value, str):
            raise TypeError(f"expected what YAML can say, found {type(value).__name__}")
        quote = was if was in ("'", '"') else self.habits.quotes(path, many_lines=False)
        return self._text(value, flow=flow, quote=quote)

    def _text(self, value: str, *, flow: bool, is_key: bool = False, quote: str = "") -> str:
        if quote not in ("'", '"'):
            if stands_plain(value, flow=flow, is_key=is_key):
                return value
            quote = self.habits.mark
        if quote == "'" and not _ESCAPED.search(value.replace('"', "").replace("\\", "")):
            return "'" + value.replace("'", "''") + "'"
        return '"' + _ESCAPED.sub(_escape, value) + '"'

    def _lines(self, value: Value, path: Steps, column: int) -> str:
        """A mapping or a list over several lines, at a column; the first line without its indentation."""
        if isinstance(value, Mapping):
            parts = [self.entry(key, one, (*path, key), column) for key, one in value.items()]
        else:
            assert _is_list(value)
            parts = [self.item(one, (*path, index), column) for index, one in enumerate(value)]
        return f"{self.newline}{' ' * column}".join(parts)

    def _stays_on_one_line(self, value: Value, path: Steps, was: str) -> bool:
        """Whether mappings and lists in this place stand on one line; where there are none, those of plain words do."""
        is_mapping = isinstance(value, Mapping)
        layout = self.habits.layout(path, "mapping" if is_mapping else "list")
        if layout is not None:
            return layout == "flow"
        return was == "flow" or (len(path) > 1 and _depth(value) <= 2)

    def _wants_lines(self, value: str, path: Steps, was: str) -> bool:
        if was == "|":
            return bool(value.strip("\n"))
        if "\n" not in value.strip("\n"):
            return was == ">" and value.endswith("\n")
        return (was if was in ("'", '"') else self.habits.quotes(path, many_lines=True)) not in ("'", '"')


def _is_list(value: Value) -> TypeGuard[Sequence[Value]]:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _depth(value: Value) -> int:
    """Levels of mappings and lists in each other."""
    if isinstance(value, Mapping):
        return 1 + max(map(_depth, value.values()), default=0)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return 1 + max(map(_depth, value), default=0)
    return 0


def _literal(value: str, step: int) -> tuple[str, list[str]]:
    """The header and the lines of a `|` text below a key in the first column."""
    bare = value.rstrip("\n")
    ends = len(value) - len(bare)
    chomp = "-" if ends == 0 else "" if ends == 1 else "+"
    first = next((line for line in bare.split("\n") if line), "")
    indent = str(step) if first.startswith(" ") else ""
    lines = [" " * step + line if line else "" for line in bare.split("\n")]
    return f"|{indent}{chomp}", [*lines, *[""] * max(ends - 1, 0)]


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return _ESCAPES.get(found[0]) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")
