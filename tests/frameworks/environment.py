"""An environment of its own for a framework, kept between runs for as long as its requirements stay the same."""

import os
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from tempfile import gettempdir

__all__ = ["Environment", "environment_for", "readme_commands"]


@dataclass(frozen=True)
class Environment:
    """A virtual environment that holds a framework and what an export needs, but not the export."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    def run(self, command: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a shell command in which the environment is active, as it would be for a reader of the README."""
        kept = {name: os.environ[name] for name in os.environ if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        return subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command],
            cwd=cwd,
            env={
                **kept,
                "PATH": path,
                "XDG_DATA_HOME": str(self.folder / "data"),
                "INSPECT_DISPLAY": "plain",
                "INSPECT_LOG_FORMAT": "json",
                **variables,
            },
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )


def environment_for(export: Path, extra: str) -> Environment:
    """The environment for an export's requirements, those of an extra included; made at first use."""
    project = tomllib.loads((export / "pyproject.toml").read_text())["project"]
    wanted = sorted([*project["dependencies"], *project["optional-dependencies"][extra]])
    digest = blake2b("\n".join([sys.version, *wanted]).encode(), digest_size=6).hexdigest()
    folder = Path(gettempdir()) / f"brownout-frameworks-{os.getuid()}" / digest
    made = folder / "made"
    if not made.is_file():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        subprocess.run([str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", *wanted], check=True)
        made.touch()
    return Environment(folder)


def readme_commands(export: Path) -> list[str]:
    """The shell blocks of an export's README, in order."""
    return re.findall(r"^```sh\n(.*?)^```$", (export / "README.md").read_text(), re.MULTILINE | re.DOTALL)
