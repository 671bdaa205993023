"""The names that a script keeps and uses: `$name` in an argument, `issues[0].key` as what is kept; `${fact:NAME}`, `${time:MOMENT}`.

A fact that is a day, and a moment, may be written in another form: `${fact:opening|%d.%m.%Y}`, `${time:outage.from|%Hh%M}`.
"""

import re
from collections.abc import Iterator
from typing import Final

from brownout.core.values import Json

__all__ = ["KEPT_PART", "NAME_USED", "OPTIONAL", "TRUTH_USED", "names_used", "path_mistake", "truths_used"]

NAME_USED: Final = re.compile(r"\$(?:\{([a-z_][a-z0-9_]*)\}|(?!\{)([a-z_][a-z0-9_]*))")
"""Where an argument uses what was kept."""
TRUTH_USED: Final = re.compile(r"\$\{(fact|time):([^{}|]+)(?:\|([^{}]+))?\}")
"""Where an argument uses a fact's value, or a moment as a time of day, as people write them; and how, as for `strftime`."""
KEPT_PART: Final = re.compile(r"([^.\[\]]+)|\[(\d+)\]|\[([\w.]+)\s*(=|~)\s*([^\]]+)\]")
"""A step on the way to a part of an answer: a word, `[0]`, `[summary ~ Saltworks]`."""
OPTIONAL: Final = "?"
"""Behind a path whose part may be missing, `results[9].id?`: then steps that use it are left out."""
_PATH: Final = re.compile(rf"(?:{KEPT_PART.pattern})(?:\.?(?:{KEPT_PART.pattern}))*")


def names_used(value: Json) -> Iterator[str]:
    """The names in a value that an earlier step must have kept."""
    if isinstance(value, str):
        yield from (braced or plain for braced, plain in NAME_USED.findall(value))
    elif isinstance(value, list):
        for item in value:
            yield from names_used(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from names_used(item)


def truths_used(value: Json) -> Iterator[tuple[str, str]]:
    """The facts and moments in a value: `("fact", "hold-10")`, `("time", "rds-brownout.from")`."""
    if isinstance(value, str):
        yield from ((found[1], found[2].strip()) for found in TRUTH_USED.finditer(value))
    elif isinstance(value, list):
        for item in value:
            yield from truths_used(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from truths_used(item)


def path_mistake(path: str) -> str:
    """What is wrong with the way to a part of an answer; empty where nothing is."""
    if _PATH.fullmatch(path.strip().removesuffix(OPTIONAL)):
        return ""
    return f"expected a part of the answer such as issues[0].key or messages[text ~ sold out].user, found {path!r}"
