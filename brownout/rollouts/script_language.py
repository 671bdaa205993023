"""The small language of scripts: `$name` stands for what an earlier answer held, `${fact:NAME}` for a fact's value.

`keep: {key: issues[0].key}` takes a part of an answer; `issues[summary ~ Saltworks].key` takes the first
entry of a list whose field contains a text. `results[9].id?` may be missing: then the steps that use it are left out, for how
many customers write in an outage is drawn by the seed.
"""

from collections.abc import Callable, Mapping

from brownout.core.values import Json, JsonObject
from worlds.spec.script_names import KEPT_PART, NAME_USED, OPTIONAL, TRUTH_USED

__all__ = ["OracleMismatch", "fill", "keep"]


class OracleMismatch(Exception):
    """The world did not answer as the reference solution expects."""


def fill(arguments: JsonObject, kept: Mapping[str, str], truth: Callable[[str, str, str], str]) -> JsonObject:
    """The arguments with every `$name`, `${fact:NAME}` and `${time:MOMENT}` replaced.

    Args:
        truth: a fact's value or a moment as people write it, by its kind (`fact`, `time`), name and form.

    Raises:
        OracleMismatch: nothing was kept under a name, or the world has no such fact or moment.
    """
    return {name: _filled(value, kept, truth) for name, value in arguments.items()}


def _filled(value: Json, kept: Mapping[str, str], truth: Callable[[str, str, str], str]) -> Json:
    if isinstance(value, str):
        value = TRUTH_USED.sub(lambda found: truth(found[1], found[2].strip(), found[3] or ""), value)
        return NAME_USED.sub(lambda found: _named(found[1] or found[2], kept), value)
    if isinstance(value, list):
        return [_filled(item, kept, truth) for item in value]
    if isinstance(value, dict):
        return {name: _filled(item, kept, truth) for name, item in value.items()}
    return value


def _named(name: str, kept: Mapping[str, str]) -> str:
    if name not in kept:
        raise OracleMismatch(f"${name} was never kept; there are: {', '.join(sorted(kept)) or 'none'}")
    return kept[name]


def keep(wanted: Mapping[str, str], answer: Json) -> dict[str, str]:
    """The parts of an answer that are to be kept; an optional one that it does not have is left out.

    Raises:
        OracleMismatch: the answer has no such part.
    """
    kept = {}
    for name, path in wanted.items():
        try:
            kept[name] = _part(path.strip().removesuffix(OPTIONAL), answer)
        except OracleMismatch:
            if not path.strip().endswith(OPTIONAL):
                raise
    return kept


def _part(path: str, answer: Json) -> str:
    value = answer
    for word, index, field, test, text in KEPT_PART.findall(path):
        if word and isinstance(value, dict) and word in value:
            value = value[word]
        elif index and isinstance(value, list) and int(index) < len(value):
            value = value[int(index)]
        elif field and isinstance(value, list):
            value = _first(value, field, test, text.strip(), path)
        else:
            raise OracleMismatch(f"the answer has no {path}: {str(answer)[:300]}")
    return value if isinstance(value, str) else str(value)


def _first(items: list[Json], field: str, test: str, text: str, path: str) -> Json:
    for item in items:
        try:
            found = _part(field, item)
        except OracleMismatch:
            continue
        if found == text or (test == "~" and text.lower() in found.lower()):
            return item
    raise OracleMismatch(f"the answer has no {path}")
