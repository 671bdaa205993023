"""A job as its folder tells of it. Nothing is kept in memory, so every tab and a studio started later see the same."""

import fcntl
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeAlias

import orjson

from brownout.core.errors import Mistake
from brownout.core.values import Json, objects_in

__all__ = ["CLOSED", "ENDED", "Job", "JobState", "Stage", "is_held", "read_job", "write_whole"]

JobState: TypeAlias = Literal["queued", "running", "cancelling", "cancelled", "failed", "done", "lost"]
"""`lost`: its process is gone, and nobody wrote down how it ended."""
ENDED: frozenset[JobState] = frozenset({"cancelled", "failed", "done", "lost"})
CLOSED = "closed"
"""The file that is in the folder of a job that is over and was put away."""
_KEPT = 1_000
"""Jobs whose words are known without reading them again; each writing makes a new file."""
_LOG_BYTES = 64 << 10
"""How much of a log is shown; the rest is in its file."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of a job's work.

    Attributes:
        done: how much of it, 0 to 1.
        note: what is being done, empty where that is not said.
    """

    title: str
    done: float
    note: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """One job.

    Attributes:
        kind: what sort of work it is: `build`, `check`, `run`.
        command: the words after `brownout`, as one would type them.
        about: what it is about, by name: `{"world": "larkspur"}`.
        made, began, ended: seconds since the epoch; 0 for what has not come yet.
        code: its exit code, None where it has none.
    """

    id: str
    folder: Path
    kind: str
    title: str
    command: tuple[str, ...]
    about: Mapping[str, str]
    made: float
    began: float
    ended: float
    state: JobState
    code: int | None

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.state in ENDED

    @property
    def is_closed(self) -> bool:
        """Whether somebody has read how it ended, and wants to see no more of it."""
        return (self.folder / CLOSED).exists()

    @property
    def seconds(self) -> float:
        """How long it has worked, or worked altogether; a job that waits its turn has not."""
        if not self.began:
            return 0.0
        return max(0.0, (self.ended or time.time()) - self.began)

    @property
    def stages(self) -> list[Stage]:
        """Its stages so far, in the order in which they began, each as it stands."""
        found: dict[str, Stage] = {}
        for line in _read(self.folder / "progress.jsonl").splitlines():
            told = _document(line)
            if isinstance(told, dict) and isinstance(told.get("stage"), str):
                title, done = str(told.get("title") or told["stage"]), told.get("done")
                share = min(max(float(done), 0.0), 1.0) if isinstance(done, int | float) else 0.0
                found[str(told["stage"])] = Stage(title, share, str(told.get("note") or ""))
        return [*found.values()]

    @property
    def log(self) -> str:
        """The end of what it said."""
        return _read(self.folder / "log.txt", _LOG_BYTES).decode(errors="replace").strip()

    @property
    def result(self) -> Json:
        """The document that it printed, None where it printed none."""
        return _document(_read(self.folder / "result.json"))

    @property
    def reasons(self) -> list[Mistake]:
        """Why it failed: each mistake in the world's text by its place, or what it said last; empty where it did not fail."""
        if self.state != "failed":
            return []
        result = self.result
        error = result.get("error") if isinstance(result, dict) else None
        if isinstance(error, dict):
            mistakes = [
                Mistake(
                    str(one.get("file", "")),
                    line if isinstance(line := one.get("line"), int) else 0,
                    str(one.get("message")),
                )
                for one in objects_in(error.get("mistakes"))
            ]
            return mistakes or [Mistake("", 0, str(error.get("message")))]
        if isinstance(result, dict):
            return []  # what came of it is in its document
        said = self.log.splitlines()[-1:]
        return [Mistake("", 0, said[0] if said else "it left no message")]

    @property
    def world(self) -> str:
        """The name of the world that it is about, empty where it is about none."""
        return self.about.get("world") or Path(self.about.get("folder", "")).name


def read_job(folder: Path) -> Job | None:
    """The job in a folder, None where there is none that can be read."""
    told = _told(folder)
    if not isinstance(told, dict) or not isinstance(told.get("command"), list):
        return None
    about, command, code = told.get("about"), told.get("command"), told.get("code")
    return Job(
        id=folder.name,
        folder=folder,
        kind=str(told.get("kind", "")),
        title=str(told.get("title", "")),
        command=tuple(str(word) for word in command) if isinstance(command, list) else (),
        about={name: str(value) for name, value in about.items()} if isinstance(about, dict) else {},
        made=_number(told.get("made")),
        began=_number(told.get("began")),
        ended=_number(told.get("ended")),
        state=_state(folder, str(told.get("state", ""))),
        code=code if isinstance(code, int) else None,
    )


def _state(folder: Path, written: str) -> JobState:
    ended: Mapping[str, JobState] = {"cancelled": "cancelled", "failed": "failed", "done": "done"}
    if written in ended:
        return ended[written]
    if not is_held(folder / "pid"):
        # It may have ended between the two looks.
        told = _told(folder)
        again = str(told.get("state", "")) if isinstance(told, dict) else ""
        return ended.get(again, "cancelled" if (folder / "cancel").exists() else "lost")
    if (folder / "cancel").exists():
        return "cancelling"
    return "running" if written == "running" else "queued"


def _told(folder: Path) -> Json:
    """What a job's folder says of it; of most, which are over, it was read before."""
    path = folder / "job.json"
    try:
        stat = path.stat()
    except OSError:
        return None
    return _written(path, stat.st_mtime_ns, stat.st_ino)


@lru_cache(_KEPT)
def _written(path: Path, stamp: int, inode: int) -> Json:
    return _document(_read(path))


def is_held(path: Path) -> bool:
    """Whether a process has the file locked; the lock goes with the process, however that ends."""
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    else:
        return False
    finally:
        os.close(file)


def write_whole(path: Path, document: Mapping[str, Json]) -> None:
    """Write a JSON file so that a reader sees the old one or the new one."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    part.write_bytes(orjson.dumps(document, option=orjson.OPT_INDENT_2))
    part.replace(path)


def _read(path: Path, last: int = 0) -> bytes:
    try:
        with path.open("rb") as file:
            if last:
                file.seek(max(0, path.stat().st_size - last))
            return file.read()
    except OSError:
        return b""


def _document(text: bytes) -> Json:
    try:
        found: Json = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return found


def _number(value: Json) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
