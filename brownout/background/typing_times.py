"""How long a message takes to write, and gaps of a conversation given to the messages that could be written in them."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from brownout.background.written import ALTERNATIVES
from brownout.core.instants import SECOND, Duration

__all__ = ["fitted_gaps", "typing_time"]

_PASTED: Final = re.compile(r"```.*?```|https?://\S+|<@\w+>", re.S)
"""What nobody types: it is copied or chosen from a list."""
_GOING_ON, _ANSWERING = 8, 11
"""Characters a second of whoever goes on, and of whoever answers and may have begun before the last message. Without a source: a quick
typist writes seven."""


def typing_time(text: str, *, is_answer: bool) -> Duration:
    """How long a message takes at least after the one before it: 8 s for 77 characters of an answer."""
    typed = len(ALTERNATIVES.sub(lambda found: found[1].partition("|")[0], _PASTED.sub("", text)))
    return SECOND + typed * SECOND // (_ANSWERING if is_answer else _GOING_ON)


def fitted_gaps(gaps: Sequence[Duration], speakers: Sequence[int], texts: Sequence[str]) -> tuple[Duration, ...]:
    """The same gaps in an order in which each is long enough for the message after it, as far as that goes.

    A gap that is too short changes places with the shortest one of its kind that is long enough, if that one's message can do with
    it: how long people wait altogether, and how long for themselves and for others, stays what it was. The first answer gives none away.
    """
    found = [*gaps]
    answers = [one != other for one, other in pairwise(speakers)]
    needed = [typing_time(text, is_answer=is_answer) for text, is_answer in zip(texts[1:], answers, strict=True)]
    for place in sorted(range(len(found)), key=lambda one: (-needed[one], one)):
        if found[place] >= needed[place]:
            continue
        able = [
            (found[other], other)
            for other in range(1, len(found))
            if answers[other] == answers[place] and found[other] >= needed[place] and needed[other] < needed[place]
        ]
        if able:
            other = min(able)[1]
            found[place], found[other] = found[other], found[place]
    return tuple(found)
