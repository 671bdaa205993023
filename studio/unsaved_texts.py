"""Texts that were typed and not saved: which there are, as the browser tells, and having them saved before something is built of them."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import streamlit as st

from brownout.core.errors import Mistake
from studio.known_worlds import KnownWorld
from studio.start_options import choices

__all__ = [
    "RefusedField", "Unsaved", "ask_to_save", "ask_to_show", "hear_of_unsaved", "save_asked", "saved_texts", "show_asked", "unsaved_of",
]  # fmt: skip

_UNSAVED: Final = "unsaved_texts"
_ASKED: Final = "save_asked"
_SAVED: Final = "save_answered"
_SHOW: Final = "show_asked"


@dataclass(frozen=True, slots=True)
class RefusedField:
    """A field of a form whose text would make a mistake.

    Attributes:
        said: `ida.manager in people.yaml`.
        page: the page that has its form.
        item: the entry whose form it is, as links name it.
    """

    said: str
    page: str
    item: str


@dataclass(frozen=True, slots=True)
class Unsaved:
    """What is typed and in no file of a world yet.

    Attributes:
        files: whose text in the editor is not saved.
        fields: of forms, whose text was refused.
        problems: mistakes in the world as it is typed; None where nobody knows yet.
        first: one of them to begin with.
    """

    files: tuple[str, ...] = ()
    fields: tuple[RefusedField, ...] = ()
    problems: int | None = None
    first: Mistake | None = None

    @property
    def said(self) -> str:
        """What it is in a few words: `people.yaml not saved`, `2 files not saved`; empty where there is nothing."""
        if len(self.files) > 1:
            return f"{len(self.files)} files not saved"
        if self.files:
            return f"{self.files[0].rpartition('/')[2]} not saved"
        return ""


def hear_of_unsaved(told: Mapping[str, object]) -> None:
    """Keep what the pane that every page has told: what is unsaved, and how saving went."""
    unsaved = told.get("unsaved")
    st.session_state[_UNSAVED] = unsaved if isinstance(unsaved, dict) else {}
    saved, asked = told.get("saved"), st.session_state.get(_ASKED)
    if isinstance(saved, dict) and asked and saved.get("rev") == asked["rev"]:
        st.session_state[_SAVED] = {"world": asked["world"], "refused": saved.get("refused")}
        del st.session_state[_ASKED]


def unsaved_of(world: KnownWorld) -> Unsaved:
    """What is typed and not saved in a world; files that are gone are left out."""
    told = st.session_state.get(_UNSAVED, {})
    if told.get("world") != world.name or not world.can_change:
        return Unsaved()
    files = tuple(str(one) for one in told.get("files", ()) if (world.folder / str(one)).is_file())
    found = told.get("problems")
    fields = tuple(
        RefusedField(*(str(one[part]) for part in ("said", "page", "item"))) for one in told.get("fields", ())
    )
    if not files or not isinstance(found, dict):
        return Unsaved(files, fields)
    first = found.get("first")
    if not isinstance(first, dict):
        return Unsaved(files, fields, 0)
    line = first.get("line")
    mistake = Mistake(str(first.get("file")), line if isinstance(line, int) else 0, str(first.get("message")))
    return Unsaved(files, fields, int(found.get("count") or 1), mistake)


def ask_to_save(world: KnownWorld, files: tuple[str, ...]) -> None:
    """Have the browser save what is typed in some files; `saved_texts` tells when it has."""
    st.session_state.pop(_SAVED, None)
    if not choices().read_only:
        st.session_state[_ASKED] = {"rev": secrets.token_hex(4), "world": world.name, "files": [*files]}


def save_asked() -> dict[str, object] | None:
    """What the browser is asked to save, for the pane that does it."""
    found: dict[str, object] | None = st.session_state.get(_ASKED)
    return found


def ask_to_show() -> None:
    """Have the form that is on the page show its first field whose text was refused."""
    st.session_state[_SHOW] = secrets.token_hex(4)


def show_asked() -> str:
    """Which asking to show a refused field is the last one, for the pane that does it; empty where there was none."""
    return str(st.session_state.get(_SHOW, ""))


def saved_texts(world: KnownWorld) -> list[Mistake] | None:
    """What could not be saved, each with the reason, once after it was asked for; None where nothing was asked, or it is not done yet."""
    told = st.session_state.get(_SAVED)
    if told is None or told["world"] != world.name:
        return None
    del st.session_state[_SAVED]
    return [Mistake(str(one.get("file")), 0, f"Not saved: {one.get('why')}") for one in told["refused"] or ()]
