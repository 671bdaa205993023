"""Moments of a company's past that were lived through, kept in a folder for the next process.

A file a moment, `<microseconds>-<events>.changeset.z`, and `events.jsonl` with what had happened. The folder belongs to one package and
one state of the code; whoever names it sees to that. What cannot be read or written is lived through again.
"""

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
    """

    def __init__(self, folder: Path, *, apart: Duration) -> None:
        self._folder = folder
        self._apart = apart
        self.events = _events(folder / "events.jsonl")
        found = (_kept(path) for path in folder.glob("*.changeset.z"))
        self.kept = sorted((one for one in found if one and one.events <= len(self.events)), key=lambda one: one.at)

    def keep(self, at: Instant, changeset: bytes, events: Sequence[Event]) -> None:
        """Keep a moment, unless one near it is kept already."""
        if any(abs(one.at - at) < self._apart for one in self.kept):
            return
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            if len(events) > len(self.events):
                self._write("events.jsonl", b"".join(dump_event(event) + b"\n" for event in events))
                self.events = [*events]
            path = self._write(f"{at}-{len(events)}.changeset.z", zlib.compress(changeset, _LEVEL))
            self.kept.append(KeptMoment(at, len(events), path))

    def _write(self, name: str, data: bytes) -> Path:
        part, place = self._folder / f".{name}", self._folder / name
        part.write_bytes(data)
        part.replace(place)
        return place


def _events(path: Path) -> list[Event]:
    try:
        return [load_event(line) for line in path.read_bytes().splitlines()]
    except (OSError, ValueError):
        return []


def _kept(path: Path) -> KeptMoment | None:
    at, _, events = path.name.partition(".")[0].partition("-")
    return KeptMoment(int(at), int(events), path) if at.isdigit() and events.isdigit() else None
