"""Texts written whole as a company may say them whose storylines state words and numbers: without alternatives and asides that have one."""

import re
from collections.abc import Callable, Mapping
from typing import TypeVar

from brownout.background.packs import MailThread, TicketCase
from brownout.background.scripts import without_asides
from brownout.background.written import ALTERNATIVES
from generators.background.replaced_numbers import moved_text, moves, words_of

__all__ = ["free_part", "free_script"]

M = TypeVar("M", TicketCase, MailThread)


def free_script(script: str, taken: frozenset[str]) -> str | None:
    """A script that has none of the words, perhaps with other numbers; None where it lives from one.

    Example:
        >>> free_script("A: [12|a dozen] of them, 7 spare", frozenset({"12", "7"}))
        'A: a dozen of them, 6 spare'
    """
    free = _free_alternatives(script, taken)
    for one in (free, without_asides(free)):
        numbers = moves(one, taken)
        if numbers is not None:
            return moved_text(one, numbers)
    return None


def free_part(part: M, taken: frozenset[str]) -> M | None:
    """A ticket or a conversation by mail that has none of the words; None where it lives from one."""
    free = _changed(part, lambda text: _free_alternatives(text, taken))
    numbers = moves("\n".join(free.texts), taken)
    if numbers is None:
        return None
    return _changed(free, lambda text: moved_text(text, numbers)) if numbers else free


def _free_alternatives(text: str, taken: frozenset[str]) -> str:
    """A text whose alternatives have none of the words, where one of them has none: of `[12|a dozen]` the second."""

    def left(found: re.Match[str]) -> str:
        every = found[1].split("|")
        free = [one for one in every if taken.isdisjoint(words_of(one))]
        if not free or len(free) == len(every):
            return found[0]
        return f"[{'|'.join(free)}]" if len(free) > 1 else free[0]

    return ALTERNATIVES.sub(left, text)


def _changed(part: M, change: Callable[[str], str]) -> M:
    def of(value: object) -> object:
        if isinstance(value, str):
            return change(value)
        if isinstance(value, Mapping):
            return {key: of(inner) for key, inner in value.items()}
        return [of(inner) for inner in value] if isinstance(value, list | tuple) else value

    return type(part).model_validate(of(part.model_dump()))
