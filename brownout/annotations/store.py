"""A folder of annotations: one append-only JSONL file an annotator."""

import fcntl
import os
import re
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path

import orjson
from pydantic import ValidationError

from brownout.annotations.annotation import Annotation, Draft
from brownout.core.errors import RunError, UsageError
from brownout.core.wrong_fields import wrong_fields

__all__ = ["AnnotationStore", "standing"]

_PLAIN = re.compile(r"[A-Za-z0-9_-]")


class AnnotationStore:
    """The annotations in a folder.

    store = AnnotationStore(Path("runs/annotations"), now=lambda: datetime.now(UTC))
    store.add("Ida Holm", Draft(run="r-1", kind="note", text="It never looked at the status page."))
    """

    def __init__(self, folder: Path, *, now: Callable[[], datetime]) -> None:
        self.folder = folder
        self._now = now

    def file_of(self, author: str) -> Path:
        """Where an annotator's records are; whatever the name, it stays in the folder.

        Raises:
            UsageError: it is no name.
        """
        name = " ".join(author.split())
        if not name or len(name) > 80:
            raise UsageError(f"expected an annotator's name of 1 to 80 characters, found {author[:90]!r}")
        spelt = "".join(
            letter if _PLAIN.fullmatch(letter) else f"%{ord(letter):x}." for letter in name.replace(" ", "_")
        )
        return self.folder / f"{spelt}.jsonl"

    def add(self, author: str, *drafts: Draft) -> list[Annotation]:
        """The records as they were kept, all of them or none.

        Raises:
            UsageError: the annotator has no name, or what is taken back is not theirs.
            RunError: they cannot be written.
        """
        path = self.file_of(author)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with path.open("a+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                file.seek(0)
                text = file.read()
                known, _ = _records(text, path)
                made = self._made(author, known, drafts, text.count(b"\n"))
                lines = b"".join(
                    orjson.dumps(one.model_dump(exclude_defaults=True) | _kept(one)) + b"\n" for one in made
                )
                file.write(lines if not text or text.endswith(b"\n") else b"\n" + lines)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise RunError(f"cannot write {path}: {error.strerror}") from error
        return made

    def _made(self, author: str, known: list[Annotation], drafts: Iterable[Draft], lines: int) -> list[Annotation]:
        at = self._now().isoformat(timespec="seconds")
        ids = {one.id for one in known}
        made = []
        for draft in drafts:
            if draft.kind == "undo" and draft.supersedes not in ids:
                raise UsageError(f"{draft.supersedes} is no record of {author}, so {author} cannot take it back")
            lines += 1
            one = Annotation(**draft.model_dump(), id=f"{self.file_of(author).stem}/{lines}", author=author, at=at)
            ids.add(one.id)
            made.append(one)
        return made

    def undo(self, author: str, run: str) -> Annotation | None:
        """Take back the last record of an annotator on a run; what was taken back, None where there is nothing."""
        mine = [one for one in standing(self.of(author)) if run in (one.run, one.other)]
        if not mine:
            return None
        self.add(author, Draft(run=mine[-1].run, kind="undo", supersedes=mine[-1].id))
        return mine[-1]

    def of(self, author: str) -> list[Annotation]:
        """All records of an annotator in their order, also those that were taken back."""
        path = self.file_of(author)
        return _read(path)[0]

    def everything(self) -> list[Annotation]:
        """All records of all annotators, by file and order."""
        return [one for path in self._files() for one in _read(path)[0]]

    def problems(self) -> list[str]:
        """What could not be read, each with its file and line."""
        return [problem for path in self._files() for problem in _read(path)[1]]

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob("*.jsonl"))

    def standing(self) -> list[Annotation]:
        """What holds: without what was taken back or replaced."""
        return standing(self.everything())

    @property
    def authors(self) -> list[str]:
        """Everybody who said something, by name."""
        return sorted({one.author for one in self.everything()})


def standing(records: Iterable[Annotation]) -> list[Annotation]:
    """The records that hold: no undo, none that was taken back, none that another one replaced which holds itself."""
    kept = [*records]
    undone = {(one.author, one.supersedes) for one in kept if one.kind == "undo"}
    left = [one for one in kept if one.kind != "undo" and (one.author, one.id) not in undone]
    replaced = {(one.author, one.supersedes) for one in left if one.supersedes}
    return [one for one in left if (one.author, one.id) not in replaced]


def _kept(one: Annotation) -> dict[str, object]:
    return {"format": one.format, "id": one.id, "author": one.author, "at": one.at}


def _read(path: Path) -> tuple[list[Annotation], list[str]]:
    try:
        return _records(path.read_bytes(), path)
    except FileNotFoundError:
        return [], []
    except OSError as error:
        return [], [f"{path.name} cannot be read: {error.strerror}"]


def _records(text: bytes, path: Path) -> tuple[list[Annotation], list[str]]:
    found, problems = [], []
    for number, line in enumerate(text.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            found.append(Annotation.model_validate_json(line))
        except ValidationError as error:
            problems.append(f"{path.name}:{number}: {wrong_fields(error)[0]}")
    return found, problems
