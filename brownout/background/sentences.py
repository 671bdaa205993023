"""Puts fragments and passages into sentences and lines."""

import re
from collections.abc import Sequence
from typing import Final

from brownout.core.seeds import Stream

__all__ = ["begun", "broken", "capitalized", "has_code", "has_doubt", "joined", "marked"]

_FORM: Final = 6
"""Words from which on a sentence that stands alone is known again."""
_APART: Final = 10
"""Percent of joints between longer parts that end a sentence."""
_END: Final = re.compile(r"(?<=[.?!]) (?=[A-Z])")
_SYMBOL: Final = re.compile(
    r"(?<![\w`/.:-])(?:[a-z]+(?:_[a-z0-9]+)+|[A-Z][a-z]+(?:[A-Z][a-z]+)+|--[a-z][a-z-]+|[A-Z]+(?:_[A-Z]+)+)(?![\w`/-])"
)
"""What only code is spelt like: words with an underscore between, with capitals inside, options."""
_ADDRESS: Final = re.compile(r"[a-z]+://")
_CODE_SLOT: Final = re.compile(r"\{(?:code_name|command|option|env_name|error)\}")
_DOUBT: Final = re.compile(
    r"\b(?:I (?:think|guess|believe|suppose|may|might|could be wrong|wouldn't know)|I'd (?:say|guess)|I'm (?:not sure|only guessing|told)|not (?:quite )?sure"
    r"|probably|perhaps|maybe|apparently|possibly|presumably|it seems|seems to|afaik|iirc|as far as|if I'm not|might|may (?:be|have|well)"
    r"|could (?:be|well be)|no idea|don't know|at least I'm|the odd thing|would have sworn|happy to be told|correct me|or so)\b",
    re.I,
)
"""Words of somebody who is not certain."""


def joined(head: str, tail: str, joints: Sequence[str], stream: Stream, *, asks: bool) -> str:
    """A head and a tail in a sentence; in two where both are short, where the head ends one, and now and then.

    Nothing is put into a question: `is it up? I only see it from here`.
    """
    if head[-1] in ".?!":
        return f"{head} {capitalized(tail)}"
    short = len(head.split()) < _FORM and len(tail.split()) < _FORM
    apart = short or stream.chance(_APART)
    if asks:
        return f"{head}? {capitalized(tail)}"
    inside = [one for one in joints if one.rstrip()[-1] not in ".?!"]
    joint = stream.choice(joints if apart or not inside else inside)
    return f"{head}{joint}{capitalized(tail) if joint.rstrip().endswith('.') and '..' not in joint else tail}"


def has_code(text: str) -> bool:
    """Whether a text, or a fragment with its slots, speaks of code: `the `retry_count` of it`."""
    return "`" in text or bool(_CODE_SLOT.search(text) or _SYMBOL.search(text))


def has_doubt(text: str) -> bool:
    """Whether a text says already how certain it is: `probably the cache`."""
    return bool(_DOUBT.search(text))


def marked(text: str) -> str:
    """The text with backticks around what only code is spelt like."""
    return _SYMBOL.sub(lambda found: f"`{found[0]}`", text)


def broken(text: str, stream: Stream) -> str:
    """A passage with a line broken after one of its sentences, if it has several."""
    ends = [found.start() for found in _END.finditer(text)]
    if not ends:
        return text
    place = stream.choice(ends)
    return f"{text[:place]}\n{text[place + 1 :]}"


def begun(text: str) -> tuple[str, str]:
    """A text without its last sentence, and the whole; the whole and nothing where it has only one."""
    ends = [found.start() for found in _END.finditer(text)]
    return (text[: ends[-1]], text) if ends else (text, "")


def capitalized(text: str) -> str:
    """A text as a sentence begins; a name of code and an address are spelt as they are: `keep_days of the cache` stays."""
    return text if _SYMBOL.match(text) or _ADDRESS.match(text) else text[:1].upper() + text[1:]
