"""JSON as a type, and its one canonical spelling."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import TypeAlias

import orjson
from pydantic import JsonValue

__all__ = ["Json", "JsonObject", "canonical", "digest_of"]

Json: TypeAlias = JsonValue
JsonObject: TypeAlias = dict[str, JsonValue]


def canonical(value: Mapping[str, object] | Sequence[object] | Json) -> bytes:
    """The bytes of `value` with sorted keys and no white space; equal values give equal bytes."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def digest_of(*parts: bytes | str) -> str:
    """A 32-digit hexadecimal digest of the parts in order; each part is delimited by its length."""
    state = blake2b(digest_size=16)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        state.update(len(data).to_bytes(8, "big"))
        state.update(data)
    return state.hexdigest()
