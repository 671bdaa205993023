"""What of an author's text can still be used when parts of it are wrong, so that the rest is checked at the same time.

A misspelt word is read as the word that was meant; what else is wrong goes, and is remembered: whoever misses it later knows
that it was there. So one slip has one message.
"""

import marshal
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache, lru_cache
from math import isfinite
from typing import Final, Generic, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from brownout.core.vocabulary import nearest
from worlds.expressions import LARGEST
from worlds.spec.misplaced_words import Misplaced, UnknownWord
from worlds.spec.mistake_messages import plain

__all__ = ["STAND_IN_MARKS", "Path", "Salvaged", "adapter_of", "pieces_of", "salvage", "salvage_again"]

M = TypeVar("M")

Path = tuple[str | int, ...]
_GONE: Final = object()
_NOWHERE: Final = object()
_MOST_ROUNDS: Final = 50
_NOBODY: Final = "unreadable-name"
_NO_TEXT: Final = "⟨?⟩"
"""What the studio shows where a text must be and none can be read: nothing that an author would write."""
STAND_IN_MARKS: Final = (_NO_TEXT, _NOBODY)
"""What stands in every text that stands in for one: a message with it is about nothing that the author wrote."""
_STAND_INS: Final = (_NO_TEXT, _NOBODY, 0, 1, f"{_NOBODY}@{_NOBODY}.test", f"{_NOBODY}.test", "2026-01-01")
"""What a scalar can be that must be there, one after the other until one will do."""
_KEPT: Final = 8_000
"""Values, of a few large worlds: an entry of people.yaml is one, and a storyline."""
_BY_VALUE: Final = 2
"""The format of `marshal` in which equal values are equal bytes: later ones write which objects are shared."""


@dataclass(slots=True)
class Salvaged(Generic[M]):
    """A value as far as it can be read.

    Attributes:
        value: what it came to; None where too little is left.
        text: what is left of the text, respelt.
        wrong: what is wrong, each with its place, in the words that are written.
        lost: what stood in the parts that went: names and texts.
        holes: where something went, in the words that were meant.
        astray: places that hold words of somewhere else, which are indented too far or too little.
        meant: by the place in the words that were meant, the word that is written there.
    """

    value: M | None = None
    text: object = None
    wrong: list[tuple[Path, str]] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)
    holes: set[Path] = field(default_factory=set)
    astray: set[Path] = field(default_factory=set)
    meant: dict[Path, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Slip:
    kind: str
    place: Path
    message: str
    options: tuple[str, ...] = ()


def adapter_of(kind: type[M]) -> TypeAdapter[M]:
    """The adapter that reads a value as such a one, made once."""
    return cast("TypeAdapter[M]", _adapter(kind))  # type: ignore[arg-type]


@cache
def _adapter(kind: type[object]) -> TypeAdapter[object]:
    return TypeAdapter(kind)


def salvage_again(adapter: TypeAdapter[M], given: object) -> Salvaged[M]:
    """What `salvage` makes of a value of plain scalars, lists and dicts; of one that was read before it is the same object.

    Most of a world's text is the same the next time that it is read. A caller changes nothing in what it gets.
    """
    try:
        value = marshal.dumps(given, _BY_VALUE)  # type: ignore[arg-type]
    except ValueError:  # it is no plain value
        return salvage(adapter, given)
    return cast("Salvaged[M]", _kept(adapter, value))


@lru_cache(_KEPT)
def _kept(adapter: TypeAdapter[object], value: bytes) -> Salvaged[object]:
    return salvage(adapter, marshal.loads(value))


def salvage(adapter: TypeAdapter[M], given: object) -> Salvaged[M]:
    """The value as the adapter reads it, or what can be read of it without what is wrong."""
    found: Salvaged[M] = Salvaged()
    value = _bounded(given, found)
    tried: dict[Path, int] = {}
    for _ in range(_MOST_ROUNDS):
        if value is None:
            break
        try:
            found.value = adapter.validate_python(value)
        except ValidationError as error:
            slips = [_slip(detail, adapter) for detail in error.errors()]
        else:
            found.text = value
            return found
        if value is given:  # from here on it is changed
            value = deepcopy(given)
        misspelt = [slip for slip in slips if slip.kind == "unknown word"]
        wholes = _astray(misspelt)
        _drop_astray(value, wholes, found)
        for slip in misspelt:
            if slip.place[:-1] not in wholes:
                _respell(value, slip, found)
        for slip in () if misspelt else slips:
            is_follower = slip.place in tried or any(hole[: len(slip.place)] == slip.place for hole in found.holes)
            is_emptied = slip.place[:-1] in found.astray and _at(value, slip.place) in (None, _NOWHERE)
            if not is_follower and not is_emptied:
                found.wrong.append((_written(slip.place, found.meant), slip.message))
        for slip in () if misspelt else slips:
            holder = slip.place[:-1] if slip.kind == "missing" else slip.place
            found.holes.add(slip.place)
            if _stood_in(value, slip, tried):
                continue
            if not _drop(value, holder, found):
                found.lost |= pieces_of(given)
                return found
        value = _swept(value)
    found.lost |= pieces_of(given)
    return found


def _bounded(given: object, found: Salvaged[M]) -> object:
    """The value without numbers that nothing could keep, whatever they are of."""
    wrong = [*_boundless(given, ())]
    if not wrong:
        return given
    value = deepcopy(given)
    for place, message in wrong:
        found.wrong.append((place, message))
        found.holes.add(place)
        _drop(value, place, found)
    return _swept(value)


def _boundless(value: object, place: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _boundless(part, (*place, key))
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _boundless(part, (*place, number))
    elif isinstance(value, float) and not isfinite(value):
        yield place, f"expected a number, found {value}"
    elif isinstance(value, int | float) and abs(value) > LARGEST:
        yield place, f"expected {'at most ' if value > 0 else 'at least -'}{LARGEST}, found {value}"


def pieces_of(value: object) -> set[str]:
    """Every name and text in a value."""
    return set(_texts(value))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield str(key)
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, str | int | float):
        yield str(value)


def _slip(detail: Mapping[str, object], adapter: TypeAdapter[M]) -> _Slip:
    loc, ctx = detail["loc"], detail.get("ctx")
    place: Path = tuple(part for part in loc if isinstance(part, str | int)) if isinstance(loc, tuple) else ()
    error = ctx.get("error") if isinstance(ctx, Mapping) else None
    kind = str(detail["type"])
    options: tuple[str, ...] = ()
    message = plain(detail)
    if kind == "extra_forbidden":
        kind, options = "unknown word", tuple(_words(adapter))
        message = str(UnknownWord(place, options))
    elif isinstance(error, Misplaced):
        place += error.place
        if isinstance(error, UnknownWord):
            kind, options = "unknown word", error.options
    elif kind == "missing":
        message = "expected this, found nothing"
    return _Slip(kind, place, message, options)


def _words(adapter: TypeAdapter[M]) -> Iterable[str]:
    """Every field name in the models that the adapter validates."""
    schema = adapter.json_schema()
    for part in (schema, *schema.get("$defs", {}).values()):
        yield from part.get("properties", {})


def _astray(misspelt: Sequence[_Slip]) -> dict[Path, list[str]]:
    """The words of each thing that has several of somewhere else: it stands where it does not belong."""
    found: dict[Path, list[str]] = defaultdict(list)
    for slip in misspelt:
        if slip.place[-1] in slip.options:
            found[slip.place[:-1]].append(str(slip.place[-1]))
    return {place: words for place, words in found.items() if place and len(words) > 1}


def _drop_astray(value: object, wholes: Mapping[Path, Sequence[str]], found: Salvaged[M]) -> None:
    """What stands where it does not belong goes, and is said once of all that stand side by side."""
    said: set[Path] = set()
    for place, words in wholes.items():
        if place[:-1] not in said:
            message = f"found {', '.join(words)} here, which belong elsewhere; how far is it indented?"
            found.wrong.append((_written(place, found.meant), message))
        said.add(place[:-1])
        found.holes.add(place)
        _drop(value, place, found)


def _respell(value: object, slip: _Slip, found: Salvaged[M]) -> None:
    """Read a misspelt word as the one that was meant; one that means nothing goes."""
    *above, word = slip.place
    place, holder = tuple(above), _at(value, above)
    if slip.place in found.meant:  # it was respelt, and is still none here
        _drop(value, slip.place, found)
        return
    right = nearest(str(word), slip.options)
    if right in ("", word):
        if place not in found.astray:
            belongs = "unknown word here; how far is it indented?" if right else slip.message
            found.wrong.append((_written(slip.place, found.meant), belongs))
        found.astray.add(place)
        found.holes.add(slip.place)
        _drop(value, slip.place, found)
        return
    found.wrong.append((_written(slip.place, found.meant), slip.message))
    if not isinstance(holder, dict) or word not in holder or right in holder:
        found.holes.add(slip.place)
        _drop(value, slip.place, found)
        return
    parts = [(right if key == word else key, part) for key, part in holder.items()]
    holder.clear()
    holder.update(parts)
    found.meant[*place, right] = str(word)


def _stood_in(value: object, slip: _Slip, tried: dict[Path, int]) -> bool:
    """Whether something stands in for what must be there and is not, so that the rest beside it is checked as well."""
    if slip.kind != "missing" and slip.place not in tried:
        return False
    holder, number = _at(value, slip.place[:-1]), tried.get(slip.place, 0)
    if not isinstance(holder, dict) or number == len(_STAND_INS):
        return False
    holder[slip.place[-1]] = _STAND_INS[number]
    tried[slip.place] = number + 1
    return True


def _written(place: Path, meant: Mapping[Path, str]) -> Path:
    """A place in the words that are written."""
    return tuple(meant.get(place[: depth + 1], part) for depth, part in enumerate(place))


def _at(value: object, place: Iterable[str | int]) -> object:
    for part in place:
        known: object = value if isinstance(value, dict) else dict(enumerate(value)) if isinstance(value, list) else {}
        if not isinstance(known, dict) or part not in known:
            return _NOWHERE
        value = known[part]
    return value


def _drop(value: object, place: Path, found: Salvaged[M]) -> bool:
    """Drop the deepest part of a place that there is; False where that is the whole."""
    holder: object = None
    held: str | int = ""
    for part in place:
        inner = _at(value, (part,))
        if inner is _NOWHERE:
            break
        holder, held, value = value, part, inner
    if isinstance(holder, dict):
        found.lost |= {str(held)} | pieces_of(holder.pop(held))
    elif isinstance(holder, list) and isinstance(held, int):
        found.lost |= pieces_of(holder[held])
        holder[held] = _GONE
    return holder is not None


def _swept(value: object) -> object:
    if isinstance(value, dict):
        return {name: _swept(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_swept(part) for part in value if part is not _GONE]
    return value
