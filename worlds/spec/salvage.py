"""What of an author's text can still be used when parts of it are wrong, so that the rest is checked at the same time."""

from collections.abc import Iterable, Sequence
from copy import deepcopy

__all__ = ["without"]

_GONE = object()


def without(value: object, wrong: Iterable[tuple[str, Sequence[object]]]) -> tuple[object, list[str]]:
    """A value without the parts that are wrong, and the names of what went; None where nothing is left.

    Args:
        wrong: the kind and the place of each thing that is wrong. Where something is missing, what lacks it goes.
    """
    left = deepcopy(value)
    names: list[str] = []
    for kind, place in wrong:
        parts = list(place[:-1] if kind == "missing" else place)
        if not _drop(left, parts, names):
            return None, names
    return _swept(left), names


def _drop(value: object, parts: list[object], names: list[str]) -> bool:
    """Drop the deepest part of a place that there is; False where that is the whole."""
    holder: object = None
    held: object = None
    for part in parts:
        is_item = isinstance(value, list) and isinstance(part, int) and part < len(value)
        if not is_item and not (isinstance(value, dict) and part in value):
            break
        holder, held, value = value, part, value[part]  # type: ignore[index]
    if isinstance(holder, dict):
        del holder[held]
        names.append(str(held))
    elif isinstance(holder, list) and isinstance(held, int):
        holder[held] = _GONE
    return holder is not None


def _swept(value: object) -> object:
    if isinstance(value, dict):
        return {name: _swept(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_swept(part) for part in value if part is not _GONE]
    return value
