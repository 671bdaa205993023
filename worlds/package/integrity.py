"""Whether a database file is the one that was written: its size always, its bytes where reading them costs little.

This is about one copy on one disk. What a package *is* is its digest, which no file byte enters.
"""

from hashlib import blake2b
from pathlib import Path

__all__ = ["checksum", "is_whole"]

_READ_UP_TO = 32 << 20
"""Bytes: a larger file is only compared by size when a package is opened."""


def checksum(path: Path) -> str:
    """`size:digest` of a file."""
    state = blake2b(digest_size=16)
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            state.update(block)
    return f"{path.stat().st_size}:{state.hexdigest()}"


def is_whole(path: Path, expected: str) -> bool:
    """Whether the file is what its checksum says; a file without one is taken as it is."""
    if not expected:
        return True
    size = path.stat().st_size
    if str(size) != expected.partition(":")[0]:
        return False
    return size > _READ_UP_TO or checksum(path) == expected
