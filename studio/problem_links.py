"""What is wrong with a world's text, each with the way to its line in Files."""

from collections.abc import Sequence
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from brownout.core.errors import Mistake
from studio.escaped_markdown import plain
from studio.pages import page_path

__all__ = ["counted_problems", "problem_link", "problem_rows", "problems_button"]

_SHOWN: Final = 30


def problem_rows(
    world: str, mistakes: Sequence[Mistake], *, key: str, severity: str = "error", most: int = _SHOWN
) -> None:
    """A row for each: what is wrong, and its file and line as the link to it.

    Args:
        world: the name of the world whose text it is.
        key: of the rows on their page.
        most: rows that are shown; the others are counted.
    """
    colour, icon = ("red", "error") if severity == "error" else ("orange", "lightbulb")
    for number, one in enumerate(mistakes[:most]):
        row = st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{key}_{number}")
        row.markdown(f":{colour}[:material/{icon}:] {plain(one.message)}", width="stretch")
        if one.file:
            problem_link(world, one, row)
    if len(mistakes) > most:
        st.caption(f"and {len(mistakes) - most} more")


def problem_link(world: str, one: Mistake, row: DeltaGenerator) -> None:
    """The file and line of what is wrong, as the link to it."""
    place = f"{one.file}:{one.line}" if one.line else one.file
    link = _link(world, one)
    row.page_link(page_path("files"), label=plain(place), icon=":material/edit_document:", query_params=link)


def problems_button(world: str, first: Mistake, count: int, *, key: str, is_saved: bool = True) -> None:
    """How many problems a world has, as the button that leads to the first one; Files lists them all below it.

    Args:
        is_saved: whether it has them on disk, or as somebody has typed it.
    """
    where = f"{first.file}:{first.line}" if first.line else first.file
    more = "" if count == 1 else "; the others are listed there"
    label = counted_problems(count) + ("" if is_saved else ", not saved")
    said = "" if is_saved else f" {first.message}"
    if st.button(label, icon=":material/error:", key=f"problems_{key}", help=plain(f"Go to {where}{more}.{said}")):
        st.session_state.pop("files_told", None)  # it leads there also from elsewhere in the same file
        st.switch_page(page_path("files"), query_params=_link(world, first))


def counted_problems(count: int) -> str:
    """`1 problem`, `2 problems`."""
    return f"{count} problem{'' if count == 1 else 's'}"


def _link(world: str, one: Mistake) -> dict[str, str]:
    return {"world": world, "file": one.file, "line": str(one.line or 1)}
