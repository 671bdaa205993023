"""An environment of its own for a framework, kept between runs for as long as its requirements stay the same.

One run at a time has an environment: what it installs there is of its own code. A second one waits. A test is skipped where this machine lacks a Python; where what an export pins does not install, it fails.
"""

import fcntl
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.parser import Parser
from hashlib import blake2b
from pathlib import Path
from tempfile import gettempdir
from zipfile import ZipFile

import pytest
from packaging.specifiers import SpecifierSet

__all__ = [
    "PYTHONS",
    "BrokenPins",
    "Environment",
    "environment_for",
    "environment_with",
    "make_environment",
    "needed",
    "overlooked",
    "python_of",
    "readme_commands",
]

ROOM = Path(gettempdir()) / f"brownout-frameworks-{os.getuid()}"
PYTHONS = {"inspect": "3.11", "nemo-gym": "3.13", "openenv": "3.11", "trl": "3.11", "verifiers": "3.11"}
"""Each framework, and the Python that its export is proven on."""

_LONGEST_SECONDS = 1_800
_MADE = "made"
"""The file that an environment gets when everything is in it."""


class BrokenPins(Exception):
    """What was asked for cannot be installed; the message is pip's."""


@dataclass(frozen=True)
class Environment:
    """A virtual environment that holds a framework and what an export needs, but not the export."""

    folder: Path
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    def run(self, command: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a shell command in which the environment is active, as it would be for a reader of the README."""
        return subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command],
            cwd=cwd,
            env=self.variables(**variables),
            capture_output=True,
            text=True,
            check=False,
            timeout=_LONGEST_SECONDS,
        )

    def variables(self, **more: str) -> dict[str, str]:
        """What a process in the environment sees."""
        kept = {name: os.environ[name] for name in os.environ if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
        return {
            **kept,
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "XDG_DATA_HOME": str(self.folder / "data"),
            "INSPECT_DISPLAY": "plain",
            "INSPECT_LOG_FORMAT": "json",
            "HF_HUB_OFFLINE": "1",
            "TRL_EXPERIMENTAL_SILENCE": "1",
            **self.settings,
            **more,
        }


def needed(export: Path) -> list[str]:
    """What an export and its runtime need from others."""
    project = tomllib.loads((export / "pyproject.toml").read_text())["project"]
    carried = {wheel.name.partition("-")[0].replace("_", "-") for wheel in (export / "runtime").iterdir()}
    found = [one for one in project["dependencies"] if one.partition("==")[0] not in carried]
    for wheel in (export / "runtime").iterdir():
        with ZipFile(wheel) as opened:
            metadata = next(name for name in opened.namelist() if name.endswith(".dist-info/METADATA"))
            told = Parser().parsestr(opened.read(metadata).decode())
        found += [one for one in told.get_all("Requires-Dist", []) if "extra ==" not in one]
    return sorted(set(found) - {one for one in found if re.split(r"[=<>~ ]", one)[0] in carried})


def make_environment(
    folder: Path,
    python: str,
    wanted: Sequence[str],
    *words: str,
    settings: Mapping[str, str] | None = None,
    uv: str | None = None,
) -> Environment:
    """A new environment with some packages.

    Args:
        words: more for `pip install`.
        settings: variables for pip, and for what is run there later.
        uv: the program that installs; pip where there is none.

    Raises:
        BrokenPins: they cannot be installed.
    """
    subprocess.run([python, "-m", "venv", "--clear", str(folder)], check=True)
    found = Environment(folder, settings or {})
    home = str(found.python)
    pip = [uv, "pip", "install", "--python", home] if uv else [home, "-m", "pip", "install"]
    command = [*pip, "--quiet", *words, *wanted, "hatchling"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=found.variables())
    if done.returncode:
        told = [line for line in done.stderr.splitlines() if not line.startswith(("WARNING", "[notice]"))]
        raise BrokenPins("\n".join(told[-20:]) or f"pip exits with {done.returncode}")
    return found


@contextmanager
def environment_for(export: Path, python: str = sys.executable) -> Iterator[Environment]:
    """The environment for an export's requirements in the versions that it names, with the export installed by the first command of its README.

    Where the export asks for a later Python than this one, pip is told to overlook that, there and in what it is asked
    afterwards: docs/exports.md says what was proven with which.
    """
    constraints = export / "constraints.txt"
    wanted = needed(export)
    known_by = (*wanted, constraints.read_text())
    settings = overlooked(export, python)
    with environment_with(wanted, "-c", str(constraints), python=python, known_by=known_by, settings=settings) as found:
        done = found.run(readme_commands(export)[0].splitlines()[0], cwd=export)
        assert done.returncode == 0, done.stdout + done.stderr
        yield found


def overlooked(export: Path, python: str) -> dict[str, str]:
    """What tells pip to overlook that an interpreter is not one that an export asks for; nothing where it is."""
    told = subprocess.run([python, "-V"], check=True, capture_output=True, text=True).stdout
    project = tomllib.loads((export / "pyproject.toml").read_text())["project"]
    is_asked_for = told.split()[1] in SpecifierSet(project["requires-python"])
    return {} if is_asked_for else {"PIP_IGNORE_REQUIRES_PYTHON": "1"}


def python_of(version: str) -> str:
    """An interpreter of that version; the test is skipped, saying so, where this machine has none."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [*sorted(pyenv.glob(f"{version}.*/bin/python"), reverse=True), shutil.which(f"python{version}")]
    if not found or found[0] is None:
        pytest.skip(f"needs Python {version}, which is not on this machine")
    return str(found[0])


@contextmanager
def environment_with(
    wanted: Sequence[str],
    *words: str,
    python: str = sys.executable,
    known_by: Sequence[str] = (),
    settings: Mapping[str, str] | None = None,
) -> Iterator[Environment]:
    """The environment with some packages, made at first use and kept; no other process has it while the block lasts.

    Args:
        words: more for `pip install`.
        known_by: what another environment would differ in; the packages and words where nothing is given.
    """
    version = subprocess.run([python, "-VV"], check=True, capture_output=True, text=True).stdout
    key = blake2b("\n".join([version, *(known_by or (*wanted, *words))]).encode(), digest_size=6).hexdigest()
    folder = ROOM / key
    with _alone(ROOM / f"{key}.lock"):
        if not _is_made(folder):
            try:
                make_environment(folder, python, wanted, *words, settings=settings)
            except BrokenPins as error:
                pytest.fail(f"what is pinned does not install: {error}", pytrace=False)
            (folder / _MADE).touch()
        yield Environment(folder, settings or {})


def _is_made(folder: Path) -> bool:
    """Whether an environment was made to its end, and the interpreter that it was made with is still there."""
    return (folder / _MADE).is_file() and Environment(folder).python.exists()


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """A block that one process at a time is in. The system gives the lock back however a process ends."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def readme_commands(export: Path) -> list[str]:
    """The shell blocks of an export's README, in order."""
    return re.findall(r"^```sh\n(.*?)^```$", (export / "README.md").read_text(), re.MULTILINE | re.DOTALL)
