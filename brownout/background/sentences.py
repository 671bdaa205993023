"""Puts fragments and passages into sentences and lines."""

import re
from collections.abc import Sequence
from typing import Final

from brownout.core.seeds import Stream

__all__ = ["begun", "broken", "capitalized", "joined", "marked"]

_FORM: Final = 6
"""Words from which on a sentence that stands alone is known again."""
_APART: Final = 10
"""Percent of joints between longer parts that end a sentence."""
_END: Final = re.compile(r"(?<=[.?!]) (?=[A-Z])")
_SYMBOL: Final = re.compile(
    r"(?<![\w`/.:-])(?:[a-z]+(?:_[a-z0-9]+)+|[A-Z][a-z]+(?:[A-Z][a-z]+)+|--[a-z][a-z-]+|[A-Z]+(?:_[A-Z]+)+)(?![\w`/-])"
)
"""What only code is spelt like: words with an underscore between, with capitals inside, options."""


def joined(head: str, tail: str, joints: Sequence[str], stream: Stream, *, asks: bool) -> str:
    """A head and a tail in a sentence; in two where both are short, where the head ends one, and now and then."""
    if head[-1] in ".?!":
        return f"{head} {capitalized(tail)}"
    short = len(head.split()) < _FORM and len(tail.split()) < _FORM
    apart = short or stream.chance(_APART)
    if asks:
        if apart:
            return f"{head}? {capitalized(tail)}"
        return stream.choice((f"{head} ({tail})?", f"{head}, {tail}?", f"{head} - {tail}"))
    inside = [one for one in joints if one.rstrip()[-1] not in ".?!"]
    joint = stream.choice(joints if apart or not inside else inside)
    return f"{head}{joint}{capitalized(tail) if joint.rstrip().endswith('.') and '..' not in joint else tail}"


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
    """A text as a sentence begins; a name of code is spelt as it is: `keep_days of the cache` stays."""
    return text if _SYMBOL.match(text) else text[:1].upper() + text[1:]
