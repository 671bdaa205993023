"""JSON as a type, and its one canonical spelling."""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import TypeAlias

import orjson
from pydantic import JsonValue

__all__ = ["Json", "JsonObject", "canonical", "digest_in_pieces", "digest_of", "objects_in"]

Json: TypeAlias = JsonValue
JsonObject: TypeAlias = dict[str, JsonValue]


def objects_in(value: Json) -> list[JsonObject]:
    """The objects of a list, whatever else stands in it; none where it is no list.

    Example:
        >>> objects_in([{"a": 1}, 2]), objects_in("x")
        ([{'a': 1}], [])
    """
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def canonical(value: Mapping[str, object] | Sequence[object] | Json) -> bytes:
    """The bytes of `value` with sorted keys and no white space; equal values give equal bytes."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def digest_of(*parts: bytes | str) -> str:
    """A 32-digit hexadecimal digest of the parts in order; each part is delimited by its length."""
    return _digesting(parts).hexdigest()


def digest_in_pieces(*parts: bytes | str, size: int, pieces: Iterable[bytes]) -> str:
    """What `digest_of` gives for the parts and one more, which comes in pieces of `size` bytes together."""
    state = _digesting(parts)
    state.update(size.to_bytes(8, "big"))
    for piece in pieces:
        state.update(piece)
    return state.hexdigest()


def _digesting(parts: Iterable[bytes | str]) -> blake2b:
    state = blake2b(digest_size=16)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        state.update(len(data).to_bytes(8, "big"))
        state.update(data)
    return state
