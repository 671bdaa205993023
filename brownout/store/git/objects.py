"""Git objects to and from bytes, and the one spelling of those bytes that rows hold."""

import re
import zlib
from collections.abc import Mapping
from hashlib import sha1
from typing import Final, TypeAlias

from dulwich.objects import ObjectID, parse_tree, serialize_tree, sorted_tree_items

from brownout.store.git.errors import BadObject
from brownout.store.git.value_types import FOLDER, SUBMODULE, Commit, Kind, RawObject, Signature, Tag

__all__ = [
    "EMPTY_TREE",
    "KINDS",
    "TreeItems",
    "decode_commit",
    "decode_tag",
    "decode_tree",
    "encode_commit",
    "encode_tag",
    "encode_tree",
    "is_folder",
    "kind_named",
    "object_id",
    "references",
    "stored",
    "unstored",
]

TreeItems: TypeAlias = Mapping[bytes, tuple[int, bytes]]
"""The entries of one folder: name to mode and id (40 hexadecimal digits)."""

KINDS: Final[tuple[Kind, ...]] = ("commit", "tree", "blob", "tag")
"""In the order of their numbers in packs, from 1."""
EMPTY_TREE: Final = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
_BLOCK: Final = 0xFFFF
_SIGNATURE: Final = re.compile(rb"(.*?) ?<([^<>\n]*)> (-?\d+) ([+-])(\d{2,})(\d{2})")
_HEX: Final = re.compile(r"[0-9a-f]{40}")
_CRUD: Final = str.maketrans("", "", "<>\n\0")
_EDGES: Final = " \t\r.,:;\"'\\"


def object_id(kind: Kind, data: bytes) -> str:
    """The id of an object: 40 hexadecimal digits."""
    return sha1(b"%s %d\0" % (kind.encode(), len(data)) + data, usedforsecurity=False).hexdigest()


def stored(data: bytes) -> bytes:
    """The content as a zlib stream of stored blocks (RFC 1950, RFC 1951 3.2.4), 5 bytes per 64 KiB above its size.

    Compressing would save about half, but deflate's output differs between builds of zlib, and with it the digest
    of a session that is replayed on another machine. This spelling is a function of the content alone. It stays a
    zlib stream so that it can be copied into a pack as it is.
    """
    parts = [b"\x78\x01"]
    for start in range(0, len(data) or 1, _BLOCK):
        block = data[start : start + _BLOCK]
        is_last = start + _BLOCK >= len(data)
        parts.append(
            b"%c%b%b" % (is_last, len(block).to_bytes(2, "little"), (~len(block) & _BLOCK).to_bytes(2, "little"))
        )
        parts.append(block)
    parts.append(zlib.adler32(data).to_bytes(4, "big"))
    return b"".join(parts)


def unstored(data: bytes) -> bytes:
    """The content of a zlib stream."""
    return zlib.decompress(data)


def decode_tree(data: bytes) -> dict[bytes, tuple[int, bytes]]:
    """The entries of one folder.

    Raises:
        BadObject: the bytes are no tree.
    """
    try:
        return {name: (mode, sha) for name, mode, sha in parse_tree(data, 20, strict=False)}
    except Exception as error:  # dulwich's compiled parser has no error class of its own
        raise BadObject(f"a tree cannot be read: {error}") from error


def encode_tree(items: TreeItems) -> bytes:
    """The bytes of one folder, its entries in git's order."""
    ordered = sorted_tree_items({name: (mode, ObjectID(sha)) for name, (mode, sha) in items.items()}, False)
    return b"".join(serialize_tree((item.path, item.mode, item.sha) for item in ordered))


def encode_commit(tree: str, parents: tuple[str, ...], author: Signature, committer: Signature, message: str) -> bytes:
    """The bytes of a commit."""
    lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
    lines += [f"author {_spelled(author)}", f"committer {_spelled(committer)}"]
    return "\n".join([*lines, "", message]).encode("utf-8", "replace").replace(b"\0", b"")


def encode_tag(name: str, target: str, kind: Kind, tagger: Signature, message: str) -> bytes:
    """The bytes of an annotated tag."""
    lines = [f"object {target}", f"type {kind}", f"tag {name}", f"tagger {_spelled(tagger)}", "", message]
    return "\n".join(lines).encode("utf-8", "replace").replace(b"\0", b"")


def decode_commit(sha: str, data: bytes) -> Commit:
    """The commit that has these bytes.

    Raises:
        BadObject: they are no commit.
    """
    head, _, message = data.partition(b"\n\n")
    tree, author, committer = b"", b"", b""
    parents: list[str] = []
    for line in head.split(b"\n"):
        key, _, value = line.partition(b" ")
        if key == b"tree":
            tree = tree or value
        elif key == b"parent":
            parents.append(_id(value, sha))
        elif key == b"author":
            author = author or value
        elif key == b"committer":
            committer = committer or value
    return Commit(
        sha, _id(tree, sha), tuple(parents), _signature(author, sha), _signature(committer, sha), _text(message)
    )


def decode_tag(sha: str, data: bytes) -> Tag:
    """The annotated tag that has these bytes.

    Raises:
        BadObject: they are no tag.
    """
    head, _, message = data.partition(b"\n\n")
    fields = {key: value for key, _, value in (line.partition(b" ") for line in head.split(b"\n"))}
    kind = kind_named(_text(fields.get(b"type", b"")))
    tagger = _signature(fields[b"tagger"], sha) if b"tagger" in fields else None
    return Tag(sha, _text(fields.get(b"tag", b"")), _id(fields.get(b"object", b""), sha), kind, tagger, _text(message))


def references(sha: str, found: RawObject) -> list[str]:
    """The ids of the objects that this one needs, submodules' commits left out.

    Raises:
        BadObject: it cannot be read.
    """
    if found.kind == "commit":
        commit = decode_commit(sha, found.data)
        return [commit.tree, *commit.parents]
    if found.kind == "tree":
        return [entry.decode() for mode, entry in decode_tree(found.data).values() if mode != SUBMODULE]
    return [decode_tag(sha, found.data).target] if found.kind == "tag" else []


def kind_named(name: str) -> Kind:
    """The kind of that name.

    Raises:
        BadObject: there is none.
    """
    for kind in KINDS:
        if kind == name:
            return kind
    raise BadObject(f"there are no objects of kind {name!r}; there are {', '.join(KINDS)}")


def is_folder(mode: int) -> bool:
    """The entry's id names a tree; old trees pad the mode in ways that parse alike."""
    return mode == FOLDER


def _spelled(signature: Signature) -> str:
    name = signature.name.translate(_CRUD).strip(_EDGES)
    email = signature.email.translate(_CRUD).strip(_EDGES)
    sign = "-" if signature.offset_minutes < 0 else "+"
    hours, minutes = divmod(abs(signature.offset_minutes), 60)
    return f"{name} <{email}> {signature.seconds} {sign}{hours:02}{minutes:02}"


def _signature(line: bytes, sha: str) -> Signature:
    found = _SIGNATURE.fullmatch(line)
    if found is None:
        raise BadObject(f"{sha} is signed by {_text(line)!r}, expected: name <email> seconds zone")
    name, email, seconds, sign, hours, minutes = found.groups()
    offset = int(hours) * 60 + int(minutes)
    return Signature(_text(name), _text(email), int(seconds), -offset if sign == b"-" else offset)


def _id(value: bytes, sha: str) -> str:
    text = value.decode("ascii", "replace")
    if not _HEX.fullmatch(text):
        raise BadObject(f"{sha} names an object {text[:60]!r}, which is no id of 40 hexadecimal digits")
    return text


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")
