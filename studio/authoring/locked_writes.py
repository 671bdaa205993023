"""Writes into a world's folder: under its lock, only over what the writer had read, and so that it can be taken back."""

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from brownout.core.errors import EditRefused
from studio.authoring.edit_history import EditHistory, EditStep, hash_of, history_of, studio_folder
from studio.known_worlds import KnownWorld
from studio.start_options import choices

__all__ = [
    "FileChanged",
    "WrittenText",
    "change",
    "check_may_change",
    "file_base",
    "place_of",
    "read_text_file",
    "redo",
    "undo",
]

_LONGEST: Final = 2 << 20


class FileChanged(Exception):
    """A file says something else than what the writer had read.

    Attributes:
        text: what it says now.
    """

    def __init__(self, file: str, text: str) -> None:
        super().__init__(f"{file} has changed on disk")
        self.file = file
        self.text = text


@dataclass(frozen=True, slots=True)
class WrittenText:
    """A file as it is on disk."""

    file: str
    text: str
    hash: str


def place_of(world: KnownWorld, file: str) -> Path:
    """Where a file of a world lies.

    Raises:
        EditRefused: that is outside the world's folder, hidden, or no file.
    """
    parts = PurePosixPath(file).parts
    if not parts or "\0" in file or PurePosixPath(file).is_absolute() or any(part.startswith(".") for part in parts):
        raise EditRefused(f"expected the path of a file of this world, found {file[:80]!r}")
    root = world.folder.resolve()
    path = (root / file).resolve()
    if not path.is_relative_to(root) or path == root or path.is_dir():
        raise EditRefused(f"expected the path of a file of this world, found {file[:80]!r}")
    return path


def read_text_file(world: KnownWorld, file: str) -> WrittenText:
    """A file's text.

    Raises:
        EditRefused: there is none, or it is no text.
    """
    text = _read(place_of(world, file))
    if text is None:
        raise EditRefused(f"{file} not found")
    return WrittenText(file, text, hash_of(text))


def change(
    world: KnownWorld, label: str, texts: Mapping[str, str | None], bases: Mapping[str, str | None]
) -> list[WrittenText]:
    """Write several files, or none.

    Args:
        label: what the change does, for the history.
        texts: what each is to say, by path; None removes it.
        bases: by path, the hash of what the writer had read; None where there was no such file.

    Raises:
        Changed: a file says something else by now.
        EditRefused: the world must not be changed, or a path leads out of it.
    """
    check_may_change(world)
    places = {file: place_of(world, file) for file in texts}
    with _locked(world):
        before = {file: _read(path) for file, path in places.items()}
        for file, text in before.items():
            base = bases.get(file)
            if (None if text is None else hash_of(text)) != base:
                raise FileChanged(file, text or "")
        _put(places, texts)
        made = {file: (before[file], text) for file, text in texts.items() if before[file] != text}
        if made:
            history_of(world.folder).add(EditStep(label, made))
    return [WrittenText(file, text, hash_of(text)) for file, text in texts.items() if text is not None]


def undo(world: KnownWorld) -> EditStep:
    """Take the last change back.

    Raises:
        EditRefused: there is none, or somebody else has changed one of its files since.
    """
    return _walk(world, -1)


def redo(world: KnownWorld) -> EditStep:
    """Make the change again that was taken back last.

    Raises:
        EditRefused: there is none, or somebody else has changed one of its files since.
    """
    return _walk(world, 1)


def _walk(world: KnownWorld, by: int) -> EditStep:
    check_may_change(world)
    with _locked(world):
        history: EditHistory = history_of(world.folder)
        step = history.undo(world.folder) if by < 0 else history.redo(world.folder)
        texts = {file: before if by < 0 else after for file, (before, after) in step.files.items()}
        _put({file: place_of(world, file) for file in texts}, texts)
        history.move(by)
    return step


def file_base(world: KnownWorld, file: str) -> str | None:
    """The hash of what a file says, None where there is no such file."""
    text = _read(place_of(world, file))
    return None if text is None else hash_of(text)


def check_may_change(world: KnownWorld) -> None:
    """Let through who may write into a world's folder.

    Raises:
        EditRefused: it is shipped, outside of the folder of worlds, or the studio is read-only.
    """
    if world.is_shipped:
        raise EditRefused(f"{world.name} comes with Brownout: duplicate it to change it")
    if choices().read_only:
        raise EditRefused("the studio was started read-only")
    if not world.folder.resolve().is_relative_to(choices().here.resolve()):
        raise EditRefused(f"{world.name} lies outside the folder of worlds")


def _read(path: Path) -> str | None:
    if not path.is_file():
        return None
    if path.stat().st_size > _LONGEST:
        raise EditRefused(f"{path.name} is longer than {_LONGEST >> 20} MiB; edit it elsewhere")
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError as error:
        raise EditRefused(f"{path.name} is no UTF-8 text") from error


def _put(places: Mapping[str, Path], texts: Mapping[str, str | None]) -> None:
    """Every file by writing beside it and renaming; what is to be removed last."""
    prepared: list[tuple[Path, Path]] = []
    try:
        for file, path in places.items():
            text = texts[file]
            if text is None:
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary = path.with_name(f".{path.name}.new")
            prepared.append((temporary, path))
            with temporary.open("wb") as stream:
                stream.write(text.encode())
                stream.flush()
                os.fsync(stream.fileno())
            if path.exists():
                temporary.chmod(path.stat().st_mode & 0o777)
        for temporary, path in prepared:
            os.replace(temporary, path)  # noqa: PTH105
    finally:
        for temporary, _ in prepared:
            temporary.unlink(missing_ok=True)
    for file, path in places.items():
        if texts[file] is None:
            take_away(path, depth=file.count("/"))


def take_away(path: Path, *, depth: int) -> None:
    """Remove a file, and the folders above it that are empty then, `depth` at most."""
    path.unlink(missing_ok=True)
    for folder in [*path.parents][:depth]:
        try:
            folder.rmdir()
        except OSError:  # something else is in it
            break


@contextmanager
def _locked(world: KnownWorld) -> Iterator[None]:
    """One writer of a world at a time, also of several studios."""
    folder = studio_folder() / "locks"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / world.folder.name).open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield
