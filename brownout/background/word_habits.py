"""Which of several words that mean the same somebody writes: one says somebody, another someone, always."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from brownout.core.seeds import Stream

__all__ = ["Habits", "habits_of", "phrased"]

Habits = tuple[int, ...]
"""By set of words which of them it is, 0 the first."""
_KEPT: Final = re.compile(r"(```.*?```|`[^`]*`|\"[^\"]*\"|https?://\S+|<[^>\s]+>|\[\[[^\]]*\]\])", re.S)
"""What nobody words anew: code, what is quoted, addresses, and names that are filled in later."""
_NUMBER: Final = "{n} "
_NOT_BEFORE, _NOT_AFTER, _ONLY_BEFORE = "!", "-", "+"


class _Alike(NamedTuple):
    """A set of words: what is looked for, what may stand there by what was found, and after which words it is left alone."""

    pattern: str
    forms: tuple[Mapping[str, str], ...]
    after: tuple[str, ...]


def habits_of(seed: int, name: str, sets: Sequence[str]) -> Habits:
    """Somebody's choice of each set, the same for ever."""
    return tuple(Stream(seed, "habit", name, words).below(len(_read((words,))[1][0].forms)) for words in sets)


def phrased(text: str, habits: Habits, sets: tuple[str, ...]) -> str:
    """A text in somebody's words: `maybe somebody knows` becomes `perhaps someone knows`; code and quotations stay.

    Args:
        sets: as `manners.yaml` has them.
    """
    pattern, found = _read(sets)

    def own(word: re.Match[str]) -> str:
        number = int((word.lastgroup or "s0")[1:])
        alike, said = found[number], word[0]
        if alike.after and f" {word.string[: word.start()]}".lower().endswith(alike.after):
            return said
        count, _, unit = said.partition(" ") if said[0].isdigit() else ("", "", said)
        form = alike.forms[habits[number]].get(unit if unit in alike.forms[0] else unit[:1].lower() + unit[1:], unit)
        return f"{count}{form}" if count else form[:1].upper() + form[1:] if unit[:1].isupper() else form

    return "".join(part if place % 2 else pattern.sub(own, part) for place, part in enumerate(_KEPT.split(text)))


@lru_cache(maxsize=64)
def _read(sets: tuple[str, ...]) -> tuple[re.Pattern[str], tuple[_Alike, ...]]:
    """All sets as one pattern, a group each, and what each found stands for by choice."""
    read = tuple(map(_alike, sets))
    some = "|".join(f"(?P<s{number}>{one.pattern})" for number, one in enumerate(read))
    return re.compile(rf"(?<![\w'-])(?:{some})"), read


def _alike(words: str) -> _Alike:
    """A set as it is written: `somebody = someone`, `don't, can't > do not, cannot | ! you, we`.

    With commas it is one habit in several words. After a `|`: words that must not follow (`!`), must follow (`+`), or must not stand
    before it (`-`).
    """
    listed, *where = words.split(" | ")
    rows = [form.split(", ") for form in re.split(" [>=] ", listed)]
    sources = rows if " = " in listed else rows[:1]
    forms = tuple(
        {old.removeprefix(_NUMBER): new.removeprefix("{n}") for source in sources for old, new in zip(source, row, strict=True)}
        for row in rows
    )  # fmt: skip
    after, only = ("|".join(map(re.escape, _those(where, mark))) for mark in (_NOT_BEFORE, _ONLY_BEFORE))
    ends = (rf"(?! (?:{after})\b)" if after else "") + (rf"(?= (?:{only})\b)" if only else "")
    some = "|".join(
        _looked(one) for one in sorted({one for row in sources for one in row}, key=lambda one: (-len(one), one))
    )
    return _Alike(rf"(?:{some})(?![\w'-]){ends}", forms, tuple(f" {one} " for one in _those(where, _NOT_AFTER)))


def _looked(word: str) -> str:
    """What is looked for: a word also at the beginning of a sentence, a unit behind a number."""
    if word.startswith(_NUMBER):
        return r"\d+ " + re.escape(word.removeprefix(_NUMBER))
    first = word[0]
    return (f"[{first.upper()}{first}]" if first.islower() else re.escape(first)) + re.escape(word[1:])


def _those(where: Sequence[str], mark: str) -> list[str]:
    return [word for part in where if part.startswith(mark) for word in part[1:].strip().split(", ")]
