"""Parts of vendors' JSON, taken without trusting its shape: what is missing is empty."""

from datetime import datetime

from brownout.core.instants import Instant, from_datetime
from brownout.core.values import Json, JsonObject, objects_in

__all__ = ["flag", "instant", "items", "number", "part", "text"]


def part(value: Json, *path: str) -> JsonObject:
    """The mapping at a path, empty where there is none."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def items(value: Json, *path: str) -> list[JsonObject]:
    """The mappings in the list at a path."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return objects_in(value)


def text(value: Json, *path: str) -> str:
    """The text at a path, empty where there is none."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, str) else "" if value is None else str(value)


def number(value: Json, *path: str) -> int:
    """The whole number at a path, 0 where there is none."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    if isinstance(value, str) and value.lstrip("-").isdigit():
        return int(value)
    return int(value) if isinstance(value, int | float) else 0


def flag(value: Json, *path: str) -> bool:
    """Whether what is at a path is true."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return bool(value)


def instant(value: Json, *path: str) -> Instant:
    """The moment at a path: ISO text, or seconds since the epoch; 0 where there is none."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    if isinstance(value, int | float):
        return int(value * 1_000_000)
    if not isinstance(value, str) or not value:
        return 0
    try:
        return from_datetime(datetime.fromisoformat(value))
    except ValueError:
        return 0
