"""Labelled lines of a text: `Cause: #51`, `**Since:** 10:12`, `| Cause | #51 |`, `- Datenbank: eu-west-1`.

What is quoted, struck out or not shown says nothing. A label alone on its line has its value below it, unless the field has a
line of its own elsewhere (a summary above, a section with that heading below).
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from worlds.facts.visible_statements import said_in
from worlds.findings.names import plain_name

__all__ = ["label_names", "labelled"]

_BULLET: Final = re.compile(r"^\s*(?:[-*•+–—]|\d{1,3}[.)]|#{1,6}|h[1-6]\.)\s+")
_MARKS: Final = re.compile(r"\*\*|__|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)|(?<!\w)_(?=\S)|(?<=\S)_(?!\w)|`")
_LABEL: Final = re.compile(r"^\s*([^:=|]{1,60}?)\s*(?::|=|–|—| - )\s*(.*)$")
_CELLS: Final = re.compile(r"(?<!\\)\|")
_LONGEST: Final = 400


def label_names(name: str, labels: Sequence[str]) -> frozenset[str]:
    """What the line of a field may be called, plainly: its name with spaces, and its labels."""
    return frozenset(plain_name(each) for each in (name.replace("_", " "), *labels))


def labelled(text: str, labels: Mapping[str, frozenset[str]]) -> dict[str, list[str]]:
    """What a text says behind the labels of each field, in its order; a field without a line is left out.

    Args:
        labels: by field, what its line may be called (`label_names`).
    """
    known = {label: field for field, names in labels.items() for label in names}
    beside: dict[str, list[str]] = {}
    below: dict[str, list[str]] = {}
    lines: list[str] = []
    waiting = ""
    for line in [*_lines(text), ""]:
        field, value = _field(line, known)
        if waiting and line and not field:
            lines.append(line)
            continue
        if waiting and (field or lines):
            below.setdefault(waiting, []).append("; ".join(lines))
            waiting, lines = "", []
        if field and value:
            beside.setdefault(field, []).append(value[:_LONGEST])
        elif field:
            waiting = field
    return {field: beside.get(field) or below[field] for field in {**beside, **below}}


@lru_cache(maxsize=128)
def _lines(text: str) -> tuple[str, ...]:
    """The lines that the text says itself, without bullets and emphasis."""
    return tuple(_MARKS.sub("", _BULLET.sub("", line)).strip() for line in said_in(text).split("\n"))


def _field(line: str, known: Mapping[str, str]) -> tuple[str, str]:
    """The field whose line it is, empty where it is none's, and what stands behind the label."""
    if line.startswith("|") or line.count("|") > 1:
        cells = [cell.strip() for cell in _CELLS.split(line.strip().strip("|"))]
        field = known.get(plain_name(cells[0].rstrip(":")), "") if cells else ""
        return field, cells[1] if field and len(cells) > 1 else ""
    found = _LABEL.match(line)
    if found is not None and (field := known.get(plain_name(found[1]), "")):
        return field, found[2].strip()
    return known.get(plain_name(line.rstrip(":")), "") if line.endswith(":") or not found else "", ""
