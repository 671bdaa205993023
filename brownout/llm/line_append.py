"""Lines at the end of a recording, each whole or not at all."""

from pathlib import Path

__all__ = ["append_line"]


def append_line(path: Path, line: bytes) -> None:
    """Write a line and its end behind what the file holds; one that cannot be written whole is taken back.

    Raises:
        OSError: it cannot be written.
    """
    with path.open("ab", buffering=0) as stream:
        whole = stream.tell()
        left = memoryview(line + b"\n")
        try:
            while left:
                left = left[stream.write(left) or 0 :]
        except OSError:
            stream.truncate(whole)
            raise
