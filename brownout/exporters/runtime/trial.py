"""Opens an exported world in another process before anybody else does."""

import subprocess
import sys
from pathlib import Path

from brownout.core.errors import ExportError

__all__ = ["open_exported"]

_PROGRAM = """
import sys
from importlib import import_module
from pathlib import Path

place, module, *tasks = sys.argv[1:]
before = set(sys.modules)
sys.path.insert(0, place)
episodes = import_module(f"{module}._runtime.brownout.exporters.episodes").Episodes(Path(place) / module / "world")
for task in tasks:
    episodes.instructions(task)
ours = ("brownout", "worlds", "tools", "graders", "generators", "studio")
leaked = [name for name in sorted(set(sys.modules) - before) if name.partition(".")[0] in ours]
sys.exit(f"ImportError: the exported runtime imported {', '.join(leaked)}" if leaked else 0)
"""


def open_exported(folder: Path, module: str, tasks: list[str]) -> None:
    """Open the world and a session of each task with the runtime that was exported, and no other.

    Raises:
        ExportError: that fails, for instance because the package was built by another version of the code.
    """
    command = [sys.executable, "-I", "-B", "-c", _PROGRAM, str(folder), module, *tasks]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        why = (done.stderr.strip() or "no reason was given").splitlines()[-1]
        raise ExportError(f"the export cannot be opened, so it was not kept: {why}")
