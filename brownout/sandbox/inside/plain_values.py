"""Plain values as JSON that keeps Python's types, and equality that looks at them.

None, bool, int, finite float, str and list are JSON's own; tuples, dicts, sets, bytes and handles are tagged
objects. Nothing is unpickled: what the code under test sends can only become one of these, and no set or dict of it can
have more than a few members whose hashes it chose: thousands of one hash would cost the reader hours.
"""

import math
from collections.abc import Callable
from typing import TypeAlias

__all__ = ["NotPlain", "Wire", "decode", "encode", "same", "type_name"]

Wire: TypeAlias = "bool | int | float | str | list[Wire] | dict[str, Wire] | None"
"""What `json` reads and writes."""

_MOST_CHOSEN = 2_000
"""Members of a set, or keys of a dict, that are neither texts nor bytes (salted) nor integers of a word (each its own)."""
_WORD_BITS = 60
_MOST_BITS = 13_000  # Python refuses to print much longer integers


class NotPlain(ValueError):
    """A value that cannot be carried, or JSON that stands for no value."""


def type_name(value: object) -> str:
    """The name of its class, with the module where that is not a built-in one."""
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def encode(value: object, keep: Callable[[object], dict[str, Wire]]) -> Wire:
    """The value as JSON; `keep` makes the tagged object for anything that is not plain.

    Only exact types are plain: a subclass of int could lie about its equality.

    Raises:
        NotPlain: a float that is not finite, or an integer of thousands of digits.
    """
    kind = type(value)
    if value is None or kind in (bool, str):
        return value  # type: ignore[return-value]
    if isinstance(value, int) and kind is int:
        if value.bit_length() > _MOST_BITS:
            raise NotPlain("an integer of more than 13,000 bits")
        return value
    if isinstance(value, float) and kind is float:
        if not math.isfinite(value):
            raise NotPlain(f"a float that is not finite: {value}")
        return value
    if isinstance(value, bytes) and kind is bytes:
        return {"$": "bytes", "of": value.hex()}
    if isinstance(value, list) and kind is list:
        return [encode(item, keep) for item in value]
    if isinstance(value, (tuple, set, frozenset)) and kind in (tuple, set, frozenset):
        return {"$": kind.__name__, "of": [encode(item, keep) for item in value]}
    if isinstance(value, dict) and kind is dict:
        return {"$": "dict", "of": [[encode(key, keep), encode(item, keep)] for key, item in value.items()]}
    return keep(value)


def decode(wire: Wire, handle: Callable[[dict[str, Wire]], object]) -> object:
    """The value that JSON stands for; `handle` makes the object for a tagged handle.

    Raises:
        NotPlain: it stands for none.
    """
    if isinstance(wire, list):
        return [decode(item, handle) for item in wire]
    if isinstance(wire, float) and not math.isfinite(wire):
        raise NotPlain(f"a float that is not finite: {wire}")
    if not isinstance(wire, dict):
        return wire
    tag, content = wire.get("$"), wire.get("of")
    if tag == "handle":
        return handle(wire)
    try:
        if tag == "bytes" and isinstance(content, str):
            return bytes.fromhex(content)
        if tag == "dict" and isinstance(content, list):
            pairs = [_pair(item, handle) for item in content]
            _check_hashes([key for key, _ in pairs])
            return dict(pairs)
        if tag in _COLLECTIONS and isinstance(content, list):
            items = [decode(item, handle) for item in content]
            if tag != "tuple":
                _check_hashes(items)
            return _COLLECTIONS[str(tag)](items)
    except (TypeError, ValueError) as error:
        raise NotPlain(str(error)) from error
    raise NotPlain(f"expected a tagged value, found the tag {str(tag)[:40]!r}")


_COLLECTIONS: dict[str, Callable[[list[object]], object]] = {"tuple": tuple, "set": set, "frozenset": frozenset}


def _check_hashes(members: list[object]) -> None:
    chosen = sum(not _is_spread(member) for member in members)
    if chosen > _MOST_CHOSEN:
        raise NotPlain(f"a set or dict of {chosen} members that are no texts or small integers; {_MOST_CHOSEN} may be")


def _is_spread(member: object) -> bool:
    """Whether nobody can make many of the kind that have one hash."""
    if isinstance(member, int):
        return member.bit_length() <= _WORD_BITS
    return member is None or isinstance(member, (str, bytes))


def _pair(wire: Wire, handle: Callable[[dict[str, Wire]], object]) -> tuple[object, object]:
    if not isinstance(wire, list) or len(wire) != 2:
        raise NotPlain("expected a pair of key and value")
    return decode(wire[0], handle), decode(wire[1], handle)


def same(left: object, right: object) -> bool:
    """Equality with types, all the way down: `True` is not `1`, `1` is not `1.0`, a list is not a tuple."""
    if type(left) is not type(right):
        return False
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, (set, frozenset)) and isinstance(right, (set, frozenset)):
        originals = {item: item for item in right}
        return len(left) == len(right) and all(item in originals and same(item, originals[item]) for item in left)
    if isinstance(left, dict) and isinstance(right, dict):
        keys = {key: key for key in right}
        return len(left) == len(right) and all(
            key in keys and same(key, keys[key]) and same(item, right[key]) for key, item in left.items()
        )
    return bool(left == right)
