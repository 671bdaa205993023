"""The messages of a talk: an author writes lines, and who chats sends some of them in several messages, right after one another.

Of real turns two in five are by whoever spoke last. A line goes as one message where something hangs on it: its talk
states facts, or it has reactions or an edit.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from brownout.background.message_breaks import broken_at, sentence_ends
from brownout.core.seeds import Stream
from worlds.spec import Line, Person, Talk

__all__ = ["TalkMessage", "messages_of", "whole_lines"]

_LIKELY = {"formal": 45, "plain": 85, "dry": 85, "warm": 90, "terse": 90, "chatty": 95}
"""Percent of the places where a line of theirs could be broken at which it is, by voice; without a source."""
_OF_LINES = {1: 20, 2: 30, 3: 45, 4: 80}
"""Percent of that in shorter talks, by their lines, and in one that nobody answers (1): of real turns 24 % are by whoever spoke last
in conversations of three messages, 36 % in those of four and five, 41 % in longer ones, and seven of ten that nobody answers are one."""
_LEAST, _MOST = 4, 70
"""Words of a message that is sent apart, and of a line that still is; longer ones are written with care, as one."""


class TalkMessage(NamedTuple):
    """One message of a talk.

    Attributes:
        line: the number of its line.
        part: which message of its line it is, 0 the first.
        said: its line, with the message's part of the text.
    """

    line: int
    part: int
    said: Line

    def key(self, talk: str) -> str:
        """Its name below that of its talk: the first message has the talk's, others a number, `3`, or of one line `3.1`."""
        number = f"{self.line}.{self.part}" if self.part else str(self.line) if self.line else ""
        return f"{talk}/{number}".removesuffix("/")


def whole_lines(talk: Talk) -> list[TalkMessage]:
    """Every line as one message."""
    return [TalkMessage(number, 0, line) for number, line in enumerate(talk.lines)]


def messages_of(talk: Talk, people: Mapping[str, Person], *, seed: int, name: str) -> list[TalkMessage]:
    """The messages that a talk's lines are sent in.

    Args:
        name: the talk's; draws are keyed by it and the line's number.
    """
    return [
        TalkMessage(number, part, line.model_copy(update={"text": text, "after": line.after if part == 0 else None}))
        for number, line in enumerate(talk.lines)
        for part, text in enumerate(_parts(talk, line, people, Stream(seed, "sent", name, number)))
    ]


def _parts(talk: Talk, line: Line, people: Mapping[str, Person], stream: Stream) -> Sequence[str]:
    words = len(line.text.split())
    is_one = bool(talk.states or line.reacts) or line.edited is not None or not 2 * _LEAST <= words <= _MOST
    if is_one or line.who not in people:
        return (line.text,)
    held_by_several = any(one.who != line.who for one in talk.lines)
    chance = _LIKELY[people[line.who].voice] * _OF_LINES.get(len(talk.lines) if held_by_several else 1, 100) // 100
    ends: list[int] = []
    for end in sentence_ends(line.text):
        parts = broken_at(line.text, [*ends, end])[-2:]
        if all(len(part.split()) >= _LEAST for part in parts) and stream.chance(chance):
            ends.append(end)
    return broken_at(line.text, ends)
