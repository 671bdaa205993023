"""Tables to be read: their texts wrap, and a row can be chosen where a page asks for it. What people sort and search is a data frame."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal, TypeAlias

from studio.panes import table_pane

__all__ = ["Cell", "Column", "TableBadge", "table"]

Tone: TypeAlias = Literal["", "strong", "soft", "code", "number", "short"]
"""How a column's texts look: `short` ones, such as moments, keep to one line."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        label: its heading.
        width: of the whole, in CSS: `40%`; without one the texts decide.
    """

    label: str
    tone: Tone = ""
    width: str = ""


@dataclass(frozen=True, slots=True)
class TableBadge:
    """A word on a coloured ground.

    Attributes:
        tone: blue, green, orange, red, violet; grey where it is empty.
    """

    label: str
    tone: str = ""


Cell: TypeAlias = str | int | float | TableBadge | None


def table(
    columns: Sequence[Column],
    rows: Sequence[Sequence[Cell]],
    *,
    key: str,
    alt: str,
    chooses: bool = False,
    chosen: int | None = None,
    height: int = 0,
) -> int | None:
    """Show a table; the number of the row that was just chosen, None where none was.

    Args:
        alt: what a screen reader calls it.
        chooses: rows can be chosen.
        chosen: the row that is marked as the chosen one.
        height: pixels that it is high at most; it scrolls beyond them. 0: it is as high as it is.
    """
    leading = next((number for number, one in enumerate(columns) if one.tone == "strong"), 0)
    data = {
        "columns": [{**asdict(one), "leads": number == leading} for number, one in enumerate(columns)],
        "rows": [[asdict(cell) if isinstance(cell, TableBadge) else cell for cell in row] for row in rows],
        "alt": alt, "chooses": chooses, "chosen": chosen, "height": height,
    }  # fmt: skip
    told = table_pane(key=key, data=data, on_chosen_change=lambda: None).get("chosen")
    return told if isinstance(told, int) and 0 <= told < len(rows) else None
