"""How far a command is, for whoever waits: bars where stderr is a terminal, lines of JSON where a file was named for them."""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import orjson

from brownout.cli.output import errors

__all__ = ["PROGRESS", "ProgressFile", "Told", "stages"]

PROGRESS = "BROWNOUT_PROGRESS"
"""Environment variable: a file that gets a line for each step of the work: `{"stage", "title", "done"}`, done from 0 to 1."""
Told = Callable[[str, float], None]
_LEAST = 0.005
_PAUSE_SECONDS = 0.2


class ProgressFile:
    """Writes down how far the work is, where somebody named a file for it."""

    def __init__(self, titles: Mapping[str, str]) -> None:
        """Begin.

        Args:
            titles: what stages are called, by name.
        """
        named = os.environ.get(PROGRESS)
        self._path = Path(named) if named else None
        self._titles = titles
        self._stage, self._done, self._at = "", -1.0, 0.0

    def __call__(self, stage: str, done: float, note: str = "") -> None:
        """Tell how much of a stage is done, from 0 to 1; what hardly differs from what was told last is left out."""
        if self._path is None:
            return
        now = time.monotonic()
        is_more = stage != self._stage or done >= 1 or bool(note)
        if not is_more and (done - self._done < _LEAST or now - self._at < _PAUSE_SECONDS):
            return
        self._stage, self._done, self._at = stage, done, now
        line = {"stage": stage, "title": self._titles.get(stage, stage), "done": round(done, 4), "note": note}
        with self._path.open("ab") as file:
            file.write(orjson.dumps(line) + b"\n")


@contextmanager
def stages(titles: Mapping[str, str]) -> Iterator[Told]:
    """A bar for each stage with the time that is left, on stderr where that is a terminal; gone when all is done.

    Whoever named a file for it (`PROGRESS`) can read there how far the work is.

    Args:
        titles: what stages are called, by name.

    Yields:
        What is told a stage's name and how much of it is done, from 0 to 1.
    """
    to_file, begun = ProgressFile(titles), ""

    def noted(stage: str, done: float) -> None:
        nonlocal begun
        begun = titles.get(stage, stage)
        to_file(stage, done)

    try:
        with _bars(titles, noted) as told:
            yield told
    except Exception as error:
        if begun:
            error.add_note(f"the stage “{begun}”")
        raise


@contextmanager
def _bars(titles: Mapping[str, str], further: Told) -> Iterator[Told]:
    """The bars, where stderr is a terminal; what is told goes further also where there are none."""
    if not errors.is_terminal:
        yield further
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description:<28}"), BarColumn(), TimeRemainingColumn(compact=True)
    with Progress(*columns, console=errors, transient=True) as shown:
        bars = {name: shown.add_task(title, total=1.0, visible=False) for name, title in titles.items()}

        def told(stage: str, done: float) -> None:
            shown.update(bars[stage], completed=done, visible=True)
            further(stage, done)

        yield told
