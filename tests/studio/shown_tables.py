"""The tables of a page, as its pane is told of them."""

from typing import TypeAlias

import orjson
from streamlit.testing.v1 import AppTest

__all__ = ["shown_tables"]

Rows: TypeAlias = list[dict[str, object]]


def shown_tables(app: AppTest) -> dict[str, Rows]:
    """What each table says, by what a screen reader calls it: a row is its cells by their columns' headings."""
    found: dict[str, Rows] = {}
    for element in app.get("bidi_component"):
        if element.proto.component_name != "brownout_table":
            continue
        told = orjson.loads(element.proto.json)
        labels = [column["label"] for column in told["columns"]]
        found[told["alt"]] = [dict(zip(labels, (_text(cell) for cell in row), strict=True)) for row in told["rows"]]
    return found


def _text(cell: object) -> object:
    return cell["label"] if isinstance(cell, dict) else cell
