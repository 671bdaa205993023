"""git's index without the status of files that it caches: times and inodes, which differ in every run.

An entry without a size is one that git looks at again before it believes anything about it (racy entries of
gitformat-index(5)), so nothing is lost. Layout: gitformat-index(5), versions 2 and 3.
"""

from collections.abc import Iterable
from hashlib import sha1
from typing import Final

__all__ = ["is_index", "new_index", "settled"]

_HEAD: Final = 12
_CHECKSUM: Final = 20
_STATUS: Final = 24
"""Bytes of the two times, the device and the inode; the mode follows."""
_OWNERS: Final = slice(28, 40)
"""User, group and size."""
_FLAGS: Final = 60
_EXTENDED: Final = 0x4000
_LONGEST_NAME: Final = 0xFFF


def is_index(path: bytes) -> bool:
    """The path is one where git keeps an index, of a work tree or of one of its submodules."""
    return path.endswith(b"/index") and b"/.git/" in path


def new_index(files: Iterable[tuple[bytes, int, str]]) -> bytes:
    """The index of a fresh checkout: path, git's mode and blob id of every file."""
    entries = []
    for path, mode, sha in sorted(files):
        flags = min(len(path), _LONGEST_NAME).to_bytes(2, "big")
        head = bytes(_STATUS) + mode.to_bytes(4, "big") + bytes(12) + bytes.fromhex(sha) + flags + path
        entries.append(head + bytes(8 - len(head) % 8))
    return _signed(b"DIRC" + (2).to_bytes(4, "big") + len(entries).to_bytes(4, "big") + b"".join(entries))


def settled(index: bytes) -> bytes:
    """The index without the status that it caches; another version, or what is no index, as it is."""
    if len(index) < _HEAD + _CHECKSUM or index[:4] != b"DIRC" or int.from_bytes(index[4:8], "big") not in (2, 3):
        return index
    data, at = bytearray(index[:-_CHECKSUM]), _HEAD
    for _ in range(int.from_bytes(index[8:12], "big")):
        flags = int.from_bytes(data[at + _FLAGS : at + _FLAGS + 2], "big")
        name = at + _FLAGS + (4 if flags & _EXTENDED else 2)
        end = data.find(b"\0", name)
        if end < 0:
            return index
        data[at : at + _STATUS] = bytes(_STATUS)
        data[at + _OWNERS.start : at + _OWNERS.stop] = bytes(12)
        at += (end - at + 8) // 8 * 8  # one to eight zero bytes end an entry
    return _signed(bytes(data))


def _signed(data: bytes) -> bytes:
    return data + sha1(data, usedforsecurity=False).digest()
