"""Looks at a running sandbox from outside: memory, processor time, inodes."""

import os
from pathlib import Path

from brownout.sandbox.limits import Limits, Stop

__all__ = ["Watch"]

_TICKS = os.sysconf("SC_CLK_TCK")


class Watch:
    """One command under supervision.

    Args:
        pid: a process of the sandbox, as the host numbers it.
        places: directories inside that are file systems of their own.
    """

    def __init__(self, pid: int, limits: Limits, places: tuple[str, ...]) -> None:
        self._root = Path(f"/proc/{pid}/root")
        self._limits = limits
        self._places = places
        self._used: float | None = None

    def check(self) -> Stop | None:
        """The limit that is exceeded now, if one is; None also when the sandbox has ended."""
        try:
            memory, cpu = self._totals()
            if self._used is None:
                self._used = cpu
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

    def _totals(self) -> tuple[int, float]:
        """Private and shared memory in bytes and processor seconds of all processes inside."""
        memory = cpu = 0
        for folder in (self._root / "proc").iterdir():
            if not folder.name.isdigit():
                continue
            try:
                cpu += _ticks((folder / "stat").read_bytes())
                memory += _kilobytes((folder / "status").read_bytes())
            except (FileNotFoundError, ProcessLookupError):
                continue
        return memory * 1024, cpu / _TICKS


def _ticks(stat: bytes) -> int:
    """User and system time + those of children waited for; the name before them may hold any character."""
    fields = stat[stat.rindex(b")") + 2 :].split()
    return sum(map(int, fields[11:15]))


def _kilobytes(status: bytes) -> int:
    total = 0
    for line in status.splitlines():
        if line.startswith((b"RssAnon:", b"RssShmem:")):
            total += int(line.split()[1])
    return total
