"""What a question in free words is about: the slot whose words it shares, weighed by how telling they are."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt

from brownout.engine.coworkers.knowledge import Slot

__all__ = ["Topic", "is_job", "is_question", "topics_of"]

_WORD = re.compile(r"[a-z0-9']+")
_STOP = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "been",
        "but",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "for",
        "from",
        "had",
        "has",
        "have",
        "hi",
        "hey",
        "hello",
        "how",
        "i",
        "if",
        "in",
        "is",
        "it",
        "its",
        "just",
        "know",
        "me",
        "my",
        "need",
        "of",
        "on",
        "or",
        "our",
        "out",
        "please",
        "so",
        "some",
        "tell",
        "than",
        "thanks",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "they",
        "this",
        "to",
        "us",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "who",
        "why",
        "will",
        "with",
        "would",
        "you",
        "your",
        "about",
        "any",
        "anyone",
        "anybody",
    ]
)
_SAME = {
    "long": "minutes", "duration": "minutes", "time": "minutes", "mins": "minutes", "minute": "minutes",
    "reason": "cause", "why": "cause", "broke": "cause", "caused": "cause", "behind": "cause", "culprit": "cause",
    "reserved": "hold", "reserve": "hold", "reservation": "hold", "keep": "hold", "kept": "hold", "basket": "hold",
    "person": "owner", "responsible": "owner", "merged": "merge", "db": "database", "postgres": "database",
    "ticket": "issue", "tickets": "issue", "deployed": "deploy", "release": "deploy", "shipped": "deploy",
}  # fmt: skip
_JOB = re.compile(
    r"\b(can|could|would|will) you (please )?(fix|deploy|roll|close|write|merge|do|handle|take care|send|post|update|assign)\b"
    r"|\bplease (fix|deploy|roll|close|write|merge|do|handle|send|post|update|assign)\b"
)
_ASKS = re.compile(
    r"\?|^(who|what|when|where|which|why|how|is|are|was|were|do|does|did|can|could|has|have|any|anyone)\b"
    r"|\b(tell me|let me know|do you know|wondering|remind me|need to know|looking for|not sure (who|what|when|how|if))\b"
)


@dataclass(frozen=True, slots=True)
class Topic:
    """A slot that a question may be about, and how sure that is (higher is surer)."""

    slot: Slot
    score: int


def is_question(text: str) -> bool:
    """Whether a text asks for something."""
    return any(_ASKS.search(line.strip()) for line in re.split(r"(?<=[.!?])\s+|\n+", text.lower()) if line.strip())


def is_job(text: str) -> bool:
    """Whether a text asks the reader to do the work."""
    return _JOB.search(text.lower()) is not None


def topics_of(text: str, slots: Sequence[Slot]) -> list[Topic]:
    """The slots that a text may be about, the likeliest first; none where nothing telling is shared."""
    asked = _stems(text)
    weights = [_weights(slot) for slot in slots]
    spread = Counter(stem for weighed in weights for stem in weighed)
    found = []
    for slot, weighed in zip(slots, weights, strict=True):
        shared = [stem for stem in weighed if stem in asked]
        score = sum(weighed[stem] * 100 * (len(slots) + 1) // (spread[stem] + len(slots) // 4 + 1) for stem in shared)
        if shared and max(weighed[stem] for stem in shared) >= 2:
            found.append(Topic(slot, score // max(1, isqrt(len(asked)))))
    return sorted(found, key=lambda topic: (-topic.score, topic.slot.name))


def _weights(slot: Slot) -> dict[str, int]:
    """How telling each word is: those the author gave, then the slot's own, then those people use to say it."""
    weighed: dict[str, int] = {}
    for fact in slot.facts:
        for text, weight in (
            (" ".join(fact.says), 1),
            (slot.name.replace("_", " ").replace(".", " "), 2),
            (" ".join(fact.about), 3),
        ):
            for stem in _stems(text):
                weighed[stem] = max(weight, weighed.get(stem, 0))
    return weighed


def _stems(text: str) -> frozenset[str]:
    stems = set()
    for word in _WORD.findall(text.lower()):
        known = _SAME.get(word, word)
        if known not in _STOP:
            stems.add(_stem(known))
    return frozenset(stems)


def _stem(word: str) -> str:
    for ending in ("'s", "ings", "ing", "ies", "ied", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
