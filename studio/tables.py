"""Tables to be read: their texts wrap, in a narrow window each row is a card; rows can be chosen, ticked and sorted where a page asks for it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal, TypeAlias

from studio.panes import table_pane

__all__ = ["Cell", "Column", "TableBadge", "TableBar", "TableHint", "TableWish", "table", "ticked_table"]

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


@dataclass(frozen=True, slots=True)
class TableBar:
    """A number with a bar as long as its share.

    Attributes:
        share: 0 to 1.
    """

    label: str
    share: float


@dataclass(frozen=True, slots=True)
class TableHint:
    """A text, and what is told of it where somebody points at it."""

    label: str
    hint: str


Cell: TypeAlias = str | int | float | TableBadge | TableBar | TableHint | None


@dataclass(frozen=True, slots=True)
class TableWish:
    """What somebody has just asked of a table that is ticked and sorted; each is empty but one.

    Attributes:
        chosen: the row that was clicked, by its name.
        ticked: the row whose tick was set or taken away, by its name.
        sorts_by: the heading of the column by which the rows are to stand, with `-` before it for the largest first.
        acted_on: the row whose button was pressed, by its name.
    """

    chosen: str = ""
    ticked: str = ""
    sorts_by: str = ""
    acted_on: str = ""


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
    data = _told(columns, rows, alt) | {"chooses": chooses, "chosen": chosen, "height": height}
    told = table_pane(key=key, data=data, on_chosen_change=lambda: None).get("chosen")
    return told if isinstance(told, int) and 0 <= told < len(rows) else None


def ticked_table(
    columns: Sequence[Column],
    rows: Mapping[str, Sequence[Cell]],
    *,
    key: str,
    alt: str,
    ticked: Collection[str],
    sorted_by: str,
    act: str = "",
) -> TableWish:
    """Show a table whose rows can be chosen, ticked and sorted; what somebody has just asked of it.

    Args:
        rows: by names that stay theirs, in the order in which they are shown.
        alt: what a screen reader calls it.
        ticked: the names of the rows that are ticked.
        sorted_by: the heading of the column by which they stand, with `-` before it for the largest first.
        act: what the button at the end of each row is called; there is none where it is empty.
    """
    data = _told(columns, [*rows.values()], alt) | {
        "chooses": True, "chosen": None, "height": 0, "names": [*rows], "ticked": [name for name in rows if name in ticked],
        "sorted": sorted_by, "act": act,
    }  # fmt: skip
    told = table_pane(
        key=key, data=data,
        on_chosen_change=lambda: None, on_ticked_change=lambda: None, on_sorted_change=lambda: None,
        on_acted_change=lambda: None,
    )  # fmt: skip
    return TableWish(*(str(told.get(name) or "") for name in ("chosen", "ticked", "sorted", "acted")))


def _told(columns: Sequence[Column], rows: Sequence[Sequence[Cell]], alt: str) -> dict[str, object]:
    """What the pane is told of a table's texts."""
    leading = next((number for number, one in enumerate(columns) if one.tone == "strong"), 0)
    return {
        "columns": [{**asdict(one), "leads": number == leading} for number, one in enumerate(columns)],
        "rows": [
            [asdict(cell) if isinstance(cell, TableBadge | TableBar | TableHint) else cell for cell in row]
            for row in rows
        ],
        "alt": alt,
    }
