"""A run's folder: the trajectory, written as it happens, and what came of it."""

import os
from contextlib import suppress
from dataclasses import dataclass
from fcntl import LOCK_EX, LOCK_NB, flock
from io import FileIO
from pathlib import Path
from types import TracebackType

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from brownout.core.errors import FailureKind, MissingRun, RunError, RunTaken
from brownout.core.trajectory import Event, GapEvent, ModelEvent, dump_event, load_event
from brownout.core.values import JsonObject
from brownout.core.wrong_fields import wrong_fields

__all__ = ["Recorder", "RunResult", "StoredRun", "finished_result", "read_run", "read_runs", "seen_from"]

_LOG = "trajectory.jsonl"
_RESULT = "run.json"


class RunResult(BaseModel):
    """run.json: one episode and its reward.

    Attributes:
        run: its folder.
        package: digest of the package.
        package_folder: where the package lay, from the run's folder; absolute where they have only the root in common.
        world_folder: the author's folder that the package was built of, as above; empty where none was named.
        answer: what `noop` submitted, or which script `lazy` or `good` played; empty for others.
        model: which one played as `llm`, as litellm names it; empty for others.
        status: `ok`, `env_error` (the simulation failed), `agent_error` (the agent or its model did).
        reward: None where the episode was not judged.
        complete: whether the reward is of everything that the rubric asks.
        left_out: what is not, by criterion, and why.
        models: whose answers the reward rests on, and what they took.
        failure_kind: why there is no reward, for programs; None where there is one, and in runs from before there were kinds.
        answered_by: people whose answers the reward rests on, where it was made anew with them; `before` is the one it was.
        usage: tokens and dollars of the agent's own model, as far as its endpoint told; empty where it asked none.
        steps: calls made.
        sim_minutes: world time from the task's start to the end of the episode.
    """

    model_config = ConfigDict(extra="forbid")

    run: str
    world: str
    package: str
    package_folder: str = ""
    world_folder: str = ""
    task: str
    agent: str
    answer: str = ""
    model: str = ""
    seed: int
    status: str
    reward: float | None
    resolved: bool
    complete: bool = True
    left_out: list[JsonObject] = []
    models: list[JsonObject] = []
    defects: list[str] = []
    answered_by: list[str] = []
    before: float | None = None
    usage: JsonObject = {}
    ledger: list[JsonObject]
    failure: str | None
    failure_kind: FailureKind | None = None
    stop: str
    steps: int
    sim_minutes: float

    @model_validator(mode="before")
    @classmethod
    def _older(cls, value: object) -> object:
        """What was left out once stood in `notes`, by grader alone."""
        if not isinstance(value, dict) or "notes" not in value:
            return value
        return {"complete": not value["notes"]} | {name: each for name, each in value.items() if name != "notes"}


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run read back."""

    folder: Path
    result: RunResult | None
    events: list[Event]


class Recorder:
    """Writes a run's events as they happen, each whole or not at all.

    A killed run leaves all that was written before. When a line cannot be written the log ends with the one before it, and
    takes no other: a reader must not take a hole for silence.
    """

    def __init__(self, folder: Path) -> None:
        """Make the run's folder.

        Raises:
            RunError: it cannot be made, or holds a run already.
            RunTaken: another runner is writing it.
        """
        self.folder = folder
        if (folder / _RESULT).exists():
            raise RunError(f"{folder} holds a finished run; choose another --out")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._log = _opened(folder / _LOG)
        except OSError as error:
            raise RunError(f"cannot write {folder}: {error.strerror}") from error
        self._whole = 0
        self._failure = ""
        self._usage: JsonObject = {}

    def __call__(self, event: Event) -> None:
        """Append an event.

        Raises:
            RunError: the disk is full, or the folder was taken away.
        """
        if self._failure:
            raise RunError(self._failure)
        line = dump_event(event) + b"\n"
        try:
            left = memoryview(line)
            while left:
                left = left[self._log.write(left) :]
        except OSError as error:
            self._failure = f"cannot write {self.folder / _LOG}: {error.strerror}"
            with suppress(OSError):
                self._log.truncate(self._whole)
            raise RunError(self._failure) from error
        self._whole += len(line)
        if isinstance(event, ModelEvent):
            self._usage = _together(self._usage, event.usage)

    def finish(self, result: RunResult) -> RunResult:
        """Write run.json with what the agent's model took; a run that has it is complete.

        Returns:
            The result as it was written.

        Raises:
            RunError: it cannot be written; there is none then, nor a part of one.
        """
        whole = result.model_copy(update={"usage": self._usage})
        part = self.folder / f".{_RESULT}"
        try:
            part.write_bytes(orjson.dumps(whole.model_dump(), option=orjson.OPT_INDENT_2))
            part.replace(self.folder / _RESULT)
        except OSError as error:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise RunError(f"cannot write {self.folder / _RESULT}: {error.strerror}") from error
        return whole

    def close(self) -> None:
        """Close the log; harmless when closed."""
        self._log.close()

    def __enter__(self) -> "Recorder":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


_COUNTED = {
    "input_tokens": ("input_tokens", "prompt_tokens"),
    "output_tokens": ("output_tokens", "completion_tokens"),
    "cost_usd": ("cost_usd", "cost"),
}
"""What is counted, and what endpoints call it."""


def _together(usage: JsonObject, more: JsonObject) -> JsonObject:
    """What answers took so far, with another one's; what an endpoint does not tell is left out."""
    found = {**usage}
    for name, names in _COUNTED.items():
        told = next((value for each in names if isinstance(value := more.get(each), int | float)), None)
        before = found.get(name)
        if told is not None:
            found[name] = told + (before if isinstance(before, int | float) else 0)
    return found


def _opened(log: Path) -> FileIO:
    """The log to be written anew, without a buffer: what was written is there, whatever happens next. It is ours until it is closed."""
    opened = FileIO(log, "ab")
    try:
        flock(opened, LOCK_EX | LOCK_NB)
    except BlockingIOError as error:
        opened.close()
        raise RunTaken(
            f"another runner is writing {log.parent}; choose another --out, or wait until it has ended"
        ) from error
    opened.truncate(0)
    return opened


def read_run(folder: Path) -> StoredRun:
    """A run's events and result. A line cut short by a crash becomes a gap.

    Raises:
        MissingRun: there is no run in the folder.
        RunError: it is damaged.
    """
    log = folder / _LOG
    if not log.is_file():
        raise MissingRun(f"expected a run in {folder}, found no {_LOG}")
    events: list[Event] = []
    lines = log.read_bytes().split(b"\n")
    for number, line in enumerate(lines):
        if not line:
            continue
        try:
            events.append(load_event(line))
        except (ValidationError, ValueError) as error:
            if number == len(lines) - 1:
                at = events[-1].at if events else 0
                events.append(GapEvent(seq=len(events), at=at, reason="the log ends in the middle of a line"))
                break
            raise RunError(f"{log}:{number + 1} is damaged: it is {_what_is_wrong(error)}") from error
    return StoredRun(folder, finished_result(folder), events)


def _what_is_wrong(error: ValueError) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    if error.errors(include_url=False)[0]["type"] == "json_invalid":
        return "no JSON"
    return f"no event: {wrong_fields(error)[0]}"


def seen_from(folder: Path, place: Path) -> str:
    """The way from a run's folder to a place, so that both can be moved together; absolute from one root to another."""
    start, end = folder.resolve(), place.resolve()
    if os.path.commonpath((start, end)) == start.anchor:
        return str(end)
    return os.path.relpath(end, start)


def finished_result(folder: Path) -> RunResult | None:
    """The result of a run that was finished, None where it was not."""
    path = folder / _RESULT
    if not path.is_file():
        return None
    try:
        return RunResult.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise RunError(f"{path} is damaged: {wrong_fields(error)[0]}; remove the folder to play it again") from error


def read_runs(folder: Path) -> list[RunResult]:
    """The results of all complete runs below a folder, oldest name first."""
    found = []
    for path in sorted(folder.glob(f"**/{_RESULT}")):
        found.append(RunResult.model_validate_json(path.read_bytes()))
    return found
