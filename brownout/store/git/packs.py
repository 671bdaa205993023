"""Packs, version 2: written from objects that are already zlib streams, and read with bounds on what they unpack to."""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha1
from io import BytesIO
from pathlib import Path
from typing import Final

from dulwich.pack import apply_delta, write_pack_index_v2

from brownout.store.git.errors import BadObject, MissingObject, PackTooLarge
from brownout.store.git.object_sources import DraftObjects
from brownout.store.git.objects import KINDS, object_id
from brownout.store.git.value_types import Kind, RawObject

__all__ = ["LARGEST_CONTENT", "LARGEST_PACK", "PackedObject", "read_pack", "write_pack"]

LARGEST_PACK: Final = 16 << 20
"""Bytes of one push; GitHub allows 2 GiB, but here a push is a session's memory."""
LARGEST_CONTENT: Final = 64 << 20
"""Bytes that one push may unpack to."""
_MOST_OBJECTS: Final = 100_000
_HEADER_BYTES: Final = 12
_TRAILER_BYTES: Final = 20
_OFFSET_DELTA: Final = 6
_REFERENCE_DELTA: Final = 7
_STEP: Final = 1 << 14


@dataclass(frozen=True, slots=True)
class PackedObject:
    """An object ready to be put into a pack.

    Attributes:
        size: bytes of its content; `stream` is that content as zlib has it.
    """

    sha: str
    kind: Kind
    size: int
    stream: bytes


def write_pack(folder: Path, objects: Iterable[PackedObject]) -> str:
    """The name of the pack and index written into `folder`, empty where there are no objects.

    The same objects in the same order give the same files.
    """
    pack = BytesIO()
    listed = list(objects)
    if not listed:
        return ""
    pack.write(b"PACK" + (2).to_bytes(4, "big") + len(listed).to_bytes(4, "big"))
    entries: list[tuple[bytes, int, int | None]] = []
    for item in listed:
        packed = _object_header(KINDS.index(item.kind) + 1, item.size) + item.stream
        entries.append((bytes.fromhex(item.sha), pack.tell(), zlib.crc32(packed)))
        pack.write(packed)
    checksum = sha1(pack.getbuffer(), usedforsecurity=False).digest()
    pack.write(checksum)
    entries.sort()
    index = BytesIO()
    write_pack_index_v2(index, entries, checksum)
    name = f"pack-{checksum.hex()}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.pack").write_bytes(pack.getbuffer())
    (folder / f"{name}.idx").write_bytes(index.getbuffer())
    return name


def read_pack(pack: bytes, draft: DraftObjects, largest_content: int = LARGEST_CONTENT) -> list[str]:
    """The ids of a pack's objects, which are in the draft from now on; a thin pack's bases come from there.

    Raises:
        BadObject: the bytes are no sound pack.
        MissingObject: a delta stands on an object that is not here.
        PackTooLarge: it unpacks to more than `largest_content` bytes or to too many objects.
    """
    if pack[:8] != b"PACK" + (2).to_bytes(4, "big") or len(pack) < _HEADER_BYTES + _TRAILER_BYTES:
        raise BadObject("these bytes are no pack of version 2")
    body, trailer = pack[:-_TRAILER_BYTES], pack[-_TRAILER_BYTES:]
    if sha1(body, usedforsecurity=False).digest() != trailer:
        raise BadObject("the pack is damaged: its checksum is wrong")
    count = int.from_bytes(pack[8:12], "big")
    if count > _MOST_OBJECTS:
        raise PackTooLarge(f"the pack holds {count} objects, the limit is {_MOST_OBJECTS}")
    return _Unpacking(body, draft, largest_content).run(count)


class _Unpacking:
    """One pack on its way into a draft."""

    def __init__(self, body: bytes, draft: DraftObjects, budget: int) -> None:
        self._body = memoryview(body)
        self._draft = draft
        self._budget = budget
        self._at: dict[int, RawObject] = {}
        self._shas: dict[str, None] = {}
        self._waiting: dict[int | str, list[tuple[int, bytes]]] = {}

    def run(self, count: int) -> list[str]:
        offset = _HEADER_BYTES
        for _ in range(count):
            start = offset
            number, size, offset = self._read_header(offset)
            base: int | str | None = None
            if number == _OFFSET_DELTA:
                distance, offset = self._read_distance(offset)
                base = start - distance
            elif number == _REFERENCE_DELTA:
                base, offset = self._body[offset : offset + 20].hex(), offset + 20
            elif not 1 <= number <= len(KINDS):
                raise BadObject(f"the pack has an object of unknown type {number} at byte {start}")
            data, offset = self._inflated(offset, size)
            if base is None:
                self._keep(start, RawObject(KINDS[number - 1], data))
            else:
                self._waiting.setdefault(base, []).append((start, data))
        if offset != len(self._body):
            raise BadObject("the pack has bytes after its last object")
        self._resolve()
        return list(self._shas)

    def _resolve(self) -> None:
        """Apply deltas, bases first: a base may come after what stands on it, or not be in the pack at all."""
        ready: list[tuple[int | str, RawObject]] = []
        for base in self._waiting:
            found = self._at.get(base) if isinstance(base, int) else self._draft.find(base)
            if found is not None:
                ready.append((base, found))
        while ready:
            base, found = ready.pop()
            for start, delta in self._waiting.pop(base, ()):
                sha, made = self._keep(start, self._patched(found, delta, start))
                ready += [(place, made) for place in (start, sha) if place in self._waiting]
        for base in self._waiting:
            raise MissingObject(self._draft.name, base if isinstance(base, str) else f"at byte {base} of the pack")

    def _patched(self, base: RawObject, delta: bytes, start: int) -> RawObject:
        self._spend(_result_size(delta))
        try:
            return RawObject(base.kind, b"".join(apply_delta(base.data, delta)))
        except Exception as error:  # dulwich's compiled code has no error class of its own
            raise BadObject(f"a delta at byte {start} of the pack cannot be applied: {error}") from error

    def _keep(self, start: int, made: RawObject) -> tuple[str, RawObject]:
        self._at[start] = made
        sha = object_id(made.kind, made.data)
        self._draft.add(sha, made)
        self._shas[sha] = None
        return sha, made

    def _read_header(self, offset: int) -> tuple[int, int, int]:
        """Type, size of the content, and the place after the header."""
        byte = self._byte(offset)
        number, size, shift = (byte >> 4) & 7, byte & 15, 4
        while byte & 0x80:
            offset += 1
            byte = self._byte(offset)
            size |= (byte & 0x7F) << shift
            shift += 7
        return number, size, offset + 1

    def _read_distance(self, offset: int) -> tuple[int, int]:
        """How far back a delta's base lies, and the place after that number."""
        byte = self._byte(offset)
        distance = byte & 0x7F
        while byte & 0x80:
            offset += 1
            byte = self._byte(offset)
            distance = ((distance + 1) << 7) | (byte & 0x7F)
        return distance, offset + 1

    def _inflated(self, offset: int, size: int) -> tuple[bytes, int]:
        """The content of a zlib stream of known size, and the place after it."""
        self._spend(size)
        inflater = zlib.decompressobj()
        parts: list[bytes] = []
        left = size + 1  # room for one byte too many, so that a wrong size shows
        while not inflater.eof:
            piece = self._body[offset : offset + _STEP]
            if not piece:
                raise BadObject("the pack ends in the middle of an object")
            try:
                parts.append(inflater.decompress(piece, left))
            except zlib.error as error:
                raise BadObject(f"the pack is damaged near byte {offset}: {error}") from error
            left -= len(parts[-1])
            offset += len(piece) - len(inflater.unused_data) - len(inflater.unconsumed_tail)
            if left <= 0:
                break
        data = b"".join(parts)
        if len(data) != size:
            raise BadObject(f"an object of the pack has not the {size} bytes that its header says")
        return data, offset

    def _spend(self, size: int) -> None:
        self._budget -= size
        if self._budget < 0:
            raise PackTooLarge("the pack unpacks to more than the limit")

    def _byte(self, offset: int) -> int:
        if offset >= len(self._body):
            raise BadObject("the pack ends in the middle of an object")
        return self._body[offset]


def _result_size(delta: bytes) -> int:
    """The size that a delta says its result has (gitformat-pack(5))."""
    sizes: list[int] = []
    size = shift = 0
    for byte in delta[:20]:
        size |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            sizes.append(size)
            size = shift = 0
            if len(sizes) == 2:
                return sizes[1]
    raise BadObject("a delta of the pack does not say its size")


def _object_header(number: int, size: int) -> bytes:
    """Type and size as packs spell them."""
    byte = (number << 4) | (size & 15)
    size >>= 4
    header = bytearray()
    while size:
        header.append(byte | 0x80)
        byte = size & 0x7F
        size >>= 7
    header.append(byte)
    return bytes(header)
