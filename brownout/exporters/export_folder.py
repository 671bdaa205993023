"""The folder of an export: written beside its place, moved there when whole, never over what somebody else wrote."""

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from shutil import copyfile, rmtree
from tempfile import mkdtemp

import orjson

from brownout.core.errors import ExportError, FolderTaken
from brownout.exporters.lock import LOCK, Lock, file_digest, read_lock

__all__ = ["ExportFolder", "check_place", "files_below", "foreign_files"]

_SHOWN = 3
_LONGEST = 300


class ExportFolder:
    """An export being written.

    with ExportFolder(Path("out"), lock) as export:
        export.write("README.md", text)
        export.finish()

    Attributes:
        place: where it will stand.
        draft: where it stands until then.
    """

    def __init__(self, place: Path, lock: Lock) -> None:
        """Start writing.

        Args:
            lock: what the export is made of; which files it has is added.

        Raises:
            ExportError: `place` holds something that no export wrote, or cannot be written.
        """
        check_place(place)
        self.place = place.resolve()
        self._lock = lock
        try:
            self.place.parent.mkdir(parents=True, exist_ok=True)
            self._beside = Path(mkdtemp(prefix=f".{self.place.name}-", dir=self.place.parent))
            self.draft = self._beside / "new"
            self.draft.mkdir()
        except OSError as error:
            raise ExportError(f"cannot write to {self.place.parent}: {error.strerror}") from error
        self._digests: dict[str, str] = {}

    def __enter__(self) -> "ExportFolder":
        return self

    def __exit__(self, *_: object) -> None:
        rmtree(self._beside, ignore_errors=True)

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file.

        Raises:
            ExportError: it cannot be written (a full disk, say).
        """
        data = content.encode() if isinstance(content, str) else content
        path = self.draft / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except OSError as error:
            raise ExportError(f"cannot write {self.place / name}: {error.strerror}") from error
        self._digests[name] = file_digest(data)

    def copy_tree(self, name: str, source: Path, leave_out: Sequence[str] = ()) -> None:
        """Copy every file below a folder, but for some of the folders in it.

        Raises:
            ExportError: one cannot be read or written.
        """
        for path in files_below(source):
            if path.partition("/")[0] in leave_out:
                continue
            copied = f"{name}/{path}"
            target = self.draft / copied
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                copyfile(source / path, target)
                self._digests[copied] = file_digest(target.read_bytes())
            except OSError as error:
                raise ExportError(f"cannot copy {source / path} to {self.place / copied}: {error.strerror}") from error

    def lock(self) -> None:
        """Write the lock of what is there so far, so that the draft can be opened.

        Raises:
            ExportError: it cannot be written.
        """
        lock = self._lock.model_copy(update={"files": dict(sorted(self._digests.items()))})
        self.write(LOCK, orjson.dumps(lock.model_dump(), option=orjson.OPT_INDENT_2) + b"\n")
        del self._digests[LOCK]

    def finish(self) -> Path:
        """Write the lock and move the export to its place.

        Raises:
            ExportError: it cannot be moved there, or somebody has written there meanwhile.
        """
        self.lock()
        old = self._beside / "old"
        with _alone(self.place.parent):
            _check(self.place)
            try:
                if self.place.exists():
                    self.place.rename(old)
                self.draft.rename(self.place)
            except OSError as error:
                if old.exists() and not self.place.exists():
                    old.rename(self.place)
                raise ExportError(f"cannot move the export to {self.place}: {error.strerror}") from error
        return self.place


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """A block in which no other export is moved to or looked for in a folder; nothing is promised where a folder cannot be locked."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def foreign_files(folder: Path) -> list[str]:
    """What is in an export that it did not write, or that was changed since: files, links, pipes. Compiled Python does not count.

    Raises:
        ExportError: the folder is not an export.
    """
    written = read_lock(folder).files
    return [
        name for name in _everything_below(folder) if name != LOCK and not _is_own(folder / name, written.get(name))
    ]


def _is_own(path: Path, digest: str | None) -> bool:
    if path.parent.name == "__pycache__" and path.suffix == ".pyc":
        return True
    return digest is not None and not path.is_symlink() and file_digest(path.read_bytes()) == digest


def _everything_below(folder: Path) -> Iterator[str]:
    """Paths of all that is no folder below, relative and in one order."""
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_dir():
            yield path.relative_to(folder).as_posix()


def check_place(place: Path) -> None:
    """Return if an export may be written there: nothing is, or an untouched export.

    Raises:
        FolderTaken: something else is.
        ExportError: nobody can look, for a name that is too long, a link that leads to itself, or for want of a right.
    """
    try:
        place = place.resolve()
        above = next((each for each in place.parents if each.is_dir()), None)
        with _alone(above) if above == place.parent else nullcontext():
            _check(place)
    except (OSError, RuntimeError, ValueError) as error:
        raise ExportError(f"cannot look at {str(place)[:_LONGEST]}: {_why(error)}") from error


def _why(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)[:_LONGEST]


def _check(place: Path) -> None:
    if not place.exists():
        return
    if not place.is_dir():
        raise FolderTaken(f"expected a folder at {place}, found a file; choose another --out")
    if not any(place.iterdir()):
        return
    if not (place / LOCK).is_file():
        raise FolderTaken(f"expected {place} to be empty or an earlier export, found other files; choose another --out")
    found = foreign_files(place)
    if found:
        more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        raise FolderTaken(
            f"{place} is an export with files that are not the export's own: {', '.join(found[:_SHOWN])}{more}; "
            "move them away, or choose another --out"
        )


def files_below(folder: Path) -> Iterator[str]:
    """Paths of all files below, relative and in one order."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(folder).as_posix()
