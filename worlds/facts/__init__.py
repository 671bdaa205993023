"""What it takes to state a fact in words. Graders and coworkers read with the same eyes.

A pattern is words: `*` at the end of a word is any ending, alone it is any few words between, `(a|b)` is either.

    retr* (cap|limit) * (dropped|removed)
"""

import re
from collections.abc import Iterable
from functools import lru_cache

__all__ = ["is_stated", "pattern_mistake", "sentences"]

_GAP = 8
"""How many words a lone `*` may stand for."""
_TOKEN = re.compile(r"\(([^()]*)\)|(\S+)")
_NEGATION = re.compile(
    r"\b(not|never|no longer|isn't|wasn't|aren't|weren't|don't|doesn't|didn't|cannot|can't|without|rather than|instead of)\b"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+|;\s+")


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text, roughly."""
    return [part.strip() for part in _SENTENCE.split(text) if part and part.strip()]


def is_stated(text: str, patterns: Iterable[str]) -> bool:
    """Whether a sentence of the text states what one of the patterns says, and does not deny it."""
    for sentence in sentences(text.lower()):
        for pattern in patterns:
            found = _compiled(pattern).search(sentence)
            if found is not None and not _NEGATION.search(sentence[max(0, found.start() - 40) : found.end()]):
                return True
            if found is not None and _NEGATION.search(pattern.lower()):
                return True
    return False


def pattern_mistake(pattern: str) -> str:
    """What is wrong with a pattern, empty where nothing is."""
    if not pattern.strip(" *"):
        return "a pattern needs at least one word"
    if pattern.count("(") != pattern.count(")"):
        return "a bracket is not closed"
    return ""


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    parts: list[str] = []
    for either, word in _TOKEN.findall(pattern.lower()):
        if word == "*":
            parts.append("*")
        elif either:
            parts.append("(?:" + "|".join(_words(option) for option in either.split("|")) + ")")
        else:
            parts.append(_words(word))
    expression = ""
    gap = False
    for part in parts:
        if part == "*":
            gap = True
            continue
        if expression:
            expression += rf"(?:\W+[\w'-]+){{0,{_GAP}}}?\W+" if gap else r"\W+"
        expression += part
        gap = False
    return re.compile(rf"(?<![\w])(?:{expression})(?![\w])")


def _words(text: str) -> str:
    return r"\W+".join(re.escape(word).replace(r"\*", r"[\w'-]*") for word in text.split())
