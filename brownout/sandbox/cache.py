"""A folder for what is built once on this machine: the interpreter's copy and the clock library.

Its path is short and says nothing about the host, because `/proc/self/mountinfo` shows the source of every
bind mount. The unprivileged user of the sandbox can reach it, other users cannot write to it.
"""

import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from brownout.core.errors import SandboxUnavailable
from brownout.core.own_folders import own_folder

__all__ = ["built", "cache_folder"]

_VARIABLE = "BROWNOUT_SANDBOX_CACHE"
_COUNT = ".count"


def cache_folder() -> Path:
    """The folder, made if need be: `/var/tmp/runtime-<uid>`, or what BROWNOUT_SANDBOX_CACHE names.

    Raises:
        SandboxUnavailable: it belongs to another user, or others may write to it.
    """
    folder = Path(os.environ.get(_VARIABLE) or f"/var/tmp/runtime-{os.geteuid()}")
    if problem := own_folder(folder, mode=0o711):
        raise SandboxUnavailable(f"{problem}; remove it, or set {_VARIABLE} to another folder")
    if folder.stat().st_mode & 0o777 != 0o711:
        folder.chmod(0o711)
    return folder


def built(name: str, build: Callable[[Path], None]) -> Path:
    """The cached folder `name`, filled by `build(folder)` the first time; two builders at once do no harm.

    `name` must change with everything the content depends on. A folder that lost files (systems clean `/var/tmp`
    by age) is built again.
    """
    place = cache_folder() / name
    if place.is_dir() and _is_whole(place):
        return place
    draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=cache_folder()))
    try:
        (draft / "old").mkdir()
        (draft / "new").mkdir()
        build(draft / "new")
        count = _make_readable(draft / "new")
        (draft / "new" / _COUNT).write_text(f"{count}\n")
        with suppress(FileNotFoundError):
            place.rename(draft / "old" / name)
        try:
            (draft / "new").rename(place)
        except OSError:
            if not place.is_dir():  # else another builder was faster
                raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return place


def _is_whole(place: Path) -> bool:
    try:
        expected = int((place / _COUNT).read_text())
    except (OSError, ValueError):
        return False
    return expected == sum(len(folders) + len(names) for _, folders, names in os.walk(place)) - 1


def _make_readable(top: Path) -> int:
    """Let everybody read what lies below; how many files and folders that is."""
    top.chmod(0o755)
    count = 0
    for folder, folders, names in os.walk(top):
        count += len(folders) + len(names)
        for name in folders:
            Path(folder, name).chmod(0o755)
        for name in names:
            path = Path(folder, name)
            if not path.is_symlink():
                path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
    return count
