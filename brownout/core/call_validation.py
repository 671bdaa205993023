"""What a session lets in: calls that every part of it can store, compare and repeat.

A call that no wire could carry is still a call. It is recorded with the reason in place of its arguments, and refused.
All limits that are no operation's own stand here, `brownout.core.operations` (texts) and `tools.query_languages.limits` (queries).
"""

from math import isfinite
from typing import Final

from pydantic import BaseModel

from brownout.core.calls import ToolCall
from brownout.core.values import Json, JsonObject

__all__ = [
    "NO_OBJECT",
    "UNREADABLE",
    "admitted",
    "admitted_text",
    "misfit",
    "not_too_deep",
    "unreadable",
    "well_formed",
]

NO_OBJECT: Final = "expected a JSON object"
"""Of arguments that a model wrote and nobody can parse; the same wherever they are parsed."""
UNREADABLE: Final = "_unreadable"
"""In place of arguments that cannot be read: the reason."""
_LONGEST: Final = 4 << 20
_DEEPEST: Final = 64
_TOO_DEEP: Final = f"expected at most {_DEEPEST} levels, found more"
_LARGEST: Final = 1 << 63
_LARGEST_READ: Final = 1 << 53
_MOST_ITEMS: Final = 1000
_LONGEST_NAME: Final = 200
_LONGEST_SAID: Final = 200_000


def admitted(call: ToolCall) -> ToolCall:
    """The call as it is recorded and made: every text fit for UTF-8, arguments that JSON and SQL can hold."""
    reason = _problem(call.arguments)
    return ToolCall(
        name=well_formed(call.name)[:_LONGEST_NAME],
        arguments=unreadable(reason) if reason else _repaired(call.arguments),
        call_id=well_formed(call.call_id)[:_LONGEST_NAME],
    )


def admitted_text(text: str) -> str:
    """What is said outside of calls, as it is recorded: fit for UTF-8, and cut at 200,000 characters."""
    return well_formed(text[:_LONGEST_SAID])


def not_too_deep(arguments: object) -> object:
    """Arguments as they came; in place of ones with more levels than any session reads, what stands for those.

    Whoever parses a request does this first: parsers, and what writes JSON, have limits of their own, and what a model wrote is
    for its session to answer.
    """
    waiting: list[tuple[object, int]] = [(arguments, 0)]
    while waiting:
        value, depth = waiting.pop()
        if depth > _DEEPEST:
            return unreadable(_TOO_DEEP)
        if isinstance(value, dict):
            waiting.extend((part, depth + 1) for part in value.values())
        elif isinstance(value, list):
            waiting.extend((part, depth + 1) for part in value)
    return arguments


def misfit(given: BaseModel) -> str:
    """What is too large in arguments that were read by an operation's schema, empty where nothing is.

    Whole numbers have at most 53 bits, which JSON keeps exact everywhere and which leaves room to count in; a text of
    digits may have become a longer one. Lists and mappings have at most 1,000 entries.
    """
    waiting: list[tuple[str, object]] = [*given.__dict__.items()]
    for name, value in waiting:
        if isinstance(value, int) and not -_LARGEST_READ < value < _LARGEST_READ:
            return f"{name}: expected a whole number of at most 53 bits, found one of {value.bit_length()}"
        if isinstance(value, float) and not isfinite(value):
            return f"{name}: expected a number that JSON has, found {value}"
        if isinstance(value, list | tuple | dict) and len(value) > _MOST_ITEMS:
            return f"{name}: expected at most {_MOST_ITEMS} entries, found {len(value)}"
        parts = value.__dict__.values() if isinstance(value, BaseModel) else value
        parts = parts.values() if isinstance(parts, dict) else parts
        if isinstance(value, BaseModel | list | tuple | dict):
            waiting.extend((name, part) for part in parts)  # type: ignore[attr-defined]
    return ""


def unreadable(reason: str) -> JsonObject:
    """What stands for arguments that cannot be read."""
    return {UNREADABLE: well_formed(reason)}


def well_formed(text: str) -> str:
    """The text with a lone surrogate, which no wire could carry, as `?`."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _problem(arguments: object) -> str:
    """What is wrong with the arguments, empty where nothing is. Walks without recursion: they may be deep."""
    if not isinstance(arguments, dict):
        return f"expected an object, found {type(arguments).__name__}"
    length = 0
    waiting: list[tuple[object, int]] = [(arguments, 0)]
    while waiting:
        value, depth = waiting.pop()
        length += len(value) if isinstance(value, str) else 1
        if depth > _DEEPEST:
            return _TOO_DEEP
        if length > _LONGEST:
            return f"expected at most {_LONGEST} characters, found more"
        if isinstance(value, dict):
            odd = [name for name in value if not isinstance(name, str)]
            if odd:
                return f"expected names that are text, found {odd[0]!r}"
            length += sum(map(len, value))
            waiting += [(part, depth + 1) for part in value.values()]
        elif isinstance(value, list):
            waiting += [(part, depth + 1) for part in value]
        elif problem := _scalar_problem(value):
            return problem
    return ""


def _scalar_problem(value: object) -> str:
    if isinstance(value, float) and not isfinite(value):
        return f"expected numbers that JSON has, found {value}"
    if isinstance(value, int) and not -_LARGEST <= value < _LARGEST:
        return f"expected whole numbers of 64 bits, found one of {value.bit_length()} bits"
    if value is not None and not isinstance(value, str | int | float):
        return f"expected a value that JSON has, found {type(value).__name__}"
    return ""


def _repaired(value: JsonObject) -> JsonObject:
    return {well_formed(name): _well_formed(part) for name, part in value.items()}


def _well_formed(value: Json) -> Json:
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, list):
        return [_well_formed(part) for part in value]
    return _repaired(value) if isinstance(value, dict) else value
