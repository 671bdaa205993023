"""YAML and text as authors write them, and what is wrong with it with its line.

A file that is small can come to something huge (aliases of aliases) or to something nested deeper than any program reads:
both are mistakes here, found before anything is made of them.
"""

import re
from typing import Final

from yaml import MarkedYAMLError, YAMLError
from yaml.reader import ReaderError

from worlds.spec.composed_yaml import MisplacedNode, composed

__all__ = ["BrokenText", "load_yaml", "utf8"]

_LONGEST: Final = 8 << 20
"""Bytes of a file."""
_COLON: Final = re.compile(r":(\s|$)")


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


def load_yaml(data: bytes) -> object:
    """What a YAML file says: scalars, and mappings and lists that know where their parts stand (`worlds.spec.line_marks`).

    Raises:
        BrokenText: it is no YAML that means something.
    """
    text = utf8(data).removeprefix("\ufeff")
    try:
        return composed(text)
    except MisplacedNode as error:
        raise BrokenText(error.line, f"broken YAML: {error}") from error
    except MarkedYAMLError as error:
        if opened := _left_open(text, error):
            line, sign = opened
            raise BrokenText(line, f"broken YAML: the `{sign}` of line {line} is not closed") from error
        line = _fault_line(text, error)
        hint = _quotes(text, line - 1) if line else ""
        raise BrokenText(line, f"broken YAML: {error.problem or error.context}{hint}") from error
    except ReaderError as error:
        line = text.encode().count(b"\n", 0, error.position) + 1
        raise BrokenText(line, f"broken YAML: the character {_character(error)!r} is not allowed") from error
    except YAMLError as error:
        raise BrokenText(0, f"broken YAML: {error}") from error


def _left_open(text: str, error: MarkedYAMLError) -> tuple[int, str] | None:
    """The line, 1-based, of a bracket that is not closed where the next entry begins, and the bracket; None where that is not it.

    The parser notices it in the next entry, which is as it should be: one that stands as far left as the line of the bracket.
    """
    problem, context = error.problem_mark, error.context_mark
    if problem is None or context is None or "flow" not in str(error.context) or problem.line <= context.line:
        return None
    lines = [*text.splitlines(), ""]
    row, beyond = lines[context.line], lines[min(problem.line, len(lines) - 1)]
    if _indent(beyond) > _indent(row) or row[context.column : context.column + 1] not in ("{", "["):
        return None
    return int(context.line) + 1, row[context.column]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _fault_line(text: str, error: MarkedYAMLError) -> int:
    """The line, 1-based, that an author has to mend; 0 where the parser names none.

    The parser notices a key without its colon one line later: where it looks for the colon, or where the next line's
    colon comes too soon after words that it took for the beginning of that key.
    """
    problem, context = error.problem_mark, error.context_mark
    if problem is None or (context is not None and "expected ':'" in str(error.problem)):
        problem = context
    if problem is None:
        return 0
    lines = text.splitlines()
    if "mapping values are not allowed" in str(error.problem):
        above = [number for number in range(problem.line) if _said(lines[number])]
        if above and not _COLON.search(_said(lines[above[-1]])):
            return above[-1] + 1
    return int(problem.line) + 1


def _said(line: str) -> str:
    """A line without its comment and the blanks around it."""
    return "" if line.lstrip().startswith("#") else line.partition(" #")[0].strip()


def _quotes(text: str, line: int) -> str:
    """What a text with `{{` wants that is broken without quotes."""
    is_there = any("{{" in each for each in text.splitlines()[max(0, line - 1) : line + 1])
    return '; a text with a drawn slot stands between quotes here: "{{lead}} hours"' if is_there else ""


def _character(error: ReaderError) -> str:
    return chr(error.character) if isinstance(error.character, int) else str(error.character)
