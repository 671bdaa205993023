"""Whose turn it is with which run: queues of runs, dealt to annotators, and how far everybody is."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from brownout.annotations.annotation import Annotation
from brownout.core.errors import RunError, UsageError
from brownout.core.seeds import Stream

__all__ = ["Progress", "Queue", "QueueStore", "deal", "progress_of", "sample"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,59}")


class Queue(BaseModel):
    """Runs to be read, and who reads which.

    Attributes:
        runs: their ids, in the order in which they are read.
        readers: of each run; a run that is not in it is everybody's.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=_NAME.pattern)
    runs: tuple[str, ...]
    readers: dict[str, tuple[str, ...]] = {}

    def of(self, author: str) -> list[str]:
        """The runs that somebody is to read."""
        return [run for run in self.runs if not self.readers.get(run) or author in self.readers[run]]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far somebody is with a queue.

    Attributes:
        next: the first run that is neither done nor skipped, empty where all are.
    """

    author: str
    done: int
    skipped: int
    total: int
    next: str


def sample(runs: Sequence[str], most: int, *, seed: int = 0) -> list[str]:
    """Some of the runs, drawn by a seed, in their order; all where they are no more than `most`."""
    if len(runs) <= most:
        return [*runs]
    drawn = sorted(runs, key=lambda run: Stream(seed, "sample", run).bits())[:most]
    return [run for run in runs if run in drawn]


def deal(runs: Sequence[str], annotators: Sequence[str], readers: int) -> dict[str, tuple[str, ...]]:
    """Who reads which run: each is read by so many annotators, and everybody reads about as many.

    Raises:
        UsageError: there are fewer annotators than a run is to have readers.
    """
    if readers > len(annotators):
        raise UsageError(f"expected at least {readers} annotators for {readers} readers a run, found {len(annotators)}")
    width = len(annotators)
    return {
        run: tuple(sorted(annotators[(number * readers + offset) % width] for offset in range(readers)))
        for number, run in enumerate(runs)
    }


def progress_of(queue: Queue, author: str, records: Iterable[Annotation]) -> Progress:
    """How far somebody is; `records` are those that stand."""
    ended = {one.run: one.kind for one in records if one.author == author and one.kind in ("done", "skip")}
    mine = queue.of(author)
    left = [run for run in mine if run not in ended]
    kinds = [ended[run] for run in mine if run in ended]
    return Progress(author, kinds.count("done"), kinds.count("skip"), len(mine), left[0] if left else "")


class QueueStore:
    """The queues in a folder of annotations, a file each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "queues"

    def names(self) -> list[str]:
        """The queues that there are."""
        return sorted(path.stem for path in self._folder.glob("*.json"))

    def read(self, name: str) -> Queue | None:
        """The queue of that name, None where there is none that can be read."""
        if not _NAME.fullmatch(name):
            return None
        try:
            return Queue.model_validate_json((self._folder / f"{name}.json").read_bytes())
        except (OSError, ValidationError):
            return None

    def write(self, queue: Queue) -> None:
        """Keep a queue.

        Raises:
            RunError: it cannot be written.
        """
        place = self._folder / f"{queue.name}.json"
        part = place.with_name(f".{place.name}")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            part.write_bytes(orjson.dumps(queue.model_dump(), option=orjson.OPT_INDENT_2))
            part.replace(place)
        except OSError as error:
            raise RunError(f"cannot write {place}: {error.strerror}") from error
