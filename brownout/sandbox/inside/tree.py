# ruff: noqa: PTH101, PTH102, PTH108, PTH115, PTH120, PTH123, PTH211
"""The workspace as the command server sees it: walk it, date it, send what changed, fill it.

Symbolic links are never followed and nothing but the workspace's own file systems is read. Paths are bytes, which
pathlib does not take.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brownout.sandbox.inside.frames import END, GONE, LEFT_OUT, LONGEST_PATH, Frame, frames, pack
else:
    from frames import END, GONE, LEFT_OUT, LONGEST_PATH, Frame, frames, pack

__all__ = ["Tree"]

_RECENT = 10_000_000  # ns: the kernel's file clock may stand still for so long


class Tree:
    """The folders that make up a session's workspace.

    Attributes:
        table: path -> (mtime, ctime, size, inode, mode) of what the outside has, so that only changes are sent.
    """

    def __init__(self, tops: list[bytes]) -> None:
        self.tops = tops
        self.table: dict[bytes, tuple[int, ...]] = {}
        name = b"/tmp/.probe"
        self._probe = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        os.unlink(name)
        self._dated = self.kernel_time()

    def kernel_time(self) -> int:
        """The real time in ns as the kernel dates files; the preloaded clock does not reach it."""
        os.utime(self._probe)
        return os.fstat(self._probe).st_mtime_ns

    def walk(self) -> Iterator[tuple[bytes, os.stat_result]]:
        """The tops and every path below with their status; folders before what they hold, in no other order.

        A folder its owner has closed stays open for as long as the walk takes.
        """
        closed: list[tuple[bytes, int]] = []
        try:
            for top in self.tops:
                here = os.lstat(top)
                yield top, here
                folders = [(top, here)]
                while folders:
                    folder, status = folders.pop()
                    if status.st_mode & 0o700 != 0o700:
                        _allow(folder, status.st_mode | 0o700)
                        closed.append((folder, status.st_mode))
                    for path, found in _scan(folder):
                        yield path, found
                        if stat.S_ISDIR(found.st_mode) and found.st_dev == here.st_dev:
                            folders.append((path, found))
        finally:
            for folder, mode in reversed(closed):
                _allow(folder, mode)

    def date(self, now: int) -> None:
        """Give `now` (ns) as modification time to everything written since the last call.

        Written since means: dated by the real clock since then. A date chosen by the program stays.
        """
        since, until = self._dated - _RECENT, self.kernel_time()
        for path, found in list(self.walk()):
            if since <= found.st_mtime_ns <= until:
                with suppress(OSError):  # gone meanwhile
                    os.utime(path, ns=(now, now), follow_symlinks=False)
        self._dated = until

    def send(self, out: int, everything: bool) -> None:
        """Write what changed since the last call, or everything, as frames."""
        if everything:
            self.table = {}
        begun = self.kernel_time() - _RECENT
        seen: dict[bytes, tuple[int, ...]] = {}
        with open(out, "wb", closefd=False) as stream:
            for path, found in self.walk():
                row = _row(found)
                if self.table.get(path) != row:
                    stream.write(pack(_read(path, found)))
                # What was written a moment ago may be written again without a new date: send it twice.
                seen[path] = row if found.st_ctime_ns < begun else ()
            for path in self.table.keys() - seen.keys():
                stream.write(pack(Frame(path[1:], GONE, 0)))
            stream.write(END)
        self.table = seen

    def fill(self, source: int, most: int, known: bool) -> None:
        """Write the frames read from `source`; `known`: the outside has them, they are no change.

        Raises:
            OSError: no space, or a path that leads through a link.
        """
        folders: dict[bytes, Frame] = {}
        sound: set[bytes] = set()
        with open(source, "rb", closefd=False) as stream:
            for frame in frames(stream.read, most):
                path = b"/" + frame.path
                if stat.S_ISDIR(frame.mode):
                    _folder(path, sound)
                    folders[path] = frame
                else:
                    _folder(os.path.dirname(path), sound)
                    _write(path, frame)
        for path, frame in sorted(folders.items(), reverse=True):
            os.chmod(path, stat.S_IMODE(frame.mode))
            os.utime(path, ns=(frame.mtime, frame.mtime))
        if known:
            self.table = {path: _row(found) for path, found in self.walk()}


def _row(found: os.stat_result) -> tuple[int, ...]:
    return (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino, found.st_mode)


def _allow(path: bytes, mode: int) -> None:
    with suppress(OSError):
        os.chmod(path, stat.S_IMODE(mode))


def _scan(folder: bytes) -> list[tuple[bytes, os.stat_result]]:
    """What lies in a folder; nothing where it cannot be read. Names beyond the longest path are passed over."""
    found = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if len(entry.path) <= LONGEST_PATH:
                with suppress(FileNotFoundError):
                    found.append((entry.path, entry.stat(follow_symlinks=False)))
    return found


def _read(path: bytes, found: os.stat_result) -> Frame:
    frame = Frame(path[1:], found.st_mode, found.st_mtime_ns)
    try:
        if stat.S_ISLNK(found.st_mode):
            frame.content = os.readlink(path)
        elif stat.S_ISREG(found.st_mode):
            frame.content = _content(path, found)
        elif not stat.S_ISDIR(found.st_mode):
            frame.mode = LEFT_OUT
    except OSError:
        frame.mode, frame.content = LEFT_OUT, b""
    return frame


def _content(path: bytes, found: os.stat_result) -> bytes:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags)
    except PermissionError:
        mode = stat.S_IMODE(found.st_mode)
        os.chmod(path, mode | 0o400)
        try:
            descriptor = os.open(path, flags)
        finally:
            os.chmod(path, mode)
    with open(descriptor, "rb") as stream:
        now = os.fstat(descriptor)
        if not stat.S_ISREG(now.st_mode) or now.st_dev != found.st_dev:
            raise OSError("replaced while it was read")
        return stream.read()


def _folder(path: bytes, sound: set[bytes]) -> None:
    """Make a folder and those above it unless they are `sound`; a link among them is an error, not a way out."""
    if path in sound or path == b"/":
        return
    _folder(os.path.dirname(path), sound)
    try:
        os.mkdir(path, 0o755)
    except OSError:
        if not stat.S_ISDIR(os.lstat(path).st_mode):
            raise
    sound.add(path)


def _write(path: bytes, frame: Frame) -> None:
    try:
        _make(path, frame)
    except FileExistsError:
        os.unlink(path)
        _make(path, frame)
    os.utime(path, ns=(frame.mtime, frame.mtime), follow_symlinks=False)


def _make(path: bytes, frame: Frame) -> None:
    if stat.S_ISLNK(frame.mode):
        os.symlink(frame.content, path)
        return
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with open(descriptor, "wb", buffering=0) as stream:
        left = memoryview(frame.content)
        while left:
            left = left[stream.write(left) or 0 :]
        os.fchmod(descriptor, stat.S_IMODE(frame.mode))
