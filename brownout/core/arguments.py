"""What is wrong with the arguments of a request: all of it at once, and the name or word that was probably meant."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from brownout.core.call_validation import UNREADABLE, misfit
from brownout.core.values import Json, JsonObject
from brownout.core.vocabulary import nearest

__all__ = ["meant", "read_arguments", "suggestion"]

_MOST: Final = 8
"""Mistakes that are told; whoever made more begins anew anyway."""
_LONGEST_NAME: Final = 60
"""Characters of a name that are compared and shown: it may be as long as a call."""
_LONGEST_PLACE: Final = 200


def read_arguments(model: type[BaseModel], schema: JsonObject, arguments: JsonObject) -> BaseModel | str:
    """The arguments as an operation is given them, or everything that is wrong with them.

    Args:
        model: what they are read by.
        schema: the same as JSON Schema, which knows the names at every level.
    """
    if UNREADABLE in arguments:
        return f"The arguments cannot be read: {arguments[UNREADABLE]}."
    try:
        given = model.model_validate(arguments)
    except ValidationError as error:
        return _explained(error, schema)
    return misfit(given) or given


def suggestion(name: str, known: Iterable[str]) -> str:
    """`; did you mean 'Done'?` where something known is called much the same, empty where nothing is."""
    found = meant(name, known)
    return f"; did you mean {found!r}?" if found else ""


def meant(name: str, known: Iterable[str]) -> str:
    """What is called much the same as a name, or is one of its words (`thread_ts`: `ts`), empty where nothing is."""
    name, known = name[:_LONGEST_NAME], sorted(set(known))
    if near := nearest(name, known):
        return near
    lowered = {option.lower(): option for option in known}
    words = name.lower().split("_")
    parts = [option for option in lowered if option in words or name.lower().startswith(option)]
    wholes = [option for option in lowered if name.lower() in option.split("_")]
    found = parts or wholes
    return lowered[found[0]] if len(found) == 1 else ""


def _explained(error: ValidationError, schema: JsonObject) -> str:
    """The mistakes in the order of the arguments; one that is missing is not told where a misspelt one was meant for it."""
    found = error.errors()
    given = {str(one["loc"][-1]) for one in found if one["type"] == "extra_forbidden" and one["loc"]}
    taken: set[tuple[int | str, ...]] = set()
    told = []
    for one in found:
        if one["type"] == "extra_forbidden":
            place, name = one["loc"][:-1], str(one["loc"][-1])
            known = [option for option in _names(schema, place) if option not in given]
            right = meant(name, known) or _only_missing(found, place, given)
            taken.add((*place, right))
            told.append(_at(place) + _no_such(name, right, known))
    for one in found:
        if one["type"] != "extra_forbidden" and not (one["type"] == "missing" and one["loc"] in taken):
            told.append(f"{_shown(one['loc']) or 'arguments'}: {one['msg']}{_word_meant(one)}")
    more = f"; and {len(told) - _MOST} more" if len(told) > _MOST else ""
    return "; ".join(told[:_MOST]) + more


def _no_such(name: str, right: str, known: list[str]) -> str:
    wrong = f"no argument {name[:_LONGEST_NAME]!r}"
    if right:
        return f"{wrong}; did you mean {right!r}?"
    return f"{wrong}; expected one of: {', '.join(known)}" if known else f"{wrong}; it takes none"


def _only_missing(found: Iterable[Mapping[str, Any]], place: tuple[int | str, ...], given: set[str]) -> str:
    """The argument that is missing beside the only one that nobody knows."""
    missing = [str(one["loc"][-1]) for one in found if one["type"] == "missing" and one["loc"][:-1] == place]
    return missing[0] if len(missing) == len(given) == 1 else ""


def _word_meant(mistake: Mapping[str, Any]) -> str:
    """The word that was meant where one of a few is expected."""
    given, expected = mistake["input"], str(mistake.get("ctx", {}).get("expected", ""))
    if mistake["type"] != "literal_error" or not isinstance(given, str):
        return ""
    return suggestion(given, expected.replace(" or ", ", ").replace("'", "").split(", "))


def _names(schema: JsonObject, place: tuple[int | str, ...]) -> list[str]:
    """The names that there are at a place in arguments."""
    here: Json = schema
    for part in place:
        here = next((found for found in _below(here, part, schema)), None)
    properties = here.get("properties") if isinstance(here, dict) else None
    return [*properties] if isinstance(properties, dict) else []


def _below(here: Json, part: int | str, schema: JsonObject) -> Iterator[Json]:
    """What a schema says of one of its properties or items."""
    if not isinstance(here, dict):
        return
    options = here.get("anyOf")
    for one in [here, *(options if isinstance(options, list) else [])]:
        properties = one.get("properties") if isinstance(one, dict) else None
        found = one.get("items") if isinstance(one, dict) and isinstance(part, int) else None
        if isinstance(properties, dict):
            found = properties.get(str(part))
        if isinstance(found, dict):
            kinds = schema.get("$defs")
            name = str(found.get("$ref", "")).rpartition("/")[2]
            yield kinds[name] if isinstance(kinds, dict) and name in kinds else found


def _at(place: tuple[int | str, ...]) -> str:
    return f"{_shown(place)}: " if place else ""


def _shown(place: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in place)[:_LONGEST_PLACE]
