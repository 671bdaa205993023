"""Grades of runs at any of their calls, made in processes of their own, so that nobody waits for another's.

A grade that was made is kept on disk by package, run and call. One that nobody has asked for in a while is given up: before it
begins, between two turns, or by ending its process where it does not hear.
"""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Literal, TypeAlias

import orjson

from brownout.catalog import code_digest
from brownout.core.values import JsonObject
from studio.start_options import choices

__all__ = ["GradeFailed", "GradeRequest", "Grading", "Working"]

_LOG = logging.getLogger("brownout.studio")
_PROCESSES = 2
_FORGOTTEN_SECONDS = 4.0
"""Who still wants a grade asks again sooner than that."""
_DEAF_SECONDS = 3.0
"""How long a process may go on with what nobody wants, where another grade waits for it."""
_KEPT = 200
"""Answers and failures that are kept in memory."""


class GradeFailed(Exception):
    """It could not be graded; the message says why."""


@dataclass(frozen=True, slots=True)
class GradeRequest:
    """What is wanted of a run.

    Attributes:
        package: the package's folder, `digest` its digest.
        calls: the grade after so many calls; None for the paths of all that the run changed.
    """

    run: Path
    package: Path
    digest: str
    calls: int | None

    @property
    def name(self) -> str:
        """What its answer is kept by: the package's content, the run's log, the code that judges, the call."""
        log = (self.run / "trajectory.jsonl").stat()
        stamp = f"{self.digest} {self.run} {log.st_size} {log.st_mtime_ns} {code_digest()}"
        return f"{sha256(stamp.encode()).hexdigest()[:24]}/{'paths' if self.calls is None else self.calls}"


@dataclass(frozen=True, slots=True)
class Working:
    """A grade that is on its way.

    Attributes:
        doing: what is done right now, in words.
        done: how much of that, 0 to 1.
    """

    doing: str
    done: float
    state: Literal["queued", "running"]


@dataclass(slots=True)
class _Work:
    id: int
    asked: GradeRequest
    name: str
    wanted: float
    doing: str = ""
    done: float = 0.0
    given_up: float = 0.0

    def is_forgotten(self, now: float) -> bool:
        """Whether nobody has asked for it in a while; the paths of a run are wanted by whoever looks at any of its steps."""
        return self.asked.calls is not None and now - self.wanted > _FORGOTTEN_SECONDS


_Answer: TypeAlias = JsonObject | Working


class Grading:
    """The pool. All of it is used from any thread."""

    def __init__(self, *, processes: int = _PROCESSES, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        self._queue: dict[str, _Work] = {}
        self._answers: dict[str, JsonObject] = {}
        self._failures: dict[str, str] = {}
        self._processes = [_Process(self, number) for number in range(processes)]
        self._last = 0

    def warm_up(self) -> None:
        """Start the processes before anybody asks."""
        with self._lock:
            for process in self._processes:
                process.start()

    def ask(self, asked: GradeRequest) -> _Answer:
        """The answer, or how far it is; whoever wants it asks again until it is there.

        Raises:
            GradeFailed: it could not be made. Asking once more tries again.
        """
        name = asked.name
        found = self._answers.get(name) or _read(name)
        if found is not None:
            return found
        with self._lock:
            if name in self._failures:
                raise GradeFailed(self._failures.pop(name))
            for process in self._processes:
                if process.work is not None and process.work.name == name and not process.work.given_up:
                    process.work.wanted = self._clock()
                    self._tidy()
                    return Working(process.work.doing or "Beginning", process.work.done, "running")
            if name not in self._queue:
                self._last += 1
                self._queue[name] = _Work(self._last, asked, name, self._clock())
            self._queue[name].wanted = self._clock()
            self._tidy()
            ahead = sum(process.work is not None for process in self._processes)
            return Working(f"Waiting for {ahead} other grade{'s' if ahead > 1 else ''}", 0.0, "queued")

    def cancel(self, asked: GradeRequest) -> None:
        """Give up what nobody wants any more."""
        name = asked.name
        with self._lock:
            self._queue.pop(name, None)
            for process in self._processes:
                if process.work is not None and process.work.name == name:
                    process.give_up()

    def close(self) -> None:
        """End the processes."""
        with self._lock:
            self._queue.clear()
            for process in self._processes:
                process.end()

    def _tidy(self) -> None:
        """Give up what was forgotten, end who does not hear, and hand out work."""
        now = self._clock()
        for name in [name for name, work in self._queue.items() if work.is_forgotten(now)]:
            del self._queue[name]
        for process in self._processes:
            work = process.work
            if work is not None and not work.given_up and work.is_forgotten(now):
                process.give_up()
            elif work is not None and work.given_up and self._queue and now - work.given_up > _DEAF_SECONDS:
                process.end()
        for work in [*self._queue.values()]:
            idle = [process for process in self._processes if process.work is None]
            if not idle:
                return
            # Who has played this run begins where it stands; else who has played nothing.
            chosen = min(idle, key=lambda one: (one.last != work.asked.run, one.last is not None, one.number))
            del self._queue[work.name]
            chosen.begin(work)

    def _ended(self, process: "_Process", told: JsonObject) -> None:
        """What a process says of its work."""
        with self._lock:
            work = process.work
            if work is None or told.get("id") != work.id:
                return
            if "doing" in told:
                work.doing, work.done = str(told["doing"]), float(str(told["done"]))
                return
            process.work = None
            result = told.get("result")
            if isinstance(result, dict):
                self._keep(work.name, result)
            elif "error" in told:
                self._fail(work, str(told["error"]))
            self._tidy()

    def _gone(self, process: "_Process", child: "subprocess.Popen[bytes]") -> None:
        """A process has ended; what it was at has failed, unless nobody wanted it."""
        with self._lock:
            if process.child is not child:
                return
            work, process.work, process.child, process.last = process.work, None, None, None
            if work is not None and not work.given_up:
                self._fail(work, "the grading process ended without an answer; the studio's log says more")
            self._tidy()

    def _keep(self, name: str, result: JsonObject) -> None:
        while len(self._answers) >= _KEPT:
            del self._answers[next(iter(self._answers))]
        _write(name, result)  # first: who has an answer finds it kept
        self._answers[name] = result

    def _fail(self, work: _Work, reason: str) -> None:
        while len(self._failures) >= _KEPT:
            del self._failures[next(iter(self._failures))]
        self._failures[work.name] = reason


@dataclass(slots=True)
class _Process:
    """One process and what it is at."""

    pool: Grading
    number: int
    child: "subprocess.Popen[bytes] | None" = None
    work: _Work | None = None
    last: Path | None = None
    _reader: threading.Thread | None = field(default=None, repr=False)

    def start(self) -> "subprocess.Popen[bytes]":
        """The running process."""
        if self.child is not None and self.child.poll() is None:
            return self.child
        child = subprocess.Popen(
            [sys.executable, "-P", "-m", "studio.serving.grader"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        self.child, self.last = child, None
        self._reader = threading.Thread(
            target=_listen, args=(self, child), name=f"studio-grading-{self.number}", daemon=True
        )
        self._reader.start()
        return child

    def begin(self, work: _Work) -> None:
        """Hand it a piece of work."""
        self.work = work
        child = self.start()
        self.last = work.asked.run
        asked = work.asked
        line = {"id": work.id, "run": str(asked.run), "package": str(asked.package), "calls": asked.calls}
        self._say(child, {**line, "paths": asked.calls is None})

    def give_up(self) -> None:
        """Tell it that nobody wants its work any more."""
        if self.work is not None and self.child is not None and not self.work.given_up:
            self.work.given_up = self.pool._clock()
            self._say(self.child, {"cancel": self.work.id})

    def end(self) -> None:
        """End it; the next piece of work starts another one."""
        child, self.child, self.work, self.last = self.child, None, None, None
        if child is not None:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()

    def _say(self, child: "subprocess.Popen[bytes]", line: dict[str, object]) -> None:
        if child.stdin is not None:
            with suppress(OSError):
                child.stdin.write(orjson.dumps(line) + b"\n")
                child.stdin.flush()


def _listen(process: _Process, child: "subprocess.Popen[bytes]") -> None:
    if child.stdout is None:
        return
    with child.stdout:
        for line in child.stdout:
            try:
                told = orjson.loads(line)
            except orjson.JSONDecodeError:
                _LOG.error("a grading process said %r", line[:200])
                continue
            process.pool._ended(process, told)
    child.wait()
    if child.stdin is not None:
        with suppress(OSError):
            child.stdin.close()
    process.pool._gone(process, child)


# -- what was made is kept ----------------------------------------------------------------------------------


def _place(name: str) -> Path:
    return choices().here / ".studio" / "grades" / f"{name}.json"


def _read(name: str) -> JsonObject | None:
    try:
        found = orjson.loads(_place(name).read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return None
    return found if isinstance(found, dict) else None


def _write(name: str, result: object) -> None:
    """Keep an answer; that it cannot be kept is no reason to have none."""
    place = _place(name)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        part = place.with_name(f".{place.name}.{os.getpid()}")
        part.write_bytes(orjson.dumps(result))
        part.replace(place)
    except OSError as error:
        _LOG.error("%s cannot be written: %s", place, error.strerror)
