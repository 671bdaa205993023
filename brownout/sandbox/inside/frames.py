"""Files as a byte stream, spoken on both sides of the sandbox's wall.

One frame a file: a fixed head, the path, the content. Paths are bytes relative to `/`; they may hold any byte
but NUL. The reader on the outside trusts nothing: lengths are bounded and paths are checked.
"""

import stat
from collections.abc import Callable, Iterator
from struct import Struct

__all__ = ["END", "GONE", "LEFT_OUT", "LONGEST_PATH", "Frame", "FrameError", "frames", "is_plain", "pack"]

_HEAD = Struct("<HIqQ")  # path length, mode, modification time in ns, content length
LONGEST_PATH = 4000

GONE = 0
"""Mode of a path that no longer exists."""
LEFT_OUT = 0xFFFFFFFF
"""Mode of a path that is not carried: a socket, a pipe, or one that vanished while it was read."""
END = _HEAD.pack(0, 0, 0, 0)


class FrameError(ValueError):
    """Bytes that are no frame."""


class Frame:
    """One path: its mode (type and permissions), its modification time and its content.

    The content is a file's bytes, a link's target, or empty for a directory.
    """

    __slots__ = ("content", "mode", "mtime", "path")

    def __init__(self, path: bytes, mode: int, mtime: int, content: bytes = b"") -> None:
        self.path = path
        self.mode = mode
        self.mtime = mtime
        self.content = content


def pack(frame: Frame) -> bytes:
    """The bytes of one frame; a stream of them ends with `END`."""
    return _HEAD.pack(len(frame.path), frame.mode, frame.mtime, len(frame.content)) + frame.path + frame.content


def is_plain(path: bytes) -> bool:
    """True for a relative path that leads down only: no empty part, no `.`, no `..`, no NUL, not too long."""
    parts = path.split(b"/")
    return len(path) <= LONGEST_PATH and b"\0" not in path and all(part not in (b"", b".", b"..") for part in parts)


def frames(read: Callable[[int], bytes], most: int) -> Iterator[Frame]:
    """The frames that `read(count)` (exactly so many bytes, fewer only at the end) gives.

    Raises:
        FrameError: more than `most` bytes of content, a bad path or mode, or an early end.
    """
    total = 0
    while True:
        head = read(_HEAD.size)
        if len(head) != _HEAD.size:
            raise FrameError("the stream ended inside a frame")
        length, mode, mtime, size = _HEAD.unpack(head)
        if not length:
            return
        total += size + length
        if total > most:
            raise FrameError(f"more than {most} bytes")
        path, content = read(length), read(size)
        if len(path) != length or len(content) != size:
            raise FrameError("the stream ended inside a frame")
        known = mode in (GONE, LEFT_OUT) or stat.S_ISREG(mode) or stat.S_ISLNK(mode) or stat.S_ISDIR(mode)
        if not known or not is_plain(path):
            raise FrameError(f"a bad path or mode: {path[:200]!r} {mode:o}")
        yield Frame(path, mode, mtime, content)
