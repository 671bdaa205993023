"""Reads the data that generators come with (trades, kinds, teams, packs, code bases); a mistake has its file and line."""

from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from brownout.core.errors import AuthoringError, Mistake
from brownout.core.top_level_packages import room_folder
from worlds.spec.line_marks import line_in
from worlds.spec.yaml_loading import BrokenText, load_yaml

__all__ = ["data_path", "pack_folder", "read_data", "read_placed"]

T = TypeVar("T")


def data_path(*parts: str) -> Path:
    """Where something that generators come with is: `data_path("trades", "clinics")`."""
    return room_folder("generators").joinpath(*parts)


def pack_folder(sort: str, name: str) -> Path:
    """Where a trade or a kind is: `pack_folder("kinds", "migration")`; a name with a slash is somebody's own folder, `./trial`."""
    return Path(name) if "/" in name else data_path(sort, name)


def read_data(path: Path, kind: type[T], *, shown: str = "") -> T:
    """A YAML file as what it should be: `read_data(data_path("authoring", "teams.yaml"), Teams)`.

    Args:
        shown: the file as messages call it; its folder and name without it.

    Raises:
        AuthoringError: every mistake in it, with file and line.
    """
    return read_placed(path, kind, shown=shown)[0]


def read_placed(path: Path, kind: type[T], *, shown: str = "") -> tuple[T, object]:
    """The same with what the file says as it stands there, which knows the lines of its parts (`worlds.spec.line_marks`).

    Raises:
        AuthoringError: every mistake in it, with file and line.
    """
    shown = shown or f"{path.parent.name}/{path.name}"
    try:
        tree = load_yaml(path.read_bytes())
    except BrokenText as error:
        raise AuthoringError([Mistake(shown, error.line, str(error))]) from error
    try:
        return TypeAdapter(kind).validate_python(tree), tree
    except ValidationError as error:
        raise AuthoringError(
            [
                Mistake(shown, line_in(tree, one["loc"]), f"{'.'.join(map(str, one['loc']))}: {one['msg']}")
                for one in error.errors()
            ]
        ) from error
