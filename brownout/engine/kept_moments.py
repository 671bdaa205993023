"""Moments of a company's calendar that were lived through, kept in a folder for the next process.

A moment is what differs from a *stand*: `<microseconds>-<the stand's microseconds>.changeset.z`. A stand is a moment as a whole world
file, `<microseconds>.sqlite`, which is opened where many rows, with their search index, would have to be brought back; a package has two of
its own, the first day (0) and the first task's start. Several processes may
keep moments in the same folder: all of them live through the same calendar. A day of everyday life that was drawn is `<day>.day.z`, so that
going on from a moment draws nothing. The folder belongs to one package and one state of the
code; whoever names it sees to that. What cannot be read or written is lived through again.
"""

import os
import shutil
import zlib
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import orjson

from brownout.core.instants import Duration, Instant

__all__ = ["FIRST_DAY", "KeptMoment", "MomentChanges", "Moments"]

FIRST_DAY: Final = 0
"""The stand that is a package's first day."""
_LEVEL: Final = 1
_STAND_AT_BYTES: Final = 1 << 20
"""Bytes of changes from which on there is a stand: so many are brought back in a third of a second. Above a large world's stand twice as
many, and twice those once half of the room for stands is used."""
_LARGE: Final = 32
"""How many times those bytes a large world's file has."""
_APART_BYTES: Final = 1 << 18
"""Bytes of changes between moments where much happens."""
_MOST_BYTES: Final = 2 << 30
"""All stands of a package."""
_MOST_DAYS_BYTES: Final = 256 << 20
"""All days of a package; one of 400 messages takes 30 KB."""
_LEFT_FREE: Final = 4
"""How many times a stand's bytes the disk must have besides."""


@dataclass(frozen=True, slots=True)
class MomentChanges:
    """What differs from a stand.

    Attributes:
        ids: the largest key used in each table since, be the row still there or not.
    """

    changeset: bytes
    ids: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class KeptMoment:
    """A moment on disk.

    Attributes:
        stand: the moment that its changes are above: another one, itself, or one of the package's own.
    """

    at: Instant
    stand: Instant
    path: Path

    def changes(self) -> MomentChanges:
        """What differs from the stand.

        Raises:
            OSError, ValueError, zlib.error: it cannot be read.
        """
        ids, _, changeset = zlib.decompress(self.path.read_bytes()).partition(b"\n")
        return MomentChanges(changeset, orjson.loads(ids))


class Moments:
    """The moments in a folder.

    Args:
        apart: how far moments are from each other at least, where little happens between them.
        own: the stands that the package itself has.

    Attributes:
        kept: the moments, in order of time.
    """

    def __init__(self, folder: Path, *, apart: Duration, own: Collection[Instant] = (FIRST_DAY,)) -> None:
        self._folder = folder
        self._apart = apart
        self._own = own
        self._heaviest: dict[Instant, int] = {}
        self._days_bytes: int | None = None
        self.kept: list[KeptMoment] = []
        self.look()

    def look(self) -> None:
        """Look for what others have kept since."""
        stands = {*self._own, *(_numbers(path, 1)[0] for path in self._folder.glob("*.sqlite"))}
        there = map(_moment_in, self._folder.glob("*.changeset.z"))
        self.kept = sorted((one for one in there if one.stand in stands), key=lambda one: one.at)

    def stand(self, at: Instant) -> Path:
        """The world file of a stand that is not the package's own."""
        return self._folder / f"{at}.sqlite"

    def wants(self, at: Instant, stand: Instant, changes: int) -> bool:
        """Whether a moment with so many bytes of changes is worth keeping: none is near in time, or much has happened since the last."""
        if changes - self._heaviest.get(stand, 0) >= _APART_BYTES:
            return True
        return all(abs(one.at - at) >= self._apart for one in self.kept)

    def has_room(self, size: int, changes: int) -> bool:
        """Whether a moment with so many bytes of changes is to be a stand, which takes so many bytes of disk."""
        if changes < _STAND_AT_BYTES:
            return False
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            used = sum(path.stat().st_size for path in self._folder.glob("*.sqlite"))
            times = (2 if size > _LARGE * _STAND_AT_BYTES else 1) * (2 if used > _MOST_BYTES // 2 else 1)
            if changes < times * _STAND_AT_BYTES:
                return False
            return used + size <= _MOST_BYTES and shutil.disk_usage(self._folder).free > _LEFT_FREE * size
        return False

    def keep_stand(self, at: Instant, write: Callable[[Path], object]) -> bool:
        """Keep a stand; False where that cannot be. The moment itself is kept above it, with nothing that differs.

        Args:
            write: writes the world file of that moment.
        """
        with suppress(OSError):
            self._place(self.stand(at).name, write)
            return True
        return False

    def keep(self, at: Instant, stand: Instant, changes: MomentChanges) -> None:
        """Keep a moment."""
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            data = zlib.compress(orjson.dumps(changes.ids) + b"\n" + changes.changeset, _LEVEL)
            path = self._place(f"{at}-{stand}.changeset.z", lambda part: part.write_bytes(data))
            self.kept.append(KeptMoment(at, stand, path))
            self._heaviest[stand] = max(len(changes.changeset), self._heaviest.get(stand, 0))

    def day(self, day: int) -> bytes | None:
        """The lines of a day that was drawn; None for one that is not here, or damaged."""
        with suppress(OSError, zlib.error):
            return zlib.decompress(self._day_path(day).read_bytes())
        return None

    def keep_day(self, day: int, lines: bytes) -> None:
        """Keep the lines of a day that was drawn, where there is room for it."""
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            if self._days_bytes is None:
                self._days_bytes = sum(path.stat().st_size for path in self._folder.glob("*.day.z"))
            data = zlib.compress(lines, _LEVEL)
            if self._days_bytes + len(data) <= _MOST_DAYS_BYTES:
                self._place(self._day_path(day).name, lambda part: part.write_bytes(data))
                self._days_bytes += len(data)

    def _day_path(self, day: int) -> Path:
        return self._folder / f"{day}.day.z"

    def sweep(self) -> None:
        """Take away what processes that were ended had begun to write."""
        for part in self._folder.glob(".*-*"):
            number = part.name[1:].partition("-")[0]
            with suppress(OSError):
                if number.isdigit() and not _runs(int(number)):
                    part.unlink()

    def use(self) -> None:
        """Note that the folder is in use: one that was not for long is taken away."""
        with suppress(OSError):
            os.utime(self._folder)

    def _place(self, name: str, write: Callable[[Path], object]) -> Path:
        part, place = self._folder / f".{os.getpid()}-{name}", self._folder / name
        try:
            write(part)
            part.replace(place)
        except OSError:
            part.unlink(missing_ok=True)
            raise
        return place


def _runs(process: int) -> bool:
    """Whether there is such a process."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _moment_in(path: Path) -> KeptMoment:
    at, stand = _numbers(path, 2)
    return KeptMoment(at, stand, path)


def _numbers(path: Path, count: int) -> list[int]:
    """The numbers in a file's name; -1 where there are not so many."""
    parts = path.name.partition(".")[0].split("-")
    return [int(part) for part in parts] if len(parts) == count and all(map(str.isdigit, parts)) else [-1] * count
