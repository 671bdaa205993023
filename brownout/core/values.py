"""JSON as a type, and its one canonical spelling."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import TypeAlias

import orjson
from pydantic import JsonValue

__all__ = ["Json", "JsonObject", "canonical", "digest_of", "well_formed"]

Json: TypeAlias = JsonValue
JsonObject: TypeAlias = dict[str, JsonValue]


def canonical(value: Mapping[str, object] | Sequence[object] | Json) -> bytes:
    """The bytes of `value` with sorted keys and no white space; equal values give equal bytes."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def well_formed(value: JsonObject) -> JsonObject:
    """The object with every text in it fit for UTF-8: a lone surrogate, which no wire could carry, becomes `?`."""
    try:
        orjson.dumps(value)
    except TypeError:
        return {_repaired(name): _well_formed(part) for name, part in value.items()}
    return value


def _well_formed(value: Json) -> Json:
    if isinstance(value, str):
        return _repaired(value)
    if isinstance(value, list):
        return [_well_formed(part) for part in value]
    if isinstance(value, dict):
        return {_repaired(name): _well_formed(part) for name, part in value.items()}
    return value


def _repaired(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def digest_of(*parts: bytes | str) -> str:
    """A 32-digit hexadecimal digest of the parts in order; each part is delimited by its length."""
    state = blake2b(digest_size=16)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        state.update(len(data).to_bytes(8, "big"))
        state.update(data)
    return state.hexdigest()
