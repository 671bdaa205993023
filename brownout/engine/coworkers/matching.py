"""What a question in free words is about: the slot whose words it shares, weighed by how telling they are."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt

from brownout.engine.coworkers.knowledge import Slot
from brownout.engine.coworkers.vocabulary import KINDS, stems

__all__ = ["Question", "Topic", "asking", "is_about", "is_own_doing", "questions", "request_of", "topics_of"]

_WORK = "fix|deploy|roll|close|write(?! (?:here|there|back|whether|if|me|us)\\b)|merge|do|handle|take care|send|post|update|assign"
_JOB = re.compile(
    rf"\b(?:can|could|would|will) you (?:please )?(?:{_WORK})\b|^please (?!do not)(?:{_WORK})\b(?! (?:nothing|no|none)\b)"
)
_REVIEW = re.compile(
    r"\b(?:can|could|would|will) you (?:please )?(?:review|approve|(?:have a )?look(?! up| into| for| out))\b"
    r"|\bplease (?:review|approve)\b|\byour (?:review|approval|word|sign-off)\b|\b(?:whether|if|do) you approve\b"
)
_FAVOUR = re.compile(
    r"\b(?:can|could|would|will) you (?:please )?(?:call|ring|phone|speak (?:to|with)|talk (?:to|with)|reach|remind(?! me| us)|"
    r"let (?!me|us)\w+ know|tell (?!me|us))\b|^please (?:call|ring|phone|reach)\b"
)
_OWN_DOING = re.compile(r"\b(?:have|did|were|are) you (?:already |been |able to |still )*\w+")
_SPOKEN = re.compile(
    r"\b(?:have|did) you (?:already |been able to |manage to )?"
    r"(?:reach|call|ring|rung|phone|speak|spoken|spoke|talk|get hold|got hold|get through|got through|hear from|heard from)"
)
_REQUESTS = {"job": _JOB, "look": _REVIEW, "will": _FAVOUR, "not_yet": _SPOKEN}
_ASKS = re.compile(
    r"\?|(?:^|[,;:!(\u2013\u2014-]\s*|\b(?:but|and|so|also|then|rn)\s+)"
    r"(?:who|whose|whos|who's|what|whats|what's|when|where|which|why|how|is|are|was|were|do|does|did|can|could|has|have|any)\b"
    r"|\b(?:trying to|need to|need a|want to)\b"
)
_ASKS_PLAINLY = re.compile(
    r"\?|\b(?:tell me|let me know|do you (?:happen to )?know|wondering|remind me|need to know|"
    r"(?:don't|do not|not|like to|want to) know (?:who|what|when|where|which|why|how)|"
    r"not sure (?:who|what|when|where|which|why|how|if)|no idea|any idea)\b"
)
_BETWEEN = re.compile(r"(?<=[.!?])(?<!\bdr\.)(?<!\bmr\.)(?<!\bms\.)(?<!\bmrs\.)\s+|\n+")
"""Between two sentences; not behind a title."""
_POINTS_BACK = re.compile(r"\b(?:it|they|them|their|those|these)\b|^(?:\S+ ){0,3}(?:that|this|so)\b")
"""A question with such a word may be about what the sentence before it says: `Is that right?`, `Are they staying?`."""
_SHORT = 30
"""Words up to which a text without a question mark may still be a question; a longer one tells something."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A slot that a question may be about, and how sure that is (higher is surer)."""

    slot: Slot
    score: int


@dataclass(frozen=True, slots=True)
class Question:
    """A sentence that asks, and the same with the one before it."""

    sentence: str
    context: str


def asking(text: str) -> str:
    """The part of a text that asks for something: all of a short one, the asking sentences of a long one with what
    stands before each; empty where nothing is asked.
    """
    sentences = _sentences(text)
    if len(text.split()) <= _SHORT:
        return text if any(_ASKS.search(each) or _ASKS_PLAINLY.search(each) for each in sentences) else ""
    asked = [place for place, each in enumerate(sentences) if _ASKS_PLAINLY.search(each)]
    kept = sorted({near for place in asked for near in (place - 1, place) if near >= 0})
    return " ".join(sentences[place] for place in kept)


def questions(text: str) -> list[Question]:
    """The questions of a text, each with the sentence before it unless that is a question itself."""
    sentences = _sentences(text)
    asked = [place for place, each in enumerate(sentences) if _ASKS_PLAINLY.search(each)]
    return [
        Question(sentences[at], sentences[at] if at == 0 or at - 1 in asked else f"{sentences[at - 1]} {sentences[at]}")
        for at in asked
    ]


def is_about(question: Question, slot: Slot) -> bool:
    """Whether the sentence that asks has a word of the slot itself, or only points back to what stands before it."""
    has_word = not stems(question.sentence).isdisjoint(_weights(slot))
    return has_word or _POINTS_BACK.search(question.sentence) is not None


def request_of(text: str) -> str:
    """What a text wants its reader to do: `job` (the work itself), `look` at something and approve it, `will` (speak with
    somebody), or say whether they have (`not_yet`); empty where it wants none of these. So are the phrases called.
    """
    sentences = _sentences(text)
    return next((kind for kind, words in _REQUESTS.items() if any(words.search(each) for each in sentences)), "")


def is_own_doing(text: str) -> bool:
    """Whether a text asks what the reader has done."""
    return any(each.endswith("?") and _OWN_DOING.search(each) for each in _sentences(text))


def _sentences(text: str) -> list[str]:
    return [each.strip() for each in _BETWEEN.split(text.lower()) if each.strip()]


def topics_of(text: str, slots: Sequence[Slot]) -> list[Topic]:
    """The slots that a text may be about, the likeliest first; none where nothing telling is shared."""
    asked = stems(text)
    weights = [_weights(slot) for slot in slots]
    spread = Counter(stem for weighed in weights for stem in weighed)
    found = []
    for slot, weighed in zip(slots, weights, strict=True):
        shared = [stem for stem in weighed if stem in asked]
        score = sum(weighed[stem] * 100 * (len(slots) + 1) // (spread[stem] + len(slots) // 4 + 1) for stem in shared)
        if len(shared) > 1 or any(weighed[stem] >= 3 and spread[stem] == 1 for stem in shared):
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
            for stem in stems(text):
                weighed[stem] = max(weight, weighed.get(stem, 0))
    for stem in KINDS.keys() & weighed.keys():
        weighed[stem] += KINDS[stem]
    return weighed
