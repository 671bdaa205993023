"""Text after its nouns are in it: paragraphs are filled again, imports sorted again."""

import re
import textwrap
from collections.abc import Iterator
from itertools import groupby
from typing import Final

__all__ = ["filled", "imports_sorted"]

_KEPT: Final = re.compile(r"#|\||    |\t|>|<|\[[^\]]+\]:|\d{4}-")
_LISTED: Final = re.compile(r"([-*]|\d+\.) +")
_IMPORT: Final = re.compile(r"from ([\w.]+) import ([\w, ]+)$")


def filled(text: str, width: int) -> str:
    """Markdown with paragraphs and list items of at most `width` columns; headings, tables and code stay as they are."""
    lines: list[str] = []
    for is_prose, group in groupby(_marked(text.splitlines()), key=lambda line: line[0]):
        block = [line for _, line in group]
        lines += _paragraphs(block, width) if is_prose else block
    return "\n".join(lines) + ("\n" if text.endswith("\n") else "")


def imports_sorted(source: str, package: str) -> str:
    """Python source whose runs of one-line imports from the package are in the order that linters want."""
    lines = source.splitlines(keepends=True)
    result: list[str] = []
    for own, group in groupby(lines, key=lambda line: _is_own(line, package)):
        run = list(group)
        result += sorted(map(_names_sorted, run), key=_module) if own else run
    return "".join(result)


def _marked(lines: list[str]) -> Iterator[tuple[bool, str]]:
    """Each line with whether it is of a paragraph or a list."""
    fenced = listed = False
    for line in lines:
        if line.startswith("```"):
            fenced = not fenced
            yield False, line
            continue
        if fenced or not line.strip():
            listed = False
            yield False, line
            continue
        follows = listed and line.startswith("  ")
        listed = follows or bool(_LISTED.match(line))
        yield listed or not _KEPT.match(line), line


def _paragraphs(block: list[str], width: int) -> Iterator[str]:
    """The lines of a paragraph, or of the items of a list."""
    parts: list[list[str]] = []
    for line in block:
        if not parts or _LISTED.match(line):
            parts.append([])
        parts[-1].append(line.strip())
    for part in parts:
        mark = _LISTED.match(part[0])
        later = " " * len(mark[0]) if mark else ""
        yield from textwrap.wrap(
            " ".join(part), width, subsequent_indent=later, break_long_words=False, break_on_hyphens=False
        )


def _is_own(line: str, package: str) -> bool:
    found = _IMPORT.match(line.rstrip("\n"))
    return found is not None and found[1].split(".")[0] == package


def _module(line: str) -> str:
    return line.split()[1]


def _names_sorted(line: str) -> str:
    found = _IMPORT.match(line.rstrip("\n"))
    assert found
    names = sorted(found[2].split(", "), key=lambda name: (not name.isupper(), name[:1].islower(), name))
    return f"from {found[1]} import {', '.join(names)}\n"
