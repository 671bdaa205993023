"""Looks at a running sandbox from outside: memory, processor time, idleness, inodes."""

import os
from pathlib import Path
from time import monotonic

from brownout.sandbox.limits import Limits, Stop

__all__ = ["Pace", "Watch"]

_FIRST_LOOK = 0.05
_SLOWER = 1.5
_SLOWEST = 0.25

_TICKS = os.sysconf("SC_CLK_TCK")
_AT_WORK = (b"R", b"D")
"""States of a thread that has something to do (proc(5)): it runs, waits for a processor, or waits for a disk."""


class Pace:
    """When to look at something that runs: soon at first, less often later, as each look costs a walk over all processes."""

    def __init__(self) -> None:
        self._pause = _FIRST_LOOK
        self._next = monotonic() + _FIRST_LOOK

    @property
    def seconds(self) -> float:
        """Until the next look; 0 where it is due."""
        return max(0.0, self._next - monotonic())

    def looked(self) -> None:
        """A look was taken now."""
        self._pause = min(_SLOWEST, self._pause * _SLOWER)
        self._next = monotonic() + self._pause


class Watch:
    """One command under supervision, or all that a subject is asked.

    Args:
        pid: a process of the sandbox, as the host numbers it.
        places: directories inside that are file systems of their own.
    """

    def __init__(self, pid: int, limits: Limits, places: tuple[str, ...]) -> None:
        self._root = Path(f"/proc/{pid}/root")
        self._limits = limits
        self._places = places
        self._used: float | None = None
        self._looked = monotonic()
        self._last = 0.0
        self._idle = 0.0

    def resume(self) -> None:
        """Begin again after a time in which nothing was asked of what runs: that was no idleness of its."""
        self._looked = monotonic()

    def check(self) -> Stop | None:
        """The limit that is exceeded now, if one is; None also when the sandbox has ended."""
        try:
            memory, cpu, works = self._totals()
            if self._used is None:
                self._used = self._last = cpu
            if self._is_idle(cpu, works):
                return Stop.IDLE
            if memory > self._limits.memory_bytes:
                return Stop.MEMORY
            if cpu - self._used > self._limits.cpu_seconds:
                return Stop.CPU
            for place in self._places:
                found = os.statvfs(f"{self._root}{place}")
                if found.f_files - found.f_ffree > self._limits.inodes:
                    return Stop.INODES
        except (FileNotFoundError, ProcessLookupError):
            return None
        return None

    def _is_idle(self, cpu: float, works: bool) -> bool:
        """Everything inside has only waited for too long, all its waiting taken together.

        Work between two looks counts as much as it took: who stirs once in a while is idle for the rest of it.
        """
        now, since, last = monotonic(), self._looked, self._last
        self._looked, self._last = now, cpu
        if not works:
            self._idle += max(0.0, now - since - max(0.0, cpu - last))
        return self._limits.idle_seconds is not None and self._idle > self._limits.idle_seconds

    def _totals(self) -> tuple[int, float, bool]:
        """Memory in bytes, private and shared, and processor seconds of all processes inside; whether any works."""
        memory = cpu = 0
        works = False
        for folder in (self._root / "proc").iterdir():
            if not folder.name.isdigit():
                continue
            try:
                stat = (folder / "stat").read_bytes()
                cpu += _ticks(stat)
                works = works or _works(folder, stat)
                memory += _kilobytes((folder / "status").read_bytes())
            except (FileNotFoundError, ProcessLookupError):
                continue
        return memory * 1024, cpu / _TICKS, works


def _fields(stat: bytes) -> list[bytes]:
    """What follows the name, which may hold any character: the state first."""
    return stat[stat.rindex(b")") + 2 :].split()


def _ticks(stat: bytes) -> int:
    """User and system time + those of children waited for."""
    return sum(map(int, _fields(stat)[11:15]))


def _works(folder: Path, stat: bytes) -> bool:
    """Whether a thread of the process has something to do."""
    fields = _fields(stat)
    if fields[0] in _AT_WORK or fields[17] == b"1":
        return fields[0] in _AT_WORK
    return any(_fields((task / "stat").read_bytes())[0] in _AT_WORK for task in (folder / "task").iterdir())


def _kilobytes(status: bytes) -> int:
    total = 0
    for line in status.splitlines():
        if line.startswith((b"RssAnon:", b"RssShmem:")):
            total += int(line.split()[1])
    return total
