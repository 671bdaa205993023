"""Follows the text of a world: whatever is saved is built at once, or said to be wrong."""

import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.markup import escape

from brownout.catalog import built_package, own_folder_of
from brownout.cli.output import console
from brownout.cli.ports import ADDRESS, free_port
from brownout.core.errors import AuthoringError, BrownoutError
from brownout.core.extras import need_extra
from worlds.package import Package

__all__ = ["BuildOutcome", "Follower", "dev"]

_LOOK_SECONDS: Final = 0.1
_SHOWN: Final = 12


@dataclass(frozen=True, slots=True)
class BuildOutcome:
    """What came of a text.

    Attributes:
        package: what was built of it, None where it cannot be.
        wrong: what is wrong with it, a line each.
        seconds: how long the build took.
    """

    package: Package | None
    wrong: tuple[str, ...]
    seconds: float


class Follower:
    """Builds a world's text whenever it has changed since it was looked at last.

    Args:
        cache: where packages are kept; None is the usual place.
    """

    def __init__(self, folder: Path, cache: Path | None = None) -> None:
        self._folder = folder
        self._cache = cache
        self._stamp: object = None

    def look(self) -> BuildOutcome | None:
        """What came of the text as it is now; None where it is as it was."""
        stamp = self._now()
        if stamp == self._stamp:
            return None
        self._stamp = stamp
        began = time.perf_counter()
        try:
            package = built_package(self._folder, folder=self._cache)
        except AuthoringError as error:
            return BuildOutcome(None, tuple(map(str, error.mistakes)), time.perf_counter() - began)
        except BrownoutError as error:
            return BuildOutcome(None, (str(error),), time.perf_counter() - began)
        return BuildOutcome(package, (), time.perf_counter() - began)

    def _now(self) -> tuple[tuple[str, int, int], ...]:
        found = []
        for path in sorted(self._folder.rglob("*")):
            parts = path.relative_to(self._folder).parts
            if any(part.startswith(".") or part == "__pycache__" for part in parts):
                continue
            try:
                stat = path.stat()
            except FileNotFoundError:
                continue
            found.append(("/".join(parts), stat.st_mtime_ns, stat.st_size))
        return tuple(found)


def dev(world: str, port: int | None, runs: Path) -> None:
    """Build a world whenever its text is saved, and show it in the studio as it then is."""
    folder = own_folder_of(world).resolve()
    need_extra("the studio", "studio")
    chosen = free_port(port)
    command = [sys.executable, "-P", "-m", "studio.__main__", "--port", str(chosen), "--runs", str(runs), "--follow"]
    studio = subprocess.Popen([*command, "--worlds", str(folder.parent)])
    console.print(f"[bold]http://{ADDRESS}:{chosen}/preview?world={folder.name}[/]  (Ctrl-C stops it)", soft_wrap=True)
    follower = Follower(folder)
    try:
        while studio.poll() is None:
            if seen := follower.look():
                _tell(seen)
            time.sleep(_LOOK_SECONDS)
    except KeyboardInterrupt:
        pass
    finally:
        studio.terminate()
        studio.wait()


def _tell(seen: BuildOutcome) -> None:
    if seen.package is not None:
        digest = seen.package.manifest.digest
        console.print(f"[green]✓[/] built {digest[:12]} in {seen.seconds:.1f} s")
        return
    for line in seen.wrong[:_SHOWN]:
        console.print(f"[red]✗[/] {escape(line)}", soft_wrap=True)
    if len(seen.wrong) > _SHOWN:
        console.print(f"  and {len(seen.wrong) - _SHOWN} more")
