"""Moments of a company's past that were lived through, kept in a folder for the next process.

A file a moment, `<microseconds>-<events>.changeset.z`, and what had happened by then in pieces, `<first>-<behind last>.events.jsonl`.
Several processes may keep moments in the same folder: all of them live through the same past. The folder belongs to one package and
one state of the code; whoever names it sees to that. What cannot be read or written is lived through again.
"""

import os
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from brownout.core.instants import Duration, Instant
from brownout.core.trajectory import Event, dump_event, load_event

__all__ = ["KeptMoment", "Moments"]

_LEVEL = 1


@dataclass(frozen=True, slots=True)
class KeptMoment:
    """A moment on disk; `events` of what had happened by then are known."""

    at: Instant
    events: int
    path: Path

    def changeset(self) -> bytes:
        """What differs from the first day.

        Raises:
            OSError, zlib.error: it cannot be read.
        """
        return zlib.decompress(self.path.read_bytes())


class Moments:
    """The moments in a folder.

    Args:
        apart: how far moments are from each other at least.

    Attributes:
        events: what had happened by the last of them.
    """

    def __init__(self, folder: Path, *, apart: Duration) -> None:
        self._folder = folder
        self._apart = apart
        self._pieces: set[str] = set()
        self.events: list[Event] = []
        self.kept: list[KeptMoment] = []
        self.look()

    def look(self) -> None:
        """Look for what others have kept since."""
        found = {path.name: path for path in self._folder.glob("*.events.jsonl")}
        for (first, behind), path in sorted(
            (_numbers(path), path) for name, path in found.items() if name not in self._pieces
        ):
            if first <= len(self.events) < behind:
                self.events += _events(path)[len(self.events) - first :]
            self._pieces.add(path.name)
        moments = (KeptMoment(*_numbers(path), path) for path in self._folder.glob("*.changeset.z"))
        self.kept = sorted((one for one in moments if 0 <= one.events <= len(self.events)), key=lambda one: one.at)

    def wants(self, at: Instant) -> bool:
        """Whether no moment near that one is kept."""
        return all(abs(one.at - at) >= self._apart for one in self.kept)

    def keep(self, at: Instant, changeset: bytes, events: Sequence[Event]) -> None:
        """Keep a moment, with all that has happened up to then."""
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            if fresh := events[len(self.events) :]:
                name = f"{len(self.events)}-{len(events)}.events.jsonl"
                self._write(name, b"".join(dump_event(event) + b"\n" for event in fresh))
                self._pieces.add(name)
                self.events += fresh
            path = self._write(f"{at}-{len(events)}.changeset.z", zlib.compress(changeset, _LEVEL))
            self.kept.append(KeptMoment(at, len(events), path))

    def _write(self, name: str, data: bytes) -> Path:
        part, place = self._folder / f".{os.getpid()}-{name}", self._folder / name
        part.write_bytes(data)
        part.replace(place)
        return place


def _events(path: Path) -> list[Event]:
    try:
        return [load_event(line) for line in path.read_bytes().splitlines()]
    except (OSError, ValueError):
        return []


def _numbers(path: Path) -> tuple[int, int]:
    """The two numbers in a file's name; -1 where there are none."""
    first, _, second = path.name.partition(".")[0].partition("-")
    return (int(first), int(second)) if first.isdigit() and second.isdigit() else (-1, -1)
