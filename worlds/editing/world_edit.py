"""Several changes of one world's folder, made together: all of them are written, or none is.

What the folder would say is read with the world's own reader before anything is written, and a world that was whole is not
broken. What was read is compared with what is on disk when it is written, so that nobody else's change is lost.
"""

import fcntl
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path, PurePosixPath
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

from brownout.core.errors import AuthoringError, EditRefused, Mistake
from worlds.editing.edits import YamlText
from worlds.editing.nodes import Step, Steps
from worlds.editing.yaml_writer import Value
from worlds.spec.yaml_loading import BrokenText, utf8

__all__ = ["FileChange", "FindMistakes", "WorldEdit"]

FindMistakes: TypeAlias = Callable[[Path], Sequence[Mistake]]
"""Everything that is wrong in the folder of a world."""

_TEMPORARY: Final = ".{}.new"


@dataclass(frozen=True, slots=True)
class FileChange:
    """What becomes of one file.

    Attributes:
        file: its path below the world's folder, with slashes.
        before: its text as it was read, None where there was no such file.
        after: its text as it is to be.
    """

    file: str
    before: str | None
    after: str

    @property
    def diff(self) -> str:
        """The change as a unified diff."""
        before = [] if self.before is None else _shown_lines(self.before)
        old = "/dev/null" if self.before is None else self.file
        return "\n".join(unified_diff(before, _shown_lines(self.after), old, self.file, lineterm="", n=1))


class WorldEdit:
    """Edits of the files of one world, kept in memory until they are written.

        edit = WorldEdit(folder)
        edit.insert("people.yaml", (), "wiktoria", {"name": "Wiktoria Nowak", "role": "engineer"})
        edit.write(mistakes_in)

    Attributes:
        root: the world's folder.
    """

    def __init__(self, root: Path) -> None:
        self.root: Final = root.resolve()
        self._read: dict[str, bytes | None] = {}
        self._texts: dict[str, str] = {}

    def text(self, file: str) -> YamlText:
        """A file as it is after the edits so far; one that is not there says nothing.

        Raises:
            EditRefused: it is outside the folder, no UTF-8, or no YAML.
        """
        with _about(file):
            return YamlText(self._now(file))

    def set(self, file: str, path: Steps, value: Value) -> None:
        """See `YamlText.set`."""
        with _about(file):
            self._texts[file] = self.text(file).set(path, value).text

    def rename(self, file: str, path: Steps, key: str) -> None:
        """See `YamlText.rename`. What refers to the old name is not changed."""
        with _about(file):
            self._texts[file] = self.text(file).rename(path, key).text

    def insert(
        self, file: str, path: Steps, at: Step, value: Value, *, comment: str = "", before: Step | None = None
    ) -> None:
        """See `YamlText.insert`; a file that is not there is made."""
        with _about(file):
            self._texts[file] = self.text(file).insert(path, at, value, comment=comment, before=before).text

    def remove(self, file: str, path: Steps) -> None:
        """See `YamlText.remove`."""
        with _about(file):
            self._texts[file] = self.text(file).remove(path).text

    def read(self, file: str) -> str:
        """The text of a file after the edits so far; empty where there is none."""
        with _about(file):
            return self._now(file)

    def replace(self, file: str, text: str) -> None:
        """Have a file say something else as a whole: a new one, a document, a text that was formatted."""
        with _about(file):
            self._now(file)
            self._texts[file] = text

    @property
    def changes(self) -> list[FileChange]:
        """What becomes of each file that changes, by name."""
        found = []
        for file, after in sorted(self._texts.items()):
            read = self._read[file]
            before = None if read is None else read.decode()
            if before != after:
                found.append(FileChange(file, before, after))
        return found

    @property
    def diff(self) -> str:
        """All changes as one unified diff."""
        return "\n".join(change.diff for change in self.changes)

    def mistakes(self, find: FindMistakes) -> list[Mistake]:
        """What would be wrong in the folder with the edits that is not wrong without them; `find` reads a copy."""
        with TemporaryDirectory(prefix="brownout-edit-") as folder:
            copy = Path(folder) / self.root.name
            copytree(self.root, copy, ignore=ignore_patterns(".*", "__pycache__"), ignore_dangling_symlinks=True)
            for change in self.changes:
                path = copy / change.file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(change.after.encode())
            wrong = [*find(copy)]
        if not wrong:
            return []
        known = Counter((one.file, str(one.message)) for one in find(self.root))
        found = []
        for one in wrong:
            known[(one.file, str(one.message))] -= 1
            if known[(one.file, str(one.message))] < 0:
                found.append(one)
        return found

    def check(self, find: FindMistakes) -> None:
        """Look whether the folder with the edits is as whole as it is without them; nothing is written.

        Raises:
            AuthoringError: the world would have mistakes that it does not have now.
        """
        if mistakes := self.mistakes(find):
            raise AuthoringError(mistakes)

    def write(self, find: FindMistakes | None = None) -> list[FileChange]:
        """Write all edits, or none; what was written.

        Args:
            find: what finds the mistakes of a folder; without it nothing but the edits themselves is checked.

        Raises:
            AuthoringError: the world would have mistakes that it does not have now.
            EditRefused: a file was changed by somebody else since it was read.
        """
        if find is not None:
            self.check(find)
        changes = self.changes
        with _locked(self.root):
            for change in changes:
                self._check_unchanged(change.file)
            made: list[Path] = []
            done: list[FileChange] = []
            try:
                for change in changes:
                    made.append(self._prepare(change))
                for change, temporary in zip(changes, made, strict=True):
                    done.append(change)
                    os.replace(temporary, self._place(change.file))  # noqa: PTH105
            except BaseException:
                self._take_back(done)
                raise
            finally:
                for temporary in made:
                    temporary.unlink(missing_ok=True)
        self._read |= {change.file: change.after.encode() for change in changes}
        return changes

    # -- files ----------------------------------------------------------------------------------------------

    def _now(self, file: str) -> str:
        if file not in self._texts:
            path = self._place(file)
            read = path.read_bytes() if path.is_file() else None
            try:
                self._texts[file] = "" if read is None else utf8(read)
            except BrokenText as error:
                raise EditRefused(f"line {error.line}: {error}" if error.line else str(error)) from error
            self._read[file] = read
        return self._texts[file]

    def _place(self, file: str) -> Path:
        """Where a file lies; links are followed, and must not lead out of the folder."""
        if "\0" in file or PurePosixPath(file).is_absolute() or not PurePosixPath(file).parts:
            raise EditRefused(f"expected the path of a file below the world's folder, found {file!r}")
        path = (self.root / file).resolve()
        if not path.is_relative_to(self.root) or path.is_dir() or ".." in PurePosixPath(file).parts:
            raise EditRefused(f"expected the path of a file below the world's folder, found {file!r}")
        return path

    def _check_unchanged(self, file: str) -> None:
        path = self._place(file)
        now = path.read_bytes() if path.is_file() else None
        if now != self._read[file]:
            raise EditRefused(f"{file}: somebody has changed it since it was read; nothing was written, try again")

    def _prepare(self, change: FileChange) -> Path:
        """A file beside the one that is to be replaced, with what that is to say, safe on disk."""
        place = self._place(change.file)
        place.parent.mkdir(parents=True, exist_ok=True)
        temporary = place.with_name(_TEMPORARY.format(place.name))
        mode = place.stat().st_mode & 0o777 if place.exists() else None
        with temporary.open("wb") as stream:
            stream.write(change.after.encode())
            stream.flush()
            os.fsync(stream.fileno())
        if mode is not None:
            temporary.chmod(mode)
        return temporary

    def _take_back(self, done: Sequence[FileChange]) -> None:
        for change in done:
            place, read = self._place(change.file), self._read[change.file]
            if read is None:
                place.unlink(missing_ok=True)
            elif place.read_bytes() != read:
                place.write_bytes(read)


@contextmanager
def _about(file: str) -> Iterator[None]:
    """Names the file in what is refused of it, once."""
    try:
        yield
    except EditRefused as error:
        text = str(error)
        raise EditRefused(text if text.startswith(f"{file}:") else f"{file}: {text}") from error


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keeps others of our kind from writing to a folder meanwhile; leaves no file."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _shown_lines(text: str) -> list[str]:
    return [line.removesuffix("\r") for line in text.split("\n")][: None if not text.endswith("\n") else -1]
