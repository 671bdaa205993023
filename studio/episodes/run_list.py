"""The runs in a folder. A damaged run is listed with what is wrong with it; it hides no other."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pydantic import ValidationError

from brownout.annotations import answered
from brownout.annotations.human_verdicts import ANSWERS
from brownout.core.errors import RunError
from brownout.rollouts.recorder import RunResult

__all__ = ["Listing", "Run", "find_run", "list_runs"]

_RESULT = "run.json"
_LOG = "trajectory.jsonl"


@dataclass(frozen=True, slots=True)
class Run:
    """A run in a list.

    Attributes:
        id: its folder below the folder of runs; what links name it by.
        result: None where it has not ended, or cannot be read.
        problem: what is wrong with it, empty where nothing is.
        changed: when its files last changed, seconds since the epoch.
    """

    id: str
    folder: Path
    result: RunResult | None
    problem: str
    changed: float

    @property
    def reward(self) -> float | None:
        """Its reward, None where it was not judged."""
        return self.result.reward if self.result else None

    @property
    def resolved(self) -> bool:
        """Whether every gate held and every point was earned."""
        return self.result.resolved if self.result else False

    @property
    def status(self) -> str:
        """How it ended, in a word."""
        if self.problem:
            return "damaged"
        return self.result.status if self.result else "not finished"

    @property
    def player(self) -> str:
        """Who played it, with the model or the script it was played by: `oracle`, `llm · openai/x`; empty where it has not ended."""
        if self.result is None:
            return ""
        by = self.result.model or (self.result.answer if self.result.agent != "noop" else "")
        return f"{self.result.agent} · {by}" if by else self.result.agent

    @property
    def agent(self) -> str:
        """Who played it, with the model; an author's scripts of one kind are one agent: `lazy`; empty where it has not ended."""
        if self.result is None:
            return ""
        return f"{self.result.agent} · {self.result.model}" if self.result.model else self.result.agent

    @property
    def why_null(self) -> str:
        """Why there is no reward, empty where there is one."""
        if self.reward is not None:
            return ""
        if self.result is None:
            return self.problem or "the run has not ended"
        return self.result.failure or "it was not judged"


@dataclass(frozen=True, slots=True)
class Listing:
    """The runs of a folder, the one that changed last first."""

    folder: Path
    runs: tuple[Run, ...]


def list_runs(folder: Path) -> Listing:
    """Every run below a folder, but for those in hidden folders, which are nobody's to count: a check plays its episodes there."""
    logs = {path.parent for path in folder.glob(f"**/{_LOG}")}
    runs = [_run(folder, place) for place in logs if not _is_hidden(place.relative_to(folder))]
    return Listing(folder, tuple(sorted(runs, key=lambda run: (-run.changed, run.id))))


def _is_hidden(place: Path) -> bool:
    return any(part.startswith(".") for part in place.parts)


def find_run(folder: Path, name: str) -> Run | None:
    """The run that a link names, also one that is not listed; nothing outside the folder is ever found."""
    root = folder.resolve()
    place = (root / name).resolve()
    if not name or not place.is_relative_to(root) or place == root or not (place / _LOG).is_file():
        return None
    return _run(root, place)


def _run(folder: Path, place: Path) -> Run:
    name = place.relative_to(folder).as_posix()
    path = place / _RESULT
    if not path.is_file():
        return Run(name, place, None, "", (place / _LOG).stat().st_mtime)
    stat = path.stat()
    answers = place / ANSWERS
    said = answers.stat().st_mtime_ns if answers.is_file() else 0
    result, problem = _result(path, stat.st_mtime_ns, stat.st_size, said)
    return Run(name, place, result, problem, stat.st_mtime)


@lru_cache(maxsize=20_000)
def _result(path: Path, stamp: int, size: int, said: int) -> tuple[RunResult | None, str]:
    try:
        return answered(RunResult.model_validate_json(path.read_bytes()), path.parent), ""
    except RunError as error:
        return None, str(error)
    except (OSError, ValidationError) as error:
        first = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error.strerror
        return None, f"{path.name} cannot be read: {first}"
