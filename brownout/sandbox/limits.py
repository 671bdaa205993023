"""What a command in the sandbox may use up, and why one was stopped.

Every limit that decides what an agent sees counts work (processor seconds, bytes, processes), never time on
the wall: a busy machine changes nothing. The wall deadline is a safety net.
"""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Limits", "Stop"]

_MIB = 1024 * 1024


class Stop(StrEnum):
    """Why a command was ended by its supervisor. A stop is reported as such, never scored."""

    DEADLINE = "deadline"
    IDLE = "idle"
    CPU = "cpu"
    MEMORY = "memory"
    OUTPUT = "output"
    INODES = "inodes"
    CRASHED = "crashed"
    """The sandbox itself ended: the command killed its own shell server, or the system killed it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one sandbox.

    Attributes:
        cpu_seconds: processor time of one command, all its processes together.
        wall_seconds: real time of one command; generous, because it depends on the machine's load.
        idle_seconds: real time in which everything inside only waits, taken together; None for no bound. Work that a busy
            machine keeps waiting is not idle, so load changes nothing.
        memory_bytes: private and shared memory of all processes together, and the data of any one.
        file_bytes: length of one file.
        tmp_bytes: everything below `/tmp`.
        home_bytes: everything below the home directory.
        processes: processes and threads alive at once, the sandbox's own four included.
        open_files: descriptors of one process.
        output_bytes: output kept of one command: its beginning and its end. At 64 times as much it is stopped.
        inodes: files, directories and links below the home directory, and as many below `/tmp`.
    """

    cpu_seconds: int = 60
    wall_seconds: float = 600.0
    idle_seconds: float | None = None
    memory_bytes: int = 1024 * _MIB
    file_bytes: int = 64 * _MIB
    tmp_bytes: int = 128 * _MIB
    home_bytes: int = 256 * _MIB
    processes: int = 128
    open_files: int = 256
    output_bytes: int = 64 * 1024
    inodes: int = 100_000

    def __post_init__(self) -> None:
        if self.cpu_seconds < 1 or self.output_bytes < 256 or self.processes < 8 or self.open_files < 32:
            raise ValueError(
                "a sandbox needs at least 1 s of processor time, 256 bytes of output, 8 processes and 32 open files; "
                f"found {self}"
            )
