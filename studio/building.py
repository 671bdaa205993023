"""Builds of worlds, each in a process of its own; any tab, also after a reload, sees how far one has come."""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from typing import IO, Literal, TypeAlias

from studio.registry import KnownWorld

__all__ = ["Build", "BuildState", "build_of", "start_build"]

BuildState: TypeAlias = Literal["running", "done", "failed"]
_LOG_BYTES = 1 << 20
_COMMAND = "from brownout.cli import main; main()"


@dataclass(slots=True)
class Build:
    """One build."""

    world: str
    process: "subprocess.Popen[bytes]"
    log: IO[bytes]
    began: float = field(default_factory=time.monotonic)
    ended: float = 0.0

    @property
    def state(self) -> BuildState:
        """How it stands."""
        code = self.process.poll()
        if code is None:
            return "running"
        self.ended = self.ended or time.monotonic()
        return "done" if code == 0 else "failed"

    @property
    def seconds(self) -> float:
        """How long it has taken."""
        return (self.ended or time.monotonic()) - self.began

    @property
    def said(self) -> str:
        """What the build wrote to its log."""
        return os.pread(self.log.fileno(), _LOG_BYTES, 0).decode(errors="replace").strip()


_builds: dict[str, Build] = {}


def start_build(world: KnownWorld) -> Build:
    """Build a world into the cache, unless that is going on already."""
    known = _builds.get(world.name)
    if known is not None and known.state == "running":
        return known
    log = tempfile.TemporaryFile()  # noqa: SIM115 (kept open as long as the build is remembered)
    command = [sys.executable, "-P", "-c", _COMMAND, "build", str(world.folder), "--json"]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log, start_new_session=True
    )
    _builds[world.name] = Build(world.name, process, log)
    return _builds[world.name]


def build_of(world: KnownWorld) -> Build | None:
    """The last build of a world in this process."""
    return _builds.get(world.name)
