"""Where somebody was in the studio when they left it, so that Home leads back. Kept on disk: a reload forgets everything else."""

from collections.abc import Mapping
from pathlib import Path

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from studio.start_options import choices

__all__ = ["LastPlace", "last_place", "note_place"]

_MOST = 2_000
"""Characters of a link that is worth keeping."""


class LastPlace(BaseModel):
    """A page with its link.

    Attributes:
        page: its file's name: `preview`.
        query: what stands behind the question mark of its address.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    page: str
    query: dict[str, str]


def last_place() -> LastPlace | None:
    """The page somebody was at last, None where that is not known."""
    try:
        return LastPlace.model_validate_json(_file().read_bytes())
    except (OSError, ValidationError):
        return None


def note_place(page: str, query: Mapping[str, str]) -> None:
    """Remember a page; nothing is written where the studio may change nothing, or cannot."""
    place = LastPlace(page=page, query=dict(query))
    if choices().read_only or len(str(place.query)) > _MOST or place == last_place():
        return
    file = _file()
    part = file.with_suffix(".part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(orjson.dumps(place.model_dump()))
        part.replace(file)
    except OSError:
        return  # it only saves a click


def _file() -> Path:
    return choices().here / ".studio" / "last-place.json"
