"""Brownout as somebody has it who installed the wheel: an environment of its own, with nothing of the checkout in it."""

import os
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

__all__ = ["ROOT", "Done", "Installation", "build_wheel", "install"]

ROOT = Path(__file__).parents[2]
ALL_EXTRAS = "studio,llm,rollouts"


@dataclass(frozen=True)
class Done:
    """A command that has ended."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Installation:
    """A virtual environment with the wheel in it, and a folder to work in."""

    folder: Path
    home: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def environment(self) -> dict[str, str]:
        """The variables that commands see: neither the checkout's nor a cache of packages that it has built."""
        kept = {name: os.environ[name] for name in os.environ if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        return {**kept, "PATH": path, "TMPDIR": str(self.home), "COLUMNS": "100"}

    def run(self, *command: str, **variables: str) -> Done:
        """Run a command in the folder to work in."""
        found = subprocess.run(
            command,
            cwd=self.home,
            env={**self.environment, **variables},
            capture_output=True,
            text=True,
            timeout=300,
            encoding="utf-8",
        )
        return Done(found.returncode, found.stdout, found.stderr)

    def brownout(self, *arguments: str, **variables: str) -> Done:
        """Run `brownout`, the installed one."""
        return self.run(str(self.folder / "bin" / "brownout"), *arguments, **variables)


def build_wheel(folder: Path, source: Path = ROOT) -> Path:
    """The wheel of a checkout or an unpacked sdist, in a folder."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    [wheel] = folder.glob("*.whl")
    return wheel


def install(wheel: Path, folder: Path, *, from_registry: bool) -> Installation:
    """The wheel in an environment of its own.

    Args:
        from_registry: with every extra and all that it needs, as pip gets it; else beside what is installed here.
    """
    home = folder / "home"
    home.mkdir(parents=True)
    made = Installation(folder / "environment", home)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(made.folder)], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(made.python), "install", "--quiet", "--no-compile"]
    if from_registry:
        wanted = [f"{wheel}[{ALL_EXTRAS}]", "--constraint", str(ROOT / "constraints.txt")]
    else:
        wanted = ["--no-deps", "--no-index", str(wheel)]
        site = subprocess.run(
            [made.python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        # After the environment's own folder, and without what is installed there as a link to a checkout.
        (Path(site.stdout.strip()) / "beside.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    subprocess.run([*pip, *wanted], check=True, cwd=home)
    return made
