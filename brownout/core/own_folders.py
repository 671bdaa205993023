"""Folders that this user alone may fill, for what is taken from them is run and believed; and places for new ones."""

import os
import stat
from pathlib import Path

from brownout.core.errors import UsageError

__all__ = ["expect_room", "own_folder"]


def own_folder(folder: Path, *, mode: int) -> str:
    """Make the folder if need be; why it cannot be trusted, empty where it can.

    Args:
        mode: the permissions that it is made with.
    """
    try:
        folder.mkdir(mode=mode, parents=True, exist_ok=True)
        found = folder.lstat()
    except OSError as error:
        return f"{folder} cannot be made ({error.strerror})"
    if not stat.S_ISDIR(found.st_mode):
        return f"expected {folder} to be a folder, found something else"
    if found.st_uid != os.geteuid():
        return f"expected {folder} to belong to user {os.geteuid()}, found user {found.st_uid}"
    if found.st_mode & 0o022:
        return (
            f"expected {folder} to be a folder that only this user can write to, found mode {found.st_mode & 0o7777:o}"
        )
    return ""


def expect_room(folder: Path) -> None:
    """Refuse a place where something is, or that is none.

    Raises:
        UsageError: it is a folder with something in it, or it or one above it is a file.
    """
    taken = next((place for place in (folder, *folder.parents) if place.exists()), None)
    if taken is not None and not taken.is_dir():
        raise UsageError(f"expected a folder or nothing at {taken}, found a file")
    if taken == folder and any(folder.iterdir()):
        raise UsageError(f"expected an empty folder or none at {folder}, found other files")
