"""Tries the newest version of each framework with its export of `tiny`, and prints a table: `make frameworks-latest`.

Each gets a fresh environment without any pins, made by uv where that is on the path, in which the check of the export's README is run. What breaks there is news, not a
mistake of ours: the exit code is 0 whatever the table says. An error of our own (a world that does not build, an export that is
not written) ends it with a traceback.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import brownout
from brownout.exporters.exporter import export_world
from brownout.exporters.lock import read_lock
from tests.frameworks.environment import (
    PYTHONS,
    BrokenPins,
    Environment,
    make_environment,
    needed,
    overlooked,
    python_of,
    readme_commands,
)

__all__ = ["first_failing_line", "main"]

_SHOWN = 160
_FAILS = re.compile(r"(?i)error|expected|cannot|could not")


@dataclass(frozen=True)
class Attempt:
    """What came of the newest version of a framework.

    Attributes:
        pinned: the version that the export was tried with.
        newest: the version that pip chose; empty where none was installed.
        result: `works`, `breaks`, `does not install` or `not tried`.
        line: the first one that says what failed.
    """

    framework: str
    pinned: str
    newest: str
    python: str
    result: str
    line: str = ""

    def row(self) -> str:
        """A row of the table."""
        cells = [self.framework, self.pinned, self.newest or "-", self.python, self.result, self.line or "-"]
        return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def main(names: Sequence[str]) -> None:
    """Print the table, a row as soon as it is known."""
    sys.stdout.write(f"Tried on {datetime.now(UTC):%-d %B %Y}.\n\n")
    sys.stdout.write(
        "| framework | pinned | newest | Python | result | first failing line |\n|---|---|---|---|---|---|\n"
    )
    with TemporaryDirectory(prefix="brownout-latest-") as place:
        package = brownout.build("tiny", out=Path(place) / "package")
        for name in names:
            export = export_world(name, package, Path(place) / name / "tiny")
            sys.stdout.write(f"{_tried(name, export).row()}\n")
            sys.stdout.flush()


def _tried(name: str, export: Path) -> Attempt:
    framework, _, pinned = read_lock(export).requires[0].partition("==")
    version, folder = PYTHONS[name], export.parent / "environment"
    begun = Attempt(framework, pinned, "", version, "not tried")
    try:
        python = python_of(version)
    except pytest.skip.Exception as reason:
        return _ended(begun, "not tried", str(reason))
    wanted = [one.replace(f"{framework}=={pinned}", framework) for one in needed(export)]
    settings = overlooked(export, python)
    uv = None if settings else shutil.which("uv")  # it overlooks nothing
    try:
        wheels = map(str, (export / "runtime").iterdir())
        made = make_environment(folder, python, [*wanted, *wheels], settings=settings, uv=uv)
    except BrokenPins as error:
        return _ended(begun, "does not install", first_failing_line(str(error)))
    newest = _version(made, framework)
    installed = made.run("python -m pip install --quiet --no-deps .", cwd=export)
    if installed.returncode:
        raise RuntimeError(f"the export to {name} cannot be installed: {installed.stderr}")
    return _checked(Attempt(framework, pinned, newest, version, "works"), made, export)


def _checked(begun: Attempt, environment: Environment, export: Path) -> Attempt:
    """What the check of the README says."""
    check = "\n".join(readme_commands(export)[0].splitlines()[1:])
    try:
        done = environment.run(check, cwd=export)
    except subprocess.TimeoutExpired as error:
        return _ended(begun, "breaks", f"no end after {error.timeout:.0f} seconds")
    return _ended(begun, "breaks", first_failing_line(done.stdout + done.stderr)) if done.returncode else begun


def _ended(begun: Attempt, result: str, line: str) -> Attempt:
    return Attempt(begun.framework, begun.pinned, begun.newest, begun.python, result, line[:_SHOWN])


def first_failing_line(text: str) -> str:
    """The line that says what failed: an exception's own, or the first that speaks of an error; else the last one.

    Example:
        >>> first_failing_line("Traceback (most recent call last):\\n  File ...\\nImportError: no Toolset\\n")
        'ImportError: no Toolset'
    """
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    begin = next((at for at, line in enumerate(lines) if line.startswith("Traceback (")), len(lines))
    raised = (line for line in lines[begin + 1 :] if not line.startswith(" "))
    named = (line.strip() for line in lines if _FAILS.search(line))
    return next(raised, "") or next(named, "") or ["nothing", *lines][-1].strip()


def _version(environment: Environment, distribution: str) -> str:
    program = f"from importlib.metadata import version; print(version('{distribution}'))"
    return environment.run(f'python -c "{program}"', cwd=environment.folder).stdout.strip()


if __name__ == "__main__":
    main(sys.argv[1:] or sorted(PYTHONS))
