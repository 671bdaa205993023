"""What was changed in a world's folder, change by change, so that each can be taken back and made again; kept on disk."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

import orjson

from brownout.core.errors import EditRefused
from studio.start_options import choices

__all__ = ["EditHistory", "EditStep", "hash_of", "history_of", "studio_folder"]

_MOST: Final = 200
_POSITION: Final = "position"


def studio_folder() -> Path:
    """Where the studio keeps what is no part of a world: histories, what was deleted."""
    return choices().here / ".studio"


def hash_of(text: str) -> str:
    """What tells one text of a file from another: its SHA-256."""
    return sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class EditStep:
    """One change that was made.

    Attributes:
        label: what it did, in a few words: `Move rds-brownout`.
        files: by path, the text before and after; None is no such file.
    """

    label: str
    files: Mapping[str, tuple[str | None, str | None]]


class EditHistory:
    """The changes of one world, oldest first, and how many of them are made now; the rest were taken back.

    Whoever uses it holds the world's lock.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def undoable(self) -> str:
        """What would be taken back; empty where there is nothing."""
        step = self._step(self._position)
        return step.label if step else ""

    @property
    def redoable(self) -> str:
        """What would be made again; empty where there is nothing."""
        step = self._step(self._position + 1)
        return step.label if step else ""

    def add(self, step: EditStep) -> None:
        """Write down a change; those that were taken back before it are forgotten."""
        self._folder.mkdir(parents=True, exist_ok=True)
        number = self._position + 1
        for path in self._paths():
            if int(path.stem) >= number or int(path.stem) <= number - _MOST:
                path.unlink()
        document = {"label": step.label, "files": {file: [*texts] for file, texts in step.files.items()}}
        _write(self._folder / f"{number:06}.json", orjson.dumps(document))
        self._go(number)

    def undo(self, root: Path) -> EditStep:
        """The last change, whose `before` is to be written; the world's files must be as it left them.

        Raises:
            EditRefused: there is none, or a file was changed by somebody else since.
        """
        step = self._step(self._position)
        if step is None:
            raise EditRefused("there is nothing to undo")
        _expect(root, {file: after for file, (_, after) in step.files.items()})
        return step

    def redo(self, root: Path) -> EditStep:
        """The change that was taken back last, whose `after` is to be written.

        Raises:
            EditRefused: there is none, or a file was changed by somebody else since.
        """
        step = self._step(self._position + 1)
        if step is None:
            raise EditRefused("there is nothing to redo")
        _expect(root, {file: before for file, (before, _) in step.files.items()})
        return step

    def move(self, by: int) -> None:
        """Note that a change was taken back (-1) or made again (1)."""
        self._go(self._position + by)

    # -- on disk --------------------------------------------------------------------------------------------

    @property
    def _position(self) -> int:
        try:
            return int((self._folder / _POSITION).read_text())
        except (OSError, ValueError):
            return 0

    def _go(self, number: int) -> None:
        _write(self._folder / _POSITION, str(number).encode())

    def _paths(self) -> Sequence[Path]:
        return sorted(self._folder.glob("[0-9]*.json"))

    def _step(self, number: int) -> EditStep | None:
        try:
            document = orjson.loads((self._folder / f"{number:06}.json").read_bytes())
        except (OSError, ValueError):
            return None
        return EditStep(document["label"], {file: (texts[0], texts[1]) for file, texts in document["files"].items()})


def history_of(root: Path) -> EditHistory:
    """The history of the world in a folder."""
    return EditHistory(studio_folder() / "history" / root.name)


def _expect(root: Path, texts: Mapping[str, str | None]) -> None:
    for file, text in texts.items():
        path = root / file
        now = path.read_bytes() if path.is_file() else None
        if now != (None if text is None else text.encode()):
            raise EditRefused(f"{file} was changed by somebody else since; nothing was written")


def _write(path: Path, data: bytes) -> None:
    temporary = path.with_name(f".{path.name}.new")
    temporary.write_bytes(data)
    os.replace(temporary, path)  # noqa: PTH105
