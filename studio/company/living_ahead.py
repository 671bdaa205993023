"""Lives through companies' calendars in a process of its own and keeps on disk what that comes to: how much happens when, and moments, so
that whoever looks simulates little.

    python -m studio.company.living_ahead STUDIO_PID [PACKAGE_FOLDER]

Without a folder: every world that the studio knows and that is built, the newest package first. It is as polite as a process
can be, leaves a package alone that another one is at, and ends when the studio does.
"""

import fcntl
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree

from brownout.catalog import default_cache, packages_of
from brownout.core.errors import BrownoutError
from brownout.core.instants import DAY, Instant
from brownout.engine.world import World
from studio.company.company_view import moments_of
from studio.company.everyday_activity import count_everyday, everyday_counts
from studio.known_worlds import known_worlds
from studio.start_options import choices
from worlds.package import Package, open_package

__all__ = ["live_ahead"]

_POLITE = 15
_MOST = 6
"""Worlds that are lived through without anybody having looked at them."""
_DONE = ".done"
"""Is in a folder of moments that reach to the end of the calendar."""
_OLD_SECONDS = 6 * 3600.0
_begun: set[str] = set()
_lock = threading.Lock()


def live_ahead(package: Package | None = None) -> None:
    """Begin with a package, or with all that is built, unless that was begun before; returns at once."""
    known = package.manifest.digest if package is not None else ""
    with _lock:
        if known in _begun or not choices().lives_ahead:
            return
        _begun.add(known)
    command = [sys.executable, "-P", "-m", "studio.company.living_ahead", str(os.getpid())]
    command += [str(package.folder)] if package is not None else []
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
    threading.Thread(target=process.wait, name=f"studio-ahead-{process.pid}", daemon=True).start()


def main() -> None:
    """Do it."""
    os.nice(_POLITE)
    studio, folders = int(sys.argv[1]), [Path(folder) for folder in sys.argv[2:]]
    for package in map(open_package, folders) if folders else _built():
        if os.getppid() != studio:
            return
        _live_through(package, studio)


def _built() -> Iterator[Package]:
    """The newest package of each known world's folder, the newest of all first."""
    cache = default_cache()
    newest = (_newest(packages_of(world.folder, folder=cache)) for world in known_worlds().values())
    dated = sorted((place.stat().st_mtime_ns, place.parent) for place in newest if place is not None)
    for _, folder in dated[::-1][:_MOST]:
        with suppress(BrownoutError):
            yield open_package(folder)


def _newest(places: list[Path]) -> Path | None:
    """The manifest of the first package that is still there."""
    return next((manifest for place in places if (manifest := place / "manifest.json").is_file()), None)


def _live_through(package: Package, studio: int) -> None:
    kept = moments_of(package)
    if (kept / _DONE).exists() and everyday_counts(package) is not None:
        return
    _forget_older(kept)
    try:
        with _alone(kept) as is_alone:
            if not is_alone:
                return
            count_everyday(package)
            with World(package, hot=1) as world:
                preview = world.preview(kept=kept)
                for at in _days(package):
                    if os.getppid() != studio:
                        return
                    preview.go(at)
            (kept / _DONE).touch()
    except (BrownoutError, OSError):
        return  # whoever looks at it is told


def _days(package: Package) -> list[Instant]:
    """Moments a day apart over the whole calendar: first those of its tasks, then what was before them."""
    first, last = package.manifest.calendar
    start = min((task.start for task in package.tasks.values()), default=first)
    return [*range(start, last, DAY), last, *range(first, start, DAY)]


def _forget_older(kept: Path) -> None:
    """Take away moments of the same package that earlier code kept."""
    for other in kept.parent.glob("*/"):
        with suppress(OSError):
            if other != kept and time.time() - other.stat().st_mtime > _OLD_SECONDS:
                rmtree(other)


@contextmanager
def _alone(folder: Path) -> Iterator[bool]:
    """Whether no other process keeps moments there ahead of time."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".ahead").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield True


if __name__ == "__main__":
    main()
