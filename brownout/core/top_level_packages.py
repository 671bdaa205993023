"""Where the top-level packages (the rooms) stand: at the top of a checkout, and below `brownout` in what is built from one.

Five of them have everyday names (`tools`, `worlds`), which a user's own packages have too. So `hatch_build.py` puts them below
`brownout` when a wheel is built, and gives every import its longer name; there they are `brownout.tools`, `brownout.worlds`.
It reads this file alone, before anything is installed: nothing but the standard library is imported here.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

__all__ = ["ROOMS", "built_files", "room_folder"]

ROOMS: Final = ("generators", "graders", "studio", "tools", "worlds")
"""The rooms beside `brownout`."""

_HOME: Final = Path(__file__).parents[1]
_NAMES: Final = "|".join(ROOMS)
_IMPORTED: Final = re.compile(rf"\b(from\s+)((?:{_NAMES})(?:\.\w+)*\s+import\b)")
_ADDRESS: Final = re.compile(rf"([\"'])((?:{_NAMES})(?:\.\w+)+[:\"'])")
_SHORT: Final = re.compile(rf"^\s*import\s+(?:{_NAMES})\b.*$", re.MULTILINE)
_AUTHORS: Final = "worlds/catalog/"
"""Below it lies code of companies, which is no module of ours."""


def room_folder(name: str) -> Path:
    """The folder of a room: `room_folder("worlds")`."""
    if name == _HOME.name:
        return _HOME
    below = _HOME / name
    return below if below.is_dir() else _HOME.parent / name


def built_files(root: Path) -> dict[str, bytes]:
    """What a wheel holds of a checkout: paths from the wheel's top, `brownout/tools/slack/app.py`, and contents.

    Args:
        root: the checkout, or the folder in which a wheel was installed, whose files are built already.

    Raises:
        ValueError: a module imports a room in a way that cannot be renamed; the message names it.
    """
    home = root / "brownout"
    found = {f"brownout/{path}": data for path, data in _files(home)}
    for room in ROOMS:
        if not (home / room).is_dir():
            found |= {f"brownout/{room}/{path}": data for path, data in _files(root / room)}
    if not (home / "starter_app").is_dir():
        found |= {f"brownout/starter_app/{path}": data for path, data in _files(root / "examples" / "todo")}
    if (home / ROOMS[0]).is_dir():
        return found
    return {
        name: _renamed(name, data) if name.endswith(".py") and not name.startswith(f"brownout/{_AUTHORS}") else data
        for name, data in found.items()
    }


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(folder).as_posix(), path.read_bytes()


def _renamed(name: str, data: bytes) -> bytes:
    """A module with the rooms' longer names, in imports and in quoted addresses; its lines stay where they were."""
    text = data.decode("utf-8")
    if found := _SHORT.search(text):
        raise ValueError(f"{name}: write `from … import …` instead of {found[0].strip()!r}: in a wheel the room moves")
    return _ADDRESS.sub(r"\1brownout.\2", _IMPORTED.sub(r"\1brownout.\2", text)).encode()
